#pragma once
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "storage/store/rocksdb/rocksdb_store.h"
#include "tests/storage/store/store_steps.h"

namespace hob::store::testing {

/// A folder of its own for one test; gone with it.
class RocksDbFolder {
  public:
    RocksDbFolder() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "hob-store-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        path_ = pattern;
    }
    ~RocksDbFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    RocksDbFolder(const RocksDbFolder&) = delete;
    RocksDbFolder& operator=(const RocksDbFolder&) = delete;

    [[nodiscard]] std::string path() const { return path_ + "/db"; }
    /// With a row cache of that many bytes.
    [[nodiscard]] std::unique_ptr<RowStore> open(std::size_t row_cache_bytes = 0) const {
        auto store = open_rocksdb_store({.path = path(), .row_cache_bytes = row_cache_bytes});
        require_ok(store);
        return std::move(*store);
    }

  private:
    std::string path_;
};

}  // namespace hob::store::testing
