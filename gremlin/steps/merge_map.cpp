#include "gremlin/steps/merge_map.h"

#include "gremlin/steps/arguments.h"
#include "gremlin/steps/lists_values.h"

namespace hob::gremlin {
namespace {

Status validate_key(std::string_view key) {
    if (key.empty()) return Error::execution("Property key can not be the empty string");
    if (key.front() == '~') {
        return Error::execution("Property key can not be a hidden key: {}", key);
    }
    return {};
}

Status validate_label(std::string_view op, const Value& label) {
    if (!label.is_string()) {
        return Error::execution(
            "{}() and option(onCreate) args expect T.label value to be of String - found: {}", op,
            java_simple_name(label));
    }
    if (label.text().empty()) return Error::execution("Label can not be empty");
    if (label.text().front() == '~') {
        return Error::execution("Label can not be a hidden key: {}", label.text());
    }
    return {};
}

bool is_token(const Value& key, T token) {
    return key.is_enum(EnumType::kT) && key.enum_ordinal() == static_cast<std::uint8_t>(token);
}
bool is_direction(const Value& key, Direction direction) {
    return key.is_enum(EnumType::kDirection) &&
           key.enum_ordinal() == static_cast<std::uint8_t>(direction);
}
bool is_merge(const Value& value, Merge token) {
    return value.is_enum(EnumType::kMerge) &&
           value.enum_ordinal() == static_cast<std::uint8_t>(token);
}

bool is_allowed(const Value& key, bool vertices) {
    if (key.is_string() || is_token(key, T::kId) || is_token(key, T::kLabel)) return true;
    return !vertices && (is_direction(key, Direction::kOut) || is_direction(key, Direction::kIn));
}

Status validate_search_entry(const Value& key, const Value& value, bool vertices) {
    const std::string_view op = vertices ? "mergeV" : "mergeE";
    if (key.kind() == Kind::kEnum && value.is_null()) {
        return Error::execution("{}() does not allow null Map values - check: {}", op,
                                to_text(key));
    }
    if (!is_allowed(key, vertices)) {
        return Error::execution(
            "{}() and option(onCreate) args expect keys in Map to be either String or {} - check: "
            "{}",
            op, vertices ? "[id, label]" : "[id, label, IN, OUT]", to_text(key));
    }
    if (is_token(key, T::kLabel)) return validate_label(op, value);
    const bool out = is_direction(key, Direction::kOut);
    if ((out || is_direction(key, Direction::kIn)) && value.is_enum(EnumType::kMerge) &&
        !is_merge(value, out ? Merge::kOutV : Merge::kInV)) {
        return Error::execution("Only Merge.{} token may be used for Direction.{}, found: {}",
                                out ? "outV" : "inV", out ? "OUT" : "IN", to_text(value));
    }
    if (key.is_string()) return validate_key(key.text());
    return {};
}

}  // namespace

Status validate_merge_map(const MapObject& map, bool vertices, MergeRole role) {
    for (const auto& [key, value] : map.entries()) {
        if (role == MergeRole::kSearch) {
            HOB_TRY(validate_search_entry(key, value, vertices));
        } else if (!key.is_string()) {
            return Error::execution(
                "option(onMatch) expects keys in Map to be of String - check: {}", to_text(key));
        } else {
            HOB_TRY(validate_key(key.text()));
        }
    }
    return {};
}

Status validate_no_overrides(const MapObject& merge, const MapObject& on_create) {
    for (const auto& [key, value] : on_create.entries()) {
        const Value* given = merge.find(key);
        if (given == nullptr || identical(*given, value)) continue;
        return Error::execution(
            "option(onCreate) cannot override values from merge() argument: ({}, {})", to_text(key),
            to_text(value));
    }
    return {};
}

Result<MergeValue> merge_value(const Value& value) {
    if (auto given = cardinality_value(value)) {
        return MergeValue{given->first, std::move(given->second)};
    }
    if (as_traversal(value) == nullptr) return MergeValue{std::nullopt, value};
    return Error::execution("a map of a merge step can't hold a traversal as a value, found {}",
                            to_text(value));
}

const Value* find_token(const MapObject& map, T token) {
    return map.find(Value::token(token));
}

const Value* find_direction(const MapObject& map, Direction direction) {
    return map.find(Value::direction(direction));
}

Value copy_map(const Value& map) {
    Value copy = make_map();
    for (const auto& [key, value] : map.as<MapObject>().entries()) {
        copy.mutate<MapObject>().put(key, value);
    }
    return copy;
}

Result<MergeArgument> MergeArgument::make(Compiler& compiler, const Node& node, std::size_t index,
                                          const Value& argument) {
    MergeArgument result;
    if (as_traversal(argument) != nullptr) {
        HOB_ASSIGN_OR_RETURN(result.child_, compiler.child(argument));
    } else if (argument.is_null()) {
        result.literal_ = make_map();
    } else if (argument.kind() == Kind::kMap || argument.kind() == Kind::kVertex) {
        result.literal_ = argument;
    } else {
        return bad_argument(node, index, "a map or a traversal");
    }
    return result;
}

Status MergeArgument::values(std::span<const Traverser> in, std::string_view step,
                             std::vector<Value>& out) {
    if (child_) return apply_child(*child_, in, step, out);
    out.clear();
    for (const Traverser& t : in)
        out.push_back(literal_ ? *literal_ : t.value);
    return {};
}

Status MergeArgument::maps(std::span<const Traverser> in, std::string_view step,
                           std::vector<Value>& out) {
    HOB_TRY(values(in, step, out));
    for (Value& value : out) {
        if (value.is_null()) value = make_map();
        if (value.kind() == Kind::kMap) continue;
        return Error::execution(
            "{}() needs a Map to search with, to create from or to match, found {} ({})", step,
            to_text(value), type_name(value));
    }
    return {};
}

}  // namespace hob::gremlin
