#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gremlin/exec/context.h"
#include "gremlin/exec/traverser.h"
#include "storage/base/error.h"

namespace hob::gremlin {

/// What an operator says after a pull; what it appended counts in every case.
enum class Pull : std::uint8_t {
    kMore,     ///< Ask again.
    kBlocked,  ///< Nothing now: a source further up waits to be fed (inside branches and repeats).
    kDone,     ///< Nothing will ever come until `reset`.
};

/// The slots that a (child) pipeline works on at the moment: one for each parent of a local child,
/// the parent's own ones for a branch.
struct Scope {
    std::vector<std::uint8_t>
        live;  ///< Slots that got a start; reducing barriers answer for each of these.
    std::vector<std::uint8_t> done;  ///< Slots whose consumer (at the pipeline's end) wants no
                                     ///< more; sources and expansions skip them.
    bool fixed = false;  ///< All slots are known from the start (the whole query, a local child).

    void reset(std::size_t slots, bool all_live) {
        live.assign(slots, all_live ? 1 : 0);
        done.assign(slots, 0);
    }
    void touch(std::uint32_t slot) {
        if (slot >= live.size()) {
            live.resize(slot + 1, 0);
            done.resize(slot + 1, 0);
        }
        live[slot] = 1;
    }
    void finish(std::uint32_t slot) {
        if (slot >= done.size()) done.resize(slot + 1, 0);
        done[slot] = 1;
    }
    [[nodiscard]] bool is_done(std::uint32_t slot) const {
        return slot < done.size() && done[slot] != 0;
    }
    [[nodiscard]] std::size_t slots() const { return live.size(); }
};

/// What profile() shows of one operator.
struct OpMetrics {
    std::int64_t traversers = 0;
    std::int64_t bulk = 0;
    std::int64_t duration_ns = 0;  ///< Its own and its inputs' time.
    store::CallStats storage{};    ///< Its own and its inputs' calls.
};

/// One operator of a physical plan: takes batches from its input, gives batches. Every stateful
/// operator keeps its state per slot. Used by one thread at a time; owned by the plan.
class Op {
  public:
    Op(QueryContext& context, Op* input, Scope& scope)
        : ctx_(context), input_(input), scope_(scope) {}
    Op(const Op&) = delete;
    Op& operator=(const Op&) = delete;
    virtual ~Op() = default;

    /// Appends up to about `max` traversers (flatMap steps may give a few more), labels put on.
    Result<Pull> next(Batch& out, std::size_t max);
    /// The same for the last operator of a child that runs again and again: what the run holds
    /// (QueryContext::hold) is added to `held_bytes`, for `release` to give back when the next run
    /// begins.
    Result<Pull> next_counted(Batch& out, std::size_t max, std::uint64_t& held_bytes);
    void release(std::uint64_t& held_bytes);
    /// Forgets all state and that of the inputs: ready for a new run (a child's next batch of
    /// parents, a repeat's next loop).
    virtual void reset() {
        if (input_ != nullptr) input_->reset();
    }

    void set_labels(LabelSetId labels) { labels_ = labels; }
    void set_name(std::string name) { name_ = std::move(name); }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const OpMetrics& metrics() const { return metrics_; }
    [[nodiscard]] Op* input() const { return input_; }
    /// The ends of the child pipelines of its step, in order; for explain() and profile().
    void set_children(std::vector<const Op*> tails) { children_ = std::move(tails); }
    [[nodiscard]] const std::vector<const Op*>& children() const { return children_; }
    /// What it asks of the store by itself, in words for explain(); empty when nothing special is
    /// known.
    [[nodiscard]] virtual std::string storage_call() const { return {}; }
    void set_storage_note(std::string note) { storage_note_ = std::move(note); }
    [[nodiscard]] const std::string& storage_note() const { return storage_note_; }
    /// Largest batch it asks of its input; 1 where laziness can be seen.
    void set_batch_max(std::size_t batch_max) { batch_max_ = batch_max; }
    [[nodiscard]] Scope& scope() const { return scope_; }
    /// For steps that read, or whose children do: their batches are filled with as many distinct
    /// elements as one multi-get may have, however many traversers stand on each.
    void gather_input() { gathers_ = true; }

  protected:
    virtual Result<Pull> pull(Batch& out, std::size_t max) = 0;
    [[nodiscard]] std::size_t bounded(std::size_t max) const {
        return max < batch_max_ ? max : batch_max_;
    }

    QueryContext& ctx_;
    Op* input_;
    Scope& scope_;
    std::size_t batch_max_ = kBatchMax;
    bool gathers_ = false;

  private:
    void put_labels(Batch& out, std::size_t from) const;
    LabelSetId labels_ = LabelSetId::kNone;
    std::string name_;
    std::string storage_note_;  ///< The planner's words for it.
    std::vector<const Op*> children_;
    OpMetrics metrics_{};
};

/// The head of a child pipeline: gives what was fed to it.
class SourceOp final : public Op {
  public:
    SourceOp(QueryContext& context, Scope& scope) : Op(context, nullptr, scope) {}
    void feed(Traverser t) {
        scope_.touch(t.slot);
        queue_.push_back(std::move(t));
    }
    void close() { closed_ = true; }
    void reset() override {
        queue_.clear();
        at_ = 0;
        closed_ = false;
    }
    [[nodiscard]] bool pending() const { return at_ < queue_.size(); }

  protected:
    Result<Pull> pull(Batch& out, std::size_t max) override;

  private:
    Batch queue_;
    std::size_t at_ = 0;
    bool closed_ = false;
};

/// Base of steps that turn each batch into another without waiting for the next (map, flatMap,
/// filter, sideEffect).
class TransformOp : public Op {
  public:
    using Op::Op;

  protected:
    Result<Pull> pull(Batch& out, std::size_t max) final;
    /// Moves or copies what goes on from `in` to `out`.
    virtual Status apply(Batch& in, Batch& out) = 0;

  private:
    Batch in_;
};

/// Base of steps that must see all their input before they give anything.
class BarrierOp : public Op {
  public:
    using Op::Op;
    void reset() override {
        Op::reset();
        complete_ = false;
        finished_ = false;
        clear();
    }

  protected:
    Result<Pull> pull(Batch& out, std::size_t max) final;
    virtual Status add(Batch& in) = 0;
    /// All input was seen.
    virtual Status complete() { return {}; }
    /// Appends up to `max`; true while there is more.
    virtual Result<bool> emit(Batch& out, std::size_t max) = 0;
    virtual void clear() = 0;

  private:
    Batch in_;
    bool complete_ = false;  ///< All input was seen.
    bool finished_ = false;  ///< All was given; a caller may still ask.
};

/// Base of barriers that give on, in order, the traversers that they were given.
class HoldingOp : public BarrierOp {
  public:
    using BarrierOp::BarrierOp;

  protected:
    /// Takes over the batch.
    void keep(Batch& in) { std::move(in.begin(), in.end(), std::back_inserter(all_)); }
    [[nodiscard]] Batch& all() { return all_; }
    Result<bool> emit(Batch& out, std::size_t max) override;
    void clear() override {
        all_.clear();
        at_ = 0;
    }

  private:
    Batch all_;
    std::size_t at_ = 0;
};

/// A compiled local child traversal (where, by, local, project ...): runs once for a whole batch of
/// parents, each in a slot of its own.
class Child {
  public:
    Child() = default;
    Child(std::unique_ptr<Scope> scope, SourceOp* head, Op* tail)
        : scope_(std::move(scope)), head_(head), tail_(tail) {}
    [[nodiscard]] bool valid() const { return tail_ != nullptr; }
    [[nodiscard]] Scope& scope() const { return *scope_; }
    /// Starts over with these parents; parent i is slot i, with a bulk of 1.
    void start(std::span<const Traverser> parents);
    /// The next results (their slot is the parent's index).
    Result<Pull> next(Batch& out, std::size_t max = kBatchMax) {
        return tail_->next_counted(out, max, held_bytes_);
    }
    /// All results.
    Status drain(Batch& out);
    /// The first result of each parent; `found[i]` tells whether there was one.
    Status first(std::span<const Traverser> parents, std::vector<Value>& values,
                 std::vector<std::uint8_t>& found);
    /// Whether each parent has a result.
    Status exists(std::span<const Traverser> parents, std::vector<std::uint8_t>& found);
    [[nodiscard]] SourceOp* head() const { return head_; }
    [[nodiscard]] Op* tail() const { return tail_; }

  private:
    std::unique_ptr<Scope> scope_;
    SourceOp* head_ = nullptr;
    Op* tail_ = nullptr;
    std::uint64_t held_bytes_ = 0;  ///< By the run that goes on.
};

/// Pulls from `input` until `batch` holds `wanted` traversers (up to twice as many), or nothing
/// more comes now; a full batch (`wanted` = kBatchMax) counts distinct objects, so that what a step
/// reads for all that stand on them is one round trip. Looks at a bounded number of traversers.
Result<Pull> gather(Op& input, Batch& batch, std::size_t wanted);

/// Merges traversers that nothing sets apart (value, slot, tag; sacks only when equal); keeps the
/// order of the first of each. No-op where paths are kept or bulking is off.
void merge_bulks(const QueryContext& context, Batch& batch);
/// What barrier() does: merges too, and after withBulk(false) what is merged counts as one.
void merge_at_barrier(const QueryContext& context, Batch& batch);

}  // namespace hob::gremlin
