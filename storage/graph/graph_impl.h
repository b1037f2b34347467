#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "storage/graph/graph.h"
#include "storage/graph/hybrid_clock.h"
#include "storage/graph/intents.h"
#include "storage/graph/schema.h"
#include "storage/layout/dictionary.h"
#include "storage/layout/id_block.h"
#include "storage/layout/ids.h"

namespace hob::graph {

/// What transactions share of one graph: its tables' names, dictionary, id blocks and indexes.
/// Thread-safe.
class GraphImpl final : public Graph, public std::enable_shared_from_this<GraphImpl> {
  public:
    GraphImpl(std::shared_ptr<store::RowStore> store, GraphOptions options);

    /// Creates what is missing and reads what is there. Errors: kInvalidArgument when the graph was
    /// made with other ids.
    Status load(const store::CallContext& call);

    [[nodiscard]] const GraphOptions& options() const override { return options_; }
    [[nodiscard]] store::RowStore& store() const override { return *store_; }
    std::unique_ptr<Transaction> begin() override;
    Status create_index(const IndexSpec& spec, const store::CallContext& call) override;
    Status drop_index(std::string_view name, const store::CallContext& call) override;
    std::vector<IndexSpec> indexes() const override;
    [[nodiscard]] std::optional<Value> vertex_id_of(const Value& id) const override {
        return ids_.normal(id);
    }
    [[nodiscard]] std::optional<Value> edge_id_of(const Value& id) const override;
    Status clear(const store::CallContext& call) override;

    // --- for transactions ---
    [[nodiscard]] const std::string& vertex_table() const { return options_.name; }
    [[nodiscard]] std::string index_table() const { return options_.name + "_i"; }
    [[nodiscard]] std::string meta_table() const { return options_.name + "_meta"; }
    [[nodiscard]] const layout::IdCodec& ids() const { return ids_; }
    layout::Dictionary& dictionary() { return dictionary_; }
    layout::IdBlock& vertex_ids() { return vertex_ids_; }
    layout::IdBlock& edge_ids() { return edge_ids_; }
    layout::IdBlock& property_ids() { return property_ids_; }
    HybridClock& clock() { return clock_; }
    Intents& intents() { return *intents_; }
    [[nodiscard]] std::shared_ptr<const Schema> schema() const;
    /// Held shared by a commit, so that no commit that knows nothing of an index slips past its
    /// filling.
    std::shared_mutex& commit_mutex() { return commit_mutex_; }
    /// Other servers may write this store too: their names and indexes are looked for now and then.
    [[nodiscard]] bool is_shared() const { return shared_; }
    /// On a shared store: dictionary and indexes are read anew when older than Dictionary::kAgeMax.
    Status refresh(const store::CallContext& call);

  private:
    Status create_tables(const store::CallContext& call);
    Status check_description(const store::CallContext& call);
    Status load_schema(const store::CallContext& call);
    Status write_index(const Index& index, const store::CallContext& call);
    /// Swaps the shared schema for one with `indexes`.
    void publish(std::vector<Index> indexes);
    Status fill_index(const Index& index, const store::CallContext& call);
    Status erase_entries(std::uint16_t code, const store::CallContext& call);

    const std::shared_ptr<store::RowStore> store_;
    const GraphOptions options_;
    const layout::IdCodec ids_;
    layout::Dictionary dictionary_;
    layout::IdBlock vertex_ids_;
    layout::IdBlock edge_ids_;
    layout::IdBlock property_ids_;
    HybridClock clock_;
    const std::unique_ptr<Intents> intents_ = std::make_unique<NoIntents>();
    bool shared_ = false;
    mutable std::mutex schema_mutex_;
    std::shared_ptr<const Schema> schema_ =
        std::make_shared<Schema>();                          ///< Guarded by schema_mutex_.
    std::chrono::steady_clock::time_point schema_loaded_{};  ///< Guarded by schema_mutex_.
    std::shared_mutex commit_mutex_;
    std::mutex definition_mutex_;  ///< One index is created or dropped at a time.
};

}  // namespace hob::graph
