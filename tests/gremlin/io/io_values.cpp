#include "tests/gremlin/io/io_values.h"

#include <fstream>
#include <limits>
#include <sstream>

#include "gremlin/language/traversal.h"
#include "storage/value/compare.h"

namespace hob::test {

Value edge(Value id, std::string_view label, Value out_id, Value in_id,
           std::vector<std::pair<Value, Value>> properties) {
    auto* e = new EdgeObject;
    e->id = std::move(id);
    e->label = Value::string(label);
    e->out = Value::vertex(out_id);
    e->in = Value::vertex(in_id);
    e->out_label = Value::string("person");
    e->in_label = Value::string("software");
    e->properties = std::move(properties);
    return Value::adopt(Kind::kEdge, e);
}

Value vertex_property(Value id, std::string_view key, Value value,
                      std::vector<std::pair<Value, Value>> meta) {
    auto* p = new VertexPropertyObject;
    p->id = std::move(id);
    p->key = Value::string(key);
    p->value = std::move(value);
    p->meta = std::move(meta);
    return Value::adopt(Kind::kVertexProperty, p);
}

Value property(std::string_view key, Value value) {
    auto* p = new PropertyObject;
    p->key = Value::string(key);
    p->value = std::move(value);
    return Value::adopt(Kind::kProperty, p);
}

Value path(std::vector<Value> objects, std::vector<std::vector<Value>> labels) {
    auto* p = new PathObject;
    p->objects = std::move(objects);
    p->labels = std::move(labels);
    return Value::adopt(Kind::kPath, p);
}

Value map_of(std::vector<std::pair<Value, Value>> entries) {
    Value map = make_map();
    map.mutate<MapObject>().assign(std::move(entries));
    return map;
}

Value strings(std::initializer_list<std::string_view> texts) {
    std::vector<Value> items;
    for (const auto t : texts) {
        items.push_back(Value::string(t));
    }
    return Value::list(std::move(items));
}

void KnownElements::add(const Value& vertex, std::string_view label,
                        std::vector<Value> properties) {
    records_[to_text(vertex)] = {vertex, Value::string(label), std::move(properties)};
}

const VertexRecord* KnownElements::vertex(const Value& vertex) const {
    const auto found = records_.find(to_text(vertex));
    return found == records_.end() ? nullptr : &found->second;
}

std::string from_hex(std::string_view hex) {
    std::string out;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        out.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
    }
    return out;
}

std::string read_test_file(const std::string& name) {
    std::ifstream in(std::string(HOB_TEST_FOLDER) + "/" + name, std::ios::binary);
    std::stringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
}

namespace {

Value tree() {
    auto* leaf = new TreeObject;
    auto* middle = new TreeObject;
    middle->children.put(Value::vertex(Value::long_(2)), Value::adopt(Kind::kTree, leaf));
    auto* top = new TreeObject;
    top->children.put(Value::string("marko"), Value::adopt(Kind::kTree, middle));
    return Value::adopt(Kind::kTree, top);
}

Value bulk_set() {
    auto* set = new BulkSetObject;
    set->add(Value::string("a"), 2);
    set->add(Value::int_(1), 10'000'000'000);
    return Value::adopt(Kind::kBulkSet, set);
}

Value metrics() {
    auto* inner = new MetricsObject;
    inner->id = "1.0()";
    inner->name = "inner";
    auto* m = new MetricsObject;
    m->id = "7.0.0()";
    m->name = "VertexStep(OUT,edge)";
    m->duration_ns = 1'234'567;
    m->counts = {{"traverserCount", 4}, {"elementCount", 6}};
    m->annotations = {{"percentDur", Value::double_(12.5)}};
    m->nested = {Value::adopt(Kind::kMetrics, inner)};
    auto* all = new TraversalMetricsObject;
    all->duration_ns = 9'999'999;
    all->metrics = {Value::adopt(Kind::kMetrics, m)};
    return Value::adopt(Kind::kTraversalMetrics, all);
}

Value traversal() {
    using namespace gremlin;
    Traversal inner;
    inner.steps = {{"out", {Value::string("knows")}}};
    Traversal t;
    t.sources = {{"withSack", {Value::double_(1)}}};
    t.steps = {{"V", {}},
               {"has", {Value::string("age"), make_predicate("gt", {Value::int_(30)})}},
               {"where", {make_traversal(inner)}},
               {"by", {Value::enumeration(EnumType::kOrder, 1)}}};
    return make_traversal(std::move(t));
}

}  // namespace

std::vector<Value> samples() {
    using namespace gremlin;
    std::vector<Value> all{
        Value(),
        Value::boolean(true),
        Value::byte(-5),
        Value::short_(-300),
        Value::int_(std::numeric_limits<std::int32_t>::min()),
        Value::long_(std::numeric_limits<std::int64_t>::min()),
        Value::long_(9007199254740993),
        Value::float_(5.75f),
        Value::double_(0.1),
        Value::double_(std::numeric_limits<double>::quiet_NaN()),
        Value::double_(std::numeric_limits<double>::infinity()),
        Value::double_(-std::numeric_limits<double>::infinity()),
        Value::char_(U'\u00e4'),
        Value::date(-1),
        *parse_date_time("2018-03-22T00:35:44.741+16:00"),
        Value::duration(-5, 999'999'999),
        *big_int_from_text("-123456789012345678901234567890"),
        *big_decimal_from_text("123456789012345678901234567890.123456789"),
        Value::string("tab\t quote\" back\\ nul\x01 \xf0\x9f\x98\x80"),
        *parse_uuid("41d2e28a-20a4-4ab0-b379-d810dede3786"),
        Value::bytes(std::string_view("\0\xff", 2)),
        Value::list({Value::int_(1), Value::string("x"), Value(), Value::list({})}),
        Value::set({Value::string("a"), Value::int_(2)}),
        map_of({{Value::string("a"), Value::int_(1)},
                {Value::int_(5), Value::list({})},
                {Value::token(T::kId), Value()}}),
        Value::vertex(Value::long_(7)),
        Value::vertex(Value::string("seven")),
        edge(Value::string("e1"), "created", Value::long_(1), Value::long_(3),
             {{Value::string("weight"), Value::double_(0.4)}}),
        vertex_property(Value::long_(0), "name", Value::string("marko"),
                        {{Value::string("since"), Value::int_(2010)}}),
        property("since", Value::int_(2010)),
        path({Value::vertex(Value::long_(1)), Value::string("lop")},
             {{Value::string("a"), Value::string("b")}, {}}),
        tree(),
        bulk_set(),
        metrics(),
        traversal(),
        Value::traverser(Value::string("x"), 3),
        Value::token(T::kLabel),
        Value::direction(Direction::kBoth),
        make_predicate("within", {Value::int_(1), Value::string("b")}),
        make_predicate("startingWith", {Value::string("m")}),
        make_predicate("between", {Value::int_(1), Value::int_(5)}),
        make_predicate("and", {make_predicate("gt", {Value::int_(1)}),
                               make_predicate("not", {make_predicate("eq", {Value()})})}),
        make_strategy("ReadOnlyStrategy", {}),
        make_strategy("SubgraphStrategy", {{"vertices", traversal()},
                                           {"checkAdjacentVertices", Value::boolean(false)}}),
        make_lambda("gremlin-groovy", "it.get()"),
        make_binding("x", true, Value::int_(5)),
    };
    for (std::uint8_t type = 0; type <= static_cast<std::uint8_t>(EnumType::kGType); ++type) {
        for (std::uint8_t i = 0; !name_of(static_cast<EnumType>(type), i).empty(); ++i) {
            all.push_back(Value::enumeration(static_cast<EnumType>(type), i));
        }
    }
    return all;
}

}  // namespace hob::test
