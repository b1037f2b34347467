#include <algorithm>

#include "storage/graph/expansion.h"

namespace hob::graph {
namespace {

using layout::kInMark;
using layout::kOutMark;

std::vector<std::uint16_t> label_codes(const ExpandSpec& spec, const Names& names) {
    std::vector<std::uint16_t> codes;
    if (spec.labels.empty()) {
        for (std::size_t code = 1; code < names.of(NameKind::kEdgeLabel).names.size(); ++code) {
            codes.push_back(static_cast<std::uint16_t>(code));
        }
        return codes;
    }
    for (const auto& label : spec.labels) {
        if (const auto code = names.code(NameKind::kEdgeLabel, label); code != 0)
            codes.push_back(code);
    }
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    return codes;
}

std::vector<store::ColumnRange> ranges_of_mark(char mark, const ExpandSpec& spec,
                                               const layout::IdCodec& ids, const Names& names) {
    std::vector<store::ColumnRange> ranges;
    const auto add = [&](std::string prefix) {
        std::string end = layout::prefix_end(prefix);
        ranges.push_back(
            {.from = std::move(prefix), .to = std::move(end), .cells_max = spec.per_vertex_max});
    };
    if (spec.labels.empty() && spec.other_ends.empty()) {
        add(std::string(1, mark));
        return ranges;
    }
    std::vector<Value> others;
    for (const auto& other : spec.other_ends) {
        auto id = ids.normal(other.kind() == Kind::kVertex ? other.vertex_id() : other);
        if (id.has_value()) others.push_back(std::move(*id));
    }
    for (const auto code : label_codes(spec, names)) {
        if (spec.other_ends.empty()) add(layout::edge_prefix(mark, code));
        for (const auto& other : others) {
            add(layout::edge_qualifier(ids, mark, code, other, 0));
        }
    }
    const auto by_from = [](const auto& a, const auto& b) { return a.from < b.from; };
    const auto same_from = [](const auto& a, const auto& b) { return a.from == b.from; };
    std::sort(ranges.begin(), ranges.end(), by_from);
    ranges.erase(std::unique(ranges.begin(), ranges.end(), same_from), ranges.end());
    return ranges;
}

void limit(std::vector<store::ColumnRange>& ranges, std::uint32_t cells_max, bool keys_only) {
    for (auto& range : ranges) {
        range.cells_max = cells_max;
        range.keys_only = keys_only;
    }
}

}  // namespace

AdjacencyRanges ranges_of(const ExpandSpec& spec, const layout::IdCodec& ids, const Names& names) {
    AdjacencyRanges ranges;
    if (spec.direction != Direction::kIn) ranges.out = ranges_of_mark(kOutMark, spec, ids, names);
    if (spec.direction != Direction::kOut) ranges.in = ranges_of_mark(kInMark, spec, ids, names);
    return ranges;
}

DistinctVertices distinct(std::span<const Value> vertices, const layout::IdCodec& ids) {
    DistinctVertices out;
    out.of_input.reserve(vertices.size());
    absl::flat_hash_map<std::int64_t, std::uint32_t> by_long;
    absl::flat_hash_map<Value, std::uint32_t, ValueHash, ValueIdentical> by_value;
    if (ids.is_long()) by_long.reserve(vertices.size());
    for (const auto& vertex : vertices) {
        const auto id = ids.normal(vertex.kind() == Kind::kVertex ? vertex.vertex_id() : vertex);
        if (!id.has_value()) {
            out.of_input.push_back(DistinctVertices::kNone);
            continue;
        }
        const auto next = static_cast<std::uint32_t>(out.ids.size());
        std::uint32_t place = next;
        if (id->kind() == Kind::kLong) {
            place = by_long.try_emplace(id->as_int64(), next).first->second;
        } else {
            place = by_value.try_emplace(*id, next).first->second;
        }
        if (place == next) out.ids.push_back(*id);
        out.of_input.push_back(place);
    }
    return out;
}

AdjacencyReader::AdjacencyReader(TransactionImpl& transaction, AdjacencyRanges ranges,
                                 bool keys_only, std::uint32_t per_vertex_max,
                                 std::optional<std::uint32_t> records)
    : transaction_(transaction),
      ranges_(std::move(ranges)),
      keys_only_(keys_only),
      per_vertex_max_(per_vertex_max),
      records_(records) {}

Status AdjacencyReader::read(std::span<const Value> ids) {
    const auto share = static_cast<std::uint32_t>(
        std::min<std::size_t>(kChunkCells / std::max<std::size_t>(ids.size(), 1), kPageMax));
    chunk_page_ = std::max(kPageMin, share);
    if (per_vertex_max_ != 0) chunk_page_ = std::min(chunk_page_, per_vertex_max_);
    std::vector<store::ColumnRange> all = ranges_.in;  // 'I' sorts before 'O'.
    all.insert(all.end(), ranges_.out.begin(), ranges_.out.end());
    limit(all, chunk_page_, keys_only_);
    std::vector<store::RowGet> gets(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        gets[i].row = transaction_.ids().row_key(ids[i]);
        gets[i].ranges = all;
    }
    if (!records_) return transaction_.get(Table::kGraph, 'e', gets, chunk_);
    TransactionImpl::RecordReads reads;
    for (const Value& id : ids)
        transaction_.note_record(id, *records_, reads);
    transaction_.add_record_gets(reads, *records_, gets);
    if (Status read = transaction_.get(Table::kGraph, 'e', gets, chunk_); !read.ok()) {
        TransactionImpl::forget_notes(reads);
        return read;
    }
    return transaction_.fill_records(reads, chunk_, ids.size());
}

AdjacencyReader::Piece AdjacencyReader::cut(std::span<const store::Cell> cells,
                                            std::span<const store::ColumnRange> ranges,
                                            std::uint32_t page) {
    if (cells.size() < page) return {.cells = cells, .more = false};
    std::size_t at = 0;
    for (const auto& range : ranges) {
        const std::size_t begin = at;
        while (at < cells.size() && (range.to.empty() || cells[at].qualifier < range.to)) {
            ++at;
        }
        if (at - begin >= page) return {.cells = cells.first(at), .more = true};
    }
    return {.cells = cells, .more = false};
}

AdjacencyReader::Piece AdjacencyReader::first(std::size_t row, char mark) const {
    if (!wants(mark)) return {};
    auto cells = chunk_.cells(row);
    if (wants(mark == kOutMark ? kInMark : kOutMark)) {
        const auto first_out = std::partition_point(
            cells.begin(), cells.end(),
            [](const store::Cell& cell) { return cell.qualifier[0] == kInMark; });
        const auto split = static_cast<std::size_t>(first_out - cells.begin());
        cells = mark == kOutMark ? cells.subspan(split) : cells.first(split);
    }
    return cut(cells, mark == kOutMark ? ranges_.out : ranges_.in, chunk_page_);
}

Result<AdjacencyReader::Piece> AdjacencyReader::next(const Value& id, char mark,
                                                     std::string_view after) {
    std::string from(after);
    from.push_back('\0');
    store::RowGet get{.row = transaction_.ids().row_key(id), .ranges = {}, .columns = {}};
    for (auto range : mark == kOutMark ? ranges_.out : ranges_.in) {
        if (!range.to.empty() && range.to <= from) continue;
        range.from = std::max(range.from, from);
        get.ranges.push_back(std::move(range));
    }
    if (get.ranges.empty()) return Piece{};
    limit(get.ranges, kPageMax, keys_only_);
    HOB_TRY(transaction_.get(Table::kGraph, 'e', {&get, 1}, page_rows_));
    return cut(page_rows_.cells(0), get.ranges, kPageMax);
}

}  // namespace hob::graph
