#include "gremlin/language/printer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gremlin/language/script.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

/// Appends canonical text to one string; recursion is as deep as the values are nested.
class Printer {
  public:
    void traversal(const Traversal& t, std::string_view source);
    void value(const Value& v);
    void object(const ForeignObject& o);
    std::string take() { return std::move(out_); }

  private:
    void scalar(const Value& v);
    void real(double v, std::string_view suffix, bool is_float);
    void string(std::string_view text);
    void items(std::span<const Value> values);
    void map(const MapObject& map);
    void element(const Value& v);
    void predicate(const PredicateObject& p);
    void strategy(const StrategyObject& s);
    void calls(const std::vector<Instruction>& instructions);
    bool cardinality_value(const Traversal& t);
    void call(std::string_view name, std::string_view argument) {
        out_.append(name).append("('").append(argument).append("')");
    }

    std::string out_;
};

void Printer::calls(const std::vector<Instruction>& instructions) {
    for (const Instruction& instruction : instructions) {
        out_.append(".").append(instruction.name).append("(");
        items(instruction.arguments);
        out_ += ')';
    }
}

/// `single(x)`: a traversal with the one source instruction CardinalityValueTraversal.
bool Printer::cardinality_value(const Traversal& t) {
    if (!t.steps.empty() || t.sources.size() != 1) return false;
    const Instruction& source = t.sources.front();
    if (source.name != "CardinalityValueTraversal" || source.arguments.size() != 2) return false;
    value(source.arguments[0]);
    out_ += '(';
    value(source.arguments[1]);
    out_ += ')';
    return true;
}

void Printer::traversal(const Traversal& t, std::string_view source) {
    if (source.empty() && cardinality_value(t)) return;
    out_.append(source.empty() ? "__" : source);
    calls(t.sources);
    calls(t.steps);
    if (source.empty() && t.steps.empty()) out_ += ".start()";
}

void Printer::items(std::span<const Value> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out_ += ',';
        value(values[i]);
    }
}

void Printer::string(std::string_view text) {
    out_ += '\'';
    for (const char c : text) {
        switch (c) {
            case '\'':
                out_ += "\\'";
                break;
            case '\\':
                out_ += "\\\\";
                break;
            case '\n':
                out_ += "\\n";
                break;
            case '\r':
                out_ += "\\r";
                break;
            case '\t':
                out_ += "\\t";
                break;
            case '\b':
                out_ += "\\b";
                break;
            case '\f':
                out_ += "\\f";
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20) {
                    out_ += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
                } else {
                    out_ += c;
                }
        }
    }
    out_ += '\'';
}

void Printer::real(double v, std::string_view suffix, bool is_float) {
    if (std::isnan(v)) {
        out_ += "NaN";
    } else if (std::isinf(v)) {
        if (v < 0) out_ += '-';
        out_ += is_float ? "1e39f" : "Infinity";
    } else {
        const std::string digits =
            is_float ? fmt::format("{}", static_cast<float>(v)) : fmt::format("{}", v);
        out_ += digits;
        if (digits.find_first_of(".e") == std::string::npos) out_ += ".0";
        out_ += suffix;
    }
}

void Printer::map(const MapObject& map) {
    if (map.size() == 0) {
        out_ += "[:]";
        return;
    }
    char separator = '[';
    for (const auto& [key, mapped] : map.entries()) {
        out_ += separator;
        separator = ',';
        if (key.is_string()) {
            string(key.text());
        } else {
            out_ += '(';
            value(key);
            out_ += ')';
        }
        out_ += ':';
        value(mapped);
    }
    out_ += ']';
}

void Printer::element(const Value& v) {
    if (v.kind() == Kind::kVertex) {
        out_ += "ReferenceVertex(";
        value(v.vertex_id());
    } else {
        const auto& edge = v.as<EdgeObject>();
        out_ += "ReferenceEdge(";
        const std::array<Value, 4> parts{edge.id, edge.label, edge.in, edge.out};
        items(parts);
    }
    out_ += ')';
}

void Printer::scalar(const Value& v) {
    switch (v.kind()) {
        case Kind::kNull:
            out_ += "null";
            break;
        case Kind::kBool:
            out_ += v.as_bool() ? "true" : "false";
            break;
        case Kind::kByte:
            out_ += fmt::format("{}b", v.as_int64());
            break;
        case Kind::kShort:
            out_ += fmt::format("{}s", v.as_int64());
            break;
        case Kind::kInt:
            out_ += fmt::format("{}", v.as_int64());
            break;
        case Kind::kLong:
            out_ += fmt::format("{}L", v.as_int64());
            break;
        case Kind::kFloat:
            real(v.as_double(), "f", true);
            break;
        case Kind::kDouble:
            real(v.as_double(), "", false);
            break;
        case Kind::kBigInt:
            out_.append(to_text(v)).append("n");
            break;
        case Kind::kBigDecimal:
            out_.append(to_text(v)).append("m");
            break;
        case Kind::kDateTime:
            call("datetime", date_time_text(v));
            break;
        case Kind::kDate: {
            std::int64_t seconds = v.as_int64() / 1000;
            std::int64_t millis = v.as_int64() % 1000;
            if (millis < 0) {
                seconds -= 1;
                millis += 1000;
            }
            const Value utc =
                Value::date_time(seconds, static_cast<std::uint32_t>(millis) * 1000000U, 0);
            call("datetime", date_time_text(utc));
            break;
        }
        case Kind::kDuration:
            call("Duration", to_text(v));
            break;
        case Kind::kUuid:
            call("UUID", uuid_text(v));
            break;
        case Kind::kEnum:
            out_.append(name_of(v.enum_type())).append(".");
            out_.append(name_of(v.enum_type(), v.enum_ordinal()));
            break;
        default:
            string(to_text(v));
            break;  // No literal of the language: its text stands for it.
    }
}

void Printer::value(const Value& v) {
    switch (v.kind()) {
        case Kind::kString:
            string(v.text());
            break;
        case Kind::kList:
            out_ += '[';
            items(v.items());
            out_ += ']';
            break;
        case Kind::kSet:
            out_ += '{';
            items(v.items());
            out_ += '}';
            break;
        case Kind::kMap:
            map(v.as<MapObject>());
            break;
        case Kind::kVertex:
        case Kind::kEdge:
            element(v);
            break;
        case Kind::kForeign:
            object(v.as<ForeignObject>());
            break;
        default:
            scalar(v);
            break;
    }
}

void Printer::predicate(const PredicateObject& p) {
    static constexpr std::array<std::string_view, 8> kTextPredicates{
        "startingWith", "notStartingWith", "endingWith", "notEndingWith",
        "containing",   "notContaining",   "regex",      "notRegex"};
    if ((p.name == "and" || p.name == "or") && p.operands.size() > 1) {
        value(p.operands.front());
        for (const Value& operand : std::span(p.operands).subspan(1)) {
            out_.append(".").append(p.name).append("(");
            value(operand);
            out_ += ')';
        }
        return;
    }
    const bool is_text =
        std::find(kTextPredicates.begin(), kTextPredicates.end(), p.name) != kTextPredicates.end();
    out_.append(is_text ? "TextP." : "P.").append(p.name).append("(");
    // within() spreads a lone collection; one more pair of brackets keeps a member that is one.
    const bool keep = (p.name == "within" || p.name == "without") && p.operands.size() == 1 &&
                      p.operands.front().is_collection();
    if (keep) out_ += '[';
    items(p.operands);
    if (keep) out_ += ']';
    out_ += ')';
}

void Printer::strategy(const StrategyObject& s) {
    if (s.configuration.empty()) {
        out_ += s.name;
        return;
    }
    out_.append("new ").append(s.name);
    char separator = '(';
    for (const auto& [key, configured] : s.configuration) {
        out_ += separator;
        separator = ',';
        out_.append(key).append(":");
        value(configured);
    }
    out_ += ')';
}

void Printer::object(const ForeignObject& o) {
    switch (o.foreign_class()) {
        case ForeignObject::Class::kTraversal:
            traversal(static_cast<const TraversalObject&>(o).traversal, "");
            break;
        case ForeignObject::Class::kPredicate:
            predicate(static_cast<const PredicateObject&>(o));
            break;
        case ForeignObject::Class::kStrategy:
            strategy(static_cast<const StrategyObject&>(o));
            break;
        case ForeignObject::Class::kBinding:
        case ForeignObject::Class::kLambda:
        case ForeignObject::Class::kOther:
            out_ += o.text();
            break;
    }
}

}  // namespace

std::string print(const Traversal& traversal, std::string_view source) {
    Printer printer;
    printer.traversal(traversal, source);
    return printer.take();
}

std::string print_value(const Value& value) {
    Printer printer;
    printer.value(value);
    return printer.take();
}

std::string print_object(const ForeignObject& object) {
    Printer printer;
    printer.object(object);
    return printer.take();
}

}  // namespace hob::gremlin
