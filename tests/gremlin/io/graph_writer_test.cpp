#include "gremlin/io/graph_writer.h"

#include <unistd.h>
#include <catch2/catch.hpp>

#include <filesystem>

#include "gremlin/io/graph_reader.h"
#include "storage/value/compare.h"
#include "tests/gremlin/io/io_values.h"

namespace hob::gremlin {
namespace {

namespace fs = std::filesystem;

/// A folder that lives as long as the test.
class TemporaryFolder {
  public:
    TemporaryFolder()
        : path_(fs::temp_directory_path() / ("hob-writer-" + std::to_string(::getpid()))) {
        fs::create_directories(path_);
    }
    ~TemporaryFolder() { fs::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] std::string operator/(const std::string& name) const {
        return (path_ / name).string();
    }
    [[nodiscard]] std::size_t file_count() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
    }

  private:
    fs::path path_;
};

VertexRecord vertex(std::int64_t id, std::string_view label, std::vector<Value> properties) {
    return {Value::vertex(Value::long_(id)), Value::string(label), std::move(properties)};
}

std::vector<GraphRecord> read_all(const std::string& path) {
    std::vector<GraphRecord> all;
    auto reader = open_graph_reader(path);
    REQUIRE(reader.ok());
    GraphRecord record;
    while (true) {
        const auto more = (*reader)->next(record);
        INFO((more.ok() ? "" : more.error().message));
        REQUIRE(more.ok());
        if (!*more) return all;
        all.push_back(record);
    }
}

TEST_CASE("writers: what is written is read back, in every format, packed or not") {
    const TemporaryFolder folder;
    const Value knows = test::edge(
        Value::string("e\"1"), "knows", Value::long_(1), Value::long_(2),
        {{Value::string("weight"), Value::double_(0.5)}, {Value::string("age"), Value::int_(3)}});
    for (const char* name : {"g.json", "g.json.gz", "g.xml", "g.graphml.gz"}) {
        INFO(name);
        auto writer = open_graph_writer(folder / name);
        REQUIRE(writer.ok());
        REQUIRE((*writer)
                    ->add(vertex(1, "person",
                                 {test::vertex_property(Value::long_(0), "name",
                                                        Value::string("<marko> & \"co\"\n")),
                                  test::vertex_property(Value::long_(1), "age", Value::int_(29))}),
                          std::vector<Value>{knows}, {})
                    .ok());
        REQUIRE((*writer)
                    ->add(vertex(2, "person",
                                 {test::vertex_property(Value::long_(2), "age", Value::int_(27))}),
                          {}, std::vector<Value>{knows})
                    .ok());
        CHECK_FALSE(fs::exists(folder / name));
        REQUIRE((*writer)->finish().ok());
        const auto records = read_all(folder / name);
        REQUIRE(records.size() == 3);
        const bool edge_second = records[1].kind == GraphRecord::Kind::kEdge;
        const GraphRecord& edge = records[edge_second ? 1 : 2];
        CHECK(records[0].label == "person");
        CHECK(identical(records[0].id, Value::long_(1)));
        REQUIRE(records[0].properties.size() == 2);
        CHECK(records[0].properties[0].value.text() == "<marko> & \"co\"\n");
        CHECK(identical(records[0].properties[1].value, Value::int_(29)));
        CHECK(to_text(edge.id) == "e\"1");
        CHECK(edge.label == "knows");
        CHECK(identical(edge.to, Value::long_(2)));
        REQUIRE(edge.properties.size() == 2);
        CHECK(edge.properties[0].value.as_double() == 0.5);
        CHECK(identical(edge.properties[1].value, Value::int_(3)));
    }
    CHECK(folder.file_count() == 4);
}

TEST_CASE("writers: graphson keeps several values and meta-properties, graphml refuses them") {
    const TemporaryFolder folder;
    const auto two = vertex(1, "person",
                            {test::vertex_property(Value::long_(0), "name", Value::string("a"),
                                                   {{Value::string("since"), Value::int_(1)}}),
                             test::vertex_property(Value::long_(1), "name", Value::string("b"))});
    {
        auto writer = open_graph_writer(folder / "g.json");
        REQUIRE(writer.ok());
        REQUIRE((*writer)->add(two, {}, {}).ok());
        REQUIRE((*writer)->finish().ok());
    }
    const auto records = read_all(folder / "g.json");
    REQUIRE(records[0].properties.size() == 2);
    CHECK(records[0].properties[0].cardinality == Cardinality::kList);
    CHECK(records[0].properties[0].meta.size() == 1);
    {
        auto writer = open_graph_writer(folder / "g.xml");
        REQUIRE(writer.ok());
        CHECK((*writer)->add(two, {}, {}).error().code == Code::kUnsupported);
    }
    CHECK(folder.file_count() == 1);
}

TEST_CASE("writers: a key with values of several types is text in graphml") {
    const TemporaryFolder folder;
    auto writer = open_graph_writer(folder / "g.xml");
    REQUIRE(writer.ok());
    REQUIRE((*writer)
                ->add(vertex(1, "v", {test::vertex_property(Value::long_(0), "x", Value::int_(1))}),
                      {}, {})
                .ok());
    REQUIRE((*writer)
                ->add(vertex(2, "v",
                             {test::vertex_property(Value::long_(1), "x", Value::string("one"))}),
                      {}, {})
                .ok());
    REQUIRE((*writer)->finish().ok());
    const auto records = read_all(folder / "g.xml");
    CHECK(records[0].properties[0].value.text() == "1");
}

TEST_CASE("writers: what can't be created is named") {
    CHECK(open_graph_writer("/nowhere/g.json").error().code == Code::kUnavailable);
    CHECK(open_graph_writer("/nowhere/g.xml").error().code == Code::kUnavailable);
    CHECK(open_graph_writer("g.csv").error().code == Code::kInvalidArgument);
}

}  // namespace
}  // namespace hob::gremlin
