#pragma once
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "storage/graph/graph.h"
#include "storage/store/memory/memory_store.h"
#include "storage/store/rocksdb/rocksdb_store.h"

namespace hob::graph {

/// The value of a Result; a failure fails the test with the error's text.
template <typename T>
T take(Result<T> result) {
    if (!result) FAIL(name_of(result.error().code) << ": " << result.error().message);
    return std::move(*result);
}
inline void take(Status status) {
    if (!status) FAIL(name_of(status.error().code) << ": " << status.error().message);
}
template <typename T>
Code code_of(const Result<T>& result) {
    REQUIRE_FALSE(result.ok());
    return result.error().code;
}

inline std::shared_ptr<Graph> open_graph(
    GraphOptions options = {.name = "g", .ids = IdKind::kLong},
    std::shared_ptr<store::RowStore> store = store::make_memory_store()) {
    return take(Graph::open(std::move(store), std::move(options), {}));
}

/// A new folder below the temporary one, removed with its owner.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "hob_graph_XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) FAIL("no temporary folder " << pattern);
        path_ = pattern;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

enum class StoreKind : std::uint8_t { kMemory, kRocksDb };

/// A graph in a store of its own.
inline std::shared_ptr<store::RowStore> open_store(StoreKind kind, const TemporaryFolder& folder) {
    if (kind == StoreKind::kMemory) return store::make_memory_store();
    return take(store::open_rocksdb_store(
        {.path = folder.path() + "/rocks", .row_cache_bytes = std::size_t{1} << 20}));
}

inline Value v(std::int64_t id) {
    return Value::vertex(Value::long_(id));
}

inline PropertyWrite property(std::string key, Value value,
                              Cardinality cardinality = Cardinality::kSingle) {
    PropertyWrite write;
    write.key = std::move(key);
    write.value = std::move(value);
    write.cardinality = cardinality;
    return write;
}

/// TinkerPop's "modern" graph with its ids 1 to 12.
inline void add_modern(Transaction& tx) {
    const auto person = [&](std::int64_t id, const char* name, int age) {
        const std::vector<PropertyWrite> properties = {property("name", Value::string(name)),
                                                       property("age", Value::int_(age))};
        take(tx.add_vertex(Value::long_(id), "person", properties));
    };
    const auto software = [&](std::int64_t id, const char* name) {
        const std::vector<PropertyWrite> properties = {property("name", Value::string(name)),
                                                       property("lang", Value::string("java"))};
        take(tx.add_vertex(Value::long_(id), "software", properties));
    };
    person(1, "marko", 29);
    person(2, "vadas", 27);
    software(3, "lop");
    person(4, "josh", 32);
    software(5, "ripple");
    person(6, "peter", 35);
    const auto edge = [&](std::int64_t id, std::int64_t out, const char* label, std::int64_t in,
                          double weight) {
        const std::vector<std::pair<std::string, Value>> properties = {
            {"weight", Value::double_(weight)}};
        take(tx.add_edge(Value::long_(id), label, v(out), v(in), properties));
    };
    edge(7, 1, "knows", 2, 0.5);
    edge(8, 1, "knows", 4, 1.0);
    edge(9, 1, "created", 3, 0.4);
    edge(10, 4, "created", 5, 1.0);
    edge(11, 4, "created", 3, 0.4);
    edge(12, 6, "created", 3, 0.2);
}

inline std::vector<Value> all(ElementScan& scan) {
    std::vector<Value> out;
    for (std::size_t before = 0;; before = out.size()) {
        take(scan.next(7, out));
        if (out.size() == before) return out;
    }
}

inline std::vector<Incident> all(Expansion& expansion, std::size_t page = 3) {
    std::vector<Incident> out;
    for (std::size_t before = 0;; before = out.size()) {
        take(expansion.next(page, out));
        if (out.size() == before) return out;
    }
}

/// "0:2 0:4" : input and neighbour, in the order of delivery.
inline std::string text(const std::vector<Incident>& incidents) {
    std::string out;
    for (const auto& incident : incidents) {
        if (!out.empty()) out += ' ';
        const Value shown =
            incident.value.kind() == Kind::kVertex ? incident.value.vertex_id() : incident.value;
        out += std::to_string(incident.input) + ":" + to_text(shown);
    }
    return out;
}

inline std::string ids_text(const std::vector<Value>& elements) {
    std::string out;
    for (const auto& element : elements) {
        if (!out.empty()) out += ' ';
        if (element.is_null()) {
            out += '-';
        } else if (element.kind() == Kind::kVertex) {
            out += to_text(element.vertex_id());
        } else {
            out += to_text(element.as<EdgeObject>().id);
        }
    }
    return out;
}

inline std::string sorted(std::string words) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= words.size();) {
        const auto end = std::min(words.find(' ', at), words.size());
        parts.push_back(words.substr(at, end - at));
        at = end + 1;
    }
    std::sort(parts.begin(), parts.end());
    std::string out;
    for (const auto& part : parts) {
        if (!out.empty()) out += ' ';
        out += part;
    }
    return out;
}

/// "label{key=value, ...}" or "-".
inline std::string text(const VertexRecord* record) {
    if (record == nullptr) return "-";
    std::string out = std::string(record->label.text()) + "{";
    for (const auto& held : record->properties) {
        const auto& object = held.as<VertexPropertyObject>();
        if (out.back() != '{') out += ", ";
        out += std::string(object.key.text()) + "=" + to_text(object.value);
    }
    return out + "}";
}

inline std::string read(Transaction& tx, const Value& vertex,
                        const Projection& projection = Projection::everything()) {
    std::vector<const VertexRecord*> out;
    take(tx.read_vertices({&vertex, 1}, projection, out));
    return text(out.at(0));
}

}  // namespace hob::graph
