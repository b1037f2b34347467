#pragma once
#include "config/config.h"
#include "server/cli/commands.h"
#include "storage/base/error.h"

namespace hob::server::cli {

/// Reads the configuration that the options name, environment included.
Result<config::Config> read_config(const ConfigOptions& options);

/// Prints "hobgoblin COMMAND: message" and gives the exit code that fits the error.
int complain(const char* command, const Error& error);

}  // namespace hob::server::cli
