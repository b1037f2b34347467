#include "tests/gremlin/language/random_traversal.h"

#include <array>
#include <catch2/catch.hpp>
#include <limits>

#include "gremlin/language/signature.h"
#include "storage/value/compare.h"

namespace hob::gremlin::test {
namespace {

constexpr int kDepthMax = 3;

bool take_suffix(std::string_view& text, std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.remove_suffix(suffix.size());
    return true;
}

}  // namespace

Value RandomTraversal::number() {
    const auto any = static_cast<std::int64_t>(random_());
    const std::int64_t v = chance(2) ? any % 100 : any;
    switch (below(9)) {
        case 0:
            return Value::byte(static_cast<std::int8_t>(v));
        case 1:
            return Value::short_(static_cast<std::int16_t>(v));
        case 2:
            return Value::int_(static_cast<std::int32_t>(v));
        case 3:
            return Value::long_(v);
        case 4:
            return Value::float_(static_cast<float>(v) / 8);
        case 5:
            return Value::double_(static_cast<double>(v) / 1024);
        case 6:
            return big_int_from_text(std::to_string(v) + "0000000000").value();
        case 7:
            return big_decimal_from_text(std::to_string(v) + ".250").value();
        default:
            break;
    }
    constexpr std::array<double, 5> kSpecial{std::numeric_limits<double>::infinity(), -0.0, 1e300,
                                             5e-324, std::numeric_limits<double>::quiet_NaN()};
    return Value::double_(kSpecial[below(kSpecial.size())]);
}

Value RandomTraversal::string() {
    static constexpr std::array<std::string_view, 12> kParts{"a",  "b_1", " ", "'",  "\"",   "\\",
                                                             "\n", "é",   "🚂", "$x", "\x01", "\t"};
    std::string text;
    for (std::size_t i = below(5); i > 0; --i)
        text += kParts[below(kParts.size())];
    return Value::string(text);
}

Value RandomTraversal::constant() {
    const auto type =
        static_cast<EnumType>(below(static_cast<std::size_t>(EnumType::kBarrier) + 1));
    std::uint8_t count = 0;
    while (!name_of(type, count).empty())
        ++count;
    return Value::enumeration(type, static_cast<std::uint8_t>(below(count)));
}

Value RandomTraversal::collection(int depth) {
    std::vector<Value> items;
    for (std::size_t i = below(4); i > 0; --i)
        items.push_back(value(depth + 1));
    switch (below(3)) {
        case 0:
            return Value::list(std::move(items));
        case 1:
            return Value::set(std::move(items));
        default:
            break;
    }
    Value map = make_map();
    for (Value& item : items) {
        Value key = as_traversal(item) != nullptr ? string() : item;
        map.mutate<MapObject>().put(chance(2) ? string() : std::move(key), std::move(item));
    }
    return map;
}

Value RandomTraversal::value(int depth) {
    switch (below(depth < kDepthMax ? 13 : 10)) {
        case 0:
            return Value();
        case 1:
            return Value::boolean(chance(2));
        case 2:
        case 3:
            return number();
        case 4:
        case 5:
            return string();
        case 6:
            return constant();
        case 7:
            return Value::date_time(static_cast<std::int64_t>(below(4'000'000'000)),
                                    static_cast<std::uint32_t>(below(1000)) * 1'000'000, 3600);
        case 8:
            return make_binding("variable" + std::to_string(below(3)), false, Value());
        case 9: {
            std::array<std::uint8_t, 16> bytes{};
            for (std::uint8_t& byte : bytes)
                byte = static_cast<std::uint8_t>(below(256));
            return Value::uuid(bytes);
        }
        case 10:
            return nested(depth);
        case 11:
            return Value::vertex(Value::long_(static_cast<std::int64_t>(below(100))));
        default:
            return collection(depth);
    }
}

Value RandomTraversal::predicate(int depth) {
    static constexpr std::array<std::string_view, 6> kCompare{"eq",  "neq", "lt",
                                                              "lte", "gt",  "gte"};
    static constexpr std::array<std::string_view, 8> kText{
        "startingWith", "notStartingWith", "endingWith", "notEndingWith",
        "containing",   "notContaining",   "regex",      "notRegex"};
    static constexpr std::array<std::string_view, 3> kRange{"inside", "outside", "between"};
    switch (below(depth < kDepthMax ? 7 : 5)) {
        case 0:
            return make_predicate(std::string(kCompare[below(kCompare.size())]),
                                  {value(depth + 1)});
        case 1:
            return make_predicate(std::string(kText[below(kText.size())]), {string()});
        case 2:
            return make_predicate(std::string(kRange[below(kRange.size())]),
                                  {value(depth + 1), value(depth + 1)});
        case 3: {
            std::vector<Value> members;
            for (std::size_t i = below(4); i > 0; --i)
                members.push_back(value(depth + 1));
            return make_predicate(chance(2) ? "within" : "without", std::move(members));
        }
        case 4:
            return make_predicate(
                "typeOf",
                {Value::enumeration(EnumType::kGType, static_cast<std::uint8_t>(below(27)))});
        case 5:
            return make_predicate("not", {predicate(depth + 1)});
        default:
            break;
    }
    // Flat, as normalize() makes them: no operand has the connective's own name.
    const std::string name = chance(2) ? "and" : "or";
    std::vector<Value> operands;
    while (operands.size() < 2) {
        Value operand = predicate(depth + 1);
        if (as_predicate(operand)->name != name) operands.push_back(std::move(operand));
    }
    return make_predicate(name, std::move(operands));
}

Value RandomTraversal::nested(int depth) {
    if (chance(8)) {
        Traversal cardinality;
        const Value which =
            Value::enumeration(EnumType::kCardinality, static_cast<std::uint8_t>(below(3)));
        cardinality.sources.push_back({"CardinalityValueTraversal", {which, value(depth + 1)}});
        return make_traversal(std::move(cardinality));
    }
    Traversal t;
    for (std::size_t i = below(3); i > 0; --i)
        t.steps.push_back(call(step(), depth + 1));
    return make_traversal(std::move(t));
}

Value RandomTraversal::strategy(int depth) {
    std::vector<std::pair<std::string, Value>> configuration;
    for (std::size_t i = below(3); i > 0; --i)
        configuration.emplace_back("key" + std::to_string(i), value(depth + 1));
    return make_strategy(chance(2) ? "SubgraphStrategy" : "SeedStrategy", std::move(configuration));
}

Value RandomTraversal::of_type(std::string_view type, int depth) {
    if (type == "any") return value(depth);
    if (type == "string") return string();
    if (type == "boolean") return Value::boolean(chance(2));
    if (type == "int") return Value::int_(static_cast<std::int32_t>(below(1000)));
    if (type == "long") return Value::long_(static_cast<std::int64_t>(below(1000)));
    if (type == "number") return Value::double_(static_cast<double>(below(1000)) / 4);
    if (type == "date")
        return Value::date_time(static_cast<std::int64_t>(below(2'000'000'000)), 0, 0);
    if (type == "vertex") return Value::vertex(Value::string("v" + std::to_string(below(9))));
    if (type == "P") return predicate(depth);
    if (type == "traversal")
        return depth < kDepthMax ? nested(depth) : make_traversal({{}, {{"identity", {}}}});
    if (type == "strategy") return strategy(depth);
    if (type == "function")
        return Value::enumeration(chance(2) ? EnumType::kT : EnumType::kColumn,
                                  static_cast<std::uint8_t>(below(2)));
    if (type == "map") {
        Value map = make_map();
        for (std::size_t i = below(3); i > 0; --i)
            map.mutate<MapObject>().put(string(), value(depth + 1));
        return map;
    }
    const std::optional<EnumType> enumeration = enum_type_of(type);
    INFO(type);
    REQUIRE(enumeration.has_value());
    const std::uint8_t choices = *enumeration == EnumType::kBarrier ? 1 : 2;
    return Value::enumeration(*enumeration, static_cast<std::uint8_t>(below(choices)));
}

/// One call with a random overload of its row.
Instruction RandomTraversal::call(std::string_view name, int depth) {
    const Signature* signature = find_signature(name);
    REQUIRE(signature != nullptr);
    std::string_view overload = signature->overloads[below(signature->overloads.size())];
    overload = overload.substr(1, overload.size() - 2);
    Instruction instruction{std::string(name), {}};
    while (!overload.empty()) {
        const std::size_t comma = std::min(overload.find(", "), overload.size());
        std::string_view type = overload.substr(0, comma);
        overload.remove_prefix(std::min(comma + 2, overload.size()));
        if (const std::size_t colon = type.find(": "); colon != std::string_view::npos)
            type.remove_prefix(colon + 2);
        const bool repeated = take_suffix(type, "...");
        const bool nullable = take_suffix(type, "?");
        for (std::size_t i = repeated ? below(4) : 1; i > 0; --i) {
            instruction.arguments.push_back(nullable && chance(5) ? Value() : of_type(type, depth));
        }
    }
    // What normalize() would rewrite has no place here.
    if (name == "with" && instruction.arguments.size() == 1)
        instruction.arguments.push_back(Value::boolean(true));
    if (name == "aggregate" && instruction.arguments.size() == 2)
        instruction.arguments.erase(instruction.arguments.begin());
    return instruction;
}

std::string_view RandomTraversal::step() {
    const std::span<const Signature> all = all_signatures();
    while (true) {
        const Signature& signature = all[below(all.size())];
        if (signature.kind == SignatureKind::kStep || signature.kind == SignatureKind::kModulator)
            return signature.name;
    }
}

Traversal RandomTraversal::root() {
    static constexpr std::array<std::string_view, 6> kSources{
        "with", "withBulk", "withPath", "withSideEffect", "withStrategies", "withSack"};
    static constexpr std::array<std::string_view, 4> kSpawns{"V", "E", "inject", "union"};
    Traversal t;
    for (std::size_t i = below(3); i > 0; --i)
        t.sources.push_back(call(kSources[below(kSources.size())], 0));
    t.steps.push_back(call(kSpawns[below(kSpawns.size())], 0));
    for (std::size_t i = below(6); i > 0; --i)
        t.steps.push_back(call(step(), 0));
    return t;
}

}  // namespace hob::gremlin::test
