#pragma once
#include <absl/container/flat_hash_map.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/error.h"
#include "storage/store/row_store.h"
#include "storage/value/value.h"

namespace hob::layout {

/// Three code spaces; in each, codes are 1, 2, 3 ... in the order in which names were first used.
enum class NameKind : std::uint8_t { kVertexLabel, kEdgeLabel, kKey };
inline constexpr std::size_t kNameKinds = 3;

/// Lets maps with std::string keys be asked with a view. (Debian's absl::string_view is not
/// std::string_view.)
struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
        return std::hash<std::string_view>{}(text);
    }
};
template <typename Mapped>
using TextMap = absl::flat_hash_map<std::string, Mapped, TextHash, std::equal_to<>>;

/// A consistent view of all names. Immutable once shared.
struct Names {
    struct Space {
        std::vector<Value> names{Value{}};  ///< By code; one shared kString each. Code 0 is none.
        TextMap<std::uint16_t> codes;
    };
    std::array<Space, kNameKinds> spaces;
    std::vector<bool>
        multi;  ///< By key code: some vertex may hold the key in list or set cardinality.

    [[nodiscard]] const Space& of(NameKind kind) const {
        return spaces[static_cast<std::size_t>(kind)];
    }
    /// 0 when unknown.
    [[nodiscard]] std::uint16_t code(NameKind kind, std::string_view name) const;
    /// The name as a shared kString; null when the code is unknown.
    [[nodiscard]] const Value* name(NameKind kind, std::uint16_t code) const {
        const auto& names = of(kind).names;
        return code != 0 && code < names.size() ? &names[code] : nullptr;
    }
    [[nodiscard]] bool is_multi(std::uint16_t key) const {
        return key < multi.size() && multi[key];
    }
};

/// Names and codes of a graph, kept in `<graph>_meta` and cached here. A code is given by
/// check-and-mutate, so several servers agree; it is never reused. Thread-safe.
class Dictionary {
  public:
    Dictionary(store::RowStore& store, std::string table)
        : store_(store), table_(std::move(table)) {}

    /// Reads all names anew.
    Status load(const store::CallContext& call);
    /// On a store that other servers write too: `load` when the cache is older than kAgeMax.
    Status refresh(const store::CallContext& call);
    [[nodiscard]] std::shared_ptr<const Names> names() const;
    /// The code of a name, given now if it has none. Errors: kLimit (65,535 names),
    /// kInvalidArgument (empty), the store's.
    Result<std::uint16_t> code(NameKind kind, std::string_view name,
                               const store::CallContext& call);
    /// Says, before the first such cell is written, that the key is used with list or set
    /// cardinality.
    Status mark_multi(std::uint16_t key, const store::CallContext& call);

    static constexpr std::chrono::milliseconds kAgeMax{
        1000};  ///< How late another server's new name may be seen.

  private:
    Result<std::shared_ptr<Names>> read(const store::CallContext& call);

    store::RowStore& store_;
    const std::string table_;
    mutable std::mutex mutex_;
    std::shared_ptr<const Names> names_ = std::make_shared<Names>();  ///< Guarded by mutex_.
    std::chrono::steady_clock::time_point loaded_{};                  ///< Guarded by mutex_.
    std::mutex writer_;  ///< One code is given at a time.
};

}  // namespace hob::layout
