#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "gremlin/steps/step.h"

namespace hob::gremlin {

/// Base of tree('x') and subgraph('x'): barriers that put what they see into a side effect and give
/// it on. The traversers of one slot are put in and given on before the next slot's are, so that a
/// local child sees what TinkerPop, which runs parent after parent, shows it.
class SideEffectBarrierOp : public BarrierOp {
  public:
    SideEffectBarrierOp(QueryContext& context, Op* input, Scope& scope, std::string key)
        : BarrierOp(context, input, scope), key_(std::move(key)) {}

  protected:
    /// Puts the traversers [from, to) of `all()`, of one slot, into the side effect.
    virtual Status apply(std::size_t from, std::size_t to) = 0;
    [[nodiscard]] const Batch& all() const { return all_; }
    [[nodiscard]] const std::string& key() const { return key_; }

    Status add(Batch& in) override {
        HOB_TRY(ctx_.hold(in.size() * sizeof(Traverser), name()));
        std::move(in.begin(), in.end(), std::back_inserter(all_));
        return {};
    }
    Result<bool> emit(Batch& out, std::size_t max) override {
        if (at_ == slot_end_ && at_ < all_.size()) {
            while (slot_end_ < all_.size() && all_[slot_end_].slot == all_[at_].slot)
                ++slot_end_;
            HOB_TRY(apply(at_, slot_end_));
        }
        const std::size_t end = std::min(slot_end_, at_ + max);
        for (; at_ < end; ++at_)
            out.push_back(std::move(all_[at_]));
        return at_ < all_.size();
    }
    void clear() override {
        all_.clear();
        at_ = 0;
        slot_end_ = 0;
    }

  private:
    std::string key_;
    Batch all_;
    std::size_t at_ = 0;
    std::size_t slot_end_ = 0;
};

}  // namespace hob::gremlin
