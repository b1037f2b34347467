#include "gremlin/plan/run.h"

#include <algorithm>

#include "gremlin/language/script.h"

namespace hob::gremlin {
namespace {

Value annotation(std::uint64_t count) {
    return Value::long_(static_cast<std::int64_t>(count));
}

/// What one operator did itself: its numbers less those of its input.
Value metrics_of(const Op& op, std::int64_t total_ns) {
    auto* metrics = new MetricsObject;
    Value result = Value::adopt(Kind::kMetrics, metrics);
    const OpMetrics own = op.metrics();
    const OpMetrics below = op.input() == nullptr ? OpMetrics{} : op.input()->metrics();
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
    return result;
}

}  // namespace

Result<std::unique_ptr<Run>> Run::prepare(const Traversal& traversal, const SourceSpec& source,
                                          graph::Transaction& transaction,
                                          const config::Budgets& budgets,
                                          const store::CallContext& call, bool lazy_end) {
    std::unique_ptr<Run> run(new Run);
    QueryContext& context = run->context_;
    context.graph = source.graph.get();
    context.transaction = &transaction;
    context.call = call;
    context.read_only = source.read_only;
    context.limits = budgets;
    HOB_TRY(run->begin(traversal, lazy_end));
    return run;
}

Status Run::begin(const Traversal& traversal, bool lazy_end) {
    Traversal steps = traversal;
    if (!steps.steps.empty() && steps.steps.back().name == "explain") {
        explains_ = true;
        steps.steps.pop_back();
    }
    if (!steps.steps.empty() && steps.steps.back().name == "profile" &&
        steps.steps.back().arguments.empty()) {
        profiles_ = true;
        steps.steps.pop_back();
    }
    HOB_ASSIGN_OR_RETURN(settings_, apply_sources(steps, context_));
    const Needs needs = needs_of(steps);
    context_.path_mode = needs.path;
    context_.projection.all = needs.all_properties;
    context_.projection.keys = needs.keys;
    if (needs.sacks) context_.sack.used = true;
    context_.profiling = profiles_;
    if (needs.nested_side_effects) context_.bulk = false;
    if (explains_) text_ = print(steps);
    // A reducer of the user's may tell one batch from several.
    std::vector<std::string> seen = needs.mentioned;
    for (const auto& [name, entry] : context_.side_effects.all())
        seen.push_back(name);
    std::sort(seen.begin(), seen.end());
    planner_ = std::make_unique<Planner>(context_, std::move(seen));
    HOB_ASSIGN_OR_RETURN(last_, planner_->plan(steps, lazy_end));
    return {};
}

Status Run::next(std::size_t max, Batch& out) {
    if (profiles_) {
        if (finished_) return {};
        Batch batch;
        while (true) {
            batch.clear();
            HOB_ASSIGN_OR_RETURN(const Pull state, last_->next(batch, kBatchMax));
            if (state != Pull::kMore) break;
        }
        finished_ = true;
        out.push_back(context_.start(metrics()));
        return {};
    }
    while (!finished_ && out.empty()) {
        HOB_ASSIGN_OR_RETURN(const Pull state, last_->next(out, max));
        finished_ = state != Pull::kMore;
    }
    return {};
}

Value Run::metrics() const {
    auto* all = new TraversalMetricsObject;
    Value result = Value::adopt(Kind::kTraversalMetrics, all);
    all->duration_ns = last_->metrics().duration_ns;
    std::vector<const Op*> line;
    for (const Op* op = last_; op != nullptr; op = op->input())
        line.push_back(op);
    std::size_t number = 0;
    for (auto at = line.rbegin(); at != line.rend(); ++at) {
        Value one = metrics_of(**at, all->duration_ns);
        one.mutate<MetricsObject>().id = std::to_string(number++) + ".0.0()";
        all->metrics.push_back(std::move(one));
    }
    return result;
}

Value Run::explanation() const {
    std::string text = "Traversal Explanation\n" + text_ + "\n\n";
    std::vector<const Op*> line;
    for (const Op* op = last_; op != nullptr; op = op->input())
        line.push_back(op);
    for (auto at = line.rbegin(); at != line.rend(); ++at)
        text += fmt::format("  {}\n", (*at)->name());
    return Value::string(text);
}

}  // namespace hob::gremlin
