#include <deque>

#include "gremlin/io/graph_readers.h"
#include "gremlin/io/graphson.h"

namespace hob::gremlin {
namespace {

/// A vertex a line. Its out-edges follow it as records of their own.
class GraphsonReader final : public GraphReader {
  public:
    explicit GraphsonReader(std::unique_ptr<InputFile> input) : input_(std::move(input)) {}

    Result<bool> next(GraphRecord& record) override;
    [[nodiscard]] std::string_view text() const override { return line_; }
    [[nodiscard]] std::uint64_t bytes_read() const override { return input_->bytes_read(); }
    [[nodiscard]] std::uint64_t bytes_total() const override { return input_->bytes_total(); }

  private:
    void fill_vertex(GraphRecord& record);
    void fill_edge(const EdgeObject& edge, GraphRecord& record);

    std::unique_ptr<InputFile> input_;
    graphson::AdjacencyVertex vertex_;
    std::size_t next_edge_ = 0;
    std::string line_;
    bool broken_ = false;
};

void GraphsonReader::fill_vertex(GraphRecord& record) {
    record.kind = GraphRecord::Kind::kVertex;
    record.id = vertex_.id;
    record.label = vertex_.label;
    record.line = input_->lines();
    record.properties.clear();
    for (std::size_t i = 0; i < vertex_.properties.size(); ++i) {
        const auto& p = vertex_.properties[i].as<VertexPropertyObject>();
        GraphProperty property{std::string(p.key.text()), p.value, Cardinality::kSingle, p.meta};
        // Properties of one key stand next to each other in a line.
        if (!record.properties.empty() && record.properties.back().key == property.key) {
            property.cardinality = Cardinality::kList;
            record.properties.back().cardinality = Cardinality::kList;
        }
        record.properties.push_back(std::move(property));
    }
}

void GraphsonReader::fill_edge(const EdgeObject& edge, GraphRecord& record) {
    record.kind = GraphRecord::Kind::kEdge;
    record.id = edge.id;
    record.label = edge.label.text();
    record.from = edge.out.vertex_id();
    record.to = edge.in.vertex_id();
    record.line = input_->lines();
    record.properties.clear();
    for (const auto& [key, value] : edge.properties) {
        record.properties.push_back({std::string(key.text()), value, Cardinality::kSingle, {}});
    }
}

Result<bool> GraphsonReader::next(GraphRecord& record) {
    if (next_edge_ < vertex_.out_edges.size()) {
        fill_edge(vertex_.out_edges[next_edge_++].as<EdgeObject>(), record);
        return true;
    }
    if (broken_) return false;
    do {
        auto more = input_->line(line_);
        if (!more.ok()) {
            broken_ = more.error().code == Code::kCorrupt;
            return std::move(more.error());
        }
        if (!*more) return false;
    } while (line_.find_first_not_of(" \t") == std::string::npos);
    auto vertex = graphson::read_adjacency_line(line_);
    next_edge_ = 0;
    vertex_ = {};
    if (!vertex.ok()) {
        return Error{vertex.error().code, fmt::format("{}:{}: {}", input_->path(), input_->lines(),
                                                      vertex.error().message)};
    }
    vertex_ = std::move(*vertex);
    fill_vertex(record);
    return true;
}

}  // namespace

Result<std::unique_ptr<GraphReader>> open_graphson(std::unique_ptr<InputFile> input,
                                                   const GraphReadOptions&) {
    return std::unique_ptr<GraphReader>(std::make_unique<GraphsonReader>(std::move(input)));
}

}  // namespace hob::gremlin
