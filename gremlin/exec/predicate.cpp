#include "gremlin/exec/predicate.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <utility>

#include "storage/value/compare.h"

namespace hob::gremlin {

struct Predicate::Text {
    explicit Text(const std::string& pattern) : regex(pattern, RE2::Quiet) {}
    RE2 regex;
};

namespace {

struct Named {
    std::string_view name;
    Predicate::Kind kind;
    std::size_t operands;  ///< SIZE_MAX: any number.
};

constexpr std::array kNames = {
    Named{"eq", Predicate::Kind::kEq, 1},
    Named{"neq", Predicate::Kind::kNeq, 1},
    Named{"lt", Predicate::Kind::kLt, 1},
    Named{"lte", Predicate::Kind::kLte, 1},
    Named{"gt", Predicate::Kind::kGt, 1},
    Named{"gte", Predicate::Kind::kGte, 1},
    Named{"inside", Predicate::Kind::kInside, 2},
    Named{"outside", Predicate::Kind::kOutside, 2},
    Named{"between", Predicate::Kind::kBetween, 2},
    Named{"within", Predicate::Kind::kWithin, SIZE_MAX},
    Named{"without", Predicate::Kind::kWithout, SIZE_MAX},
    Named{"startingWith", Predicate::Kind::kStartingWith, 1},
    Named{"notStartingWith", Predicate::Kind::kNotStartingWith, 1},
    Named{"endingWith", Predicate::Kind::kEndingWith, 1},
    Named{"notEndingWith", Predicate::Kind::kNotEndingWith, 1},
    Named{"containing", Predicate::Kind::kContaining, 1},
    Named{"notContaining", Predicate::Kind::kNotContaining, 1},
    Named{"regex", Predicate::Kind::kRegex, 1},
    Named{"notRegex", Predicate::Kind::kNotRegex, 1},
    Named{"typeOf", Predicate::Kind::kTypeOf, 1},
};

/// Names that type_name() gives to values.
bool is_type(std::string_view name) {
    static constexpr std::array<std::string_view, 30> kTypes = {
        "String", "Integer",    "Long",           "Double",         "Float",     "Short",
        "Byte",   "BigInteger", "BigDecimal",     "Boolean",        "Character", "UUID",
        "Vertex", "Edge",       "VertexProperty", "Property",       "Path",      "List",
        "Set",    "Map",        "Date",           "OffsetDateTime", "Duration",  "Number",
        "Tree",   "Graph",      "ByteBuffer",     "BulkSet",        "ArrayList", "LinkedHashMap",
    };
    return std::find(kTypes.begin(), kTypes.end(), name) != kTypes.end();
}

bool is_text(Predicate::Kind kind) {
    return kind >= Predicate::Kind::kStartingWith && kind <= Predicate::Kind::kNotRegex;
}

bool contains(const std::vector<Value>& members, const Value& value) {
    return std::any_of(members.begin(), members.end(),
                       [&value](const Value& member) { return equal(value, member); });
}

/// compare(a, b) satisfies `holds`; false when they don't compare.
template <typename Holds>
bool compares(const Value& a, const Value& b, Holds holds) {
    const auto result = compare(a, b);
    return result.has_value() && holds(*result);
}
constexpr auto kLess = [](std::weak_ordering o) { return o < 0; };
constexpr auto kLessEqual = [](std::weak_ordering o) { return o <= 0; };
constexpr auto kGreater = [](std::weak_ordering o) { return o > 0; };
constexpr auto kGreaterEqual = [](std::weak_ordering o) { return o >= 0; };

}  // namespace

Predicate Predicate::equals(Value value) {
    Predicate p;
    p.operands_.push_back(std::move(value));
    return p;
}

Result<Predicate> Predicate::make(const Value& argument) {
    const PredicateObject* object = as_predicate(argument);
    if (object == nullptr) return equals(argument);
    Predicate p;
    if (object->name == "and" || object->name == "or" || object->name == "not") {
        p.kind_ = object->name == "and"  ? Kind::kAnd
                  : object->name == "or" ? Kind::kOr
                                         : Kind::kNot;
        for (const Value& operand : object->operands) {
            HOB_ASSIGN_OR_RETURN(Predicate part, make(operand));
            p.parts_.push_back(std::move(part));
        }
        return p;
    }
    const auto named = std::find_if(kNames.begin(), kNames.end(),
                                    [&](const Named& n) { return n.name == object->name; });
    if (named == kNames.end()) return Error::invalid("there is no predicate P.{}()", object->name);
    p.kind_ = named->kind;
    p.operands_ = object->operands;
    if (named->operands != SIZE_MAX && p.operands_.size() != named->operands) {
        return Error::invalid("P.{}() takes {} argument(s), found {}", object->name,
                              named->operands, p.operands_.size());
    }
    if (p.kind_ == Kind::kTypeOf && p.operands_[0].is_string() && !is_type(p.operands_[0].text())) {
        return Error::invalid(
            "P.typeOf(): there is no type '{}'; name a GType such as GType.STRING",
            p.operands_[0].text());
    }
    if (p.kind_ == Kind::kRegex || p.kind_ == Kind::kNotRegex) {
        if (!p.operands_[0].is_string()) {
            return Error::invalid("TextP.{}() takes a pattern (string), found {}", object->name,
                                  type_name(p.operands_[0]));
        }
        auto text = std::make_shared<Text>(std::string(p.operands_[0].text()));
        if (!text->regex.ok()) {
            return Error::invalid("TextP.{}(): the pattern '{}' is not valid: {}", object->name,
                                  p.operands_[0].text(), text->regex.error());
        }
        p.text_ = std::move(text);
    }
    return p;
}

Predicate Predicate::with_operands(std::vector<Value> operands) const {
    Predicate copy = *this;
    copy.operands_ = std::move(operands);
    return copy;
}

Result<bool> Predicate::test_text(const Value& value) const {
    const bool negative = kind_ == Kind::kNotStartingWith || kind_ == Kind::kNotEndingWith ||
                          kind_ == Kind::kNotContaining || kind_ == Kind::kNotRegex;
    if (value.is_null() || operands_[0].is_null()) return negative;
    if (!value.is_string() || !operands_[0].is_string()) {
        return Error::execution("a text predicate needs a string, found {} ({})", to_text(value),
                                type_name(value));
    }
    const std::string_view text = value.text();
    const std::string_view part = operands_[0].text();
    bool holds = false;
    switch (kind_) {
        case Kind::kStartingWith:
        case Kind::kNotStartingWith:
            holds = text.starts_with(part);
            break;
        case Kind::kEndingWith:
        case Kind::kNotEndingWith:
            holds = text.ends_with(part);
            break;
        case Kind::kContaining:
        case Kind::kNotContaining:
            holds = text.find(part) != std::string_view::npos;
            break;
        default:
            holds = RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), text_->regex);
            break;
    }
    return holds != negative;
}

Result<bool> Predicate::test(const Value& value) const {
    if (is_text(kind_)) return test_text(value);
    switch (kind_) {
        case Kind::kEq:
            return equal(value, operands_[0]);
        case Kind::kNeq:
            return !equal(value, operands_[0]);
        case Kind::kLt:
            return compares(value, operands_[0], kLess);
        case Kind::kLte:
            return compares(value, operands_[0], kLessEqual);
        case Kind::kGt:
            return compares(value, operands_[0], kGreater);
        case Kind::kGte:
            return compares(value, operands_[0], kGreaterEqual);
        case Kind::kInside:
            return compares(value, operands_[0], kGreater) && compares(value, operands_[1], kLess);
        case Kind::kOutside:
            return compares(value, operands_[0], kLess) || compares(value, operands_[1], kGreater);
        case Kind::kBetween:
            return compares(value, operands_[0], kGreaterEqual) &&
                   compares(value, operands_[1], kLess);
        case Kind::kWithin:
            return contains(operands_, value);
        case Kind::kWithout:
            return !contains(operands_, value);
        case Kind::kTypeOf:
            if (operands_[0].is_enum(EnumType::kGType))
                return is_of_type(value, static_cast<GType>(operands_[0].enum_ordinal()));
            if (operands_[0].is_string()) return type_name(value) == operands_[0].text();
            return Error::invalid("P.typeOf() takes a GType or a type's name, found {}",
                                  type_name(operands_[0]));
        case Kind::kAnd:
            for (const Predicate& part : parts_) {
                HOB_ASSIGN_OR_RETURN(const bool holds, part.test(value));
                if (!holds) return false;
            }
            return true;
        case Kind::kOr:
            for (const Predicate& part : parts_) {
                HOB_ASSIGN_OR_RETURN(const bool holds, part.test(value));
                if (holds) return true;
            }
            return false;
        case Kind::kNot: {
            HOB_ASSIGN_OR_RETURN(const bool holds, parts_[0].test(value));
            return !holds;
        }
        default:
            return Error::internal("predicate kind {} has no rule", static_cast<int>(kind_));
    }
}

bool is_of_type(const Value& value, GType type) {
    using hob::Kind;
    switch (type) {
        case GType::kBigDecimal:
            return value.kind() == Kind::kBigDecimal;
        case GType::kBigInt:
            return value.kind() == Kind::kBigInt;
        case GType::kBinary:
            return value.kind() == Kind::kBytes;
        case GType::kBoolean:
            return value.kind() == Kind::kBool;
        case GType::kByte:
            return value.kind() == Kind::kByte;
        case GType::kChar:
            return value.kind() == Kind::kChar;
        case GType::kDateTime:
            return value.kind() == Kind::kDateTime || value.kind() == Kind::kDate;
        case GType::kDouble:
            return value.kind() == Kind::kDouble;
        case GType::kDuration:
            return value.kind() == Kind::kDuration;
        case GType::kEdge:
            return value.kind() == Kind::kEdge;
        case GType::kFloat:
            return value.kind() == Kind::kFloat;
        case GType::kGraph:
            return value.kind() == Kind::kGraph;
        case GType::kInt:
            return value.kind() == Kind::kInt;
        case GType::kList:
            return value.kind() == Kind::kList;
        case GType::kLong:
            return value.kind() == Kind::kLong;
        case GType::kMap:
            return value.kind() == Kind::kMap;
        case GType::kNull:
            return value.is_null();
        case GType::kNumber:
            return value.is_number();
        case GType::kPath:
            return value.kind() == Kind::kPath;
        case GType::kProperty:
            return value.kind() == Kind::kProperty || value.kind() == Kind::kVertexProperty;
        case GType::kSet:
            return value.kind() == Kind::kSet || value.kind() == Kind::kBulkSet;
        case GType::kShort:
            return value.kind() == Kind::kShort;
        case GType::kString:
            return value.is_string();
        case GType::kTree:
            return value.kind() == Kind::kTree;
        case GType::kUuid:
            return value.kind() == Kind::kUuid;
        case GType::kVertex:
            return value.kind() == Kind::kVertex;
        case GType::kVertexProperty:
            return value.kind() == Kind::kVertexProperty;
    }
    return false;
}

}  // namespace hob::gremlin
