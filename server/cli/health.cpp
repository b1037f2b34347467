#include <fmt/format.h>

#include <cstdio>

#include "server/cli/client.h"
#include "server/cli/commands.h"
#include "server/cli/settings.h"

namespace hob::server::cli {

int health(const HealthOptions& options) {
    const auto url = parse_url(options.url);
    if (!url.ok()) return complain("health", url.error());
    const char* path = options.ready ? "/readyz" : "/livez";
    const auto reply = http_get(*url, path, options.timeout_ms);
    if (!reply.ok()) {
        complain("health", reply.error());
        return exit_code::kFailed;  // Container health checks know 0 and 1 only.
    }
    fmt::print("{}", reply->body);
    return reply->status == 200 ? exit_code::kOk : exit_code::kFailed;
}

}  // namespace hob::server::cli
