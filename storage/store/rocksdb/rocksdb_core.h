#pragma once
#include <rocksdb/db.h>

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "storage/store/conflict_log.h"
#include "storage/store/rocksdb/rocksdb_store.h"
#include "storage/store/row_cache.h"

namespace hob::store {

inline std::string_view view(const rocksdb::Slice& slice) {
    return {slice.data(), slice.size()};
}
inline rocksdb::Slice slice(std::string_view bytes) {
    return {bytes.data(), bytes.size()};
}

/// A RocksDB column family; lives while anybody reads from it, even when its table was dropped.
class RocksFamily {
  public:
    RocksFamily(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* handle) : db_(db), handle_(handle) {}
    ~RocksFamily();
    RocksFamily(const RocksFamily&) = delete;
    RocksFamily& operator=(const RocksFamily&) = delete;
    [[nodiscard]] rocksdb::ColumnFamilyHandle* handle() const { return handle_; }

  private:
    rocksdb::DB* db_;
    rocksdb::ColumnFamilyHandle* handle_;
};

/// The open database, shared by the store, its snapshots and its scanners; the last of them closes
/// it.
class RocksCore {
  public:
    static Result<std::shared_ptr<RocksCore>> open(const RocksDbOptions& options);
    RocksCore() = default;
    ~RocksCore();
    RocksCore(const RocksCore&) = delete;
    RocksCore& operator=(const RocksCore&) = delete;

    /// kNotFound when the table or its family is missing. Takes `families_mutex` shared.
    Result<std::shared_ptr<RocksFamily>> family(std::string_view table, char family) const;
    /// The same for a caller that holds `families_mutex`.
    Result<std::shared_ptr<RocksFamily>> family_locked(std::string_view table, char family) const;
    Status create_table(const TableSpec& spec);
    Status drop_table(std::string_view table);
    [[nodiscard]] bool has_table(std::string_view table) const;

    [[nodiscard]] rocksdb::DB& db() const { return *db_; }
    [[nodiscard]] const RocksDbOptions& options() const { return options_; }

    /// Turns RocksDB's answer into ours; `doing` ends up in the message.
    [[nodiscard]] Status status(const rocksdb::Status& status, std::string_view doing) const;

    mutable std::shared_mutex families_mutex;
    std::mutex commit_mutex;  ///< Guards `log`; held while a commit is checked and written.
    ConflictLog log;
    std::unique_ptr<RowCache> rows;  ///< Set by `open`.

  private:
    using Families = std::map<char, std::shared_ptr<RocksFamily>>;
    Status check_marker(bool is_new);

    RocksDbOptions options_;
    rocksdb::ColumnFamilyOptions family_options_;
    std::unique_ptr<rocksdb::DB> db_;
    std::unique_ptr<RocksFamily> default_family_;
    std::map<std::string, Families, std::less<>> tables_;
};

class RocksSnapshot final : public Snapshot {
  public:
    explicit RocksSnapshot(std::shared_ptr<RocksCore> core);
    ~RocksSnapshot() override;
    RocksSnapshot(const RocksSnapshot&) = delete;
    RocksSnapshot& operator=(const RocksSnapshot&) = delete;

    [[nodiscard]] const rocksdb::Snapshot* rocks() const { return rocks_; }
    [[nodiscard]] const ConflictLog::Ticket& ticket() const { return ticket_; }

  private:
    std::shared_ptr<RocksCore> core_;
    const rocksdb::Snapshot* rocks_ = nullptr;
    ConflictLog::Ticket ticket_;
};

inline const rocksdb::Snapshot* rocks_of(const Snapshot* snapshot) {
    return snapshot == nullptr ? nullptr : static_cast<const RocksSnapshot*>(snapshot)->rocks();
}

}  // namespace hob::store
