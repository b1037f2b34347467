// call(): services. hobgoblin.index.* declare composite equality indexes
// (docs/decisions/002-index-form.md).
#include <algorithm>
#include <array>

#include "gremlin/steps/arguments.h"

namespace hob::gremlin {
namespace {

using Service = Result<std::vector<Value>> (*)(QueryContext&, const MapObject& parameters);

Result<std::string> text_parameter(const MapObject& parameters, std::string_view service,
                                   std::string_view key, bool required) {
    const Value* value = parameters.find(key);
    if (value == nullptr || value->is_null()) {
        if (!required) return std::string();
        return Error::invalid("call('{}'): the parameter '{}' is missing", service, key);
    }
    if (!value->is_string()) {
        return Error::invalid("call('{}'): the parameter '{}' is {} ({}), expected a string",
                              service, key, to_text(*value), type_name(*value));
    }
    return std::string(value->text());
}

/// {key, label?, element? ('vertex' or 'edge'), unique?, name?}
Result<std::vector<Value>> create_index(QueryContext& context, const MapObject& parameters) {
    constexpr std::string_view kName = "hobgoblin.index.create";
    graph::IndexSpec spec;
    HOB_ASSIGN_OR_RETURN(spec.key, text_parameter(parameters, kName, "key", true));
    HOB_ASSIGN_OR_RETURN(spec.label, text_parameter(parameters, kName, "label", false));
    HOB_ASSIGN_OR_RETURN(spec.name, text_parameter(parameters, kName, "name", false));
    HOB_ASSIGN_OR_RETURN(const std::string element,
                         text_parameter(parameters, kName, "element", false));
    if (element == "edge") spec.element = graph::ElementType::kEdge;
    if (const Value* unique = parameters.find("unique"))
        spec.unique = unique->kind() == Kind::kBool && unique->as_bool();
    if (spec.name.empty()) spec.name = (spec.label.empty() ? "all" : spec.label) + "." + spec.key;
    if (context.read_only)
        return Error::execution("call('{}') changes the graph, and this source is read only",
                                kName);
    HOB_TRY(context.graph->create_index(spec, context.call));
    return std::vector<Value>{Value::string(spec.name)};
}

Result<std::vector<Value>> drop_index(QueryContext& context, const MapObject& parameters) {
    HOB_ASSIGN_OR_RETURN(const std::string name,
                         text_parameter(parameters, "hobgoblin.index.drop", "name", true));
    if (context.read_only)
        return Error::execution(
            "call('hobgoblin.index.drop') changes the graph, and this source is read only");
    HOB_TRY(context.graph->drop_index(name, context.call));
    return std::vector<Value>{Value::string(name)};
}

Result<std::vector<Value>> list_indexes(QueryContext& context, const MapObject&) {
    std::vector<Value> result;
    for (const graph::IndexSpec& spec : context.graph->indexes()) {
        Value map = make_map();
        auto& entries = map.mutate<MapObject>();
        entries.put(Value::string("name"), Value::string(spec.name));
        entries.put(Value::string("element"),
                    Value::string(spec.element == graph::ElementType::kVertex ? "vertex" : "edge"));
        entries.put(Value::string("label"),
                    spec.label.empty() ? Value() : Value::string(spec.label));
        entries.put(Value::string("key"), Value::string(spec.key));
        entries.put(Value::string("unique"), Value::boolean(spec.unique));
        result.push_back(std::move(map));
    }
    return result;
}

struct Row {
    std::string_view name;
    Service service;
};
constexpr std::array kServices = {
    Row{"hobgoblin.index.create", create_index},
    Row{"hobgoblin.index.drop", drop_index},
    Row{"hobgoblin.index.list", list_indexes},
};

/// call() without a name lists the services (TinkerPop's --list).
Result<std::vector<Value>> list_services(QueryContext&, const MapObject&) {
    std::vector<Value> names;
    for (const Row& row : kServices)
        names.push_back(Value::string(row.name));
    return names;
}

class CallOp final : public TransformOp {
  public:
    CallOp(QueryContext& context, Op* input, Scope& scope, Service service,
           ValueArgument parameters)
        : TransformOp(context, input, scope),
          service_(service),
          parameters_(std::move(parameters)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        std::vector<Value> maps;
        std::vector<std::uint8_t> found;
        HOB_TRY(parameters_.resolve(in, maps, found));
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (maps[i].kind() != Kind::kMap)
                return Error::invalid("call(): the parameters must be a map, found {}",
                                      type_name(maps[i]));
            HOB_ASSIGN_OR_RETURN(std::vector<Value> results,
                                 service_(ctx_, maps[i].as<MapObject>()));
            for (Value& result : results)
                out.push_back(ctx_.split(in[i], std::move(result)));
        }
        return {};
    }

  private:
    Service service_;
    ValueArgument parameters_;
};

Result<Op*> make_call(Compiler& compiler, const Node& node, Op* input) {
    Service service = list_services;
    if (!node.args.empty()) {
        HOB_ASSIGN_OR_RETURN(const std::string name,
                             string_argument(node, 0, "a service's name (string)"));
        if (name != "--list") {
            const auto* row = std::find_if(kServices.begin(), kServices.end(),
                                           [&name](const Row& r) { return r.name == name; });
            if (row == kServices.end())
                return Error::invalid("Unrecognized service: {}; call() without a name lists them",
                                      name);
            service = row->service;
        }
    }
    Value given = node.args.size() > 1 ? node.args[1] : make_map();
    if (!node.withs.empty()) {
        Value joined = make_map();
        if (given.kind() == Kind::kMap) {
            for (const auto& [key, value] : given.as<MapObject>().entries())
                joined.mutate<MapObject>().put(key, value);
        }
        for (const auto& [key, value] : node.withs)
            joined.mutate<MapObject>().put(key, value);
        given = std::move(joined);
    }
    HOB_ASSIGN_OR_RETURN(ValueArgument parameters, ValueArgument::make(compiler, given));
    return compiler.add<CallOp>(input, service, std::move(parameters));
}

}  // namespace

extern const StepSpec call_step;
const StepSpec call_step = {
    .name = "call", .modulators = kWith, .make = make_call, .visible = true};

}  // namespace hob::gremlin
