// Vertex programs over a snapshot: pageRank peerPressure connectedComponent. What they compute are
// properties of the query's view of the graph (exec/computer_view.h).
#include <algorithm>
#include <cmath>
#include <limits>

#include "gremlin/steps/snapshot.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

/// What a program starts from, and how it ends.
struct ProgramInput {
    const Snapshot& graph;
    /// How many traversers stand on each vertex, when a traversal ran before; else empty.
    std::vector<double> weights;
};

/// One computation: its value for each vertex. `iterations` counts the rounds.
class Program {
  public:
    virtual ~Program() = default;
    virtual Status run(const QueryContext& context, const ProgramInput& input,
                       std::vector<Value>& values, std::int64_t& iterations) = 0;
    [[nodiscard]] virtual std::size_t bytes_per_vertex() const = 0;
};

/// PageRank as TinkerPop's PageRankVertexProgram computes it: what dead ends and the damping take
/// away is spread over all vertices in the next round.
class PageRank final : public Program {
  public:
    PageRank(double alpha, std::int64_t times) : alpha_(alpha), times_(times) {}
    [[nodiscard]] std::size_t bytes_per_vertex() const override { return 3 * sizeof(double); }

    Status run(const QueryContext& context, const ProgramInput& input, std::vector<Value>& values,
               std::int64_t& iterations) override {
        const std::size_t count = input.graph.size();
        ranks_.assign(count, 0.0);
        received_ = input.weights.empty() ? std::vector<double>(count, 0.0) : input.weights;
        spread_ = input.weights.empty() ? 1.0 : 0.0;
        for (std::int64_t round = 0; round <= times_; ++round) {
            HOB_TRY(context.check());
            ++iterations;
            constexpr double kEpsilon = 0.00001;
            if (one_round(input.graph) < kEpsilon) break;
        }
        for (const double rank : ranks_)
            values.push_back(Value::double_(rank));
        return {};
    }

  private:
    /// Gives how much the ranks changed.
    double one_round(const Snapshot& graph) {
        std::vector<double> sent(graph.size(), 0.0);
        const double share = spread_ > 0.0 ? spread_ / static_cast<double>(graph.size()) : 0.0;
        double change = 0.0;
        double kept = spread_;
        for (std::size_t v = 0; v < graph.size(); ++v) {
            const double rank = received_[v] + share;
            kept -= share;
            change += std::abs(rank - ranks_[v]);
            ranks_[v] = rank;
            kept += (1.0 - alpha_) * rank;
            const std::uint64_t degree = graph.degree(v);
            if (degree == 0) {
                kept += alpha_ * rank;
                continue;
            }
            const double message = alpha_ * rank / static_cast<double>(degree);
            for (std::uint64_t e = graph.begins[v]; e < graph.begins[v + 1]; ++e)
                sent[graph.targets[e]] += message;
        }
        spread_ = kept;
        received_ = std::move(sent);
        return change;
    }

    double alpha_;
    std::int64_t times_;
    std::vector<double> ranks_;
    std::vector<double> received_;
    double spread_ = 0.0;  ///< TinkerPop's teleportation energy.
};

/// Clusters by vote (PeerPressureVertexProgram): a vertex joins the cluster with the most votes,
/// the first by the text of its id among equals.
class PeerPressure final : public Program {
  public:
    explicit PeerPressure(std::int64_t times) : times_(times) {}
    [[nodiscard]] std::size_t bytes_per_vertex() const override {
        return 2 * sizeof(std::uint32_t) + sizeof(double) + sizeof(Votes);
    }

    Status run(const QueryContext& context, const ProgramInput& input, std::vector<Value>& values,
               std::int64_t& iterations) override {
        const Snapshot& graph = input.graph;
        clusters_.resize(graph.size());
        for (std::uint32_t v = 0; v < graph.size(); ++v)
            clusters_[v] = v;
        strengths_ = input.weights.empty() ? std::vector<double>(graph.size(), 1.0) : input.weights;
        for (std::int64_t round = 0; round < times_; ++round) {
            HOB_TRY(context.check());
            ++iterations;
            if (!one_round(graph)) break;
        }
        for (const std::uint32_t cluster : clusters_)
            values.push_back(graph.vertices[cluster].vertex_id());
        return {};
    }

  private:
    using Votes = std::vector<std::pair<std::uint32_t, double>>;  ///< Cluster, strength.

    bool one_round(const Snapshot& graph) {
        std::vector<Votes> votes(graph.size());
        for (std::size_t v = 0; v < graph.size(); ++v) {
            votes[v].emplace_back(clusters_[v], strengths_[v]);
            for (std::uint64_t e = graph.begins[v]; e < graph.begins[v + 1]; ++e)
                votes[graph.targets[e]].emplace_back(clusters_[v], strengths_[v]);
        }
        bool changed = false;
        for (std::uint32_t v = 0; v < graph.size(); ++v) {
            const std::uint32_t cluster = winner(graph, votes[v], v);
            changed = changed || cluster != clusters_[v];
            clusters_[v] = cluster;
        }
        return changed;
    }

    static std::uint32_t winner(const Snapshot& graph, Votes& votes, std::uint32_t otherwise) {
        std::stable_sort(votes.begin(), votes.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        double most = 0.0;
        std::uint32_t best = otherwise;
        for (std::size_t i = 0; i < votes.size();) {
            const std::uint32_t cluster = votes[i].first;
            double sum = 0.0;
            for (; i < votes.size() && votes[i].first == cluster; ++i)
                sum += votes[i].second;
            const bool first_of_equals = sum == most && most > 0.0 &&
                                         to_text(graph.vertices[cluster].vertex_id()) <
                                             to_text(graph.vertices[best].vertex_id());
            if (sum > most || first_of_equals) {
                most = sum;
                best = cluster;
            }
        }
        return best;
    }

    std::int64_t times_;
    std::vector<std::uint32_t> clusters_;  ///< Number of the vertex that names it.
    std::vector<double> strengths_;
};

/// The least id, as text, that reaches a vertex (ConnectedComponentVertexProgram).
class ConnectedComponent final : public Program {
  public:
    [[nodiscard]] std::size_t bytes_per_vertex() const override {
        return 3 * sizeof(std::uint32_t) + 2 * sizeof(Value);
    }

    Status run(const QueryContext& context, const ProgramInput& input, std::vector<Value>& values,
               std::int64_t& iterations) override {
        const Snapshot& graph = input.graph;
        std::vector<std::string> names;
        for (const Value& vertex : graph.vertices)
            names.push_back(to_text(vertex.vertex_id()));
        std::vector<std::uint32_t> components(graph.size());
        for (std::uint32_t v = 0; v < graph.size(); ++v)
            components[v] = v;
        std::vector<std::uint32_t> senders = components;
        std::vector<std::uint8_t> queued(graph.size(), 0);
        // A round lowers at least one vertex's component, so it ends.
        while (!senders.empty()) {
            HOB_TRY(context.check());
            ++iterations;
            std::vector<std::uint32_t> next;
            const std::vector<std::uint32_t> before = components;
            for (const std::uint32_t v : senders) {
                for (std::uint64_t e = graph.begins[v]; e < graph.begins[v + 1]; ++e) {
                    const std::uint32_t to = graph.targets[e];
                    if (names[before[v]] >= names[components[to]]) continue;
                    components[to] = before[v];
                    if (queued[to] == 0) next.push_back(to);
                    queued[to] = 1;
                }
            }
            for (const std::uint32_t v : next)
                queued[v] = 0;
            senders = std::move(next);
        }
        for (const std::uint32_t component : components)
            values.push_back(Value::string(names[component]));
        return {};
    }
};

/// A barrier: when all traversers are there, the program runs over the whole graph; then they go
/// on, and what they stand on has the computed property.
class ProgramOp final : public HoldingOp {
  public:
    ProgramOp(QueryContext& context, Op* input, Scope& scope, std::unique_ptr<Program> program,
              SnapshotPlan plan, std::string property)
        : HoldingOp(context, input, scope),
          program_(std::move(program)),
          plan_(std::move(plan)),
          property_(std::move(property)),
          weighs_(follows_traversal(input)) {}

  protected:
    Status add(Batch& in) override {
        HOB_TRY(ctx_.hold(in.size() * sizeof(Traverser), name()));
        keep(in);
        return {};
    }

    Status complete() override {
        HOB_ASSIGN_OR_RETURN(const Snapshot graph, plan_.take(ctx_, name()));
        ComputerView& view = *computer_view(ctx_.transaction);
        std::vector<Value> values;
        HOB_TRY(program_->run(ctx_, {graph, weights(graph)}, values, view.report().iterations));
        if (view.options().persist) HOB_TRY(persist(view.base(), graph, values));
        view.publish(property_, graph.vertices, std::move(values));
        return {};
    }

  private:
    std::vector<double> weights(const Snapshot& graph) {
        std::vector<double> result;
        if (!weighs_) return result;
        result.assign(graph.size(), 0.0);
        for (const Traverser& t : all()) {
            if (const auto vertex = graph.number(t.value))
                result[*vertex] += static_cast<double>(t.bulk);
        }
        return result;
    }

    Status persist(graph::Transaction& base, const Snapshot& graph,
                   const std::vector<Value>& values) const {
        std::vector<const VertexRecord*> records;
        for (std::size_t begin = 0; begin < graph.size(); begin += kBatchMax) {
            HOB_TRY(ctx_.check());
            const auto batch =
                std::span(graph.vertices).subspan(begin, std::min(kBatchMax, graph.size() - begin));
            // One read for the batch; each write then finds its vertex known.
            HOB_TRY(base.read_vertices(batch, graph::Projection::everything(), records));
            for (std::size_t i = 0; i < batch.size(); ++i) {
                HOB_ASSIGN_OR_RETURN(
                    const Value written,
                    base.set_vertex_property(batch[i], {.key = property_,
                                                        .value = values[begin + i],
                                                        .cardinality = Cardinality::kSingle}));
                static_cast<void>(written);
            }
        }
        return {};
    }

    std::unique_ptr<Program> program_;
    SnapshotPlan plan_;
    std::string property_;
    bool weighs_;
};

Result<Op*> make_program(Compiler& compiler, Op* input, const Value& edges, std::string property,
                         std::unique_ptr<Program> program) {
    HOB_ASSIGN_OR_RETURN(
        SnapshotPlan plan,
        SnapshotPlan::make(compiler, edges, false, program->bytes_per_vertex() + sizeof(Value)));
    return compiler.add<ProgramOp>(input, std::move(program), std::move(plan), std::move(property));
}

Result<Op*> make_page_rank(Compiler& compiler, const Node& node, Op* input) {
    HOB_TRY(required_computer(compiler, node));
    double alpha = 0.85;
    if (!node.args.empty()) {
        if (!node.args[0].is_number()) return bad_argument(node, 0, "alpha (double)");
        alpha = to_double(node.args[0]);
    }
    HOB_ASSIGN_OR_RETURN(const Value edges, edges_option(node, "PageRank", "outE"));
    HOB_ASSIGN_OR_RETURN(std::string property,
                         name_option(node, "PageRank", "gremlin.pageRankVertexProgram.pageRank"));
    HOB_ASSIGN_OR_RETURN(const std::int64_t times, times_option(node, "PageRank", 20));
    return make_program(compiler, input, edges, std::move(property),
                        std::make_unique<PageRank>(alpha, times));
}

Result<Op*> make_peer_pressure(Compiler& compiler, const Node& node, Op* input) {
    HOB_TRY(required_computer(compiler, node));
    HOB_ASSIGN_OR_RETURN(const Value edges, edges_option(node, "PeerPressure", "outE"));
    HOB_ASSIGN_OR_RETURN(
        std::string property,
        name_option(node, "PeerPressure", "gremlin.peerPressureVertexProgram.cluster"));
    HOB_ASSIGN_OR_RETURN(const std::int64_t times, times_option(node, "PeerPressure", 30));
    return make_program(compiler, input, edges, std::move(property),
                        std::make_unique<PeerPressure>(times));
}

Result<Op*> make_connected_component(Compiler& compiler, const Node& node, Op* input) {
    HOB_TRY(required_computer(compiler, node));
    HOB_ASSIGN_OR_RETURN(const Value edges, edges_option(node, "ConnectedComponent", "bothE"));
    HOB_ASSIGN_OR_RETURN(std::string property,
                         name_option(node, "ConnectedComponent",
                                     "gremlin.connectedComponentVertexProgram.component"));
    return make_program(compiler, input, edges, std::move(property),
                        std::make_unique<ConnectedComponent>());
}

}  // namespace

extern const StepSpec pageRank_step;
const StepSpec pageRank_step = {
    .name = "pageRank", .modulators = kWith, .make = make_page_rank, .barrier = true};
extern const StepSpec peerPressure_step;
const StepSpec peerPressure_step = {
    .name = "peerPressure", .modulators = kWith, .make = make_peer_pressure, .barrier = true};
extern const StepSpec connectedComponent_step;
const StepSpec connectedComponent_step = {.name = "connectedComponent",
                                          .modulators = kWith,
                                          .make = make_connected_component,
                                          .barrier = true};

}  // namespace hob::gremlin
