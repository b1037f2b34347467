// Branching: union choose branch (children work in the parent's slots), local map flatMap coalesce
// optional (a slot for each traverser).
#include <algorithm>

#include "gremlin/exec/predicate.h"
#include "gremlin/steps/step.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

/// Decides which branches each traverser of a batch takes.
class Router {
  public:
    virtual ~Router() = default;
    virtual Status route(QueryContext& context, std::span<const Traverser> in,
                         std::vector<std::vector<std::size_t>>& branches) = 0;
};

/// TinkerPop's BranchStep: traversers go into the branches that were picked for them. When a branch
/// holds a barrier, all go in before any comes out; else the results of one traverser stay
/// together, in the order of the branches.
class BranchOp final : public Op {
  public:
    BranchOp(QueryContext& context, Op* input, Scope& scope, std::vector<Branch> branches,
             std::unique_ptr<Router> router)
        : Op(context, input, scope), branches_(std::move(branches)), router_(std::move(router)) {
        barrier_ = std::any_of(branches_.begin(), branches_.end(),
                               [](const Branch& b) { return b.barrier; });
        reset_branches();
    }

    void reset() override {
        Op::reset();
        reset_branches();
        results_.clear();
        at_ = 0;
        closed_ = false;
        branch_ = 0;
    }

  protected:
    Result<Pull> pull(Batch& out, std::size_t max) override {
        return barrier_ ? pull_barrier(out, max) : pull_ordered(out, max);
    }

  private:
    void reset_branches() {
        for (Branch& branch : branches_) {
            branch.scope->reset(0, false);
            branch.tail->reset();
            branch.head->reset();
        }
    }

    Status feed(Batch& in) {
        HOB_TRY(router_->route(ctx_, in, routes_));
        for (std::size_t i = 0; i < in.size(); ++i) {
            for (const std::size_t branch : routes_[i])
                branches_[branch].head->feed(in[i]);
        }
        return {};
    }

    Result<Pull> pull_barrier(Batch& out, std::size_t max) {
        while (!closed_) {
            HOB_TRY(ctx_.check());
            in_.clear();
            HOB_ASSIGN_OR_RETURN(const Pull state, input_->next(in_, bounded(max)));
            HOB_TRY(feed(in_));
            if (state == Pull::kBlocked) return Pull::kBlocked;
            if (state == Pull::kDone) close();
        }
        while (branch_ < branches_.size()) {
            const std::size_t before = out.size();
            HOB_ASSIGN_OR_RETURN(const Pull state, branches_[branch_].tail->next(out, max));
            if (state != Pull::kMore) ++branch_;
            if (out.size() > before) return Pull::kMore;
        }
        return Pull::kDone;
    }

    void close() {
        closed_ = true;
        for (Branch& branch : branches_)
            branch.head->close();
    }

    Result<Pull> pull_ordered(Batch& out, std::size_t max) {
        while (true) {
            if (at_ < results_.size()) {
                const std::size_t end = std::min(results_.size(), at_ + max);
                for (; at_ < end; ++at_)
                    out.push_back(std::move(results_[at_]));
                return Pull::kMore;
            }
            if (closed_) return Pull::kDone;
            HOB_TRY(ctx_.check());
            in_.clear();
            HOB_ASSIGN_OR_RETURN(const Pull state, input_->next(in_, bounded(max)));
            // Tags number the traversers of this batch, so that their results can be put in order;
            // the outer tags come back afterwards.
            tags_.clear();
            for (std::size_t i = 0; i < in_.size(); ++i) {
                tags_.push_back(in_[i].tag);
                in_[i].tag = static_cast<std::uint32_t>(i);
            }
            HOB_TRY(feed(in_));
            if (state == Pull::kDone) close();
            HOB_TRY(drain());
            if (results_.empty() && state != Pull::kMore) return state;
        }
    }

    Status drain() {
        results_.clear();
        at_ = 0;
        for (Branch& branch : branches_) {
            while (true) {
                HOB_ASSIGN_OR_RETURN(const Pull state, branch.tail->next(results_, kBatchMax));
                if (state != Pull::kMore) break;
            }
        }
        std::stable_sort(results_.begin(), results_.end(),
                         [](const Traverser& a, const Traverser& b) { return a.tag < b.tag; });
        for (Traverser& t : results_)
            t.tag = t.tag < tags_.size() ? tags_[t.tag] : 0;
        return {};
    }

    std::vector<Branch> branches_;
    std::unique_ptr<Router> router_;
    bool barrier_ = false;
    std::vector<std::vector<std::size_t>> routes_;
    Batch in_;
    Batch results_;
    std::size_t at_ = 0;
    std::vector<std::uint32_t> tags_;
    bool closed_ = false;
    std::size_t branch_ = 0;
};

class AllBranches final : public Router {
  public:
    explicit AllBranches(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            all_.push_back(i);
    }
    Status route(QueryContext&, std::span<const Traverser> in,
                 std::vector<std::vector<std::size_t>>& branches) override {
        branches.assign(in.size(), all_);
        return {};
    }

  private:
    std::vector<std::size_t> all_;
};

/// union() as a start: each branch starts by itself.
class UnionStartOp final : public Op {
  public:
    UnionStartOp(QueryContext& context, Op* input, Scope& scope, std::vector<Branch> branches)
        : Op(context, input, scope), branches_(std::move(branches)) {}
    void reset() override {
        at_ = 0;
        for (Branch& branch : branches_)
            branch.tail->reset();
    }

  protected:
    Result<Pull> pull(Batch& out, std::size_t max) override {
        while (at_ < branches_.size()) {
            const std::size_t before = out.size();
            HOB_ASSIGN_OR_RETURN(const Pull state, branches_[at_].tail->next(out, bounded(max)));
            if (state != Pull::kMore) ++at_;
            if (out.size() > before) return Pull::kMore;
        }
        return Pull::kDone;
    }

  private:
    std::vector<Branch> branches_;
    std::size_t at_ = 0;
};

Result<Op*> make_union(Compiler& compiler, const Node& node, Op* input) {
    std::vector<Branch> branches;
    for (const Value& arg : node.args) {
        HOB_ASSIGN_OR_RETURN(Branch branch, compiler.branch(arg, input == nullptr));
        branches.push_back(std::move(branch));
    }
    if (input == nullptr) return compiler.add<UnionStartOp>(input, std::move(branches));
    auto router = std::make_unique<AllBranches>(branches.size());
    return compiler.add<BranchOp>(input, std::move(branches), std::move(router));
}

/// choose() and branch(): a choice gives a value, options say which branch it picks.
class OptionRouter final : public Router {
  public:
    struct Choice {
        enum class When : std::uint8_t { kMatches, kNone, kUnproductive, kAny };
        When when = When::kMatches;
        Predicate predicate = Predicate::equals(Value());
        std::shared_ptr<Child> test{};  ///< branch() only: a traversal over the choice's value.
        std::size_t branch = 0;
    };
    /// `choice` invalid: `test` decides by true and false. `first_only`: choose() takes one option,
    /// branch() all that match.
    OptionRouter(std::optional<By> choice, std::optional<Predicate> test, Child exists,
                 std::vector<Choice> choices, bool first_only)
        : choice_(std::move(choice)),
          test_(std::move(test)),
          exists_(std::move(exists)),
          choices_(std::move(choices)),
          first_only_(first_only) {}

    Status route(QueryContext& context, std::span<const Traverser> in,
                 std::vector<std::vector<std::size_t>>& branches) override {
        branches.assign(in.size(), {});
        std::vector<Value> values;
        std::vector<std::uint8_t> found(in.size(), 1);
        HOB_TRY(choose(context, in, values, found));
        std::vector<std::vector<std::uint8_t>> tests(choices_.size());
        for (std::size_t c = 0; c < choices_.size(); ++c) {
            if (choices_[c].test == nullptr) continue;
            Batch asked(in.begin(), in.end());
            for (std::size_t i = 0; i < in.size(); ++i)
                asked[i].value = values[i];
            HOB_TRY(choices_[c].test->exists(asked, tests[c]));
        }
        for (std::size_t i = 0; i < in.size(); ++i)
            HOB_TRY(pick(values[i], found[i] != 0, tests, i, branches[i]));
        return {};
    }

  private:
    Status choose(QueryContext& context, std::span<const Traverser> in, std::vector<Value>& values,
                  std::vector<std::uint8_t>& found) {
        if (exists_.valid()) {
            std::vector<std::uint8_t> exists;
            HOB_TRY(exists_.exists(in, exists));
            for (const std::uint8_t e : exists)
                values.push_back(Value::boolean(e != 0));
            return {};
        }
        if (test_) {
            for (const Traverser& t : in) {
                HOB_ASSIGN_OR_RETURN(const bool holds, test_->test(t.value));
                values.push_back(Value::boolean(holds));
            }
            return {};
        }
        return choice_->apply(context, in, values, found);
    }

    Status pick(const Value& value, bool productive,
                const std::vector<std::vector<std::uint8_t>>& tests, std::size_t place,
                std::vector<std::size_t>& branches) const {
        const auto add = [&](Choice::When when) {
            for (const Choice& choice : choices_) {
                if (choice.when == when && (branches.empty() || !first_only_))
                    branches.push_back(choice.branch);
            }
        };
        if (!productive) {
            add(Choice::When::kUnproductive);
        } else {
            for (std::size_t c = 0; c < choices_.size(); ++c) {
                const Choice& choice = choices_[c];
                if (choice.when != Choice::When::kMatches || (first_only_ && !branches.empty()))
                    continue;
                bool holds = false;
                if (choice.test != nullptr) {
                    holds = tests[c][place] != 0;
                } else {
                    HOB_ASSIGN_OR_RETURN(holds, choice.predicate.test(value));
                }
                if (holds) branches.push_back(choice.branch);
            }
        }
        if (branches.empty() && productive) add(Choice::When::kNone);
        for (const Choice& choice : choices_) {
            if (choice.when == Choice::When::kAny) branches.push_back(choice.branch);
        }
        return {};
    }

    std::optional<By> choice_;
    std::optional<Predicate> test_;
    Child exists_;
    std::vector<Choice> choices_;
    bool first_only_;
};

Value identity_traversal() {
    Traversal traversal;
    traversal.steps.push_back({"identity", {}, {}});
    return make_traversal(std::move(traversal));
}

/// The options of a choose() or branch() as choices and branches.
Status add_options(Compiler& compiler, const Node& node, bool is_choose,
                   std::vector<OptionRouter::Choice>& choices, std::vector<Branch>& branches) {
    bool none = false;
    bool unproductive = false;
    using When = OptionRouter::Choice::When;
    for (const Option& option : node.options) {
        OptionRouter::Choice choice;
        choice.branch = branches.size();
        if (!option.has_token) {
            choice.when = When::kAny;
        } else if (option.token.is_enum(EnumType::kPick)) {
            const auto pick = static_cast<Pick>(option.token.enum_ordinal());
            choice.when = pick == Pick::kAny    ? When::kAny
                          : pick == Pick::kNone ? When::kNone
                                                : When::kUnproductive;
        } else if (as_traversal(option.token) != nullptr) {
            if (is_choose)
                return Error::invalid(
                    "Traversal is not allowed as a Pick token for choose().option()");
            HOB_ASSIGN_OR_RETURN(Child test, compiler.child(option.token, true));
            choice.test = std::make_shared<Child>(std::move(test));
        } else {
            HOB_ASSIGN_OR_RETURN(choice.predicate, Predicate::make(option.token));
        }
        if (is_choose && choice.when == When::kAny) {
            return Error::invalid(
                "Choose step can not have an any-option as only one option per traverser is "
                "allowed");
        }
        none = none || choice.when == When::kNone;
        unproductive = unproductive || choice.when == When::kUnproductive;
        HOB_ASSIGN_OR_RETURN(Branch branch, compiler.branch(option.value));
        branches.push_back(std::move(branch));
        choices.push_back(std::move(choice));
    }
    if (!is_choose) return {};
    // What no option takes passes unchanged.
    for (const When when : {When::kNone, When::kUnproductive}) {
        if (when == When::kNone ? none : unproductive) continue;
        OptionRouter::Choice choice;
        choice.when = when;
        choice.branch = branches.size();
        HOB_ASSIGN_OR_RETURN(Branch branch, compiler.branch(identity_traversal()));
        branches.push_back(std::move(branch));
        choices.push_back(std::move(choice));
    }
    return {};
}

/// choose(test, then[, else]).
Result<Op*> make_if(Compiler& compiler, const Node& node, Op* input) {
    std::vector<Branch> branches;
    std::vector<OptionRouter::Choice> choices;
    for (std::size_t i = 1; i <= 2; ++i) {
        OptionRouter::Choice choice;
        choice.predicate = Predicate::equals(Value::boolean(i == 1));
        choice.branch = branches.size();
        HOB_ASSIGN_OR_RETURN(
            Branch branch,
            compiler.branch(i < node.args.size() ? node.args[i] : identity_traversal()));
        branches.push_back(std::move(branch));
        choices.push_back(std::move(choice));
    }
    std::optional<Predicate> test;
    Child exists;
    if (as_predicate(node.args[0]) != nullptr) {
        HOB_ASSIGN_OR_RETURN(test, Predicate::make(node.args[0]));
    } else {
        HOB_ASSIGN_OR_RETURN(exists, compiler.child(node.args[0], true));
    }
    auto router = std::make_unique<OptionRouter>(std::nullopt, std::move(test), std::move(exists),
                                                 std::move(choices), true);
    return compiler.add<BranchOp>(input, std::move(branches), std::move(router));
}

Result<Op*> make_switch(Compiler& compiler, const Node& node, Op* input, bool is_choose) {
    By choice = By::identity();
    if (!node.args.empty()) {
        HOB_ASSIGN_OR_RETURN(choice, compiler.by({node.args[0]}, node.name));
    }
    std::vector<Branch> branches;
    std::vector<OptionRouter::Choice> choices;
    HOB_TRY(add_options(compiler, node, is_choose, choices, branches));
    auto router = std::make_unique<OptionRouter>(std::move(choice), std::nullopt, Child(),
                                                 std::move(choices), is_choose);
    return compiler.add<BranchOp>(input, std::move(branches), std::move(router));
}

Result<Op*> make_choose(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.size() >= 2) return make_if(compiler, node, input);
    if (node.args.empty()) return bad_argument(node, 0, "a traversal");
    return make_switch(compiler, node, input, true);
}
Result<Op*> make_branch(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.empty()) return bad_argument(node, 0, "a traversal");
    return make_switch(compiler, node, input, false);
}

/// local() and flatMap(): all results of the child, local() with the path inside, flatMap()
/// without.
class PerTraverserOp final : public Op {
  public:
    PerTraverserOp(QueryContext& context, Op* input, Scope& scope, Child child, bool keeps_path)
        : Op(context, input, scope), child_(std::move(child)), keeps_path_(keeps_path) {}
    void reset() override {
        Op::reset();
        parents_.clear();
        running_ = false;
    }

  protected:
    Result<Pull> pull(Batch& out, std::size_t max) override {
        while (true) {
            HOB_TRY(ctx_.check());
            if (running_) {
                results_.clear();
                HOB_ASSIGN_OR_RETURN(const Pull state, child_.next(results_, max));
                running_ = state == Pull::kMore;
                for (Traverser& t : results_)
                    out.push_back(returned(t));
                if (!results_.empty()) return Pull::kMore;
                continue;
            }
            parents_.clear();
            HOB_ASSIGN_OR_RETURN(const Pull state, input_->next(parents_, bounded(max)));
            if (parents_.empty() && state != Pull::kMore) return state;
            if (parents_.empty()) continue;
            child_.start(parents_);
            running_ = true;
        }
    }

  private:
    Traverser returned(Traverser& t) {
        const Traverser& parent = parents_[t.slot];
        if (!keeps_path_) {
            Traverser result = ctx_.split(parent, std::move(t.value));
            result.bulk = parent.bulk * t.bulk;
            return result;
        }
        t.slot = parent.slot;
        t.tag = parent.tag;
        t.bulk *= parent.bulk;
        return std::move(t);
    }

    Child child_;
    bool keeps_path_;
    Batch parents_;
    Batch results_;
    bool running_ = false;
};

Result<Op*> make_per_traverser(Compiler& compiler, const Node& node, Op* input, bool keeps_path) {
    if (node.args.size() != 1) return bad_argument(node, 0, "a traversal");
    HOB_ASSIGN_OR_RETURN(Child child, compiler.child(node.args[0]));
    return compiler.add<PerTraverserOp>(input, std::move(child), keeps_path);
}
Result<Op*> make_local(Compiler& compiler, const Node& node, Op* input) {
    return make_per_traverser(compiler, node, input, true);
}
Result<Op*> make_flat_map(Compiler& compiler, const Node& node, Op* input) {
    return make_per_traverser(compiler, node, input, false);
}

Result<Op*> make_map_step(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.size() != 1) return bad_argument(node, 0, "a traversal");
    HOB_ASSIGN_OR_RETURN(Child compiled, compiler.child(node.args[0]));
    auto child = std::make_shared<Child>(std::move(compiled));
    return transform(compiler, input,
                     [child](QueryContext& context, Batch& in, Batch& out) -> Status {
                         std::vector<Value> values;
                         std::vector<std::uint8_t> found;
                         HOB_TRY(child->first(in, values, found));
                         for (std::size_t i = 0; i < in.size(); ++i) {
                             if (found[i] != 0)
                                 out.push_back(context.split(in[i], std::move(values[i])));
                         }
                         return {};
                     });
}

/// coalesce() and optional(): the first child that gives anything decides; each child runs once for
/// all that are still open.
class FirstOfOp final : public TransformOp {
  public:
    FirstOfOp(QueryContext& context, Op* input, Scope& scope, std::vector<Child> children,
              bool is_optional)
        : TransformOp(context, input, scope),
          children_(std::move(children)),
          optional_(is_optional) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        std::vector<Batch> answers(in.size());
        std::vector<std::size_t> open(in.size());
        for (std::size_t i = 0; i < open.size(); ++i)
            open[i] = i;
        for (Child& child : children_) {
            if (open.empty()) break;
            HOB_TRY(ask(child, in, open, answers));
            std::erase_if(open, [&answers](std::size_t i) { return !answers[i].empty(); });
        }
        for (std::size_t i = 0; i < in.size(); ++i) {
            for (Traverser& t : answers[i])
                out.push_back(std::move(t));
            if (answers[i].empty() && optional_) out.push_back(std::move(in[i]));
        }
        return {};
    }

  private:
    Status ask(Child& child, const Batch& in, const std::vector<std::size_t>& open,
               std::vector<Batch>& answers) {
        Batch parents;
        for (const std::size_t i : open)
            parents.push_back(in[i]);
        child.start(parents);
        Batch results;
        while (true) {
            results.clear();
            HOB_ASSIGN_OR_RETURN(const Pull state, child.next(results));
            for (Traverser& t : results) {
                const std::size_t i = open[t.slot];
                if (optional_) {
                    t.slot = in[i].slot;
                    t.tag = in[i].tag;
                    t.bulk *= in[i].bulk;
                    answers[i].push_back(std::move(t));
                } else {
                    Traverser moved = ctx_.split(in[i], std::move(t.value));
                    moved.bulk = in[i].bulk * t.bulk;
                    answers[i].push_back(std::move(moved));
                }
            }
            if (state != Pull::kMore) return {};
        }
    }

    std::vector<Child> children_;
    bool optional_;
};

Result<Op*> make_first_of(Compiler& compiler, const Node& node, Op* input, bool is_optional) {
    std::vector<Child> children;
    for (const Value& arg : node.args) {
        HOB_ASSIGN_OR_RETURN(Child child, compiler.child(arg));
        children.push_back(std::move(child));
    }
    return compiler.add<FirstOfOp>(input, std::move(children), is_optional);
}
Result<Op*> make_coalesce(Compiler& compiler, const Node& node, Op* input) {
    return make_first_of(compiler, node, input, false);
}
Result<Op*> make_optional(Compiler& compiler, const Node& node, Op* input) {
    return make_first_of(compiler, node, input, true);
}

}  // namespace

extern const StepSpec union_step;
const StepSpec union_step = {.name = "union", .make = make_union, .starts = true};
extern const StepSpec choose_step;
const StepSpec choose_step = {.name = "choose", .modulators = kOption, .make = make_choose};
extern const StepSpec branch_step;
const StepSpec branch_step = {.name = "branch", .modulators = kOption, .make = make_branch};
extern const StepSpec local_step;
const StepSpec local_step = {.name = "local", .make = make_local};
extern const StepSpec flatMap_step;
const StepSpec flatMap_step = {.name = "flatMap", .make = make_flat_map};
extern const StepSpec map_step;
const StepSpec map_step = {.name = "map", .make = make_map_step};
extern const StepSpec coalesce_step;
const StepSpec coalesce_step = {.name = "coalesce", .make = make_coalesce};
extern const StepSpec optional_step;
const StepSpec optional_step = {.name = "optional", .make = make_optional};

}  // namespace hob::gremlin
