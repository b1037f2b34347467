#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hob {

/// Reads big-endian numbers and byte runs from a borrowed view. Never reads past the end: a short
/// read gives zero or an empty view and makes `ok()` false for good, so one check at the end is
/// enough.
class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

    std::uint8_t u8();
    std::uint16_t u16();
    std::uint32_t u32();
    std::uint64_t u64();
    std::int32_t i32() { return static_cast<std::int32_t>(u32()); }
    std::int64_t i64() { return static_cast<std::int64_t>(u64()); }
    float f32();
    double f64();
    /// LEB128, at most 10 bytes.
    std::uint64_t varint();
    std::string_view take(std::size_t size);
    std::string_view rest() { return take(bytes_.size() - at_); }
    void fail() { ok_ = false; }

    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] std::size_t position() const { return at_; }
    [[nodiscard]] std::size_t remaining() const { return bytes_.size() - at_; }
    [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }

  private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    bool ok_ = true;
};

/// Appends big-endian numbers and byte runs to a string that it borrows.
class ByteWriter {
  public:
    explicit ByteWriter(std::string& out) : out_(&out) {}

    void u8(std::uint8_t v) { out_->push_back(static_cast<char>(v)); }
    void u16(std::uint16_t v);
    void u32(std::uint32_t v);
    void u64(std::uint64_t v);
    void i32(std::int32_t v) { u32(static_cast<std::uint32_t>(v)); }
    void i64(std::int64_t v) { u64(static_cast<std::uint64_t>(v)); }
    void f32(float v);
    void f64(double v);
    void varint(std::uint64_t v);
    void raw(std::string_view bytes) { out_->append(bytes); }
    [[nodiscard]] std::string& out() { return *out_; }

  private:
    std::string* out_;
};

/// Lower-case hexadecimal, for messages and logs; long values are cut to `bytes_max` with an
/// ellipsis.
std::string to_hex(std::string_view bytes, std::size_t bytes_max = 64);

}  // namespace hob
