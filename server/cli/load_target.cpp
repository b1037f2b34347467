#include "server/cli/load_target.h"

#include <algorithm>
#include <chrono>

#include "gremlin/language/traversal.h"
#include "gremlin/steps/graph_files.h"
#include "server/cli/client.h"
#include "server/cli/settings.h"
#include "server/open/catalog.h"
#include "storage/graph/graph.h"

namespace hob::server::cli {
namespace {

using gremlin::GraphRecord;
using gremlin::Instruction;

constexpr std::int64_t kBatchPatienceMs = 120'000;

bool are_edges(std::span<const GraphRecord> records) {
    return records.front().kind == GraphRecord::Kind::kEdge;
}

class StoreTarget final : public LoadTarget {
  public:
    StoreTarget(std::shared_ptr<graph::Graph> graph, std::size_t batch)
        : graph_(std::move(graph)), batch_(batch) {}
    [[nodiscard]] std::size_t batch_size() const override { return batch_; }

    Status write(std::span<const GraphRecord> records) override {
        const auto tx = graph_->begin();
        tx->use({.deadline =
                     std::chrono::steady_clock::now() + std::chrono::milliseconds(kBatchPatienceMs),
                 .stop = {}});
        auto written = gremlin::write_records(*graph_, *tx, records);
        if (written.ok()) return tx->commit();
        tx->rollback();
        return written;
    }

  private:
    std::shared_ptr<graph::Graph> graph_;
    std::size_t batch_;
};

/// Vertices go as one chain of addV() a batch. Edges as one mergeE() over maps, so that the server
/// looks for all ends at once; where they have no ids of their own (two alike are two then), as a
/// chain of addE().
class ServerTarget final : public LoadTarget {
  public:
    ServerTarget(std::unique_ptr<Client> client, std::string source, std::size_t batch)
        : client_(std::move(client)), source_(std::move(source)), batch_(batch) {}
    [[nodiscard]] std::size_t batch_size() const override { return batch_; }

    Status write(std::span<const GraphRecord> records) override {
        gremlin::Traversal traversal;
        const bool merges =
            are_edges(records) && std::all_of(records.begin(), records.end(), is_map);
        if (merges) {
            add(traversal, "inject", maps_of(records));
            add(traversal, "mergeE", {});
        } else {
            for (const auto& record : records)
                add_record(traversal, record);
        }
        add(traversal, "discard", {});
        HOB_ASSIGN_OR_RETURN(const auto answer,
                             client_->run_bytecode(gremlin::make_traversal(std::move(traversal)),
                                                   source_, kBatchPatienceMs));
        if (answer.code < 300) return {};
        return Error{answer.code == 596 ? Code::kConflict : Code::kExecution, answer.message};
    }

  private:
    static void add(gremlin::Traversal& traversal, std::string name, std::vector<Value> arguments) {
        traversal.steps.push_back(
            Instruction{.name = std::move(name), .arguments = std::move(arguments)});
    }

    static bool is_map(const GraphRecord& record) {
        if (record.id.is_null()) return false;
        return std::all_of(
            record.properties.begin(), record.properties.end(), [](const auto& property) {
                return property.cardinality == Cardinality::kSingle && property.meta.empty();
            });
    }

    static std::vector<Value> maps_of(std::span<const GraphRecord> records) {
        std::vector<Value> maps;
        for (const auto& record : records) {
            Value map = make_map();
            auto& entries = map.mutate<MapObject>();
            entries.put(Value::token(T::kId), record.id);
            entries.put(Value::token(T::kLabel), Value::string(record.label));
            entries.put(Value::direction(Direction::kOut), record.from);
            entries.put(Value::direction(Direction::kIn), record.to);
            for (const auto& property : record.properties)
                entries.put(Value::string(property.key), property.value);
            maps.push_back(std::move(map));
        }
        return maps;
    }

    static void add_record(gremlin::Traversal& traversal, const GraphRecord& record) {
        const bool is_edge = record.kind == GraphRecord::Kind::kEdge;
        if (is_edge) {
            gremlin::Traversal to;
            add(to, "V", {record.to});
            add(traversal, "V", {record.from});
            add(traversal, "addE", {Value::string(record.label)});
            add(traversal, "to", {gremlin::make_traversal(std::move(to))});
        } else {
            add(traversal, "addV", {Value::string(record.label)});
        }
        if (!record.id.is_null()) add(traversal, "property", {Value::token(T::kId), record.id});
        for (const auto& property : record.properties) {
            std::vector<Value> arguments{Value::string(property.key), property.value};
            if (!is_edge && property.cardinality != Cardinality::kSingle) {
                arguments.insert(
                    arguments.begin(),
                    Value::enumeration(EnumType::kCardinality,
                                       static_cast<std::uint8_t>(property.cardinality)));
            }
            for (const auto& [key, value] : property.meta) {
                arguments.push_back(key);
                arguments.push_back(value);
            }
            add(traversal, "property", std::move(arguments));
        }
    }

    std::unique_ptr<Client> client_;
    std::string source_;
    std::size_t batch_;
};

}  // namespace

Result<std::unique_ptr<LoadTarget>> open_store_target(const LoadOptions& options) {
    HOB_ASSIGN_OR_RETURN(const auto config, read_config(options.config));
    if (options.graph.empty() && config.graphs.size() > 1) {
        return Error::invalid("the configuration has {} graphs; say which with --graph",
                              config.graphs.size());
    }
    const auto wanted = std::find_if(
        config.graphs.begin(), config.graphs.end(),
        [&options](const auto& g) { return options.graph.empty() || g.name == options.graph; });
    if (wanted == config.graphs.end())
        return Error::invalid("the configuration has no graph '{}'", options.graph);
    HOB_ASSIGN_OR_RETURN(const auto store, open_store(config));
    const auto patience =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(kBatchPatienceMs);
    HOB_ASSIGN_OR_RETURN(auto graph,
                         graph::Graph::open(store, graph_options(*wanted, config.rocksdb.sync),
                                            {.deadline = patience, .stop = {}}));
    constexpr std::size_t kBatch = 1'000;
    return std::unique_ptr<LoadTarget>(std::make_unique<StoreTarget>(
        std::move(graph), options.batch != 0 ? options.batch : kBatch));
}

Result<std::unique_ptr<LoadTarget>> open_server_target(const LoadOptions& options) {
    HOB_ASSIGN_OR_RETURN(const auto url, parse_url(options.url));
    HOB_ASSIGN_OR_RETURN(auto client, Client::connect(url));
    constexpr std::size_t kBatch = 500;
    return std::unique_ptr<LoadTarget>(std::make_unique<ServerTarget>(
        std::move(client), options.source, options.batch != 0 ? options.batch : kBatch));
}

}  // namespace hob::server::cli
