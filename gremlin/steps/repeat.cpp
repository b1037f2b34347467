// repeat with until, emit, times: walked wave by wave, so one loop of all traversers is one run of
// the body.
#include <algorithm>

#include "gremlin/exec/predicate.h"
#include "gremlin/language/script.h"
#include "gremlin/steps/scoping.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

/// until() or emit(): a traversal, a predicate on the value, a loop count, or always.
class LoopTest {
  public:
    static Result<LoopTest> make(Compiler& compiler, const Value& what) {
        LoopTest test;
        if (as_predicate(what) != nullptr) {
            HOB_ASSIGN_OR_RETURN(test.predicate_, Predicate::make(what));
        } else if (as_traversal(what) != nullptr) {
            HOB_ASSIGN_OR_RETURN(test.child_,
                                 FilterChild::make(compiler, what, ChildLabels::kLabel));
        }
        return test;
    }
    static LoopTest times(std::int64_t count) {
        LoopTest test;
        test.times_ = count;
        return test;
    }

    Status test(QueryContext& context, std::span<const Traverser> in, std::int64_t loops,
                std::vector<std::uint8_t>& passes) {
        if (child_) return child_->test(context, in, passes);
        passes.assign(in.size(), times_ < 0 || loops >= times_ ? 1 : 0);
        if (!predicate_) return {};
        for (std::size_t i = 0; i < in.size(); ++i) {
            HOB_ASSIGN_OR_RETURN(const bool holds, predicate_->test(in[i].value));
            passes[i] = holds ? 1 : 0;
        }
        return {};
    }

  private:
    std::optional<FilterChild> child_;
    std::optional<Predicate> predicate_;
    std::int64_t times_ = -1;
};

/// All traversers of one wave have done the same number of loops; between waves equal ones merge.
class RepeatOp final : public Op {
  public:
    struct Parts {
        Branch body;
        std::optional<LoopTest> until;
        std::optional<LoopTest> emit;
        bool until_first = false;
        bool emit_first = false;
        std::unique_ptr<std::int64_t> loops;  ///< What loops() inside reads.
    };
    RepeatOp(QueryContext& context, Op* input, Scope& scope, Parts parts)
        : Op(context, input, scope), parts_(std::move(parts)) {}

    void reset() override {
        Op::reset();
        wave_.clear();
        next_.clear();
        ready_.clear();
        at_ = 0;
        running_ = false;
        *parts_.loops = 0;
    }

  protected:
    Result<Pull> pull(Batch& out, std::size_t max) override {
        while (true) {
            if (at_ < ready_.size()) {
                const std::size_t end = std::min(ready_.size(), at_ + max);
                for (; at_ < end; ++at_)
                    out.push_back(std::move(ready_[at_]));
                return Pull::kMore;
            }
            ready_.clear();
            at_ = 0;
            HOB_TRY(ctx_.check());
            if (running_) {
                HOB_TRY(step_body());
                continue;
            }
            HOB_ASSIGN_OR_RETURN(const Pull state, gather(max));
            if (wave_.empty() && state != Pull::kMore) return state;
            if (wave_.empty()) continue;
            *parts_.loops = 0;
            HOB_TRY(start_wave());
        }
    }

  private:
    /// The next starts; all of them when the body must see a whole loop at once.
    Result<Pull> gather(std::size_t max) {
        wave_.clear();
        Pull state = Pull::kMore;
        const std::size_t target = parts_.body.barrier ? SIZE_MAX
                                   : batch_max_ == 1   ? 1
                                                       : std::max(max, kBatchFirst);
        while (state == Pull::kMore && wave_.size() < target) {
            HOB_TRY(ctx_.check());
            HOB_ASSIGN_OR_RETURN(state,
                                 input_->next(wave_, std::min(target - wave_.size(), kBatchMax)));
        }
        merge_bulks(ctx_, wave_);
        return state;
    }

    Status start_wave() {
        if (parts_.until_first && parts_.until) HOB_TRY(leave(wave_));
        if (parts_.emit_first && parts_.emit) HOB_TRY(emit(wave_));
        if (wave_.empty()) {
            running_ = false;
            return {};
        }
        parts_.body.tail->release(held_bytes_);
        parts_.body.scope->reset(0, false);
        parts_.body.tail->reset();
        parts_.body.head->reset();
        for (Traverser& t : wave_)
            parts_.body.head->feed(std::move(t));
        parts_.body.head->close();
        wave_.clear();
        next_.clear();
        running_ = true;
        return {};
    }

    /// Moves those that pass until() from the batch to the results.
    Status leave(Batch& batch) {
        HOB_TRY(parts_.until->test(ctx_, batch, *parts_.loops, passes_));
        std::size_t kept = 0;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            if (passes_[i] != 0) {
                ready_.push_back(std::move(batch[i]));
            } else {
                if (kept != i) batch[kept] = std::move(batch[i]);
                ++kept;
            }
        }
        batch.erase(batch.begin() + static_cast<std::ptrdiff_t>(kept), batch.end());
        return {};
    }

    Status emit(const Batch& batch) {
        HOB_TRY(parts_.emit->test(ctx_, batch, *parts_.loops, passes_));
        for (std::size_t i = 0; i < batch.size(); ++i) {
            if (passes_[i] != 0) ready_.push_back(batch[i]);
        }
        return {};
    }

    Status step_body() {
        Batch results;
        HOB_ASSIGN_OR_RETURN(const Pull state,
                             parts_.body.tail->next_counted(results, kBatchMax, held_bytes_));
        if (!results.empty()) {
            ++*parts_.loops;
            if (!parts_.until_first && parts_.until) HOB_TRY(leave(results));
            if (!parts_.emit_first && parts_.emit) HOB_TRY(emit(results));
            --*parts_.loops;
            std::move(results.begin(), results.end(), std::back_inserter(next_));
            if (next_.size() >= merge_at_) {
                merge_bulks(ctx_, next_);
                merge_at_ = std::max(kMergeFirst, next_.size() * 2);
                // Bounded: what a loop may leave for the next one counts as held memory.
                if (next_.size() * sizeof(Traverser) > ctx_.limits.max_memory_bytes) {
                    return ctx_.hold(next_.size() * sizeof(Traverser), "repeat");
                }
            }
        }
        if (state == Pull::kMore) return {};
        merge_bulks(ctx_, next_);
        std::swap(wave_, next_);
        next_.clear();
        merge_at_ = kMergeFirst;
        running_ = false;
        if (wave_.empty()) return {};
        ++*parts_.loops;
        return start_wave();
    }

    static constexpr std::size_t kMergeFirst = 4096;
    Parts parts_;
    Batch wave_;
    Batch next_;
    Batch ready_;
    std::size_t at_ = 0;
    std::size_t merge_at_ = kMergeFirst;
    bool running_ = false;
    std::uint64_t held_bytes_ = 0;  ///< By the body in this loop.
    std::vector<std::uint8_t> passes_;
};

/// What TinkerPop's StandardVerificationStrategy forbids right inside repeat().
Status check_body(const Traversal& body) {
    for (const Instruction& step : body.steps) {
        if (step.name == "inject")
            return Error::execution("The parent of inject()-step can not be repeat()-step: {}",
                                    print(body, ""));
        const StepSpec* spec = find_step(step.name);
        const bool side_effect = !step.arguments.empty() && step.name.starts_with("group");
        const bool local = !step.arguments.empty() && step.arguments[0].is_enum(EnumType::kScope);
        if (spec != nullptr && spec->reducing && !side_effect && !local) {
            return Error::execution(
                "The parent of a reducing barrier can not be repeat()-step: {}()", step.name);
        }
    }
    return {};
}

Result<Op*> make_repeat(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.empty())
        return Error::execution("The repeat()-traversal was not defined: {}", node.name);
    if (const TraversalObject* body = as_traversal(node.args.back()))
        HOB_TRY(check_body(body->traversal));
    RepeatOp::Parts parts;
    parts.loops = std::make_unique<std::int64_t>(0);
    parts.until_first = node.until_first;
    parts.emit_first = node.emit_first;
    LoopScope loop;
    if (node.args.size() == 2) {
        HOB_ASSIGN_OR_RETURN(loop.name, string_argument(node, 0, "a loop's name (string)"));
    }
    loop.loops = parts.loops.get();
    compiler.loops().push_back(loop);
    auto body = compiler.branch(node.args.back());
    if (body.ok() && node.until) {
        auto test = LoopTest::make(compiler, *node.until);
        if (!test.ok()) return std::move(test.error());
        parts.until = std::move(*test);
    }
    if (body.ok() && node.emit) {
        auto test = LoopTest::make(compiler, *node.emit);
        if (!test.ok()) return std::move(test.error());
        parts.emit = std::move(*test);
    }
    compiler.loops().pop_back();
    if (!body.ok()) return std::move(body.error());
    parts.body = std::move(*body);
    if (node.times) {
        const auto times = to_int64(*node.times);
        if (!times)
            return Error::invalid("times() takes a count (int), found {}", to_text(*node.times));
        parts.until = LoopTest::times(*times);
    }
    return compiler.add<RepeatOp>(input, std::move(parts));
}

}  // namespace

extern const StepSpec repeat_step;
const StepSpec repeat_step = {.name = "repeat", .modulators = kRepeat, .make = make_repeat};

}  // namespace hob::gremlin
