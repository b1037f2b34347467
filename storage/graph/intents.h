#pragma once
#include <cstdint>
#include <span>

#include "storage/base/error.h"
#include "storage/store/row_store.h"

namespace hob::graph {

/// What makes a commit of several rows whole on a store that has no transactions: `before` makes
/// the mutations durable elsewhere, `after` forgets them. A server that finds what was left behind
/// applies it again, with the same timestamp. Thread-safe.
class Intents {
  public:
    virtual ~Intents() = default;
    virtual Status before(std::span<const store::RowMutation> mutations,
                          std::int64_t timestamp_us) = 0;
    virtual Status after(std::int64_t timestamp_us) = 0;
};

/// For stores whose commit is all or nothing.
class NoIntents final : public Intents {
  public:
    Status before(std::span<const store::RowMutation>, std::int64_t) override { return {}; }
    Status after(std::int64_t) override { return {}; }
};

}  // namespace hob::graph
