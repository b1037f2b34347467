#include <CLI/CLI.hpp>
#include <chrono>
#include <exception>
#include <iostream>

#include "server/cli/commands.h"

using namespace hob::server;

namespace {

void add_config(CLI::App& command, cli::ConfigOptions& options) {
    command.add_option("-c,--config", options.file,
                       "Configuration file (YAML); none: the defaults");
    command
        .add_option("--set", options.settings,
                    "path=value, over environment and file; may be given often")
        ->take_all()
        ->allow_extra_args(false);
}

constexpr const char* kFooter =
    "Exit codes: 0 done; 1 the query failed, records were rejected, or not healthy; 2 wrong "
    "options or configuration;\n"
    "3 no server or store could be reached, or the port is taken.\n"
    "Environment: HOBGOBLIN_A__B=value sets a.b of the configuration.";

int run(int argc, char** argv, std::chrono::steady_clock::time_point started) {
    CLI::App app{"hobgoblin: a Gremlin graph server over RocksDB and HBase"};
    app.set_version_flag("--version", "hobgoblin " HOB_VERSION);
    app.footer(kFooter);
    app.require_subcommand(1);

    cli::ConfigOptions serve_options;
    CLI::App* serve =
        app.add_subcommand("serve", "Start the server (in the foreground; SIGTERM ends it)");
    add_config(*serve, serve_options);
    serve->add_option("-p,--port", serve_options.port, "Port; 0: any free one");

    cli::LoadOptions load_options;
    CLI::App* load = app.add_subcommand("load", "Load GraphSON, GraphML or CSV files (.gz too)");
    add_config(*load, load_options.config);
    load->add_option("-g,--graph", load_options.graph,
                     "Graph of a stopped store; none: the only one");
    load->add_option("-u,--url", load_options.url,
                     "Load through this running server instead: ws://HOST:PORT/gremlin");
    load->add_option("-s,--source", load_options.source, "Traversal source of the running server")
        ->capture_default_str();
    load->add_option("--format", load_options.format,
                     "graphson, graphml or csv; none: by the file's extension")
        ->check(CLI::IsMember({"graphson", "graphml", "csv"}));
    load->add_option("--rejects", load_options.rejects,
                     "File for records that could not be loaded");
    load->add_option("--batch", load_options.batch, "Records in one transaction")
        ->check(CLI::Range(1, 100'000));
    load->add_flag("--strict", load_options.strict, "Stop at the first bad record");
    load->add_option("files", load_options.files,
                     "Files; vertices are loaded from all before edges")
        ->required();

    cli::QueryOptions query_options;
    CLI::App* query =
        app.add_subcommand("query", "Ask a running server, or (with --config) a stopped store");
    add_config(*query, query_options.config);
    query->add_option("-u,--url", query_options.url, "The server")->capture_default_str();
    query->add_option("-s,--source", query_options.source, "Traversal source that g stands for");
    query->add_option("--timeout", query_options.timeout_ms, "Milliseconds for the query");
    query->add_flag("--json", query_options.json, "One JSON value a line instead of a table");
    query->add_option("gremlin", query_options.text, "For example: g.V().count()")->required();

    cli::HealthOptions health_options;
    CLI::App* health = app.add_subcommand("health", "Ask a server whether it lives");
    health->add_option("-u,--url", health_options.url, "The server")->capture_default_str();
    health->add_flag("--ready", health_options.ready,
                     "Whether it can serve: includes a read of the store");
    health->add_option("--timeout", health_options.timeout_ms, "Milliseconds")
        ->capture_default_str();

    CLI::App* version = app.add_subcommand("version", "Print the version");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? cli::exit_code::kOk : cli::exit_code::kUsage;
    }
    if (*serve) return cli::serve(serve_options, started);
    if (*load) return cli::load(load_options);
    if (*query) return cli::query(query_options);
    if (*health) return cli::health(health_options);
    if (*version) std::cout << "hobgoblin " HOB_VERSION "\n";
    return cli::exit_code::kOk;
}

}  // namespace

int main(int argc, char** argv) {
    const auto started = std::chrono::steady_clock::now();
    try {
        return run(argc, argv, started);
    } catch (const std::exception& e) {
        std::cerr << "hobgoblin: " << e.what() << "\n";
        return cli::exit_code::kFailed;
    }
}
