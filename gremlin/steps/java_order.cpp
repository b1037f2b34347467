#include "gremlin/steps/java_order.h"

#include <algorithm>
#include <bit>

namespace hob::gremlin::java {
namespace {

std::uint32_t fold_long(std::uint64_t bits) {
    return static_cast<std::uint32_t>(bits ^ (bits >> 32U));
}

/// s[0]*31^(n-1) + ... over UTF-16 units.
std::uint32_t hash_of_text(std::string_view text) {
    std::uint32_t hash = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        std::uint32_t point = length == 1 ? lead : lead & (0xFFU >> (length + 1));
        for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
            point = (point << 6U) | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
        i += length;
        if (point >= 0x10000) {
            hash = hash * 31 + (0xD7C0U + (point >> 10U));
            point = 0xDC00U | (point & 0x3FFU);
        }
        hash = hash * 31 + point;
    }
    return hash;
}

}  // namespace

std::optional<std::int32_t> hash_code(const Value& value) {
    switch (value.kind()) {
        case Kind::kString:
            return static_cast<std::int32_t>(hash_of_text(value.text()));
        case Kind::kByte:
        case Kind::kShort:
        case Kind::kInt:
            return static_cast<std::int32_t>(value.as_int64());
        case Kind::kLong:
            return static_cast<std::int32_t>(
                fold_long(static_cast<std::uint64_t>(value.as_int64())));
        case Kind::kDouble:
            return static_cast<std::int32_t>(
                fold_long(std::bit_cast<std::uint64_t>(value.as_double())));
        case Kind::kBool:
            return value.as_bool() ? 1231 : 1237;
        default:
            return std::nullopt;
    }
}

std::vector<std::uint32_t> hash_map_order(std::span<const Value> keys) {
    std::size_t buckets = 16;
    while (keys.size() * 4 > buckets * 3)
        buckets *= 2;
    std::vector<std::size_t> bucket_of;
    std::vector<std::uint32_t> order;
    for (const Value& key : keys) {
        const auto hash = hash_code(key);
        const auto bits = static_cast<std::uint32_t>(hash.value_or(0));
        bucket_of.push_back(hash ? (bits ^ (bits >> 16U)) & (buckets - 1) : buckets);
        order.push_back(static_cast<std::uint32_t>(order.size()));
    }
    std::stable_sort(order.begin(), order.end(), [&bucket_of](std::uint32_t a, std::uint32_t b) {
        return bucket_of[a] < bucket_of[b];
    });
    return order;
}

}  // namespace hob::gremlin::java
