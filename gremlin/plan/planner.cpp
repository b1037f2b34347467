#include "gremlin/plan/planner.h"

#include "gremlin/exec/computer_view.h"
#include "gremlin/plan/explain.h"
#include "gremlin/plan/rules.h"
#include "gremlin/steps/arguments.h"

namespace hob::gremlin {

Result<Op*> Planner::plan(const Traversal& traversal, bool lazy_end) {
    root_.reset(1, true);
    root_.fixed = true;
    scope_ = &root_;
    lazy_end_ = lazy_end;
    return chain(traversal, nullptr, false);
}

/// Visible laziness (DESIGN.md section 3): between a step whose doings can be seen and a step that
/// may stop early, traversers go one by one.
void Planner::mark_laziness(const std::vector<Node>& nodes, std::vector<std::uint8_t>& lazy) const {
    lazy.assign(nodes.size(), 0);
    bool stopped = depth_ == 1 && lazy_end_;
    std::size_t end = nodes.size();
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const StepSpec* spec = find_step(nodes[i].name);
        if (spec != nullptr && spec->stops) {
            if (!stopped) end = i + 1;
            stopped = true;
        } else if (spec != nullptr && spec->barrier) {
            stopped = false;
        } else if (stopped && contains_visible(nodes[i])) {
            for (std::size_t k = 0; k < end; ++k)
                lazy[k] = 1;
            return;
        }
    }
}

/// The step's operators, named, with what explain() and profile() show of them.
Result<Op*> Planner::make(const StepSpec& spec, const Node& node, Op* input) {
    std::vector<const Op*> outer = std::exchange(children_, {});
    const std::size_t local_before = local_children_;
    HOB_ASSIGN_OR_RETURN(Op* const op, spec.make(*this, node, input));
    op->set_children(std::exchange(children_, std::move(outer)));
    for (Op* part = op; part != nullptr && part != input; part = part->input()) {
        if (part->name().empty()) part->set_name(node.name);
    }
    op->set_name(node.name);
    if (spec.reads || local_children_ != local_before || !node.bys.empty()) op->gather_input();
    if (explains_) op->set_storage_note(storage_note(*ctx_, spec, node, *op));
    return op;
}

Result<Op*> Planner::chain(const Traversal& traversal, Op* input, bool existence) {
    constexpr std::size_t kDepthMax = 200;
    if (++depth_ > kDepthMax)
        return Error::invalid("traversals are nested more than {} deep", kDepthMax);
    HOB_ASSIGN_OR_RETURN(std::vector<Node> nodes, fold_nodes(traversal, ctx_->infix));
    apply_rules(nodes, *ctx_, existence);
    std::vector<std::uint8_t> lazy;
    mark_laziness(nodes, lazy);
    Op* last = input;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const StepSpec* spec = find_step(nodes[i].name);
        if (spec->writes && ctx_->read_only) {
            return Error::execution(
                "The provided traversal has a mutating step and thus is not read only: {}()",
                nodes[i].name);
        }
        if (spec->writes && computer_view(ctx_->transaction) != nullptr) {
            return Error::execution(
                "The following step is currently not supported on GraphComputer: {}()",
                nodes[i].name);
        }
        // Whatever does not begin by itself begins with one empty traverser (g.addV(),
        // g.union(select('x'), ...)).
        if (last == nullptr && !spec->starts) last = or_start(*this, nullptr);
        HOB_ASSIGN_OR_RETURN(Op* const op, make(*spec, nodes[i], last));
        std::vector<std::uint32_t> labels;
        for (const std::string& label : nodes[i].labels)
            labels.push_back(ctx_->labels.label(label));
        op->set_labels(ctx_->labels.set(std::move(labels)));
        // What a child does to a side effect must be seen by the next traverser's run of it.
        if (lazy[i] != 0 || writes_seen_side_effects(nodes[i], mentioned_)) op->set_batch_max(1);
        last = op;
    }
    --depth_;
    if (last == nullptr)
        return Error::invalid(
            "the traversal has no step; start it with V(), E(), addV(), inject() ...");
    return last;
}

}  // namespace hob::gremlin
