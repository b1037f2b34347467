#include "storage/graph/graph_impl.h"

#include <algorithm>
#include <thread>

#include "storage/base/bytes.h"
#include "storage/graph/transaction.h"
#include "storage/layout/index_rows.h"
#include "storage/value/compare.h"

namespace hob::graph {
namespace {

constexpr std::string_view kGraphRow = "graph";
constexpr std::string_view kIndexRow = "index";
constexpr std::string_view kIndexCodeRow = "id.index";
constexpr std::uint8_t kFormat = 1;
constexpr std::size_t kFillPage = 1'000;  ///< Elements whose entries are written in one commit.

/// format(1) | id kind(1) | edge id kind(1)
std::string describe(const GraphOptions& options) {
    return {static_cast<char>(kFormat), static_cast<char>(options.ids),
            static_cast<char>(options.edge_ids)};
}

std::string_view name_of(EdgeIdKind kind) {
    return kind == EdgeIdKind::kLong ? "long" : "place";
}

}  // namespace

GraphImpl::GraphImpl(std::shared_ptr<store::RowStore> store, GraphOptions options)
    : store_(std::move(store)),
      options_(std::move(options)),
      ids_(options_.ids),
      dictionary_(*store_, meta_table()),
      vertex_ids_(*store_, meta_table(), "id.vertex"),
      edge_ids_(*store_, meta_table(), "id.edge"),
      property_ids_(*store_, meta_table(), "id.property"),
      shared_(store_->snapshot() == nullptr) {}

Result<std::shared_ptr<Graph>> Graph::open(std::shared_ptr<store::RowStore> store,
                                           GraphOptions options, const store::CallContext& call) {
    auto graph = std::make_shared<GraphImpl>(std::move(store), std::move(options));
    HOB_TRY(graph->load(call));
    return std::shared_ptr<Graph>(std::move(graph));
}

Status GraphImpl::create_tables(const store::CallContext& call) {
    HOB_TRY(store_->create_table({.name = meta_table(), .families = "p", .salted = false}, call));
    HOB_TRY(store_->create_table({.name = index_table(), .families = "p", .salted = true}, call));
    return store_->create_table({.name = vertex_table(), .families = "pe", .salted = true}, call);
}

Status GraphImpl::check_description(const store::CallContext& call) {
    store::RowMutation mutation{.table = meta_table(), .row = std::string(kGraphRow), .cells = {}};
    mutation.cells.push_back({.family = 'p', .qualifier = "format", .value = describe(options_)});
    HOB_ASSIGN_OR_RETURN(const bool is_new,
                         store_->check_and_mutate(mutation, 'p', "format", "", call));
    if (is_new) return {};
    const store::RowGet get{.row = std::string(kGraphRow), .ranges = {}, .columns = {"format"}};
    store::RowBatch rows;
    store::CallStats stats;
    HOB_TRY(store_->multi_get(meta_table(), 'p', {&get, 1}, nullptr, call, stats, rows));
    const std::string_view kept =
        rows.cells(0).empty() ? std::string_view{} : rows.cells(0)[0].value;
    if (kept == describe(options_)) return {};
    if (kept.size() != 3 || kept[0] != static_cast<char>(kFormat)) {
        return Error::make(
            Code::kUnsupported,
            "graph '{}' was written in a format that this version can't read (0x{}; known is {})",
            options_.name, to_hex(kept), kFormat);
    }
    return Error::invalid(
        "graph '{}' was made with ids: {}, edge_ids: {}; it can't be opened with ids: {}, "
        "edge_ids: {}",
        options_.name, layout::name_of(static_cast<IdKind>(kept[1])),
        name_of(static_cast<EdgeIdKind>(kept[2])), layout::name_of(options_.ids),
        name_of(options_.edge_ids));
}

Status GraphImpl::load(const store::CallContext& call) {
    HOB_TRY(create_tables(call));
    HOB_TRY(check_description(call));
    HOB_TRY(dictionary_.load(call));
    for (auto* block : {&vertex_ids_, &edge_ids_, &property_ids_}) {
        HOB_TRY(block->load(call));
    }
    return load_schema(call);
}

Status GraphImpl::load_schema(const store::CallContext& call) {
    const store::RowGet get{.row = std::string(kIndexRow), .ranges = {}, .columns = {}};
    store::RowBatch rows;
    store::CallStats stats;
    HOB_TRY(store_->multi_get(meta_table(), 'p', {&get, 1}, nullptr, call, stats, rows));
    std::vector<Index> indexes;
    bool changed = false;
    const auto known = schema();
    for (const auto& cell : rows.cells(0)) {
        HOB_ASSIGN_OR_RETURN(Index index, decode_index(cell.qualifier, cell.value));
        const bool same = indexes.size() < known->indexes.size() &&
                          encode_index(known->indexes[indexes.size()]) == cell.value;
        changed = changed || !same;
        indexes.push_back(std::move(index));
    }
    if (changed || indexes.size() != known->indexes.size()) publish(std::move(indexes));
    const std::lock_guard lock(schema_mutex_);
    schema_loaded_ = std::chrono::steady_clock::now();
    return {};
}

std::shared_ptr<const Schema> GraphImpl::schema() const {
    const std::lock_guard lock(schema_mutex_);
    return schema_;
}

void GraphImpl::publish(std::vector<Index> indexes) {
    const std::lock_guard lock(schema_mutex_);
    auto next = std::make_shared<Schema>();
    next->version = schema_->version + 1;
    next->indexes = std::move(indexes);
    schema_ = std::move(next);
}

Status GraphImpl::refresh(const store::CallContext& call) {
    if (!shared_) return {};
    HOB_TRY(dictionary_.refresh(call));
    {
        const std::lock_guard lock(schema_mutex_);
        if (std::chrono::steady_clock::now() - schema_loaded_ < layout::Dictionary::kAgeMax)
            return {};
    }
    return load_schema(call);
}

std::unique_ptr<Transaction> GraphImpl::begin() {
    return std::make_unique<TransactionImpl>(shared_from_this());
}

std::optional<Value> GraphImpl::edge_id_of(const Value& id) const {
    static const layout::IdCodec kLongs(IdKind::kLong);
    static const layout::IdCodec kAnything(IdKind::kAny);
    return (options_.edge_ids == EdgeIdKind::kLong ? kLongs : kAnything).normal(id);
}

std::vector<IndexSpec> GraphImpl::indexes() const {
    std::vector<IndexSpec> specs;
    for (const auto& index : schema()->indexes) {
        specs.push_back(index.spec);
    }
    return specs;
}

Status GraphImpl::write_index(const Index& index, const store::CallContext& call) {
    store::RowMutation mutation{.table = meta_table(), .row = std::string(kIndexRow), .cells = {}};
    mutation.cells.push_back(
        {.family = 'p', .qualifier = index.spec.name, .value = encode_index(index)});
    store::CallStats stats;
    return store_->commit(
        {&mutation, 1}, {.snapshot = nullptr, .timestamp_us = clock_.next(), .sync = options_.sync},
        call, stats);
}

Status GraphImpl::create_index(const IndexSpec& spec, const store::CallContext& call) {
    if (spec.name.empty() || spec.key.empty())
        return Error::invalid("an index needs a name and a property key");
    const std::lock_guard definition(definition_mutex_);
    HOB_TRY(load_schema(call));
    for (const auto& index : schema()->indexes) {
        if (index.spec.name == spec.name)
            return Error::make(Code::kAlreadyExists, "index '{}' exists already", spec.name);
    }
    HOB_ASSIGN_OR_RETURN(const std::int64_t code,
                         store_->increment(meta_table(), kIndexCodeRow, 'p', "next", 1, call));
    if (code > 65'535)
        return Error::make(Code::kLimit,
                           "graph '{}' has had 65,535 indexes; their codes are never used again",
                           options_.name);
    Index index{.spec = spec, .code = static_cast<std::uint16_t>(code), .ready = false};
    const auto replace = [&](const Index& changed) -> Status {
        const std::unique_lock no_commits(commit_mutex_);
        HOB_TRY(write_index(changed, call));
        return load_schema(call);
    };
    HOB_TRY(replace(index));
    // Writers of other servers see the new index only now; what they write before must be there
    // when the filling begins.
    if (shared_) std::this_thread::sleep_for(2 * layout::Dictionary::kAgeMax);
    if (auto filled = fill_index(index, call); !filled) {
        HOB_TRY(drop_index(spec.name, call));
        if (filled.error().code == Code::kAlreadyExists) filled.error().code = Code::kConflict;
        return filled;
    }
    index.ready = true;
    return replace(index);
}

Status GraphImpl::fill_index(const Index& index, const store::CallContext& call) {
    const auto reading = begin();
    reading->use(call);
    std::vector<std::string> labels;
    if (!index.spec.label.empty()) labels.push_back(index.spec.label);
    const bool of_vertices = index.spec.element == ElementType::kVertex;
    const Projection key_only{.all = false, .keys = {index.spec.key}};
    auto scan =
        of_vertices ? reading->scan_vertices(labels, key_only) : reading->scan_edges(labels);
    if (!scan) return std::move(scan.error());
    std::vector<Value> elements;
    std::vector<const VertexRecord*> records;
    while (true) {
        elements.clear();
        HOB_TRY((*scan)->next(kFillPage, elements));
        if (elements.empty()) return {};
        TransactionImpl writing(shared_from_this());
        writing.use(call);
        if (of_vertices) HOB_TRY(reading->read_vertices(elements, key_only, records));
        for (std::size_t i = 0; i < elements.size(); ++i) {
            std::string bytes;
            if (of_vertices) {
                ids_.append(elements[i].vertex_id(), bytes);
                if (records[i] == nullptr) continue;
                for (const auto& property : records[i]->properties) {
                    const auto& object = property.as<VertexPropertyObject>();
                    if (object.key.text() == index.spec.key)
                        HOB_TRY(writing.add_entry(index, object.value, bytes));
                }
                continue;
            }
            const auto& edge = elements[i].as<EdgeObject>();
            HOB_TRY(writing.add_edge_entry(index, edge));
        }
        HOB_TRY(writing.commit());
        reading->forget(0);
    }
}

Status GraphImpl::drop_index(std::string_view name, const store::CallContext& call) {
    HOB_TRY(load_schema(call));
    std::optional<Index> dropped;
    for (const auto& index : schema()->indexes) {
        if (index.spec.name == name) dropped = index;
    }
    if (!dropped.has_value())
        return Error::make(Code::kNotFound, "index '{}' does not exist", name);
    {
        const std::unique_lock no_commits(commit_mutex_);
        store::RowMutation mutation{
            .table = meta_table(), .row = std::string(kIndexRow), .cells = {}};
        mutation.cells.push_back({.kind = store::CellMutation::Kind::kDelete,
                                  .family = 'p',
                                  .qualifier = std::string(name),
                                  .value = {}});
        store::CallStats stats;
        HOB_TRY(store_->commit(
            {&mutation, 1},
            {.snapshot = nullptr, .timestamp_us = clock_.next(), .sync = options_.sync}, call,
            stats));
        HOB_TRY(load_schema(call));
    }
    return erase_entries(dropped->code, call);
}

Status GraphImpl::erase_entries(std::uint16_t code, const store::CallContext& call) {
    std::string code_bytes;
    ByteWriter(code_bytes).u16(code);
    for (int salt = 0; salt < 256; ++salt) {
        store::ScanSpec spec;
        spec.table = index_table();
        spec.from_row = std::string(1, static_cast<char>(salt)) + code_bytes;
        spec.to_row = layout::prefix_end(spec.from_row);
        spec.keys_only = true;
        store::CallStats stats;
        HOB_ASSIGN_OR_RETURN(const auto scanner, store_->scan(spec, nullptr, call, stats));
        store::RowBatch rows;
        while (true) {
            HOB_TRY(scanner->next(kFillPage, rows));
            if (rows.size() == 0) break;
            std::vector<store::RowMutation> mutations;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                mutations.push_back(
                    {.table = index_table(), .row = std::string(rows.row_key(i)), .cells = {}});
                mutations.back().cells.push_back({.kind = store::CellMutation::Kind::kDeleteFamily,
                                                  .family = 'p',
                                                  .qualifier = {},
                                                  .value = {}});
            }
            HOB_TRY(store_->commit(
                mutations, {.snapshot = nullptr, .timestamp_us = clock_.next(), .sync = false},
                call, stats));
        }
    }
    return {};
}

Status GraphImpl::clear(const store::CallContext& call) {
    const std::unique_lock no_commits(commit_mutex_);
    for (const auto& table : {vertex_table(), index_table(), meta_table()}) {
        HOB_TRY(store_->drop_table(table, call));
    }
    return load(call);
}

}  // namespace hob::graph
