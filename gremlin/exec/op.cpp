#include "gremlin/exec/op.h"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <algorithm>

namespace hob::gremlin {

PathRef PathRef::push(Value object, LabelSetId labels) const {
    auto* node = new PathNode;
    node->length = node_ == nullptr ? 1 : node_->length + 1;
    node->previous = node_;
    if (node_ != nullptr) ++node_->references;
    node->object = std::move(object);
    node->labels = labels;
    PathRef result;
    result.node_ = node;
    return result;
}

PathRef PathRef::relabel(LabelSetId labels) const {
    PathRef previous;
    previous.node_ = node_->previous;
    if (previous.node_ != nullptr) ++previous.node_->references;
    return previous.push(node_->object, labels);
}

void PathRef::drop(PathNode* node) {
    // Iterative: a path may be a million nodes long.
    while (node != nullptr && --node->references == 0) {
        PathNode* previous = node->previous;
        delete node;
        node = previous;
    }
}

void Op::put_labels(Batch& out, std::size_t from) const {
    for (std::size_t i = from; i < out.size(); ++i) {
        Traverser& t = out[i];
        if (ctx_.path_mode == PathMode::kLabels || t.path.get() == nullptr) {
            t.path = t.path.push(t.value, labels_);
        } else {
            t.path = t.path.relabel(ctx_.labels.unite(t.path.get()->labels, labels_));
        }
    }
}

Result<Pull> Op::next(Batch& out, std::size_t max) {
    max = std::min(max, ctx_.batch_max);
    const std::size_t from = out.size();
    if (!ctx_.profiling) {
        auto result = pull(out, max);
        if (labels_ != LabelSetId::kNone && ctx_.path_mode != PathMode::kNone)
            put_labels(out, from);
        return result;
    }
    const auto begin = std::chrono::steady_clock::now();
    const store::CallStats before = ctx_.transaction->stats();
    auto result = pull(out, max);
    if (labels_ != LabelSetId::kNone && ctx_.path_mode != PathMode::kNone) put_labels(out, from);
    metrics_.duration_ns += std::chrono::duration_cast<std::chrono::nanoseconds>(
                                std::chrono::steady_clock::now() - begin)
                                .count();
    metrics_.storage += ctx_.transaction->stats() - before;
    for (std::size_t i = from; i < out.size(); ++i) {
        ++metrics_.traversers;
        metrics_.bulk += out[i].bulk;
    }
    return result;
}

Result<Pull> Op::next_counted(Batch& out, std::size_t max, std::uint64_t& held_bytes) {
    const std::uint64_t before = ctx_.memory_bytes;
    auto result = next(out, max);
    held_bytes += ctx_.memory_bytes - before;
    return result;
}

void Op::release(std::uint64_t& held_bytes) {
    ctx_.memory_bytes -= std::min(ctx_.memory_bytes, held_bytes);
    held_bytes = 0;
}

Result<Pull> SourceOp::pull(Batch& out, std::size_t max) {
    const std::size_t begin = out.size();
    while (at_ < queue_.size() && out.size() - begin < max) {
        Traverser& t = queue_[at_++];
        if (!scope_.is_done(t.slot)) out.push_back(std::move(t));
    }
    if (at_ < queue_.size()) return Pull::kMore;
    queue_.clear();
    at_ = 0;
    return closed_ ? Pull::kDone : Pull::kBlocked;
}

Result<Pull> TransformOp::pull(Batch& out, std::size_t max) {
    const std::size_t begin = out.size();
    std::size_t wanted = bounded(max);
    while (true) {
        HOB_TRY(ctx_.check());
        in_.clear();
        HOB_ASSIGN_OR_RETURN(const Pull state,
                             gathers_ ? gather(*input_, in_, wanted) : input_->next(in_, wanted));
        if (gathers_) merge_bulks(ctx_, in_);
        if (!in_.empty()) HOB_TRY(apply(in_, out));
        if (state != Pull::kMore || out.size() > begin) return state;
        wanted = bounded(kBatchMax);  // Nothing came through: small batches won't be any quicker.
    }
}

Result<Pull> BarrierOp::pull(Batch& out, std::size_t max) {
    while (!complete_) {
        HOB_TRY(ctx_.check());
        in_.clear();
        HOB_ASSIGN_OR_RETURN(const Pull state, gathers_ ? gather(*input_, in_, batch_max_)
                                                        : input_->next(in_, kBatchMax));
        if (!in_.empty()) HOB_TRY(add(in_));
        if (state == Pull::kBlocked) return Pull::kBlocked;
        if (state == Pull::kDone) {
            HOB_TRY(complete());
            complete_ = true;
        }
    }
    if (finished_) return Pull::kDone;
    HOB_ASSIGN_OR_RETURN(const bool more, emit(out, max));
    finished_ = !more;
    return more ? Pull::kMore : Pull::kDone;
}

Result<bool> HoldingOp::emit(Batch& out, std::size_t max) {
    const std::size_t end = std::min(all_.size(), at_ + max);
    for (; at_ < end; ++at_)
        out.push_back(std::move(all_[at_]));
    return at_ < all_.size();
}

void Child::start(std::span<const Traverser> parents) {
    tail_->release(held_bytes_);
    scope_->reset(parents.size(), true);
    tail_->reset();
    head_->reset();
    for (std::size_t i = 0; i < parents.size(); ++i) {
        Traverser t = parents[i];
        t.slot = static_cast<std::uint32_t>(i);
        t.bulk = 1;
        head_->feed(std::move(t));
    }
    head_->close();
}

Status Child::drain(Batch& out) {
    while (true) {
        HOB_ASSIGN_OR_RETURN(const Pull state, next(out, kBatchMax));
        if (state != Pull::kMore) return {};
    }
}

Status Child::first(std::span<const Traverser> parents, std::vector<Value>& values,
                    std::vector<std::uint8_t>& found) {
    values.assign(parents.size(), Value());
    found.assign(parents.size(), 0);
    start(parents);
    Batch batch;
    while (true) {
        batch.clear();
        HOB_ASSIGN_OR_RETURN(const Pull state, next(batch, kBatchMax));
        for (Traverser& t : batch) {
            if (found[t.slot] != 0) continue;
            found[t.slot] = 1;
            values[t.slot] = std::move(t.value);
            scope_->finish(t.slot);
        }
        if (state != Pull::kMore) return {};
    }
}

Status Child::exists(std::span<const Traverser> parents, std::vector<std::uint8_t>& found) {
    found.assign(parents.size(), 0);
    start(parents);
    Batch batch;
    while (true) {
        batch.clear();
        HOB_ASSIGN_OR_RETURN(const Pull state, next(batch, kBatchMax));
        for (const Traverser& t : batch) {
            found[t.slot] = 1;
            scope_->finish(t.slot);
        }
        if (state != Pull::kMore) return {};
    }
}

namespace {

struct BulkKey {
    const Traverser* traverser;
};
struct BulkKeyHash {
    std::size_t operator()(const BulkKey& k) const {
        return hash_of(k.traverser->value) * 31 + k.traverser->slot * 1000003ULL + k.traverser->tag;
    }
};
struct BulkKeyEqual {
    bool operator()(const BulkKey& a, const BulkKey& b) const {
        const Value& x = a.traverser->value;
        const Value& y = b.traverser->value;
        // An edge met from its other end goes on to another vertex (otherV). A property is equal by
        // key and value, but drop() and element() tell whose it is.
        return a.traverser->slot == b.traverser->slot && a.traverser->tag == b.traverser->tag &&
               a.traverser->path.get() == b.traverser->path.get() && identical(x, y) &&
               (x.kind() != Kind::kEdge || x.edge_origin() == y.edge_origin()) &&
               (x.kind() != Kind::kProperty ||
                identical(x.as<PropertyObject>().element, y.as<PropertyObject>().element));
    }
};

}  // namespace

namespace {

void merge(const QueryContext& context, Batch& batch) {
    if (context.path_mode == PathMode::kFull || batch.size() < 2) return;
    if (context.sack.used && !context.sack.merges) return;
    absl::flat_hash_map<BulkKey, std::size_t, BulkKeyHash, BulkKeyEqual> seen;
    seen.reserve(batch.size());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const auto found = seen.find(BulkKey{&batch[i]});
        if (found != seen.end()) {
            Traverser& first = batch[found->second];
            // A count beyond 64 bits stays apart rather than wrap around.
            std::int64_t sum = 0;
            if (!__builtin_add_overflow(first.bulk, batch[i].bulk, &sum)) {
                bool merged = true;
                if (context.sack.used) {
                    auto sack = apply_operator(context.sack.merge, first.sack, batch[i].sack);
                    merged = sack.ok();
                    if (merged) first.sack = std::move(*sack);
                }
                if (merged) {
                    first.bulk = context.counts_bulk ? sum : 1;
                    continue;
                }
            }
        }
        if (kept != i) batch[kept] = std::move(batch[i]);
        seen.emplace(BulkKey{&batch[kept]}, kept);
        ++kept;
    }
    batch.erase(batch.begin() + static_cast<std::ptrdiff_t>(kept), batch.end());
}

}  // namespace

Result<Pull> gather(Op& input, Batch& batch, std::size_t wanted) {
    constexpr std::size_t kTraversersMax = 20'000;
    Pull state = Pull::kMore;
    if (wanted < kBatchMax) {  // On its way to a reader who waits: not held up.
        while (state == Pull::kMore && batch.size() < wanted) {
            HOB_ASSIGN_OR_RETURN(state, input.next(batch, wanted - batch.size()));
        }
        return state;
    }
    absl::flat_hash_set<std::size_t> distinct;
    while (state == Pull::kMore && distinct.size() < wanted && batch.size() < kTraversersMax) {
        const std::size_t before = batch.size();
        // Not just the rest: who is asked for little reads little.
        HOB_ASSIGN_OR_RETURN(state, input.next(batch, wanted));
        for (std::size_t i = before; i < batch.size(); ++i)
            distinct.insert(hash_of(batch[i].value));
    }
    return state;
}

void merge_bulks(const QueryContext& context, Batch& batch) {
    if (context.bulk && context.counts_bulk && context.applies("bulk")) merge(context, batch);
}

void merge_at_barrier(const QueryContext& context, Batch& batch) {
    if (context.bulk) merge(context, batch);
}

}  // namespace hob::gremlin
