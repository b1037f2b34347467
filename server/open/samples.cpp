#include "server/open/samples.h"

#include <cmath>
#include <string_view>
#include <vector>

namespace hob::server {
namespace {

using Properties = std::vector<std::pair<std::string, Value>>;

struct SampleVertex {
    std::int64_t id;
    std::string_view label;
    Properties properties;
};
struct SampleEdge {
    std::int64_t id;
    std::int64_t out;
    std::string_view label;
    std::int64_t in;
    Properties properties;
};

Value text(std::string_view t) {
    return Value::string(t);
}
Value number(std::int32_t n) {
    return Value::int_(n);
}

/// Vertex properties have TinkerPop's ids too: they count from 0.
Status write_vertex(graph::Transaction& tx, const SampleVertex& vertex,
                    std::int64_t& property_ids) {
    std::vector<graph::PropertyWrite> writes;
    for (const auto& [key, value] : vertex.properties)
        writes.push_back({.key = key, .value = value, .id = Value::long_(property_ids++)});
    HOB_TRY(tx.add_vertex(Value::long_(vertex.id), vertex.label, writes));
    return {};
}

Status write_edge(graph::Transaction& tx, const SampleEdge& edge) {
    HOB_TRY(tx.add_edge(Value::long_(edge.id), edge.label, Value::vertex(Value::long_(edge.out)),
                        Value::vertex(Value::long_(edge.in)), edge.properties));
    return {};
}

Status write_all(graph::Transaction& tx, const std::vector<SampleVertex>& vertices,
                 const std::vector<SampleEdge>& edges) {
    std::int64_t property_ids = 0;
    for (const auto& vertex : vertices)
        HOB_TRY(write_vertex(tx, vertex, property_ids));
    for (const auto& edge : edges)
        HOB_TRY(write_edge(tx, edge));
    return {};
}

std::vector<SampleVertex> people_and_software(std::string_view person, std::string_view software) {
    return {{1, person, {{"name", text("marko")}, {"age", number(29)}}},
            {2, person, {{"name", text("vadas")}, {"age", number(27)}}},
            {3, software, {{"name", text("lop")}, {"lang", text("java")}}},
            {4, person, {{"name", text("josh")}, {"age", number(32)}}},
            {5, software, {{"name", text("ripple")}, {"lang", text("java")}}},
            {6, person, {{"name", text("peter")}, {"age", number(35)}}}};
}

/// Modern's weights are doubles, classic's are floats.
template <typename MakeWeight>
std::vector<SampleEdge> weighted_edges(const MakeWeight& weight) {
    return {{7, 1, "knows", 2, {{"weight", weight(0.5F)}}},
            {8, 1, "knows", 4, {{"weight", weight(1.0F)}}},
            {9, 1, "created", 3, {{"weight", weight(0.4F)}}},
            {10, 4, "created", 5, {{"weight", weight(1.0F)}}},
            {11, 4, "created", 3, {{"weight", weight(0.4F)}}},
            {12, 6, "created", 3, {{"weight", weight(0.2F)}}}};
}

/// 0.4F as the double 0.4, not as the double nearest to the float.
Value double_weight(float weight) {
    return Value::double_(static_cast<double>(std::lround(weight * 10)) / 10);
}

struct Stay {
    std::int64_t person;
    std::string_view place;
    std::int32_t from;
    std::int32_t to;  ///< 0: still there.
};

Status write_crew(graph::Transaction& tx) {
    const std::vector<SampleVertex> vertices{{1, "person", {{"name", text("marko")}}},
                                             {7, "person", {{"name", text("stephen")}}},
                                             {8, "person", {{"name", text("matthias")}}},
                                             {9, "person", {{"name", text("daniel")}}},
                                             {10, "software", {{"name", text("gremlin")}}},
                                             {11, "software", {{"name", text("tinkergraph")}}}};
    const std::vector<Stay> stays{{1, "san diego", 1997, 2001},      {1, "santa cruz", 2001, 2004},
                                  {1, "brussels", 2004, 2005},       {1, "santa fe", 2005, 0},
                                  {7, "centreville", 1990, 2000},    {7, "dulles", 2000, 2006},
                                  {7, "purcellville", 2006, 0},      {8, "bremen", 2004, 2007},
                                  {8, "baltimore", 2007, 2011},      {8, "oakland", 2011, 2014},
                                  {8, "seattle", 2014, 0},           {9, "spremberg", 1982, 2005},
                                  {9, "kaiserslautern", 2005, 2009}, {9, "aachen", 2009, 0}};
    const std::vector<SampleEdge> edges{{13, 1, "develops", 10, {{"since", number(2009)}}},
                                        {14, 1, "develops", 11, {{"since", number(2010)}}},
                                        {15, 1, "uses", 10, {{"skill", number(4)}}},
                                        {16, 1, "uses", 11, {{"skill", number(5)}}},
                                        {17, 7, "develops", 10, {{"since", number(2010)}}},
                                        {18, 7, "develops", 11, {{"since", number(2011)}}},
                                        {19, 7, "uses", 10, {{"skill", number(5)}}},
                                        {20, 7, "uses", 11, {{"skill", number(4)}}},
                                        {21, 8, "develops", 10, {{"since", number(2012)}}},
                                        {22, 8, "uses", 10, {{"skill", number(3)}}},
                                        {23, 8, "uses", 11, {{"skill", number(3)}}},
                                        {24, 9, "uses", 10, {{"skill", number(5)}}},
                                        {25, 9, "uses", 11, {{"skill", number(3)}}},
                                        {26, 10, "traverses", 11, {}}};
    std::int64_t property_ids = 0;
    for (const auto& vertex : vertices)
        HOB_TRY(write_vertex(tx, vertex, property_ids));
    for (const auto& [person, place, from, to] : stays) {
        graph::PropertyWrite write{.key = "location",
                                   .value = text(place),
                                   .cardinality = Cardinality::kList,
                                   .id = Value::long_(property_ids++)};
        write.meta.emplace_back("startTime", number(from));
        if (to != 0) write.meta.emplace_back("endTime", number(to));
        HOB_TRY(tx.set_vertex_property(Value::vertex(Value::long_(person)), write));
    }
    for (const auto& edge : edges)
        HOB_TRY(write_edge(tx, edge));
    return {};
}

Status write_into(graph::Transaction& tx, config::Sample sample) {
    switch (sample) {
        case config::Sample::kNone:
            return {};
        case config::Sample::kModern:
            return write_all(tx, people_and_software("person", "software"),
                             weighted_edges(double_weight));
        case config::Sample::kClassic:
            return write_all(tx, people_and_software("vertex", "vertex"),
                             weighted_edges(Value::float_));
        case config::Sample::kCrew:
            return write_crew(tx);
        case config::Sample::kSink:
            return write_all(tx,
                             {{1000, "loops", {{"name", text("loop")}}},
                              {2000, "message", {{"name", text("a")}}},
                              {2001, "message", {{"name", text("b")}}}},
                             {{1001, 1000, "self", 1000, {}},
                              {2002, 2000, "link", 2001, {}},
                              {2003, 2000, "link", 2000, {}}});
    }
    return {};
}

}  // namespace

Status write_sample(graph::Graph& graph, config::Sample sample, const store::CallContext& call) {
    const auto tx = graph.begin();
    tx->use(call);
    if (auto written = write_into(*tx, sample); !written.ok()) {
        tx->rollback();
        return written;
    }
    return tx->commit();
}

Result<bool> is_empty(graph::Graph& graph, const store::CallContext& call) {
    const auto tx = graph.begin();
    tx->use(call);
    HOB_ASSIGN_OR_RETURN(const auto scan, tx->scan_vertices({}, graph::Projection::label_only()));
    std::vector<Value> first;
    HOB_TRY(scan->next(1, first));
    tx->rollback();
    return first.empty();
}

}  // namespace hob::server
