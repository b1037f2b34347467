// Steps that change the graph: addV addE property drop.
#include <algorithm>

#include "gremlin/steps/arguments.h"
#include "gremlin/steps/scoping.h"

namespace hob::gremlin {
namespace {

Result<std::string> label_text(std::string_view step, const Value& label,
                               std::string_view default_label) {
    if (label.is_null()) return std::string(default_label);
    if (!label.is_string())
        return Error::invalid("{}(): the label must be a string, found {} ({})", step,
                              to_text(label), type_name(label));
    if (label.text().empty()) return Error::invalid("Label can not be empty");
    if (label.text()[0] == '~')
        return Error::invalid("Label can not be a hidden key: {}", label.text());
    return std::string(label.text());
}

Status check_keys(const std::vector<graph::PropertyWrite>& writes) {
    for (const auto& write : writes) {
        if (!write.key.empty() && write.key[0] == '~')
            return Error::invalid("Property key can not be a hidden key: {}", write.key);
    }
    return {};
}

/// A key named more than once for a new vertex keeps all its values, as Graph.addVertex() does.
void keep_repeated(std::vector<graph::PropertyWrite>& writes) {
    for (std::size_t i = 0; i < writes.size(); ++i) {
        const auto same =
            std::count_if(writes.begin(), writes.end(),
                          [&](const graph::PropertyWrite& w) { return w.key == writes[i].key; });
        if (same > 1 && !writes[i].cardinality) writes[i].cardinality = Cardinality::kList;
    }
}

class AddVertexOp final : public TransformOp {
  public:
    AddVertexOp(QueryContext& context, Op* input, Scope& scope, ValueArgument label,
                std::vector<PropertyArguments> properties)
        : TransformOp(context, input, scope),
          label_(std::move(label)),
          properties_(std::move(properties)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        std::vector<Value> labels;
        std::vector<std::uint8_t> found;
        HOB_TRY(label_.resolve(in, labels, found));
        ResolvedProperties resolved;
        HOB_TRY(resolve_properties(properties_, in, resolved));
        for (std::size_t i = 0; i < in.size(); ++i) {
            HOB_ASSIGN_OR_RETURN(
                const std::string label,
                label_text("addV", resolved.labels[i].is_null() ? labels[i] : resolved.labels[i],
                           "vertex"));
            HOB_TRY(check_keys(resolved.writes[i]));
            keep_repeated(resolved.writes[i]);
            // One vertex for each traverser, also where several travel as one.
            for (std::int64_t n = 0; n < in[i].bulk; ++n) {
                HOB_ASSIGN_OR_RETURN(Value vertex, ctx_.transaction->add_vertex(
                                                       resolved.ids[i], label, resolved.writes[i]));
                out.push_back(ctx_.split(in[i], std::move(vertex)));
                out.back().bulk = 1;
            }
        }
        return {};
    }

  private:
    ValueArgument label_;
    std::vector<PropertyArguments> properties_;
};

Result<std::vector<PropertyArguments>> folded_properties(Compiler& compiler, const Node& node) {
    std::vector<PropertyArguments> result;
    for (const auto& args : node.properties) {
        HOB_ASSIGN_OR_RETURN(PropertyArguments property, property_arguments(compiler, args));
        result.push_back(std::move(property));
    }
    return result;
}

Result<Op*> make_add_vertex(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(ValueArgument label,
                         ValueArgument::make(compiler, node.args.empty() ? Value() : node.args[0]));
    HOB_ASSIGN_OR_RETURN(std::vector<PropertyArguments> properties,
                         folded_properties(compiler, node));
    return compiler.add<AddVertexOp>(input, std::move(label), std::move(properties));
}

/// One end of addE(): a step label, a vertex, an id or a traversal; nothing: the incoming vertex.
class EdgeEnd {
  public:
    static Result<EdgeEnd> make(Compiler& compiler, std::string_view which,
                                const std::optional<std::vector<Value>>& args) {
        EdgeEnd end;
        end.which_ = which;
        if (!args || args->empty()) return end;
        const Value& what = (*args)[0];
        if (what.is_string()) {
            end.label_ = scope_key(compiler.context(), what.text());
        } else {
            HOB_ASSIGN_OR_RETURN(end.argument_, ValueArgument::make(compiler, what));
        }
        return end;
    }

    Status resolve(QueryContext& context, std::span<const Traverser> in,
                   std::string_view edge_label, std::vector<Value>& vertices) {
        vertices.assign(in.size(), Value());
        std::vector<std::uint8_t> found(in.size(), 1);
        if (argument_) {
            HOB_TRY(argument_->resolve(in, vertices, found));
        } else {
            for (std::size_t i = 0; i < in.size(); ++i) {
                if (!label_) {
                    vertices[i] = in[i].value;
                    continue;
                }
                auto value = scope_value(context, in[i], *label_, Pop::kLast);
                if (value) vertices[i] = std::move(*value);
                found[i] = value ? 1 : 0;
            }
        }
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (vertices[i].kind() == Kind::kVertex) continue;
            const auto id =
                vertices[i].is_null() ? std::nullopt : context.graph->vertex_id_of(vertices[i]);
            if (id && (argument_ || label_)) {
                vertices[i] = Value::vertex(*id);
                continue;
            }
            return Error::execution(
                "The value given to addE({}).{}() must resolve to a Vertex or the ID of a Vertex "
                "present in the graph, but {} was specified instead",
                edge_label, which_,
                vertices[i].is_null()
                    ? "null"
                    : to_text(vertices[i]) + " (" + std::string(type_name(vertices[i])) + ")");
        }
        return {};
    }

  private:
    std::string which_;
    std::optional<ScopeKey> label_;
    std::optional<ValueArgument> argument_;
};

class AddEdgeOp final : public TransformOp {
  public:
    AddEdgeOp(QueryContext& context, Op* input, Scope& scope, ValueArgument label, EdgeEnd from,
              EdgeEnd to, std::vector<PropertyArguments> properties)
        : TransformOp(context, input, scope),
          label_(std::move(label)),
          from_(std::move(from)),
          to_(std::move(to)),
          properties_(std::move(properties)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        std::vector<Value> labels;
        std::vector<std::uint8_t> found;
        HOB_TRY(label_.resolve(in, labels, found));
        ResolvedProperties resolved;
        HOB_TRY(resolve_properties(properties_, in, resolved));
        const std::string shown = labels.empty() ? std::string() : to_text(labels[0]);
        std::vector<Value> from;
        std::vector<Value> to;
        HOB_TRY(from_.resolve(ctx_, in, shown, from));
        HOB_TRY(to_.resolve(ctx_, in, shown, to));
        for (std::size_t i = 0; i < in.size(); ++i)
            HOB_TRY(add(in[i], labels[i], from[i], to[i], resolved, i, out));
        return {};
    }

  private:
    Status add(const Traverser& t, const Value& given, const Value& from, const Value& to,
               const ResolvedProperties& resolved, std::size_t i, Batch& out) {
        HOB_ASSIGN_OR_RETURN(
            const std::string label,
            label_text("addE", resolved.labels[i].is_null() ? given : resolved.labels[i], "edge"));
        std::vector<std::pair<std::string, Value>> properties;
        HOB_TRY(check_keys(resolved.writes[i]));
        for (const auto& write : resolved.writes[i]) {
            if (write.cardinality) {
                return Error::execution(
                    "Property cardinality can only be set for a Vertex but the traversal "
                    "encountered Edge for key: {}",
                    write.key);
            }
            const bool repeated =
                std::any_of(properties.begin(), properties.end(),
                            [&write](const auto& earlier) { return earlier.first == write.key; });
            if (repeated) {
                return Error::execution(
                    "Multi-properties are not supported by this step: addE() was given the "
                    "property '{}' twice",
                    write.key);
            }
            properties.emplace_back(write.key, write.value);
        }
        for (std::int64_t n = 0; n < t.bulk; ++n) {
            HOB_ASSIGN_OR_RETURN(Value edge, ctx_.transaction->add_edge(resolved.ids[i], label,
                                                                        from, to, properties));
            out.push_back(ctx_.split(t, std::move(edge)));
            out.back().bulk = 1;
        }
        return {};
    }

    ValueArgument label_;
    EdgeEnd from_;
    EdgeEnd to_;
    std::vector<PropertyArguments> properties_;
};

Result<Op*> make_add_edge(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.empty()) return bad_argument(node, 0, "an edge label (string)");
    HOB_ASSIGN_OR_RETURN(ValueArgument label, ValueArgument::make(compiler, node.args[0]));
    HOB_ASSIGN_OR_RETURN(EdgeEnd from, EdgeEnd::make(compiler, "from", node.from));
    HOB_ASSIGN_OR_RETURN(EdgeEnd to, EdgeEnd::make(compiler, "to", node.to));
    HOB_ASSIGN_OR_RETURN(std::vector<PropertyArguments> properties,
                         folded_properties(compiler, node));
    return compiler.add<AddEdgeOp>(input, std::move(label), std::move(from), std::move(to),
                                   std::move(properties));
}

/// property(): sets properties of the incoming elements.
/// What changing the batch will read, read at once.
Status prefetch(QueryContext& context, const Batch& batch, bool removal) {
    std::vector<Value> elements;
    elements.reserve(batch.size());
    for (const Traverser& t : batch)
        elements.push_back(t.value);
    return context.transaction->prefetch_changes(elements, removal);
}

class SetPropertyOp final : public TransformOp {
  public:
    SetPropertyOp(QueryContext& context, Op* input, Scope& scope, PropertyArguments property)
        : TransformOp(context, input, scope) {
        properties_.push_back(std::move(property));
    }

  protected:
    Status apply(Batch& in, Batch& out) override {
        ResolvedProperties resolved;
        HOB_TRY(resolve_properties(properties_, in, resolved));
        HOB_TRY(prefetch(ctx_, in, false));
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (!resolved.ids[i].is_null())
                return Error::execution("T.id is immutable on existing elements");
            if (!resolved.labels[i].is_null())
                return Error::execution("T.label is immutable on existing elements");
            HOB_TRY(check_keys(resolved.writes[i]));
            for (const auto& write : resolved.writes[i])
                HOB_TRY(set(in[i], write));
            out.push_back(std::move(in[i]));
        }
        return {};
    }

  private:
    Status set(Traverser& t, const graph::PropertyWrite& write) {
        if (write.cardinality && t.value.kind() != Kind::kVertex) {
            return Error::execution(
                "Property cardinality can only be set for a Vertex but the traversal encountered "
                "{} for key: {}",
                type_name(t.value), write.key);
        }
        switch (t.value.kind()) {
            case Kind::kVertex:
                HOB_TRY(ctx_.transaction->set_vertex_property(t.value, write));
                return {};
            case Kind::kEdge: {
                const std::uint8_t origin = t.value.edge_origin();
                HOB_ASSIGN_OR_RETURN(
                    t.value, ctx_.transaction->set_edge_property(t.value, write.key, write.value));
                t.value.set_edge_origin(origin);
                return {};
            }
            case Kind::kVertexProperty: {
                HOB_ASSIGN_OR_RETURN(
                    t.value, ctx_.transaction->set_meta_property(t.value, write.key, write.value));
                return {};
            }
            default:
                return Error::execution(
                    "property() needs an element (vertex, edge or vertex property), found {} ({})",
                    to_text(t.value), type_name(t.value));
        }
    }

    std::vector<PropertyArguments> properties_;
};

Result<Op*> make_property(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(PropertyArguments property, property_arguments(compiler, node.args));
    return compiler.add<SetPropertyOp>(input, std::move(property));
}

Result<Op*> make_drop(Compiler& compiler, const Node&, Op* input) {
    return transform(compiler, input, [](QueryContext& context, Batch& in, Batch&) -> Status {
        HOB_TRY(prefetch(context, in, true));
        for (const Traverser& t : in) {
            if (!t.value.is_element() && t.value.kind() != Kind::kProperty) {
                return Error::execution("drop() needs an element or a property, found {} ({})",
                                        to_text(t.value), type_name(t.value));
            }
            HOB_TRY(context.transaction->remove(t.value));
        }
        return {};
    });
}

}  // namespace

extern const StepSpec addV_step;
const StepSpec addV_step = {.name = "addV",
                            .modulators = kProperty,
                            .make = make_add_vertex,
                            .visible = true,
                            .writes = true};
extern const StepSpec addE_step;
const StepSpec addE_step = {.name = "addE",
                            .modulators = kProperty | kFromTo,
                            .make = make_add_edge,
                            .visible = true,
                            .writes = true};
extern const StepSpec property_step;
const StepSpec property_step = {
    .name = "property", .make = make_property, .visible = true, .writes = true, .reads = true};
extern const StepSpec drop_step;
const StepSpec drop_step = {
    .name = "drop", .make = make_drop, .visible = true, .writes = true, .reads = true};

}  // namespace hob::gremlin
