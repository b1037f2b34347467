#include "gremlin/io/graph_writers.h"
#include "gremlin/io/graphson.h"
#include "gremlin/io/output_file.h"

namespace hob::gremlin {
namespace {

/// GraphSON 3 adjacency lines: {"id", "label", "inE", "outE", "properties"}, each member only when
/// it holds something.
class GraphsonWriter final : public GraphWriter {
  public:
    explicit GraphsonWriter(std::unique_ptr<OutputFile> output) : output_(std::move(output)) {}

    Status add(const VertexRecord& vertex, std::span<const Value> out_edges,
               std::span<const Value> in_edges) override;
    Status finish() override { return output_->finish(); }

  private:
    void value(const Value& v) {
        graphson::write_value(v, graphson::Format{}, WriteOptions{}, line_);
    }
    void member(std::string_view name, bool first) {
        if (!first) line_ += ',';
        graphson::write_json_string(name, line_);
        line_ += ':';
    }
    void value_map(const std::vector<std::pair<Value, Value>>& values);
    void edges(std::string_view name, std::span<const Value> all, bool out);
    void properties(const std::vector<Value>& all);

    std::unique_ptr<OutputFile> output_;
    std::string line_;
};

/// Values by a text key, in the order in which keys first came.
class Groups {
  public:
    void add(const Value& key, const Value& v) {
        Value& place = places_.slot(key);
        if (place.is_null()) {
            place = Value::long_(static_cast<std::int64_t>(groups_.size()));
            groups_.emplace_back(key, std::vector<Value>{});
        }
        groups_[static_cast<std::size_t>(place.as_int64())].second.push_back(v);
    }
    [[nodiscard]] const std::vector<std::pair<Value, std::vector<Value>>>& all() const {
        return groups_;
    }

  private:
    MapObject places_;
    std::vector<std::pair<Value, std::vector<Value>>> groups_;
};

void GraphsonWriter::value_map(const std::vector<std::pair<Value, Value>>& values) {
    line_ += ",\"properties\":{";
    for (std::size_t i = 0; i < values.size(); ++i) {
        member(to_text(values[i].first), i == 0);
        value(values[i].second);
    }
    line_ += '}';
}

void GraphsonWriter::edges(std::string_view name, std::span<const Value> all, bool out) {
    if (all.empty()) return;
    Groups by_label;
    for (const Value& e : all) {
        by_label.add(e.as<EdgeObject>().label, e);
    }
    member(name, false);
    line_ += '{';
    bool first_label = true;
    for (const auto& [label, group] : by_label.all()) {
        member(to_text(label), first_label);
        first_label = false;
        line_ += '[';
        for (std::size_t i = 0; i < group.size(); ++i) {
            const auto& e = group[i].as<EdgeObject>();
            line_ += i == 0 ? "{\"id\":" : ",{\"id\":";
            value(e.id);
            member(out ? "inV" : "outV", false);
            value((out ? e.in : e.out).vertex_id());
            if (!e.properties.empty()) value_map(e.properties);
            line_ += '}';
        }
        line_ += ']';
    }
    line_ += '}';
}

void GraphsonWriter::properties(const std::vector<Value>& all) {
    if (all.empty()) return;
    Groups by_key;
    for (const Value& p : all) {
        by_key.add(p.as<VertexPropertyObject>().key, p);
    }
    member("properties", false);
    line_ += '{';
    bool first_key = true;
    for (const auto& [key, group] : by_key.all()) {
        member(to_text(key), first_key);
        first_key = false;
        line_ += '[';
        for (std::size_t i = 0; i < group.size(); ++i) {
            const auto& p = group[i].as<VertexPropertyObject>();
            line_ += i == 0 ? "{\"id\":" : ",{\"id\":";
            value(p.id);
            member("value", false);
            value(p.value);
            if (!p.meta.empty()) value_map(p.meta);
            line_ += '}';
        }
        line_ += ']';
    }
    line_ += '}';
}

Status GraphsonWriter::add(const VertexRecord& vertex, std::span<const Value> out_edges,
                           std::span<const Value> in_edges) {
    line_.clear();
    line_ += "{\"id\":";
    value(vertex.vertex.vertex_id());
    member("label", false);
    graphson::write_json_string(vertex.label.is_string() ? vertex.label.text() : "vertex", line_);
    edges("inE", in_edges, false);
    edges("outE", out_edges, true);
    properties(vertex.properties);
    line_ += "}\n";
    return output_->write(line_);
}

}  // namespace

Result<std::unique_ptr<GraphWriter>> create_graphson(const std::string& path) {
    HOB_ASSIGN_OR_RETURN(auto output, OutputFile::create(path));
    return std::unique_ptr<GraphWriter>(std::make_unique<GraphsonWriter>(std::move(output)));
}

}  // namespace hob::gremlin
