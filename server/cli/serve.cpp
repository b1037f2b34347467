#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <csignal>
#include <cstdio>

#include "server/cli/commands.h"
#include "server/cli/settings.h"
#include "server/net/server.h"
#include "server/open/catalog.h"

namespace hob::server::cli {
namespace {

/// Signals are taken by the main thread alone; every other thread inherits that they are blocked.
sigset_t block_signals() {
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ending, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    return ending;
}

void set_up_log(const std::string& level) {
    auto logger = spdlog::stderr_color_mt("hobgoblin");
    logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %^%l%$ %v");
    logger->set_level(spdlog::level::from_str(level));
    logger->flush_on(spdlog::level::info);
    spdlog::set_default_logger(std::move(logger));
}

}  // namespace

int serve(const ConfigOptions& options, std::chrono::steady_clock::time_point started) {
    const auto config = read_config(options);
    if (!config.ok()) return complain("serve", config.error());
    const sigset_t ending = block_signals();
    set_up_log(config->log_level);

    auto store = open_store(*config);
    if (!store.ok()) return complain("serve", store.error());
    auto catalog = open_catalog(*config, *store);
    if (!catalog.ok()) return complain("serve", catalog.error());
    EngineService service(std::move(*catalog));
    auto server = Server::start(server_options(*config), service);
    if (!server.ok()) return complain("serve", server.error());

    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - started);
    fmt::print(stderr, "hobgoblin ready on {}:{} in {} ms\n", config->host, (*server)->port(),
               took.count());
    std::fflush(stderr);

    int signal = 0;
    sigwait(&ending, &signal);
    spdlog::info("{} received: finishing", signal == SIGTERM ? "SIGTERM" : "SIGINT");
    (*server)->stop();
    return exit_code::kOk;
}

}  // namespace hob::server::cli
