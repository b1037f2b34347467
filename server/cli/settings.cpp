#include "server/cli/settings.h"

#include <fmt/format.h>

#include <cstdio>

namespace hob::server::cli {

Result<config::Config> read_config(const ConfigOptions& options) {
    config::Overrides overrides{.environment = config::environment_of_process(), .settings = {}};
    for (const auto& setting : options.settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0) {
            return Error::invalid(
                "--set {}: expected path=value, such as --set hbase.gateways=a:9090", setting);
        }
        overrides.settings.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    }
    if (options.port) overrides.settings.emplace_back("port", std::to_string(*options.port));
    return config::load(options.file, overrides);
}

int complain(const char* command, const Error& error) {
    fmt::print(stderr, "hobgoblin {}: {}\n", command, error.message);
    switch (error.code) {
        case Code::kUnavailable:
        case Code::kTimeout:
            return exit_code::kUnavailable;
        case Code::kInvalidArgument:
        case Code::kNotFound:
            return exit_code::kUsage;
        case Code::kParse:
        case Code::kUnsupported:
        case Code::kAlreadyExists:
        case Code::kExecution:
        case Code::kFailStep:
        case Code::kConflict:
        case Code::kCancelled:
        case Code::kLimit:
        case Code::kCorrupt:
        case Code::kInternal:
            break;
    }
    return exit_code::kFailed;
}

}  // namespace hob::server::cli
