#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/budgets.h"
#include "storage/base/error.h"

namespace hob::config {

/// Everything a server can be told. Filled by `load`, then immutable. Times are milliseconds, sizes
/// bytes; names follow Gremlin Server where they mean the same. config/hobgoblin.yaml documents
/// every key.

enum class StoreKind : std::uint8_t { kMemory, kRocksDb, kHBase };
enum class Ids : std::uint8_t { kLong, kString, kUuid, kAny };
enum class EdgeIds : std::uint8_t { kPlace, kLong };
enum class DefaultCardinality : std::uint8_t { kSingle, kList, kSet };
enum class Sample : std::uint8_t { kNone, kModern, kClassic, kCrew, kSink };

struct RocksDb {
    std::uint64_t cache_bytes = 64ULL << 20;       ///< Blocks of the files.
    std::uint64_t row_cache_bytes = 256ULL << 20;  ///< Rows as they were read; 0: none.
    bool sync = false;                             ///< Every commit waits for the disk.
};

struct HBase {
    std::vector<std::string> gateways{"127.0.0.1:9090"};
    std::string name_space;    ///< Empty: HBase's default namespace.
    std::string table_prefix;  ///< Put before every table's name.
    std::uint32_t connections = 4;
    std::uint32_t connect_timeout_ms = 5'000;
    std::uint32_t call_timeout_ms = 30'000;
    std::uint32_t splits = 16;  ///< Regions of a new salted table.
};

struct Graph {
    std::string name;
    Ids ids = Ids::kAny;
    EdgeIds edge_ids = EdgeIds::kPlace;
    DefaultCardinality cardinality = DefaultCardinality::kSingle;
    Sample sample = Sample::kNone;  ///< Put into the graph when it is empty at start.
};

struct Source {
    std::string name;
    std::string graph;
    bool read_only = false;
};

struct Sessions {
    std::uint32_t max = 1'000;
    std::uint32_t timeout_ms =
        600'000;  ///< A session that is idle this long is rolled back and forgotten.
};

struct Config {
    std::string host = "127.0.0.1";
    std::uint16_t port = 8182;  ///< 0: any free one, printed in the ready line.

    StoreKind store = StoreKind::kRocksDb;
    std::string data = "data";  ///< Folder of the embedded store.
    std::string io_folder;      ///< Whose files io() may read and write; empty: none.
    RocksDb rocksdb;
    HBase hbase;
    std::vector<Graph> graphs;
    std::vector<Source> sources;
    Budgets budgets;
    Sessions sessions;

    std::uint64_t evaluation_timeout_ms = 30'000;   ///< 0: none.
    std::uint64_t max_content_bytes = 10ULL << 20;  ///< Largest request.
    std::uint32_t batch_size = 64;                  ///< Results in one message.
    std::uint64_t frame_bytes_max = 1ULL << 20;     ///< A message is closed before it grows larger.
    std::uint64_t connection_buffer_bytes = 4ULL << 20;  ///< Answers waiting for one slow reader.
    std::uint64_t http_response_bytes_max = 64ULL << 20;
    std::uint64_t idle_connection_timeout_ms = 0;  ///< 0: never closed for silence.
    std::uint64_t keep_alive_interval_ms = 0;      ///< 0: the server never pings.
    std::uint32_t workers = 0;                     ///< 0: as many as cores, at least 4.
    std::uint32_t io_threads = 1;
    std::uint32_t queue = 2'048;  ///< Requests waiting for a worker.
    std::uint32_t connections_max = 10'000;
    std::uint32_t parse_cache_entries = 10'000;
    std::vector<std::string> cors_origins{"*"};
    std::string log_level = "info";
};

/// Settings from elsewhere than the file; a later one wins over an earlier one, all of them over
/// the file.
struct Overrides {
    std::vector<std::pair<std::string, std::string>>
        environment;  ///< HOBGOBLIN_HBASE__GATEWAYS -> value
    std::vector<std::pair<std::string, std::string>>
        settings;  ///< "hbase.gateways" -> value, from --set and flags
};

/// The HOBGOBLIN_... variables of this process.
std::vector<std::pair<std::string, std::string>> environment_of_process();

/// Reads the file (none: the defaults), lays environment and settings over it, checks everything.
/// Errors: kNotFound (no such file), kInvalidArgument naming the key, where it was set, what was
/// found and what was expected; an unknown key with the nearest known one.
Result<Config> load(const std::optional<std::string>& path, const Overrides& overrides);

/// The same from text; `origin` names it in messages.
Result<Config> parse(const std::string& yaml, const std::string& origin,
                     const Overrides& overrides);

std::string_view name_of(StoreKind kind);

}  // namespace hob::config
