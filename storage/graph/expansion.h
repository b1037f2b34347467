#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "storage/graph/transaction.h"

namespace hob::graph {

/// What an ExpandSpec means in cells: the ranges of an adjacency row, out and in apart.
struct AdjacencyRanges {
    /// Sorted, disjoint; of marks 'I' and 'O'.
    std::vector<store::ColumnRange> in;
    std::vector<store::ColumnRange> out;
    [[nodiscard]] bool empty() const { return in.empty() && out.empty(); }
};

/// Labels that no dictionary knows give no range. `cells_max` of each range is `per_vertex_max`.
AdjacencyRanges ranges_of(const ExpandSpec& spec, const layout::IdCodec& ids, const Names& names);

/// The distinct vertices of a request and which of them each input is.
struct DistinctVertices {
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};  ///< Can't be a vertex of this graph.
    std::vector<Value> ids;
    std::vector<std::uint32_t> of_input;
};
DistinctVertices distinct(std::span<const Value> vertices, const layout::IdCodec& ids);

/// Reads adjacency rows of a request in chunks of rows, each row's first page with its chunk and
/// further pages alone, so that memory stays bounded by kChunkCells cells and one page.
class AdjacencyReader {
  public:
    static constexpr std::size_t kChunkRows =
        10'000;  ///< One multi-get: what the executor asks for at once is far below.
    static constexpr std::size_t kChunkCells = 2'000'000;
    static constexpr std::uint32_t kPageMin = 2'000;
    static constexpr std::uint32_t kPageMax = 20'000;

    /// With `records` the records of that coverage come with the rows.
    AdjacencyReader(TransactionImpl& transaction, AdjacencyRanges ranges, bool keys_only,
                    std::uint32_t per_vertex_max,
                    std::optional<std::uint32_t> records = std::nullopt);

    /// Reads the rows of `ids` (at most kChunkRows) into a chunk, whose rows `cells` then gives.
    Status read(std::span<const Value> ids);
    /// Cells of one mark, without a gap: `more` says that the store may hold further ones.
    struct Piece {
        std::span<const store::Cell> cells;
        bool more = false;
    };
    /// The first piece of a row of the chunk.
    [[nodiscard]] Piece first(std::size_t row, char mark) const;
    /// Reads the piece of a row that follows the cell `after`. Its views live until the next call.
    Result<Piece> next(const Value& id, char mark, std::string_view after);
    [[nodiscard]] bool wants(char mark) const {
        return !(mark == layout::kOutMark ? ranges_.out : ranges_.in).empty();
    }

  private:
    /// Cuts after the first range that is full: what lies between it and the next range was not
    /// read.
    static Piece cut(std::span<const store::Cell> cells, std::span<const store::ColumnRange> ranges,
                     std::uint32_t page);

    TransactionImpl& transaction_;
    const AdjacencyRanges ranges_;
    const bool keys_only_;
    const std::uint32_t per_vertex_max_;
    const std::optional<std::uint32_t> records_;
    std::uint32_t chunk_page_ = kPageMin;
    store::RowBatch chunk_;
    store::RowBatch page_rows_;
};

}  // namespace hob::graph
