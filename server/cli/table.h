#pragma once
#include <string>
#include <vector>

namespace hob::server::cli {

/// Draws results (JSON texts, untyped GraphSON 3) for people: maps and elements get a column for
/// each key, all else one column.
std::string draw_table(const std::vector<std::string>& results_json);

}  // namespace hob::server::cli
