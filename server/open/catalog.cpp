#include "server/open/catalog.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <future>
#include <map>
#include <thread>

#include "server/open/samples.h"
#include "storage/store/hbase/hbase_store.h"
#include "storage/store/memory/memory_store.h"
#include "storage/store/rocksdb/rocksdb_store.h"

namespace hob::server {
namespace {

/// Opening may make tables, which HBase takes seconds for.
constexpr auto kOpenPatience = std::chrono::seconds(120);

store::CallContext opening() {
    return {.deadline = std::chrono::steady_clock::now() + kOpenPatience, .stop = {}};
}

store::HBaseOptions hbase_options(const config::HBase& from) {
    store::HBaseOptions options;
    options.gateways = from.gateways;
    options.table_namespace = from.name_space;
    options.table_prefix = from.table_prefix;
    options.connections = from.connections;
    options.connect_timeout_ms = static_cast<int>(from.connect_timeout_ms);
    options.call_timeout_ms = static_cast<int>(from.call_timeout_ms);
    options.splits = from.splits;
    return options;
}

Result<std::shared_ptr<graph::Graph>> open_graph(const config::Graph& wanted,
                                                 const std::shared_ptr<store::RowStore>& store,
                                                 bool sync) {
    HOB_ASSIGN_OR_RETURN(auto opened,
                         graph::Graph::open(store, graph_options(wanted, sync), opening()));
    if (wanted.sample == config::Sample::kNone) return opened;
    HOB_ASSIGN_OR_RETURN(const bool is_new, is_empty(*opened, opening()));
    if (is_new) HOB_TRY(write_sample(*opened, wanted.sample, opening()));
    return opened;
}

}  // namespace

graph::GraphOptions graph_options(const config::Graph& graph, bool sync) {
    graph::GraphOptions options;
    options.name = graph.name;
    switch (graph.ids) {
        case config::Ids::kLong:
            options.ids = graph::IdKind::kLong;
            break;
        case config::Ids::kString:
            options.ids = graph::IdKind::kString;
            break;
        case config::Ids::kUuid:
            options.ids = graph::IdKind::kUuid;
            break;
        case config::Ids::kAny:
            options.ids = graph::IdKind::kAny;
            break;
    }
    options.edge_ids = graph.edge_ids == config::EdgeIds::kLong ? graph::EdgeIdKind::kLong
                                                                : graph::EdgeIdKind::kPlace;
    switch (graph.cardinality) {
        case config::DefaultCardinality::kSingle:
            options.default_cardinality = Cardinality::kSingle;
            break;
        case config::DefaultCardinality::kList:
            options.default_cardinality = Cardinality::kList;
            break;
        case config::DefaultCardinality::kSet:
            options.default_cardinality = Cardinality::kSet;
            break;
    }
    options.sync = sync;
    return options;
}

Result<std::shared_ptr<store::RowStore>> open_store(const config::Config& config) {
    switch (config.store) {
        case config::StoreKind::kMemory:
            break;
        case config::StoreKind::kRocksDb: {
            store::RocksDbOptions options;
            options.path = config.data;
            options.cache_bytes = config.rocksdb.cache_bytes;
            options.row_cache_bytes = config.rocksdb.row_cache_bytes;
            options.sync = config.rocksdb.sync;
            HOB_ASSIGN_OR_RETURN(auto opened, store::open_rocksdb_store(options));
            return std::shared_ptr<store::RowStore>(std::move(opened));
        }
        case config::StoreKind::kHBase: {
            HOB_ASSIGN_OR_RETURN(auto opened, store::open_hbase_store(hbase_options(config.hbase)));
            return std::shared_ptr<store::RowStore>(std::move(opened));
        }
    }
    return std::shared_ptr<store::RowStore>(store::make_memory_store());
}

Result<gremlin::Catalog> open_catalog(const config::Config& config,
                                      const std::shared_ptr<store::RowStore>& store) {
    // HBase takes seconds to make a graph's tables, and makes those of several graphs side by side.
    const auto policy =
        config.store == config::StoreKind::kHBase ? std::launch::async : std::launch::deferred;
    std::vector<std::future<Result<std::shared_ptr<graph::Graph>>>> opening_graphs;
    for (const auto& wanted : config.graphs) {
        opening_graphs.push_back(std::async(policy, [&wanted, &store, sync = config.rocksdb.sync] {
            return open_graph(wanted, store, sync);
        }));
    }
    std::map<std::string, std::shared_ptr<graph::Graph>> graphs;
    for (std::size_t i = 0; i < opening_graphs.size(); ++i) {
        HOB_ASSIGN_OR_RETURN(auto opened, opening_graphs[i].get());
        graphs.emplace(config.graphs[i].name, std::move(opened));
    }
    gremlin::Catalog catalog;
    for (const auto& source : config.sources) {
        catalog.sources.push_back({.name = source.name,
                                   .graph = graphs.at(source.graph),
                                   .read_only = source.read_only,
                                   .io_folder = config.io_folder});
    }
    catalog.default_source = catalog.find("g") != nullptr ? "g" : catalog.sources.front().name;
    catalog.budgets = config.budgets;
    catalog.parse_cache_entries = config.parse_cache_entries;
    return catalog;
}

ServerOptions server_options(const config::Config& config) {
    ServerOptions o;
    o.host = config.host;
    o.port = config.port;
    o.io_threads = config.io_threads;
    o.workers =
        config.workers != 0 ? config.workers : std::max(4U, std::thread::hardware_concurrency());
    o.queue_max = config.queue;
    o.connections_max = config.connections_max;
    o.content_bytes_max = config.max_content_bytes;
    o.connection_buffer_bytes = config.connection_buffer_bytes;
    o.idle_timeout_ms = static_cast<std::int64_t>(config.idle_connection_timeout_ms);
    o.keep_alive_ms = static_cast<std::int64_t>(config.keep_alive_interval_ms);
    o.sessions_max = config.sessions.max;
    o.session_timeout_ms = config.sessions.timeout_ms;
    o.cors_origins = config.cors_origins;
    o.run.evaluation_timeout_ms = static_cast<std::int64_t>(config.evaluation_timeout_ms);
    o.run.batch_size = config.batch_size;
    o.run.frame_bytes_max = config.frame_bytes_max;
    o.run.whole_bytes_max = config.http_response_bytes_max;
    o.version = HOB_VERSION;
    return o;
}

EngineService::EngineService(gremlin::Catalog catalog) : engine_(std::move(catalog)) {}

bool EngineService::has_source(std::string_view name) const {
    return engine_.catalog().find(name) != nullptr;
}

std::string EngineService::default_source() const {
    return engine_.catalog().default_source;
}

Result<gremlin::RequestSettings> EngineService::settings_of(const gremlin::Query& query) {
    return engine_.settings_of(query);
}

Result<gremlin::Outcome> EngineService::run(const gremlin::Query& query,
                                            gremlin::ResultSink& sink) {
    return engine_.run(query, sink);
}

std::shared_ptr<gremlin::Session> EngineService::new_session() {
    return std::make_shared<gremlin::Session>();
}

Status EngineService::end_transaction(gremlin::Session& session, bool commit) {
    if (commit) return session.commit();
    session.rollback();
    return {};
}

Status EngineService::ping(const store::CallContext& call) {
    const store::RowStore* last = nullptr;
    for (const auto& source : engine_.catalog().sources) {
        store::RowStore& store = source.graph->store();
        if (&store != last) HOB_TRY(store.ping(call));
        last = &store;
    }
    return {};
}

std::string EngineService::store_kind() const {
    return std::string(engine_.catalog().sources.front().graph->store().kind());
}

}  // namespace hob::server
