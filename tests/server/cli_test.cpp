#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/cli/client.h"
#include "server/cli/commands.h"
#include "server/cli/load_target.h"
#include "server/cli/table.h"
#include "server/open/catalog.h"
#include "server/open/samples.h"
#include "storage/store/memory/memory_store.h"

using namespace hob;
using namespace hob::server;

namespace {

namespace fs = std::filesystem;

/// A folder that is gone after the test.
struct Folder {
    Folder() : path(fs::temp_directory_path() / ("hob-cli-" + std::to_string(::getpid()))) {
        fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] std::string file(const std::string& name, const std::string& text = {}) const {
        if (!text.empty()) std::ofstream(path / name) << text;
        return (path / name).string();
    }
    fs::path path;
};

std::string text_of(const std::string& file) {
    std::ostringstream out;
    out << std::ifstream(file).rdbuf();
    return out.str();
}

config::Config suite_config() {
    auto config =
        config::load(std::string(HOB_SOURCE_DIR) + "/config/tinkerpop.yaml",
                     {.environment = {}, .settings = {{"store", "memory"}, {"port", "0"}}});
    REQUIRE(config.ok());
    return *config;
}

/// A whole server over graphs in memory.
struct Running {
    Running() {
        auto catalog = open_catalog(config, *open_store(config));
        INFO((catalog.ok() ? std::string() : catalog.error().message));
        REQUIRE(catalog.ok());
        service = std::make_unique<EngineService>(std::move(*catalog));
        server = std::move(*Server::start(server_options(config), *service));
        url = "ws://127.0.0.1:" + std::to_string(server->port()) + "/gremlin";
    }
    config::Config config = suite_config();
    std::unique_ptr<EngineService> service;
    std::unique_ptr<Server> server;
    std::string url;

    std::string ask(const std::string& source, const std::string& script) {
        auto client = cli::Client::connect(*cli::parse_url(url));
        REQUIRE(client.ok());
        std::string data;
        const auto answer = (*client)->run_text(
            script, source, 10'000,
            [&data](const cli::ClientAnswer& part) { data += part.data_json + part.message; });
        REQUIRE(answer.ok());
        return data;
    }
};

constexpr const char* kVertices =
    "~id,~label,name:String,age:Int\n1,person,marko,29\n2,person,vadas,27\n3,person,peter,"
    "notanumber\n4,person,josh,32\n";
constexpr const char* kEdges =
    "~id,~from,~to,~label,weight:Double\n7,1,2,knows,0.5\n8,1,99,knows,1.0\n9,4,1,knows,0.25\n";

}  // namespace

TEST_CASE("the samples are TinkerPop's") {
    Running r;
    CHECK(r.ask("gmodern", "g.V().count()") == "[6]");
    CHECK(r.ask("gmodern", "g.E().values('weight').order()") == "[0.2,0.4,0.4,0.5,1.0,1.0]");
    CHECK(r.ask("gmodern", "g.V(1).out('knows').id().order()") == "[2,4]");
    CHECK(r.ask("gclassic", "g.V().label().dedup()") == R"(["vertex"])");
    CHECK(r.ask("gcrew", "g.E().count()") == "[14]");
    CHECK(r.ask("gcrew", "g.V(1).properties('location').count()") == "[4]");
    CHECK(
        r.ask("gcrew", "g.V(7).properties('location').has('endTime').values('endTime').order()") ==
        "[2000,2006]");
    CHECK(r.ask("gsink", "g.V(1000).out('self').id()") == "[1000]");
    CHECK(r.ask("gsink", "g.V(2000).outE('link').id().order()") == "[2002,2003]");
    CHECK(r.ask("gscratch", "g.V().count()") == "[0]");
}

TEST_CASE("records are loaded through a server; the bad ones are named and set aside") {
    Folder folder;
    Running r;
    cli::LoadOptions options;
    options.url = r.url;
    options.source = "gscratch";
    options.rejects = folder.file("rejects.txt");
    options.files = {folder.file("e.csv", kEdges), folder.file("v.csv", kVertices)};
    CHECK(cli::load(options) == cli::exit_code::kFailed);
    CHECK(r.ask("gscratch", "g.V().count()") == "[3]");
    CHECK(r.ask("gscratch", "g.E().id().order()") == "[7,9]");
    CHECK(r.ask("gscratch", "g.V(4).out('knows').values('name')") == R"(["marko"])");
    const std::string rejects = text_of(options.rejects);
    CHECK(rejects.find("v.csv:4") != std::string::npos);
    CHECK(rejects.find("3,person,peter,notanumber") != std::string::npos);
    CHECK(rejects.find("e.csv:3") != std::string::npos);
    CHECK(rejects.find("8,1,99,knows,1.0") != std::string::npos);

    SECTION("strict stops at the first") {
        options.strict = true;
        options.source = "gair";
        CHECK(cli::load(options) == cli::exit_code::kFailed);
        CHECK(r.ask("gair", "g.E().count()") == "[0]");
    }
    SECTION("lists and meta-properties arrive") {
        options.source = "ggrateful";
        options.files = {folder.file("list.csv", "~id,~label,nick:String[]\n1,person,a;b\n")};
        CHECK(cli::load(options) == cli::exit_code::kOk);
        CHECK(r.ask("ggrateful", "g.V(1).values('nick').order()") == R"(["a","b"])");
    }
}

TEST_CASE("records are loaded straight into a store, and asked for there") {
    Folder folder;
    cli::LoadOptions options;
    options.config.settings = {"data=" + folder.file("data"), "graphs.graph.ids=long"};
    options.rejects = folder.file("rejects.txt");
    options.files = {folder.file("e.csv", kEdges), folder.file("v.csv", kVertices)};
    options.batch = 2;
    CHECK(cli::load(options) == cli::exit_code::kFailed);
    CHECK(text_of(options.rejects).find("e.csv:3") != std::string::npos);

    cli::QueryOptions query;
    query.config = options.config;
    query.json = true;
    query.text = "g.E().count()";
    CHECK(cli::query(query) == cli::exit_code::kOk);
    query.text = "g.V(";
    CHECK(cli::query(query) == cli::exit_code::kFailed);

    auto config =
        config::parse("", "test",
                      {.environment = {},
                       .settings = {{"data", folder.file("data")}, {"graphs.graph.ids", "long"}}});
    REQUIRE(config.ok());
    auto catalog = open_catalog(*config, *open_store(*config));
    REQUIRE(catalog.ok());
    const auto tx = catalog->sources[0].graph->begin();
    std::vector<Value> edges;
    REQUIRE(tx->read_edges(std::vector<Value>{Value::long_(7), Value::long_(8)}, edges).ok());
    CHECK_FALSE(edges[0].is_null());
    CHECK(edges[1].is_null());
}

TEST_CASE("wrong options and absent servers have exit codes of their own") {
    cli::LoadOptions load;
    load.files = {"/nonexistent.csv"};
    load.config.settings = {"store=memory"};
    CHECK(cli::load(load) == cli::exit_code::kUsage);
    load.config.settings = {"prot=1"};
    CHECK(cli::load(load) == cli::exit_code::kUsage);
    cli::QueryOptions query;
    query.text = "1";
    query.url = "ws://127.0.0.1:1/gremlin";
    CHECK(cli::query(query) == cli::exit_code::kUnavailable);
    query.url = "wss://x";
    CHECK(cli::query(query) == cli::exit_code::kUsage);
    CHECK(cli::health({.url = "http://127.0.0.1:1", .ready = false, .timeout_ms = 500}) ==
          cli::exit_code::kFailed);
}

TEST_CASE("a server that runs is healthy and answers queries") {
    Running r;
    const std::string port = std::to_string(r.server->port());
    CHECK(cli::health({.url = "http://127.0.0.1:" + port, .ready = true, .timeout_ms = 2'000}) ==
          cli::exit_code::kOk);
    cli::QueryOptions query;
    query.url = r.url;
    query.source = "gmodern";
    query.text = "g.V().values('name')";
    CHECK(cli::query(query) == cli::exit_code::kOk);
    query.source = "gnone";
    CHECK(cli::query(query) == cli::exit_code::kFailed);
}

TEST_CASE("results are drawn as a table") {
    CHECK(cli::draw_table({"1", "\"two\""}) == "result\n------\n1\ntwo\n");
    CHECK(cli::draw_table({R"({"name":["marko"],"age":[29]})", R"({"name":["é"]})"}) ==
          "name  | age\n------+----\nmarko | 29\né     |\n");
    CHECK(cli::draw_table({R"({"id":1,"properties":{"name":[{"id":0,"value":"a"}]}})"}) ==
          "id | properties\n---+-----------\n1  | name=a\n");
    const std::string cut = cli::draw_table({"\"" + std::string(100, 'x') + "\""});
    CHECK(cut.find("…") != std::string::npos);
}

TEST_CASE("addresses") {
    const auto url = cli::parse_url("ws://host:99/x/y");
    REQUIRE(url.ok());
    CHECK(url->host == "host");
    CHECK(url->port == "99");
    CHECK(url->path == "/x/y");
    CHECK(cli::parse_url("host")->port == "8182");
    CHECK(cli::parse_url("host")->path == "/gremlin");
    CHECK_FALSE(cli::parse_url("ws://host:abc").ok());
    CHECK_FALSE(cli::parse_url("ws://:1").ok());
}
