#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "gremlin/steps/step.h"

namespace hob::gremlin {

/// A batch of calls of one service: the traversers, and for each the parameters (kMap).
struct ServiceInput {
    std::span<const Traverser> traversers;
    std::span<const Value> parameters;
};

/// One result, and the index of the traverser it belongs to.
struct ServiceResult {
    std::uint32_t input = 0;
    Value value;
};

/// A service that call() offers on every graph. A new one is a row of the table in call.cpp and a
/// constant in its family's file.
struct Service {
    enum class Place : std::uint8_t {
        kStart,      ///< Begins a traversal: g.call(...)
        kStreaming,  ///< Maps traversers: ...call(...)
        kAnywhere,
    };
    struct Parameter {
        std::string_view name;
        std::string_view meaning;
    };
    std::string_view name;
    Place place = Place::kAnywhere;
    bool listed = true;  ///< Named by g.call(); what administers the server is found by name only.
    std::span<const Parameter> parameters{};  ///< What it understands.
    /// Runs once for a batch; results come in the order of their inputs.
    Status (*run)(QueryContext&, const ServiceInput&, std::vector<ServiceResult>&) = nullptr;
};

/// A parameter that must be a string; empty when it is missing and not `required`.
Result<std::string> text_parameter(const MapObject& parameters, std::string_view service,
                                   std::string_view key, bool required);

}  // namespace hob::gremlin
