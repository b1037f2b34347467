// Moving along edges: out in both outE inE bothE outV inV bothV otherV, and toE/toV/to with a
// direction.
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>

#include "gremlin/steps/look_up.h"
#include "gremlin/steps/step.h"

namespace hob::gremlin {
namespace {

/// "out edges [knows], keys only": what of the vertices' adjacency is read, for explain().
std::string adjacency_words(const graph::ExpandSpec& spec) {
    const std::string_view direction = spec.direction == Direction::kOut  ? "out"
                                       : spec.direction == Direction::kIn ? "in"
                                                                          : "out and in";
    return fmt::format(
        "{} edges {}, {}", direction,
        spec.labels.empty() ? "of every label" : fmt::format("[{}]", fmt::join(spec.labels, ", ")),
        spec.edges && spec.edge_properties ? "with properties" : "keys only");
}

/// Follows edges from a whole frontier with one multi-get (DESIGN.md section 3); equal traversers
/// merge first.
class ExpandOp final : public Op {
  public:
    ExpandOp(QueryContext& context, Op* input, Scope& scope, graph::ExpandSpec spec,
             std::shared_ptr<LookUp> look_up)
        : Op(context, input, scope), spec_(std::move(spec)), look_up_(std::move(look_up)) {
        if (ctx_.limits.sample) {
            // One more than may be given tells whether there is more.
            const auto cap = static_cast<std::uint32_t>(
                std::min<std::uint64_t>(ctx_.limits.max_per_vertex, UINT32_MAX - 1));
            if (spec_.per_vertex_max == 0 || spec_.per_vertex_max > cap) {
                sample_max_ = cap;
                spec_.per_vertex_max = cap + 1;
            }
        }
    }

    void reset() override {
        Op::reset();
        parents_.clear();
        expansion_.reset();
    }

    [[nodiscard]] std::string storage_call() const override {
        std::string text = "multi-get: " + adjacency_words(spec_);
        if (spec_.per_vertex_max != 0)
            text += fmt::format(", at most {} of a vertex", spec_.per_vertex_max);
        const bool rides = look_up_ != nullptr && look_up_->rides && !look_up_->key.empty() &&
                           ctx_.transaction->find_index(graph::ElementType::kVertex,
                                                        look_up_->label, look_up_->key);
        return rides ? text + "; brings the records that the look-up must check" : text;
    }

  protected:
    Result<Pull> pull(Batch& out, std::size_t max) override {
        while (true) {
            HOB_TRY(ctx_.check());
            if (expansion_ != nullptr) {
                incidents_.clear();
                HOB_TRY(expansion_->next(max, incidents_));
                if (!incidents_.empty()) {
                    HOB_TRY(test_parents());
                    give(out);
                    return Pull::kMore;
                }
                expansion_.reset();
            }
            HOB_ASSIGN_OR_RETURN(const Pull state, next_frontier(max));
            if (parents_.empty()) {
                if (state == Pull::kMore) continue;
                return state;
            }
            keep_.clear();
            spec_.records.reset();
            if (look_up_ != nullptr && look_up_->is_put_off()) spec_.records = ctx_.projection;
            sampled_input_ = UINT32_MAX;
            HOB_ASSIGN_OR_RETURN(expansion_, ctx_.transaction->expand(vertices_, spec_));
        }
    }

  private:
    /// Fills parents_ with the next frontier: as many as are asked for, since the first results of
    /// a stream are to leave early, but no tiny batches.
    Result<Pull> next_frontier(std::size_t max) {
        parents_.clear();
        vertices_.clear();
        HOB_ASSIGN_OR_RETURN(const Pull state,
                             gather(*input_, parents_,
                                    std::min(std::clamp(max, kBatchFirst, kBatchMax), batch_max_)));
        merge_bulks(ctx_, parents_);
        std::erase_if(parents_, [this](const Traverser& t) { return scope_.is_done(t.slot); });
        for (const Traverser& t : parents_) {
            if (t.value.kind() != Kind::kVertex) {
                return Error::execution("{}() needs a vertex, found {} ({})", name(),
                                        to_text(t.value), type_name(t.value));
            }
            vertices_.push_back(t.value);
        }
        HOB_TRY(count_frontier());
        return state;
    }

    Status count_frontier() {
        for (const Value& vertex : vertices_)
            seen_.insert(hash_of(vertex));
        if (seen_.size() <= ctx_.limits.max_frontier) return {};
        if (ctx_.limits.sample) {
            ctx_.cut(name(), "maxFrontier", static_cast<std::int64_t>(vertices_.size()));
            vertices_.clear();
            parents_.clear();
            return {};
        }
        return Error::make(
            Code::kLimit,
            "{}() would read more than {} distinct vertices, its budget maxFrontier; narrow the "
            "traversal, raise the "
            "budget with g.with('maxFrontier', n), or take a sample with g.with('onCap', 'sample')",
            name(), ctx_.limits.max_frontier);
    }

    /// The conditions that the look-up's filters have put off: the records came with the edges.
    Status test_parents() {
        if (!spec_.records || !keep_.empty()) return {};
        keep_.assign(parents_.size(), 1);
        for (LookUp::Tests* tests : look_up_->tests)
            HOB_TRY(tests->test(parents_, keep_));
        return {};
    }

    void give(Batch& out) {
        for (graph::Incident& incident : incidents_) {
            if (!keep_.empty() && keep_[incident.input] == 0) continue;
            if (sample_max_ != 0 && is_beyond_sample(incident.input)) continue;
            const Traverser& parent = parents_[incident.input];
            if (spec_.edges) mark_origin(parent, incident.value);
            out.push_back(ctx_.split(parent, std::move(incident.value)));
        }
    }

    /// Counts what each vertex gave; the vertices that have more are reported, not silently cut.
    bool is_beyond_sample(std::uint32_t input) {
        if (input != sampled_input_) {
            sampled_input_ = input;
            sampled_ = 0;
        }
        if (++sampled_ <= sample_max_) return false;
        ctx_.cut(name(), "maxPerVertex", 1);
        return true;
    }

    void mark_origin(const Traverser& parent, Value& edge) const {
        const bool from_out = spec_.direction == Direction::kOut ||
                              (spec_.direction == Direction::kBoth &&
                               identical(edge.as<EdgeObject>().out, parent.value));
        edge.set_edge_origin(from_out ? 1 : 2);
    }

    graph::ExpandSpec spec_;
    std::shared_ptr<LookUp> look_up_;
    Batch parents_;
    std::vector<std::uint8_t> keep_;  ///< Of the parents; empty: all.
    std::vector<Value> vertices_;
    std::vector<graph::Incident> incidents_;
    std::unique_ptr<graph::Expansion> expansion_;
    std::uint32_t sample_max_ = 0;  ///< onCap=sample: no vertex gives more; 0: all.
    std::uint32_t sampled_input_ = UINT32_MAX;
    std::uint32_t sampled_ = 0;  ///< By the vertex that gives at the moment.
    absl::flat_hash_set<std::size_t> seen_;
};

Result<std::vector<std::string>> labels_of(const Node& node, std::size_t from) {
    std::vector<std::string> labels;
    for (std::size_t i = from; i < node.args.size(); ++i) {
        const Value& arg = node.args[i];
        if (arg.is_null()) continue;
        if (!arg.is_string()) return bad_argument(node, i, "an edge label (string)");
        labels.emplace_back(arg.text());
    }
    return labels;
}

Result<Op*> make_expand(Compiler& compiler, const Node& node, Op* input, Direction direction,
                        bool edges, std::size_t first_label) {
    graph::ExpandSpec spec;
    spec.direction = direction;
    spec.edges = edges;
    spec.edge_properties = edges && node.edge_properties;
    spec.per_vertex_max = node.per_vertex_max;
    HOB_ASSIGN_OR_RETURN(spec.labels, labels_of(node, first_label));
    // Only null labels were named: nothing can match.
    if (spec.labels.empty() && node.args.size() > first_label) spec.labels.emplace_back();
    return compiler.add<ExpandOp>(input, std::move(spec), node.look_up);
}

template <Direction direction, bool edges>
Result<Op*> make_move(Compiler& compiler, const Node& node, Op* input) {
    return make_expand(compiler, node, input, direction, edges, 0);
}

Error not_an_edge(const Node& node, const Value& value) {
    return Error::execution("{}() needs an edge, found {} ({})", node.name, to_text(value),
                            type_name(value));
}

void push_ends(QueryContext& context, const Traverser& t, Direction direction, Batch& out) {
    const auto& edge = t.value.as<EdgeObject>();
    if (direction != Direction::kIn) out.push_back(context.split(t, edge.out));
    if (direction != Direction::kOut) out.push_back(context.split(t, edge.in));
}

Result<Op*> make_edge_vertex_of(Compiler& compiler, const Node& node, Op* input,
                                Direction direction) {
    return transform(compiler, input,
                     [node, direction](QueryContext& context, Batch& in, Batch& out) -> Status {
                         for (const Traverser& t : in) {
                             if (t.value.kind() != Kind::kEdge) return not_an_edge(node, t.value);
                             push_ends(context, t, direction, out);
                         }
                         return {};
                     });
}

template <Direction direction>
Result<Op*> make_edge_vertex(Compiler& compiler, const Node& node, Op* input) {
    return make_edge_vertex_of(compiler, node, input, direction);
}

/// The end that the traverser did not come from. By the path when all of it is kept
/// (EdgeOtherVertexStep), else by how the edge was met.
Result<Value> other_end(const QueryContext& context, const Traverser& t) {
    const auto& edge = t.value.as<EdgeObject>();
    if (context.path_mode == PathMode::kFull && t.path.get() != nullptr) {
        for (const PathNode* node = t.path.get()->previous; node != nullptr;
             node = node->previous) {
            if (node->object.kind() == Kind::kVertex)
                return identical(node->object, edge.out) ? edge.in : edge.out;
        }
    }
    if (t.value.edge_origin() == 1) return edge.in;
    if (t.value.edge_origin() == 2) return edge.out;
    return Error::execution(
        "The path history of the traverser does not contain a previous vertex: {}",
        to_text(t.value));
}

Result<Op*> make_other_vertex(Compiler& compiler, const Node& node, Op* input) {
    return transform(compiler, input,
                     [node](QueryContext& context, Batch& in, Batch& out) -> Status {
                         for (const Traverser& t : in) {
                             if (t.value.kind() != Kind::kEdge) return not_an_edge(node, t.value);
                             HOB_ASSIGN_OR_RETURN(Value other, other_end(context, t));
                             out.push_back(context.split(t, std::move(other)));
                         }
                         return {};
                     });
}

Result<Direction> direction_argument(const Node& node) {
    if (node.args.empty() || !node.args[0].is_enum(EnumType::kDirection))
        return bad_argument(node, 0, "a Direction");
    return static_cast<Direction>(node.args[0].enum_ordinal());
}

Result<Op*> make_to(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(const Direction direction, direction_argument(node));
    return make_expand(compiler, node, input, direction, false, 1);
}
Result<Op*> make_to_edge(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(const Direction direction, direction_argument(node));
    return make_expand(compiler, node, input, direction, true, 1);
}
Result<Op*> make_to_vertex(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(const Direction direction, direction_argument(node));
    return make_edge_vertex_of(compiler, node, input, direction);
}

/// out().count() and its like in one: counts adjacency from keys alone, a sum for each slot. Made
/// by the planner (plan/rules.cpp).
class CountEdgesOp final : public BarrierOp {
  public:
    CountEdgesOp(QueryContext& context, Op* input, Scope& scope, graph::ExpandSpec spec)
        : BarrierOp(context, input, scope), spec_(std::move(spec)) {}

    [[nodiscard]] std::string storage_call() const override {
        return "multi-get, counted: " + adjacency_words(spec_);
    }

  protected:
    Status add(Batch& in) override {
        merge_bulks(ctx_, in);
        std::vector<Value> vertices;
        for (const Traverser& t : in) {
            if (t.value.kind() != Kind::kVertex) {
                return Error::execution("{}() needs a vertex, found {} ({})", name(),
                                        to_text(t.value), type_name(t.value));
            }
            vertices.push_back(t.value);
        }
        std::vector<std::int64_t> degrees;
        HOB_TRY(ctx_.transaction->count_edges(vertices, spec_, degrees));
        for (std::size_t i = 0; i < in.size(); ++i) {
            const Traverser& t = in[i];
            if (t.slot >= counts_.size()) counts_.resize(t.slot + 1, 0);
            std::int64_t product = 0;
            std::int64_t& count = counts_[t.slot];
            if (__builtin_mul_overflow(degrees[i], t.bulk, &product) ||
                __builtin_add_overflow(count, product, &count)) {
                return Error::execution("count(): long overflow");
            }
        }
        return {};
    }
    Result<bool> emit(Batch& out, std::size_t) override {
        counts_.resize(std::max(counts_.size(), scope_.slots()), 0);
        for (std::uint32_t slot = 0; slot < scope_.slots(); ++slot) {
            if (scope_.live[slot] != 0)
                out.push_back(ctx_.start(Value::long_(counts_[slot]), slot));
        }
        return false;
    }
    void clear() override { counts_.clear(); }

  private:
    graph::ExpandSpec spec_;
    std::vector<std::int64_t> counts_;
};

Result<Op*> make_count_edges(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(const Direction direction, direction_argument(node));
    graph::ExpandSpec spec;
    spec.direction = direction;
    HOB_ASSIGN_OR_RETURN(spec.labels, labels_of(node, 1));
    if (spec.labels.empty() && node.args.size() > 1) spec.labels.emplace_back();
    return compiler.add<CountEdgesOp>(input, std::move(spec));
}

}  // namespace

extern const StepSpec count_edges_step;
const StepSpec count_edges_step = {.name = "~countEdges",
                                   .make = make_count_edges,
                                   .barrier = true,
                                   .reducing = true,
                                   .reads = true};

#define HOB_MOVE(step, function)       \
    extern const StepSpec step##_step; \
    const StepSpec step##_step = {.name = #step, .make = function}

HOB_MOVE(out, (make_move<Direction::kOut, false>));
HOB_MOVE(in, (make_move<Direction::kIn, false>));
HOB_MOVE(both, (make_move<Direction::kBoth, false>));
HOB_MOVE(outE, (make_move<Direction::kOut, true>));
HOB_MOVE(inE, (make_move<Direction::kIn, true>));
HOB_MOVE(bothE, (make_move<Direction::kBoth, true>));
HOB_MOVE(outV, make_edge_vertex<Direction::kOut>);
HOB_MOVE(inV, make_edge_vertex<Direction::kIn>);
HOB_MOVE(bothV, make_edge_vertex<Direction::kBoth>);
HOB_MOVE(otherV, make_other_vertex);
HOB_MOVE(to, make_to);
HOB_MOVE(toE, make_to_edge);
HOB_MOVE(toV, make_to_vertex);

#undef HOB_MOVE

}  // namespace hob::gremlin
