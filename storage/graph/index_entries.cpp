#include <algorithm>

#include "storage/base/bytes.h"
#include "storage/graph/transaction.h"
#include "storage/layout/index_rows.h"
#include "storage/value/compare.h"

namespace hob::graph {
namespace {

constexpr std::uint32_t kPageCells = 10'000;

bool holds_equal(std::span<const Value> values, const Value& value) {
    return std::any_of(values.begin(), values.end(),
                       [&](const Value& held) { return equal(held, value); });
}

std::vector<Value> values_of(const VertexRecord& record, std::string_view key) {
    std::vector<Value> values;
    for (const auto& property : record.properties) {
        const auto& object = property.as<VertexPropertyObject>();
        if (object.key.text() == key) values.push_back(object.value);
    }
    return values;
}

std::vector<Value> values_of(const EdgeObject& edge, std::string_view key) {
    std::vector<Value> values;
    for (const auto& [name, value] : edge.properties) {
        if (name.text() == key) values.push_back(value);
    }
    return values;
}

const Index* find(const Schema& schema, const IndexSpec& spec) {
    for (const auto& index : schema.indexes) {
        if (index.spec.name == spec.name) return &index;
    }
    return nullptr;
}

}  // namespace

std::string TransactionImpl::vertex_bytes(const Value& id) const {
    std::string out;
    ids().append(id, out);
    return out;
}

Status TransactionImpl::add_entry(const Index& index, const Value& value,
                                  const std::string& element) {
    begin_writing();
    const std::string row = layout::index_row(index.code, value);
    if (index.spec.unique) {
        HOB_TRY(check_unique(index, value, element));
        rows_.put(Table::kIndex, row, 'p', std::string(layout::kUniqueQualifier), element);
    } else {
        rows_.put(Table::kIndex, row, 'p', element, "");
    }
    return {};
}

Status TransactionImpl::add_edge_entry(const Index& index, const EdgeObject& edge) {
    const auto values = values_of(edge, index.spec.key);
    if (values.empty()) return {};
    HOB_TRY(update_names());
    HOB_ASSIGN_OR_RETURN(const auto found, locate(edge));
    if (!found.has_value()) return {};
    return add_entry(index, values[0], layout::place_bytes(ids(), found->place));
}

Status TransactionImpl::reindex(ElementType element, const Value& label, const Value& key,
                                const std::string& element_bytes, std::span<const Value> before,
                                std::span<const Value> after) {
    for (const auto& index : schema_->indexes) {
        if (!index.covers(element, label.text(), key.text())) continue;
        for (const auto& value : before) {
            if (holds_equal(after, value)) continue;
            const std::string_view qualifier =
                index.spec.unique ? layout::kUniqueQualifier : std::string_view(element_bytes);
            rows_.erase(Table::kIndex, layout::index_row(index.code, value), 'p', qualifier);
        }
        for (const auto& value : after) {
            HOB_TRY(add_entry(index, value, element_bytes));
        }
    }
    return {};
}

Result<bool> TransactionImpl::holds(const Index& index, const std::string& element,
                                    const Value& value) {
    std::vector<Value> found;
    const std::vector<std::string> elements = {element};
    if (index.spec.element == ElementType::kVertex) {
        HOB_ASSIGN_OR_RETURN(auto vertices, candidates(elements));
        HOB_TRY(keep_current(index, std::move(vertices), {&value, 1}, found));
    } else {
        HOB_TRY(lookup_edges(index, elements, {&value, 1}, found));
    }
    return !found.empty();
}

Status TransactionImpl::check_unique(const Index& index, const Value& value,
                                     const std::string& element) {
    const store::RowGet get{.row = layout::index_row(index.code, value),
                            .ranges = {},
                            .columns = {std::string(layout::kUniqueQualifier)}};
    store::RowBatch rows;
    HOB_TRY(this->get(Table::kIndex, 'p', {&get, 1}, rows));
    if (rows.cells(0).empty() || rows.cells(0)[0].value == element) return {};
    const std::string holder(rows.cells(0)[0].value);
    HOB_ASSIGN_OR_RETURN(const bool held, holds(index, holder, value));
    if (!held) return {};
    return Error::make(Code::kAlreadyExists,
                       "unique index '{}': another element has {} = {} already", index.spec.name,
                       index.spec.key, to_text(value));
}

std::optional<IndexSpec> TransactionImpl::find_index(ElementType element, std::string_view label,
                                                     std::string_view key) {
    const auto schema = graph_->schema();
    const Index* best = nullptr;
    for (const auto& index : schema->indexes) {
        if (!index.ready || !index.covers(element, label, key)) continue;
        if (best == nullptr || (index.spec.unique && !best->spec.unique)) best = &index;
    }
    if (best == nullptr) return std::nullopt;
    return best->spec;
}

Status TransactionImpl::read_entries(const Index& index, std::span<const Value> values,
                                     std::vector<std::string>& elements) {
    std::vector<store::RowGet> gets;
    for (const auto& value : values) {
        store::RowGet get{.row = layout::index_row(index.code, value), .ranges = {}, .columns = {}};
        if (std::any_of(gets.begin(), gets.end(),
                        [&](const auto& other) { return other.row == get.row; }))
            continue;
        get.ranges.push_back({.from = {}, .to = {}, .cells_max = kPageCells});
        gets.push_back(std::move(get));
    }
    while (!gets.empty()) {
        store::RowBatch rows;
        HOB_TRY(this->get(Table::kIndex, 'p', gets, rows));
        std::vector<store::RowGet> rest;
        for (std::size_t i = 0; i < gets.size(); ++i) {
            const auto cells = rows.cells(i);
            for (const auto& cell : cells) {
                elements.emplace_back(index.spec.unique ? cell.value : cell.qualifier);
            }
            if (cells.size() < kPageCells) continue;
            rest.push_back(std::move(gets[i]));
            rest.back().ranges[0].from = std::string(cells.back().qualifier) + '\0';
        }
        gets = std::move(rest);
    }
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    return {};
}

Result<std::vector<Value>> TransactionImpl::candidates(
    std::span<const std::string> elements) const {
    std::vector<Value> vertices;
    vertices.reserve(elements.size());
    for (std::string_view bytes : elements) {
        HOB_ASSIGN_OR_RETURN(const Value id, ids().read(bytes));
        vertices.push_back(Value::vertex(id));
    }
    return vertices;
}

Status TransactionImpl::keep_current(const Index& index, std::vector<Value> vertices,
                                     std::span<const Value> values, std::vector<Value>& out) {
    std::vector<const VertexRecord*> records;
    HOB_TRY(read_vertices(vertices, {.all = false, .keys = {index.spec.key}}, records));
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        if (records[i] == nullptr ||
            (!index.spec.label.empty() && records[i]->label.text() != index.spec.label))
            continue;
        const auto held = values_of(*records[i], index.spec.key);
        const bool current = std::any_of(values.begin(), values.end(), [&](const Value& value) {
            return holds_equal(held, value);
        });
        if (current) out.push_back(std::move(vertices[i]));
    }
    return {};
}

Status TransactionImpl::lookup_edges(const Index& index, std::span<const std::string> elements,
                                     std::span<const Value> values, std::vector<Value>& out) {
    std::vector<EdgePlace> places;
    std::vector<store::RowGet> gets;
    for (const auto& bytes : elements) {
        HOB_ASSIGN_OR_RETURN(EdgePlace place, layout::read_place(ids(), bytes));
        gets.push_back({.row = ids().row_key(place.out),
                        .ranges = {},
                        .columns = {layout::edge_qualifier(ids(), layout::kOutMark, place.label,
                                                           place.in, place.parallel)}});
        places.push_back(std::move(place));
    }
    if (gets.empty()) return {};
    store::RowBatch rows;
    HOB_TRY(this->get(Table::kGraph, 'e', gets, rows));
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (rows.cells(i).empty()) continue;
        HOB_ASSIGN_OR_RETURN(Value edge, make_edge(places[i], rows.cells(i)[0].value, true));
        const auto& object = edge.as<EdgeObject>();
        if (!index.spec.label.empty() && object.label.text() != index.spec.label) continue;
        const auto held = values_of(object, index.spec.key);
        const bool current = std::any_of(values.begin(), values.end(), [&](const Value& value) {
            return holds_equal(held, value);
        });
        if (current) out.push_back(std::move(edge));
    }
    return {};
}

Result<Index> TransactionImpl::ready_index(const IndexSpec& spec) {
    HOB_TRY(call_.check());
    HOB_TRY(update_names());
    const auto schema = graph_->schema();
    const Index* index = find(*schema, spec);
    if (index == nullptr || !index->ready) {
        return Error::make(Code::kNotFound, "index '{}' of graph '{}' does not exist (any more)",
                           spec.name, graph_->options().name);
    }
    return *index;
}

Result<bool> TransactionImpl::index_candidates(const IndexSpec& spec, std::span<const Value> values,
                                               std::vector<Value>& out) {
    HOB_ASSIGN_OR_RETURN(const Index index, ready_index(spec));
    std::vector<std::string> elements;
    HOB_TRY(read_entries(index, values, elements));
    if (spec.element == ElementType::kEdge) {
        HOB_TRY(lookup_edges(index, elements, values, out));
        return true;
    }
    HOB_ASSIGN_OR_RETURN(auto vertices, candidates(elements));
    out.insert(out.end(), std::make_move_iterator(vertices.begin()),
               std::make_move_iterator(vertices.end()));
    return !graph_->is_shared();
}

Status TransactionImpl::index_lookup(const IndexSpec& spec, std::span<const Value> values,
                                     std::vector<Value>& out) {
    std::vector<Value> found;
    HOB_ASSIGN_OR_RETURN(const bool certain, index_candidates(spec, values, found));
    if (!certain) {
        HOB_ASSIGN_OR_RETURN(const Index index, ready_index(spec));
        return keep_current(index, std::move(found), values, out);
    }
    out.insert(out.end(), std::make_move_iterator(found.begin()),
               std::make_move_iterator(found.end()));
    return {};
}

Status TransactionImpl::claim_unique_entries(std::span<const store::RowMutation> mutations) {
    for (const auto& mutation : mutations) {
        if (mutation.table != graph_->index_table()) continue;
        for (const auto& cell : mutation.cells) {
            if (cell.kind != store::CellMutation::Kind::kPut ||
                cell.qualifier != layout::kUniqueQualifier)
                continue;
            const store::RowGet get{.row = mutation.row, .ranges = {}, .columns = {cell.qualifier}};
            store::RowBatch rows;
            HOB_TRY(graph_->store().multi_get(mutation.table, 'p', {&get, 1}, nullptr, call_,
                                              stats_, rows));
            const std::string expected(rows.cells(0).empty() ? std::string_view{}
                                                             : rows.cells(0)[0].value);
            if (expected == cell.value) continue;
            // What this transaction saw there was free or stale; someone who came since is a
            // conflict.
            store::RowMutation claim{.table = mutation.table, .row = mutation.row, .cells = {cell}};
            HOB_ASSIGN_OR_RETURN(const bool claimed,
                                 graph_->store().check_and_mutate(
                                     claim, 'p', layout::kUniqueQualifier, expected, call_));
            if (!claimed) {
                return Error::make(Code::kConflict,
                                   "another transaction took a unique index value (row 0x{})",
                                   to_hex(mutation.row));
            }
        }
    }
    return {};
}

}  // namespace hob::graph
