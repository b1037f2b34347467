#pragma once
#include <optional>
#include <string_view>

#include "gremlin/io/graph_reader.h"
#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob::gremlin {

/// Types that CSV headers and GraphML keys name.
enum class FileType : std::uint8_t {
    kBool,
    kByte,
    kShort,
    kInt,
    kLong,
    kFloat,
    kDouble,
    kString,
    kDateTime,
    kUuid,
    kBigInteger,
    kBigDecimal,
};

/// The type by its name in any case; "boolean" and "integer", "date" and "datetime" are the same.
/// Nothing when unknown.
std::optional<FileType> file_type_of(std::string_view name);
/// Errors: kParse, "'x' is no Int".
Result<Value> file_value(FileType type, std::string_view text);
Result<Value> file_id(IdForm form, std::string_view text);

}  // namespace hob::gremlin
