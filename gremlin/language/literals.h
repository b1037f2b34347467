#pragma once
#include <string>
#include <string_view>

#include "gremlin/language/lexer.h"
#include "storage/base/error.h"

namespace hob::gremlin {

/// The value of a number token. Without a suffix: int, else long, else big integer; a fraction or
/// exponent gives double. Suffixes b s i l n (integral) and f d m (floating), either case. Errors:
/// kParse, a sentence without position.
Result<Value> number_value(const Token& token, bool negative);

/// The value of a string token: quotes off, escapes of Groovy and Java resolved (\n \t \b \f \r \'
/// \" \\ \$ \uXXXX, octal, an escaped line end joins the lines). Errors: kParse, a sentence without
/// position.
Result<Value> string_value(const Token& token);

/// What UUID() without an argument gives: version 4 of RFC 4122. Thread-safe.
Value random_uuid();

}  // namespace hob::gremlin
