#include "gremlin/steps/table.h"

#include <array>

namespace hob::gremlin {

const StepSpec* find_step(std::string_view name) {
#define HOB_ADDRESS(step) &step##_step,
    static constexpr std::array kSteps = {HOB_STEPS(HOB_ADDRESS)};
#undef HOB_ADDRESS
    for (const StepSpec* spec : kSteps) {
        if (spec->name == name) return spec;
    }
    return nullptr;
}

}  // namespace hob::gremlin
