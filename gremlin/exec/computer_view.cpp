#include "gremlin/exec/computer_view.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

using graph::EdgeDraft;
using graph::ElementType;
using graph::ExpandSpec;
using graph::IndexSpec;
using graph::Projection;
using graph::PropertyWrite;

Value computed_property(const Value& vertex, const Value& key, const Value& value) {
    auto* property = new VertexPropertyObject;
    property->id = Value::long_(-1);  // Not in the graph: no id of a stored property.
    property->key = key;
    property->value = value;
    property->vertex = vertex;
    return Value::adopt(Kind::kVertexProperty, property);
}

class View final : public ComputerView {
  public:
    View(graph::Transaction& base, ComputerOptions options)
        : base_(base), options_(std::move(options)) {}

    const ComputerOptions& options() const override { return options_; }
    ComputerReport& report() override { return report_; }
    graph::Transaction& base() override { return base_; }

    void publish(std::string_view key, std::span<const Value> vertices,
                 std::vector<Value> values) override {
        merged_.clear();
        auto column = std::find_if(columns_.begin(), columns_.end(),
                                   [key](const Column& c) { return c.key.text() == key; });
        if (column == columns_.end())
            column = columns_.insert(columns_.end(), {Value::string(key), {}});
        for (std::size_t i = 0; i < vertices.size(); ++i)
            column->values.insert_or_assign(vertices[i], std::move(values[i]));
    }

    Status read_vertices(std::span<const Value> vertices, const Projection& projection,
                         std::vector<const VertexRecord*>& out) override {
        HOB_TRY(base_.read_vertices(vertices, projection, out));
        if (columns_.empty()) return {};
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            if (out[i] != nullptr) out[i] = merged(vertices[i], *out[i]);
        }
        return {};
    }
    void forget(std::size_t records_max) override {
        base_.forget(records_max);
        if (merged_.size() > records_max) merged_.clear();
    }

    // --- the rest is the graph's ---
    void use(store::CallContext call) override { base_.use(std::move(call)); }
    [[nodiscard]] const store::CallStats& stats() const override { return base_.stats(); }
    Result<std::unique_ptr<graph::Expansion>> expand(std::span<const Value> vertices,
                                                     const ExpandSpec& spec) override {
        return base_.expand(vertices, spec);
    }
    Status count_edges(std::span<const Value> vertices, const ExpandSpec& spec,
                       std::vector<std::int64_t>& out) override {
        return base_.count_edges(vertices, spec, out);
    }
    Status read_edges(std::span<const Value> ids, std::vector<Value>& out) override {
        return base_.read_edges(ids, out);
    }
    Result<std::unique_ptr<graph::ElementScan>> scan_vertices(
        std::vector<std::string> labels, const Projection& projection) override {
        return base_.scan_vertices(std::move(labels), projection);
    }
    Result<std::unique_ptr<graph::ElementScan>> scan_edges(
        std::vector<std::string> labels) override {
        return base_.scan_edges(std::move(labels));
    }
    std::optional<IndexSpec> find_index(ElementType element, std::string_view label,
                                        std::string_view key) override {
        return base_.find_index(element, label, key);
    }
    Result<bool> index_candidates(const IndexSpec& index, std::span<const Value> values,
                                  std::vector<Value>& out) override {
        return base_.index_candidates(index, values, out);
    }
    Status index_lookup(const IndexSpec& index, std::span<const Value> values,
                        std::vector<Value>& out) override {
        return base_.index_lookup(index, values, out);
    }
    Result<Value> add_vertex(const Value& id, std::string_view label,
                             std::span<const PropertyWrite> properties) override {
        return base_.add_vertex(id, label, properties);
    }
    Status prefetch_edges(std::span<const EdgeDraft> edges) override {
        return base_.prefetch_edges(edges);
    }
    Status prefetch_changes(std::span<const Value> elements, bool removal) override {
        return base_.prefetch_changes(elements, removal);
    }
    Result<Value> add_edge(const Value& id, std::string_view label, const Value& out_vertex,
                           const Value& in_vertex,
                           std::span<const std::pair<std::string, Value>> properties) override {
        return base_.add_edge(id, label, out_vertex, in_vertex, properties);
    }
    Result<Value> set_vertex_property(const Value& vertex, const PropertyWrite& property) override {
        return base_.set_vertex_property(vertex, property);
    }
    Result<Value> set_edge_property(const Value& edge, std::string_view key,
                                    const Value& value) override {
        return base_.set_edge_property(edge, key, value);
    }
    Result<Value> set_meta_property(const Value& vertex_property, std::string_view key,
                                    const Value& value) override {
        return base_.set_meta_property(vertex_property, key, value);
    }
    Status remove(const Value& element) override { return base_.remove(element); }
    Status commit() override { return base_.commit(); }
    void rollback() override { base_.rollback(); }
    [[nodiscard]] bool has_writes() const override { return base_.has_writes(); }

  private:
    struct Column {
        Value key;
        absl::flat_hash_map<Value, Value, ValueHash, ValueIdentical> values;
    };
    struct Merged {
        std::size_t stored = 0;  ///< How many properties the record below had.
        VertexRecord record;
    };

    /// The record with the computed properties; made anew when more was read of the vertex.
    const VertexRecord* merged(const Value& vertex, const VertexRecord& below) {
        std::unique_ptr<Merged>& known = merged_[vertex];
        if (known != nullptr && known->stored == below.properties.size()) return &known->record;
        if (known == nullptr) known = std::make_unique<Merged>();
        known->stored = below.properties.size();
        known->record = below;
        auto& properties = known->record.properties;
        for (const Column& column : columns_) {
            const auto value = column.values.find(vertex);
            if (value == column.values.end()) continue;
            std::erase_if(properties, [&column](const Value& property) {
                return property.as<VertexPropertyObject>().key.text() == column.key.text();
            });
            properties.push_back(computed_property(vertex, column.key, value->second));
        }
        return &known->record;
    }

    graph::Transaction& base_;
    ComputerOptions options_;
    ComputerReport report_;
    std::vector<Column> columns_;
    absl::flat_hash_map<Value, std::unique_ptr<Merged>, ValueHash, ValueIdentical> merged_;
};

}  // namespace

std::unique_ptr<ComputerView> make_computer_view(graph::Transaction& base,
                                                 ComputerOptions options) {
    return std::make_unique<View>(base, std::move(options));
}

ComputerView* computer_view(graph::Transaction* transaction) {
    return dynamic_cast<ComputerView*>(transaction);
}

}  // namespace hob::gremlin
