#pragma once
#include <string>
#include <string_view>

#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob {

/// The name of an extended type as TinkerPop's formats write it ("LocalDate", "Instant", ...), and
/// back.
std::string_view name_of(ExtendedType type);
/// A value of an extended type from the text that Java's parse() reads: ISO-8601, a class name, an
/// IP address. Errors: kParse.
Result<Value> parse_extended(ExtendedType type, std::string_view text);

}  // namespace hob
