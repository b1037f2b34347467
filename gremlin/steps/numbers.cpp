// asNumber and asBool.
#include <cmath>

#include "gremlin/steps/lists_values.h"
#include "gremlin/steps/step.h"
#include "gremlin/steps/strings_java.h"
#include "storage/value/calendar.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

Result<Value> as_number(const Value& value) {
    if (value.is_null() || value.is_number()) return value;
    if (value.kind() == Kind::kDate) return Value::long_(value.as_int64());
    if (value.kind() == Kind::kDateTime) {
        return Value::long_(value.seconds() * 1000 + value.nanos() / 1'000'000);
    }
    if (!value.is_string()) {
        return Error::execution("Can't parse type {} as number.", java_simple_name(value));
    }
    auto number = parse_number(java::trim(value.text()));
    if (!number.ok()) return Error::execution("Can't parse string '{}' as number.", value.text());
    return number;
}

/// The kind that a numeric GType asks for; kNull for all others.
Kind kind_of(GType type) {
    switch (type) {
        case GType::kBigDecimal:
            return Kind::kBigDecimal;
        case GType::kBigInt:
            return Kind::kBigInt;
        case GType::kByte:
            return Kind::kByte;
        case GType::kDouble:
            return Kind::kDouble;
        case GType::kFloat:
            return Kind::kFloat;
        case GType::kInt:
            return Kind::kInt;
        case GType::kLong:
            return Kind::kLong;
        case GType::kShort:
            return Kind::kShort;
        default:
            return Kind::kNull;
    }
}

Result<Op*> make_as_number(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.empty()) return map_values(compiler, input, as_number);
    if (!node.args[0].is_enum(EnumType::kGType)) return bad_argument(node, 0, "a GType");
    const auto type = static_cast<GType>(node.args[0].enum_ordinal());
    const Kind kind = kind_of(type);
    if (kind == Kind::kNull) {
        if (type == GType::kNumber) {
            return Error::invalid("Unsupported numeric type: class java.lang.Number");
        }
        return Error::invalid("asNumber() requires a numeric type token, got {}",
                              name_of(EnumType::kGType, node.args[0].enum_ordinal()));
    }
    return map_values(compiler, input, [kind](const Value& value) -> Result<Value> {
        HOB_ASSIGN_OR_RETURN(Value number, as_number(value));
        if (number.is_null() || number.kind() == kind) return number;
        return convert_number(number, kind);
    });
}

bool equals_ignoring_case(std::string_view text, std::string_view word) {
    return java::to_lower(text) == word;
}

Result<Value> as_bool(const Value& value) {
    if (value.is_null()) return Error::execution("Can't parse null as Boolean.");
    if (value.kind() == Kind::kBool) return value;
    if (value.is_number()) {
        const double number = to_double(value);
        return Value::boolean(!std::isnan(number) && number != 0);
    }
    if (!value.is_string()) {
        return Error::execution("Can't parse {} as Boolean.", java_class(value).substr(6));
    }
    const std::string_view text = java::trim(value.text());
    if (equals_ignoring_case(text, "true")) return Value::boolean(true);
    if (equals_ignoring_case(text, "false")) return Value::boolean(false);
    return Error::execution("Can't parse {} as Boolean.", value.text());
}

Result<Op*> make_as_bool(Compiler& compiler, const Node&, Op* input) {
    return map_values(compiler, input, as_bool);
}

}  // namespace

extern const StepSpec asNumber_step;
extern const StepSpec asBool_step;
const StepSpec asNumber_step = {.name = "asNumber", .make = make_as_number};
const StepSpec asBool_step = {.name = "asBool", .make = make_as_bool};

}  // namespace hob::gremlin
