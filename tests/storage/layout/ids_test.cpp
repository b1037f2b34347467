#include <catch2/catch.hpp>

#include "storage/base/bytes.h"
#include "storage/layout/ids.h"
#include "storage/layout/index_rows.h"
#include "storage/layout/md5.h"

namespace hob::layout {
namespace {

std::string hex_of(std::string_view text) {
    const auto digest = md5(text);
    return to_hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

TEST_CASE("md5 gives the digests of RFC 1321") {
    CHECK(hex_of("") == "d41d8cd98f00b204e9800998ecf8427e");
    CHECK(hex_of("abc") == "900150983cd24fb0d6963f7d28e17f72");
    CHECK(hex_of("message digest") == "f96b697d7cb7938d525a2f31aaf161d0");
    CHECK(hex_of(
              "12345678901234567890123456789012345678901234567890123456789012345678901234567890") ==
          "57edf4a22be3c955ac49da2e2107b67a");
    CHECK(hex_of(std::string(56, 'a')) == "3b0c8ac703f828b04c6c197006d17218");
    CHECK(salt_of("abc") == 0x90);
    CHECK(md5_head("abc") == 0x900150983cd24fb0ULL);
}

TEST_CASE("a long id is 8 bytes with the sign bit flipped, its row key 9") {
    const IdCodec ids(IdKind::kLong);
    std::string bytes;
    ids.append(Value::long_(42), bytes);
    CHECK(to_hex(bytes) == "800000000000002a");
    bytes.clear();
    ids.append(Value::long_(-1), bytes);
    CHECK(to_hex(bytes) == "7fffffffffffffff");
    const std::string row = ids.row_key(Value::long_(1));
    CHECK(row.size() == 9);
    // MD5 of 80 00 00 00 00 00 00 01 begins with 3d (python3 hashlib).
    CHECK(to_hex(row) == "3d8000000000000001");
    CHECK(ids.id_of_row(row)->as_int64() == 1);
    CHECK_FALSE(ids.id_of_row(row.substr(0, 5)).ok());
    CHECK_FALSE(ids.id_of_row(row + "x").ok());
}

TEST_CASE("what a client calls an id becomes the graph's kind of id, or nothing") {
    const IdCodec longs(IdKind::kLong);
    CHECK(longs.normal(Value::int_(7))->kind() == Kind::kLong);
    CHECK(longs.normal(Value::string("-12"))->as_int64() == -12);
    CHECK_FALSE(longs.normal(Value::string("12x")).has_value());
    CHECK_FALSE(longs.normal(Value::string("")).has_value());
    CHECK_FALSE(longs.normal(Value{}).has_value());
    const IdCodec strings(IdKind::kString);
    CHECK(strings.normal(Value::int_(7))->text() == "7");
    CHECK_FALSE(strings.normal(Value::string("")).has_value());
    CHECK_FALSE(strings.normal(Value::string(std::string(5'000, 'x'))).has_value());
    const IdCodec uuids(IdKind::kUuid);
    CHECK(uuids.normal(Value::string("00112233-4455-6677-8899-aabbccddeeff"))->kind() ==
          Kind::kUuid);
    CHECK_FALSE(uuids.normal(Value::string("nonsense")).has_value());
    const IdCodec any(IdKind::kAny);
    CHECK(any.normal(Value::short_(3))->kind() == Kind::kLong);
    CHECK(any.normal(Value::string("3"))->kind() == Kind::kString);
    CHECK_FALSE(any.normal(Value::vertex(Value::long_(1))).has_value());
}

TEST_CASE("every kind of id reads back and ends where its bytes end") {
    const Value uuid = Value::uuid({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
    const std::vector<std::pair<IdKind, Value>> cases = {
        {IdKind::kLong, Value::long_(INT64_MIN)},
        {IdKind::kLong, Value::long_(INT64_MAX)},
        {IdKind::kString, Value::string("alice")},
        {IdKind::kString, Value::string(std::string_view("a\0\xff\0b", 5))},
        {IdKind::kUuid, uuid},
        {IdKind::kAny, Value::long_(5)},
        {IdKind::kAny, Value::string("5")},
        {IdKind::kAny, uuid}};
    for (const auto& [kind, id] : cases) {
        const IdCodec ids(kind);
        std::string bytes;
        ids.append(id, bytes);
        std::string with_more = bytes + "more";
        std::string_view rest = with_more;
        const auto back = ids.read(rest);
        REQUIRE(back.ok());
        CHECK(identical(*back, id));
        CHECK(rest == "more");
        CHECK(identical(*ids.id_of_row(ids.row_key(id)), id));
        if (kind == IdKind::kAny) continue;
        std::string_view cut = std::string_view(bytes).substr(0, bytes.size() - 1);
        CHECK_FALSE(ids.read(cut).ok());
    }
}

TEST_CASE("byte order of string ids is the order of the strings") {
    const IdCodec ids(IdKind::kString);
    const std::vector<std::string> ordered = {
        "a", std::string("a\0", 2), std::string("a\0b", 3), "a\x01", "aa", "b", "\xc3\xa9"};
    std::string last;
    for (const auto& text : ordered) {
        std::string bytes;
        ids.append(Value::string(text), bytes);
        CHECK(last < bytes);
        last = bytes;
    }
}

TEST_CASE("equal numbers share an index row, whatever their type") {
    CHECK(index_row(1, Value::int_(5)) == index_row(1, Value::long_(5)));
    CHECK(index_row(1, Value::double_(5.0)) == index_row(1, Value::byte(5)));
    CHECK(index_row(1, Value::float_(0.5F)) == index_row(1, Value::double_(0.5)));
    CHECK(index_row(1, Value::int_(5)) != index_row(2, Value::int_(5)));
    CHECK(index_row(1, Value::string("5")) != index_row(1, Value::int_(5)));
    CHECK(index_row(1, Value::list({Value::int_(1)})) ==
          index_row(1, Value::list({Value::long_(1)})));
    const std::string row = index_row(0x0102, Value::string(std::string(20'000, 'x')));
    CHECK(row.size() < 1'100);
    CHECK(row != index_row(0x0102, Value::string(std::string(20'001, 'x'))));
    CHECK(to_hex(std::string_view(row).substr(1, 2)) == "0102");
}

}  // namespace
}  // namespace hob::layout
