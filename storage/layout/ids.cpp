#include "storage/layout/ids.h"

#include <charconv>

#include "storage/base/bytes.h"
#include "storage/layout/md5.h"
#include "storage/value/codec.h"
#include "storage/value/compare.h"

namespace hob::layout {
namespace {

constexpr char kEscape = '\0';
constexpr char kEscapedZero = '\xff';
constexpr char kEnd = '\x01';
constexpr std::size_t kIdBytesMax =
    4096;  ///< A row key may have 16 KiB; an index row holds up to three ids.

void append_string(std::string_view text, std::string& out) {
    for (const char c : text) {
        out.push_back(c);
        if (c == kEscape) out.push_back(kEscapedZero);
    }
    out.push_back(kEscape);
    out.push_back(kEnd);
}

Result<Value> read_string(std::string_view& bytes) {
    std::string text;
    for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
        if (bytes[i] != kEscape) {
            text.push_back(bytes[i]);
            continue;
        }
        ++i;
        if (bytes[i] == kEnd) {
            bytes.remove_prefix(i + 1);
            return Value::string(text);
        }
        if (bytes[i] != kEscapedZero) break;
        text.push_back('\0');
    }
    return Error::corrupt("string id 0x{} has no end (00 01)", to_hex(bytes));
}

std::optional<Value> long_of(const Value& id) {
    if (id.is_integral()) return Value::long_(id.as_int64());
    if (id.is_string()) {
        const std::string_view text = id.text();
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc{} && end == text.data() + text.size()) return Value::long_(number);
        return std::nullopt;
    }
    if (id.is_number()) {
        if (const auto number = to_int64(id); number.has_value()) return Value::long_(*number);
    }
    return std::nullopt;
}

std::optional<Value> uuid_of(const Value& id) {
    if (id.kind() == Kind::kUuid) return id;
    if (!id.is_string()) return std::nullopt;
    auto parsed = parse_uuid(id.text());
    if (!parsed) return std::nullopt;
    return std::move(*parsed);
}

std::optional<Value> any_of(const Value& id) {
    if (id.is_null() || id.is_element()) return std::nullopt;
    if (id.is_integral()) return Value::long_(id.as_int64());
    if (id.is_string() || id.kind() == Kind::kUuid) return id;
    std::string key;
    if (!encode_key(id, key)) return std::nullopt;
    ByteReader reader(key);
    auto kept = decode_key(reader);
    if (!kept) return std::nullopt;
    return std::move(*kept);
}

bool fits(const std::optional<Value>& id) {
    return !id.has_value() || !id->is_string() ||
           (id->text().size() <= kIdBytesMax && !id->text().empty());
}

}  // namespace

std::string_view name_of(IdKind kind) {
    switch (kind) {
        case IdKind::kLong:
            return "long";
        case IdKind::kString:
            return "string";
        case IdKind::kUuid:
            return "uuid";
        case IdKind::kAny:
            return "any";
    }
    return "unknown";
}

std::optional<Value> IdCodec::normal(const Value& id) const {
    std::optional<Value> kept;
    switch (kind_) {
        case IdKind::kLong:
            return id.kind() == Kind::kLong ? id : long_of(id);
        case IdKind::kString:
            if (id.is_string()) {
                kept = id;
            } else if (id.is_integral() || id.kind() == Kind::kUuid) {
                kept = Value::string(to_text(id));
            }
            break;
        case IdKind::kUuid:
            return uuid_of(id);
        case IdKind::kAny:
            kept = any_of(id);
            break;
    }
    if (!fits(kept)) return std::nullopt;
    return kept;
}

void IdCodec::append(const Value& id, std::string& out) const {
    switch (kind_) {
        case IdKind::kLong:
            encode_long_key(id.as_int64(), out);
            return;
        case IdKind::kString:
            append_string(id.text(), out);
            return;
        case IdKind::kUuid: {
            const auto& bytes = id.uuid_bytes();
            out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            return;
        }
        case IdKind::kAny:
            // A normal id has a key form: `normal` made it from one.
            if (auto status = encode_key(id, out); !status) out.clear();
            return;
    }
}

Result<Value> IdCodec::read(std::string_view& bytes) const {
    switch (kind_) {
        case IdKind::kLong: {
            if (bytes.size() < 8)
                return Error::corrupt("long id has {} bytes, needs 8", bytes.size());
            const std::int64_t id = load_long_id(bytes.data());
            bytes.remove_prefix(8);
            return Value::long_(id);
        }
        case IdKind::kString:
            return read_string(bytes);
        case IdKind::kUuid: {
            if (bytes.size() < 16)
                return Error::corrupt("uuid id has {} bytes, needs 16", bytes.size());
            std::array<std::uint8_t, 16> uuid{};
            std::memcpy(uuid.data(), bytes.data(), 16);
            bytes.remove_prefix(16);
            return Value::uuid(uuid);
        }
        case IdKind::kAny: {
            ByteReader reader(bytes);
            HOB_ASSIGN_OR_RETURN(Value id, decode_key(reader));
            bytes.remove_prefix(reader.position());
            return id;
        }
    }
    return Error::internal("id kind {} is unknown", static_cast<int>(kind_));
}

std::string salted(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size() + 1);
    out.push_back(static_cast<char>(salt_of(bytes)));
    out.append(bytes);
    return out;
}

std::string IdCodec::row_key(const Value& id) const {
    std::string out(1, '\0');
    append(id, out);
    out[0] = static_cast<char>(salt_of(std::string_view(out).substr(1)));
    return out;
}

Result<Value> IdCodec::id_of_row(std::string_view row) const {
    if (row.empty()) return Error::corrupt("vertex row key is empty");
    std::string_view rest = row.substr(1);
    auto id = read(rest);
    if (id && !rest.empty()) {
        return Error::corrupt("vertex row key 0x{} has {} bytes after its id", to_hex(row),
                              rest.size());
    }
    return id;
}

}  // namespace hob::layout
