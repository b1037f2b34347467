// match(): patterns over labelled objects, solved for a whole batch of traversers at a time.
#include <algorithm>

#include "gremlin/steps/match_patterns.h"

namespace hob::gremlin {
namespace {

class MatchOp final : public Op {
  public:
    MatchOp(QueryContext& context, Op* input, Scope& scope, std::unique_ptr<MatchLabels> labels,
            MatchPattern pattern)
        : Op(context, input, scope), labels_(std::move(labels)), pattern_(std::move(pattern)) {}

    void reset() override {
        Op::reset();
        pattern_.matcher->clear();
        running_ = false;
        state_ = Pull::kMore;
    }

  protected:
    Result<Pull> pull(Batch& out, std::size_t max) override {
        while (true) {
            HOB_TRY(ctx_.check());
            if (running_) {
                solved_.clear();
                HOB_ASSIGN_OR_RETURN(running_, pattern_.matcher->next(solved_));
                for (const Traverser& t : solved_) {
                    out.push_back(
                        ctx_.split(t, labels_->bindings(t, pattern_.start | pattern_.end)));
                }
                if (!solved_.empty()) return Pull::kMore;
                continue;
            }
            if (state_ == Pull::kDone) return Pull::kDone;
            Batch in;
            HOB_ASSIGN_OR_RETURN(state_, input_->next(in, bounded(max)));
            if (!in.empty()) {
                HOB_TRY(begin(std::move(in)));
            } else if (state_ != Pull::kMore) {
                return state_;
            }
        }
    }

  private:
    /// A traverser that brings none of the start labels gets the computed one.
    Status begin(Batch in) {
        for (Traverser& t : in) {
            if ((labels_->bound(t) & pattern_.start) == 0) {
                labels_->put(t, computed_start(pattern_));
            }
        }
        running_ = true;
        return pattern_.matcher->start(std::move(in));
    }

    std::unique_ptr<MatchLabels> labels_;
    MatchPattern pattern_;
    Batch solved_;
    bool running_ = false;
    Pull state_ = Pull::kMore;
};

Result<Op*> make_match(Compiler& compiler, const Node& node, Op* input) {
    std::vector<Traversal> traversals;
    for (std::size_t i = 0; i < node.args.size(); ++i) {
        const TraversalObject* object = as_traversal(node.args[i]);
        if (object == nullptr) return bad_argument(node, i, "a pattern (traversal)");
        traversals.push_back(object->traversal);
    }
    if (traversals.empty()) return bad_argument(node, 0, "a pattern (traversal)");
    auto labels = std::make_unique<MatchLabels>(compiler.context());
    MatchCompiler patterns(compiler, *labels);
    HOB_ASSIGN_OR_RETURN(MatchPattern whole, patterns.connective(std::move(traversals), true));
    return compiler.add<MatchOp>(input, std::move(labels), std::move(whole));
}

}  // namespace

extern const StepSpec match_step;
const StepSpec match_step = {.name = "match", .make = make_match};

}  // namespace hob::gremlin
