// Reducing barriers and their local forms: count sum min max mean fold; barrier.
#include <algorithm>

#include "gremlin/exec/predicate.h"
#include "gremlin/steps/step.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

/// Base of reducing barriers: one State for each slot, one result for each live slot.
template <typename State>
class ReduceOp : public BarrierOp {
  public:
    using BarrierOp::BarrierOp;

  protected:
    /// The slot's result; nothing: the slot gives none.
    virtual Result<std::optional<Value>> finish(State& state) = 0;
    virtual Status reduce(State& state, Traverser& t) = 0;

    Status add(Batch& in) override {
        for (Traverser& t : in) {
            if (t.slot >= states_.size()) states_.resize(t.slot + 1);
            HOB_TRY(reduce(states_[t.slot], t));
        }
        return {};
    }
    Result<bool> emit(Batch& out, std::size_t max) override {
        if (states_.size() < scope_.slots()) states_.resize(scope_.slots());
        const std::size_t begin = out.size();
        while (at_ < states_.size() && out.size() - begin < max) {
            const auto slot = static_cast<std::uint32_t>(at_++);
            if (slot >= scope_.slots() || scope_.live[slot] == 0) continue;
            HOB_ASSIGN_OR_RETURN(std::optional<Value> value, finish(states_[slot]));
            if (value) out.push_back(ctx_.start(std::move(*value), slot));
        }
        return at_ < states_.size();
    }
    void clear() override {
        states_.clear();
        at_ = 0;
    }

  private:
    std::vector<State> states_;
    std::size_t at_ = 0;
};

class CountOp final : public ReduceOp<std::int64_t> {
  public:
    using ReduceOp::ReduceOp;

  protected:
    Status reduce(std::int64_t& count, Traverser& t) override {
        if (__builtin_add_overflow(count, t.bulk, &count))
            return Error::execution("count(): long overflow");
        return {};
    }
    Result<std::optional<Value>> finish(std::int64_t& count) override {
        return std::optional<Value>(Value::long_(count));
    }
};

/// sum, min, max over comparable things; nulls are passed over, nothing in gives nothing out.
struct NumberState {
    Value value;
    bool any = false;
};

enum class Fold : std::uint8_t { kSum, kMin, kMax };

/// `bulk` times a number, as adding it that often would give.
Result<Value> times(const Value& v, std::int64_t bulk) {
    if (bulk == 1) return v;
    HOB_ASSIGN_OR_RETURN(Value product, multiply(v, Value::long_(bulk)));
    // Merged traversers must not show in the type: the sum of ints is an int while it fits.
    if (auto narrow = convert_number(product, v.kind()); narrow.ok()) return narrow;
    return product;
}

Result<Value> fold_number(Fold fold, const Value& a, const Value& b) {
    if (a.is_null()) return b;
    if (b.is_null()) return a;
    switch (fold) {
        case Fold::kSum:
            return add(a, b);
        case Fold::kMin:
            return min_of(a, b);
        case Fold::kMax:
            return max_of(a, b);
    }
    return Error::internal("fold kind {} has no rule", static_cast<int>(fold));
}

Status check_number(std::string_view step, const Value& v) {
    if (v.is_null() || v.is_number()) return {};
    return Error::execution("{}() needs numbers, found {} ({})", step, to_text(v), type_name(v));
}

class NumberOp final : public ReduceOp<NumberState> {
  public:
    NumberOp(QueryContext& context, Op* input, Scope& scope, Fold fold)
        : ReduceOp(context, input, scope), fold_(fold) {}

  protected:
    Status reduce(NumberState& state, Traverser& t) override {
        state.any = true;
        if (fold_ == Fold::kSum) {
            HOB_TRY(check_number(name(), t.value));
            if (t.value.is_null()) return {};
            Value value = t.value;
            if (t.bulk != 1) {
                HOB_ASSIGN_OR_RETURN(value, times(t.value, t.bulk));
            }
            HOB_ASSIGN_OR_RETURN(state.value, fold_number(fold_, state.value, value));
            return {};
        }
        HOB_ASSIGN_OR_RETURN(state.value, fold_number(fold_, state.value, t.value));
        return {};
    }
    Result<std::optional<Value>> finish(NumberState& state) override {
        if (!state.any) return std::optional<Value>();
        return std::optional<Value>(state.value);
    }

  private:
    Fold fold_;
};

struct MeanState {
    Value sum;
    std::int64_t count = 0;
    bool any = false;
};

class MeanOp final : public ReduceOp<MeanState> {
  public:
    using ReduceOp::ReduceOp;

  protected:
    Status reduce(MeanState& state, Traverser& t) override {
        state.any = true;
        HOB_TRY(check_number("mean", t.value));
        if (t.value.is_null()) return {};
        HOB_ASSIGN_OR_RETURN(const Value value, times(t.value, t.bulk));
        HOB_ASSIGN_OR_RETURN(state.sum, fold_number(Fold::kSum, state.sum, value));
        state.count += t.bulk;
        return {};
    }
    Result<std::optional<Value>> finish(MeanState& state) override {
        if (!state.any) return std::optional<Value>();
        if (state.count == 0) return std::optional<Value>(Value());
        HOB_ASSIGN_OR_RETURN(Value mean, divide(state.sum, Value::long_(state.count), true));
        return std::optional<Value>(std::move(mean));
    }
};

class FoldOp final : public ReduceOp<std::vector<Value>> {
  public:
    using ReduceOp::ReduceOp;

  protected:
    Status reduce(std::vector<Value>& items, Traverser& t) override {
        HOB_TRY(ctx_.hold(static_cast<std::uint64_t>(t.bulk) * sizeof(Value), "fold"));
        items.insert(items.end(), static_cast<std::size_t>(t.bulk), t.value);
        return {};
    }
    Result<std::optional<Value>> finish(std::vector<Value>& items) override {
        return std::optional<Value>(Value::list(std::move(items)));
    }
};

/// fold(seed, operator).
struct SeedState {
    Value value;
    bool begun = false;
};
class FoldWithOp final : public ReduceOp<SeedState> {
  public:
    FoldWithOp(QueryContext& context, Op* input, Scope& scope, Value seed, Operator op)
        : ReduceOp(context, input, scope), seed_(std::move(seed)), operator_(op) {}

  protected:
    Status reduce(SeedState& state, Traverser& t) override {
        for (std::int64_t i = 0; i < t.bulk; ++i) {
            const Value& left = state.begun ? state.value : seed_;
            HOB_ASSIGN_OR_RETURN(Value joined, apply_operator(operator_, left, t.value));
            state.value = std::move(joined);
            state.begun = true;
        }
        return {};
    }
    Result<std::optional<Value>> finish(SeedState& state) override {
        return std::optional<Value>(state.begun ? state.value : seed_);
    }

  private:
    Value seed_;
    Operator operator_;
};

/// Items of a collection, a path or a map's values; nothing when it is none.
std::optional<std::vector<Value>> collection_items(const Value& v) {
    std::vector<Value> items;
    switch (v.kind()) {
        case Kind::kList:
        case Kind::kSet:
            return std::vector<Value>(v.items().begin(), v.items().end());
        case Kind::kPath:
            return v.as<PathObject>().objects;
        case Kind::kBulkSet:
            for (const auto& [value, count] : v.as<BulkSetObject>().entries()) {
                items.insert(items.end(), static_cast<std::size_t>(count), value);
            }
            return items;
        default:
            return std::nullopt;
    }
}

std::int64_t local_count(const Value& v) {
    switch (v.kind()) {
        case Kind::kMap:
            return static_cast<std::int64_t>(v.as<MapObject>().size());
        case Kind::kBulkSet:
            return v.as<BulkSetObject>().size();
        case Kind::kTree:
            return static_cast<std::int64_t>(v.as<TreeObject>().children.size());
        default: {
            const auto items = collection_items(v);
            return items ? static_cast<std::int64_t>(items->size()) : 1;
        }
    }
}

Result<Op*> make_count(Compiler& compiler, const Node& node, Op* input) {
    if (!is_local(node, 0)) return compiler.add<CountOp>(input);
    return map_values(compiler, input,
                      [](const Value& v) -> Result<Value> { return Value::long_(local_count(v)); });
}

/// A local reduction: `f` gives nothing for an empty collection, and the traverser goes.
template <typename Function>
Op* local_reduce(Compiler& compiler, Op* input, Function function) {
    return transform(compiler, input,
                     [function](QueryContext& context, Batch& in, Batch& out) -> Status {
                         for (const Traverser& t : in) {
                             HOB_ASSIGN_OR_RETURN(std::optional<Value> value, function(t.value));
                             if (value) out.push_back(context.split(t, std::move(*value)));
                         }
                         return {};
                     });
}

Result<Op*> make_number(Compiler& compiler, const Node& node, Op* input, Fold fold) {
    if (!is_local(node, 0)) return compiler.add<NumberOp>(input, fold);
    return local_reduce(compiler, input,
                        [fold, name = node.name](const Value& v) -> Result<std::optional<Value>> {
                            std::optional<std::vector<Value>> items;
                            if (v.kind() == Kind::kMap) {
                                items.emplace();
                                for (const auto& [key, value] : v.as<MapObject>().entries())
                                    items->push_back(value);
                            } else {
                                items = collection_items(v);
                            }
                            if (!items) items = std::vector<Value>{v};
                            if (items->empty()) return std::optional<Value>();
                            Value result;
                            for (const Value& item : *items) {
                                if (fold == Fold::kSum) HOB_TRY(check_number(name, item));
                                HOB_ASSIGN_OR_RETURN(result, fold_number(fold, result, item));
                            }
                            return std::optional<Value>(std::move(result));
                        });
}
template <Fold fold>
Result<Op*> make_fold_number(Compiler& compiler, const Node& node, Op* input) {
    return make_number(compiler, node, input, fold);
}

Result<Op*> make_mean(Compiler& compiler, const Node& node, Op* input) {
    if (!is_local(node, 0)) return compiler.add<MeanOp>(input);
    return local_reduce(compiler, input, [](const Value& v) -> Result<std::optional<Value>> {
        auto items = collection_items(v);
        if (!items) items = std::vector<Value>{v};
        if (items->empty()) return std::optional<Value>();
        Value sum;
        std::int64_t count = 0;
        for (const Value& item : *items) {
            HOB_TRY(check_number("mean", item));
            if (item.is_null()) continue;
            HOB_ASSIGN_OR_RETURN(sum, fold_number(Fold::kSum, sum, item));
            ++count;
        }
        if (count == 0) return std::optional<Value>(Value());
        HOB_ASSIGN_OR_RETURN(Value mean, divide(sum, Value::long_(count), true));
        return std::optional<Value>(std::move(mean));
    });
}

Result<Op*> make_fold(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.empty()) return compiler.add<FoldOp>(input);
    if (node.args.size() != 2 || !node.args[1].is_enum(EnumType::kOperator))
        return bad_argument(node, 1, "an Operator");
    return compiler.add<FoldWithOp>(input, node.args[0],
                                    static_cast<Operator>(node.args[1].enum_ordinal()));
}

/// barrier(): collects (up to n) and merges equal traversers; barrier(normSack) also scales the
/// sacks to add up to 1.
class CollectOp final : public HoldingOp {
  public:
    CollectOp(QueryContext& context, Op* input, Scope& scope, bool norm_sack)
        : HoldingOp(context, input, scope), norm_sack_(norm_sack) {}

  protected:
    Status add(Batch& in) override {
        HOB_TRY(ctx_.hold(in.size() * sizeof(Traverser), "barrier"));
        keep(in);
        if (all().size() >= merge_at_) {
            merge_at_barrier(ctx_, all());
            merge_at_ = std::max<std::size_t>(4096, all().size() * 2);
        }
        return {};
    }
    Status complete() override {
        merge_at_barrier(ctx_, all());
        if (!norm_sack_) return {};
        // Wide sacks stay exact: the sum takes on their type.
        Value total = Value::double_(0.0);
        std::vector<Value> shares;
        for (const Traverser& t : all()) {
            HOB_ASSIGN_OR_RETURN(Value share, multiply(t.sack, Value::long_(t.bulk)));
            HOB_ASSIGN_OR_RETURN(total, ::hob::add(total, share));
            shares.push_back(std::move(share));
        }
        for (std::size_t i = 0; i < shares.size(); ++i) {
            HOB_ASSIGN_OR_RETURN(all()[i].sack, divide(shares[i], total));
        }
        return {};
    }

  private:
    bool norm_sack_;
    std::size_t merge_at_ = 4096;
};

Result<Op*> make_barrier(Compiler& compiler, const Node& node, Op* input) {
    const bool norm_sack = !node.args.empty() && node.args[0].is_enum(EnumType::kBarrier);
    return compiler.add<CollectOp>(input, norm_sack);
}

}  // namespace

extern const StepSpec count_step;
const StepSpec count_step = {
    .name = "count", .make = make_count, .barrier = true, .reducing = true};
extern const StepSpec sum_step;
const StepSpec sum_step = {
    .name = "sum", .make = make_fold_number<Fold::kSum>, .barrier = true, .reducing = true};
extern const StepSpec min_step;
const StepSpec min_step = {
    .name = "min", .make = make_fold_number<Fold::kMin>, .barrier = true, .reducing = true};
extern const StepSpec max_step;
const StepSpec max_step = {
    .name = "max", .make = make_fold_number<Fold::kMax>, .barrier = true, .reducing = true};
extern const StepSpec mean_step;
const StepSpec mean_step = {.name = "mean", .make = make_mean, .barrier = true, .reducing = true};
extern const StepSpec fold_step;
const StepSpec fold_step = {.name = "fold", .make = make_fold, .barrier = true, .reducing = true};
extern const StepSpec barrier_step;
const StepSpec barrier_step = {.name = "barrier", .make = make_barrier, .barrier = true};

}  // namespace hob::gremlin
