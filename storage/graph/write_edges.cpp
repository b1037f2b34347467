#include <algorithm>

#include "storage/graph/expansion.h"
#include "storage/layout/index_rows.h"
#include "storage/value/compare.h"

namespace hob::graph {
namespace {

using layout::kInMark;
using layout::kOutMark;
using Pairs = std::vector<std::pair<Value, Value>>;

constexpr std::uint32_t kPageCells = 10'000;

store::RowGet range_get(std::string row, std::string from, std::uint32_t cells_max) {
    std::string to = layout::prefix_end(from);
    store::RowGet get{.row = std::move(row), .ranges = {}, .columns = {}};
    get.ranges.push_back({.from = std::move(from), .to = std::move(to), .cells_max = cells_max});
    return get;
}

/// The value of a key as the list that `reindex` compares: one value or none.
std::vector<Value> values_of(const EdgeObject& edge, std::string_view key) {
    for (const auto& [name, value] : edge.properties) {
        if (name.text() == key) return {value};
    }
    return {};
}

}  // namespace

Result<Value> TransactionImpl::new_edge_id(const Value& id) {
    if (id.is_null()) {
        if (graph_->options().edge_ids == EdgeIdKind::kPlace) return Value{};
        HOB_ASSIGN_OR_RETURN(const std::int64_t number, graph_->edge_ids().next(call_));
        return Value::long_(number);
    }
    const auto normal = graph_->edge_id_of(id);
    if (!normal.has_value()) {
        return Error::invalid("addEdge(): id {} ({}) can not be an edge id of graph '{}'",
                              to_text(id), type_name(id), graph_->options().name);
    }
    HOB_ASSIGN_OR_RETURN(const std::string row, layout::edge_id_row(*normal));
    bool taken = rows_.wrote(Table::kIndex, row, 'p', layout::kPlaceQualifier);
    if (!taken && !free_.contains(row + std::string(layout::kPlaceQualifier))) {
        const store::RowGet get{
            .row = row, .ranges = {}, .columns = {std::string(layout::kPlaceQualifier)}};
        store::RowBatch rows;
        HOB_TRY(this->get(Table::kIndex, 'p', {&get, 1}, rows));
        taken = !rows.cells(0).empty();
    }
    if (taken)
        return Error::make(Code::kAlreadyExists, "Edge with id already exists: {}",
                           to_text(*normal));
    if (normal->kind() == Kind::kLong)
        HOB_TRY(graph_->edge_ids().reserve(normal->as_int64(), call_));
    return *normal;
}

TransactionImpl::PlaceProbe TransactionImpl::probe_of(const EdgePlace& place) const {
    // A new vertex's row is all in this transaction, so looking from that end costs no store call.
    const std::string out_row = ids().row_key(place.out);
    const std::string in_row = ids().row_key(place.in);
    if (rows_.is_absent(Table::kGraph, in_row) && !rows_.is_absent(Table::kGraph, out_row)) {
        return {.row = in_row,
                .prefix = layout::edge_qualifier(ids(), kInMark, place.label, place.out, 0)};
    }
    return {.row = out_row,
            .prefix = layout::edge_qualifier(ids(), kOutMark, place.label, place.in, 0)};
}

Result<bool> TransactionImpl::place_is_taken(const EdgePlace& place) {
    const PlaceProbe probe = probe_of(place);
    if (free_.contains(probe.row + probe.prefix))
        return rows_.wrote(Table::kGraph, probe.row, 'e', probe.prefix);
    const store::RowGet get = range_get(probe.row, probe.prefix, 1);
    store::RowBatch rows;
    HOB_TRY(this->get(Table::kGraph, 'e', {&get, 1}, rows));
    return !rows.cells(0).empty();
}

std::optional<EdgePlace> TransactionImpl::place_of(const EdgeDraft& draft) const {
    if (draft.out.kind() != Kind::kVertex || draft.in.kind() != Kind::kVertex) return std::nullopt;
    const auto out = ids().normal(draft.out.vertex_id());
    const auto in = ids().normal(draft.in.vertex_id());
    const auto label = names_->code(NameKind::kEdgeLabel, draft.label);
    if (!out.has_value() || !in.has_value() || label == 0) return std::nullopt;
    return EdgePlace{.out = *out, .label = label, .in = *in, .parallel = 0};
}

void TransactionImpl::note_free(std::span<const store::RowGet> gets, const store::RowBatch& rows) {
    for (std::size_t i = 0; i < gets.size(); ++i) {
        if (!rows.cells(i).empty()) continue;
        free_.insert(gets[i].row +
                     (gets[i].ranges.empty() ? gets[i].columns[0] : gets[i].ranges[0].from));
    }
}

Status TransactionImpl::prefetch_edges(std::span<const EdgeDraft> edges) {
    HOB_TRY(call_.check());
    for (const auto& edge : edges) {  // A place is looked for by its label's code.
        if (!edge.label.empty())
            HOB_TRY(graph_->dictionary().code(NameKind::kEdgeLabel, edge.label, call_));
    }
    HOB_TRY(update_names());
    std::vector<Value> ends;
    std::vector<store::RowGet> places;
    std::vector<store::RowGet> id_rows;
    for (const auto& edge : edges) {
        ends.push_back(edge.out);
        ends.push_back(edge.in);
        if (const auto place = place_of(edge); place.has_value()) {
            PlaceProbe probe = probe_of(*place);
            const bool is_new = rows_.is_absent(Table::kGraph, probe.row);
            if (!is_new)
                places.push_back(range_get(std::move(probe.row), std::move(probe.prefix), 1));
        }
        if (edge.id.is_null()) continue;
        const auto id = graph_->edge_id_of(edge.id);
        if (!id.has_value()) continue;
        auto row = layout::edge_id_row(*id);
        if (row)
            id_rows.push_back({.row = std::move(*row),
                               .ranges = {},
                               .columns = {std::string(layout::kPlaceQualifier)}});
    }
    std::vector<const VertexRecord*> records;
    HOB_TRY(read_vertices(ends, projections_[kLabelOnly], records));
    store::RowBatch rows;
    if (!places.empty()) {
        HOB_TRY(get(Table::kGraph, 'e', places, rows));
        note_free(places, rows);
    }
    if (!id_rows.empty()) {
        HOB_TRY(get(Table::kIndex, 'p', id_rows, rows));
        note_free(id_rows, rows);
    }
    return {};
}

Status TransactionImpl::write_edge(const EdgePlace& place, const std::string& value) {
    rows_.put(Table::kGraph, ids().row_key(place.out), 'e',
              layout::edge_qualifier(ids(), kOutMark, place.label, place.in, place.parallel),
              value);
    rows_.put(Table::kGraph, ids().row_key(place.in), 'e',
              layout::edge_qualifier(ids(), kInMark, place.label, place.out, place.parallel),
              value);
    return {};
}

Result<Value> TransactionImpl::add_edge(const Value& id, std::string_view label,
                                        const Value& out_vertex, const Value& in_vertex,
                                        std::span<const std::pair<std::string, Value>> properties) {
    HOB_TRY(call_.check());
    begin_writing();
    const std::array<Value, 2> ends = {out_vertex, in_vertex};
    std::vector<const VertexRecord*> records;
    HOB_TRY(read_vertices(ends, projections_[kLabelOnly], records));
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (records[i] != nullptr) continue;
        const Value shown = ends[i].kind() == Kind::kVertex ? ends[i].vertex_id() : ends[i];
        return Error::make(Code::kNotFound,
                           "vertex {} does not exist, so no edge can be added to it",
                           to_text(shown));
    }
    auto edge = std::make_unique<EdgeObject>();
    edge->out = records[0]->vertex;
    edge->in = records[1]->vertex;
    edge->out_label = records[0]->label;
    edge->in_label = records[1]->label;
    EdgePlace place{
        .out = edge->out.vertex_id(), .label = 0, .in = edge->in.vertex_id(), .parallel = 0};
    HOB_ASSIGN_OR_RETURN(place.label,
                         graph_->dictionary().code(NameKind::kEdgeLabel, label, call_));
    std::vector<std::pair<std::uint16_t, Value>> coded;
    for (const auto& [key, value] : properties) {
        if (value.is_null()) continue;
        HOB_ASSIGN_OR_RETURN(const auto code,
                             graph_->dictionary().code(NameKind::kKey, key, call_));
        coded.emplace_back(code, value);
    }
    names_ = graph_->dictionary().names();
    HOB_ASSIGN_OR_RETURN(edge->id, new_edge_id(id));
    HOB_ASSIGN_OR_RETURN(const bool taken, place_is_taken(place));
    if (taken) {
        HOB_ASSIGN_OR_RETURN(const std::int64_t number, graph_->edge_ids().next(call_));
        place.parallel = static_cast<std::uint64_t>(number);
    }
    std::string value;
    HOB_TRY(layout::encode_edge(edge->id, coded, value));
    for (const auto& [code, property] : coded) {
        edge->properties.emplace_back(*names_->name(NameKind::kKey, code), property);
    }
    edge->label = *names_->name(NameKind::kEdgeLabel, place.label);
    const std::string bytes = layout::place_bytes(ids(), place);
    for (const auto& [key, property] : edge->properties) {
        HOB_TRY(reindex(ElementType::kEdge, edge->label, key, bytes, {}, {&property, 1}));
    }
    if (!edge->id.is_null()) {
        HOB_ASSIGN_OR_RETURN(const std::string row, layout::edge_id_row(edge->id));
        rows_.put(Table::kIndex, row, 'p', std::string(layout::kPlaceQualifier), bytes);
    } else {
        edge->id = Value::string(layout::place_text(ids(), place));
    }
    HOB_TRY(write_edge(place, value));
    return Value::adopt(Kind::kEdge, edge.release());
}

std::optional<EdgePlace> TransactionImpl::first_place(const EdgeObject& edge) const {
    if (edge.out.kind() != Kind::kVertex || edge.in.kind() != Kind::kVertex) return std::nullopt;
    auto out = ids().normal(edge.out.vertex_id());
    auto in = ids().normal(edge.in.vertex_id());
    const auto label =
        names_->code(NameKind::kEdgeLabel, edge.label.is_string() ? edge.label.text() : "");
    if (!out.has_value() || !in.has_value() || label == 0) return std::nullopt;
    return EdgePlace{.out = std::move(*out), .label = label, .in = std::move(*in), .parallel = 0};
}

store::RowGet TransactionImpl::parallels_get(const EdgePlace& first) const {
    return range_get(ids().row_key(first.out),
                     layout::edge_qualifier(ids(), kOutMark, first.label, first.in, 0), kPageCells);
}

store::RowGet TransactionImpl::incident_get(const Value& vertex_id) const {
    store::RowGet get = range_get(ids().row_key(vertex_id), std::string(1, kInMark), kPageCells);
    get.ranges[0].to = layout::prefix_end(std::string(1, kOutMark));
    return get;
}

Status TransactionImpl::prefetch_changes(std::span<const Value> elements, bool removal) {
    HOB_TRY(call_.check());
    HOB_TRY(update_names());
    std::vector<Value> vertices;
    std::vector<store::RowGet> gets;
    for (const Value& element : elements) {
        const Value& owner =
            element.kind() == Kind::kProperty ? element.as<PropertyObject>().element : element;
        if (owner.kind() == Kind::kEdge) {
            const auto place = first_place(owner.as<EdgeObject>());
            if (place) gets.push_back(parallels_get(*place));
        } else if (owner.kind() == Kind::kVertexProperty) {
            vertices.push_back(owner.as<VertexPropertyObject>().vertex);
        } else if (owner.kind() == Kind::kVertex) {
            vertices.push_back(owner);
            const auto id = ids().normal(owner.vertex_id());
            if (removal && id && !rows_.is_absent(Table::kGraph, ids().row_key(*id)))
                gets.push_back(incident_get(*id));
        }
    }
    std::erase_if(vertices, [](const Value& vertex) { return vertex.kind() != Kind::kVertex; });
    std::vector<const VertexRecord*> records;
    if (!vertices.empty()) HOB_TRY(read_vertices(vertices, projections_[kEverything], records));
    return rows_.read_ahead(Table::kGraph, 'e', gets, snapshot_.get(), call_, stats_);
}

Result<std::optional<FoundEdge>> TransactionImpl::locate(const EdgeObject& edge) {
    const std::optional<FoundEdge> nothing;
    const auto first = first_place(edge);
    if (!first) return nothing;
    store::RowGet get = parallels_get(*first);
    while (true) {
        store::RowBatch rows;
        HOB_TRY(this->get(Table::kGraph, 'e', {&get, 1}, rows));
        const auto cells = rows.cells(0);
        for (const auto& cell : cells) {
            HOB_ASSIGN_OR_RETURN(const auto found,
                                 layout::decode_edge_qualifier(ids(), cell.qualifier));
            EdgePlace place = *first;
            place.parallel = found.parallel;
            HOB_ASSIGN_OR_RETURN(const Value id, edge_id(place, cell.value));
            if (equal(id, edge.id))
                return std::optional<FoundEdge>{
                    FoundEdge{.place = place, .value = std::string(cell.value)}};
        }
        if (cells.size() < kPageCells) return nothing;
        get.ranges[0].from = std::string(cells.back().qualifier) + '\0';
    }
}

Result<Value> TransactionImpl::set_edge_property(const Value& edge, std::string_view key,
                                                 const Value& value) {
    HOB_TRY(call_.check());
    begin_writing();
    HOB_TRY(update_names());
    HOB_ASSIGN_OR_RETURN(const auto found, locate(edge.as<EdgeObject>()));
    if (!found.has_value())
        return Error::make(Code::kNotFound, "edge {} does not exist",
                           to_text(edge.as<EdgeObject>().id));
    HOB_ASSIGN_OR_RETURN(const Value before, make_edge(found->place, found->value, true));
    HOB_TRY(graph_->dictionary().code(NameKind::kKey, key, call_));
    names_ = graph_->dictionary().names();
    HOB_ASSIGN_OR_RETURN(Value after, make_edge(found->place, found->value, true));
    auto& changed = after.mutate<EdgeObject>();
    changed.out_label = edge.as<EdgeObject>().out_label;
    changed.in_label = edge.as<EdgeObject>().in_label;
    const auto same_key =
        std::find_if(changed.properties.begin(), changed.properties.end(),
                     [&](const auto& property) { return property.first.text() == key; });
    if (value.is_null()) {
        if (same_key != changed.properties.end()) changed.properties.erase(same_key);
    } else if (same_key != changed.properties.end()) {
        same_key->second = value;
    } else {
        changed.properties.emplace_back(
            *names_->name(NameKind::kKey, names_->code(NameKind::kKey, key)), value);
    }
    HOB_TRY(rewrite_edge(*found, before, changed));
    return after;
}

Status TransactionImpl::rewrite_edge(const FoundEdge& found, const Value& old_edge,
                                     EdgeObject& changed) {
    std::vector<std::pair<std::uint16_t, Value>> coded;
    for (const auto& [key, value] : changed.properties) {
        coded.emplace_back(names_->code(NameKind::kKey, key.text()), value);
    }
    HOB_ASSIGN_OR_RETURN(const Value own_id, layout::edge_id_in(found.value));
    std::string value;
    HOB_TRY(layout::encode_edge(own_id, coded, value));
    const std::string bytes = layout::place_bytes(ids(), found.place);
    const auto& before = old_edge.as<EdgeObject>();
    for (const auto& index : schema_->indexes) {
        if (!index.covers(ElementType::kEdge, changed.label.text(), index.spec.key)) continue;
        HOB_TRY(reindex(ElementType::kEdge, changed.label, Value::string(index.spec.key), bytes,
                        values_of(before, index.spec.key), values_of(changed, index.spec.key)));
    }
    return write_edge(found.place, value);
}

Status TransactionImpl::erase_edge(const FoundEdge& found) {
    const EdgePlace& place = found.place;
    if (schema_->any(ElementType::kEdge)) {
        HOB_ASSIGN_OR_RETURN(const Value edge, make_edge(place, found.value, true));
        const auto& object = edge.as<EdgeObject>();
        for (const auto& [key, value] : object.properties) {
            HOB_TRY(reindex(ElementType::kEdge, object.label, key,
                            layout::place_bytes(ids(), place), {&value, 1}, {}));
        }
    }
    HOB_ASSIGN_OR_RETURN(const Value own_id, layout::edge_id_in(found.value));
    if (!own_id.is_null()) {
        HOB_ASSIGN_OR_RETURN(const std::string row, layout::edge_id_row(own_id));
        rows_.erase(Table::kIndex, row, 'p', layout::kPlaceQualifier);
    }
    rows_.erase(Table::kGraph, ids().row_key(place.out), 'e',
                layout::edge_qualifier(ids(), kOutMark, place.label, place.in, place.parallel));
    rows_.erase(Table::kGraph, ids().row_key(place.in), 'e',
                layout::edge_qualifier(ids(), kInMark, place.label, place.out, place.parallel));
    return {};
}

Status TransactionImpl::erase_incident_edges(const Value& vertex_id) {
    store::RowGet get = incident_get(vertex_id);
    while (true) {
        store::RowBatch rows;
        HOB_TRY(this->get(Table::kGraph, 'e', {&get, 1}, rows));
        const auto cells = rows.cells(0);
        for (const auto& cell : cells) {
            HOB_ASSIGN_OR_RETURN(auto incident,
                                 layout::decode_edge_qualifier(ids(), cell.qualifier));
            FoundEdge edge{.place = {.out = vertex_id,
                                     .label = incident.label,
                                     .in = std::move(incident.other),
                                     .parallel = incident.parallel},
                           .value = std::string(cell.value)};
            if (incident.mark == kInMark) std::swap(edge.place.out, edge.place.in);
            HOB_TRY(erase_edge(edge));
        }
        if (cells.size() < kPageCells) return {};
        get.ranges[0].from = std::string(cells.back().qualifier) + '\0';
    }
}

}  // namespace hob::graph
