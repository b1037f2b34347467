// order, limit, range, skip, tail, dedup, each global and local.
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <deque>

#include "gremlin/steps/scoping.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

using ValueSet = absl::flat_hash_set<Value, ValueHash, ValueIdentical>;

/// One by() of order(): what is compared, and how.
struct Comparator {
    By by;
    Order order = Order::kAsc;
};

Result<std::vector<Comparator>> comparators_of(Compiler& compiler, const Node& node) {
    std::vector<Comparator> result;
    for (const auto& arguments : node.bys) {
        Comparator comparator;
        for (const Value& argument : arguments) {
            if (argument.is_enum(EnumType::kOrder))
                comparator.order = static_cast<Order>(argument.enum_ordinal());
        }
        HOB_ASSIGN_OR_RETURN(comparator.by, compiler.by(arguments, node.name));
        result.push_back(std::move(comparator));
    }
    if (result.empty()) result.emplace_back();
    return result;
}

/// Where each of `keys` (one list a comparator) belongs in sorted order; equal ones keep their
/// order.
std::vector<std::size_t> sorted_places(const std::vector<Comparator>& comparators,
                                       const std::vector<std::vector<Value>>& keys,
                                       std::vector<std::size_t> places) {
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
        for (std::size_t k = 0; k < comparators.size(); ++k) {
            if (comparators[k].order == Order::kShuffle) continue;
            const auto result = order(keys[k][a], keys[k][b]);
            if (result != 0) return comparators[k].order == Order::kAsc ? result < 0 : result > 0;
        }
        return false;
    });
    return places;
}

/// The order in which java.util.Collections.shuffle's documentation says elements are swapped.
void shuffle(Random& random, std::span<std::size_t> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
        std::swap(items[i - 1],
                  items[static_cast<std::size_t>(random.next_int(static_cast<std::int32_t>(i)))]);
    }
}

/// The last by() decides; a shuffle before it has no say.
bool is_shuffle(const std::vector<Comparator>& comparators) {
    return comparators.back().order == Order::kShuffle;
}

/// order(): sorts each slot's traversers; those for which a modulator gives nothing go.
class OrderOp final : public BarrierOp {
  public:
    OrderOp(QueryContext& context, Op* input, Scope& scope, std::vector<Comparator> comparators)
        : BarrierOp(context, input, scope),
          comparators_(std::move(comparators)),
          random_(ctx_.make_random()),
          keys_(comparators_.size()) {}

  protected:
    Status add(Batch& in) override {
        HOB_TRY(ctx_.hold(in.size() * (sizeof(Traverser) + comparators_.size() * sizeof(Value)),
                          "order"));
        std::vector<std::uint8_t> keep(in.size(), 1);
        std::vector<std::vector<Value>> keys(comparators_.size());
        for (std::size_t k = 0; k < comparators_.size(); ++k) {
            std::vector<std::uint8_t> found;
            HOB_TRY(comparators_[k].by.apply(ctx_, in, keys[k], found));
            for (std::size_t i = 0; i < in.size(); ++i) {
                if (found[i] == 0) keep[i] = 0;
            }
        }
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (keep[i] == 0) continue;
            for (std::size_t k = 0; k < comparators_.size(); ++k)
                keys_[k].push_back(std::move(keys[k][i]));
            all_.push_back(std::move(in[i]));
        }
        return {};
    }

    Status complete() override {
        std::vector<std::size_t> places(all_.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            places[i] = i;
        if (!is_shuffle(comparators_))
            places = sorted_places(comparators_, keys_, std::move(places));
        if (scope_.slots() > 1) {
            std::stable_sort(places.begin(), places.end(), [this](std::size_t a, std::size_t b) {
                return all_[a].slot < all_[b].slot;
            });
        }
        if (is_shuffle(comparators_)) shuffle_slots(places);
        places_ = std::move(places);
        return {};
    }

    /// One after the other, as a seeded step of a JVM's child traversal goes on from parent to
    /// parent.
    void shuffle_slots(std::span<std::size_t> places) {
        std::size_t begin = 0;
        for (std::size_t end = 1; end <= places.size(); ++end) {
            if (end < places.size() && all_[places[end]].slot == all_[places[begin]].slot) continue;
            shuffle(random_, places.subspan(begin, end - begin));
            begin = end;
        }
    }

    Result<bool> emit(Batch& out, std::size_t max) override {
        const std::size_t end = std::min(places_.size(), at_ + max);
        for (; at_ < end; ++at_)
            out.push_back(std::move(all_[places_[at_]]));
        return at_ < places_.size();
    }

    void clear() override {
        all_.clear();
        for (auto& keys : keys_)
            keys.clear();
        places_.clear();
        at_ = 0;
    }

  private:
    std::vector<Comparator> comparators_;
    Random random_;
    std::vector<std::vector<Value>> keys_;
    Batch all_;
    std::vector<std::size_t> places_;
    std::size_t at_ = 0;
};

/// order(local): sorts a collection's items or a map's entries; all else, a path too, stays as it
/// is.
class OrderLocalOp final : public TransformOp {
  public:
    OrderLocalOp(QueryContext& context, Op* input, Scope& scope,
                 std::vector<Comparator> comparators)
        : TransformOp(context, input, scope),
          comparators_(std::move(comparators)),
          random_(ctx_.make_random()) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        // All items of the whole batch go through each modulator at once.
        Batch items;
        std::vector<std::size_t> ends;
        for (const Traverser& t : in) {
            spread(t, items);
            ends.push_back(items.size());
        }
        std::vector<std::vector<Value>> keys(comparators_.size());
        std::vector<std::uint8_t> keep(items.size(), 1);
        for (std::size_t k = 0; k < comparators_.size(); ++k) {
            std::vector<std::uint8_t> found;
            HOB_TRY(comparators_[k].by.apply(ctx_, items, keys[k], found));
            for (std::size_t i = 0; i < items.size(); ++i) {
                if (found[i] == 0) keep[i] = 0;
            }
        }
        std::size_t begin = 0;
        for (std::size_t n = 0; n < in.size(); ++n) {
            std::vector<std::size_t> places;
            for (std::size_t i = begin; i < ends[n]; ++i) {
                if (keep[i] != 0) places.push_back(i);
            }
            begin = ends[n];
            if (is_shuffle(comparators_)) {
                shuffle(random_, places);
            } else {
                places = sorted_places(comparators_, keys, std::move(places));
            }
            out.push_back(ctx_.split(in[n], gather(in[n].value, items, places)));
        }
        return {};
    }

  private:
    void spread(const Traverser& t, Batch& items) const {
        const auto push = [&](Value value) {
            Traverser item = t;
            item.value = std::move(value);
            items.push_back(std::move(item));
        };
        switch (t.value.kind()) {
            case Kind::kList:
            case Kind::kSet:
                for (const Value& item : t.value.items())
                    push(item);
                return;
            case Kind::kBulkSet:
                for (const auto& [value, count] : t.value.as<BulkSetObject>().entries()) {
                    for (std::int64_t i = 0; i < count; ++i)
                        push(value);
                }
                return;
            case Kind::kMap:
                for (const auto& [key, value] : t.value.as<MapObject>().entries())
                    push(Value::map_entry(key, value));
                return;
            default:
                return;
        }
    }

    static Value gather(const Value& original, const Batch& items,
                        const std::vector<std::size_t>& places) {
        if (original.kind() == Kind::kMap) {
            Value result = make_map();
            std::vector<std::pair<Value, Value>> entries;
            for (const std::size_t i : places) {
                const auto& entry = items[i].value.as<MapEntryObject>();
                entries.emplace_back(entry.key, entry.value);
            }
            result.mutate<MapObject>().assign(std::move(entries));
            return result;
        }
        if (!original.is_collection()) return original;
        std::vector<Value> sorted;
        for (const std::size_t i : places)
            sorted.push_back(items[i].value);
        return Value::list(std::move(sorted));
    }

    std::vector<Comparator> comparators_;
    Random random_;
};

Result<Op*> make_order(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(std::vector<Comparator> comparators, comparators_of(compiler, node));
    if (is_local(node, 0)) return compiler.add<OrderLocalOp>(input, std::move(comparators));
    return compiler.add<OrderOp>(input, std::move(comparators));
}

/// limit, range, skip: low <= n < high of each slot (high -1: open).
class RangeOp final : public Op {
  public:
    RangeOp(QueryContext& context, Op* input, Scope& scope, std::int64_t low, std::int64_t high)
        : Op(context, input, scope), low_(low), high_(high) {}
    void reset() override {
        Op::reset();
        counts_.clear();
        full_ = 0;
        finished_ = false;
    }

  protected:
    Result<Pull> pull(Batch& out, std::size_t max) override {
        const std::size_t begin = out.size();
        while (!finished_) {
            if (high_ == 0 && scope_.fixed) break;
            HOB_TRY(ctx_.check());
            in_.clear();
            HOB_ASSIGN_OR_RETURN(const Pull state, input_->next(in_, bounded(ask(max))));
            for (Traverser& t : in_)
                take(t, out);
            // Every slot has all it may have: what is above need not go on.
            if (high_ != -1 && scope_.fixed && full_ >= scope_.slots()) finished_ = true;
            if (finished_) break;
            if (state != Pull::kMore || out.size() > begin) return state;
        }
        return Pull::kDone;
    }

  private:
    [[nodiscard]] std::size_t ask(std::size_t max) const {
        if (high_ == -1 || scope_.slots() != 1) return max;
        const std::int64_t seen = counts_.empty() ? 0 : counts_[0];
        return std::clamp<std::size_t>(
            static_cast<std::size_t>(std::max<std::int64_t>(high_ - seen, 1)), 1, max);
    }

    void take(Traverser& t, Batch& out) {
        if (t.slot >= counts_.size()) counts_.resize(t.slot + 1, 0);
        std::int64_t& count = counts_[t.slot];
        if (high_ != -1 && count >= high_) return;
        const std::int64_t before = count;
        std::int64_t after = 0;
        if (__builtin_add_overflow(before, t.bulk, &after)) after = INT64_MAX;
        if (high_ != -1 && after > high_) after = high_;
        count = after;
        if (high_ != -1 && after == high_) ++full_;
        const std::int64_t from = std::max(before, low_);
        if (after <= from) return;
        t.bulk = after - from;
        out.push_back(std::move(t));
    }

    std::int64_t low_;
    std::int64_t high_;
    std::vector<std::int64_t> counts_;
    std::size_t full_ = 0;
    bool finished_ = false;
    Batch in_;
};

/// Items low..high of a collection, a map or a path; one item of limit(local, 1) stands by itself
/// as TinkerPop's RangeLocalStep gives it (3.8: a collection stays one).
Value local_range(const Value& v, std::int64_t low, std::int64_t high) {
    const auto cut = [&](std::size_t size) {
        const auto count = static_cast<std::int64_t>(size);
        const std::int64_t begin = std::min(low, count);
        const std::int64_t end = high == -1 ? count : std::min(high, count);
        return std::pair(static_cast<std::ptrdiff_t>(begin),
                         static_cast<std::ptrdiff_t>(std::max(begin, end)));
    };
    switch (v.kind()) {
        case Kind::kMap: {
            const auto& entries = v.as<MapObject>().entries();
            const auto [begin, end] = cut(entries.size());
            Value result = make_map();
            result.mutate<MapObject>().assign({entries.begin() + begin, entries.begin() + end});
            return result;
        }
        case Kind::kList:
        case Kind::kSet: {
            const auto items = v.items();
            const auto [begin, end] = cut(items.size());
            std::vector<Value> kept(items.begin() + begin, items.begin() + end);
            return v.kind() == Kind::kSet ? Value::set(std::move(kept))
                                          : Value::list(std::move(kept));
        }
        case Kind::kPath: {
            const auto& path = v.as<PathObject>();
            const auto [begin, end] = cut(path.objects.size());
            auto* part = new PathObject;
            part->objects = {path.objects.begin() + begin, path.objects.begin() + end};
            part->labels = {path.labels.begin() + begin, path.labels.begin() + end};
            return Value::adopt(Kind::kPath, part);
        }
        default:
            return v;
    }
}

Result<Op*> make_range_of(Compiler& compiler, Op* input, bool local, std::int64_t low,
                          std::int64_t high) {
    if (!local) return compiler.add<RangeOp>(input, low, high);
    return map_values(compiler, input, [low, high](const Value& v) -> Result<Value> {
        return local_range(v, low, high);
    });
}

Result<Op*> make_limit(Compiler& compiler, const Node& node, Op* input) {
    const bool scoped = !node.args.empty() && node.args[0].is_enum(EnumType::kScope);
    HOB_ASSIGN_OR_RETURN(const std::int64_t limit,
                         integer_argument(node, scoped ? 1 : 0, "a count (long)"));
    return make_range_of(compiler, input, is_local(node, 0), 0, limit < 0 ? -1 : limit);
}

Result<Op*> make_skip(Compiler& compiler, const Node& node, Op* input) {
    const bool scoped = !node.args.empty() && node.args[0].is_enum(EnumType::kScope);
    HOB_ASSIGN_OR_RETURN(const std::int64_t count,
                         integer_argument(node, scoped ? 1 : 0, "a count (long)"));
    return make_range_of(compiler, input, is_local(node, 0), std::max<std::int64_t>(count, 0), -1);
}

Result<Op*> make_range(Compiler& compiler, const Node& node, Op* input) {
    const std::size_t at = !node.args.empty() && node.args[0].is_enum(EnumType::kScope) ? 1 : 0;
    HOB_ASSIGN_OR_RETURN(const std::int64_t low, integer_argument(node, at, "a low end (long)"));
    HOB_ASSIGN_OR_RETURN(const std::int64_t high,
                         integer_argument(node, at + 1, "a high end (long)"));
    if (low != -1 && high != -1 && low > high) {
        return Error::invalid("Not a legal range: [{}, {}]", low, high);
    }
    return make_range_of(compiler, input, is_local(node, 0), std::max<std::int64_t>(low, 0), high);
}

/// tail(n): the last n of each slot.
class TailOp final : public BarrierOp {
  public:
    TailOp(QueryContext& context, Op* input, Scope& scope, std::int64_t count)
        : BarrierOp(context, input, scope), count_(count) {}

  protected:
    Status add(Batch& in) override {
        for (Traverser& t : in) {
            if (t.slot >= tails_.size()) tails_.resize(t.slot + 1);
            Tail& tail = tails_[t.slot];
            tail.bulk += t.bulk;
            tail.items.push_back(std::move(t));
            while (!tail.items.empty() && tail.bulk - tail.items.front().bulk >= count_) {
                tail.bulk -= tail.items.front().bulk;
                tail.items.pop_front();
            }
        }
        return {};
    }
    Status complete() override {
        for (Tail& tail : tails_) {
            if (!tail.items.empty() && tail.bulk > count_)
                tail.items.front().bulk -= tail.bulk - count_;
        }
        return {};
    }
    Result<bool> emit(Batch& out, std::size_t) override {
        for (Tail& tail : tails_) {
            for (Traverser& t : tail.items) {
                if (t.bulk > 0) out.push_back(std::move(t));
            }
        }
        return false;
    }
    void clear() override { tails_.clear(); }

  private:
    struct Tail {
        std::deque<Traverser> items;
        std::int64_t bulk = 0;
    };
    std::int64_t count_;
    std::vector<Tail> tails_;
};

Result<Op*> make_tail(Compiler& compiler, const Node& node, Op* input) {
    const auto args = after_scope(node);
    std::int64_t count = 1;
    if (!args.empty()) {
        HOB_ASSIGN_OR_RETURN(count, integer_argument(node, node.args.size() - 1, "a count (long)"));
    }
    if (!is_local(node, 0)) return compiler.add<TailOp>(input, count);
    return map_values(compiler, input, [count](const Value& v) -> Result<Value> {
        std::int64_t size = 0;
        if (v.kind() == Kind::kMap) size = static_cast<std::int64_t>(v.as<MapObject>().size());
        if (v.kind() == Kind::kList || v.kind() == Kind::kSet)
            size = static_cast<std::int64_t>(v.items().size());
        if (v.kind() == Kind::kPath)
            size = static_cast<std::int64_t>(v.as<PathObject>().objects.size());
        return local_range(v, std::max<std::int64_t>(0, size - count), -1);
    });
}

/// dedup(): the first of equal objects (or of what by() or the labels give) in each slot.
class DedupOp final : public TransformOp {
  public:
    DedupOp(QueryContext& context, Op* input, Scope& scope, std::vector<ScopeKey> keys,
            std::vector<By> bys)
        : TransformOp(context, input, scope), keys_(std::move(keys)), bys_(std::move(bys)) {}
    void reset() override {
        TransformOp::reset();
        if (loops_ == nullptr || *loops_ == 0) seen_.clear();
    }
    /// Inside repeat() what was seen stays known over all loops: only loop 0 starts afresh.
    void keep_across_loops(const std::int64_t* loops) { loops_ = loops; }

  protected:
    Status apply(Batch& in, Batch& out) override {
        std::vector<std::uint8_t> keep(in.size(), 1);
        std::vector<Value> what(in.size());
        if (keys_.empty()) {
            HOB_TRY(bys_[0].apply(ctx_, in, what, keep));
        } else {
            HOB_TRY(labelled(in, what, keep));
        }
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (keep[i] == 0) continue;
            if (in[i].slot >= seen_.size()) seen_.resize(in[i].slot + 1);
            if (!seen_[in[i].slot].insert(std::move(what[i])).second) continue;
            HOB_TRY(ctx_.hold(sizeof(Value) * 2, "dedup"));
            in[i].bulk = 1;
            out.push_back(std::move(in[i]));
        }
        return {};
    }

  private:
    Status labelled(std::span<const Traverser> in, std::vector<Value>& what,
                    std::vector<std::uint8_t>& keep) {
        std::vector<std::vector<Value>> parts(in.size());
        for (const ScopeKey& key : keys_) {
            Batch asked;
            std::vector<std::size_t> places;
            for (std::size_t i = 0; i < in.size(); ++i) {
                auto value = scope_value(ctx_, in[i], key, Pop::kLast);
                if (!value) {
                    keep[i] = 0;
                    continue;
                }
                Traverser t = in[i];
                t.value = std::move(*value);
                asked.push_back(std::move(t));
                places.push_back(i);
            }
            std::vector<Value> values;
            std::vector<std::uint8_t> found;
            HOB_TRY(bys_[0].apply(ctx_, asked, values, found));
            for (std::size_t k = 0; k < places.size(); ++k) {
                if (found[k] == 0) keep[places[k]] = 0;
                parts[places[k]].push_back(std::move(values[k]));
            }
        }
        for (std::size_t i = 0; i < in.size(); ++i)
            what[i] = Value::list(std::move(parts[i]));
        return {};
    }

    std::vector<ScopeKey> keys_;
    std::vector<By> bys_;
    std::vector<ValueSet> seen_;
    const std::int64_t* loops_ = nullptr;
};

Result<Op*> make_dedup(Compiler& compiler, const Node& node, Op* input) {
    if (is_local(node, 0)) {
        return map_values(compiler, input, [](const Value& v) -> Result<Value> {
            if (v.kind() == Kind::kList || v.kind() == Kind::kSet)
                return Value::set({v.items().begin(), v.items().end()});
            if (v.kind() == Kind::kPath) return Value::set(v.as<PathObject>().objects);
            return v;
        });
    }
    if (node.bys.size() > 1) return Error::invalid("Dedup step can only have one by modulator");
    std::vector<ScopeKey> keys;
    for (std::size_t i = node.args.size() - after_scope(node).size(); i < node.args.size(); ++i) {
        HOB_ASSIGN_OR_RETURN(const std::string name,
                             string_argument(node, i, "a step label (string)"));
        keys.push_back(scope_key(compiler.context(), name));
    }
    HOB_ASSIGN_OR_RETURN(std::vector<By> bys, compiler.bys(node));
    auto* op = compiler.add<DedupOp>(input, std::move(keys), std::move(bys));
    if (!compiler.loops().empty()) op->keep_across_loops(compiler.loops().back().loops);
    return op;
}

}  // namespace

extern const StepSpec order_step;
const StepSpec order_step = {
    .name = "order", .modulators = kBy, .make = make_order, .barrier = true};
extern const StepSpec limit_step;
const StepSpec limit_step = {.name = "limit", .make = make_limit, .filter = true, .stops = true};
extern const StepSpec range_step;
const StepSpec range_step = {.name = "range", .make = make_range, .filter = true, .stops = true};
extern const StepSpec skip_step;
const StepSpec skip_step = {.name = "skip", .make = make_skip, .filter = true};
extern const StepSpec tail_step;
const StepSpec tail_step = {.name = "tail", .make = make_tail, .barrier = true};
extern const StepSpec dedup_step;
const StepSpec dedup_step = {
    .name = "dedup", .modulators = kBy, .make = make_dedup, .filter = true};

}  // namespace hob::gremlin
