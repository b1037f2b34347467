#include "config/config.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "config/tree.h"

namespace hob::config {
namespace {

constexpr std::uint64_t kGiB = 1ULL << 30;
constexpr std::uint64_t kDayMs = 86'400'000;

/// Every key that is spelled in camel case, so that an environment variable in capitals finds it.
const std::vector<std::string>& known_keys() {
    static const std::vector<std::string> kKeys{"host",
                                                "port",
                                                "store",
                                                "data",
                                                "rocksdb",
                                                "cache",
                                                "rowCache",
                                                "ioFolder",
                                                "sync",
                                                "hbase",
                                                "gateways",
                                                "namespace",
                                                "tablePrefix",
                                                "connections",
                                                "connectTimeout",
                                                "callTimeout",
                                                "splits",
                                                "graphs",
                                                "ids",
                                                "edgeIds",
                                                "cardinality",
                                                "sample",
                                                "sources",
                                                "graph",
                                                "readOnly",
                                                "budgets",
                                                "maxFrontier",
                                                "maxPerVertex",
                                                "maxCells",
                                                "maxResults",
                                                "maxMemory",
                                                "onCap",
                                                "sessions",
                                                "max",
                                                "timeout",
                                                "evaluationTimeout",
                                                "maxContentLength",
                                                "resultIterationBatchSize",
                                                "maxFrameLength",
                                                "connectionBuffer",
                                                "maxHttpResponse",
                                                "idleConnectionTimeout",
                                                "keepAliveInterval",
                                                "workers",
                                                "ioThreads",
                                                "queue",
                                                "maxConnections",
                                                "parseCache",
                                                "corsOrigins",
                                                "logLevel"};
    return kKeys;
}

Status read_hbase(Section section, HBase& out) {
    section.read("gateways", out.gateways);
    section.read("namespace", out.name_space);
    section.read("tablePrefix", out.table_prefix);
    section.number("connections", out.connections, 1, 256);
    section.number("connectTimeout", out.connect_timeout_ms, 1, kDayMs);
    section.number("callTimeout", out.call_timeout_ms, 1, kDayMs);
    section.number("splits", out.splits, 1, 256);
    if (out.gateways.empty())
        section.fail("hbase.gateways is empty, expected host:port of a Thrift2 gateway");
    return section.finish();
}

Status read_rocksdb(Section section, RocksDb& out) {
    section.bytes("cache", out.cache_bytes, 1 << 20, 1024 * kGiB);
    section.bytes("rowCache", out.row_cache_bytes, 0, 1024 * kGiB);
    section.read("sync", out.sync);
    return section.finish();
}

Status read_budgets(Section section, Budgets& out) {
    constexpr std::uint64_t kMost = 1ULL << 62;
    section.number("maxFrontier", out.max_frontier, 1, kMost);
    section.number("maxPerVertex", out.max_per_vertex, 1, kMost);
    section.number("maxCells", out.max_cells, 1, kMost);
    section.number("maxResults", out.max_results, 1, kMost);
    section.bytes("maxMemory", out.max_memory_bytes, 1 << 20, kMost);
    section.choice("onCap", out.sample, {{"error", false}, {"sample", true}});
    return section.finish();
}

Status read_sessions(Section section, Sessions& out) {
    section.number("max", out.max, 1, 1'000'000);
    section.number("timeout", out.timeout_ms, 100, kDayMs);
    return section.finish();
}

Status read_graphs(Section& root, const std::string& origin, std::vector<Graph>& out) {
    for (const auto& [name, node] : root.entries("graphs")) {
        Graph graph{.name = name};
        Section section(node, "graphs." + name, origin);
        section.choice("ids", graph.ids,
                       {{"long", Ids::kLong},
                        {"string", Ids::kString},
                        {"uuid", Ids::kUuid},
                        {"any", Ids::kAny}});
        section.choice("edgeIds", graph.edge_ids,
                       {{"place", EdgeIds::kPlace}, {"long", EdgeIds::kLong}});
        section.choice("cardinality", graph.cardinality,
                       {{"single", DefaultCardinality::kSingle},
                        {"list", DefaultCardinality::kList},
                        {"set", DefaultCardinality::kSet}});
        section.choice("sample", graph.sample,
                       {{"none", Sample::kNone},
                        {"modern", Sample::kModern},
                        {"classic", Sample::kClassic},
                        {"crew", Sample::kCrew},
                        {"sink", Sample::kSink}});
        HOB_TRY(section.finish());
        out.push_back(std::move(graph));
    }
    if (out.empty()) out.push_back(Graph{.name = "graph"});
    return {};
}

Status read_sources(Section& root, const std::string& origin, const std::vector<Graph>& graphs,
                    std::vector<Source>& out) {
    for (const auto& [name, node] : root.entries("sources")) {
        Source source{.name = name, .graph = {}};
        if (node.IsScalar()) {
            source.graph = node.Scalar();
        } else {
            Section section(node, "sources." + name, origin);
            section.read("graph", source.graph);
            section.read("readOnly", source.read_only);
            HOB_TRY(section.finish());
        }
        out.push_back(std::move(source));
    }
    if (out.empty()) out.push_back(Source{.name = "g", .graph = graphs.front().name});
    std::vector<std::string> names;
    names.reserve(graphs.size());
    for (const auto& graph : graphs)
        names.push_back(graph.name);
    for (const auto& source : out) {
        if (std::find(names.begin(), names.end(), source.graph) != names.end()) continue;
        const std::string hint = nearest(source.graph, names);
        return Error::invalid("{}: sources.{} is '{}', which is none of the graphs{}", origin,
                              source.name, source.graph,
                              hint.empty() ? "" : "; did you mean '" + hint + "'?");
    }
    return {};
}

void read_limits(Section& root, Config& out) {
    root.number("evaluationTimeout", out.evaluation_timeout_ms, 0, 365 * kDayMs);
    root.bytes("maxContentLength", out.max_content_bytes, 1'024, kGiB);
    root.number("resultIterationBatchSize", out.batch_size, 1, 100'000);
    root.bytes("maxFrameLength", out.frame_bytes_max, 1'024, kGiB);
    root.bytes("connectionBuffer", out.connection_buffer_bytes, 1'024, kGiB);
    root.bytes("maxHttpResponse", out.http_response_bytes_max, 1'024, 16 * kGiB);
    root.number("idleConnectionTimeout", out.idle_connection_timeout_ms, 0, 365 * kDayMs);
    root.number("keepAliveInterval", out.keep_alive_interval_ms, 0, 365 * kDayMs);
    root.number("workers", out.workers, 0, 1'024);
    root.number("ioThreads", out.io_threads, 1, 64);
    root.number("queue", out.queue, 1, 1'000'000);
    root.number("maxConnections", out.connections_max, 1, 1'000'000);
    root.number("parseCache", out.parse_cache_entries, 0, 10'000'000);
    root.read("corsOrigins", out.cors_origins);
    root.choice("logLevel", out.log_level,
                {{"debug", std::string("debug")},
                 {"info", std::string("info")},
                 {"warn", std::string("warn")},
                 {"error", std::string("error")},
                 {"off", std::string("off")}});
}

Result<Config> read_root(const YAML::Node& tree, const std::string& origin) {
    Config out;
    Section root(tree, "", origin);
    root.read("host", out.host);
    root.number("port", out.port, 0, 65'535);
    root.choice("store", out.store,
                {{"memory", StoreKind::kMemory},
                 {"rocksdb", StoreKind::kRocksDb},
                 {"hbase", StoreKind::kHBase}});
    root.read("data", out.data);
    root.read("ioFolder", out.io_folder);
    read_limits(root, out);
    HOB_TRY(read_rocksdb(root.section("rocksdb"), out.rocksdb));
    HOB_TRY(read_hbase(root.section("hbase"), out.hbase));
    HOB_TRY(read_budgets(root.section("budgets"), out.budgets));
    HOB_TRY(read_sessions(root.section("sessions"), out.sessions));
    HOB_TRY(read_graphs(root, origin, out.graphs));
    HOB_TRY(read_sources(root, origin, out.graphs, out.sources));
    HOB_TRY(root.finish());
    return out;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> environment_of_process() {
    std::vector<std::pair<std::string, std::string>> found;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view line(*entry);
        const std::size_t equals = line.find('=');
        if (!line.starts_with("HOBGOBLIN_") || equals == std::string_view::npos) continue;
        found.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    }
    std::sort(found.begin(), found.end());
    return found;
}

Result<Config> parse(const std::string& yaml, const std::string& origin,
                     const Overrides& overrides) {
    std::string from = origin;
    try {
        YAML::Node tree = YAML::Load(yaml);
        if (!tree.IsDefined() || tree.IsNull()) tree = YAML::Node(YAML::NodeType::Map);
        if (!tree.IsMap())
            return Error::invalid("{}: expected a mapping of keys to values", origin);
        for (const auto& [variable, value] : overrides.environment) {
            HOB_TRY(set_path(tree, path_of_variable(variable, tree, known_keys()), value));
            from += " + " + variable;
        }
        for (const auto& [path, value] : overrides.settings)
            HOB_TRY(set_path(tree, path, value));
        if (!overrides.settings.empty()) from += " + command line";
        return read_root(tree, from);
    } catch (const YAML::Exception& e) {
        return Error::invalid("{}: line {}, column {}: {}", origin, e.mark.line + 1,
                              e.mark.column + 1, e.msg);
    }
}

Result<Config> load(const std::optional<std::string>& path, const Overrides& overrides) {
    if (!path) return parse("", "defaults", overrides);
    std::ifstream file(*path);
    if (!file) {
        return Error::make(Code::kNotFound,
                           "the configuration file {} can't be read; give one with --config",
                           *path);
    }
    std::ostringstream text;
    text << file.rdbuf();
    return parse(text.str(), *path, overrides);
}

std::string_view name_of(StoreKind kind) {
    switch (kind) {
        case StoreKind::kMemory:
            return "memory";
        case StoreKind::kRocksDb:
            return "rocksdb";
        case StoreKind::kHBase:
            return "hbase";
    }
    return "unknown";
}

}  // namespace hob::config
