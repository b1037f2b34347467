// Grouping and side effects: group groupCount aggregate cap sideEffect fail sack.
#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "gremlin/exec/elements.h"
#include "gremlin/steps/java_order.h"
#include "gremlin/steps/scoping.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

/// Numbers the distinct (slot, key) pairs in order of arrival.
class Groups {
  public:
    struct Group {
        std::uint32_t slot = 0;
        Value key;
    };
    std::uint32_t number(std::uint32_t slot, const Value& key) {
        if (slot >= index_.size()) index_.resize(slot + 1);
        const auto [at, added] =
            index_[slot].try_emplace(key, static_cast<std::uint32_t>(groups_.size()));
        if (added) groups_.push_back({slot, key});
        return at->second;
    }
    [[nodiscard]] const std::vector<Group>& all() const { return groups_; }
    void clear() {
        index_.clear();
        groups_.clear();
    }

  private:
    std::vector<absl::flat_hash_map<Value, std::uint32_t, ValueHash, ValueIdentical>> index_;
    std::vector<Group> groups_;
};

/// The value side of group(): one run of the value traversal over each group's members; a group is
/// a slot of it.
class GroupValues {
  public:
    /// Folds what `by` gives into a list (no second by(), or one that is no traversal).
    explicit GroupValues(By by) : by_(std::move(by)) {}
    GroupValues(Child child, bool barrier) : child_(std::move(child)), barrier_(barrier) {}

    Status add(QueryContext& context, std::span<const Traverser> members,
               const std::vector<std::uint32_t>& groups) {
        if (!child_.valid()) return add_collected(context, members, groups);
        HOB_TRY(context.hold(members.size() * sizeof(Traverser), "group"));
        for (std::size_t i = 0; i < members.size(); ++i) {
            Traverser t = members[i];
            t.slot = groups[i];
            if (barrier_) {
                parents_.push_back(std::move(t));
            } else {
                // Without a barrier inside, the last member's first result is the group's.
                if (groups[i] >= last_.size()) last_.resize(groups[i] + 1);
                last_[groups[i]] = std::move(t);
            }
        }
        return {};
    }

    /// The value of each group; `found[g]` is 0 where there is none. `order`: the groups in the
    /// order in which their values are worked out; empty: as they are numbered.
    Status finish(std::size_t groups, std::span<const std::uint32_t> order,
                  std::vector<Value>& values, std::vector<std::uint8_t>& found) {
        values.assign(groups, Value());
        found.assign(groups, 1);
        if (!child_.valid()) {
            lists_.resize(groups);
            for (std::size_t g = 0; g < groups; ++g)
                values[g] = Value::list(std::move(lists_[g]));
            return {};
        }
        if (!barrier_) return child_.first(last_, values, found);
        found.assign(groups, 0);
        std::vector<std::uint32_t> slot_of(order.size());
        for (std::uint32_t slot = 0; slot < order.size(); ++slot)
            slot_of[order[slot]] = slot;
        child_.scope().reset(groups, true);
        child_.tail()->reset();
        child_.head()->reset();
        for (Traverser& t : parents_) {
            if (!order.empty()) t.slot = slot_of[t.slot];
            child_.head()->feed(std::move(t));
        }
        child_.head()->close();
        Batch batch;
        while (true) {
            batch.clear();
            HOB_ASSIGN_OR_RETURN(const Pull state, child_.next(batch));
            for (Traverser& t : batch) {
                const std::uint32_t group = order.empty() ? t.slot : order[t.slot];
                if (found[group] != 0) continue;
                found[group] = 1;
                values[group] = std::move(t.value);
            }
            if (state != Pull::kMore) return {};
        }
    }

    void clear() {
        parents_.clear();
        last_.clear();
        lists_.clear();
    }

  private:
    Status add_collected(QueryContext& context, std::span<const Traverser> members,
                         const std::vector<std::uint32_t>& groups) {
        std::vector<Value> values;
        std::vector<std::uint8_t> found;
        HOB_TRY(by_.apply(context, members, values, found));
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (groups[i] >= lists_.size()) lists_.resize(groups[i] + 1);
            if (found[i] == 0) continue;
            HOB_TRY(
                context.hold(static_cast<std::uint64_t>(members[i].bulk) * sizeof(Value), "group"));
            lists_[groups[i]].insert(lists_[groups[i]].end(),
                                     static_cast<std::size_t>(members[i].bulk), values[i]);
        }
        return {};
    }

    By by_ = By::identity();
    Child child_;
    bool barrier_ = false;
    Batch parents_;
    Batch last_;
    std::vector<std::vector<Value>> lists_;
};

/// Key and value side of group(), shared by the step and its side-effect form.
class Grouper {
  public:
    Grouper(By key, GroupValues values) : key_(std::move(key)), values_(std::move(values)) {}

    Status add(QueryContext& context, std::span<const Traverser> in) {
        std::vector<Value> keys;
        std::vector<std::uint8_t> found;
        HOB_TRY(key_.apply(context, in, keys, found));
        Batch members;
        std::vector<std::uint32_t> numbers;
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (found[i] == 0) continue;
            numbers.push_back(groups_.number(in[i].slot, keys[i]));
            members.push_back(in[i]);
        }
        return values_.add(context, members, numbers);
    }

    /// One map for each slot below `slots`.
    Status finish(QueryContext& context, std::size_t slots, std::vector<Value>& maps) {
        maps.resize(slots);
        for (Value& map : maps)
            map = make_map();
        std::vector<Value> values;
        std::vector<std::uint8_t> found;
        std::vector<std::uint32_t> order;
        if (context.seed) order = order_of_jvm();
        HOB_TRY(values_.finish(groups_.all().size(), order, values, found));
        for (std::size_t g = 0; g < groups_.all().size(); ++g) {
            if (found[g] == 0) continue;
            const auto& group = groups_.all()[g];
            maps[group.slot].mutate<MapObject>().put(group.key, std::move(values[g]));
        }
        return {};
    }

    void clear() {
        groups_.clear();
        values_.clear();
    }

  private:
    /// Steps that choose by a seed go on from group to group in the order of a JVM's map.
    [[nodiscard]] std::vector<std::uint32_t> order_of_jvm() const {
        std::vector<Value> keys;
        for (const Groups::Group& group : groups_.all())
            keys.push_back(group.key);
        return java::hash_map_order(keys);
    }

    By key_;
    GroupValues values_;
    Groups groups_;
};

Result<Grouper> make_grouper(Compiler& compiler, const Node& node) {
    if (node.bys.size() > 2) {
        return Error::execution(
            "The key and value traversals for group()-step have already been set: {}", node.name);
    }
    By key = By::identity();
    if (!node.bys.empty()) {
        HOB_ASSIGN_OR_RETURN(key, compiler.by(node.bys[0], "group"));
    }
    if (node.bys.size() == 2 && !node.bys[1].empty()) {
        if (const TraversalObject* traversal = as_traversal(node.bys[1][0]);
            traversal != nullptr && !traversal->traversal.steps.empty()) {
            const bool barrier = compiler.has_barrier(traversal->traversal);
            HOB_ASSIGN_OR_RETURN(Child child, compiler.child(node.bys[1][0]));
            return Grouper(std::move(key), GroupValues(std::move(child), barrier));
        }
        HOB_ASSIGN_OR_RETURN(By value, compiler.by(node.bys[1], "group"));
        return Grouper(std::move(key), GroupValues(std::move(value)));
    }
    return Grouper(std::move(key), GroupValues(By::identity()));
}

/// group() and groupCount(): one map for each live slot. `Collector` has add(context, traversers)
/// and finish(context, slots, maps).
template <typename Collector>
class CollectMapOp final : public BarrierOp {
  public:
    CollectMapOp(QueryContext& context, Op* input, Scope& scope, Collector collector)
        : BarrierOp(context, input, scope), collector_(std::move(collector)) {}

  protected:
    Status add(Batch& in) override { return collector_.add(ctx_, in); }
    Result<bool> emit(Batch& out, std::size_t) override {
        std::vector<Value> maps;
        HOB_TRY(collector_.finish(ctx_, scope_.slots(), maps));
        for (std::uint32_t slot = 0; slot < maps.size(); ++slot) {
            if (scope_.live[slot] != 0) out.push_back(ctx_.start(std::move(maps[slot]), slot));
        }
        return false;
    }
    void clear() override { collector_.clear(); }

  private:
    Collector collector_;
};

/// Merges `more` into a map side effect: lists are joined, numbers added, the rest replaced.
Status merge_map(QueryContext& context, const std::string& name, const Value& more) {
    auto& entry = context.side_effects.require(name);
    if (entry.value.kind() != Kind::kMap || entry.value.as<MapObject>().size() == 0) {
        entry.value = more;
        return {};
    }
    Value result = make_map();
    auto& map = result.mutate<MapObject>();
    for (const auto& [key, value] : entry.value.as<MapObject>().entries())
        map.put(key, value);
    for (const auto& [key, value] : more.as<MapObject>().entries()) {
        const Value* known = map.find(key);
        if (known != nullptr && known->is_number() && value.is_number()) {
            HOB_ASSIGN_OR_RETURN(Value sum, ::hob::add(*known, value));
            map.put(key, std::move(sum));
        } else if (known != nullptr && known->kind() == Kind::kList &&
                   value.kind() == Kind::kList) {
            HOB_ASSIGN_OR_RETURN(Value joined, apply_operator(Operator::kAddAll, *known, value));
            map.put(key, std::move(joined));
        } else {
            map.put(key, value);
        }
    }
    entry.value = std::move(result);
    return {};
}

/// group('x') and groupCount('x'): a barrier that fills the side effect, then passes everything on
/// (SideEffectBarrierStep). `Collector` has add(context, traversers) and finish(context, slots,
/// maps).
template <typename Collector>
class CollectAsideOp final : public HoldingOp {
  public:
    CollectAsideOp(QueryContext& context, Op* input, Scope& scope, Collector collector,
                   std::string name)
        : HoldingOp(context, input, scope),
          collector_(std::move(collector)),
          key_(std::move(name)) {
        auto& entry = ctx_.side_effects.require(key_);
        if (entry.value.is_null()) entry.value = make_map();
    }

  protected:
    Status add(Batch& in) override {
        HOB_TRY(ctx_.hold(in.size() * sizeof(Traverser), name()));
        Batch seen = in;
        for (Traverser& t : seen)
            t.slot = 0;
        HOB_TRY(collector_.add(ctx_, seen));
        keep(in);
        return {};
    }
    Status complete() override {
        std::vector<Value> maps;
        HOB_TRY(collector_.finish(ctx_, 1, maps));
        collector_.clear();
        return merge_map(ctx_, key_, maps[0]);
    }
    void clear() override {
        collector_.clear();
        HoldingOp::clear();
    }

  private:
    Collector collector_;
    std::string key_;
    std::size_t at_ = 0;
};

Result<Op*> make_group(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(Grouper grouper, make_grouper(compiler, node));
    if (node.args.empty()) return compiler.add<CollectMapOp<Grouper>>(input, std::move(grouper));
    HOB_ASSIGN_OR_RETURN(std::string name,
                         string_argument(node, 0, "a side effect's name (string)"));
    return compiler.add<CollectAsideOp<Grouper>>(input, std::move(grouper), std::move(name));
}

/// groupCount(): key -> how many.
class Counter {
  public:
    explicit Counter(By key) : key_(std::move(key)) {}
    Status add(QueryContext& context, std::span<const Traverser> in) {
        std::vector<Value> keys;
        std::vector<std::uint8_t> found;
        HOB_TRY(key_.apply(context, in, keys, found));
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (found[i] == 0) continue;
            const std::uint32_t group = groups_.number(in[i].slot, keys[i]);
            if (group >= counts_.size()) counts_.resize(group + 1, 0);
            counts_[group] += in[i].bulk;
        }
        return {};
    }
    Status finish(QueryContext&, std::size_t slots, std::vector<Value>& maps) {
        maps.resize(slots);
        for (Value& map : maps)
            map = make_map();
        for (std::size_t g = 0; g < counts_.size(); ++g) {
            const auto& group = groups_.all()[g];
            maps[group.slot].mutate<MapObject>().put(group.key, Value::long_(counts_[g]));
        }
        return {};
    }
    void clear() {
        groups_.clear();
        counts_.clear();
    }

  private:
    By key_;
    Groups groups_;
    std::vector<std::int64_t> counts_;
};

Result<By> count_key(Compiler& compiler, const Node& node) {
    if (node.bys.size() > 1)
        return Error::invalid("GroupCount step can only have one by modulator");
    return node.bys.empty() ? Result<By>(By::identity()) : compiler.by(node.bys[0], "groupCount");
}

Result<Op*> make_group_count(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(By key, count_key(compiler, node));
    if (node.args.empty())
        return compiler.add<CollectMapOp<Counter>>(input, Counter(std::move(key)));
    HOB_ASSIGN_OR_RETURN(std::string name,
                         string_argument(node, 0, "a side effect's name (string)"));
    return compiler.add<CollectAsideOp<Counter>>(input, Counter(std::move(key)), std::move(name));
}

/// aggregate(): a barrier that puts all its objects into a bulk set first.
class AggregateOp final : public HoldingOp {
  public:
    AggregateOp(QueryContext& context, Op* input, Scope& scope, std::string name, By by)
        : HoldingOp(context, input, scope), key_(std::move(name)), by_(std::move(by)) {
        auto& entry = ctx_.side_effects.require(key_);
        if (entry.value.is_null() && !entry.declared)
            entry.value = Value::adopt(Kind::kBulkSet, new BulkSetObject);
    }

  protected:
    Status add(Batch& in) override {
        HOB_TRY(ctx_.hold(in.size() * (sizeof(Traverser) + sizeof(Value)), "aggregate"));
        std::vector<Value> values;
        std::vector<std::uint8_t> found;
        HOB_TRY(by_.apply(ctx_, in, values, found));
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (found[i] != 0) collected_.emplace_back(std::move(values[i]), in[i].bulk);
        }
        keep(in);
        return {};
    }
    Status complete() override {
        if (all().empty()) return {};
        auto& entry = ctx_.side_effects.require(key_);
        const Operator reducer = entry.reducer.value_or(Operator::kAddAll);
        if (reducer == Operator::kAddAll && entry.value.kind() == Kind::kBulkSet &&
            entry.value.object()->unique()) {
            for (const auto& [value, bulk] : collected_)
                entry.value.mutate<BulkSetObject>().add(value, bulk);
        } else if (reducer == Operator::kAddAll || reducer == Operator::kAssign) {
            auto* set = new BulkSetObject;
            Value bulk_set = Value::adopt(Kind::kBulkSet, set);
            for (const auto& [value, bulk] : collected_)
                set->add(value, bulk);
            HOB_ASSIGN_OR_RETURN(entry.value, apply_operator(reducer, entry.value, bulk_set));
        } else {
            for (const auto& [value, bulk] : collected_) {
                for (std::int64_t i = 0; i < bulk; ++i)
                    HOB_TRY(ctx_.side_effects.add(key_, value));
            }
        }
        collected_.clear();
        return {};
    }
    void clear() override {
        HoldingOp::clear();
        collected_.clear();
    }

  private:
    std::string key_;
    By by_;
    std::vector<std::pair<Value, std::int64_t>> collected_;
    std::size_t at_ = 0;
};

Result<Op*> make_aggregate(Compiler& compiler, const Node& node, Op* input) {
    if (node.bys.size() > 1) return Error::invalid("Aggregate step can only have one by modulator");
    HOB_ASSIGN_OR_RETURN(std::string name,
                         string_argument(node, node.args.empty() ? 0 : node.args.size() - 1,
                                         "a side effect's name (string)"));
    By by = By::identity();
    if (!node.bys.empty()) {
        HOB_ASSIGN_OR_RETURN(by, compiler.by(node.bys[0], "aggregate"));
    }
    return compiler.add<AggregateOp>(input, std::move(name), std::move(by));
}

/// cap(): runs everything before it, then gives the named side effect (or a map of several).
class CapOp final : public BarrierOp {
  public:
    CapOp(QueryContext& context, Op* input, Scope& scope, std::vector<std::string> names)
        : BarrierOp(context, input, scope), names_(std::move(names)) {}

  protected:
    Status add(Batch&) override { return {}; }
    Result<bool> emit(Batch& out, std::size_t) override {
        for (std::uint32_t slot = 0; slot < scope_.slots(); ++slot) {
            if (scope_.live[slot] == 0) continue;
            HOB_ASSIGN_OR_RETURN(Value value, capped());
            out.push_back(ctx_.start(std::move(value), slot));
        }
        return false;
    }
    void clear() override {}

  private:
    Result<Value> one(const std::string& name) const {
        const Value* value = ctx_.side_effects.find(name);
        if (value == nullptr)
            return Error::execution("The side-effect key does not exist in the side-effects: {}",
                                    name);
        return *value;
    }
    Result<Value> capped() const {
        if (names_.size() == 1) return one(names_[0]);
        Value map = make_map();
        for (const std::string& name : names_) {
            HOB_ASSIGN_OR_RETURN(Value value, one(name));
            map.mutate<MapObject>().put(Value::string(name), std::move(value));
        }
        return map;
    }
    std::vector<std::string> names_;
};

Result<Op*> make_cap(Compiler& compiler, const Node& node, Op* input) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < node.args.size(); ++i) {
        HOB_ASSIGN_OR_RETURN(std::string name,
                             string_argument(node, i, "a side effect's name (string)"));
        names.push_back(std::move(name));
    }
    if (names.empty()) return bad_argument(node, 0, "a side effect's name (string)");
    return compiler.add<CapOp>(input, std::move(names));
}

Result<Op*> make_side_effect(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.size() != 1) return bad_argument(node, 0, "a traversal");
    HOB_ASSIGN_OR_RETURN(Child compiled, compiler.child(node.args[0]));
    auto child = std::make_shared<Child>(std::move(compiled));
    return transform(compiler, input, [child](QueryContext&, Batch& in, Batch& out) -> Status {
        child->start(in);
        Batch ignored;
        while (true) {
            ignored.clear();
            HOB_ASSIGN_OR_RETURN(const Pull state, child->next(ignored));
            if (state != Pull::kMore) break;
        }
        std::move(in.begin(), in.end(), std::back_inserter(out));
        return {};
    });
}

Result<Op*> make_fail(Compiler& compiler, const Node& node, Op* input) {
    std::string message = "fail() step triggered";
    if (!node.args.empty()) {
        HOB_ASSIGN_OR_RETURN(message, string_argument(node, 0, "a message (string)"));
    }
    return transform(compiler, input, [message](QueryContext&, Batch& in, Batch&) -> Status {
        if (in.empty()) return {};
        return Error{Code::kFailStep, message};
    });
}

/// sack() gives the sack; sack(operator).by() joins to it.
Result<Op*> make_sack(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.empty()) {
        return transform(compiler, input,
                         [](QueryContext& context, Batch& in, Batch& out) -> Status {
                             for (const Traverser& t : in)
                                 out.push_back(context.split(t, t.sack));
                             return {};
                         });
    }
    if (!node.args[0].is_enum(EnumType::kOperator)) return bad_argument(node, 0, "an Operator");
    if (node.bys.size() > 1) return Error::invalid("Sack step can only have one by modulator");
    const auto op = static_cast<Operator>(node.args[0].enum_ordinal());
    By by = By::identity();
    if (!node.bys.empty()) {
        HOB_ASSIGN_OR_RETURN(by, compiler.by(node.bys[0], "sack"));
    }
    auto shared = std::make_shared<By>(std::move(by));
    return transform(
        compiler, input, [shared, op](QueryContext& context, Batch& in, Batch& out) -> Status {
            std::vector<Value> values;
            std::vector<std::uint8_t> found;
            HOB_TRY(shared->apply(context, in, values, found));
            for (std::size_t i = 0; i < in.size(); ++i) {
                if (found[i] == 0) continue;
                HOB_ASSIGN_OR_RETURN(in[i].sack, apply_operator(op, in[i].sack, values[i]));
                out.push_back(std::move(in[i]));
            }
            return {};
        });
}

}  // namespace

extern const StepSpec group_step;
const StepSpec group_step = {
    .name = "group", .modulators = kBy, .make = make_group, .barrier = true, .reducing = true};
extern const StepSpec groupCount_step;
const StepSpec groupCount_step = {.name = "groupCount",
                                  .modulators = kBy,
                                  .make = make_group_count,
                                  .barrier = true,
                                  .reducing = true};
extern const StepSpec aggregate_step;
const StepSpec aggregate_step = {
    .name = "aggregate", .modulators = kBy, .make = make_aggregate, .barrier = true};
extern const StepSpec cap_step;
const StepSpec cap_step = {.name = "cap", .make = make_cap, .barrier = true};
extern const StepSpec sideEffect_step;
const StepSpec sideEffect_step = {.name = "sideEffect", .make = make_side_effect, .visible = true};
extern const StepSpec fail_step;
const StepSpec fail_step = {.name = "fail", .make = make_fail};
extern const StepSpec sack_step;
const StepSpec sack_step = {.name = "sack", .modulators = kBy, .make = make_sack};

}  // namespace hob::gremlin
