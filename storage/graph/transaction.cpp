#include "storage/graph/transaction.h"

namespace hob::graph {

TransactionImpl::TransactionImpl(std::shared_ptr<GraphImpl> graph)
    : graph_(std::move(graph)),
      rows_(graph_->store(), {graph_->vertex_table(), graph_->index_table()}),
      names_(graph_->dictionary().names()),
      projections_{Projection::label_only(), Projection::everything()} {}

Status TransactionImpl::get(Table table, char family, std::span<const store::RowGet> gets,
                            store::RowBatch& out) {
    if (!has_snapshot_) {
        snapshot_ = graph_->store().snapshot();
        has_snapshot_ = true;
    }
    return rows_.get(table, family, gets, snapshot_.get(), call_, stats_, out);
}

Result<std::unique_ptr<store::Scanner>> TransactionImpl::scan(store::ScanSpec spec) {
    if (!has_snapshot_) {
        snapshot_ = graph_->store().snapshot();
        has_snapshot_ = true;
    }
    return rows_.scan(Table::kGraph, std::move(spec), snapshot_, call_, stats_);
}

Status TransactionImpl::update_names() {
    HOB_TRY(graph_->refresh(call_));
    names_ = graph_->dictionary().names();
    return {};
}

Status TransactionImpl::reload_names() {
    HOB_TRY(graph_->dictionary().load(call_));
    names_ = graph_->dictionary().names();
    return {};
}

void TransactionImpl::begin_writing() {
    if (schema_ == nullptr) schema_ = graph_->schema();
}

Status TransactionImpl::commit() {
    if (rows_.empty()) {
        rollback();
        return {};
    }
    const auto mutations = rows_.mutations();
    const std::shared_lock lock(graph_->commit_mutex());
    const auto write = [&]() -> Status {
        if (schema_->version != graph_->schema()->version) {
            return Error::make(
                Code::kConflict,
                "an index of graph '{}' was created or dropped while this transaction was open",
                graph_->options().name);
        }
        const store::CommitOptions options{.snapshot = snapshot_,
                                           .timestamp_us = graph_->clock().next(),
                                           .sync = graph_->options().sync};
        if (graph_->is_shared()) HOB_TRY(claim_unique_entries(mutations));
        HOB_TRY(graph_->intents().before(mutations, options.timestamp_us));
        HOB_TRY(graph_->store().commit(mutations, options, call_, stats_));
        return graph_->intents().after(options.timestamp_us);
    };
    auto status = write();
    rollback();
    return status;
}

void TransactionImpl::rollback() {
    rows_.clear();
    cache_.clear();
    snapshot_.reset();
    has_snapshot_ = false;
    schema_.reset();
    free_.clear();
}

void TransactionImpl::forget(std::size_t records_max) {
    if (cache_.size() > records_max) cache_.clear();
}

}  // namespace hob::graph
