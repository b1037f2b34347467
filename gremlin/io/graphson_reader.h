#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gremlin/io/graphson.h"
#include "gremlin/io/json.h"
#include "gremlin/language/traversal.h"
#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob::gremlin::graphson {

std::string_view name_of(JsonKind kind);

/// Turns a parsed JSON text into values. Every function takes the index of a node.
class Reader {
  public:
    explicit Reader(const JsonDocument& json) : json_(json) {}

    Result<Value> value(std::uint32_t at);
    Result<AdjacencyVertex> adjacency(std::uint32_t at);

  private:
    using Node = std::uint32_t;
    using Read = Result<Value> (Reader::*)(Node);
    struct TypeForm {
        std::string_view name;
        Read read;
    };
    static const TypeForm* form_of(std::string_view type);

    template <typename Each>
    Status each_item(Node array, Each each);
    template <typename Each>
    Status each_member(Node object, Each each);
    [[nodiscard]] Error error(Node at, std::string_view found_what,
                              std::string_view expected) const {
        return Error::parse("{} at byte {}, expected {}", found_what, json_[at].at, expected);
    }
    Status expect(Node at, JsonKind kind, std::string_view expected) const;
    /// A member that must be there.
    Result<Node> member(Node object, std::string_view name);
    Result<Value> member_value(Node object, std::string_view name);
    /// A member's text, or null when it is not there.
    Value member_text(Node object, std::string_view name);

    Result<Value> plain_number(Node at);
    Result<Value> plain_object(Node at);
    Result<std::vector<Value>> items(Node at);
    Result<Value> typed(std::string_view type, Node at);
    Result<Value> number_of_kind(Node at, Kind kind);

    Result<Value> int32(Node at) { return number_of_kind(at, Kind::kInt); }
    Result<Value> int64(Node at) { return number_of_kind(at, Kind::kLong); }
    Result<Value> int16(Node at) { return number_of_kind(at, Kind::kShort); }
    Result<Value> int8(Node at) { return number_of_kind(at, Kind::kByte); }
    Result<Value> real32(Node at) { return number_of_kind(at, Kind::kFloat); }
    Result<Value> real64(Node at) { return number_of_kind(at, Kind::kDouble); }
    Result<Value> big_int(Node at) { return number_of_kind(at, Kind::kBigInt); }
    Result<Value> big_decimal(Node at) { return number_of_kind(at, Kind::kBigDecimal); }
    Result<Value> list(Node at);
    Result<Value> set(Node at);
    Result<Value> map(Node at);
    Result<Value> uuid(Node at);
    Result<Value> date(Node at);
    Result<Value> date_time(Node at);
    Result<Value> duration(Node at);
    Result<Value> character(Node at);
    Result<Value> byte_buffer(Node at);
    Result<Value> timestamp(Node at);
    Result<Value> vertex(Node at);
    Result<Value> edge(Node at);
    Result<Value> vertex_property(Node at);
    Result<Value> property(Node at);
    Result<Value> path(Node at);
    Result<Value> tree(Node at);
    Result<Value> bulk_set(Node at);
    Result<Value> traverser(Node at);
    Result<Value> metrics(Node at);
    Result<Value> traversal_metrics(Node at);
    Result<Value> graph(Node at);
    Result<Value> bytecode(Node at);
    Result<Value> predicate(Node at);
    Result<Value> binding(Node at);
    Result<Value> lambda(Node at);
    Result<Value> strategy(std::string_view type, Node at);
    Result<Instruction> instruction(Node at);
    Status instructions(Node at, std::vector<Instruction>& all);
    Status adjacency_properties(Node object, AdjacencyVertex& vertex);
    Status fill_vertex_property(Node at, VertexPropertyObject& property);
    Status fill_metrics(const Value& fields, MetricsObject& metrics);
    /// Members as key and value; values in {"key", "value"} form (Property) are opened.
    Status pairs(Node object, std::vector<std::pair<Value, Value>>& out);
    Status adjacency_edges(Node object, const AdjacencyVertex& vertex, bool out,
                           std::vector<Value>& edges);

    const JsonDocument& json_;
};

template <typename Each>
Status Reader::each_item(Node array, Each each) {
    HOB_TRY(expect(array, JsonKind::kArray, "an array"));
    for (Node i = array + 1; i < json_[array].end; i = json_[i].end) {
        HOB_TRY(each(i));
    }
    return {};
}

template <typename Each>
Status Reader::each_member(Node object, Each each) {
    HOB_TRY(expect(object, JsonKind::kObject, "an object"));
    for (Node i = object + 1; i < json_[object].end; i = json_[i + 1].end) {
        HOB_TRY(each(json_[i].text, i + 1));
    }
    return {};
}

}  // namespace hob::gremlin::graphson
