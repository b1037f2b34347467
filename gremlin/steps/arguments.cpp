#include "gremlin/steps/arguments.h"

#include "storage/value/compare.h"

namespace hob::gremlin {

Result<ValueArgument> ValueArgument::make(Compiler& compiler, const Value& argument) {
    ValueArgument result;
    if (as_traversal(argument) != nullptr && !cardinality_value(argument)) {
        HOB_ASSIGN_OR_RETURN(result.child_, compiler.child(argument));
    } else {
        result.value_ = argument;
    }
    return result;
}

Status ValueArgument::resolve(std::span<const Traverser> in, std::vector<Value>& values,
                              std::vector<std::uint8_t>& found) {
    if (child_.valid()) return child_.first(in, values, found);
    values.assign(in.size(), value_);
    found.assign(in.size(), 1);
    return {};
}

std::optional<std::pair<Cardinality, Value>> cardinality_value(const Value& argument) {
    const TraversalObject* traversal = as_traversal(argument);
    if (traversal == nullptr || !traversal->traversal.steps.empty() ||
        traversal->traversal.sources.size() != 1)
        return std::nullopt;
    const Instruction& source = traversal->traversal.sources[0];
    if (source.name != "CardinalityValueTraversal" || source.arguments.size() != 2)
        return std::nullopt;
    const Value& cardinality = source.arguments[0];
    if (cardinality.is_enum(EnumType::kCardinality)) {
        return std::pair(static_cast<Cardinality>(cardinality.enum_ordinal()), source.arguments[1]);
    }
    if (cardinality.is_string()) {
        if (const auto ordinal = ordinal_of(EnumType::kCardinality, cardinality.text())) {
            return std::pair(static_cast<Cardinality>(*ordinal), source.arguments[1]);
        }
    }
    return std::nullopt;
}

Result<PropertyArguments> property_arguments(Compiler& compiler, const std::vector<Value>& args) {
    PropertyArguments result;
    std::size_t at = 0;
    if (!args.empty() && args[0].is_enum(EnumType::kCardinality)) {
        result.cardinality = static_cast<Cardinality>(args[0].enum_ordinal());
        at = 1;
    }
    if (args.size() == at + 1) {
        if (args[at].kind() != Kind::kMap && !args[at].is_null() &&
            as_traversal(args[at]) == nullptr) {
            return Error::invalid("property(): expected a map or a key and a value, found {} ({})",
                                  to_text(args[at]), type_name(args[at]));
        }
        HOB_ASSIGN_OR_RETURN(result.map, ValueArgument::make(compiler, args[at]));
        return result;
    }
    if (args.size() < at + 2 || (args.size() - at) % 2 != 0) {
        return Error::invalid(
            "property(): The provided key/value array length must be a multiple of two");
    }
    if (args[at].is_enum(EnumType::kT)) {
        result.token = static_cast<T>(args[at].enum_ordinal());
    } else {
        HOB_ASSIGN_OR_RETURN(result.key, ValueArgument::make(compiler, args[at]));
    }
    if (const auto wrapped = cardinality_value(args[at + 1])) {
        result.cardinality = wrapped->first;
        HOB_ASSIGN_OR_RETURN(result.value, ValueArgument::make(compiler, wrapped->second));
    } else {
        HOB_ASSIGN_OR_RETURN(result.value, ValueArgument::make(compiler, args[at + 1]));
    }
    for (std::size_t i = at + 2; i < args.size(); i += 2) {
        std::string key;
        if (args[i].is_string()) {
            key = std::string(args[i].text());
        } else if (args[i].is_enum(EnumType::kT)) {
            key = "~" + std::string(name_of(EnumType::kT, args[i].enum_ordinal()));
        } else {
            return Error::invalid(
                "property(): a meta-property's key must be a string, found {} ({})",
                to_text(args[i]), type_name(args[i]));
        }
        HOB_ASSIGN_OR_RETURN(ValueArgument value, ValueArgument::make(compiler, args[i + 1]));
        result.meta.emplace_back(std::move(key), std::move(value));
    }
    return result;
}

namespace {

/// Writes one key and value into what is known of traverser `i`.
Status put(ResolvedProperties& out, std::size_t i, const Value& key, const Value& value,
           std::optional<Cardinality> cardinality) {
    if (key.is_enum(EnumType::kT)) {
        const auto token = static_cast<T>(key.enum_ordinal());
        if (token == T::kId) out.ids[i] = value;
        if (token == T::kLabel) out.labels[i] = value;
        return {};
    }
    if (!key.is_string()) {
        return Error::invalid(
            "property(): the key must be a string or T.id or T.label, found {} ({})", to_text(key),
            type_name(key));
    }
    if (key.text().empty()) return Error::invalid("Property key can not be the empty string");
    graph::PropertyWrite write;
    write.key = std::string(key.text());
    write.value = value;
    write.cardinality = cardinality;
    if (const auto wrapped = cardinality_value(value)) {
        write.cardinality = wrapped->first;
        write.value = wrapped->second;
    }
    out.writes[i].push_back(std::move(write));
    return {};
}

Status resolve_map(PropertyArguments& property, std::span<const Traverser> in,
                   ResolvedProperties& out) {
    std::vector<Value> maps;
    std::vector<std::uint8_t> found;
    HOB_TRY(property.map->resolve(in, maps, found));
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (found[i] == 0 || maps[i].is_null()) continue;
        if (maps[i].kind() != Kind::kMap) {
            return Error::invalid("property(): expected a map, found {} ({})", to_text(maps[i]),
                                  type_name(maps[i]));
        }
        for (const auto& [key, value] : maps[i].as<MapObject>().entries())
            HOB_TRY(put(out, i, key, value, property.cardinality));
    }
    return {};
}

Status resolve_one(PropertyArguments& property, std::span<const Traverser> in,
                   ResolvedProperties& out) {
    std::vector<Value> keys(in.size());
    std::vector<std::uint8_t> found_keys(in.size(), 1);
    if (property.token) {
        keys.assign(in.size(), Value::token(*property.token));
    } else {
        HOB_TRY(property.key->resolve(in, keys, found_keys));
    }
    std::vector<Value> values;
    std::vector<std::uint8_t> found;
    HOB_TRY(property.value->resolve(in, values, found));
    for (std::size_t i = 0; i < in.size(); ++i) {
        // A traversal that gives nothing sets nothing.
        if (found[i] == 0 || found_keys[i] == 0) continue;
        HOB_TRY(put(out, i, keys[i], values[i], property.cardinality));
    }
    for (auto& [key, argument] : property.meta) {
        HOB_TRY(argument.resolve(in, values, found));
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (found[i] == 0 || out.writes[i].empty()) continue;
            if (key == "~id") {
                out.writes[i].back().id = values[i];
            } else {
                out.writes[i].back().meta.emplace_back(key, values[i]);
            }
        }
    }
    return {};
}

class StartOp final : public Op {
  public:
    using Op::Op;
    void reset() override { given_ = false; }

  protected:
    Result<Pull> pull(Batch& out, std::size_t) override {
        if (!given_) {
            Traverser t;
            if (ctx_.sack.used) t.sack = ctx_.sack.initial;
            out.push_back(std::move(t));
        }
        given_ = true;
        return Pull::kDone;
    }

  private:
    bool given_ = false;
};

}  // namespace

Op* or_start(Compiler& compiler, Op* input) {
    if (input != nullptr) return input;
    Op* start = compiler.add<StartOp>(nullptr);
    start->set_name("start");
    return start;
}

Status resolve_properties(std::vector<PropertyArguments>& properties, std::span<const Traverser> in,
                          ResolvedProperties& out) {
    out.writes.assign(in.size(), {});
    out.ids.assign(in.size(), Value());
    out.labels.assign(in.size(), Value());
    for (PropertyArguments& property : properties)
        HOB_TRY(property.map ? resolve_map(property, in, out) : resolve_one(property, in, out));
    return {};
}

}  // namespace hob::gremlin
