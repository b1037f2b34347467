// sample, global and local; chosen as TinkerPop's steps do, so that a seed (SeedStrategy) gives
// what clients of a JVM server know.
#include <algorithm>

#include "gremlin/steps/step.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

/// sample(n): n of each slot, by weight, in the order in which they were drawn.
class SampleOp final : public BarrierOp {
  public:
    SampleOp(QueryContext& context, Op* input, Scope& scope, std::int64_t count,
             std::optional<By> weight)
        : BarrierOp(context, input, scope),
          count_(count),
          weight_(std::move(weight)),
          random_(ctx_.make_random()) {}

  protected:
    Status add(Batch& in) override {
        std::vector<Value> weights(in.size(), Value::double_(1.0));
        std::vector<std::uint8_t> found(in.size(), 1);
        if (weight_) HOB_TRY(weight_->apply(ctx_, in, weights, found));
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (found[i] == 0) continue;
            if (!weights[i].is_number()) {
                return Error::execution("Traverser {} does not evaluate to a number with {}",
                                        to_text(in[i].value), to_text(weights[i]));
            }
            if (in[i].slot >= slots_.size()) slots_.resize(in[i].slot + 1);
            slots_[in[i].slot].push_back({std::move(in[i]), to_double(weights[i]), 0});
        }
        return {};
    }
    Result<bool> emit(Batch& out, std::size_t) override {
        for (auto& items : slots_) {
            for (const std::size_t i : choose(items)) {
                items[i].traverser.bulk = items[i].taken;
                out.push_back(std::move(items[i].traverser));
            }
        }
        return false;
    }
    void clear() override { slots_.clear(); }

  private:
    struct Item {
        Traverser traverser;
        double weight = 1;
        std::int64_t taken = 0;
    };

    /// Indexes of the chosen items; `taken` says how many of each.
    std::vector<std::size_t> choose(std::vector<Item>& items) {
        std::int64_t total = 0;
        double total_weight = 0;
        for (const Item& item : items) {
            total += item.traverser.bulk;
            total_weight += item.weight * static_cast<double>(item.traverser.bulk);
        }
        std::vector<std::size_t> chosen;
        if (total <= count_) {
            for (std::size_t i = 0; i < items.size(); ++i) {
                items[i].taken = items[i].traverser.bulk;
                chosen.push_back(i);
            }
            return chosen;
        }
        for (std::int64_t drawn = 0; drawn < count_;) {
            const std::size_t i = one_round(items, total_weight);
            if (i == items.size()) continue;
            ++drawn;
            if (items[i].taken++ == 0) chosen.push_back(i);
        }
        return chosen;
    }

    /// Walks over the candidates once; the index of the one that was drawn, or past the end.
    std::size_t one_round(const std::vector<Item>& items, double total_weight) {
        double left = total_weight;
        for (std::size_t k = 0; k < items.size(); ++k) {
            for (std::int64_t i = items[k].taken; i < items[k].traverser.bulk; ++i) {
                if (random_.next_double() <= items[k].weight / left) return k;
                left -= items[k].weight;
            }
        }
        return items.size();
    }

    std::int64_t count_;
    std::optional<By> weight_;
    Random random_;
    std::vector<std::vector<Item>> slots_;
};

/// `count` of the items, in the order in which they are drawn.
std::vector<Value> draw(std::vector<Value> items, std::int64_t count, Random& random) {
    if (static_cast<std::int64_t>(items.size()) <= count) return items;
    std::vector<Value> drawn;
    while (static_cast<std::int64_t>(drawn.size()) < count) {
        const auto at = items.begin() + random.next_int(static_cast<std::int32_t>(items.size()));
        drawn.push_back(std::move(*at));
        items.erase(at);
    }
    return drawn;
}

/// sample(local, n) of a collection or a map; anything else passes.
Value sample_of(const Value& value, std::int64_t count, Random& random) {
    if (value.kind() == Kind::kList || value.kind() == Kind::kSet)
        return Value::list(draw({value.items().begin(), value.items().end()}, count, random));
    if (value.kind() != Kind::kMap) return value;
    std::vector<Value> entries;
    for (const auto& [key, item] : value.as<MapObject>().entries())
        entries.push_back(Value::map_entry(key, item));
    Value map = make_map();
    for (const Value& entry : draw(std::move(entries), count, random)) {
        map.mutate<MapObject>().put(entry.as<MapEntryObject>().key,
                                    entry.as<MapEntryObject>().value);
    }
    return map;
}

Result<Op*> make_sample(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(
        const std::int64_t count,
        integer_argument(node, node.args.empty() ? 0 : node.args.size() - 1, "a count (int)"));
    if (is_local(node, 0)) {
        const auto random = std::make_shared<Random>(compiler.context().make_random());
        return map_values(compiler, input, [count, random](const Value& value) -> Result<Value> {
            return sample_of(value, count, *random);
        });
    }
    std::optional<By> weight;
    if (node.bys.size() > 1) return Error::invalid("Sample step can only have one by modulator");
    if (node.bys.size() == 1) {
        HOB_ASSIGN_OR_RETURN(weight, compiler.by(node.bys[0], "sample"));
    }
    return compiler.add<SampleOp>(input, count, std::move(weight));
}

}  // namespace

extern const StepSpec sample_step;
const StepSpec sample_step = {
    .name = "sample", .modulators = kBy, .make = make_sample, .barrier = true};

}  // namespace hob::gremlin
