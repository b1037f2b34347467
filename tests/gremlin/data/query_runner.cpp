#include "tests/gremlin/data/query_runner.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "gremlin/language/script.h"
#include "server/open/samples.h"
#include "storage/store/memory/memory_store.h"
#include "storage/store/rocksdb/rocksdb_store.h"

namespace hob::testing {
namespace {

template <typename T>
T take(Result<T> result) {
    if (!result.ok()) throw std::runtime_error(result.error().message);
    return std::move(*result);
}
void take(Status status) {
    if (!status.ok()) throw std::runtime_error(status.error().message);
}

class Collected final : public gremlin::ResultSink {
  public:
    Status accept(std::span<const Value> results, const gremlin::ElementSource&) override {
        for (const Value& value : results) {
            if (value.kind() != Kind::kTraverser) {
                all.push_back(value);
                continue;
            }
            const auto& traverser = value.as<TraverserObject>();
            all.insert(all.end(), static_cast<std::size_t>(traverser.bulk), traverser.value);
        }
        return {};
    }
    std::vector<Value> all;
};

constexpr std::int64_t kFanLayers = 5;

/// Persons of a layer in the graph of that name; 0 for another graph.
std::int64_t fan_width(std::string_view graph) {
    return graph == "fan" ? 1000 : graph == "small-fan" ? 20 : 0;
}

void write_fan(graph::Graph& graph, std::int64_t width) {
    take(graph.create_index({.name = "by_uid",
                             .element = graph::ElementType::kVertex,
                             .label = "person",
                             .key = "uid",
                             .unique = false},
                            {}));
    const auto tx = graph.begin();
    std::vector<Value> persons;
    for (std::int64_t i = 1; i <= kFanLayers * width; ++i) {
        const std::vector<graph::PropertyWrite> properties = {
            {.key = "uid", .value = Value::long_(i)},
            {.key = "age", .value = Value::int_(static_cast<std::int32_t>(20 + i % 50))},
            {.key = "name", .value = Value::string("p" + std::to_string(i))}};
        persons.push_back(take(tx->add_vertex(Value::long_(i), "person", properties)));
    }
    const auto person = [&](std::int64_t layer, std::int64_t place) -> const Value& {
        return persons[static_cast<std::size_t>(layer % kFanLayers * width + place % width)];
    };
    for (std::int64_t i = 0; i < kFanLayers * width; ++i) {
        for (std::int64_t step = 0; step < 3; ++step) {
            const std::vector<std::pair<std::string, Value>> since = {
                {"since", Value::long_(2000 + step)}};
            take(tx->add_edge(Value{}, "knows", person(i / width, i % width),
                              person(i / width + 1, i % width + step), since));
        }
    }
    take(tx->commit());
}

}  // namespace

QueryRunner::QueryRunner(const Way& way, const std::string& graph) {
    folder_ = (std::filesystem::temp_directory_path() / "hob_data_XXXXXX").string();
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no folder " + folder_);
    std::filesystem::create_directory(folder_ + "/files");
    std::shared_ptr<store::RowStore> store;
    if (way.rocksdb) {
        store::RocksDbOptions options;
        options.path = folder_ + "/store";
        options.row_cache_bytes = std::size_t{16} << 20;
        store = take(store::open_rocksdb_store(options));
    } else {
        store = store::make_memory_store();
    }
    graph::GraphOptions options{
        .name = "g", .ids = graph::IdKind::kLong, .edge_ids = graph::EdgeIdKind::kLong};
    if (graph == "crew") options.default_cardinality = Cardinality::kList;
    if (fan_width(graph) != 0) options.edge_ids = graph::EdgeIdKind::kPlace;
    const auto opened = take(graph::Graph::open(store, options, {}));
    static const std::map<std::string, config::Sample, std::less<>> kSamples = {
        {"modern", config::Sample::kModern},
        {"classic", config::Sample::kClassic},
        {"crew", config::Sample::kCrew},
        {"sink", config::Sample::kSink}};
    if (const auto sample = kSamples.find(graph); sample != kSamples.end()) {
        take(server::write_sample(*opened, sample->second, {}));
    } else if (fan_width(graph) != 0) {
        write_fan(*opened, fan_width(graph));
    } else if (graph != "empty") {
        throw std::runtime_error("unknown graph '" + graph + "'");
    }
    gremlin::Catalog catalog;
    catalog.sources.push_back({.name = "g", .graph = opened, .io_folder = folder_ + "/files"});
    engine_ = std::make_unique<gremlin::Engine>(std::move(catalog));
}

QueryRunner::~QueryRunner() {
    engine_.reset();
    std::filesystem::remove_all(folder_);
}

Answer QueryRunner::ask(const std::string& text, bool bytecode,
                        const std::vector<gremlin::Instruction>& settings) {
    Answer answer;
    gremlin::Query query;
    query.text = text;
    query.want_properties = false;
    if (bytecode) {
        auto script = gremlin::parse_script(text);
        if (!script.ok()) {
            answer.status = script.error();
            return answer;
        }
        const auto& expression = (*script)->statements.back().expression;
        if (expression.traversal != nullptr && expression.calls.empty()) {
            auto traversal = std::make_shared<gremlin::Traversal>(*expression.traversal);
            traversal->sources.insert(traversal->sources.begin(), settings.begin(), settings.end());
            query.bytecode = std::move(traversal);
            query.as_traversers = true;
        }
    }
    Collected collected;
    auto outcome = engine_->run(query, collected);
    if (outcome.ok()) {
        answer.storage = outcome->storage;
        answer.attributes = std::move(outcome->attributes);
        answer.warnings = std::move(outcome->warnings);
        answer.results = std::move(collected.all);
    } else {
        answer.status = outcome.error();
    }
    return answer;
}

}  // namespace hob::testing
