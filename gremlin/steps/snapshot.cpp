#include "gremlin/steps/snapshot.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "gremlin/exec/elements.h"
#include "gremlin/language/script.h"
#include "storage/value/compare.h"

namespace hob::gremlin {

struct Snapshot::Index {
    absl::flat_hash_map<Value, std::uint32_t, ValueHash, ValueIdentical> numbers;
};

std::optional<std::uint32_t> Snapshot::number(const Value& vertex) const {
    const auto found = index->numbers.find(vertex);
    if (found == index->numbers.end()) return std::nullopt;
    return found->second;
}

Result<SnapshotPlan> SnapshotPlan::make(Compiler& compiler, const Value& edges, bool keep_edges,
                                        std::size_t bytes_per_vertex) {
    SnapshotPlan plan;
    plan.keep_edges_ = keep_edges;
    plan.bytes_per_vertex_ = bytes_per_vertex + 2 * sizeof(Value) + sizeof(std::uint64_t) + 16;
    HOB_ASSIGN_OR_RETURN(plan.edges_, compiler.child(edges));
    const Value& vertices = computer_view(compiler.context().transaction)->options().vertices;
    if (!vertices.is_null()) {
        HOB_ASSIGN_OR_RETURN(plan.vertices_, compiler.child(vertices, true));
    }
    return plan;
}

Result<Snapshot> SnapshotPlan::take(QueryContext& context, std::string_view step) {
    Snapshot snapshot;
    snapshot.index = std::make_shared<Snapshot::Index>();
    HOB_TRY(read_vertices(context, step, snapshot));
    HOB_TRY(check_estimate(context, step, snapshot));
    HOB_TRY(read_edges(context, snapshot));
    HOB_TRY(context.hold(
        snapshot.targets.size() * (sizeof(std::uint32_t) + (keep_edges_ ? sizeof(Value) : 0)),
        step));
    ComputerReport& report = computer_view(context.transaction)->report();
    ++report.programs;
    report.vertices = std::max(report.vertices, static_cast<std::int64_t>(snapshot.size()));
    report.edges = std::max(report.edges, static_cast<std::int64_t>(snapshot.targets.size()));
    report.bytes = std::max(report.bytes, static_cast<std::int64_t>(context.memory_bytes));
    return snapshot;
}

Status SnapshotPlan::read_vertices(QueryContext& context, std::string_view step,
                                   Snapshot& snapshot) {
    HOB_ASSIGN_OR_RETURN(const auto scan, context.transaction->scan_vertices({}, {}));
    std::vector<std::uint8_t> passes;
    return visit_batches(context, *scan, [&](std::vector<Value>& batch) -> Status {
        HOB_TRY(context.hold(batch.size() * bytes_per_vertex_, step));
        passes.assign(batch.size(), 1);
        if (vertices_) {
            Batch parents;
            for (const Value& vertex : batch)
                parents.push_back(context.start(vertex));
            HOB_TRY(vertices_->exists(parents, passes));
        }
        for (std::size_t i = 0; i < batch.size(); ++i) {
            if (passes[i] == 0) continue;
            snapshot.index->numbers.emplace(batch[i],
                                            static_cast<std::uint32_t>(snapshot.vertices.size()));
            snapshot.vertices.push_back(std::move(batch[i]));
        }
        return {};
    });
}

/// Edges are counted from keys alone, in both directions: the most that a program sends along.
Status SnapshotPlan::check_estimate(QueryContext& context, std::string_view step,
                                    const Snapshot& snapshot) {
    std::uint64_t edges = 0;
    std::vector<std::int64_t> counts;
    for (std::size_t begin = 0; begin < snapshot.size(); begin += kBatchMax) {
        HOB_TRY(context.check());
        const std::size_t count = std::min(kBatchMax, snapshot.size() - begin);
        HOB_TRY(context.transaction->count_edges(std::span(snapshot.vertices).subspan(begin, count),
                                                 {.direction = Direction::kBoth}, counts));
        for (const std::int64_t one : counts)
            edges += static_cast<std::uint64_t>(one);
    }
    const std::uint64_t estimate =
        context.memory_bytes + edges * (sizeof(std::uint32_t) + (keep_edges_ ? sizeof(Value) : 0));
    if (estimate <= context.limits.max_memory_bytes) return {};
    return Error::make(Code::kLimit,
                       "{}() would need about {} bytes for {} vertices and {} edge ends, the "
                       "budget maxMemory is {}; narrow withComputer()'s vertices or raise it with "
                       "g.with('maxMemory', n)",
                       step, estimate, snapshot.size(), edges, context.limits.max_memory_bytes);
}

Status SnapshotPlan::read_edges(QueryContext& context, Snapshot& snapshot) {
    struct Sent {
        std::uint32_t from;
        std::uint32_t to;
        Value edge;
    };
    snapshot.begins.assign(1, 0);
    Batch results;
    std::vector<Sent> sent;
    for (std::size_t begin = 0; begin < snapshot.size(); begin += kBatchMax) {
        HOB_TRY(context.check());
        const std::size_t count = std::min(kBatchMax, snapshot.size() - begin);
        Batch parents;
        for (std::size_t i = 0; i < count; ++i)
            parents.push_back(context.start(snapshot.vertices[begin + i]));
        edges_.start(parents);
        results.clear();
        HOB_TRY(edges_.drain(results));
        sent.clear();
        for (Traverser& t : results) {
            if (t.value.kind() != Kind::kEdge)
                return Error::execution("the traversal of edges must give edges, found {} ({})",
                                        to_text(t.value), type_name(t.value));
            const auto& edge = t.value.as<EdgeObject>();
            const bool out = identical(edge.out, snapshot.vertices[begin + t.slot]);
            const auto to = snapshot.number(out ? edge.in : edge.out);
            if (!to) continue;
            for (std::int64_t i = 0; i < t.bulk; ++i)
                sent.push_back({t.slot, *to, keep_edges_ ? t.value : Value()});
        }
        std::stable_sort(sent.begin(), sent.end(),
                         [](const Sent& a, const Sent& b) { return a.from < b.from; });
        std::size_t at = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            for (; at < sent.size() && sent[at].from == i; ++at) {
                snapshot.targets.push_back(sent[at].to);
                if (keep_edges_) snapshot.edges.push_back(std::move(sent[at].edge));
            }
            snapshot.begins.push_back(snapshot.targets.size());
        }
    }
    return {};
}

const Value* program_option(const Node& node, std::string_view option) {
    const std::string name = fmt::format("~tinkerpop.{}.{}", node.name, option);
    const Value* found = nullptr;
    for (const auto& [key, value] : node.withs) {
        if (key.is_string() && key.text() == name) found = &value;
    }
    return found;
}

Result<Value> edges_option(const Node& node, std::string_view owner, std::string_view otherwise) {
    const Value* given = program_option(node, "edges");
    if (given == nullptr) {
        Traversal edges;
        edges.steps.push_back({std::string(otherwise), {}, node.at});
        return make_traversal(std::move(edges));
    }
    if (as_traversal(*given) == nullptr)
        return Error::invalid("{}.edges requires a Traversal as its argument", owner);
    return *given;
}

Result<std::string> name_option(const Node& node, std::string_view owner,
                                std::string_view otherwise) {
    const Value* given = program_option(node, "propertyName");
    if (given == nullptr) return std::string(otherwise);
    if (!given->is_string())
        return Error::invalid("{}.propertyName requires a String as its argument", owner);
    return std::string(given->text());
}

Result<std::int64_t> times_option(const Node& node, std::string_view owner,
                                  std::int64_t otherwise) {
    const Value* given = program_option(node, "times");
    if (given == nullptr) return otherwise;
    constexpr std::int64_t kTimesMax = 10'000;
    const auto times = to_int64(*given);
    if (!given->is_number() || !times || *times < 0 || *times > kTimesMax) {
        return Error::invalid("{}.times requires an Integer as its argument, from 0 to {}", owner,
                              kTimesMax);
    }
    return *times;
}

Result<ComputerView*> required_computer(Compiler& compiler, const Node& node) {
    if (ComputerView* view = computer_view(compiler.context().transaction)) return view;
    return Error::execution(
        "VertexComputing steps must be executed with a GraphComputer: [{}]; begin with "
        "g.withComputer()",
        node.name);
}

bool follows_traversal(const Op* input) {
    for (; input != nullptr; input = input->input()) {
        const std::string& name = input->name();
        if (name != "V" && name != "E" && name != "pageRank" && name != "peerPressure" &&
            name != "connectedComponent")
            return true;
    }
    return false;
}

}  // namespace hob::gremlin
