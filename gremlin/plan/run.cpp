#include "gremlin/plan/run.h"

#include <algorithm>

#include "gremlin/language/script.h"
#include "gremlin/plan/explain.h"
#include "gremlin/plan/strategies.h"

namespace hob::gremlin {

Result<std::unique_ptr<Run>> Run::prepare(const Traversal& traversal, const SourceSpec& source,
                                          graph::Transaction& transaction,
                                          const config::Budgets& budgets,
                                          const store::CallContext& call, bool lazy_end,
                                          bool want_properties) {
    std::unique_ptr<Run> run(new Run);
    QueryContext& context = run->context_;
    context.graph = source.graph.get();
    context.transaction = &transaction;
    context.call = call;
    context.read_only = source.read_only;
    context.io_folder = source.io_folder;
    context.limits = budgets;
    HOB_TRY(run->begin(traversal, lazy_end, want_properties));
    return run;
}

Status Run::begin(const Traversal& traversal, bool lazy_end, bool want_properties) {
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
    if (explains_) text_ = print(steps);
    HOB_TRY(apply_strategies(steps, context_));
    HOB_ASSIGN_OR_RETURN(const auto computer, computer_of(steps));
    if (computer) {
        computer_ = make_computer_view(*context_.transaction, *computer);
        context_.transaction = computer_.get();
    }
    if (explains_) rewritten_ = print(steps);
    Needs needs = needs_of(steps);
    context_.path_mode = needs.path;
    context_.projection.all = needs.all_properties;
    context_.projection.keys = needs.keys;
    context_.whole_results = want_properties && needs.passes_elements;
    if (needs.sacks) context_.sack.used = true;
    context_.profiling = profiles_;
    if (needs.nested_side_effects) context_.bulk = false;
    switch_off_rules();
    // A reducer of the user's may tell one batch from several.
    std::vector<std::string> seen = std::move(needs.mentioned);
    for (const auto& [name, entry] : context_.side_effects.all())
        seen.push_back(name);
    std::sort(seen.begin(), seen.end());
    planner_ = std::make_unique<Planner>(context_, std::move(seen), explains_);
    HOB_ASSIGN_OR_RETURN(last_, planner_->plan(steps, lazy_end));
    return {};
}

/// The rules that concern the whole query; the others are the planner's (rules.h).
void Run::switch_off_rules() {
    if (!context_.applies("projection")) context_.projection.all = true;
    if (!context_.applies("paths") && context_.path_mode == PathMode::kLabels)
        context_.path_mode = PathMode::kFull;
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
        out.push_back(context_.start(metrics_of_plan(*last_)));
        return {};
    }
    while (!finished_ && out.empty()) {
        HOB_ASSIGN_OR_RETURN(const Pull state, last_->next(out, max));
        finished_ = state != Pull::kMore;
    }
    return {};
}

Value Run::explanation() const {
    return Value::string(explain_plan(*last_, text_, rewritten_));
}

}  // namespace hob::gremlin
