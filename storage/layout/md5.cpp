#include "storage/layout/md5.h"

#include <bit>
#include <cstddef>
#include <cstring>

namespace hob::layout {
namespace {

static_assert(std::endian::native == std::endian::little, "blocks are read as they lie");

constexpr std::array<std::uint32_t, 64> kSines = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

constexpr std::array<std::array<int, 4>, 4> kTurns = {
    {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

using State = std::array<std::uint32_t, 4>;

void digest_block(const unsigned char* block, State& state) {
    std::array<std::uint32_t, 16> words{};
    std::memcpy(words.data(), block, 64);
    auto [a, b, c, d] = state;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::size_t round = i / 16;
        std::uint32_t mix = 0;
        std::size_t word = 0;
        switch (round) {
            case 0:
                mix = (b & c) | (~b & d);
                word = i;
                break;
            case 1:
                mix = (d & b) | (~d & c);
                word = (5 * i + 1) % 16;
                break;
            case 2:
                mix = b ^ c ^ d;
                word = (3 * i + 5) % 16;
                break;
            default:
                mix = c ^ (b | ~d);
                word = (7 * i) % 16;
                break;
        }
        const std::uint32_t sum = a + mix + kSines[i] + words[word];
        a = d;
        d = c;
        c = b;
        b += std::rotl(sum, kTurns[round][i % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

State digest(std::string_view bytes) {
    State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
    std::size_t left = bytes.size();
    for (; left >= 64; left -= 64, at += 64) {
        digest_block(at, state);
    }
    std::array<unsigned char, 128> tail{};
    if (left > 0) std::memcpy(tail.data(), at, left);
    tail[left] = 0x80;
    const std::size_t tail_size = left < 56 ? 64 : 128;
    const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
    std::memcpy(tail.data() + tail_size - 8, &bits, 8);
    for (std::size_t block = 0; block < tail_size; block += 64) {
        digest_block(tail.data() + block, state);
    }
    return state;
}

}  // namespace

std::array<std::uint8_t, 16> md5(std::string_view bytes) {
    const State state = digest(bytes);
    std::array<std::uint8_t, 16> out{};
    std::memcpy(out.data(), state.data(), 16);
    return out;
}

std::uint8_t salt_of(std::string_view bytes) {
    return static_cast<std::uint8_t>(digest(bytes)[0] & 0xff);
}

std::uint64_t md5_head(std::string_view bytes) {
    std::uint64_t head = 0;
    for (std::size_t i = 0; const std::uint8_t byte : md5(bytes)) {
        if (i++ == 8) break;
        head = head << 8 | byte;
    }
    return head;
}

}  // namespace hob::layout
