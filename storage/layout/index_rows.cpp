#include "storage/layout/index_rows.h"

#include <cmath>

#include "storage/base/bytes.h"
#include "storage/layout/md5.h"
#include "storage/value/codec.h"
#include "storage/value/compare.h"

namespace hob::layout {
namespace {

constexpr std::size_t kKeyBytesMax =
    1024;  ///< A longer key is cut there and ends in the MD5 of all of it.
constexpr std::string_view kUnordered = "\xff";
constexpr double kTwoTo63 = 9223372036854775808.0;

/// One form for all numbers that are equal: long when whole and small enough, else double.
Value canonical(const Value& value) {
    if (!value.is_number() || value.kind() == Kind::kLong) return value;
    if (const auto whole = to_int64(value); whole.has_value()) return Value::long_(*whole);
    const double real = to_double(value);
    if (std::isfinite(real) && std::trunc(real) == real && real >= -kTwoTo63 && real < kTwoTo63) {
        return Value::long_(static_cast<std::int64_t>(real));
    }
    return Value::double_(real);
}

std::string row_of(std::uint16_t index, std::string_view key) {
    std::string out;
    ByteWriter(out).u16(index);
    out.append(key.substr(0, kKeyBytesMax));
    if (key.size() > kKeyBytesMax) {
        const auto digest = md5(key);
        out.append(reinterpret_cast<const char*>(digest.data()), digest.size());
    }
    return salted(out);
}

}  // namespace

std::string index_row(std::uint16_t index, const Value& value) {
    std::string key;
    if (auto status = encode_key(canonical(value), key); !status) key = kUnordered;
    return row_of(index, key);
}

Result<std::string> edge_id_row(const Value& id) {
    std::string key;
    HOB_TRY(encode_key(id, key));
    return row_of(kEdgeIdCode, key);
}

}  // namespace hob::layout
