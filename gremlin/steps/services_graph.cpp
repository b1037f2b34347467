// The services that TinkerGraph offers too: tinker.search and tinker.degree.centrality.
#include "gremlin/exec/elements.h"
#include "gremlin/exec/predicate.h"
#include "gremlin/steps/properties.h"
#include "gremlin/steps/services.h"

namespace hob::gremlin {
namespace {

constexpr std::string_view kSearch = "tinker.search";
constexpr std::string_view kDegree = "tinker.degree.centrality";

/// Whose properties tinker.search looks at.
struct SearchIn {
    bool vertices = true;
    bool edges = true;
    bool vertex_properties = true;
};

Result<SearchIn> search_in(const MapObject& parameters) {
    HOB_ASSIGN_OR_RETURN(const std::string type,
                         text_parameter(parameters, kSearch, "type", false));
    if (type.empty()) return SearchIn{};
    if (type != "Vertex" && type != "Edge" && type != "VertexProperty")
        return Error::invalid("Type must be one of Vertex/Edge/VertexProperty: {}", type);
    return SearchIn{type == "Vertex", type == "Edge", type == "VertexProperty"};
}

/// A whole value must match: the regex given, or anything around the term.
Result<Predicate> search_pattern(const MapObject& parameters) {
    HOB_ASSIGN_OR_RETURN(const std::string regex,
                         text_parameter(parameters, kSearch, "regex", false));
    HOB_ASSIGN_OR_RETURN(const std::string term,
                         text_parameter(parameters, kSearch, "search", false));
    if (regex.empty() && term.empty()) return Error::invalid("Missing search/regex parameter");
    const std::string whole = regex.empty() ? fmt::format(".*({}).*", term) : regex;
    return Predicate::make(
        make_predicate("regex", {Value::string(fmt::format("\\A(?:{})\\z", whole))}));
}

/// One search: reads the graph once, in batches.
class Search {
  public:
    Search(QueryContext& context, SearchIn in, Predicate pattern)
        : context_(context), in_(in), pattern_(std::move(pattern)) {}

    Status run(std::vector<Value>& found) {
        if (in_.vertices) HOB_TRY(search_vertices(false, found));
        if (in_.edges) HOB_TRY(search_edges(found));
        if (in_.vertex_properties) HOB_TRY(search_vertices(true, found));
        return {};
    }

  private:
    Status add(const Value& value, const Value& property, std::vector<Value>& found) {
        HOB_ASSIGN_OR_RETURN(const bool matches, pattern_.test(Value::string(to_text(value))));
        if (!matches) return {};
        found.push_back(property);
        return context_.hold(sizeof(ServiceResult), "call");
    }

    Status search_vertices(bool meta, std::vector<Value>& found) {
        HOB_ASSIGN_OR_RETURN(const auto scan, context_.transaction->scan_vertices(
                                                  {}, graph::Projection::everything()));
        std::vector<const VertexRecord*> records;
        return visit_batches(context_, *scan, [&](std::span<const Value> vertices) -> Status {
            HOB_TRY(context_.records(vertices, true, records));
            for (const VertexRecord* record : records) {
                if (record != nullptr) HOB_TRY(search_record(*record, meta, found));
            }
            return {};
        });
    }

    Status search_record(const VertexRecord& record, bool meta, std::vector<Value>& found) {
        for (const Value& property : record.properties) {
            const auto& object = property.as<VertexPropertyObject>();
            if (!meta) {
                HOB_TRY(add(object.value, property, found));
                continue;
            }
            for (const auto& [key, value] : object.meta)
                HOB_TRY(add(value, make_property(key, value, property), found));
        }
        return {};
    }

    Status search_edges(std::vector<Value>& found) {
        HOB_ASSIGN_OR_RETURN(const auto scan, context_.transaction->scan_edges({}));
        return visit_batches(context_, *scan, [&](std::span<const Value> edges) -> Status {
            for (const Value& edge : edges) {
                for (const auto& [key, value] : edge.as<EdgeObject>().properties)
                    HOB_TRY(add(value, make_property(key, value, edge), found));
            }
            return {};
        });
    }

    QueryContext& context_;
    SearchIn in_;
    Predicate pattern_;
};

Status search(QueryContext& context, const ServiceInput& input,
              std::vector<ServiceResult>& results) {
    for (std::uint32_t i = 0; i < input.traversers.size(); ++i) {
        const auto& parameters = input.parameters[i].as<MapObject>();
        HOB_ASSIGN_OR_RETURN(const SearchIn in, search_in(parameters));
        HOB_ASSIGN_OR_RETURN(Predicate pattern, search_pattern(parameters));
        std::vector<Value> found;
        HOB_TRY(Search(context, in, std::move(pattern)).run(found));
        for (Value& property : found)
            results.push_back({i, std::move(property)});
    }
    return {};
}

Result<Direction> direction_of(const MapObject& parameters) {
    const Value* value = parameters.find("direction");
    if (value == nullptr) return Direction::kIn;
    if (value->is_enum(EnumType::kDirection)) return static_cast<Direction>(value->enum_ordinal());
    return Error::invalid("call('{}'): the parameter 'direction' is {} ({}), expected a Direction",
                          kDegree, to_text(*value), type_name(*value));
}

/// One counting read of keys for each direction that the batch names.
Status degree_centrality(QueryContext& context, const ServiceInput& input,
                         std::vector<ServiceResult>& results) {
    std::vector<Value> degrees(input.traversers.size());
    for (const Direction direction : {Direction::kOut, Direction::kIn, Direction::kBoth}) {
        std::vector<Value> vertices;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < input.traversers.size(); ++i) {
            HOB_ASSIGN_OR_RETURN(const Direction wanted,
                                 direction_of(input.parameters[i].as<MapObject>()));
            if (wanted != direction) continue;
            const Value& value = input.traversers[i].value;
            if (value.kind() != Kind::kVertex)
                return Error::execution("call('{}') needs vertices, found {} ({})", kDegree,
                                        to_text(value), type_name(value));
            vertices.push_back(value);
            places.push_back(i);
        }
        if (vertices.empty()) continue;
        std::vector<std::int64_t> counts;
        HOB_TRY(context.transaction->count_edges(vertices, {.direction = direction}, counts));
        for (std::size_t k = 0; k < places.size(); ++k)
            degrees[places[k]] = Value::long_(counts[k]);
    }
    for (std::uint32_t i = 0; i < degrees.size(); ++i)
        results.push_back({i, std::move(degrees[i])});
    return {};
}

}  // namespace

constexpr Service::Parameter kSearchParameters[] = {
    {"search", "Specify a search term - will be converted to regex via .*(search).*"},
    {"regex", "Directly specify the regex"},
    {"type",
     "Specify the type of Element to search for, one of Vertex/Edge/VertexProperty "
     "(optional)"}};
extern const Service search_service;
const Service search_service = {.name = kSearch,
                                .place = Service::Place::kStart,
                                .listed = true,
                                .parameters = kSearchParameters,
                                .run = search};
constexpr Service::Parameter kDegreeCentralityParameters[] = {
    {"direction", "Specify the edge direction (optional), default is Direction.IN"}};
extern const Service degree_centrality_service;
const Service degree_centrality_service = {.name = kDegree,
                                           .place = Service::Place::kStreaming,
                                           .listed = true,
                                           .parameters = kDegreeCentralityParameters,
                                           .run = degree_centrality};

}  // namespace hob::gremlin
