#pragma once
#include <absl/container/flat_hash_set.h>
#include <array>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/graph/graph_impl.h"
#include "storage/graph/record_cache.h"
#include "storage/graph/write_buffer.h"
#include "storage/layout/cells.h"

namespace hob::graph {

using layout::EdgePlace;
using layout::NameKind;
using layout::Names;

/// An edge as it was found in a row.
struct FoundEdge {
    EdgePlace place;
    std::string value;  ///< Of its cells.
};

/// See Transaction. The sources are split by what they do: transaction.cpp (life), read.cpp,
/// expansion.cpp, scans.cpp, write.cpp, write_edges.cpp, index_entries.cpp.
class TransactionImpl final : public Transaction {
  public:
    explicit TransactionImpl(std::shared_ptr<GraphImpl> graph);

    void use(store::CallContext call) override { call_ = std::move(call); }
    [[nodiscard]] const store::CallStats& stats() const override { return stats_; }
    Status read_vertices(std::span<const Value> vertices, const Projection& projection,
                         std::vector<const VertexRecord*>& out) override;
    void forget(std::size_t records_max) override;
    Result<std::unique_ptr<Expansion>> expand(std::span<const Value> vertices,
                                              const ExpandSpec& spec) override;
    Status count_edges(std::span<const Value> vertices, const ExpandSpec& spec,
                       std::vector<std::int64_t>& out) override;
    Status read_edges(std::span<const Value> ids, std::vector<Value>& out) override;
    Result<std::unique_ptr<ElementScan>> scan_vertices(std::vector<std::string> labels,
                                                       const Projection& projection) override;
    Result<std::unique_ptr<ElementScan>> scan_edges(std::vector<std::string> labels) override;
    std::optional<IndexSpec> find_index(ElementType element, std::string_view label,
                                        std::string_view key) override;
    Status index_lookup(const IndexSpec& index, std::span<const Value> values,
                        std::vector<Value>& out) override;
    Result<bool> index_candidates(const IndexSpec& index, std::span<const Value> values,
                                  std::vector<Value>& out) override;
    Result<Value> add_vertex(const Value& id, std::string_view label,
                             std::span<const PropertyWrite> properties) override;
    Status prefetch_edges(std::span<const EdgeDraft> edges) override;
    Status prefetch_changes(std::span<const Value> elements, bool removal) override;
    Result<Value> add_edge(const Value& id, std::string_view label, const Value& out_vertex,
                           const Value& in_vertex,
                           std::span<const std::pair<std::string, Value>> properties) override;
    Result<Value> set_vertex_property(const Value& vertex, const PropertyWrite& property) override;
    Result<Value> set_edge_property(const Value& edge, std::string_view key,
                                    const Value& value) override;
    Result<Value> set_meta_property(const Value& vertex_property, std::string_view key,
                                    const Value& value) override;
    Status remove(const Value& element) override;
    Status commit() override;
    void rollback() override;
    [[nodiscard]] bool has_writes() const override { return !rows_.empty(); }

    // --- for expansions, scans and index filling ---
    GraphImpl& graph() { return *graph_; }
    const store::CallContext& call() const { return call_; }
    [[nodiscard]] const layout::IdCodec& ids() const { return graph_->ids(); }
    /// A merged multi-get at the transaction's snapshot.
    Status get(Table table, char family, std::span<const store::RowGet> gets, store::RowBatch& out);
    Result<std::unique_ptr<store::Scanner>> scan(store::ScanSpec spec);
    /// Records that a multi-get is about to bring.
    struct RecordReads {
        std::vector<CachedRecord*> records;
        std::vector<Value> ids;
        std::vector<std::uint32_t> coverages;
    };
    /// Notes the vertex for reading, unless the cache covers it or it is noted already.
    CachedRecord& note_record(const Value& id, std::uint32_t coverage, RecordReads& reads);
    /// Appends what must be asked for the noted records, as gets of family p.
    void add_record_gets(RecordReads& reads, std::uint32_t coverage,
                         std::vector<store::RowGet>& gets);
    /// Fills the noted records from the rows at `first_row` and behind.
    Status fill_records(const RecordReads& reads, const store::RowBatch& rows,
                        std::size_t first_row);
    /// After a failed read: the noted records are unknown as before.
    static void forget_notes(const RecordReads& reads);
    [[nodiscard]] const Names& names() const { return *names_; }
    /// Takes the newest names that this server knows.
    Status update_names();
    /// Reads the dictionary anew: some cell holds a code that is in no cached name.
    Status reload_names();
    [[nodiscard]] const store::CallStats& counters() const { return stats_; }

    /// Interns a projection; its number is what `CachedRecord::coverage` holds.
    std::uint32_t coverage_of(const Projection& projection);
    /// The least projection that covers both.
    std::uint32_t join(std::uint32_t a, std::uint32_t b);
    /// What a get (or scan) of family p must ask for that coverage.
    void select(std::uint32_t coverage, std::vector<store::ColumnRange>& ranges,
                std::vector<std::string>& columns) const;
    /// Fills `record` from a vertex row's cells (none: the vertex does not exist).
    Status fill(CachedRecord& record, const Value& id, std::uint32_t coverage,
                std::span<const store::Cell> cells);
    RecordCache& cache() { return cache_; }
    [[nodiscard]] bool covers(const CachedRecord& record, std::uint32_t coverage) const;

    /// An edge of `place`; `value` is its cell's value. Takes care of unknown key codes.
    Result<Value> make_edge(const EdgePlace& place, std::string_view value, bool with_properties);
    /// The id of an edge by its place and its cell's value.
    Result<Value> edge_id(const EdgePlace& place, std::string_view value);

    /// Writes the index entry of one element (fill_index).
    Status add_entry(const Index& index, const Value& value, const std::string& element);
    Status add_edge_entry(const Index& index, const EdgeObject& edge);

  private:
    static constexpr std::uint32_t kLabelOnly = 0;
    static constexpr std::uint32_t kEverything = 1;

    Status load_records(RecordReads& reads, std::uint32_t coverage);
    /// The complete record, ready to be changed; null when the vertex does not exist.
    Result<CachedRecord*> full_record(const Value& id);
    void begin_writing();

    // write.cpp
    struct NewProperty;
    Result<Value> new_vertex_id(const Value& id);
    Result<Value> made_up_vertex_id();
    Status check_new_vertex(const Value& id);
    Result<Value> put_property(const Value& id, CachedRecord& cached,
                               const PropertyWrite& property);
    Result<Value> build_property(const CachedRecord& cached, const PropertyWrite& property,
                                 std::string& encoded);
    Status write_property_cell(const Value& id, const std::string& qualifier,
                               const VertexPropertyObject& property);
    Status erase_property(const Value& id, CachedRecord& cached, std::size_t at);
    Result<std::string> qualifier_for(CachedRecord& cached, std::uint16_t key,
                                      Cardinality cardinality, const Value& value);
    Result<std::optional<std::size_t>> find_property(const VertexPropertyObject& property,
                                                     CachedRecord*& cached);
    Status remove_vertex(const Value& vertex);
    Status remove_vertex_property(const VertexPropertyObject& property);

    // write_edges.cpp
    Result<std::optional<FoundEdge>> locate(const EdgeObject& edge);
    /// Where the first of an edge's parallels would be; nothing when no such edge can be.
    [[nodiscard]] std::optional<EdgePlace> first_place(const EdgeObject& edge) const;
    /// The reads with which `locate` and `erase_incident_edges` begin.
    [[nodiscard]] store::RowGet parallels_get(const EdgePlace& first) const;
    [[nodiscard]] store::RowGet incident_get(const Value& vertex_id) const;
    Result<Value> new_edge_id(const Value& id);
    Result<bool> place_is_taken(const EdgePlace& place);
    /// Where to look for edges of that place: in the row of one end, cells that start with
    /// `prefix`.
    struct PlaceProbe {
        std::string row;
        std::string prefix;
    };
    [[nodiscard]] PlaceProbe probe_of(const EdgePlace& place) const;
    std::optional<EdgePlace> place_of(const EdgeDraft& draft) const;
    /// What `get` found empty in the store; this transaction's own writes are looked for apart.
    void note_free(std::span<const store::RowGet> gets, const store::RowBatch& rows);
    Status write_edge(const EdgePlace& place, const std::string& value);
    Status rewrite_edge(const FoundEdge& found, const Value& old_edge, EdgeObject& changed);
    Status erase_edge(const FoundEdge& found);
    Status erase_incident_edges(const Value& vertex_id);

    // index_entries.cpp
    /// Keeps the entries of one element's key: `before` and `after` are all its values.
    Status reindex(ElementType element, const Value& label, const Value& key,
                   const std::string& element_bytes, std::span<const Value> before,
                   std::span<const Value> after);
    Status check_unique(const Index& index, const Value& value, const std::string& element);
    Result<bool> holds(const Index& index, const std::string& element, const Value& value);
    Status claim_unique_entries(std::span<const store::RowMutation> mutations);
    Result<std::vector<Value>> candidates(std::span<const std::string> elements) const;
    /// Appends those of `vertices` that hold one of the values now.
    Status keep_current(const Index& index, std::vector<Value> vertices,
                        std::span<const Value> values, std::vector<Value>& out);
    /// The index by that name, ready to be read, in the newest schema that this server knows.
    Result<Index> ready_index(const IndexSpec& spec);
    Status lookup_edges(const Index& index, std::span<const std::string> elements,
                        std::span<const Value> values, std::vector<Value>& out);
    Status read_entries(const Index& index, std::span<const Value> values,
                        std::vector<std::string>& elements);
    [[nodiscard]] std::string vertex_bytes(const Value& id) const;

    const std::shared_ptr<GraphImpl> graph_;
    store::CallContext call_{};
    store::CallStats stats_{};
    WriteBuffer rows_;
    std::shared_ptr<const Names> names_;
    std::shared_ptr<const Schema>
        schema_;  ///< Set by the first write; what its index entries were made by.
    std::shared_ptr<const store::Snapshot> snapshot_;
    bool has_snapshot_ = false;
    RecordCache cache_;
    absl::flat_hash_set<std::string>
        free_;  ///< Row and prefix (or column) that prefetch_edges found empty.
    std::vector<Projection> projections_;
};

}  // namespace hob::graph
