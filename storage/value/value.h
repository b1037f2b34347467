#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/value/enums.h"

namespace hob {

/// What a Value is. The order is ours; formats have their own type codes.
enum class Kind : std::uint8_t {
    kNull,
    // Inline, no allocation.
    kBool,
    kByte,
    kShort,
    kInt,
    kLong,
    kFloat,
    kDouble,
    kChar,
    kDate,
    kDateTime,
    kDuration,
    kEnum,
    // Heap objects, shared by reference count, immutable once shared.
    kBigInt,
    kBigDecimal,
    kString,
    kUuid,
    kBytes,
    kExtended,
    kList,
    kSet,
    kMap,
    kMapEntry,
    kBulkSet,
    kTree,
    kVertex,  ///< By id: a long id lies inline, another id is held as its object.
    kEdge,
    kVertexProperty,
    kProperty,
    kPath,
    kGraph,
    kTraverser,
    kMetrics,
    kTraversalMetrics,
    kForeign,  ///< Objects of upper rooms (predicates, traversals, strategies, bindings).
};

/// Base of every heap value. Reference counts are atomic: cached literals are shared by queries on
/// many threads.
class Object {
  public:
    Object() = default;
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    virtual ~Object() = default;
    void retain() const { references_.fetch_add(1, std::memory_order_relaxed); }
    void release() const {
        if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }
    [[nodiscard]] bool unique() const { return references_.load(std::memory_order_acquire) == 1; }

  private:
    mutable std::atomic<std::uint32_t> references_{1};
};

struct StringObject;
struct BigIntObject;
struct BigDecimalObject;
struct UuidObject;
struct ExtendedObject;
struct ListObject;
struct MapObject;
struct BulkSetObject;
struct TreeObject;
struct EdgeObject;
struct VertexPropertyObject;
struct PropertyObject;
struct PathObject;
struct GraphObject;
struct TraverserObject;
struct MetricsObject;
struct TraversalMetricsObject;
class ForeignObject;

/// Anything a property, a traverser or a map key can hold; 16 bytes, cheap to copy. Immutable once
/// shared; containers are filled through their builders (ListObject::items ...) while only their
/// maker holds them. The typed getters (`as_...`, `text`, `list` ...) may only be called when
/// `kind()` says so.
class Value {
  public:
    Value() = default;  ///< null
    Value(const Value& o)
        : kind_(o.kind_), sub_(o.sub_), half_(o.half_), aux_(o.aux_), payload_(o.payload_) {
        if (is_heap()) payload_.object->retain();
    }
    Value(Value&& o) noexcept
        : kind_(o.kind_), sub_(o.sub_), half_(o.half_), aux_(o.aux_), payload_(o.payload_) {
        o.forget();
    }
    Value& operator=(const Value& o) {
        Value copy(o);
        swap(copy);
        return *this;
    }
    Value& operator=(Value&& o) noexcept {
        if (this != &o) {
            drop();
            kind_ = o.kind_;
            sub_ = o.sub_;
            half_ = o.half_;
            aux_ = o.aux_;
            payload_ = o.payload_;
            o.forget();
        }
        return *this;
    }
    ~Value() { drop(); }
    void swap(Value& o) noexcept {
        std::swap(kind_, o.kind_);
        std::swap(sub_, o.sub_);
        std::swap(half_, o.half_);
        std::swap(aux_, o.aux_);
        std::swap(payload_, o.payload_);
    }

    // --- makers ---
    static Value boolean(bool v) { return inline_of(Kind::kBool, v ? 1 : 0); }
    static Value byte(std::int8_t v) { return inline_of(Kind::kByte, v); }
    static Value short_(std::int16_t v) { return inline_of(Kind::kShort, v); }
    static Value int_(std::int32_t v) { return inline_of(Kind::kInt, v); }
    static Value long_(std::int64_t v) { return inline_of(Kind::kLong, v); }
    static Value float_(float v) {
        Value r;
        r.kind_ = Kind::kFloat;
        r.payload_.real = static_cast<double>(v);
        return r;
    }
    static Value double_(double v) {
        Value r;
        r.kind_ = Kind::kDouble;
        r.payload_.real = v;
        return r;
    }
    static Value char_(char32_t v) { return inline_of(Kind::kChar, static_cast<std::int64_t>(v)); }
    /// java.util.Date: milliseconds since 1970-01-01T00:00Z.
    static Value date(std::int64_t epoch_ms) { return inline_of(Kind::kDate, epoch_ms); }
    /// java.time.OffsetDateTime: seconds since the epoch (UTC), nanoseconds of the second, offset
    /// from UTC in seconds.
    static Value date_time(std::int64_t epoch_s, std::uint32_t nanos, std::int32_t offset_s);
    static Value duration(std::int64_t seconds, std::uint32_t nanos);
    static Value enumeration(EnumType type, std::uint8_t ordinal) {
        Value r = inline_of(Kind::kEnum, ordinal);
        r.sub_ = static_cast<std::uint8_t>(type);
        return r;
    }
    static Value token(T t) { return enumeration(EnumType::kT, static_cast<std::uint8_t>(t)); }
    static Value direction(Direction d) {
        return enumeration(EnumType::kDirection, static_cast<std::uint8_t>(d));
    }
    static Value string(std::string_view utf8);
    static Value uuid(const std::array<std::uint8_t, 16>& bytes);
    static Value bytes(std::string_view raw);
    /// Two's complement, big-endian, shortest form (as GraphBinary and
    /// java.math.BigInteger.toByteArray).
    static Value big_int(std::string_view twos_complement);
    /// unscaled (as big_int) times 10 to the minus `scale`.
    static Value big_decimal(std::int32_t scale, std::string_view unscaled_twos_complement);
    static Value list(std::vector<Value> items = {});
    /// Keeps the first of equal items (TinkerPop's Java equality, `identical`).
    static Value set(std::vector<Value> items = {});
    static Value map_entry(Value key, Value value);
    /// A vertex by its id (kLong inline; kString, kUuid or any other hashable value by object).
    static Value vertex(const Value& id);
    /// A vertex by a long id, inline: what the hot loops make, once for each edge.
    static Value vertex_of_long(std::int64_t id) {
        Value r = inline_of(Kind::kVertex, id);
        r.sub_ = static_cast<std::uint8_t>(Kind::kLong);
        return r;
    }
    static Value traverser(Value value, std::int64_t bulk);
    /// Takes over one reference of `object`; `kind` must be the one that belongs to its class.
    static Value adopt(Kind kind, Object* object) {
        Value r;
        r.kind_ = kind;
        r.payload_.object = object;
        return r;
    }

    // --- what it is ---
    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] bool is_null() const { return kind_ == Kind::kNull; }
    /// Any of TinkerPop's numbers, the big ones included.
    [[nodiscard]] bool is_number() const {
        return (kind_ >= Kind::kByte && kind_ <= Kind::kDouble) || kind_ == Kind::kBigInt ||
               kind_ == Kind::kBigDecimal;
    }
    [[nodiscard]] bool is_integral() const { return kind_ >= Kind::kByte && kind_ <= Kind::kLong; }
    [[nodiscard]] bool is_string() const { return kind_ == Kind::kString; }
    [[nodiscard]] bool is_collection() const {
        return kind_ == Kind::kList || kind_ == Kind::kSet || kind_ == Kind::kBulkSet;
    }
    [[nodiscard]] bool is_element() const {
        return kind_ == Kind::kVertex || kind_ == Kind::kEdge || kind_ == Kind::kVertexProperty;
    }
    [[nodiscard]] bool is_enum(EnumType type) const {
        return kind_ == Kind::kEnum && sub_ == static_cast<std::uint8_t>(type);
    }

    // --- what it holds ---
    [[nodiscard]] bool as_bool() const { return payload_.integer != 0; }
    /// kByte, kShort, kInt, kLong, kChar (code point), kDate (ms).
    [[nodiscard]] std::int64_t as_int64() const { return payload_.integer; }
    /// kFloat (exact) and kDouble.
    [[nodiscard]] double as_double() const { return payload_.real; }
    [[nodiscard]] EnumType enum_type() const { return static_cast<EnumType>(sub_); }
    [[nodiscard]] std::uint8_t enum_ordinal() const {
        return static_cast<std::uint8_t>(payload_.integer);
    }
    /// kDateTime and kDuration.
    [[nodiscard]] std::int64_t seconds() const { return payload_.integer; }
    [[nodiscard]] std::uint32_t nanos() const { return aux_; }
    /// kDateTime: offset from UTC in seconds.
    [[nodiscard]] std::int32_t offset_seconds() const;
    /// kString: UTF-8.  kBytes: raw.
    [[nodiscard]] std::string_view text() const;
    [[nodiscard]] const std::array<std::uint8_t, 16>& uuid_bytes() const;
    /// kVertex only.
    [[nodiscard]] Value vertex_id() const;
    /// kVertex: true when the id is a long that lies inline (then `as_int64()` is that id).
    [[nodiscard]] bool vertex_id_is_long() const {
        return sub_ == static_cast<std::uint8_t>(Kind::kLong);
    }
    /// Items of kList and kSet.
    [[nodiscard]] std::span<const Value> items() const;
    [[nodiscard]] const BigIntObject& big_int() const {
        return *reinterpret_cast<const BigIntObject*>(payload_.object);
    }
    template <typename ObjectType>
    [[nodiscard]] const ObjectType& as() const {
        return *static_cast<const ObjectType*>(payload_.object);
    }
    /// For the maker of a container only, before it is shared.
    template <typename ObjectType>
    [[nodiscard]] ObjectType& mutate() {
        return *static_cast<ObjectType*>(payload_.object);
    }
    /// kEdge: from which end a traverser came upon it (0 unknown, 1 its out vertex, 2 its in
    /// vertex); no part of its identity.
    [[nodiscard]] std::uint8_t edge_origin() const { return sub_; }
    void set_edge_origin(std::uint8_t origin) { sub_ = origin; }
    [[nodiscard]] const Object* object() const { return payload_.object; }
    /// Holds a reference counted object (true also for a vertex whose id is not a long).
    [[nodiscard]] bool is_heap() const {
        return kind_ > Kind::kEnum && (kind_ != Kind::kVertex || !vertex_id_is_long());
    }

  private:
    union Payload {
        std::int64_t integer;
        double real;
        Object* object;
    };
    static Value inline_of(Kind kind, std::int64_t v) {
        Value r;
        r.kind_ = kind;
        r.payload_.integer = v;
        return r;
    }
    void forget() {
        kind_ = Kind::kNull;
        payload_.integer = 0;
    }
    void drop() {
        if (is_heap()) payload_.object->release();
    }

    Kind kind_ = Kind::kNull;
    std::uint8_t sub_ =
        0;  ///< kEnum: EnumType; kVertex: Kind of the id; kDateTime: low byte of the offset.
    std::uint16_t half_ = 0;  ///< kDateTime: the offset's other bytes.
    std::uint32_t aux_ = 0;   ///< Nanoseconds.
    Payload payload_{.integer = 0};
};
static_assert(sizeof(Value) == 16);

/// Java's equals(): same kind and same content, elements by id, 1 is not 1L. What group keys, sets
/// and dedup() use.
bool identical(const Value& a, const Value& b);
/// Goes with `identical`.
std::size_t hash_of(const Value& v);
struct ValueHash {
    std::size_t operator()(const Value& v) const { return hash_of(v); }
};
struct ValueIdentical {
    bool operator()(const Value& a, const Value& b) const { return identical(a, b); }
};

/// Text as Java's toString() gives it: v[1], e[7][1-knows->2], vp[name->marko], [a, b], {k=v}, 0.5,
/// null ...
std::string to_text(const Value& v);
/// The type's name as TinkerPop's messages show it ("Integer", "String", "Vertex", ...).
std::string_view type_name(const Value& v);

// --- heap objects
// ------------------------------------------------------------------------------------------------

struct StringObject final : Object {
    static StringObject* make(std::string_view bytes);
    [[nodiscard]] std::string_view view() const { return {bytes_, size_}; }
    static void operator delete(void* p) { ::operator delete(p); }

  private:
    explicit StringObject(std::size_t size) : size_(size) {}
    std::size_t size_;
    char bytes_[1];
};

struct BigIntObject final : Object {
    std::string twos_complement;
};
struct BigDecimalObject final : Object {
    std::int32_t scale = 0;
    std::string unscaled;
};
struct UuidObject final : Object {
    std::array<std::uint8_t, 16> bytes{};
};

/// The types that TinkerPop's formats know beside the usual ones (GraphBinary "extended types",
/// Class).
enum class ExtendedType : std::uint8_t {
    kClass,
    kTimestamp,
    kInetAddress,
    kInstant,
    kLocalDate,
    kLocalDateTime,
    kLocalTime,
    kMonthDay,
    kOffsetTime,
    kPeriod,
    kYear,
    kYearMonth,
    kZonedDateTime,
    kZoneOffset,
};
/// Carried and stored unchanged: `body` is the value's GraphBinary v1 body (after type code and
/// null flag).
struct ExtendedObject final : Object {
    ExtendedType type = ExtendedType::kClass;
    std::string body;
};

/// kList, kSet.
struct ListObject final : Object {
    std::vector<Value> items;
};

/// kMap: insertion-ordered. Look-ups hash once there are more than a handful of entries.
struct MapObject final : Object {
    MapObject();
    ~MapObject() override;
    [[nodiscard]] const std::vector<std::pair<Value, Value>>& entries() const { return entries_; }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    /// By `identical`; null when absent.
    [[nodiscard]] const Value* find(const Value& key) const;
    [[nodiscard]] const Value* find(std::string_view key) const;
    /// Inserts or overwrites (keeping the place).
    void put(Value key, Value value);
    /// The value of `key`, inserted as null when absent.
    Value& slot(const Value& key);
    bool erase(const Value& key);
    /// Replaces all entries (after a sort); keys must be distinct.
    void assign(std::vector<std::pair<Value, Value>> entries);

  private:
    struct Index;
    [[nodiscard]] std::size_t index_of(const Value& key) const;
    std::vector<std::pair<Value, Value>> entries_;
    mutable std::unique_ptr<Index> index_;
};
struct MapEntryObject final : Object {
    Value key;
    Value value;
};

/// What aggregate() and store() collect: distinct values with counts, in order of arrival. `counts`
/// is a kMap value -> kLong.
struct BulkSetObject final : Object {
    void add(const Value& value, std::int64_t count);
    [[nodiscard]] std::int64_t size() const { return total_; }  ///< Counts added up.
    [[nodiscard]] const std::vector<std::pair<Value, std::int64_t>>& entries() const {
        return entries_;
    }
    ~BulkSetObject() override;
    BulkSetObject();

  private:
    struct Index;
    std::vector<std::pair<Value, std::int64_t>> entries_;
    std::unique_ptr<Index> index_;
    std::int64_t total_ = 0;
};

/// kTree: children by key, each a kTree.
struct TreeObject final : Object {
    MapObject children;
};

struct EdgeObject final : Object {
    Value id;
    Value label;      ///< kString
    Value out;        ///< kVertex
    Value in;         ///< kVertex
    Value out_label;  ///< kString when known (a client sent it, or it was read for the answer),
                      ///< else null.
    Value in_label;
    std::vector<std::pair<Value, Value>> properties;  ///< key (kString) -> value
    bool has_properties =
        true;  ///< False: the reader asked for none, or a client sent a reference.
};

struct VertexPropertyObject final : Object {
    Value id;
    Value key;  ///< kString; also the label
    Value value;
    Value vertex;  ///< kVertex it belongs to, null when detached
    std::vector<std::pair<Value, Value>> meta;
};

struct PropertyObject final : Object {
    Value key;
    Value value;
    Value element;  ///< kEdge or kVertexProperty it belongs to, null when detached
};

struct PathObject final : Object {
    std::vector<Value> objects;
    std::vector<std::vector<Value>> labels;  ///< One list of kString for each object.
};

/// A vertex with what was read of it. `label` is null when the vertex does not exist.
struct VertexRecord {
    Value vertex;                   ///< kVertex
    Value label;                    ///< kString
    std::vector<Value> properties;  ///< kVertexProperty each, in the order of the store
};

/// subgraph()'s result.
struct GraphObject final : Object {
    std::vector<VertexRecord> vertices;
    std::vector<Value> edges;
};

struct TraverserObject final : Object {
    Value value;
    std::int64_t bulk = 1;
};

/// One line of profile(): TinkerPop's Metrics.
struct MetricsObject final : Object {
    std::string id;
    std::string name;
    std::int64_t duration_ns = 0;
    std::vector<std::pair<std::string, std::int64_t>>
        counts;  ///< "traverserCount", "elementCount", ...
    std::vector<std::pair<std::string, Value>>
        annotations;            ///< "percentDur", storage counters, ...
    std::vector<Value> nested;  ///< kMetrics each
};
struct TraversalMetricsObject final : Object {
    std::int64_t duration_ns = 0;
    std::vector<Value> metrics;  ///< kMetrics each
};

/// Base for objects that upper rooms put into values.
class ForeignObject : public Object {
  public:
    enum class Class : std::uint8_t {
        kPredicate,
        kTraversal,
        kStrategy,
        kBinding,
        kLambda,
        kOther
    };
    explicit ForeignObject(Class foreign_class) : class_(foreign_class) {}
    [[nodiscard]] Class foreign_class() const { return class_; }
    [[nodiscard]] virtual bool same_as(const ForeignObject& other) const { return this == &other; }
    [[nodiscard]] virtual std::size_t hash() const { return reinterpret_cast<std::size_t>(this); }
    [[nodiscard]] virtual std::string text() const = 0;

  private:
    Class class_;
};

/// A fresh, unshared container and the value that owns it.
inline Value make_map() {
    return Value::adopt(Kind::kMap, new MapObject);
}

}  // namespace hob
