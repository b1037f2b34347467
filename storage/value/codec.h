#pragma once
#include <string>
#include <string_view>

#include "storage/base/bytes.h"
#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob {

/// How values lie in cells and keys (docs/formats.md).

/// Plain form: one type byte, then the body (varints zigzag, strings with a varint length).
/// Everything that a property may hold: scalars, strings, uuid, dates, big numbers, bytes, extended
/// types, lists, sets, maps, nested. Appends. Errors: kInvalidArgument for what can't be stored (an
/// edge, a path, a traversal).
Status encode_value(const Value& value, std::string& out);
/// Reads one value from the reader. Errors: kCorrupt.
Result<Value> decode_value(ByteReader& in);

/// Order-preserving, self-delimiting form: byte order is value order among values of one class (all
/// integral numbers of any width share the form of long; strings escaped so that 0x00 sorts first;
/// negative numbers, doubles, dates, booleans, uuids). One class byte first. Used in index keys and
/// `ids: any` row keys. Errors: kInvalidArgument for a value without order.
Status encode_key(const Value& value, std::string& out);
Result<Value> decode_key(ByteReader& in);

/// The 8 bytes of a long in order-preserving form (sign bit flipped, big-endian) and back.
void encode_long_key(std::int64_t v, std::string& out);
std::int64_t decode_long_key(std::string_view eight_bytes);

}  // namespace hob
