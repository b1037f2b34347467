// shortestPath(): all shortest paths from the vertices that come in.
#include <algorithm>
#include <limits>
#include <queue>

#include "gremlin/steps/snapshot.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

constexpr double kUnreached = std::numeric_limits<double>::infinity();

/// Edges count 1 each, or as the distance says.
struct PathOptions {
    bool include_edges = false;
    double distance_max = kUnreached;
};

/// A snapshot with lengths of edges.
struct Weighed {
    Snapshot graph;
    std::vector<double> lengths;  ///< Beside `graph.targets`; empty when edges count 1.
    [[nodiscard]] double length(std::uint64_t edge) const {
        return lengths.empty() ? 1.0 : lengths[edge];
    }
};

/// The shortest paths from one vertex: distances first (Dijkstra), then for each target every way
/// back along edges that are on a shortest path.
class Search {
  public:
    Search(const Weighed& weighed, const PathOptions& options)
        : weighed_(weighed), options_(options) {}

    Status from(const QueryContext& context, std::uint32_t source) {
        source_ = source;
        const Snapshot& graph = weighed_.graph;
        distances_.assign(graph.size(), kUnreached);
        before_.assign(graph.size(), {});
        distances_[source] = 0;
        using Entry = std::pair<double, std::uint32_t>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
        open.emplace(0.0, source);
        for (std::size_t steps = 0; !open.empty(); ++steps) {
            if (steps % kBatchMax == 0) HOB_TRY(context.check());
            const auto [distance, v] = open.top();
            open.pop();
            if (distance > distances_[v]) continue;
            for (std::uint64_t e = graph.begins[v]; e < graph.begins[v + 1]; ++e) {
                const std::uint32_t to = graph.targets[e];
                const double length = distance + weighed_.length(e);
                if (to == v || length > options_.distance_max || length > distances_[to]) continue;
                if (length < distances_[to]) {
                    distances_[to] = length;
                    before_[to].clear();
                    open.emplace(length, to);
                }
                add_before(to, v, e);
            }
        }
        return {};
    }

    [[nodiscard]] bool reaches(std::uint32_t v) const { return distances_[v] != kUnreached; }

    /// Appends the paths to `target`.
    void paths_to(std::uint32_t target, std::vector<Value>& out) {
        on_path_.assign(weighed_.graph.size(), 0);
        walk_.clear();
        walk(target, out);
    }

  private:
    struct Before {
        std::uint32_t vertex;
        std::uint64_t edge;
    };

    /// Without edges in the paths, parallel edges make one path.
    void add_before(std::uint32_t to, std::uint32_t v, std::uint64_t edge) {
        const auto same = [v](const Before& b) { return b.vertex == v; };
        auto& before = before_[to];
        if (!options_.include_edges && std::any_of(before.begin(), before.end(), same)) return;
        before.push_back({v, edge});
    }

    /// Paths never meet a vertex twice, even along edges of length 0.
    void walk(std::uint32_t v, std::vector<Value>& out) {
        walk_.push_back(weighed_.graph.vertices[v]);
        on_path_[v] = 1;
        if (v == source_) {
            give(out);
        } else {
            for (const Before& before : before_[v]) {
                if (on_path_[before.vertex] != 0) continue;
                if (options_.include_edges) walk_.push_back(weighed_.graph.edges[before.edge]);
                walk(before.vertex, out);
                if (options_.include_edges) walk_.pop_back();
            }
        }
        on_path_[v] = 0;
        walk_.pop_back();
    }

    void give(std::vector<Value>& out) const {
        auto* path = new PathObject;
        path->objects.assign(walk_.rbegin(), walk_.rend());
        path->labels.resize(walk_.size());
        out.push_back(Value::adopt(Kind::kPath, path));
    }

    const Weighed& weighed_;
    const PathOptions& options_;
    std::uint32_t source_ = 0;
    std::vector<double> distances_;
    std::vector<std::vector<Before>> before_;
    std::vector<std::uint8_t> on_path_;
    std::vector<Value> walk_;
};

class ShortestPathOp final : public BarrierOp {
  public:
    ShortestPathOp(QueryContext& context, Op* input, Scope& scope, SnapshotPlan plan,
                   PathOptions options, std::optional<Child> target, std::optional<By> distance)
        : BarrierOp(context, input, scope),
          plan_(std::move(plan)),
          options_(options),
          target_(std::move(target)),
          distance_(std::move(distance)) {}

  protected:
    Status add(Batch& in) override {
        HOB_TRY(ctx_.hold(in.size() * sizeof(Traverser), name()));
        std::move(in.begin(), in.end(), std::back_inserter(sources_));
        return {};
    }

    Status complete() override {
        HOB_ASSIGN_OR_RETURN(weighed_.graph, plan_.take(ctx_, name()));
        HOB_TRY(find_targets());
        return weigh();
    }

    /// One source at a time: what is held at once are the paths of one.
    Result<bool> emit(Batch& out, std::size_t max) override {
        const std::size_t before = out.size();
        while (at_ < sources_.size() && out.size() - before < max) {
            const Traverser& t = sources_[at_++];
            const auto source = weighed_.graph.number(t.value);
            if (!source) continue;
            Search search(weighed_, options_);
            ++computer_view(ctx_.transaction)->report().iterations;
            HOB_TRY(search.from(ctx_, *source));
            std::vector<Value> paths;
            for (const std::uint32_t target : targets_) {
                const std::size_t known = paths.size();
                if (search.reaches(target)) search.paths_to(target, paths);
                HOB_TRY(ctx_.hold((paths.size() - known) * sizeof(PathObject), name()));
            }
            for (Value& path : paths)
                out.push_back(ctx_.split(t, std::move(path)));
        }
        return at_ < sources_.size();
    }

    void clear() override {
        sources_.clear();
        targets_.clear();
        weighed_ = {};
        at_ = 0;
    }

  private:
    Status find_targets() {
        const auto& vertices = weighed_.graph.vertices;
        std::vector<std::uint8_t> passes;
        for (std::size_t begin = 0; begin < vertices.size(); begin += kBatchMax) {
            HOB_TRY(ctx_.check());
            const std::size_t count = std::min(kBatchMax, vertices.size() - begin);
            passes.assign(count, 1);
            if (target_) {
                Batch parents;
                for (std::size_t i = 0; i < count; ++i)
                    parents.push_back(ctx_.start(vertices[begin + i]));
                HOB_TRY(target_->exists(parents, passes));
            }
            for (std::size_t i = 0; i < count; ++i) {
                if (passes[i] != 0) targets_.push_back(static_cast<std::uint32_t>(begin + i));
            }
        }
        return {};
    }

    /// The lengths of all edges; 0 where the distance gives nothing, as in TinkerPop.
    Status weigh() {
        if (!distance_) return {};
        const auto& edges = weighed_.graph.edges;
        HOB_TRY(ctx_.hold(edges.size() * sizeof(double), name()));
        for (std::size_t begin = 0; begin < edges.size(); begin += kBatchMax) {
            HOB_TRY(ctx_.check());
            Batch batch;
            for (std::size_t i = begin; i < std::min(edges.size(), begin + kBatchMax); ++i)
                batch.push_back(ctx_.start(edges[i]));
            std::vector<Value> values;
            std::vector<std::uint8_t> found;
            HOB_TRY(distance_->apply(ctx_, batch, values, found));
            for (std::size_t i = 0; i < batch.size(); ++i) {
                const bool given = found[i] != 0 && !values[i].is_null();
                if (given && !values[i].is_number())
                    return Error::execution(
                        "shortestPath(): the distance of {} is {} ({}), "
                        "expected a number",
                        to_text(batch[i].value), to_text(values[i]), type_name(values[i]));
                const double length = given ? to_double(values[i]) : 0.0;
                if (!(length >= 0.0))
                    return Error::execution(
                        "shortestPath(): the distance of {} is {}; paths are "
                        "searched over distances from 0",
                        to_text(batch[i].value), to_text(values[i]));
                weighed_.lengths.push_back(length);
            }
        }
        return {};
    }

    SnapshotPlan plan_;
    PathOptions options_;
    std::optional<Child> target_;
    std::optional<By> distance_;
    Batch sources_;
    Weighed weighed_;
    std::vector<std::uint32_t> targets_;
    std::size_t at_ = 0;
};

/// edges: a traversal, or the direction of all edges.
Result<Value> path_edges(const Node& node) {
    const Value* given = program_option(node, "edges");
    if (given == nullptr || !given->is_enum(EnumType::kDirection))
        return edges_option(node, "ShortestPath", "bothE");
    Traversal edges;
    edges.steps.push_back({"toE", {*given}, node.at});
    return make_traversal(std::move(edges));
}

Result<PathOptions> path_options(const Node& node) {
    PathOptions options;
    if (const Value* edges = program_option(node, "includeEdges"); edges != nullptr) {
        if (edges->kind() != Kind::kBool)
            return Error::invalid("ShortestPath.includeEdges requires a Boolean as its argument");
        options.include_edges = edges->as_bool();
    }
    if (const Value* most = program_option(node, "maxDistance"); most != nullptr) {
        if (!most->is_number())
            return Error::invalid("ShortestPath.maxDistance requires a Number as its argument");
        options.distance_max = to_double(*most);
    }
    return options;
}

Result<Op*> make_shortest_path(Compiler& compiler, const Node& node, Op* input) {
    HOB_TRY(required_computer(compiler, node));
    HOB_ASSIGN_OR_RETURN(const Value edges, path_edges(node));
    HOB_ASSIGN_OR_RETURN(const PathOptions options, path_options(node));
    std::optional<Child> target;
    if (const Value* given = program_option(node, "target"); given != nullptr) {
        if (as_traversal(*given) == nullptr)
            return Error::invalid("ShortestPath.target requires a Traversal as its argument");
        HOB_ASSIGN_OR_RETURN(target, compiler.child(*given, true));
    }
    std::optional<By> distance;
    if (const Value* given = program_option(node, "distance"); given != nullptr) {
        if (!given->is_string() && as_traversal(*given) == nullptr)
            return Error::invalid(
                "ShortestPath.distance requires a String or a Traversal as its argument");
        HOB_ASSIGN_OR_RETURN(distance, compiler.by({*given}, node.name));
    }
    constexpr std::size_t kBytesPerVertex = 2 * sizeof(double) + 3 * sizeof(void*);
    HOB_ASSIGN_OR_RETURN(
        SnapshotPlan plan,
        SnapshotPlan::make(compiler, edges, options.include_edges || distance, kBytesPerVertex));
    return compiler.add<ShortestPathOp>(input, std::move(plan), options, std::move(target),
                                        std::move(distance));
}

}  // namespace

extern const StepSpec shortestPath_step;
const StepSpec shortestPath_step = {
    .name = "shortestPath", .modulators = kWith, .make = make_shortest_path, .barrier = true};

}  // namespace hob::gremlin
