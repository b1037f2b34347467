#include "gremlin/language/words.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "gremlin/language/script.h"
#include "gremlin/language/signature.h"

namespace hob::gremlin {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

constexpr auto kPredicates = std::to_array<PredicateWord>({
    {"eq", 1, 1, false},
    {"neq", 1, 1, false},
    {"lt", 1, 1, false},
    {"lte", 1, 1, false},
    {"gt", 1, 1, false},
    {"gte", 1, 1, false},
    {"inside", 2, 2, false},
    {"outside", 2, 2, false},
    {"between", 2, 2, false},
    {"within", 0, kNoLimit, false},
    {"without", 0, kNoLimit, false},
    {"typeOf", 1, 1, false},
    {"not", 1, 1, false},
    {"and", 1, kNoLimit, false},
    {"or", 1, kNoLimit, false},
    {"startingWith", 1, 1, true},
    {"notStartingWith", 1, 1, true},
    {"endingWith", 1, 1, true},
    {"notEndingWith", 1, 1, true},
    {"containing", 1, 1, true},
    {"notContaining", 1, 1, true},
    {"regex", 1, 1, true},
    {"notRegex", 1, 1, true},
});

/// Types whose constants stand for themselves without a prefix, GType last so that it takes only
/// what is left.
constexpr auto kBareTypes = std::to_array<EnumType>({
    EnumType::kT,
    EnumType::kDirection,
    EnumType::kCardinality,
    EnumType::kScope,
    EnumType::kOrder,
    EnumType::kColumn,
    EnumType::kPop,
    EnumType::kOperator,
    EnumType::kMerge,
    EnumType::kPick,
    EnumType::kDT,
    EnumType::kBarrier,
    EnumType::kGType,
});

using WordMap = std::unordered_map<std::string_view, Value>;

WordMap make_enum_words() {
    WordMap words;
    for (const EnumType type : kBareTypes) {
        for (std::uint8_t i = 0; !name_of(type, i).empty(); ++i) {
            words.try_emplace(name_of(type, i), Value::enumeration(type, i));
        }
    }
    const auto add = [&words](std::string_view name, EnumType type) {
        words.try_emplace(name, Value::enumeration(type, ordinal_of(type, name).value()));
    };
    add("from", EnumType::kDirection);
    add("to", EnumType::kDirection);
    add("incr", EnumType::kOrder);
    add("decr", EnumType::kOrder);
    return words;
}

struct Constant {
    std::string_view owner;
    std::string_view name;
    Value value;
};

/// A key that TinkerPop hides from users' properties starts with "~".
Value hidden(std::string_view key) {
    std::string text = "~tinkerpop.";
    text += key;
    return Value::string(text);
}

std::vector<Constant> make_constants() {
    return {
        {"WithOptions", "tokens", hidden("valueMap.tokens")},
        {"WithOptions", "none", Value::int_(0)},
        {"WithOptions", "ids", Value::int_(1)},
        {"WithOptions", "labels", Value::int_(2)},
        {"WithOptions", "keys", Value::int_(4)},
        {"WithOptions", "values", Value::int_(8)},
        {"WithOptions", "all", Value::int_(15)},
        {"WithOptions", "indexer", hidden("index.indexer")},
        {"WithOptions", "list", Value::int_(0)},
        {"WithOptions", "map", Value::int_(1)},
        {"PageRank", "times", hidden("pageRank.times")},
        {"PageRank", "edges", hidden("pageRank.edges")},
        {"PageRank", "propertyName", hidden("pageRank.propertyName")},
        {"PeerPressure", "times", hidden("peerPressure.times")},
        {"PeerPressure", "edges", hidden("peerPressure.edges")},
        {"PeerPressure", "propertyName", hidden("peerPressure.propertyName")},
        {"ShortestPath", "target", hidden("shortestPath.target")},
        {"ShortestPath", "edges", hidden("shortestPath.edges")},
        {"ShortestPath", "distance", hidden("shortestPath.distance")},
        {"ShortestPath", "maxDistance", hidden("shortestPath.maxDistance")},
        {"ShortestPath", "includeEdges", hidden("shortestPath.includeEdges")},
        {"ConnectedComponent", "component",
         Value::string("gremlin.connectedComponentVertexProgram.component")},
        {"ConnectedComponent", "edges", hidden("connectedComponent.edges")},
        {"ConnectedComponent", "propertyName", hidden("connectedComponent.propertyName")},
        {"IO", "graphson", Value::string("graphson")},
        {"IO", "gryo", Value::string("gryo")},
        {"IO", "graphml", Value::string("graphml")},
        {"IO", "reader", hidden("io.reader")},
        {"IO", "writer", hidden("io.writer")},
        {"IO", "registry", hidden("io.registry")},
    };
}

const std::vector<Constant>& constants() {
    static const std::vector<Constant> all = make_constants();
    return all;
}

bool is_variable(const Value& v) {
    const BindingObject* binding = as_binding(v);
    return binding != nullptr && !binding->bound;
}

Status check_operand(const PredicateObject& predicate, const PredicateWord& word,
                     const Value& operand) {
    if (is_variable(operand)) return {};
    const PredicateObject* nested = as_predicate(operand);
    if (word.name == "and" || word.name == "or" || word.name == "not") {
        if (nested == nullptr) {
            return Error::invalid("{}() of a predicate takes predicates, not {}", predicate.name,
                                  print_value(operand));
        }
        return check_predicate(*nested);
    }
    if (word.of_text && !operand.is_string() && !operand.is_null()) {
        return Error::invalid("{}() takes a string, not {} ({})", predicate.name,
                              print_value(operand), type_name(operand));
    }
    if (word.name == "typeOf" && !operand.is_string() && !operand.is_enum(EnumType::kGType)) {
        return Error::invalid("typeOf() takes a GType such as GType.INT or a string, not {}",
                              print_value(operand));
    }
    if (operand.kind() == Kind::kForeign && as_traversal(operand) == nullptr &&
        as_binding(operand) == nullptr) {
        return Error::invalid("{}() compares with a value, not with {}", predicate.name,
                              print_value(operand));
    }
    return {};
}

/// Levenshtein distance, given up on beyond `most`.
std::size_t distance(std::string_view a, std::string_view b, std::size_t most) {
    if (a.size() > b.size() + most || b.size() > a.size() + most) return most + 1;
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above + 1, row[j - 1] + 1, replaced});
            diagonal = above;
        }
    }
    return row.back();
}

}  // namespace

std::optional<Value> enum_word(std::string_view word) {
    static const WordMap words = make_enum_words();
    const auto found = words.find(word);
    if (found == words.end()) return std::nullopt;
    return found->second;
}

std::optional<Value> gtype_word(std::string_view word) {
    std::string upper(word);
    for (char& c : upper) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    }
    const std::optional<std::uint8_t> ordinal = ordinal_of(EnumType::kGType, upper);
    if (!ordinal) return std::nullopt;
    return Value::enumeration(EnumType::kGType, *ordinal);
}

const Value* library_constant(std::string_view owner, std::string_view name) {
    for (const Constant& constant : constants()) {
        if (constant.owner == owner && constant.name == name) return &constant.value;
    }
    return nullptr;
}

bool is_constant_owner(std::string_view word) {
    return std::any_of(constants().begin(), constants().end(),
                       [word](const Constant& constant) { return constant.owner == word; });
}

const PredicateWord* find_predicate(std::string_view name) {
    const auto* const found =
        std::find_if(kPredicates.begin(), kPredicates.end(),
                     [name](const PredicateWord& w) { return w.name == name; });
    return found == kPredicates.end() ? nullptr : found;
}

Status check_predicate(const PredicateObject& predicate) {
    const PredicateWord* word = find_predicate(predicate.name);
    if (word == nullptr) return Error::invalid("there is no predicate {}()", predicate.name);
    const std::size_t count = predicate.operands.size();
    if (count < word->least || count > word->most) {
        return Error::invalid("{}() takes {} operand{}, got {}", predicate.name, word->least,
                              word->least == 1 ? "" : "s", count);
    }
    for (const Value& operand : predicate.operands) {
        HOB_TRY(check_operand(predicate, *word, operand));
    }
    return {};
}

std::string_view similar_step(std::string_view word) {
    static constexpr std::size_t kWordBytesMax = 40;
    if (word.size() > kWordBytesMax) return {};
    std::size_t best = word.size() > 3 ? 2 : 1;
    std::string_view similar;
    const auto consider = [&](std::string_view name) {
        const std::size_t d = distance(word, name, best);
        if (d <= best && (similar.empty() || d < best)) {
            best = d;
            similar = name;
        }
    };
    for (const Signature& signature : all_signatures())
        consider(signature.name);
    for (const PredicateWord& predicate : kPredicates)
        consider(predicate.name);
    return similar;
}

}  // namespace hob::gremlin
