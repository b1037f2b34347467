#include "gremlin/io/predicates.h"

#include <algorithm>
#include <array>

#include "gremlin/language/traversal.h"

namespace hob::gremlin {
namespace {

enum class Arguments : std::uint8_t { kOne, kTwo, kMembers, kPredicates };

struct PredicateForm {
    std::string_view name;
    Arguments arguments;
    bool text = false;
};

constexpr std::array<PredicateForm, 23> kForms{{
    {"eq", Arguments::kOne},
    {"neq", Arguments::kOne},
    {"lt", Arguments::kOne},
    {"lte", Arguments::kOne},
    {"gt", Arguments::kOne},
    {"gte", Arguments::kOne},
    {"typeOf", Arguments::kOne},
    {"inside", Arguments::kTwo},
    {"outside", Arguments::kTwo},
    {"between", Arguments::kTwo},
    {"within", Arguments::kMembers},
    {"without", Arguments::kMembers},
    {"and", Arguments::kPredicates},
    {"or", Arguments::kPredicates},
    {"not", Arguments::kPredicates},
    {"startingWith", Arguments::kOne, true},
    {"notStartingWith", Arguments::kOne, true},
    {"endingWith", Arguments::kOne, true},
    {"notEndingWith", Arguments::kOne, true},
    {"containing", Arguments::kOne, true},
    {"notContaining", Arguments::kOne, true},
    {"regex", Arguments::kOne, true},
    {"notRegex", Arguments::kOne, true},
}};

const PredicateForm* form_of(std::string_view name) {
    const auto* found = std::find_if(kForms.begin(), kForms.end(),
                                     [name](const PredicateForm& f) { return f.name == name; });
    return found == kForms.end() ? nullptr : found;
}

/// One collection given to within() means its members.
std::vector<Value> members_of(std::vector<Value> arguments) {
    if (arguments.size() != 1) return arguments;
    const Value only = arguments[0];
    if (only.kind() == Kind::kList || only.kind() == Kind::kSet) {
        return {only.items().begin(), only.items().end()};
    }
    if (only.kind() != Kind::kBulkSet) return arguments;
    std::vector<Value> members;
    for (const auto& [value, count] : only.as<BulkSetObject>().entries()) {
        members.push_back(value);
    }
    return members;
}

bool are_predicates(const std::string& name, const std::vector<Value>& arguments) {
    const bool count_fits = name == "not" ? arguments.size() == 1 : !arguments.empty();
    return count_fits && std::all_of(arguments.begin(), arguments.end(),
                                     [](const Value& v) { return as_predicate(v) != nullptr; });
}

}  // namespace

Result<Value> predicate_of(std::string name, std::vector<Value> arguments) {
    const PredicateForm* form = form_of(name);
    if (form == nullptr) return Error::parse("unknown predicate '{}'", name.substr(0, 100));
    switch (form->arguments) {
        case Arguments::kOne:
            if (arguments.size() != 1) {
                Value all = Value::list(std::move(arguments));
                arguments = {std::move(all)};
            }
            break;
        case Arguments::kTwo:
            // One list of both is how some drivers write it in GraphSON.
            arguments = members_of(std::move(arguments));
            if (arguments.size() != 2) {
                return Error::parse("predicate {}() has {} arguments, expected 2", name,
                                    arguments.size());
            }
            break;
        case Arguments::kMembers:
            arguments = members_of(std::move(arguments));
            break;
        case Arguments::kPredicates:
            arguments = members_of(std::move(arguments));
            if (!are_predicates(name, arguments)) {
                return Error::parse("predicate {}() has {} arguments, expected predicates", name,
                                    arguments.size());
            }
            break;
    }
    return make_predicate(std::move(name), std::move(arguments));
}

bool is_text_predicate(std::string_view name) {
    const PredicateForm* form = form_of(name);
    return form != nullptr && form->text;
}

std::string_view simple_class_name(std::string_view name) {
    const std::size_t dot = name.find_last_of(".$");
    return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

std::string full_strategy_name(std::string_view simple) {
    static constexpr std::string_view kPackage =
        "org.apache.tinkerpop.gremlin.process.traversal.strategy.";
    static constexpr std::array<std::string_view, 10> kDecoration{
        "ConnectiveStrategy", "ElementIdStrategy",   "EventStrategy", "HaltedTraverserStrategy",
        "OptionsStrategy",    "PartitionStrategy",   "SeedStrategy",  "SubgraphStrategy",
        "SideEffectStrategy", "RequirementsStrategy"};
    static constexpr std::array<std::string_view, 5> kVerification{
        "EdgeLabelVerificationStrategy", "LambdaRestrictionStrategy", "ReadOnlyStrategy",
        "ReservedKeysVerificationStrategy", "StandardVerificationStrategy"};
    const auto among = [simple](const auto& names) {
        return std::find(names.begin(), names.end(), simple) != names.end();
    };
    std::string_view folder = "optimization.";
    if (among(kDecoration)) folder = "decoration.";
    if (among(kVerification)) folder = "verification.";
    return std::string(kPackage) + std::string(folder) + std::string(simple);
}

}  // namespace hob::gremlin
