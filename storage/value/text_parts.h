#pragma once
#include <cstdint>
#include <string>

#include "storage/value/value.h"

namespace hob {

/// Pieces of `to_text`, each appending to `out`.

/// As Double.toString() and Float.toString(): 0.1, 1.0E10, NaN, Infinity.
void append_double_text(double v, std::string& out);
void append_float_text(float v, std::string& out);
/// One code point as UTF-8; what is no code point becomes U+FFFD.
void append_utf8(char32_t code_point, std::string& out);

/// ISO-8601 pieces as java.time prints them.
void append_date_time_text(const Value& v, std::string& out);
void append_duration_text(const Value& v, std::string& out);
/// java.util.Date.toString() in UTC.
void append_date_text(std::int64_t epoch_ms, std::string& out);
/// One of java.time's further types, an InetAddress or a Class.
void append_extended_text(const ExtendedObject& v, std::string& out);
/// The table that TraversalMetrics.toString() draws, and one line of it.
void append_metrics_text(const TraversalMetricsObject& v, std::string& out);
void append_metrics_text(const MetricsObject& v, std::string& out);

}  // namespace hob
