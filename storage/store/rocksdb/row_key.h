#pragma once
#include <string>
#include <string_view>

namespace hob::store {

/// How a row and a qualifier become one RocksDB key: escape(row) 0x00 0x00 qualifier, where
/// escape() writes each 0x00 of the row as 0x00 0x01. Keys then sort by row, then by qualifier, and
/// a key says itself where its row ends. The row part with its terminator is the key's prefix: what
/// the Bloom filters know.
constexpr std::size_t kNoRowPrefix = std::string_view::npos;

/// Appends escape(row) 0x00 0x00.
void append_row_prefix(std::string& out, std::string_view row);
std::string row_prefix(std::string_view row);
/// The smallest key above every key of the row (and not above any key of the next row).
std::string after_row(std::string_view prefix);

/// How many bytes of `key` are its row prefix; kNoRowPrefix when it has no terminator.
std::size_t row_prefix_size(std::string_view key);
/// Takes a row prefix back to the row.
void unescape_row(std::string_view prefix, std::string& row);

}  // namespace hob::store
