#include "storage/base/bytes.h"

#include <bit>
#include <cstring>

namespace hob {
namespace {

template <typename T>
void put_big_endian(std::string& out, T v) {
    char buffer[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        buffer[i] = static_cast<char>(v >> (8 * (sizeof(T) - 1 - i)));
    }
    out.append(buffer, sizeof(T));
}

template <typename T>
T get_big_endian(std::string_view bytes) {
    T v = 0;
    for (const char c : bytes) {
        v = static_cast<T>((v << 8) | static_cast<T>(static_cast<unsigned char>(c)));
    }
    return v;
}

}  // namespace

std::string_view ByteReader::take(std::size_t size) {
    if (!ok_ || size > bytes_.size() - at_) {
        ok_ = false;
        return {};
    }
    const auto taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
}

std::uint8_t ByteReader::u8() {
    const auto b = take(1);
    return b.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(b[0]);
}

std::uint16_t ByteReader::u16() {
    return get_big_endian<std::uint16_t>(take(2));
}
std::uint32_t ByteReader::u32() {
    return get_big_endian<std::uint32_t>(take(4));
}
std::uint64_t ByteReader::u64() {
    return get_big_endian<std::uint64_t>(take(8));
}
float ByteReader::f32() {
    return std::bit_cast<float>(u32());
}
double ByteReader::f64() {
    return std::bit_cast<double>(u64());
}

std::uint64_t ByteReader::varint() {
    std::uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const std::uint8_t b = u8();
        v |= static_cast<std::uint64_t>(b & 0x7f) << shift;
        if (!ok_ || (b & 0x80) == 0) return ok_ ? v : 0;
    }
    ok_ = false;
    return 0;
}

void ByteWriter::u16(std::uint16_t v) {
    put_big_endian(*out_, v);
}
void ByteWriter::u32(std::uint32_t v) {
    put_big_endian(*out_, v);
}
void ByteWriter::u64(std::uint64_t v) {
    put_big_endian(*out_, v);
}
void ByteWriter::f32(float v) {
    u32(std::bit_cast<std::uint32_t>(v));
}
void ByteWriter::f64(double v) {
    u64(std::bit_cast<std::uint64_t>(v));
}

void ByteWriter::varint(std::uint64_t v) {
    while (v >= 0x80) {
        u8(static_cast<std::uint8_t>(v | 0x80));
        v >>= 7;
    }
    u8(static_cast<std::uint8_t>(v));
}

std::string to_hex(std::string_view bytes, std::size_t bytes_max) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out;
    for (const char c : bytes.substr(0, bytes_max)) {
        const auto b = static_cast<unsigned char>(c);
        out.push_back(kDigits[b >> 4]);
        out.push_back(kDigits[b & 15]);
    }
    if (bytes.size() > bytes_max) out += "...";
    return out;
}

}  // namespace hob
