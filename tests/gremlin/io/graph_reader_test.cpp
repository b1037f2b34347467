#include "gremlin/io/graph_reader.h"

#include <unistd.h>
#include <zlib.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "storage/value/compare.h"
#include "tests/gremlin/io/io_values.h"
#include "tests/storage/value/random_values.h"

namespace hob::gremlin {
namespace {

/// A file that lives as long as the test.
class TemporaryFile {
  public:
    TemporaryFile(const std::string& name, std::string_view content, bool compress = false)
        : path_(std::filesystem::temp_directory_path() /
                ("hob-io-" + std::to_string(::getpid()) + "-" + name)) {
        if (compress) {
            gzFile out = gzopen(path_.c_str(), "wb");
            gzwrite(out, content.data(), static_cast<unsigned>(content.size()));
            gzclose(out);
        } else {
            std::ofstream(path_, std::ios::binary) << content;
        }
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] std::string path() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

std::string shown(const GraphRecord& r) {
    std::string out = std::to_string(r.line) +
                      (r.kind == GraphRecord::Kind::kVertex ? " v[" : " e[") + to_text(r.id) +
                      "] " + r.label;
    if (r.kind == GraphRecord::Kind::kEdge) out += " " + to_text(r.from) + "->" + to_text(r.to);
    for (const GraphProperty& p : r.properties) {
        out += " " + p.key + "=" + to_text(p.value) + ":" + std::string(type_name(p.value));
        if (p.cardinality != Cardinality::kSingle)
            out += p.cardinality == Cardinality::kSet ? "(set)" : "(list)";
        for (const auto& [key, value] : p.meta) {
            out += "{" + to_text(key) + "=" + to_text(value) + "}";
        }
    }
    return out;
}

/// Every record or error of a file, a line each, the path cut out.
std::vector<std::string> read_all(const std::string& name, std::string_view content,
                                  const GraphReadOptions& options = {}, bool compress = false) {
    const TemporaryFile file(name, content, compress);
    std::vector<std::string> all;
    auto reader = open_graph_reader(file.path(), options);
    const auto error_text = [&](const Error& e) {
        std::string m = e.message;
        const std::size_t at = m.find(file.path());
        if (at != std::string::npos) m.replace(at, file.path().size(), "FILE");
        return "error " + m;
    };
    if (!reader.ok()) return {error_text(reader.error())};
    GraphRecord record;
    for (int i = 0; i < 10'000; ++i) {
        const auto more = (*reader)->next(record);
        if (!more.ok()) {
            all.push_back(error_text(more.error()));
        } else if (*more) {
            all.push_back(shown(record));
        } else {
            return all;
        }
    }
    FAIL("the reader does not end");
    return all;
}

using Lines = std::vector<std::string>;

TEST_CASE("csv: vertices with typed columns") {
    const Lines lines = read_all(
        "v.csv",
        "~id,~label,name:String,age:Int,score:Double,ok:Bool,born:Date,tags:String[],plain\r\n"
        "1,person,\"Marko \"\"M\"\", the first\",29,1.5,true,1980-02-03,a;b\\;c;d,x\r\n"
        "v2,,\"\",,,,,,\r\n");
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] ==
          "2 v[1] person name=Marko \"M\", the first:String age=29:Integer score=1.5:Double "
          "ok=true:Boolean "
          "born=1980-02-03T00:00Z:OffsetDateTime tags=a:String(set) tags=b;c:String(set) "
          "tags=d:String(set) plain=x:String");
    CHECK(lines[1] == "3 v[v2] vertex name=:String");
}

TEST_CASE("csv: edges, with and without ids") {
    CHECK(read_all(
              "e.csv",
              "~id,~from,~to,~label,weight:Float,list:Int[]\ne1,1,v2,knows,0.5,1;2\n,3,4,,,\n") ==
          Lines{"2 e[e1] knows 1->v2 weight=0.5:Float list=[1, 2]:List", "3 e[null] edge 3->4"});
}

TEST_CASE("csv: line ends in quotes, blank lines, a byte order mark, tabs") {
    CHECK(read_all("q.csv", "\xef\xbb\xbf~id,name\n\n1,\"a\nb\"\n\n2,c") ==
          Lines{"3 v[1] vertex name=a\nb:String", "6 v[2] vertex name=c:String"});
    CHECK(read_all("t.tsv", "~id\tname\n1\ta,b\n") == Lines{"2 v[1] vertex name=a,b:String"});
}

TEST_CASE("csv: a bad record is reported and the next one read") {
    const Lines lines = read_all("bad.csv",
                                 "~id,~label,age:Int,name\n"
                                 "1,person,old,a\n"
                                 "2,person,5\n"
                                 "3,person,99999999999,a\n"
                                 "4,person,5,a\"b\n\"c\n"
                                 ",person,5,a\n"
                                 "6,person,5,\"a\"b\n"
                                 "7,person,7,\xff\n"
                                 "8,person,8,ok\n");
    REQUIRE(lines.size() == 8);
    CHECK(lines[0] == "error FILE:2: column 'age': 'old' is no Int");
    CHECK(lines[1] == "error FILE:3: the record has 3 fields, the header 4");
    CHECK(lines[2] == "error FILE:4: column 'age': '99999999999' is no Int");
    CHECK(lines[3] == "error FILE:5: column 4 has a quote in a field that does not begin with one");
    CHECK(lines[4] == "error FILE:7: an id is empty");
    CHECK(lines[5] == "error FILE:8: column 4 goes on after its closing quote");
    CHECK(lines[6] == "error FILE:9: column 'name': a text is not UTF-8");
    CHECK(lines[7] == "10 v[8] person age=8:Integer name=ok:String");
}

TEST_CASE("csv: a quote that is never closed ends the file with an error") {
    CHECK(read_all("open.csv", "~id,name\n1,\"a\n2,b\n") ==
          Lines{"error FILE:2: a quote is never closed"});
}

TEST_CASE("csv: headers that say nothing usable are refused") {
    CHECK(read_all("h0.csv", "") == Lines{"error FILE: the file is empty, expected a header"});
    CHECK(read_all("h1.csv", "name,age\n") ==
          Lines{"error FILE:1: the header has neither ~id (vertices) nor ~from and ~to (edges)"});
    CHECK(read_all("h2.csv", "~id,~from\n") ==
          Lines{"error FILE:1: the header has only one of ~from and ~to, expected both (edges) or "
                "none (vertices)"});
    CHECK(read_all("h3.csv", "~id,~what\n") ==
          Lines{"error FILE:1: column '~what' is unknown, expected ~id, ~label, ~from, ~to or a "
                "property"});
    CHECK(read_all("h4.csv", "~id,a:Complex\n")[0].find("unknown type 'Complex'") !=
          std::string::npos);
    CHECK(read_all("h5.csv", "~id,a\\:b\n1,x\n") == Lines{"2 v[1] vertex a:b=x:String"});
    CHECK(read_all("h6.csv", "~id,a:Int(single),b:Int(set)\n1,1,2\n") ==
          Lines{"2 v[1] vertex a=1:Integer b=2:Integer(set)"});
}

TEST_CASE("ids are numbers or text as asked") {
    const std::string_view content = "~id\n1\n01\nx\n";
    CHECK(read_all("i1.csv", content) == Lines{"2 v[1] vertex", "3 v[01] vertex", "4 v[x] vertex"});
    GraphReadOptions options;
    options.ids = IdForm::kLong;
    CHECK(read_all("i2.csv", content, options) ==
          Lines{"2 v[1] vertex", "3 v[1] vertex", "error FILE:4: id 'x' is no whole number"});
    const TemporaryFile file("i3.csv", content);
    options.ids = IdForm::kText;
    auto reader = open_graph_reader(file.path(), options);
    REQUIRE(reader.ok());
    GraphRecord record;
    REQUIRE((*reader)->next(record).ok());
    CHECK(record.id.is_string());
    CHECK((*reader)->text() == "1");
    CHECK((*reader)->header() == "~id");
    CHECK((*reader)->bytes_total() == content.size());
}

TEST_CASE("graphson: vertices, then their out-edges") {
    const Lines lines = read_all("g.json",
                                 "{\"id\":{\"@type\":\"g:Int64\",\"@value\":1},\"label\":"
                                 "\"person\",\"outE\":{\"knows\":[{\"id\":7,\"inV\":2,"
                                 "\"properties\":{\"weight\":0.5}}]},\"inE\":{\"x\":[{\"id\":9,"
                                 "\"outV\":3}]},\"properties\":{\"name\":[{\"id\":0,"
                                 "\"value\":\"marko\",\"properties\":{\"since\":2010}},{\"id\":1,"
                                 "\"value\":\"m\"}],\"age\":[{\"id\":2,\"value\":29}]}}\n"
                                 "\n"
                                 "{\"id\":2,\n"
                                 "{\"id\":3}\n");
    REQUIRE(lines.size() == 4);
    CHECK(lines[0] ==
          "1 v[1] person name=marko:String(list){since=2010} name=m:String(list) age=29:Integer");
    CHECK(lines[1] == "1 e[7] knows 1->2 weight=0.5:Double");
    CHECK(lines[2] == "error FILE:3: expected a member's name at byte 8 of 8");
    CHECK(lines[3] == "4 v[3] vertex");
}

constexpr std::string_view kGraphml =
    R"(<?xml version="1.0" ?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="labelV" for="node" attr.name="labelV" attr.type="string"/><key id="labelE" for="edge" attr.name="labelE" attr.type="string"/>
<key id="a" for="node" attr.name="age" attr.type="int"/><key id="n" for="node" attr.name="name" attr.type="string"/>
<key id="w" for="edge" attr.name="weight" attr.type="double"/><key id="z" for="node" attr.name="z" attr.type="complex"/>
<graph id="G" edgedefault="directed">
<node id="1"><data key="labelV">person</data><data key="n">marko &amp; co</data><data key="a">29</data></node>
<node id="x"><data key="a">old</data></node>
<edge id="7" source="1" target="x"><data key="labelE">knows</data><data key="w">0.5</data></edge>
<node/>
<node id="2"><data key="q">1</data></node>
<node id="3"><data key="z">1</data></node>
<edge source="1" target="1"/>
</graph></graphml>)";

TEST_CASE("graphml: nodes and edges with typed keys") {
    CHECK(read_all("g.xml", kGraphml) ==
          Lines{"6 v[1] person name=marko & co:String age=29:Integer",
                "error FILE:7: property 'age': 'old' is no Int",
                "8 e[7] knows 1->x weight=0.5:Double", "error FILE:9: the node has no 'id'",
                "error FILE:10: data has the key 'q', which no <key> declares",
                "error FILE:11: key 'z' has an unknown type, expected int, long, float, double, "
                "boolean or string",
                "12 e[null] edge 1->1"});
}

TEST_CASE("graphml: broken xml is one error, after what came before it") {
    const Lines lines =
        read_all("b.xml", std::string(kGraphml.substr(0, kGraphml.find("<node id=\"x\""))) +
                              "<node id=\"5\"");
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].starts_with("6 v[1] person"));
    CHECK(lines[1].starts_with("error FILE:7: broken XML: "));
}

TEST_CASE("graphml: entities are not expanded") {
    const Lines lines =
        read_all("x.xml",
                 "<!DOCTYPE g [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<graphml><graph><node "
                 "id=\"&b;\"/></graph></graphml>");
    CHECK(lines == Lines{"error FILE:1: broken XML: entities are not read"});
}

TEST_CASE("gzip is unpacked, a cut archive is an error") {
    std::string content = "~id,name\n";
    for (int i = 0; i < 5000; ++i) {
        content += std::to_string(i) + ",name " + std::to_string(i * 7919 % 10007) + "\n";
    }
    const Lines lines = read_all("z.csv.gz", content, {}, true);
    CHECK(lines.size() == 5000);
    CHECK(lines.back() == "5001 v[4999] vertex name=name 9396:String");

    const TemporaryFile whole("whole.csv.gz", content, true);
    std::ifstream in(whole.path(), std::ios::binary);
    std::string packed((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const Lines cut = read_all("cut.csv.gz", std::string_view(packed).substr(0, packed.size() / 2));
    REQUIRE(cut.size() > 100);
    CHECK(cut.back().find("can't be unpacked") != std::string::npos);
}

TEST_CASE("files that can't be opened are named") {
    CHECK(open_graph_reader("/nowhere/x.csv").error().code == Code::kNotFound);
    CHECK(open_graph_reader("/tmp", {.format = "csv"}).error().message ==
          "'/tmp' is a folder, expected a file");
    CHECK(open_graph_reader("x.parquet").error().code == Code::kInvalidArgument);
}

TEST_CASE("graph files: mutated ones are read or refused, record by record") {
    const std::uint64_t seed = test::run_seed();
    INFO("HOB_SEED=" << seed);
    test::RandomValues random(seed);
    const std::pair<std::string, std::string> files[] = {
        {"m.csv", "~id,~label,age:Int,name\n1,person,5,\"a,\"\"b\"\n2,x,6,c\n3,y,7,d\n"},
        {"m.json",
         "{\"id\":1,\"outE\":{\"k\":[{\"id\":7,\"inV\":2}]},\"properties\":{\"n\":[{\"value\":1}]}}"
         "\n{\"id\":2}\n"},
        {"m.xml", std::string(kGraphml)}};
    for (int i = 0; i < 3000; ++i) {
        auto [name, content] = files[random.below(3)];
        for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
            const std::size_t at = random.below(content.size());
            if (random.below(2) == 0) {
                content[at] = static_cast<char>(random.below(256));
            } else {
                content.erase(at, 1 + random.below(5));
            }
            if (content.empty()) content = "x";
        }
        CHECK(read_all(name, content).size() < 100);
    }
}

}  // namespace
}  // namespace hob::gremlin
