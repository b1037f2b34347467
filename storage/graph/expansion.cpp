#include "storage/graph/expansion.h"

#include <algorithm>

namespace hob::graph {
namespace {

using layout::kInMark;
using layout::kOutMark;

/// Delivers an expansion: for each input its out cells, then its in cells.
class CellExpansion final : public Expansion {
  public:
    CellExpansion(TransactionImpl& transaction, DistinctVertices vertices, AdjacencyReader reader,
                  const ExpandSpec& spec)
        : transaction_(transaction),
          vertices_(std::move(vertices)),
          reader_(std::move(reader)),
          edges_(spec.edges),
          edge_properties_(spec.edge_properties),
          per_vertex_max_(spec.per_vertex_max) {}

    Status next(std::size_t count_max, std::vector<Incident>& out) override {
        const std::size_t end = out.size() + count_max;
        while (out.size() < end && input_ < vertices_.of_input.size()) {
            if (piece_.cells.empty() && !piece_.more) {
                HOB_TRY(advance());
                continue;
            }
            HOB_TRY(deliver(end - out.size(), out));
        }
        return {};
    }

  private:
    enum class Phase : std::uint8_t { kStart, kOut, kIn };

    /// Goes to the next mark or input; `piece_` is then its first piece (it may be empty).
    Status advance() {
        if (phase_ == Phase::kIn || (phase_ != Phase::kStart && is_full())) {
            ++input_;
            phase_ = Phase::kStart;
            return {};
        }
        const std::uint32_t vertex = vertices_.of_input[input_];
        if (vertex == DistinctVertices::kNone) {
            phase_ = Phase::kIn;
            return {};
        }
        if (phase_ == Phase::kStart) {
            delivered_ = 0;
            HOB_TRY(bring(vertex));
            phase_ = Phase::kOut;
            piece_ = reader_.first(vertex - chunk_begin_, kOutMark);
        } else {
            phase_ = Phase::kIn;
            // An 'I' piece of the chunk is untouched by the paging of 'O', which has a batch of its
            // own.
            piece_ = reader_.first(vertex - chunk_begin_, kInMark);
        }
        return {};
    }

    /// Has the chunk of a vertex read.
    Status bring(std::uint32_t vertex) {
        if (vertex >= chunk_begin_ && vertex < chunk_end_) return {};
        chunk_begin_ = vertex - vertex % AdjacencyReader::kChunkRows;
        chunk_end_ =
            std::min<std::size_t>(chunk_begin_ + AdjacencyReader::kChunkRows, vertices_.ids.size());
        return reader_.read(
            std::span(vertices_.ids).subspan(chunk_begin_, chunk_end_ - chunk_begin_));
    }

    [[nodiscard]] bool is_full() const {
        return per_vertex_max_ != 0 && delivered_ >= per_vertex_max_;
    }
    [[nodiscard]] const Value& vertex_id() const {
        return vertices_.ids[vertices_.of_input[input_]];
    }

    Status deliver(std::size_t count_max, std::vector<Incident>& out) {
        std::size_t count = std::min(count_max, piece_.cells.size());
        if (per_vertex_max_ != 0)
            count = std::min<std::size_t>(count, per_vertex_max_ - delivered_);
        const auto cells = piece_.cells.first(count);
        if (edges_) {
            HOB_TRY(add_edges(cells, out));
        } else if (transaction_.ids().is_long()) {
            HOB_TRY(add_long_vertices(cells, out));
        } else {
            HOB_TRY(add_vertices(cells, out));
        }
        delivered_ += static_cast<std::uint32_t>(count);
        if (count > 0) last_.assign(cells.back().qualifier);
        piece_.cells = piece_.cells.subspan(count);
        if (is_full()) {
            piece_ = {};
        } else if (piece_.cells.empty() && piece_.more) {
            HOB_ASSIGN_OR_RETURN(
                piece_,
                reader_.next(vertex_id(), phase_ == Phase::kOut ? kOutMark : kInMark, last_));
        }
        return {};
    }

    /// The hot loop: 8 bytes of the qualifier become an inline value.
    Status add_long_vertices(std::span<const store::Cell> cells, std::vector<Incident>& out) {
        const std::size_t at = out.size();
        out.resize(at + cells.size());
        Incident* incident = out.data() + at;
        const auto input = static_cast<std::uint32_t>(input_);
        bool all_long_enough = true;
        for (const auto& cell : cells) {
            if (cell.qualifier.size() < 11) {
                all_long_enough = false;
                break;
            }
            incident->input = input;
            incident->value =
                Value::vertex_of_long(layout::load_long_id(cell.qualifier.data() + 3));
            ++incident;
        }
        if (!all_long_enough)
            return Error::corrupt("vertex {}: an edge qualifier has fewer than 11 bytes",
                                  to_text(vertex_id()));
        return {};
    }

    Status add_vertices(std::span<const store::Cell> cells, std::vector<Incident>& out) {
        for (const auto& cell : cells) {
            HOB_ASSIGN_OR_RETURN(const auto edge,
                                 layout::decode_edge_qualifier(transaction_.ids(), cell.qualifier));
            out.push_back(
                {.input = static_cast<std::uint32_t>(input_), .value = Value::vertex(edge.other)});
        }
        return {};
    }

    Status add_edges(std::span<const store::Cell> cells, std::vector<Incident>& out) {
        for (const auto& cell : cells) {
            HOB_ASSIGN_OR_RETURN(auto edge,
                                 layout::decode_edge_qualifier(transaction_.ids(), cell.qualifier));
            const bool is_out = edge.mark == kOutMark;
            EdgePlace place{.out = vertex_id(),
                            .label = edge.label,
                            .in = std::move(edge.other),
                            .parallel = edge.parallel};
            if (!is_out) std::swap(place.out, place.in);
            HOB_ASSIGN_OR_RETURN(Value value,
                                 transaction_.make_edge(place, cell.value, edge_properties_));
            out.push_back({.input = static_cast<std::uint32_t>(input_), .value = std::move(value)});
        }
        return {};
    }

    TransactionImpl& transaction_;
    const DistinctVertices vertices_;
    AdjacencyReader reader_;
    const bool edges_;
    const bool edge_properties_;
    const std::uint32_t per_vertex_max_;

    std::size_t input_ = 0;
    Phase phase_ = Phase::kStart;
    std::size_t chunk_begin_ = 0;
    std::size_t chunk_end_ = 0;
    AdjacencyReader::Piece piece_{};
    std::string last_;
    std::uint32_t delivered_ = 0;
};

}  // namespace

Result<std::unique_ptr<Expansion>> TransactionImpl::expand(std::span<const Value> vertices,
                                                           const ExpandSpec& spec) {
    HOB_TRY(call_.check());
    HOB_TRY(update_names());
    AdjacencyRanges ranges = ranges_of(spec, ids(), *names_);
    DistinctVertices inputs = ranges.empty() ? DistinctVertices{} : distinct(vertices, ids());
    std::optional<std::uint32_t> records;
    if (spec.records) records = coverage_of(*spec.records);
    AdjacencyReader reader(*this, std::move(ranges), !spec.edges, spec.per_vertex_max, records);
    return std::unique_ptr<Expansion>(
        std::make_unique<CellExpansion>(*this, std::move(inputs), std::move(reader), spec));
}

Status TransactionImpl::count_edges(std::span<const Value> vertices, const ExpandSpec& spec,
                                    std::vector<std::int64_t>& out) {
    HOB_TRY(call_.check());
    HOB_TRY(update_names());
    out.assign(vertices.size(), 0);
    AdjacencyRanges ranges = ranges_of(spec, ids(), *names_);
    if (ranges.empty()) return {};
    const DistinctVertices inputs = distinct(vertices, ids());
    AdjacencyReader reader(*this, std::move(ranges), true, spec.per_vertex_max);
    std::vector<std::int64_t> counts(inputs.ids.size(), 0);
    for (std::size_t begin = 0; begin < inputs.ids.size(); begin += AdjacencyReader::kChunkRows) {
        const std::size_t end = std::min(begin + AdjacencyReader::kChunkRows, inputs.ids.size());
        HOB_TRY(reader.read(std::span(inputs.ids).subspan(begin, end - begin)));
        for (std::size_t row = begin; row < end; ++row) {
            for (const char mark : {kOutMark, kInMark}) {
                auto piece = reader.first(row - begin, mark);
                counts[row] += static_cast<std::int64_t>(piece.cells.size());
                while (piece.more &&
                       (spec.per_vertex_max == 0 || counts[row] < spec.per_vertex_max)) {
                    const std::string last(piece.cells.back().qualifier);
                    HOB_ASSIGN_OR_RETURN(piece, reader.next(inputs.ids[row], mark, last));
                    counts[row] += static_cast<std::int64_t>(piece.cells.size());
                }
            }
            if (spec.per_vertex_max != 0)
                counts[row] = std::min<std::int64_t>(counts[row], spec.per_vertex_max);
        }
    }
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        if (inputs.of_input[i] != DistinctVertices::kNone) out[i] = counts[inputs.of_input[i]];
    }
    return {};
}

}  // namespace hob::graph
