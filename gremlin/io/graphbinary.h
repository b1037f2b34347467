#pragma once
#include <string>
#include <string_view>

#include "gremlin/io/element_source.h"
#include "storage/base/bytes.h"
#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob::gremlin::graphbinary {

/// GraphBinary v1 (TinkerPop docs/src/dev/io/graphbinary.asciidoc), every type of 3.8 both ways,
/// plain functions on bytes.

/// Appends a fully qualified value: type code, null flag, body. Never fails: what has no type
/// (kForeign other than P, Bytecode, Binding, Lambda, strategies) is written as its text.
void write_value(const Value& value, const WriteOptions& options, std::string& out);
/// Reads one fully qualified value. Bytecode becomes a TraversalObject, P/TextP a PredicateObject,
/// and so on; a Traverser kTraverser. Errors: kParse with the byte offset, type code and what was
/// expected; a custom type is refused by its name. `depth_max` bounds nesting.
Result<Value> read_value(ByteReader& in, std::size_t depth_max = 500);
/// A map body without type code and null flag (arguments, attributes): a kMap.
Result<Value> read_bare_map(ByteReader& in, std::size_t depth_max = 500);
void write_bare_map(const Value& map, const WriteOptions& options, std::string& out);
/// A string body: int32 length and UTF-8.
Result<std::string> read_bare_string(ByteReader& in);
void write_bare_string(std::string_view text, std::string& out);

}  // namespace hob::gremlin::graphbinary
