#include "gremlin/plan/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "gremlin/plan/nodes.h"

namespace hob::gremlin {
namespace {

/// The operators of a pipeline in the order of its steps; the source that feeds a child is left
/// out.
std::vector<const Op*> line_of(const Op& last) {
    std::vector<const Op*> line;
    for (const Op* op = &last; op != nullptr; op = op->input()) {
        if (dynamic_cast<const SourceOp*>(op) == nullptr) line.push_back(op);
    }
    std::reverse(line.begin(), line.end());
    return line;
}

Value annotation(std::uint64_t count) {
    return Value::long_(static_cast<std::int64_t>(count));
}

Value metrics_of(const Op& op, const std::string& id, std::int64_t total_ns);

/// The rows of all children of a step, one after the other.
std::vector<Value> nested_metrics(const Op& op, const std::string& id, std::int64_t total_ns) {
    std::vector<Value> rows;
    for (std::size_t child = 0; child < op.children().size(); ++child) {
        std::size_t number = 0;
        for (const Op* inner : line_of(*op.children()[child])) {
            rows.push_back(
                metrics_of(*inner, fmt::format("{}.{}.0({})", number++, child, id), total_ns));
        }
    }
    return rows;
}

/// What one operator did itself: its numbers less those of its input.
Value metrics_of(const Op& op, const std::string& id, std::int64_t total_ns) {
    auto* metrics = new MetricsObject;
    Value result = Value::adopt(Kind::kMetrics, metrics);
    const OpMetrics own = op.metrics();
    const OpMetrics below = op.input() == nullptr ? OpMetrics{} : op.input()->metrics();
    metrics->id = id;
    metrics->name = op.name();
    metrics->duration_ns = own.duration_ns - below.duration_ns;
    metrics->counts.emplace_back("traverserCount", own.traversers);
    metrics->counts.emplace_back("elementCount", own.bulk);
    const store::CallStats storage = own.storage - below.storage;
    metrics->annotations.emplace_back(
        "percentDur",
        Value::double_(total_ns == 0 ? 0.0
                                     : 100.0 * static_cast<double>(metrics->duration_ns) /
                                           static_cast<double>(total_ns)));
    metrics->annotations.emplace_back("multiGets", annotation(storage.multi_gets));
    metrics->annotations.emplace_back("scans", annotation(storage.scans));
    metrics->annotations.emplace_back("rows", annotation(storage.rows));
    metrics->annotations.emplace_back("cells", annotation(storage.cells));
    metrics->annotations.emplace_back("bytes", annotation(storage.bytes));
    metrics->annotations.emplace_back("cacheHits", annotation(storage.cache_hits));
    metrics->nested = nested_metrics(op, id, total_ns);
    return result;
}

void explain_line(const Op& last, std::size_t depth, std::string& out) {
    constexpr std::size_t kStepWidth = 32;
    for (const Op* op : line_of(last)) {
        const std::string step = std::string(depth * 2, ' ') + op->name();
        out += op->storage_note().empty()
                   ? fmt::format("  {}\n", step)
                   : fmt::format("  {:<{}} {}\n", step, kStepWidth, op->storage_note());
        for (const Op* child : op->children())
            explain_line(*child, depth + 1, out);
    }
}

/// What records of vertices are read with.
std::string projection_words(const graph::Projection& projection) {
    if (projection.all) return "labels and all properties";
    if (projection.keys.empty()) return "labels";
    return fmt::format("labels and properties [{}]", fmt::join(projection.keys, ", "));
}

bool reads_by_key(const Node& node) {
    return std::any_of(node.bys.begin(), node.bys.end(), [](const std::vector<Value>& by) {
        if (by.empty()) return false;
        const bool is_id = by[0].is_enum(EnumType::kT) &&
                           by[0].enum_ordinal() == static_cast<std::uint8_t>(T::kId);
        return by[0].is_string() || (by[0].is_enum(EnumType::kT) && !is_id);
    });
}

}  // namespace

std::string storage_note(const QueryContext& context, const StepSpec& spec, const Node& node,
                         const Op& op) {
    std::string note = op.storage_call();
    if (note.empty() && (spec.reads || reads_by_key(node))) {
        const bool all =
            is_any(node.name, {"valueMap", "propertyMap", "elementMap", "values", "properties"}) &&
            node.args.empty();
        note = "multi-get: " +
               (all ? "labels and all properties" : projection_words(context.projection)) +
               " of vertices not read before";
    }
    if (spec.writes)
        note += note.empty() ? "write: kept until commit" : "; write: kept until commit";
    return note;
}

std::string explain_plan(const Op& last, const std::string& original,
                         const std::string& rewritten) {
    std::string text = "Traversal Explanation\n\nOriginal Traversal\n  " + original + "\n";
    if (rewritten != original) text += "Behind its strategies\n  " + rewritten + "\n";
    text += "\nPlan: a step a line, and what it asks of the store for each batch (at most " +
            std::to_string(kBatchMax) + " vertices a multi-get)\n";
    explain_line(last, 0, text);
    return text;
}

Value metrics_of_plan(const Op& last) {
    auto* all = new TraversalMetricsObject;
    Value result = Value::adopt(Kind::kTraversalMetrics, all);
    all->duration_ns = last.metrics().duration_ns;
    std::size_t number = 0;
    for (const Op* op : line_of(last))
        all->metrics.push_back(
            metrics_of(*op, std::to_string(number++) + ".0.0()", all->duration_ns));
    return result;
}

}  // namespace hob::gremlin
