#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "storage/store/row_store.h"

namespace hob::store {

/// HBase filters in its own protobuf form, for the field `filterBytes` of a get or a scan: safe for
/// any bytes, where the text form needs quoting.

/// Qualifiers q with from <= q < to; an empty `to` is open.
std::string column_range_filter(std::string_view from, std::string_view to);
/// Exactly this qualifier.
std::string column_filter(std::string_view qualifier);
/// Cells without their values.
std::string key_only_filter();
/// The first cell of each row.
std::string first_key_only_filter();
/// Cells that pass all of the filters, or any of them.
std::string all_of(const std::vector<std::string>& filters);
std::string any_of(const std::vector<std::string>& filters);

}  // namespace hob::store
