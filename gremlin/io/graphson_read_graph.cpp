// Elements, collections of them, metrics, and what a traversal is made of.
#include <algorithm>
#include <limits>

#include "gremlin/io/graphson_reader.h"
#include "gremlin/io/predicates.h"
#include "storage/value/compare.h"

namespace hob::gremlin::graphson {

Result<Value> Reader::vertex(Node at) {
    HOB_ASSIGN_OR_RETURN(const Value id, member_value(at, "id"));
    return Value::vertex(id);
}

Status Reader::pairs(Node object, std::vector<std::pair<Value, Value>>& out) {
    return each_member(object, [&](std::string_view key, Node at) -> Status {
        HOB_ASSIGN_OR_RETURN(Value v, value(at));
        if (v.kind() == Kind::kProperty) v = Value(v.as<PropertyObject>().value);
        out.emplace_back(Value::string(key), std::move(v));
        return {};
    });
}

Result<Value> Reader::edge(Node at) {
    auto* edge = new EdgeObject;
    Value v = Value::adopt(Kind::kEdge, edge);
    HOB_ASSIGN_OR_RETURN(edge->id, member_value(at, "id"));
    HOB_ASSIGN_OR_RETURN(const Value in, member_value(at, "inV"));
    HOB_ASSIGN_OR_RETURN(const Value out, member_value(at, "outV"));
    edge->in = Value::vertex(in);
    edge->out = Value::vertex(out);
    edge->label = member_text(at, "label");
    if (edge->label.is_null()) edge->label = Value::string("edge");
    edge->in_label = member_text(at, "inVLabel");
    edge->out_label = member_text(at, "outVLabel");
    const Node properties = json_.member(at, "properties");
    edge->has_properties = properties != 0;
    if (properties != 0) HOB_TRY(pairs(properties, edge->properties));
    return v;
}

Status Reader::fill_vertex_property(Node at, VertexPropertyObject& property) {
    const Node id = json_.member(at, "id");
    if (id != 0) {
        HOB_ASSIGN_OR_RETURN(property.id, value(id));
    }
    HOB_ASSIGN_OR_RETURN(property.value, member_value(at, "value"));
    const Value label = member_text(at, "label");
    if (!label.is_null()) property.key = label;
    const Node meta = json_.member(at, "properties");
    if (meta != 0) HOB_TRY(pairs(meta, property.meta));
    return {};
}

Result<Value> Reader::vertex_property(Node at) {
    auto* property = new VertexPropertyObject;
    Value v = Value::adopt(Kind::kVertexProperty, property);
    property->key = Value::string("");
    HOB_TRY(fill_vertex_property(at, *property));
    return v;
}

Result<Value> Reader::property(Node at) {
    auto* property = new PropertyObject;
    Value v = Value::adopt(Kind::kProperty, property);
    HOB_ASSIGN_OR_RETURN(const Node key, member(at, "key"));
    HOB_TRY(expect(key, JsonKind::kString, "a property key"));
    property->key = Value::string(json_[key].text);
    HOB_ASSIGN_OR_RETURN(property->value, member_value(at, "value"));
    return v;
}

Result<Value> Reader::path(Node at) {
    HOB_ASSIGN_OR_RETURN(const Value labels, member_value(at, "labels"));
    HOB_ASSIGN_OR_RETURN(const Value objects, member_value(at, "objects"));
    if (labels.kind() != Kind::kList || objects.kind() != Kind::kList ||
        labels.items().size() != objects.items().size()) {
        return Error::parse("path at byte {} has not as many labels as objects", json_[at].at);
    }
    auto* path = new PathObject;
    Value v = Value::adopt(Kind::kPath, path);
    path->objects.assign(objects.items().begin(), objects.items().end());
    for (const Value& set : labels.items()) {
        if (!set.is_collection() || set.kind() == Kind::kBulkSet) {
            return Error::parse("path at byte {} has labels in a {}, expected a set", json_[at].at,
                                type_name(set));
        }
        path->labels.emplace_back(set.items().begin(), set.items().end());
    }
    return v;
}

Result<Value> Reader::tree(Node at) {
    auto* tree = new TreeObject;
    Value v = Value::adopt(Kind::kTree, tree);
    HOB_TRY(each_item(at, [&](Node i) -> Status {
        HOB_ASSIGN_OR_RETURN(Value key, member_value(i, "key"));
        HOB_ASSIGN_OR_RETURN(Value child, member_value(i, "value"));
        if (child.kind() != Kind::kTree)
            return error(i, "a child of a tree", "a g:Tree as its value");
        tree->children.put(std::move(key), std::move(child));
        return {};
    }));
    return v;
}

Result<Value> Reader::bulk_set(Node at) {
    HOB_ASSIGN_OR_RETURN(const auto flat, items(at));
    auto* set = new BulkSetObject;
    Value v = Value::adopt(Kind::kBulkSet, set);
    for (std::size_t i = 0; i < flat.size(); i += 2) {
        const auto count = i + 1 < flat.size() ? to_int64(flat[i + 1]) : std::nullopt;
        if (!count || *count < 0 ||
            *count > std::numeric_limits<std::int64_t>::max() - set->size()) {
            return error(at, "a g:BulkSet", "items and counts in turn");
        }
        set->add(flat[i], *count);
    }
    return v;
}

Result<Value> Reader::traverser(Node at) {
    HOB_ASSIGN_OR_RETURN(const Value bulk, member_value(at, "bulk"));
    HOB_ASSIGN_OR_RETURN(Value v, member_value(at, "value"));
    const auto count = to_int64(bulk);
    if (!count) return error(at, "a traverser", "a whole number as its bulk");
    return Value::traverser(std::move(v), *count);
}

Status Reader::fill_metrics(const Value& fields, MetricsObject& metrics) {
    if (fields.kind() != Kind::kMap)
        return Error::parse("metrics are a {}, expected a map", type_name(fields));
    for (const auto& [key, field] : fields.as<MapObject>().entries()) {
        const std::string name = to_text(key);
        if (name == "id") metrics.id = to_text(field);
        if (name == "name") metrics.name = to_text(field);
        if (name == "dur")
            metrics.duration_ns =
                static_cast<std::int64_t>(std::clamp(to_double(field) * 1e6, -9e18, 9e18));
        if (name == "annotations" && field.kind() == Kind::kMap) {
            for (const auto& [k, v] : field.as<MapObject>().entries()) {
                metrics.annotations.emplace_back(to_text(k), v);
            }
        }
        if (name == "counts" && field.kind() == Kind::kMap) {
            for (const auto& [k, v] : field.as<MapObject>().entries()) {
                metrics.counts.emplace_back(to_text(k), to_int64(v).value_or(0));
            }
        }
        if (name != "metrics" || field.kind() != Kind::kList) continue;
        for (const Value& nested : field.items()) {
            if (nested.kind() == Kind::kMetrics) metrics.nested.push_back(nested);
        }
    }
    return {};
}

Result<Value> Reader::metrics(Node at) {
    auto* metrics = new MetricsObject;
    Value v = Value::adopt(Kind::kMetrics, metrics);
    HOB_ASSIGN_OR_RETURN(const Value fields, value(at));
    HOB_TRY(fill_metrics(fields, *metrics));
    return v;
}

Result<Value> Reader::traversal_metrics(Node at) {
    HOB_ASSIGN_OR_RETURN(const Value fields, value(at));
    MetricsObject whole;
    HOB_TRY(fill_metrics(fields, whole));
    auto* metrics = new TraversalMetricsObject;
    metrics->duration_ns = whole.duration_ns;
    metrics->metrics = std::move(whole.nested);
    return Value::adopt(Kind::kTraversalMetrics, metrics);
}

Result<Value> Reader::graph(Node at) {
    auto* graph = new GraphObject;
    Value v = Value::adopt(Kind::kGraph, graph);
    HOB_ASSIGN_OR_RETURN(const Node vertices, member(at, "vertices"));
    HOB_TRY(each_item(vertices, [&](Node i) -> Status {
        const Node inner = json_.member(i, "@value");
        HOB_ASSIGN_OR_RETURN(AdjacencyVertex read, adjacency(inner != 0 ? inner : i));
        graph->vertices.push_back(
            {Value::vertex(read.id), Value::string(read.label), std::move(read.properties)});
        return {};
    }));
    HOB_ASSIGN_OR_RETURN(const Node edges, member(at, "edges"));
    HOB_TRY(each_item(edges, [&](Node i) -> Status {
        HOB_ASSIGN_OR_RETURN(Value edge, value(i));
        if (edge.kind() != Kind::kEdge) return error(i, type_name(edge), "a g:Edge");
        graph->edges.push_back(std::move(edge));
        return {};
    }));
    return v;
}

Result<Instruction> Reader::instruction(Node at) {
    HOB_TRY(expect(at, JsonKind::kArray, "an instruction: its name and arguments"));
    const Node name = at + 1;
    if (json_[at].end == name)
        return error(at, "an empty array", "an instruction: its name and arguments");
    HOB_TRY(expect(name, JsonKind::kString, "an instruction's name"));
    Instruction instruction;
    instruction.name = json_[name].text;
    for (Node i = json_[name].end; i < json_[at].end; i = json_[i].end) {
        HOB_ASSIGN_OR_RETURN(Value argument, value(i));
        instruction.arguments.push_back(std::move(argument));
    }
    return instruction;
}

Status Reader::instructions(Node at, std::vector<Instruction>& all) {
    return each_item(at, [&](Node i) -> Status {
        HOB_ASSIGN_OR_RETURN(Instruction read, instruction(i));
        all.push_back(std::move(read));
        return {};
    });
}

Result<Value> Reader::bytecode(Node at) {
    HOB_TRY(expect(at, JsonKind::kObject, "an object with 'step' and 'source'"));
    Traversal traversal;
    if (const Node source = json_.member(at, "source"))
        HOB_TRY(instructions(source, traversal.sources));
    if (const Node step = json_.member(at, "step")) HOB_TRY(instructions(step, traversal.steps));
    return make_traversal(std::move(traversal));
}

Result<Value> Reader::predicate(Node at) {
    HOB_ASSIGN_OR_RETURN(const Node name, member(at, "predicate"));
    HOB_TRY(expect(name, JsonKind::kString, "a predicate's name"));
    HOB_ASSIGN_OR_RETURN(Value argument, member_value(at, "value"));
    std::vector<Value> arguments;
    arguments.push_back(std::move(argument));
    return predicate_of(std::string(json_[name].text), std::move(arguments));
}

Result<Value> Reader::binding(Node at) {
    HOB_ASSIGN_OR_RETURN(const Node key, member(at, "key"));
    HOB_TRY(expect(key, JsonKind::kString, "a variable's name"));
    HOB_ASSIGN_OR_RETURN(Value v, member_value(at, "value"));
    return make_binding(std::string(json_[key].text), true, std::move(v));
}

Result<Value> Reader::lambda(Node at) {
    HOB_TRY(expect(at, JsonKind::kObject, "an object with 'script' and 'language'"));
    const Value language = member_text(at, "language");
    const Value script = member_text(at, "script");
    return make_lambda(language.is_null() ? "gremlin-groovy" : to_text(language),
                       script.is_null() ? "" : to_text(script));
}

/// {"fqcn", "conf"} since 3.6; before, the configuration itself.
Result<Value> Reader::strategy(std::string_view type, Node at) {
    HOB_TRY(expect(at, JsonKind::kObject, "a strategy's configuration"));
    std::string name(type);
    const Value full_name = member_text(at, "fqcn");
    if (!full_name.is_null()) name = simple_class_name(full_name.text());
    const Node conf = json_.member(at, "conf");
    std::vector<std::pair<std::string, Value>> configuration;
    HOB_ASSIGN_OR_RETURN(const Value map, value(conf != 0 ? conf : at));
    if (map.kind() != Kind::kMap) return error(conf, type_name(map), "a strategy's configuration");
    for (const auto& [key, setting] : map.as<MapObject>().entries()) {
        if (conf == 0 && key.is_string() && key.text() == "fqcn") continue;
        configuration.emplace_back(to_text(key), setting);
    }
    return make_strategy(std::move(name), std::move(configuration));
}

Status Reader::adjacency_edges(Node object, const AdjacencyVertex& vertex, bool out,
                               std::vector<Value>& edges) {
    return each_member(object, [&](std::string_view label, Node list) -> Status {
        return each_item(list, [&](Node at) -> Status {
            auto* edge = new EdgeObject;
            edges.push_back(Value::adopt(Kind::kEdge, edge));
            edge->label = Value::string(label);
            HOB_ASSIGN_OR_RETURN(edge->id, member_value(at, "id"));
            HOB_ASSIGN_OR_RETURN(const Value other, member_value(at, out ? "inV" : "outV"));
            (out ? edge->out : edge->in) = Value::vertex(vertex.id);
            (out ? edge->out_label : edge->in_label) = Value::string(vertex.label);
            (out ? edge->in : edge->out) = Value::vertex(other);
            if (const Node properties = json_.member(at, "properties"))
                HOB_TRY(pairs(properties, edge->properties));
            return {};
        });
    });
}

Status Reader::adjacency_properties(Node object, AdjacencyVertex& vertex) {
    return each_member(object, [&](std::string_view key, Node list) -> Status {
        return each_item(list, [&](Node i) -> Status {
            auto* property = new VertexPropertyObject;
            vertex.properties.push_back(Value::adopt(Kind::kVertexProperty, property));
            property->key = Value::string(key);
            property->vertex = Value::vertex(vertex.id);
            const Node inner = json_.member(i, "@value");
            return fill_vertex_property(inner != 0 ? inner : i, *property);
        });
    });
}

Result<AdjacencyVertex> Reader::adjacency(Node at) {
    AdjacencyVertex vertex;
    HOB_ASSIGN_OR_RETURN(vertex.id, member_value(at, "id"));
    const Value label = member_text(at, "label");
    vertex.label = label.is_null() ? "vertex" : to_text(label);
    if (const Node properties = json_.member(at, "properties"))
        HOB_TRY(adjacency_properties(properties, vertex));
    if (const Node edges = json_.member(at, "outE"))
        HOB_TRY(adjacency_edges(edges, vertex, true, vertex.out_edges));
    if (const Node edges = json_.member(at, "inE"))
        HOB_TRY(adjacency_edges(edges, vertex, false, vertex.in_edges));
    return vertex;
}

}  // namespace hob::gremlin::graphson
