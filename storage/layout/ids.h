#pragma once
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob::layout {

/// Which vertex ids a graph has; it decides how an id lies in keys (docs/formats.md).
enum class IdKind : std::uint8_t { kLong, kString, kUuid, kAny };
std::string_view name_of(IdKind kind);

/// The 8 bytes of a long id as they lie in keys, without a call: the hot loop's reader.
inline std::int64_t load_long_id(const char* eight_bytes) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, eight_bytes, 8);
    return static_cast<std::int64_t>(__builtin_bswap64(bits) ^ (std::uint64_t{1} << 63));
}

/// Vertex ids as key bytes and back. Every form is self-delimiting and order-preserving:
///   kLong    8 bytes, sign bit flipped
///   kString  UTF-8, 0x00 escaped as 00 FF, ended by 00 01
///   kUuid    16 bytes
///   kAny     one class byte, then that class's form (storage/value/codec.h, encode_key)
/// Immutable; thread-safe.
class IdCodec {
  public:
    explicit IdCodec(IdKind kind) : kind_(kind) {}

    [[nodiscard]] IdKind kind() const { return kind_; }
    [[nodiscard]] bool is_long() const { return kind_ == IdKind::kLong; }

    /// The id as this graph keeps it (int 1 and "1" become long 1 where ids are long); nothing when
    /// it can't be an id here.
    [[nodiscard]] std::optional<Value> normal(const Value& id) const;
    /// Appends the bytes of an id that `normal` gave.
    void append(const Value& id, std::string& out) const;
    /// Reads one id and takes its bytes off `bytes`. Errors: kCorrupt.
    Result<Value> read(std::string_view& bytes) const;

    /// salt(1) | id, of a normal id.
    [[nodiscard]] std::string row_key(const Value& id) const;
    /// The id that a row key holds. Errors: kCorrupt.
    Result<Value> id_of_row(std::string_view row) const;

  private:
    IdKind kind_;
};

/// salt(1) | bytes
std::string salted(std::string_view bytes);

}  // namespace hob::layout
