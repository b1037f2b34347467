// call(): services by name (services.h).
#include <algorithm>
#include <array>

#include "gremlin/steps/arguments.h"
#include "gremlin/steps/services.h"

namespace hob::gremlin {

extern const Service list_service;
#define HOB_SERVICES(row) \
    row(list) row(search) row(degree_centrality) row(index_create) row(index_drop) row(index_list)
#define HOB_DECLARE(name) extern const Service name##_service;
HOB_SERVICES(HOB_DECLARE)
#undef HOB_DECLARE

namespace {

#define HOB_ENTRY(name) &name##_service,
constexpr std::array kServices = {HOB_SERVICES(HOB_ENTRY)};
#undef HOB_ENTRY

std::string_view type_of(const Service& service) {
    return service.place == Service::Place::kStreaming ? "Streaming" : "Start";
}

/// The description that TinkerPop's --list gives with verbose: JSON.
std::string describe(const Service& service) {
    std::string parameters;
    for (const auto& [name, meaning] : service.parameters) {
        if (!parameters.empty()) parameters += ',';
        parameters += fmt::format(R"("{}":"{}")", name, meaning);
    }
    return fmt::format(R"({{"name":"{}","type:[requirements]:":{{"{}":[]}},"params":{{{}}}}})",
                       service.name, type_of(service), parameters);
}

Status list_services(QueryContext&, const ServiceInput& input,
                     std::vector<ServiceResult>& results) {
    for (std::uint32_t i = 0; i < input.traversers.size(); ++i) {
        const auto& parameters = input.parameters[i].as<MapObject>();
        HOB_ASSIGN_OR_RETURN(const std::string wanted,
                             text_parameter(parameters, "--list", "service", false));
        const Value* verbose = parameters.find("verbose");
        const bool described =
            verbose != nullptr && verbose->kind() == Kind::kBool && verbose->as_bool();
        for (const Service* service : kServices) {
            if (wanted.empty() ? !service->listed : service->name != wanted) continue;
            results.push_back(
                {i, described ? Value::string(describe(*service)) : Value::string(service->name)});
        }
    }
    return {};
}

/// Static parameters, those of a traversal, and those of with(), later ones over earlier ones.
class Parameters {
  public:
    static Result<Parameters> make(Compiler& compiler, const Node& node) {
        Parameters result;
        for (std::size_t i = 1; i < node.args.size(); ++i) {
            HOB_ASSIGN_OR_RETURN(ValueArgument map, ValueArgument::make(compiler, node.args[i]));
            result.maps_.push_back(std::move(map));
        }
        for (const auto& [key, value] : node.withs) {
            HOB_ASSIGN_OR_RETURN(ValueArgument argument, ValueArgument::make(compiler, value));
            result.entries_.emplace_back(key, std::move(argument));
        }
        return result;
    }

    /// One map for each traverser.
    Status resolve(std::span<const Traverser> in, std::vector<Value>& out) {
        out.clear();
        for (std::size_t i = 0; i < in.size(); ++i)
            out.push_back(make_map());
        for (ValueArgument& map : maps_) {
            HOB_TRY(map.resolve(in, values_, found_));
            for (std::size_t i = 0; i < in.size(); ++i) {
                if (found_[i] == 0 || values_[i].is_null()) continue;
                if (values_[i].kind() != Kind::kMap)
                    return Error::invalid("call(): the parameters must be a map, found {} ({})",
                                          to_text(values_[i]), type_name(values_[i]));
                for (const auto& [key, value] : values_[i].as<MapObject>().entries())
                    out[i].mutate<MapObject>().put(key, value);
            }
        }
        for (auto& [key, argument] : entries_) {
            HOB_TRY(argument.resolve(in, values_, found_));
            for (std::size_t i = 0; i < in.size(); ++i) {
                if (found_[i] != 0) out[i].mutate<MapObject>().put(key, values_[i]);
            }
        }
        return {};
    }

  private:
    std::vector<ValueArgument> maps_;
    std::vector<std::pair<Value, ValueArgument>> entries_;
    std::vector<Value> values_;
    std::vector<std::uint8_t> found_;
};

class CallOp final : public TransformOp {
  public:
    CallOp(QueryContext& context, Op* input, Scope& scope, const Service& service,
           Parameters parameters)
        : TransformOp(context, input, scope),
          service_(service),
          parameters_(std::move(parameters)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        HOB_TRY(parameters_.resolve(in, maps_));
        results_.clear();
        HOB_TRY(service_.run(ctx_, {in, maps_}, results_));
        for (ServiceResult& result : results_)
            out.push_back(ctx_.split(in[result.input], std::move(result.value)));
        return {};
    }

  private:
    const Service& service_;
    Parameters parameters_;
    std::vector<Value> maps_;
    std::vector<ServiceResult> results_;
};

/// The named service, fit for the place where the step stands.
Result<const Service*> service_of(const Node& node, bool starts) {
    if (node.args.empty() || node.args[0].is_null()) return &list_service;
    HOB_ASSIGN_OR_RETURN(const std::string name,
                         string_argument(node, 0, "a service's name (string)"));
    const auto row = std::find_if(kServices.begin(), kServices.end(),
                                  [&name](const Service* s) { return s->name == name; });
    if (row == kServices.end())
        return Error::invalid("Unrecognized service: {}; g.call() lists the services", name);
    if (starts && (*row)->place == Service::Place::kStreaming) {
        return Error::invalid(
            "This service cannot be used to start a traversal. {} works on what comes in: "
            "g.V().call('{}')",
            name, name);
    }
    if (!starts && (*row)->place == Service::Place::kStart) {
        return Error::invalid(
            "This service cannot be used mid-traversal. {} begins a traversal: g.call('{}')", name,
            name);
    }
    return *row;
}

Result<Op*> make_call(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(const Service* const service, service_of(node, input == nullptr));
    HOB_ASSIGN_OR_RETURN(Parameters parameters, Parameters::make(compiler, node));
    return compiler.add<CallOp>(or_start(compiler, input), *service, std::move(parameters));
}

}  // namespace

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

constexpr Service::Parameter kListParameters[] = {
    {"service", "Only the service of that name"},
    {"verbose", "Whether to describe the services (JSON); false when not given"}};
/// The registry's own service; it names the others, not itself.
const Service list_service = {.name = "--list",
                              .place = Service::Place::kAnywhere,
                              .listed = false,
                              .parameters = kListParameters,
                              .run = list_services};

extern const StepSpec call_step;
const StepSpec call_step = {
    .name = "call", .modulators = kWith, .make = make_call, .visible = true, .starts = true};

}  // namespace hob::gremlin
