#pragma once
#include <compare>
#include <optional>

#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob {

/// Equality, comparability and orderability as TinkerPop's provider documentation defines them
/// (docs/src/dev/provider/gremlin-semantics.asciidoc, "Equality, Equivalence, Comparability,
/// Orderability").

/// Equality (P.eq): numbers by value across widths, NaN unequal to itself, elements by id,
/// collections item by item.
bool equal(const Value& a, const Value& b);
/// Comparability (P.lt and relatives): nothing when the two don't compare (the ERROR of ternary
/// logic): different types, NaN, null.
std::optional<std::weak_ordering> compare(const Value& a, const Value& b);
/// Orderability (order()): a total order over all values; null first, then by type, then by value.
std::weak_ordering order(const Value& a, const Value& b);

/// Arithmetic with TinkerPop's promotion rules (NumberHelper of 3.8): widest of the two types;
/// integral overflow is widened byte->short->int->long, beyond long an error (kExecution, "long
/// overflow" wording of Java); floats stay IEEE.
Result<Value> add(const Value& a, const Value& b);
Result<Value> subtract(const Value& a, const Value& b);
Result<Value> multiply(const Value& a, const Value& b);
/// `mean` forces a floating result, as NumberHelper.div(a, b, true).
Result<Value> divide(const Value& a, const Value& b, bool force_floating = false);
Value min_of(const Value& a, const Value& b);  ///< Numbers or any comparables; null loses.
Value max_of(const Value& a, const Value& b);
/// A number as double (big ones included); anything else 0.
double to_double(const Value& v);
/// An integral number that fits a long.
std::optional<std::int64_t> to_int64(const Value& v);
/// Converts a number to another number kind as asNumber(GType) does: error when it does not fit
/// (kExecution).
Result<Value> convert_number(const Value& v, Kind to);
/// Parses decimal text to the number Java's asNumber() gives (Integer, Long, BigInteger, Double
/// ...), or an error.
Result<Value> parse_number(std::string_view text);
/// Decimal text of a big integer or decimal to its value and back.
Result<Value> big_int_from_text(std::string_view decimal);
Result<Value> big_decimal_from_text(std::string_view decimal);

/// ISO-8601 text to kDateTime (date alone: midnight UTC; without offset: UTC), as datetime() and
/// asDate() read it.
Result<Value> parse_date_time(std::string_view text);
/// ISO-8601 as java.time.OffsetDateTime prints it.
std::string date_time_text(const Value& v);
/// ISO-8601 duration ("PT1H2S") to kDuration and back.
Result<Value> parse_duration(std::string_view text);
Result<Value> parse_uuid(std::string_view text);
std::string uuid_text(const Value& v);

}  // namespace hob
