#include <algorithm>
#include <set>

#include "storage/base/bytes.h"
#include "storage/graph/transaction.h"
#include "storage/layout/index_rows.h"
#include "storage/value/compare.h"

namespace hob::graph {
namespace {

bool includes(const Projection& has, const Projection& wants) {
    if (has.all) return true;
    if (wants.all) return false;
    return std::includes(has.keys.begin(), has.keys.end(), wants.keys.begin(), wants.keys.end());
}

bool same(const Projection& a, const Projection& b) {
    return a.all == b.all && (a.all || a.keys == b.keys);
}

/// Sets lie in the order of their values' hashes; the reader sees them in the order in which they
/// were made.
void order_sets(std::vector<Value>& properties, std::vector<std::string>& qualifiers) {
    for (std::size_t begin = 0; begin < qualifiers.size();) {
        std::size_t end = begin + 1;
        const std::string_view key = std::string_view(qualifiers[begin]).substr(0, 2);
        while (end < qualifiers.size() && std::string_view(qualifiers[end]).substr(0, 2) == key) {
            ++end;
        }
        if (end - begin > 1) {
            std::vector<std::pair<Value, std::string>> run;
            for (std::size_t i = begin; i < end; ++i) {
                run.emplace_back(std::move(properties[i]), std::move(qualifiers[i]));
            }
            std::stable_sort(run.begin(), run.end(), [](const auto& a, const auto& b) {
                return order(a.first.template as<VertexPropertyObject>().id,
                             b.first.template as<VertexPropertyObject>().id) < 0;
            });
            for (std::size_t i = begin; i < end; ++i) {
                properties[i] = std::move(run[i - begin].first);
                qualifiers[i] = std::move(run[i - begin].second);
            }
        }
        begin = end;
    }
}

}  // namespace

std::uint32_t TransactionImpl::coverage_of(const Projection& projection) {
    for (std::size_t i = 0; i < projections_.size(); ++i) {
        if (same(projections_[i], projection)) return static_cast<std::uint32_t>(i);
    }
    projections_.push_back(projection);
    return static_cast<std::uint32_t>(projections_.size() - 1);
}

bool TransactionImpl::covers(const CachedRecord& record, std::uint32_t coverage) const {
    if (!record.loaded) return false;
    if (record.coverage == coverage || record.record.label.is_null()) return true;
    return includes(projections_[record.coverage], projections_[coverage]);
}

std::uint32_t TransactionImpl::join(std::uint32_t a, std::uint32_t b) {
    if (includes(projections_[a], projections_[b])) return a;
    if (includes(projections_[b], projections_[a])) return b;
    std::set<std::string> keys(projections_[a].keys.begin(), projections_[a].keys.end());
    keys.insert(projections_[b].keys.begin(), projections_[b].keys.end());
    return coverage_of({.all = false, .keys = {keys.begin(), keys.end()}});
}

void TransactionImpl::select(std::uint32_t coverage, std::vector<store::ColumnRange>& ranges,
                             std::vector<std::string>& columns) const {
    const Projection& projection = projections_[coverage];
    if (projection.all) return;
    std::vector<std::uint16_t> codes;
    for (const auto& key : projection.keys) {
        if (const auto code = names_->code(NameKind::kKey, key); code != 0) codes.push_back(code);
    }
    std::sort(codes.begin(), codes.end());
    columns.emplace_back(layout::kLabelQualifier);
    for (const auto code : codes) {
        std::string qualifier = layout::single_qualifier(code);
        if (names_->is_multi(code)) {
            ranges.push_back({.from = qualifier, .to = layout::prefix_end(qualifier)});
        } else {
            columns.push_back(std::move(qualifier));
        }
    }
}

Status TransactionImpl::fill(CachedRecord& cached, const Value& id, std::uint32_t coverage,
                             std::span<const store::Cell> cells) {
    VertexRecord& record = cached.record;
    record.vertex = Value::vertex(id);
    record.label = Value{};
    record.properties.clear();
    cached.qualifiers.clear();
    cached.coverage = coverage;
    cached.loaded = true;
    cached.queued = false;
    if (cells.empty() || cells[0].qualifier != layout::kLabelQualifier) return {};  // Nobody there.
    HOB_ASSIGN_OR_RETURN(const auto label, layout::read_label_value(cells[0].value));
    if (names_->name(NameKind::kVertexLabel, label) == nullptr) HOB_TRY(reload_names());
    const Value* label_name = names_->name(NameKind::kVertexLabel, label);
    if (label_name == nullptr)
        return Error::corrupt("vertex {} has label code {}, which is in no dictionary", to_text(id),
                              label);
    record.properties.reserve(cells.size() - 1);
    bool any_multi = false;
    for (const auto& cell : cells.subspan(1)) {
        if (cell.qualifier == layout::kBucketQualifier) continue;
        HOB_ASSIGN_OR_RETURN(const auto key, layout::key_of_qualifier(cell.qualifier));
        auto property = layout::decode_property(*names_, key, cell.value, record.vertex);
        if (!property && property.error().code == Code::kNotFound) {
            HOB_TRY(reload_names());
            property = layout::decode_property(*names_, key, cell.value, record.vertex);
        }
        if (!property)
            return Error::corrupt("vertex {}: {}", to_text(id), property.error().message);
        any_multi = any_multi || layout::is_multi_qualifier(cell.qualifier);
        record.properties.push_back(std::move(*property));
    }
    record.label = *label_name;
    if (!any_multi) return {};
    for (const auto& cell : cells.subspan(1)) {
        if (cell.qualifier != layout::kBucketQualifier)
            cached.qualifiers.emplace_back(cell.qualifier);
    }
    order_sets(record.properties, cached.qualifiers);
    return {};
}

CachedRecord& TransactionImpl::note_record(const Value& id, std::uint32_t coverage,
                                           RecordReads& reads) {
    CachedRecord& cached = cache_.slot(id);
    if (cached.queued) return cached;
    if (covers(cached, coverage)) {
        ++stats_.cache_hits;
        return cached;
    }
    cached.queued = true;
    reads.records.push_back(&cached);
    reads.ids.push_back(id);
    return cached;
}

void TransactionImpl::add_record_gets(RecordReads& reads, std::uint32_t coverage,
                                      std::vector<store::RowGet>& gets) {
    std::vector<store::ColumnRange> ranges;
    std::vector<std::string> columns;
    select(coverage, ranges, columns);
    reads.coverages.assign(reads.records.size(), coverage);
    for (std::size_t i = 0; i < reads.records.size(); ++i) {
        auto& get = gets.emplace_back();
        get.row = ids().row_key(reads.ids[i]);
        get.family = 'p';
        const CachedRecord& record = *reads.records[i];
        if (record.loaded) reads.coverages[i] = join(record.coverage, coverage);
        if (reads.coverages[i] == coverage) {
            get.ranges = ranges;
            get.columns = columns;
        } else {
            select(reads.coverages[i], get.ranges, get.columns);
        }
    }
}

void TransactionImpl::forget_notes(const RecordReads& reads) {
    for (CachedRecord* record : reads.records)
        record->queued = false;
}

Status TransactionImpl::fill_records(const RecordReads& reads, const store::RowBatch& rows,
                                     std::size_t first_row) {
    forget_notes(reads);
    for (std::size_t i = 0; i < reads.records.size(); ++i) {
        HOB_TRY(
            fill(*reads.records[i], reads.ids[i], reads.coverages[i], rows.cells(first_row + i)));
    }
    return {};
}

Status TransactionImpl::load_records(RecordReads& reads, std::uint32_t coverage) {
    if (reads.records.empty()) return {};
    std::vector<store::RowGet> gets;
    gets.reserve(reads.records.size());
    add_record_gets(reads, coverage, gets);
    store::RowBatch rows;
    if (Status read = get(Table::kGraph, 'p', gets, rows); !read.ok()) {
        forget_notes(reads);
        return read;
    }
    return fill_records(reads, rows, 0);
}

Status TransactionImpl::read_vertices(std::span<const Value> vertices, const Projection& projection,
                                      std::vector<const VertexRecord*>& out) {
    HOB_TRY(call_.check());
    HOB_TRY(update_names());
    const std::uint32_t coverage = coverage_of(projection);
    std::vector<CachedRecord*> found(vertices.size(), nullptr);
    RecordReads reads;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const auto id = ids().normal(vertices[i].kind() == Kind::kVertex ? vertices[i].vertex_id()
                                                                         : vertices[i]);
        if (id.has_value()) found[i] = &note_record(*id, coverage, reads);
    }
    HOB_TRY(load_records(reads, coverage));
    out.assign(vertices.size(), nullptr);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        if (found[i] != nullptr && !found[i]->record.label.is_null()) out[i] = &found[i]->record;
    }
    return {};
}

Result<CachedRecord*> TransactionImpl::full_record(const Value& id) {
    HOB_TRY(update_names());
    RecordReads reads;
    CachedRecord* cached = &note_record(id, kEverything, reads);
    HOB_TRY(load_records(reads, kEverything));
    if (cached->record.label.is_null()) return static_cast<CachedRecord*>(nullptr);
    cached->coverage = kEverything;
    auto& properties = cached->record.properties;
    if (cached->qualifiers.size() != properties.size()) {
        cached->qualifiers.clear();
        for (const auto& property : properties) {
            const auto key =
                names_->code(NameKind::kKey, property.as<VertexPropertyObject>().key.text());
            cached->qualifiers.push_back(layout::single_qualifier(key));
        }
    }
    return cached;
}

Result<Value> TransactionImpl::edge_id(const EdgePlace& place, std::string_view value) {
    HOB_ASSIGN_OR_RETURN(Value id, layout::edge_id_in(value));
    if (!id.is_null()) return id;
    return Value::string(layout::place_text(ids(), place));
}

Result<Value> TransactionImpl::make_edge(const EdgePlace& place, std::string_view value,
                                         bool with_properties) {
    const auto decode = [&]() -> Result<Value> {
        const Value* label = names_->name(NameKind::kEdgeLabel, place.label);
        if (label == nullptr)
            return Error::make(Code::kNotFound, "edge label code {} is in no dictionary",
                               place.label);
        auto edge = std::make_unique<EdgeObject>();
        HOB_TRY(layout::decode_edge(*names_, value, with_properties, *edge));
        if (edge->id.is_null()) edge->id = Value::string(layout::place_text(ids(), place));
        edge->label = *label;
        edge->out = Value::vertex(place.out);
        edge->in = Value::vertex(place.in);
        return Value::adopt(Kind::kEdge, edge.release());
    };
    auto edge = decode();
    if (edge || edge.error().code != Code::kNotFound) return edge;
    HOB_TRY(reload_names());
    edge = decode();
    if (!edge)
        return Error::corrupt("edge {}: {}", layout::place_text(ids(), place),
                              edge.error().message);
    return edge;
}

Status TransactionImpl::read_edges(std::span<const Value> edge_ids, std::vector<Value>& out) {
    HOB_TRY(call_.check());
    HOB_TRY(update_names());
    out.assign(edge_ids.size(), Value{});
    std::vector<std::optional<EdgePlace>> places(edge_ids.size());
    std::vector<Value> normal(edge_ids.size());
    std::vector<store::RowGet> gets;
    std::vector<std::size_t> asked;
    // Ids of the user's, and long ids, have a row that says where the edge is.
    for (std::size_t i = 0; i < edge_ids.size(); ++i) {
        const Value& given = edge_ids[i];
        const auto id =
            graph_->edge_id_of(given.kind() == Kind::kEdge ? given.as<EdgeObject>().id : given);
        if (!id.has_value()) continue;
        normal[i] = *id;
        if (id->is_string()) places[i] = layout::parse_place(ids(), id->text());
        auto row = layout::edge_id_row(*id);
        if (!row) continue;
        gets.push_back({.row = std::move(*row),
                        .ranges = {},
                        .columns = {std::string(layout::kPlaceQualifier)}});
        asked.push_back(i);
    }
    store::RowBatch rows;
    const bool only_places = std::all_of(asked.begin(), asked.end(),
                                         [&](std::size_t i) { return places[i].has_value(); });
    const auto read_id_rows = [&]() -> Status {
        HOB_TRY(get(Table::kIndex, 'p', gets, rows));
        for (std::size_t g = 0; g < asked.size(); ++g) {
            if (rows.cells(g).empty()) continue;
            HOB_ASSIGN_OR_RETURN(places[asked[g]],
                                 layout::read_place(ids(), rows.cells(g)[0].value));
        }
        return {};
    };
    const auto read_places = [&]() -> Status {
        std::vector<store::RowGet> cells;
        std::vector<std::size_t> wanted;
        for (std::size_t i = 0; i < edge_ids.size(); ++i) {
            if (!places[i].has_value() || !out[i].is_null()) continue;
            const EdgePlace& place = *places[i];
            cells.push_back({.row = ids().row_key(place.out),
                             .ranges = {},
                             .columns = {layout::edge_qualifier(
                                 ids(), layout::kOutMark, place.label, place.in, place.parallel)}});
            wanted.push_back(i);
        }
        if (cells.empty()) return {};
        HOB_TRY(get(Table::kGraph, 'e', cells, rows));
        for (std::size_t c = 0; c < wanted.size(); ++c) {
            if (rows.cells(c).empty()) continue;
            const std::size_t i = wanted[c];
            HOB_ASSIGN_OR_RETURN(Value edge, make_edge(*places[i], rows.cells(c)[0].value, true));
            // A stale id row, or a place whose edge has an id of its own, is not the edge that was
            // asked for.
            if (identical(edge.as<EdgeObject>().id, normal[i])) out[i] = std::move(edge);
        }
        return {};
    };
    if (only_places) {  // The usual case of place ids: one cell each, no id row.
        HOB_TRY(read_places());
        if (std::none_of(asked.begin(), asked.end(),
                         [&](std::size_t i) { return out[i].is_null(); }))
            return {};
    }
    if (asked.empty()) return {};
    HOB_TRY(read_id_rows());
    return read_places();
}

}  // namespace hob::graph
