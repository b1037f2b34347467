// hobgoblin.index.*: declare composite equality indexes (docs/decisions/002-index-form.md).
#include "gremlin/steps/services.h"

namespace hob::gremlin {
namespace {

/// {key, label?, element? ('vertex' or 'edge'), unique?, name?}
Result<std::vector<Value>> create_one(QueryContext& context, const MapObject& parameters) {
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

Result<std::vector<Value>> drop_one(QueryContext& context, const MapObject& parameters) {
    HOB_ASSIGN_OR_RETURN(const std::string name,
                         text_parameter(parameters, "hobgoblin.index.drop", "name", true));
    if (context.read_only)
        return Error::execution(
            "call('hobgoblin.index.drop') changes the graph, and this source is read only");
    HOB_TRY(context.graph->drop_index(name, context.call));
    return std::vector<Value>{Value::string(name)};
}

Result<std::vector<Value>> list_all(QueryContext& context, const MapObject&) {
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

/// A service that does one thing for each traverser; changes of the schema are few.
template <Result<std::vector<Value>> (*One)(QueryContext&, const MapObject&)>
Status for_each(QueryContext& context, const ServiceInput& input,
                std::vector<ServiceResult>& results) {
    for (std::uint32_t i = 0; i < input.traversers.size(); ++i) {
        HOB_ASSIGN_OR_RETURN(std::vector<Value> values,
                             One(context, input.parameters[i].as<MapObject>()));
        for (Value& value : values)
            results.push_back({i, std::move(value)});
    }
    return {};
}

}  // namespace

constexpr Service::Parameter kIndexCreateParameters[] = {
    {"key", "The property key"},
    {"label", "The label of the elements; all when it is not given"},
    {"element", "vertex (default) or edge"},
    {"unique", "Whether a value may occur once only; false when not given"},
    {"name", "The index's name; label.key when it is not given"}};
extern const Service index_create_service;
const Service index_create_service = {.name = "hobgoblin.index.create",
                                      .place = Service::Place::kAnywhere,
                                      .listed = false,
                                      .parameters = kIndexCreateParameters,
                                      .run = for_each<create_one>};
constexpr Service::Parameter kIndexDropParameters[] = {{"name", "The index's name"}};
extern const Service index_drop_service;
const Service index_drop_service = {.name = "hobgoblin.index.drop",
                                    .place = Service::Place::kAnywhere,
                                    .listed = false,
                                    .parameters = kIndexDropParameters,
                                    .run = for_each<drop_one>};
extern const Service index_list_service;
const Service index_list_service = {.name = "hobgoblin.index.list",
                                    .place = Service::Place::kAnywhere,
                                    .listed = false,
                                    .run = for_each<list_all>};

}  // namespace hob::gremlin
