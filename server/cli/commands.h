#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hob::server::cli {

/// What the process ends with; `hobgoblin --help` says the same.
namespace exit_code {
inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;       ///< The query failed; records were rejected; not healthy.
inline constexpr int kUsage = 2;        ///< Wrong options or configuration.
inline constexpr int kUnavailable = 3;  ///< No server or store to be reached, or the port is taken.
}  // namespace exit_code

/// --config, --set, --port: where the configuration comes from.
struct ConfigOptions {
    std::optional<std::string> file;
    std::vector<std::string> settings;  ///< "path=value"
    std::optional<std::uint16_t> port;
};

struct QueryOptions {
    std::string url = "ws://127.0.0.1:8182/gremlin";
    ConfigOptions
        config;  ///< With a file or a setting: opens the store itself instead of asking a server.
    std::string text;
    std::string source;
    std::int64_t timeout_ms = 0;
    bool json = false;
};

struct HealthOptions {
    std::string url = "http://127.0.0.1:8182";
    bool ready = false;
    std::int64_t timeout_ms = 2'000;
};

struct LoadOptions {
    std::string url;  ///< Empty: straight into the store.
    std::string source = "g";
    ConfigOptions config;
    std::string graph;  ///< Empty: the only one.
    std::vector<std::string> files;
    std::string format;   ///< Empty: by extension.
    std::string rejects;  ///< Empty: hobgoblin-rejects.txt, made when the first record is rejected.
    bool strict = false;
    std::size_t batch = 0;  ///< Records in one transaction; 0: a fitting one.
};

/// Each gives the process's exit code and prints its own errors to stderr.
int serve(const ConfigOptions& options, std::chrono::steady_clock::time_point started);
int query(const QueryOptions& options);
int health(const HealthOptions& options);
int load(const LoadOptions& options);

}  // namespace hob::server::cli
