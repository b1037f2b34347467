#include "tests/storage/value/random_values.h"

#include <bit>
#include <cstdlib>
#include <limits>

#include "storage/value/compare.h"

namespace hob::test {

std::uint64_t run_seed() {
    const char* chosen = std::getenv("HOB_SEED");
    return chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : std::random_device{}();
}

std::int64_t RandomValues::integer() {
    static constexpr std::int64_t kEdges[] = {0,
                                              1,
                                              -1,
                                              127,
                                              -128,
                                              255,
                                              256,
                                              32767,
                                              -32768,
                                              2147483647,
                                              -2147483648,
                                              std::numeric_limits<std::int64_t>::max(),
                                              std::numeric_limits<std::int64_t>::min()};
    if (below(4) == 0) return kEdges[below(std::size(kEdges))];
    return static_cast<std::int64_t>(engine_()) >> below(64);
}

std::string RandomValues::bytes(std::size_t size_max) {
    std::string out(below(size_max + 1), '\0');
    for (char& c : out) {
        // Few different bytes, so that prefixes, zeros and 0xff meet each other.
        static constexpr char kCommon[] = {'\0', '\x01', 'a', 'b', '\x7f', '\x80', '\xfe', '\xff'};
        c = below(3) == 0 ? static_cast<char>(below(256)) : kCommon[below(8)];
    }
    return out;
}

Value RandomValues::string() {
    static constexpr std::string_view kPieces[] = {
        "", "a", "b", "\0", "\x01", "marko", "\xc3\xa4", "\xf0\x9f\x98\x80", "z"};
    std::string out;
    for (std::uint64_t i = below(6); i > 0; --i) {
        const std::uint64_t piece = below(std::size(kPieces) + 1);
        if (piece == std::size(kPieces)) {
            out.push_back('\0');
        } else {
            out += kPieces[piece];
        }
    }
    return Value::string(out);
}

Value RandomValues::integral() {
    const std::int64_t v = integer();
    switch (below(5)) {
        case 0:
            return Value::byte(static_cast<std::int8_t>(v));
        case 1:
            return Value::short_(static_cast<std::int16_t>(v));
        case 2:
            return Value::int_(static_cast<std::int32_t>(v));
        case 3:
            return Value::long_(v);
        default:
            return Value::big_int(bytes(12));
    }
}

Value RandomValues::real() {
    static constexpr double kEdges[] = {0.0,
                                        -0.0,
                                        1.0,
                                        -1.0,
                                        0.1,
                                        1e300,
                                        -1e-300,
                                        5e-324,
                                        std::numeric_limits<double>::infinity(),
                                        -std::numeric_limits<double>::infinity(),
                                        std::numeric_limits<double>::quiet_NaN()};
    const double v = below(3) == 0   ? kEdges[below(std::size(kEdges))]
                     : below(2) == 0 ? static_cast<double>(integer()) / 8
                                     : std::bit_cast<double>(engine_());
    return below(3) == 0 ? Value::float_(static_cast<float>(v)) : Value::double_(v);
}

Value RandomValues::decimal() {
    const auto scale = static_cast<std::int32_t>(below(40)) - 20;
    return Value::big_decimal(below(20) == 0 ? scale * 100'000'000 : scale, bytes(6));
}

Value RandomValues::scalar() {
    switch (below(16)) {
        case 0:
            return {};
        case 1:
            return Value::boolean(below(2) == 1);
        case 2:
        case 3:
        case 4:
            return integral();
        case 5:
            return real();
        case 6:
            return decimal();
        case 7:
            return Value::char_(static_cast<char32_t>(below(0xd800)));
        case 8:
            return Value::date(integer() / 1000);
        case 9:
            return Value::date_time(integer() >> 20,
                                    static_cast<std::uint32_t>(below(1'000'000'000)),
                                    static_cast<std::int32_t>(below(129601)) - 64800);
        case 10:
            return Value::duration(integer(), static_cast<std::uint32_t>(below(1'000'000'000)));
        case 11: {
            std::array<std::uint8_t, 16> uuid{};
            for (auto& b : uuid) {
                b = static_cast<std::uint8_t>(below(256));
            }
            return Value::uuid(uuid);
        }
        case 12:
            return Value::bytes(bytes(9));
        default:
            return string();
    }
}

Value RandomValues::storable(std::size_t depth) {
    const std::uint64_t choice = depth == 0 ? 9 : below(10);
    if (choice > 4) return scalar();
    if (choice == 3) return Value::enumeration(EnumType::kT, static_cast<std::uint8_t>(below(4)));
    if (choice == 4) {
        auto* object = new ExtendedObject;
        object->type = ExtendedType::kYear;
        object->body = bytes(4);
        object->body.resize(4);
        return Value::adopt(Kind::kExtended, object);
    }
    const std::uint64_t size = below(below(8) == 0 ? 30 : 5);
    if (choice == 2) {
        Value map = make_map();
        for (std::uint64_t i = 0; i < size; ++i) {
            map.mutate<MapObject>().put(storable(depth - 1), storable(depth - 1));
        }
        return map;
    }
    std::vector<Value> items;
    for (std::uint64_t i = 0; i < size; ++i) {
        items.push_back(storable(depth - 1));
    }
    return choice == 0 ? Value::list(std::move(items)) : Value::set(std::move(items));
}

}  // namespace hob::test
