// SubgraphStrategy: a traversal sees only the vertices, edges and vertex properties that pass the
// strategy's traversals. Filters are put in behind every step that gives such elements; what the
// criteria themselves walk over is the whole graph, as in TinkerPop's SubgraphStrategy.
#include "gremlin/plan/nodes.h"
#include "gremlin/plan/rewrite.h"
#include "gremlin/plan/strategies.h"

namespace hob::gremlin {
namespace {

struct Subgraph {
    Value vertices;  ///< A traversal, or null.
    Value edges;
    Value vertex_properties;
    bool check_adjacent = true;
};

/// An expansion along edges: how its edges and their other ends are met.
struct Expansion {
    std::string_view edges;   ///< The step that gives the edges.
    std::string_view others;  ///< The step from an edge to its other end.
};

Direction direction_of(const Instruction& step) {
    if (!step.arguments.empty() && step.arguments[0].is_enum(EnumType::kDirection))
        return static_cast<Direction>(step.arguments[0].enum_ordinal());
    if (is_any(step.name, {"out", "outE"})) return Direction::kOut;
    if (is_any(step.name, {"in", "inE"})) return Direction::kIn;
    return Direction::kBoth;
}

Expansion expansion_of(const Instruction& step) {
    switch (direction_of(step)) {
        case Direction::kOut:
            return {"outE", "inV"};
        case Direction::kIn:
            return {"inE", "outV"};
        case Direction::kBoth:
            break;
    }
    return {"bothE", "otherV"};
}

bool gives_adjacent_vertices(const Instruction& step) {
    return is_any(step.name, {"out", "in", "both", "to"});
}
bool gives_vertices(const Instruction& step) {
    return gives_adjacent_vertices(step) ||
           is_any(step.name, {"V", "addV", "inV", "outV", "bothV", "otherV", "toV"});
}
bool gives_incident_edges(const Instruction& step) {
    return is_any(step.name, {"outE", "inE", "bothE", "toE"});
}

Instruction filter(const Value& criterion) {
    return make_step("filter", {criterion});
}

/// What an edge that `step` gave must pass.
std::vector<Instruction> edge_filters(const Subgraph& subgraph, const Instruction& step) {
    std::vector<Instruction> filters;
    if (!subgraph.edges.is_null()) filters.push_back(filter(subgraph.edges));
    if (!subgraph.check_adjacent || subgraph.vertices.is_null()) return filters;
    const auto end_passes = [&subgraph](std::string_view end) {
        return make_steps({make_step(end), filter(subgraph.vertices)});
    };
    if (gives_incident_edges(step)) {
        filters.push_back(filter(end_passes(expansion_of(step).others)));
    } else if (step.name == "E") {
        filters.push_back(filter(end_passes("inV")));
        filters.push_back(filter(end_passes("outV")));
    }
    return filters;
}

/// out() becomes outE().filter(edges).inV(): the edges walked over must pass too.
std::size_t show_edges(const Subgraph& subgraph, StepGroups& groups, std::size_t at) {
    Instruction& step = groups[at].step;
    const Expansion expansion = expansion_of(step);
    if (step.name == "to") step.arguments.erase(step.arguments.begin());
    step.name = expansion.edges;
    return put_behind(groups, at, {filter(subgraph.edges), make_step(expansion.others)});
}

Status rewrite_level(const Subgraph& subgraph, StepGroups& groups) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const Instruction& step = groups[i].step;
        if (gives_vertices(step)) {
            if (gives_adjacent_vertices(step) && !subgraph.edges.is_null())
                i = show_edges(subgraph, groups, i);
            if (!subgraph.vertices.is_null())
                i = put_behind(groups, i, {filter(subgraph.vertices)});
        } else if (gives_incident_edges(step) || is_any(step.name, {"E", "addE"})) {
            i = put_behind(groups, i, edge_filters(subgraph, step));
        }
    }
    if (!subgraph.vertex_properties.is_null())
        apply_view(groups, {{for_vertex_properties(subgraph.vertex_properties)}});
    return {};
}

Result<Value> criterion(const StrategyObject& strategy, std::string_view key) {
    const Value* value = setting(strategy, key);
    if (value == nullptr) return Value();
    if (as_traversal(*value) == nullptr) {
        return Error::invalid("SubgraphStrategy: {} must be a traversal, found {} ({})", key,
                              to_text(*value), type_name(*value));
    }
    return *value;
}

}  // namespace

Status apply_subgraph(const StrategyObject& strategy, Traversal& traversal, QueryContext& context) {
    Subgraph subgraph;
    HOB_ASSIGN_OR_RETURN(subgraph.vertices, criterion(strategy, "vertices"));
    HOB_ASSIGN_OR_RETURN(subgraph.edges, criterion(strategy, "edges"));
    HOB_ASSIGN_OR_RETURN(subgraph.vertex_properties, criterion(strategy, "vertexProperties"));
    HOB_ASSIGN_OR_RETURN(subgraph.check_adjacent,
                         bool_setting(strategy, "checkAdjacentVertices", true));
    if (subgraph.vertices.is_null() && subgraph.edges.is_null() &&
        subgraph.vertex_properties.is_null()) {
        return Error::invalid(
            "A subgraph must be filtered by a vertex, edge, or vertex property criterion: give "
            "SubgraphStrategy a traversal as vertices, edges or vertexProperties");
    }
    return rewrite_levels(traversal, context.infix, [&subgraph](StepGroups& groups) {
        return rewrite_level(subgraph, groups);
    });
}

}  // namespace hob::gremlin
