#include "storage/store/rocksdb/rocksdb_core.h"

#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>

#include <filesystem>

#include "storage/store/rocksdb/row_key.h"
#include "storage/store/validate.h"

namespace hob::store {
namespace {

/// In the default column family: says that the database is ours, and in which key format.
constexpr std::string_view kMarkerKey = "hobgoblin.store";
constexpr std::string_view kMarkerValue = "1";
constexpr double kBloomBitsPerKey = 10;
constexpr std::size_t kBlockBytes = std::size_t{16} << 10;

/// The row part of a key, so that filters can say "this row has nothing here".
class RowTransform final : public rocksdb::SliceTransform {
  public:
    [[nodiscard]] const char* Name() const override { return "hobgoblin.RowPrefix"; }
    [[nodiscard]] rocksdb::Slice Transform(const rocksdb::Slice& key) const override {
        return {key.data(), row_prefix_size(view(key))};
    }
    [[nodiscard]] bool InDomain(const rocksdb::Slice& key) const override {
        return row_prefix_size(view(key)) != kNoRowPrefix;
    }
};

rocksdb::ColumnFamilyOptions family_options(const RocksDbOptions& options) {
    rocksdb::BlockBasedTableOptions table;
    table.block_cache = rocksdb::NewLRUCache(options.cache_bytes);
    table.cache_index_and_filter_blocks = true;
    table.cache_index_and_filter_blocks_with_high_priority = true;
    table.pin_l0_filter_and_index_blocks_in_cache = true;
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kBloomBitsPerKey));
    table.block_size = kBlockBytes;
    table.format_version = 5;

    rocksdb::ColumnFamilyOptions family;
    family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    family.prefix_extractor = std::make_shared<RowTransform>();
    family.write_buffer_size = options.write_buffer_bytes;
    family.arena_block_size = std::size_t{64}
                              << 10;  // Many graphs, many families: an idle one stays small.
    family.compression = rocksdb::kLZ4Compression;
    family.level_compaction_dynamic_level_bytes = true;
    return family;
}

rocksdb::DBOptions db_options(const RocksDbOptions& options) {
    rocksdb::DBOptions db;
    db.create_if_missing = options.create_if_missing;
    db.max_background_jobs = options.background_jobs;
    db.db_write_buffer_size = options.write_buffers_bytes;
    db.max_total_wal_size = options.log_bytes_max;
    db.stats_dump_period_sec = 0;
    db.stats_persist_period_sec = 0;
    db.info_log_level = rocksdb::WARN_LEVEL;
    db.keep_log_file_num = 2;
    return db;
}

/// Column families are named "<table>/<family letter>".
std::string family_name(std::string_view table, char family) {
    return fmt::format("{}/{}", table, family);
}

bool is_family_name(std::string_view name) {
    return name.size() > 2 && name[name.size() - 2] == '/';
}

Error open_error(const rocksdb::Status& status, const RocksDbOptions& options) {
    const std::string text = status.ToString();
    if (text.find("lock") != std::string::npos && status.IsIOError()) {
        return Error::make(Code::kUnavailable,
                           "the RocksDB store '{}' is in use (its LOCK file is held): stop the "
                           "other hobgoblin, or give "
                           "this one another path; {}",
                           options.path, text);
    }
    if (status.IsCorruption()) {
        return Error::make(Code::kCorrupt,
                           "the RocksDB store '{}' is damaged: restore it from a backup, or "
                           "salvage a copy with `ldb "
                           "repair --db={}`; {}",
                           options.path, options.path, text);
    }
    return Error::make(Code::kUnavailable,
                       "the RocksDB store '{}' can't be opened: check that the folder is writable "
                       "and its disk not full; {}",
                       options.path, text);
}

}  // namespace

RocksFamily::~RocksFamily() {
    // Fails only for a handle that is not the database's own, which this class rules out.
    static_cast<void>(db_->DestroyColumnFamilyHandle(handle_));
}

RocksCore::~RocksCore() {
    if (db_ == nullptr) return;
    // Flushed now, the log is empty and the next start need not replay it.
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    for (const auto& [table, families] : tables_) {
        for (const auto& [letter, family] : families) {
            handles.push_back(family->handle());
        }
    }
    if (!handles.empty()) {
        rocksdb::FlushOptions flush;
        flush.allow_write_stall = true;
        // What can't be flushed is still in the log.
        static_cast<void>(db_->Flush(flush, handles));
    }
    tables_.clear();
    default_family_.reset();
    static_cast<void>(db_->Close());
}

Result<std::shared_ptr<RocksCore>> RocksCore::open(const RocksDbOptions& options) {
    if (options.path.empty()) return Error::invalid("the RocksDB store needs a path");
    auto core = std::make_shared<RocksCore>();
    core->options_ = options;
    core->family_options_ = family_options(options);
    core->rows = std::make_unique<RowCache>(options.row_cache_bytes);
    if (options.create_if_missing) {
        std::error_code failed;
        std::filesystem::create_directories(options.path, failed);
        if (failed) {
            return Error::make(Code::kUnavailable,
                               "the folder of the RocksDB store '{}' can't be made: {}",
                               options.path, failed.message());
        }
    }
    const rocksdb::DBOptions db = db_options(options);
    const bool is_new = db.env->FileExists(options.path + "/CURRENT").IsNotFound();
    if (is_new && !options.create_if_missing) {
        return Error::make(Code::kNotFound, "there is no RocksDB store at '{}'", options.path);
    }
    std::vector<std::string> names{rocksdb::kDefaultColumnFamilyName};
    if (!is_new) {
        const auto listed = rocksdb::DB::ListColumnFamilies(db, options.path, &names);
        if (!listed.ok()) return open_error(listed, options);
    }
    std::vector<rocksdb::ColumnFamilyDescriptor> wanted;
    for (const auto& name : names) {
        wanted.emplace_back(
            name, is_family_name(name) ? core->family_options_ : rocksdb::ColumnFamilyOptions());
    }
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    rocksdb::DB* opened = nullptr;
    const auto status = rocksdb::DB::Open(db, options.path, wanted, &handles, &opened);
    if (!status.ok()) return open_error(status, options);
    core->db_.reset(opened);
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto family = std::make_unique<RocksFamily>(opened, handles[i]);
        const std::string& name = names[i];
        if (is_family_name(name)) {
            core->tables_[name.substr(0, name.size() - 2)][name.back()] = std::move(family);
        } else if (name == rocksdb::kDefaultColumnFamilyName) {
            core->default_family_ = std::move(family);
        }
    }
    HOB_TRY(core->check_marker(is_new));
    return core;
}

Status RocksCore::check_marker(bool is_new) {
    if (is_new) {
        rocksdb::WriteOptions durable;
        durable.sync = true;
        return status(db_->Put(durable, slice(kMarkerKey), slice(kMarkerValue)),
                      "write its marker");
    }
    std::string found;
    const auto read = db_->Get(rocksdb::ReadOptions(), slice(kMarkerKey), &found);
    if (read.IsNotFound()) {
        // A first start that died before its marker leaves no tables behind.
        if (tables_.empty()) return check_marker(true);
        return Error::invalid(
            "'{}' is a RocksDB database, but not one that hobgoblin made; give the store another "
            "path",
            options_.path);
    }
    HOB_TRY(status(read, "read its marker"));
    if (found != kMarkerValue) {
        return Error::invalid(
            "the RocksDB store '{}' has key format '{}', this hobgoblin reads '{}'", options_.path,
            found, kMarkerValue);
    }
    return {};
}

Status RocksCore::status(const rocksdb::Status& status, std::string_view doing) const {
    if (status.ok()) return {};
    const std::string text = status.ToString();
    if (status.IsCorruption()) {
        return Error::make(Code::kCorrupt, "the RocksDB store '{}' could not {}: {}", options_.path,
                           doing, text);
    }
    if (status.IsTimedOut()) {
        return Error::make(Code::kTimeout, "the RocksDB store '{}' could not {} in time: {}",
                           options_.path, doing, text);
    }
    return Error::make(Code::kUnavailable, "the RocksDB store '{}' could not {}: {}", options_.path,
                       doing, text);
}

Result<std::shared_ptr<RocksFamily>> RocksCore::family(std::string_view table, char family) const {
    const std::shared_lock lock(families_mutex);
    return family_locked(table, family);
}

Result<std::shared_ptr<RocksFamily>> RocksCore::family_locked(std::string_view table,
                                                              char family) const {
    const auto found = tables_.find(table);
    if (found == tables_.end()) return missing_table(table);
    const auto of_table = found->second.find(family);
    if (of_table == found->second.end()) return missing_family(table, family);
    return of_table->second;
}

Status RocksCore::create_table(const TableSpec& spec) {
    const std::unique_lock lock(families_mutex);
    auto& families = tables_[spec.name];
    std::string missing;
    std::vector<std::string> names;
    for (const char letter : spec.families) {
        if (families.contains(letter)) continue;
        missing.push_back(letter);
        names.push_back(family_name(spec.name, letter));
    }
    if (names.empty()) return {};
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    const auto created = db_->CreateColumnFamilies(family_options_, names, &handles);
    for (std::size_t i = 0; i < handles.size(); ++i) {
        families[missing[i]] = std::make_shared<RocksFamily>(db_.get(), handles[i]);
    }
    if (families.empty()) tables_.erase(spec.name);
    return status(created, fmt::format("create table '{}'", spec.name));
}

Status RocksCore::drop_table(std::string_view table) {
    const std::unique_lock lock(families_mutex);
    const auto found = tables_.find(table);
    if (found == tables_.end()) return {};
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    for (const auto& [letter, family] : found->second) {
        handles.push_back(family->handle());
    }
    HOB_TRY(status(db_->DropColumnFamilies(handles), fmt::format("drop table '{}'", table)));
    tables_.erase(found);
    rows->clear();
    return {};
}

bool RocksCore::has_table(std::string_view table) const {
    const std::shared_lock lock(families_mutex);
    return tables_.contains(table);
}

RocksSnapshot::RocksSnapshot(std::shared_ptr<RocksCore> core) : core_(std::move(core)) {
    const std::lock_guard lock(core_->commit_mutex);
    rocks_ = core_->db().GetSnapshot();
    ticket_ = core_->log.open_snapshot();
}

RocksSnapshot::~RocksSnapshot() {
    const std::lock_guard lock(core_->commit_mutex);
    core_->log.close_snapshot(ticket_);
    core_->db().ReleaseSnapshot(rocks_);
}

}  // namespace hob::store
