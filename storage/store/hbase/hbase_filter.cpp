#include "storage/store/hbase/hbase_filter.h"

#include <cstdint>

#include "storage/base/bytes.h"

namespace hob::store {
namespace {

/// Protobuf's wire types.
constexpr unsigned kVarint = 0;
constexpr unsigned kBytes = 2;

void put_bytes(std::string& out, unsigned field, std::string_view bytes) {
    ByteWriter writer(out);
    writer.varint((field << 3) | kBytes);
    writer.varint(bytes.size());
    writer.raw(bytes);
}

void put_number(std::string& out, unsigned field, std::uint64_t value) {
    ByteWriter writer(out);
    writer.varint((field << 3) | kVarint);
    writer.varint(value);
}

/// message Filter { required string name = 1; optional bytes serialized_filter = 2; }
std::string filter(std::string_view class_name, std::string_view body) {
    std::string out;
    put_bytes(out, 1, std::string("org.apache.hadoop.hbase.filter.").append(class_name));
    put_bytes(out, 2, body);
    return out;
}

/// message ColumnRangeFilter { min_column = 1; min_column_inclusive = 2; max_column = 3;
/// max_column_inclusive = 4; }
std::string range(std::string_view from, std::string_view to, bool includes_to) {
    std::string body;
    if (!from.empty()) put_bytes(body, 1, from);
    put_number(body, 2, 1);
    if (!to.empty() || includes_to) put_bytes(body, 3, to);
    put_number(body, 4, includes_to ? 1 : 0);
    return filter("ColumnRangeFilter", body);
}

/// message FilterList { required Operator operator = 1; repeated Filter filters = 2; }
std::string list(std::uint64_t op, const std::vector<std::string>& filters) {
    if (filters.size() == 1) return filters[0];
    std::string body;
    put_number(body, 1, op);
    for (const auto& each : filters) {
        put_bytes(body, 2, each);
    }
    return filter("FilterList", body);
}

}  // namespace

std::string column_range_filter(std::string_view from, std::string_view to) {
    return range(from, to, false);
}

std::string column_filter(std::string_view qualifier) {
    return range(qualifier, qualifier, true);
}

std::string key_only_filter() {
    std::string body;
    put_number(body, 1, 0);  // Not the value's length instead of it either.
    return filter("KeyOnlyFilter", body);
}

std::string first_key_only_filter() {
    return filter("FirstKeyOnlyFilter", {});
}

std::string all_of(const std::vector<std::string>& filters) {
    return list(1, filters);
}
std::string any_of(const std::vector<std::string>& filters) {
    return list(2, filters);
}

}  // namespace hob::store
