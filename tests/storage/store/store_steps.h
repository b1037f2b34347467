#pragma once
#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

#include "storage/store/row_store.h"

namespace hob::store::testing {

using Cells = std::vector<std::pair<std::string, std::string>>;
using Rows = std::vector<std::pair<std::string, Cells>>;

/// Fails the test with the error's own words.
template <typename T>
void require_ok(const Result<T>& result) {
    INFO((result.ok() ? std::string() : result.error().message));
    REQUIRE(result.ok());
}
template <typename T>
void require_code(const Result<T>& result, Code code) {
    REQUIRE_FALSE(result.ok());
    INFO(result.error().message);
    REQUIRE(name_of(result.error().code) == name_of(code));
    REQUIRE_FALSE(result.error().message.empty());
}

inline CellMutation put(std::string qualifier, std::string value, char family = 'p') {
    return {CellMutation::Kind::kPut, family, std::move(qualifier), std::move(value)};
}
inline CellMutation erase(std::string qualifier, char family = 'p') {
    return {CellMutation::Kind::kDelete, family, std::move(qualifier), {}};
}
inline CellMutation erase_family(char family = 'p') {
    return {CellMutation::Kind::kDeleteFamily, family, {}, {}};
}

/// One table of one store, in few words.
class Steps {
  public:
    Steps(RowStore& store, std::string table) : store_(store), table_(std::move(table)) {}

    [[nodiscard]] RowMutation row(std::string key, std::vector<CellMutation> cells) const {
        return {table_, std::move(key), std::move(cells)};
    }
    Status try_commit(const std::vector<RowMutation>& rows,
                      std::shared_ptr<const Snapshot> snapshot = nullptr) {
        CommitOptions options;
        options.snapshot = std::move(snapshot);
        return store_.commit(rows, options, {}, stats);
    }
    void commit(const std::vector<RowMutation>& rows,
                std::shared_ptr<const Snapshot> snapshot = nullptr) {
        require_ok(try_commit(rows, std::move(snapshot)));
    }
    void write(std::string key, std::vector<CellMutation> cells) {
        commit({row(std::move(key), std::move(cells))});
    }

    std::vector<Cells> get(const std::vector<RowGet>& rows, char family = 'p',
                           const Snapshot* snapshot = nullptr) {
        RowBatch out;
        require_ok(store_.multi_get(table_, family, rows, snapshot, {}, stats, out));
        REQUIRE(out.size() == rows.size());
        std::vector<Cells> all;
        for (std::size_t i = 0; i < out.size(); ++i) {
            all.push_back(cells_of(out, i));
        }
        return all;
    }
    Cells get(const std::string& key, char family = 'p', const Snapshot* snapshot = nullptr) {
        return get({RowGet{key, {}, {}}}, family, snapshot)[0];
    }
    Cells range(const std::string& key, ColumnRange wanted, char family = 'p') {
        return get({RowGet{key, {std::move(wanted)}, {}}}, family)[0];
    }

    [[nodiscard]] ScanSpec spec() const {
        ScanSpec all;
        all.table = table_;
        return all;
    }
    Rows scan(const ScanSpec& spec, std::size_t page = 7,
              std::shared_ptr<const Snapshot> snapshot = nullptr) {
        auto scanner = store_.scan(spec, std::move(snapshot), {}, stats);
        require_ok(scanner);
        Rows rows;
        RowBatch out;
        while (true) {
            require_ok((*scanner)->next(page, out));
            if (out.size() == 0) break;
            REQUIRE(out.size() <= page);
            for (std::size_t i = 0; i < out.size(); ++i) {
                rows.emplace_back(std::string(out.row_key(i)), cells_of(out, i));
            }
        }
        return rows;
    }

    static Cells cells_of(const RowBatch& batch, std::size_t index) {
        Cells cells;
        for (const auto& cell : batch.cells(index)) {
            cells.emplace_back(std::string(cell.qualifier), std::string(cell.value));
        }
        return cells;
    }

    [[nodiscard]] RowStore& store() { return store_; }
    [[nodiscard]] const std::string& table() const { return table_; }

    CallStats stats;

  private:
    RowStore& store_;
    std::string table_;
};

}  // namespace hob::store::testing
