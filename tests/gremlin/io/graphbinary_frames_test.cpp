// Messages that stock drivers sent and that Gremlin Server answered: reading them and writing them
// again gives the same bytes.
#include <catch2/catch.hpp>
#include <sstream>

#include "gremlin/io/graphbinary.h"
#include "gremlin/language/traversal.h"
#include "tests/gremlin/io/io_values.h"

namespace hob::gremlin {
namespace {

struct Frame {
    std::string name;
    std::string from;
    std::string bytes;
};

std::vector<Frame> frames() {
    std::vector<Frame> all;
    std::istringstream lines(test::read_test_file("graphbinary_frames.txt"));
    std::string line;
    while (std::getline(lines, line)) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream words(line);
        Frame f;
        std::string hex;
        words >> f.name >> f.from >> hex;
        f.bytes = test::from_hex(hex);
        all.push_back(std::move(f));
    }
    return all;
}

/// The arguments of a request.
Value arguments_of(const Frame& f) {
    ByteReader in(f.bytes);
    const std::size_t mime_size = in.u8();
    in.take(mime_size + 1 + 16);
    REQUIRE(graphbinary::read_bare_string(in).ok());
    REQUIRE(graphbinary::read_bare_string(in).ok());
    const std::size_t at = in.position();
    auto arguments = graphbinary::read_bare_map(in);
    INFO((arguments.ok() ? "" : arguments.error().message));
    REQUIRE(arguments.ok());
    REQUIRE(in.at_end());
    std::string again;
    graphbinary::write_bare_map(*arguments, WriteOptions{}, again);
    REQUIRE(to_hex(again, 5000) == to_hex(f.bytes.substr(at), 5000));
    return *arguments;
}

/// The result of a response, and its bytes.
std::pair<Value, std::string> result_of(const Frame& f) {
    ByteReader in(f.bytes);
    in.take(1 + 17 + 4);
    if (in.u8() == 0) REQUIRE(graphbinary::read_bare_string(in).ok());
    REQUIRE(graphbinary::read_bare_map(in).ok());
    REQUIRE(graphbinary::read_bare_map(in).ok());
    const std::size_t at = in.position();
    auto result = graphbinary::read_value(in);
    INFO((result.ok() ? "" : result.error().message));
    REQUIRE(result.ok());
    REQUIRE(in.at_end());
    return {*result, f.bytes.substr(at)};
}

Value arguments_of(std::string_view name) {
    for (const Frame& f : frames()) {
        if (f.name == name && f.from == "client") return arguments_of(f);
    }
    FAIL("no frame " << name);
    return {};
}

Value result_of(std::string_view name) {
    for (const Frame& f : frames()) {
        if (f.name == name && f.from == "server") return result_of(f).first;
    }
    FAIL("no frame " << name);
    return {};
}

TEST_CASE("every recorded request is read and written again byte for byte") {
    int requests = 0;
    for (const Frame& f : frames()) {
        if (f.from != "client") continue;
        INFO(f.name);
        arguments_of(f);
        ++requests;
    }
    CHECK(requests > 30);
}

TEST_CASE("every recorded response is read, and without vertices written again byte for byte") {
    int same = 0;
    for (const Frame& f : frames()) {
        if (f.from != "server") continue;
        INFO(f.name);
        const auto [result, bytes] = result_of(f);
        std::string again;
        graphbinary::write_value(result, WriteOptions{}, again);
        // Vertex ids of this graph are ints, which we write as longs.
        bool vertices = false;
        for (const char* word : {"vertex", "path", "edge", "subgraph", "options"}) {
            vertices = vertices || f.name.find(word) != std::string::npos;
        }
        if (vertices) continue;
        REQUIRE(to_hex(again, 5000) == to_hex(bytes, 5000));
        ++same;
    }
    CHECK(same > 20);
}

TEST_CASE("a traversal with predicates says what the driver meant") {
    const Value arguments = arguments_of("java-graphbinary-bytecode-predicates");
    const Value* gremlin = arguments.as<MapObject>().find("gremlin");
    REQUIRE(gremlin != nullptr);
    const TraversalObject* t = as_traversal(*gremlin);
    REQUIRE(t != nullptr);
    CHECK(t->traversal.steps[0].name == "V");
}

TEST_CASE("numbers of every width come back from the server") {
    const Value result = result_of("java-graphbinary-bytecode-numbers");
    std::string kinds;
    for (const Value& traverser : result.items()) {
        kinds += std::string(type_name(traverser.as<TraverserObject>().value)) + " ";
    }
    CHECK(kinds ==
          "Byte Short Integer Long Float Double BigInteger BigDecimal Boolean String UUID "
          "OffsetDateTime null ");
}

TEST_CASE("a vertex with properties is written as Gremlin Server writes it") {
    for (const Frame& f : frames()) {
        if (f.name != "java-graphbinary-bytecode-vertex" || f.from != "server") continue;
        const auto [result, bytes] = result_of(f);
        const Value vertex = result.items()[0].as<TraverserObject>().value;
        // The reader keeps only the vertex' identity; its properties as the server sent them are
        // put back here.
        test::KnownElements known;
        ByteReader in(bytes);
        in.take(2 + 4 + 2 + 8 + 2);
        const auto id = graphbinary::read_value(in);
        REQUIRE(id.ok());
        REQUIRE(graphbinary::read_bare_string(in).ok());
        const auto properties = graphbinary::read_value(in);
        REQUIRE(properties.ok());
        known.add(vertex, "person", {properties->items().begin(), properties->items().end()});
        WriteOptions options;
        options.elements = &known;
        std::string again;
        graphbinary::write_value(result, options, again);
        // Gremlin Server's ids in this graph are ints, ours longs.
        CHECK(again.size() == bytes.size() + 4);
        CHECK(to_hex(again, 5000).substr(64) == to_hex(bytes, 5000).substr(56));
    }
}

TEST_CASE("a subgraph has its vertices, edges and their properties") {
    const Value result = result_of("java-graphbinary-bytecode-subgraph");
    const auto& graph = result.items()[0].as<TraverserObject>().value.as<GraphObject>();
    REQUIRE(graph.vertices.size() == 2);
    REQUIRE(graph.edges.size() == 1);
    CHECK(graph.vertices[0].properties.size() == 2);
    CHECK(graph.edges[0].as<EdgeObject>().properties.size() == 1);
}

}  // namespace
}  // namespace hob::gremlin
