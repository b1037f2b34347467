// PartitionStrategy: elements carry a partition's name in a property. A traversal reads only the
// elements of its read partitions and writes into its write partition; with includeMetaProperties
// the same holds for vertex properties, by a meta-property of the same key.
#include "gremlin/plan/nodes.h"
#include "gremlin/plan/rewrite.h"
#include "gremlin/plan/strategies.h"

namespace hob::gremlin {
namespace {

struct Partition {
    Value key;
    Value write;    ///< Null: new elements get no partition.
    Value is_read;  ///< The predicate of a readable partition.
    bool meta = false;
};

bool gives_elements(std::string_view name) {
    return is_any(name, {"V", "E", "out", "in", "both", "to", "outE", "inE", "bothE", "toE", "inV",
                         "outV", "bothV", "otherV", "toV"});
}

bool is_has(std::string_view name) {
    return is_any(name, {"has", "hasNot", "hasLabel", "hasId", "hasKey", "hasValue"});
}

/// The filter goes behind the conditions that the traversal has there itself, so that these come
/// first in the choice of an index.
std::size_t filter_elements(const Partition& partition, StepGroups& groups, std::size_t at) {
    std::size_t last = at;
    while (last + 1 < groups.size() && is_has(groups[last + 1].name()))
        ++last;
    return put_behind(groups, last, {make_step("has", {partition.key, partition.is_read})});
}

Error asked_for_key() {
    return Error::execution("Cannot explicitly request the partitionKey in the traversal");
}

Status check_keys(const Partition& partition, const StepGroup& group) {
    // has(key) and hasNot(key) are tests of values(key).
    const bool tests_presence =
        is_any(group.name(), {"has", "hasNot"}) && group.step.arguments.size() == 1;
    if (!tests_presence &&
        !is_any(group.name(), {"properties", "values", "valueMap", "propertyMap", "elementMap"}))
        return {};
    for (const Value& argument : group.step.arguments) {
        if (argument.is_string() && argument.text() == partition.key.text()) return asked_for_key();
    }
    return {};
}

/// Vertex properties of readable partitions; the key itself is hidden.
PropertyView view_of(const Partition& partition) {
    const Value readable = make_steps({make_step("has", {partition.key, partition.is_read})});
    return {{for_vertex_properties(readable),
             make_step("hasKey", {make_predicate("neq", {partition.key})})}};
}

/// Gives a property() of a vertex the partition as a meta-property. property(map) is taken apart.
void add_meta(const Partition& partition, const Instruction& property,
              std::vector<Instruction>& out) {
    const auto& args = property.arguments;
    const std::size_t at = !args.empty() && args[0].is_enum(EnumType::kCardinality) ? 1 : 0;
    if (args.size() == at + 1 && args[at].kind() == Kind::kMap) {
        for (const auto& [key, value] : args[at].as<MapObject>().entries()) {
            Instruction one = property;
            one.arguments.resize(at);
            one.arguments.insert(one.arguments.end(), {key, value});
            add_meta(partition, one, out);
        }
        return;
    }
    out.push_back(property);
    if (args.size() < at + 2 || args[at].is_enum(EnumType::kT)) return;
    out.back().arguments.insert(out.back().arguments.end(), {partition.key, partition.write});
}

/// A merge's map with the partition in it: both what is looked for and what is created.
void add_to_map(const Partition& partition, Value& argument) {
    Value own = make_map();
    own.mutate<MapObject>().put(partition.key, partition.write);
    if (const TraversalObject* traversal = as_traversal(argument)) {
        std::vector<Instruction> steps = traversal->traversal.steps;
        steps.push_back(make_step("merge", {std::move(own)}));
        argument = make_steps(std::move(steps));
    } else if (argument.is_null()) {
        argument = std::move(own);
    } else if (argument.kind() == Kind::kMap) {
        Value copy = make_map();
        for (const auto& [key, value] : argument.as<MapObject>().entries())
            copy.mutate<MapObject>().put(key, value);
        copy.mutate<MapObject>().put(partition.key, partition.write);
        argument = std::move(copy);
    }
}

void write_merge(const Partition& partition, StepGroup& group) {
    auto& args = group.step.arguments;
    if (args.empty()) args.push_back(make_steps({make_step("identity")}));
    add_to_map(partition, args[0]);
    for (Instruction& modulator : group.modulators) {
        auto& option = modulator.arguments;
        if (modulator.name != "option" || option.size() < 2) continue;
        const bool writes =
            option[0].is_enum(EnumType::kMerge) &&
            (option[0].enum_ordinal() == static_cast<std::uint8_t>(Merge::kOnCreate) ||
             option[0].enum_ordinal() == static_cast<std::uint8_t>(Merge::kOnMatch));
        if (writes) add_to_map(partition, option[1]);
    }
}

/// addV, addE: the new element's partition. With meta-properties each property of a new vertex is
/// set behind it, where it can take a meta-property.
void write_element(const Partition& partition, StepGroup& group) {
    group.modulators.push_back(make_step("property", {partition.key, partition.write}));
    if (!partition.meta || group.name() != "addV") return;
    std::vector<Instruction> modulators;
    for (const Instruction& modulator : group.modulators) {
        if (modulator.name == "property") {
            add_meta(partition, modulator, modulators);
        } else {
            modulators.push_back(modulator);
        }
    }
    group.modulators = std::move(modulators);
}

void write_level(const Partition& partition, StepGroups& groups) {
    StepGroups written;
    for (StepGroup& group : groups) {
        if (is_any(group.name(), {"mergeV", "mergeE"})) write_merge(partition, group);
        if (is_any(group.name(), {"addV", "addE"})) write_element(partition, group);
        if (!partition.meta || group.name() != "property") {
            written.push_back(std::move(group));
            continue;
        }
        std::vector<Instruction> properties;
        add_meta(partition, group.step, properties);
        for (Instruction& property : properties)
            written.emplace_back(std::move(property));
        if (!properties.empty()) written.back().labels = std::move(group.labels);
    }
    groups = std::move(written);
}

Status rewrite_level(const Partition& partition, StepGroups& groups) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (partition.meta) HOB_TRY(check_keys(partition, groups[i]));
        if (gives_elements(groups[i].name())) i = filter_elements(partition, groups, i);
    }
    if (partition.meta) apply_view(groups, view_of(partition));
    if (!partition.write.is_null()) write_level(partition, groups);
    return {};
}

}  // namespace

Status apply_partition(const StrategyObject& strategy, Traversal& traversal,
                       QueryContext& context) {
    HOB_ASSIGN_OR_RETURN(const std::vector<std::string> key,
                         strings_setting(strategy, "partitionKey"));
    if (key.size() != 1 || key[0].empty())
        return Error::invalid("PartitionStrategy: The partitionKey cannot be null or empty");
    HOB_ASSIGN_OR_RETURN(const std::vector<std::string> write,
                         strings_setting(strategy, "writePartition"));
    HOB_ASSIGN_OR_RETURN(const std::vector<std::string> read,
                         strings_setting(strategy, "readPartitions"));
    Partition partition;
    partition.key = Value::string(key[0]);
    if (!write.empty()) partition.write = Value::string(write[0]);
    std::vector<Value> readable;
    readable.reserve(read.size());
    for (const std::string& name : read)
        readable.push_back(Value::string(name));
    partition.is_read = make_predicate("within", std::move(readable));
    HOB_ASSIGN_OR_RETURN(partition.meta, bool_setting(strategy, "includeMetaProperties", false));
    return rewrite_levels(traversal, context.infix, [&partition](StepGroups& groups) {
        return rewrite_level(partition, groups);
    });
}

}  // namespace hob::gremlin
