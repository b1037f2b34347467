#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "server/cli/client.h"
#include "server/cli/commands.h"
#include "server/cli/settings.h"
#include "server/cli/table.h"
#include "server/open/catalog.h"
#include "server/wire/message.h"

namespace hob::server::cli {
namespace {

const Serializer kUntypedJson{.kind = Serializer::Kind::kGraphSon,
                              .json = {.version = 3, .typed = false}};

/// Prints JSON results as they come, or keeps them for the table.
class Printer {
  public:
    explicit Printer(bool json) : json_(json) {}

    void take(std::string result) {
        ++count_;
        if (json_) {
            fmt::print("{}\n", result);
        } else {
            rows_.push_back(std::move(result));
        }
    }
    void take_list(const std::string& data_json) {
        const auto data = nlohmann::ordered_json::parse(data_json, nullptr, false);
        if (!data.is_array()) return;
        for (const auto& result : data)
            take(result.dump());
    }
    void end(std::chrono::steady_clock::time_point started) {
        if (json_) return;
        if (count_ > 0) fmt::print("{}", draw_table(rows_));
        const auto took =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started);
        fmt::print("{} {} in {:.1f} ms\n", count_, count_ == 1 ? "result" : "results",
                   took.count());
    }

  private:
    bool json_;
    std::size_t count_ = 0;
    std::vector<std::string> rows_;
};

class PrintingSink final : public gremlin::ResultSink {
  public:
    explicit PrintingSink(Printer& printer) : printer_(printer) {}
    Status accept(std::span<const Value> results, const gremlin::ElementSource& elements) override {
        for (const Value& result : results) {
            Items one;
            add_item(kUntypedJson, result,
                     {.properties = true, .legacy_dates = false, .elements = &elements}, one);
            printer_.take(std::move(one.bytes));
        }
        return {};
    }

  private:
    Printer& printer_;
};

int ask_store(const QueryOptions& options, Printer& printer) {
    const auto config = read_config(options.config);
    if (!config.ok()) return complain("query", config.error());
    auto store = open_store(*config);
    if (!store.ok()) return complain("query", store.error());
    auto catalog = open_catalog(*config, *store);
    if (!catalog.ok()) return complain("query", catalog.error());
    EngineService service(std::move(*catalog));
    gremlin::Query query;
    query.text = options.text;
    query.aliases.emplace("g", options.source.empty() ? service.default_source() : options.source);
    if (!service.has_source(query.aliases["g"])) {
        return complain("query",
                        Error::invalid("there is no traversal source '{}'", options.source));
    }
    if (options.timeout_ms > 0) {
        query.call.deadline =
            std::chrono::steady_clock::now() + std::chrono::milliseconds(options.timeout_ms);
    }
    PrintingSink sink(printer);
    const auto outcome = service.run(query, sink);
    if (!outcome.ok()) {
        complain("query", outcome.error());
        return exit_code::kFailed;
    }
    return exit_code::kOk;
}

int ask_server(const QueryOptions& options, Printer& printer) {
    const auto url = parse_url(options.url);
    if (!url.ok()) return complain("query", url.error());
    auto client = Client::connect(*url);
    if (!client.ok()) return complain("query", client.error());
    const auto answer = (*client)->run_text(
        options.text, options.source, options.timeout_ms,
        [&printer](const ClientAnswer& part) { printer.take_list(part.data_json); });
    if (!answer.ok()) return complain("query", answer.error());
    if (answer->code >= 300) {
        fmt::print(stderr, "hobgoblin query: {} ({})\n", answer->message, answer->code);
        return exit_code::kFailed;
    }
    return exit_code::kOk;
}

}  // namespace

int query(const QueryOptions& options) {
    const auto started = std::chrono::steady_clock::now();
    Printer printer(options.json);
    const bool opens_store = options.config.file.has_value() || !options.config.settings.empty();
    const int code = opens_store ? ask_store(options, printer) : ask_server(options, printer);
    if (code == exit_code::kOk) printer.end(started);
    return code;
}

}  // namespace hob::server::cli
