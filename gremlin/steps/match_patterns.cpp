#include "gremlin/steps/match_patterns.h"

#include <algorithm>
#include <bit>

#include "gremlin/language/script.h"

namespace hob::gremlin {

// --- labels ---

Result<std::uint64_t> MatchLabels::bit(std::string_view name) {
    const std::uint32_t label = ctx_.labels.label(name);
    const auto known = std::find(labels_.begin(), labels_.end(), label);
    if (known == labels_.end()) {
        if (labels_.size() == 64) return Error::unsupported("match() can use at most 64 labels");
        labels_.push_back(label);
        return std::uint64_t{1} << (labels_.size() - 1);
    }
    return std::uint64_t{1} << (known - labels_.begin());
}

std::uint32_t MatchLabels::label_of(std::uint64_t bit) const {
    return labels_[static_cast<std::size_t>(std::countr_zero(bit))];
}

std::uint64_t MatchLabels::bound(const Traverser& t) const {
    std::uint64_t bits = 0;
    for (const PathNode* node = t.path.get(); node != nullptr; node = node->previous) {
        if (node->labels == LabelSetId::kNone) continue;
        for (std::size_t i = 0; i < labels_.size(); ++i) {
            if (ctx_.labels.contains(node->labels, labels_[i])) bits |= std::uint64_t{1} << i;
        }
    }
    return bits;
}

const Value* MatchLabels::newest(const Traverser& t, std::uint64_t bit) const {
    return ctx_.newest(t, label_of(bit));
}

Value MatchLabels::bindings(const Traverser& t, std::uint64_t bits) const {
    std::vector<std::pair<Value, Value>> entries;
    for (; bits != 0; bits &= bits - 1) {
        const std::uint32_t label = label_of(bits);
        if (const Value* value = ctx_.newest(t, label)) {
            entries.emplace_back(ctx_.labels.name(label), *value);
        }
    }
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return a.first.text() < b.first.text(); });
    Value map = make_map();
    map.mutate<MapObject>().assign(std::move(entries));
    return map;
}

void MatchLabels::put(Traverser& t, std::uint64_t bit) const {
    const LabelSetId labels = ctx_.labels.set({label_of(bit)});
    if (ctx_.path_mode == PathMode::kLabels || t.path.get() == nullptr) {
        t.path = t.path.push(t.value, labels);
    } else {
        t.path = t.path.relabel(ctx_.labels.unite(t.path.get()->labels, labels));
    }
}

namespace {

// --- one pattern ---

/// as('a') ... as('b'): from the object labelled a, through the steps, to what then is b (or must
/// be it already).
class StepsMatcher final : public Matcher {
  public:
    StepsMatcher(const MatchLabels& labels, std::uint64_t start, std::uint64_t end, Child child,
                 bool barrier)
        : labels_(labels), start_(start), end_(end), child_(std::move(child)), barrier_(barrier) {}

    Status start(Batch parents) override {
        parents_ = std::move(parents);
        Batch starts;
        starts.reserve(parents_.size());
        for (const Traverser& t : parents_) {
            const Value* value = labels_.newest(t, start_);
            if (value == nullptr)
                return Error::internal("a match() pattern began without its label");
            starts.push_back(labels_.context().split(t, *value));
        }
        child_.start(starts);
        return {};
    }

    Result<bool> next(Batch& out) override {
        results_.clear();
        HOB_ASSIGN_OR_RETURN(const Pull state, child_.next(results_));
        for (Traverser& result : results_) {
            const Traverser& parent = parents_[result.slot];
            if (barrier_) {
                // What a barrier gives has no path of its own: it stands for a step from the
                // parent.
                const std::int64_t bulk = result.bulk;
                result = labels_.context().split(parent, std::move(result.value));
                result.bulk = bulk;
            }
            result.bulk *= parent.bulk;
            result.slot = parent.slot;
            result.tag = parent.tag;
            if (end_ != 0) {
                const Value* known = labels_.newest(result, end_);
                if (known != nullptr && !identical(*known, result.value)) continue;
                if (known == nullptr) labels_.put(result, end_);
            }
            out.push_back(std::move(result));
        }
        return state == Pull::kMore;
    }

    void clear() override { parents_.clear(); }

  private:
    const MatchLabels& labels_;
    std::uint64_t start_;
    std::uint64_t end_;
    Child child_;
    bool barrier_;
    Batch parents_;
    Batch results_;
};

/// where(...) or not(...): keeps the binding sets for which it holds.
class FilterMatcher final : public Matcher {
  public:
    explicit FilterMatcher(Child child) : child_(std::move(child)) {}

    Status start(Batch parents) override {
        parents_ = std::move(parents);
        return {};
    }
    Result<bool> next(Batch& out) override {
        std::vector<std::uint8_t> found;
        HOB_TRY(child_.exists(parents_, found));
        for (std::size_t i = 0; i < parents_.size(); ++i) {
            if (found[i] != 0) out.push_back(std::move(parents_[i]));
        }
        parents_.clear();
        return false;
    }
    void clear() override { parents_.clear(); }

  private:
    Child child_;
    Batch parents_;
};

// --- several patterns ---

constexpr std::size_t kPatternsMax = 64;

/// Any one of the patterns suffices; each gives its own binding sets.
class AnyMatcher final : public Matcher {
  public:
    explicit AnyMatcher(std::vector<MatchPattern> patterns) : patterns_(std::move(patterns)) {}

    Status start(Batch parents) override {
        parents_ = std::move(parents);
        at_ = 0;
        return begin();
    }
    Result<bool> next(Batch& out) override {
        if (at_ == patterns_.size()) return false;
        HOB_ASSIGN_OR_RETURN(const bool more, patterns_[at_].matcher->next(out));
        if (more) return true;
        ++at_;
        HOB_TRY(begin());
        return at_ < patterns_.size();
    }
    void clear() override {
        parents_.clear();
        for (MatchPattern& pattern : patterns_)
            pattern.matcher->clear();
    }

  private:
    Status begin() {
        if (at_ == patterns_.size()) return {};
        return patterns_[at_].matcher->start(parents_);
    }

    std::vector<MatchPattern> patterns_;
    Batch parents_;
    std::size_t at_ = 0;
};

/// All patterns must match. Binding sets that have done the same patterns go on together: for up to
/// kSetsMax of them the next pattern is chosen, run once, and its results go on before more are
/// taken, so that memory stays bounded by the number of patterns.
class AllMatcher final : public Matcher {
  public:
    AllMatcher(const MatchLabels& labels, std::vector<MatchPattern> patterns)
        : labels_(labels), patterns_(std::move(patterns)), counts_(patterns_.size()) {
        all_ =
            patterns_.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << patterns_.size()) - 1;
    }

    Status start(Batch parents) override {
        groups_.clear();
        add_groups(std::move(parents), 0);
        return {};
    }

    Result<bool> next(Batch& out) override {
        while (!groups_.empty()) {
            HOB_TRY(labels_.context().check());
            if (groups_.back().running == kNone) HOB_TRY(begin(groups_.back()));
            const std::size_t running = groups_.back().running;
            const std::uint64_t done = groups_.back().done | (std::uint64_t{1} << running);
            Batch results;
            bool more = true;
            while (more && results.size() < kSetsMax) {
                HOB_ASSIGN_OR_RETURN(more, patterns_[running].matcher->next(results));
            }
            if (!more) groups_.pop_back();
            counts_[running].ends += results.size();
            if (done == all_) {
                std::move(results.begin(), results.end(), std::back_inserter(out));
                return true;
            }
            add_groups(std::move(results), done);
        }
        return false;
    }

    void clear() override {
        groups_.clear();
        for (MatchPattern& pattern : patterns_)
            pattern.matcher->clear();
    }

  private:
    static constexpr std::size_t kNone = SIZE_MAX;
    static constexpr std::size_t kSetsMax = 10'000;

    /// Binding sets with the same patterns done and the same labels bound.
    struct Group {
        std::uint64_t done = 0;
        std::uint64_t bound = 0;
        Batch sets;
        std::size_t running = kNone;
    };
    struct Counts {
        std::uint64_t starts = 0;
        std::uint64_t ends = 0;
    };

    void add_groups(Batch sets, std::uint64_t done) {
        const std::size_t first = groups_.size();
        for (Traverser& t : sets) {
            const std::uint64_t bound = labels_.bound(t);
            auto group =
                std::find_if(groups_.begin() + static_cast<std::ptrdiff_t>(first), groups_.end(),
                             [bound](const Group& g) { return g.bound == bound; });
            if (group == groups_.end()) {
                groups_.push_back({.done = done, .bound = bound, .sets = {}});
                group = groups_.end() - 1;
            }
            group->sets.push_back(std::move(t));
        }
    }

    Status begin(Group& group) {
        HOB_ASSIGN_OR_RETURN(group.running, choose(group));
        counts_[group.running].starts += group.sets.size();
        return patterns_[group.running].matcher->start(std::move(group.sets));
    }

    /// Filters first, then patterns whose end is known already, then those that so far multiplied
    /// least.
    Result<std::size_t> choose(const Group& group) const {
        std::size_t best = kNone;
        double best_cost = 0;
        for (std::size_t i = 0; i < patterns_.size(); ++i) {
            const MatchPattern& pattern = patterns_[i];
            if ((group.done >> i & 1) != 0 || (pattern.required & ~group.bound) != 0) continue;
            const double cost = cost_of(i, group);
            if (best == kNone || cost < best_cost) {
                best = i;
                best_cost = cost;
            }
        }
        if (best != kNone) return best;
        std::string all;
        for (const MatchPattern& pattern : patterns_) {
            all += (all.empty() ? "" : ", ") + pattern.text;
        }
        return Error::execution("The provided match pattern is unsolvable: [{}]", all);
    }

    double cost_of(std::size_t i, const Group& group) const {
        if (patterns_[i].filter) return -2;
        if (patterns_[i].end != 0 && (patterns_[i].end & ~group.bound) == 0) return -1;
        const Counts& counts = counts_[i];
        return counts.starts == 0
                   ? 0
                   : static_cast<double>(counts.ends) / static_cast<double>(counts.starts);
    }

    const MatchLabels& labels_;
    std::vector<MatchPattern> patterns_;
    std::vector<Counts> counts_;
    std::uint64_t all_ = 0;
    std::vector<Group> groups_;
};

// --- reading patterns ---

std::optional<std::string> lone_label(const Instruction& step) {
    if (step.name != "as" || step.arguments.empty() || !step.arguments[0].is_string()) {
        return std::nullopt;
    }
    return std::string(step.arguments[0].text());
}

/// Traversals between infix or() or and() steps; only one when there is none.
std::vector<Traversal> split_infix(const Traversal& traversal, std::string_view connective) {
    std::vector<Traversal> parts(1);
    for (const Instruction& step : traversal.steps) {
        if (step.name == connective && step.arguments.empty()) {
            parts.emplace_back();
        } else {
            parts.back().steps.push_back(step);
        }
    }
    return parts;
}

std::vector<Traversal> traversal_arguments(const Instruction& step) {
    std::vector<Traversal> all;
    for (const Value& argument : step.arguments) {
        if (const TraversalObject* object = as_traversal(argument)) {
            all.push_back(object->traversal);
        }
    }
    return all;
}

void add_predicate_labels(const Value& argument, std::vector<std::string>& out) {
    const PredicateObject* predicate = as_predicate(argument);
    if (predicate == nullptr) return;
    for (const Value& operand : predicate->operands) {
        if (operand.is_string()) out.emplace_back(operand.text());
        add_predicate_labels(operand, out);
    }
}

/// Labels that a filter's traversal refers to: those at its ends, and of the connectives in it.
void add_filter_labels(const Traversal& traversal, std::vector<std::string>& out) {
    if (traversal.steps.empty()) return;
    if (auto label = lone_label(traversal.steps.front())) out.push_back(std::move(*label));
    if (auto label = lone_label(traversal.steps.back())) out.push_back(std::move(*label));
    for (const Instruction& step : traversal.steps) {
        if (step.name != "and" && step.name != "or" && step.name != "not") continue;
        for (const Traversal& inner : traversal_arguments(step))
            add_filter_labels(inner, out);
    }
}

/// Labels that where() steps refer to, anywhere in the traversal.
void add_where_labels(const Traversal& traversal, std::vector<std::string>& out) {
    for (const Instruction& step : traversal.steps) {
        if (step.name == "where") {
            if (!step.arguments.empty() && step.arguments[0].is_string()) {
                out.emplace_back(step.arguments[0].text());
            }
            for (const Value& argument : step.arguments)
                add_predicate_labels(argument, out);
            for (const Traversal& inner : traversal_arguments(step))
                add_filter_labels(inner, out);
        }
        for (const Traversal& inner : traversal_arguments(step))
            add_where_labels(inner, out);
    }
}

bool is_connective(const Traversal& traversal) {
    const auto& steps = traversal.steps;
    return steps.size() == 1 && (steps[0].name == "and" || steps[0].name == "or") &&
           !steps[0].arguments.empty();
}

/// End labels of all patterns, nested ones included.
void add_end_labels(const Traversal& traversal, std::vector<std::string>& out) {
    for (const std::string_view infix : {"or", "and"}) {
        const std::vector<Traversal> parts = split_infix(traversal, infix);
        if (parts.size() == 1) continue;
        for (const Traversal& part : parts)
            add_end_labels(part, out);
        return;
    }
    if (is_connective(traversal)) {
        for (const Traversal& part : traversal_arguments(traversal.steps[0])) {
            add_end_labels(part, out);
        }
    } else if (traversal.steps.size() > 1) {
        if (auto label = lone_label(traversal.steps.back())) out.push_back(std::move(*label));
    }
}

}  // namespace

Result<std::uint64_t> MatchCompiler::bits(const std::vector<std::string>& names) {
    std::uint64_t all = 0;
    for (const std::string& name : names) {
        HOB_ASSIGN_OR_RETURN(const std::uint64_t bit, labels_.bit(name));
        all |= bit;
    }
    return all;
}

Result<MatchPattern> MatchCompiler::connective(std::vector<Traversal> traversals, bool all) {
    if (traversals.size() > kPatternsMax) {
        return Error::unsupported("match() takes at most {} patterns, found {}", kPatternsMax,
                                  traversals.size());
    }
    if (outermost_) {
        outermost_ = false;
        for (const Traversal& traversal : traversals)
            add_end_labels(traversal, ends_);
    }
    MatchPattern whole;
    std::vector<MatchPattern> patterns;
    for (const Traversal& traversal : traversals) {
        HOB_ASSIGN_OR_RETURN(MatchPattern one, pattern(traversal));
        whole.start |= one.start;
        whole.end |= one.end;
        whole.required |= one.required;
        whole.text += (whole.text.empty() ? "" : ", ") + one.text;
        patterns.push_back(std::move(one));
    }
    whole.text = fmt::format("{}({})", all ? "and" : "or", whole.text);
    if (all) {
        // What its own patterns bind needs not be there before; in a circle of patterns one must.
        const std::uint64_t outside = whole.required & ~whole.end;
        whole.required = outside != 0 ? outside : computed_start(whole);
        whole.matcher = std::make_unique<AllMatcher>(labels_, std::move(patterns));
    } else {
        whole.matcher = std::make_unique<AnyMatcher>(std::move(patterns));
    }
    return whole;
}

Result<MatchPattern> MatchCompiler::pattern(const Traversal& traversal) {
    for (const std::string_view infix : {"or", "and"}) {
        std::vector<Traversal> parts = split_infix(traversal, infix);
        if (parts.size() > 1) return connective(std::move(parts), infix == "and");
    }
    if (is_connective(traversal)) {
        return connective(traversal_arguments(traversal.steps[0]),
                          traversal.steps[0].name == "and");
    }
    if (!traversal.steps.empty()) {
        const Instruction& first = traversal.steps.front();
        if (lone_label(first)) return steps_pattern(traversal);
        if (first.name == "where" || first.name == "not") return filter_pattern(traversal);
    }
    return Error::invalid(
        "All match()-traversals must have a single start label (i.e. variable): {}",
        print(traversal, ""));
}

Result<MatchPattern> MatchCompiler::filter_pattern(const Traversal& traversal) {
    std::vector<std::string> names;
    add_where_labels(traversal, names);
    add_filter_labels(traversal, names);
    std::vector<std::string> own;
    for (const std::string& name : names) {
        if (std::find(ends_.begin(), ends_.end(), name) != ends_.end()) own.push_back(name);
    }
    MatchPattern pattern;
    pattern.filter = true;
    pattern.text = print(traversal, "");
    // The label it starts with must be there even when no pattern of this match() binds it.
    if (!names.empty()) own.push_back(names.front());
    HOB_ASSIGN_OR_RETURN(pattern.required, bits(own));
    // The names in not(as('a')...) are values, as they are in where().
    Traversal named;
    named.steps.push_back({"where", {make_traversal(traversal)}, traversal.steps.front().at});
    HOB_ASSIGN_OR_RETURN(Child child, compiler_.child(make_traversal(std::move(named)), true));
    pattern.matcher = std::make_unique<FilterMatcher>(std::move(child));
    return pattern;
}

Result<MatchPattern> MatchCompiler::steps_pattern(const Traversal& traversal) {
    MatchPattern pattern;
    pattern.text = print(traversal, "");
    Traversal inner = traversal;
    if (inner.steps.front().arguments.size() > 1) {
        return Error::invalid(
            "All match()-traversals must have a single start label (i.e. variable): {}",
            pattern.text);
    }
    HOB_ASSIGN_OR_RETURN(pattern.start, labels_.bit(*lone_label(inner.steps.front())));
    inner.steps.erase(inner.steps.begin());
    if (!inner.steps.empty()) {
        if (const auto end = lone_label(inner.steps.back())) {
            const bool several =
                inner.steps.back().arguments.size() > 1 ||
                (inner.steps.size() > 1 && inner.steps[inner.steps.size() - 2].name == "as");
            if (several) {
                return Error::invalid(
                    "The end step of a match()-traversal can have at most one label: {}",
                    pattern.text);
            }
            HOB_ASSIGN_OR_RETURN(pattern.end, labels_.bit(*end));
            inner.steps.pop_back();
        }
    }
    std::vector<std::string> names;
    add_where_labels(inner, names);
    std::erase_if(names, [this](const std::string& name) {
        return std::find(ends_.begin(), ends_.end(), name) == ends_.end();
    });
    HOB_ASSIGN_OR_RETURN(pattern.required, bits(names));
    pattern.required = (pattern.required & ~pattern.end) | pattern.start;
    // as('a').where(...) binds nothing.
    pattern.filter = pattern.end == 0 && inner.steps.size() == 1 && inner.steps[0].name == "where";
    const bool barrier = compiler_.has_barrier(inner);
    HOB_ASSIGN_OR_RETURN(Child child, compiler_.child(make_traversal(std::move(inner))));
    pattern.matcher = std::make_unique<StepsMatcher>(labels_, pattern.start, pattern.end,
                                                     std::move(child), barrier);
    return pattern;
}

std::uint64_t computed_start(const MatchPattern& whole) {
    const std::uint64_t never_ends = whole.start & ~whole.end;
    const std::uint64_t candidates = never_ends != 0 ? never_ends : whole.start;
    return candidates & (~candidates + 1);
}

}  // namespace hob::gremlin
