#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/base/error.h"
#include "storage/layout/ids.h"
#include "storage/store/row_store.h"
#include "storage/value/value.h"

namespace hob::graph {

/// Which vertex ids a graph has (DESIGN.md section 4): kLong, kString, kUuid, kAny.
using IdKind = layout::IdKind;
/// Edge ids that the server makes up: kLong (numbers, found through an id row) or kPlace (a
/// printable string that holds the edge's place).
enum class EdgeIdKind : std::uint8_t { kPlace, kLong };

struct GraphOptions {
    std::string name = "graph";
    IdKind ids = IdKind::kAny;
    EdgeIdKind edge_ids = EdgeIdKind::kPlace;
    Cardinality default_cardinality =
        Cardinality::kSingle;  ///< Of property(key, value) on a vertex.
    bool sync = false;         ///< Commits wait for the disk.
};

/// Which properties a read must bring; the label always comes.
struct Projection {
    bool all = false;
    std::vector<std::string> keys;  ///< Sorted, distinct; ignored when `all`.
    static Projection everything() { return {.all = true, .keys = {}}; }
    static Projection label_only() { return {}; }
};

/// What to read of each vertex's adjacency row.
struct ExpandSpec {
    Direction direction = Direction::kOut;
    std::vector<std::string> labels{};  ///< Empty: all.
    bool edges = false;            ///< Give edges (kEdge) instead of the vertices at the other end.
    bool edge_properties = false;  ///< Edges carry their properties.
    std::uint32_t per_vertex_max = 0;  ///< 0 = all; the first in the store's order (out before in).
    /// Only edges to these vertices (a has() on the other end by id); empty = any.
    std::vector<Value> other_ends{};
    /// Brings the records of the vertices themselves along in the same multi-get: `read_vertices`
    /// of them costs nothing once `Expansion::next` has given something of them, or the end.
    std::optional<Projection> records{};
};

/// One result of an expansion: the index of the vertex it came from in the request, and the vertex
/// or edge.
struct Incident {
    std::uint32_t input = 0;
    Value value;
};

/// Delivers an expansion in the order of its inputs (for kBoth: of each vertex first out, then in;
/// a self-loop comes twice), in bounded pieces: a supernode's row is read in pages.
class Expansion {
  public:
    virtual ~Expansion() = default;
    /// Appends up to about `count_max` results; appending none means the end.
    virtual Status next(std::size_t count_max, std::vector<Incident>& out) = 0;
};

/// Walks all vertices or edges of the graph, the transaction's own writes included.
class ElementScan {
  public:
    virtual ~ElementScan() = default;
    /// Appends up to `count_max` elements; appending none means the end.
    virtual Status next(std::size_t count_max, std::vector<Value>& out) = 0;
};

/// A property to set: with its meta-properties (vertex properties only).
struct PropertyWrite {
    std::string key;
    Value value;
    std::optional<Cardinality> cardinality{};  ///< Nothing: the graph's default.
    std::vector<std::pair<std::string, Value>> meta{};
    Value id{};  ///< The vertex property's id when the user gives one.
};

/// An edge that is about to be added.
struct EdgeDraft {
    Value id{};  ///< Null: the server gives one.
    std::string_view label{};
    Value out{};  ///< kVertex
    Value in{};
};

enum class ElementType : std::uint8_t { kVertex, kEdge };

/// A composite equality index over one property key, of one label or of all.
struct IndexSpec {
    std::string name;
    ElementType element = ElementType::kVertex;
    std::string label;  ///< Empty: every label.
    std::string key;
    bool unique = false;
};

/// A unit of reads and writes over one graph. Reads see its own writes; on RocksDB and memory all
/// reads see one snapshot. What was read of a vertex stays cached for the transaction, so asking
/// again costs nothing. Used by one thread at a time. Every call is bounded by the CallContext
/// given last with `use`. Unknown vertices are simply absent from answers.
class Transaction {
  public:
    virtual ~Transaction() = default;

    /// Sets deadline and cancellation for the calls that follow.
    virtual void use(store::CallContext call) = 0;
    [[nodiscard]] virtual const store::CallStats& stats() const = 0;

    // --- reads: one multi-get per call, whatever the number of inputs ---
    /// Labels and properties of vertices (kVertex); out[i] is null when vertices[i] does not exist.
    /// Records live until the next mutation of that vertex or the next call of `forget`. Does no
    /// store call for what the cache covers.
    virtual Status read_vertices(std::span<const Value> vertices, const Projection& projection,
                                 std::vector<const VertexRecord*>& out) = 0;
    /// Drops cached records when there are more than `records_max` (a long scan must stay in
    /// bounded memory).
    virtual void forget(std::size_t records_max) = 0;
    virtual Result<std::unique_ptr<Expansion>> expand(std::span<const Value> vertices,
                                                      const ExpandSpec& spec) = 0;
    /// How many edges `expand` would give for each vertex, from keys alone.
    virtual Status count_edges(std::span<const Value> vertices, const ExpandSpec& spec,
                               std::vector<std::int64_t>& out) = 0;
    /// Edges by id, complete with properties; null where there is none.
    virtual Status read_edges(std::span<const Value> ids, std::vector<Value>& out) = 0;
    /// Vertices (kVertex); with a projection the records are cached on the way. `labels` empty =
    /// all.
    virtual Result<std::unique_ptr<ElementScan>> scan_vertices(std::vector<std::string> labels,
                                                               const Projection& projection) = 0;
    virtual Result<std::unique_ptr<ElementScan>> scan_edges(std::vector<std::string> labels) = 0;
    /// The index that serves an equality look-up, or nothing.
    virtual std::optional<IndexSpec> find_index(ElementType element, std::string_view label,
                                                std::string_view key) = 0;
    /// As `index_lookup`, but a vertex index's entries are taken at their word, unread. True when
    /// they are certain (commits are atomic over rows, and all reads see one snapshot); else the
    /// caller tests what it asked for, since an entry may be older or newer than its vertex.
    virtual Result<bool> index_candidates(const IndexSpec& index, std::span<const Value> values,
                                          std::vector<Value>& out) = 0;
    /// Elements whose property equals one of `values`, stale entries filtered out.
    virtual Status index_lookup(const IndexSpec& index, std::span<const Value> values,
                                std::vector<Value>& out) = 0;

    // --- mutations: buffered until commit ---
    /// kVertex. `id` null: the server gives one. Errors: kAlreadyExists, kInvalidArgument (wrong id
    /// type for the graph).
    virtual Result<Value> add_vertex(const Value& id, std::string_view label,
                                     std::span<const PropertyWrite> properties) = 0;
    /// Reads at once (at most three multi-gets) what `add_edge` of these will ask, so that those
    /// calls cost none. A hint: what is wrong with an edge shows when it is added.
    virtual Status prefetch_edges(std::span<const EdgeDraft> edges) = 0;
    /// Reads at once (at most two multi-gets) what changing or, with `removal`, removing these
    /// elements and properties will ask, so that those calls cost none. A hint, as above.
    virtual Status prefetch_changes(std::span<const Value> elements, bool removal) = 0;
    /// kEdge. Both ends must exist (kNotFound); edge ids are the user's, or made up.
    virtual Result<Value> add_edge(const Value& id, std::string_view label, const Value& out_vertex,
                                   const Value& in_vertex,
                                   std::span<const std::pair<std::string, Value>> properties) = 0;
    /// Gives the vertex property that now holds the value. A null value removes (single) or is
    /// ignored.
    virtual Result<Value> set_vertex_property(const Value& vertex,
                                              const PropertyWrite& property) = 0;
    /// Gives the edge with the change. A null value removes the property.
    virtual Result<Value> set_edge_property(const Value& edge, std::string_view key,
                                            const Value& value) = 0;
    /// Sets a meta-property; gives the vertex property with the change.
    virtual Result<Value> set_meta_property(const Value& vertex_property, std::string_view key,
                                            const Value& value) = 0;
    /// Removes a vertex (and all its edges, both copies), an edge, a vertex property, or a property
    /// of an edge or vertex property (kProperty). Absent: no-op.
    virtual Status remove(const Value& element) = 0;

    /// Makes the writes visible to others and durable. Errors: kConflict (nothing was written),
    /// kUnavailable.
    virtual Status commit() = 0;
    virtual void rollback() = 0;
    [[nodiscard]] virtual bool has_writes() const = 0;
};

/// One graph in one store. Thread-safe.
class Graph {
  public:
    virtual ~Graph() = default;
    /// Opens (creating its tables when they are missing) the graph of that name.
    static Result<std::shared_ptr<Graph>> open(std::shared_ptr<store::RowStore> store,
                                               GraphOptions options,
                                               const store::CallContext& call);
    [[nodiscard]] virtual const GraphOptions& options() const = 0;
    [[nodiscard]] virtual store::RowStore& store() const = 0;
    virtual std::unique_ptr<Transaction> begin() = 0;

    /// Declares an index and fills it from what is there. Errors: kAlreadyExists, kConflict (not
    /// unique).
    virtual Status create_index(const IndexSpec& spec, const store::CallContext& call) = 0;
    virtual Status drop_index(std::string_view name, const store::CallContext& call) = 0;
    virtual std::vector<IndexSpec> indexes() const = 0;

    /// A vertex id as a client sent it, made to fit the graph's kind of ids (int 1 and "1" become
    /// long 1 where ids are long); nothing when it can't be the id of any vertex here.
    [[nodiscard]] virtual std::optional<Value> vertex_id_of(const Value& id) const = 0;
    [[nodiscard]] virtual std::optional<Value> edge_id_of(const Value& id) const = 0;
    /// Removes everything: the tables are dropped and made anew.
    virtual Status clear(const store::CallContext& call) = 0;
};

}  // namespace hob::graph
