// asDate, dateAdd and dateDiff.
#include "gremlin/steps/lists_values.h"
#include "gremlin/steps/step.h"
#include "storage/value/calendar.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

constexpr std::int64_t kNanosPerMilli = 1'000'000;
/// OffsetDateTime.MAX: the last second of the year 999,999,999, at the western-most offset.
constexpr std::int64_t kSecondsMax = 31'556'889'864'403'199 + 18 * 3600;
constexpr std::int64_t kSecondsMin = -31'557'014'167'219'200 - 18 * 3600;

Value date_time_of_ms(std::int64_t epoch_ms) {
    const auto nanos = static_cast<std::uint32_t>(floor_mod(epoch_ms, 1000) * kNanosPerMilli);
    return Value::date_time(floor_div(epoch_ms, 1000), nanos, 0);
}

std::int64_t epoch_ms_of(const Value& date_time) {
    return date_time.seconds() * 1000 + date_time.nanos() / kNanosPerMilli;
}

Result<Value> as_date(const Value& value) {
    switch (value.kind()) {
        case Kind::kNull:
            return Error::execution("Can't parse null as OffsetDateTime.");
        case Kind::kDateTime:
            return value;
        case Kind::kDate:
        case Kind::kByte:
        case Kind::kShort:
        case Kind::kInt:
        case Kind::kLong:
            return date_time_of_ms(value.as_int64());
        case Kind::kBigInt:
            if (const auto ms = to_int64(value)) return date_time_of_ms(*ms);
            return Error::execution("Can't parse {} as OffsetDateTime.", to_text(value));
        case Kind::kString: {
            auto parsed = parse_date_time(value.text());
            if (parsed.ok()) return parsed;
            return Error::execution("Can't parse {} as OffsetDateTime.", value.text());
        }
        default:
            return Error::execution("Can't parse {} as OffsetDateTime.",
                                    java_class(value).substr(6));
    }
}

Result<Op*> make_as_date(Compiler& compiler, const Node&, Op* input) {
    return map_values(compiler, input, as_date);
}

std::int64_t seconds_in(DT unit) {
    switch (unit) {
        case DT::kSecond:
            return 1;
        case DT::kMinute:
            return 60;
        case DT::kHour:
            return 3600;
        case DT::kDay:
            return kSecondsPerDay;
    }
    return 1;
}

Result<Op*> make_date_add(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.empty() || !node.args[0].is_enum(EnumType::kDT)) {
        return bad_argument(node, 0, "a unit (DT.second, DT.minute, DT.hour or DT.day)");
    }
    HOB_ASSIGN_OR_RETURN(const std::int64_t count, integer_argument(node, 1, "a count (int)"));
    std::int64_t seconds = 0;
    if (__builtin_mul_overflow(count, seconds_in(static_cast<DT>(node.args[0].enum_ordinal())),
                               &seconds)) {
        return bad_argument(node, 1, "a count (int)");
    }
    return map_values(compiler, input, [seconds](const Value& value) -> Result<Value> {
        if (value.kind() != Kind::kDateTime && value.kind() != Kind::kDate) {
            return Error::execution("dateAdd() accept only OffsetDateTime or Date (deprecated).");
        }
        HOB_ASSIGN_OR_RETURN(const Value date, as_date(value));
        std::int64_t sum = 0;
        if (__builtin_add_overflow(date.seconds(), seconds, &sum) || sum > kSecondsMax ||
            sum < kSecondsMin) {
            return Error::execution("dateAdd(): {} plus {} seconds is beyond the range of dates",
                                    to_text(date), seconds);
        }
        return Value::date_time(sum, date.nanos(), date.offset_seconds());
    });
}

/// A date that dateDiff takes, as kDateTime.
Result<Value> date_operand(const Value& value) {
    if (value.kind() == Kind::kDateTime || value.kind() == Kind::kDate) return as_date(value);
    return Error::execution(
        "DateDiff can only take OffsetDateTime or Date (deprecated) as argument, encountered {}",
        java_class(value));
}

Result<Value> difference_ms(const Value& value, const Value& other) {
    HOB_ASSIGN_OR_RETURN(const Value date, date_operand(value));
    // A missing date counts as the epoch.
    if (other.is_null()) return Value::long_(epoch_ms_of(date));
    HOB_ASSIGN_OR_RETURN(const Value from, date_operand(other));
    const std::int64_t seconds = date.seconds() - from.seconds();
    const std::int64_t nanos =
        static_cast<std::int64_t>(date.nanos()) - static_cast<std::int64_t>(from.nanos());
    __extension__ using Wide = __int128;
    const Wide all_nanos = static_cast<Wide>(seconds) * kNanosPerSecond + nanos;
    return Value::long_(static_cast<std::int64_t>(all_nanos / kNanosPerMilli));
}

Result<Op*> make_date_diff(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.size() != 1) return bad_argument(node, 0, "a date or a traversal");
    const Value& other = node.args[0];
    if (as_traversal(other) == nullptr) {
        if (!other.is_null() && !date_operand(other).ok()) {
            return bad_argument(node, 0, "a date or a traversal");
        }
        return map_values(compiler, input,
                          [other](const Value& value) { return difference_ms(value, other); });
    }
    HOB_ASSIGN_OR_RETURN(Child child, compiler.child(other));
    return transform(
        compiler, input,
        [child = std::move(child)](QueryContext& context, Batch& in, Batch& out) mutable -> Status {
            for (const Traverser& t : in)
                HOB_TRY(date_operand(t.value));
            std::vector<Value> others;
            HOB_TRY(apply_child(child, in, "dateDiff", others));
            for (std::size_t i = 0; i < in.size(); ++i) {
                HOB_ASSIGN_OR_RETURN(Value ms, difference_ms(in[i].value, others[i]));
                out.push_back(context.split(in[i], std::move(ms)));
            }
            return {};
        });
}

}  // namespace

extern const StepSpec asDate_step;
extern const StepSpec dateAdd_step;
extern const StepSpec dateDiff_step;
const StepSpec asDate_step = {.name = "asDate", .make = make_as_date};
const StepSpec dateAdd_step = {.name = "dateAdd", .make = make_date_add};
const StepSpec dateDiff_step = {.name = "dateDiff", .make = make_date_diff};

}  // namespace hob::gremlin
