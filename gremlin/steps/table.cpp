#include "gremlin/steps/table.h"

#include <unordered_map>

namespace hob::gremlin {

const StepSpec* find_step(std::string_view name) {
    // Asked several times for every step of every request that is planned: by hash.
#define HOB_ENTRY(step, where, overloads) {step##_step.name, &step##_step},
    static const std::unordered_map<std::string_view, const StepSpec*> kSteps = {
        HOB_STEP_ROWS(HOB_ENTRY){to_step.name, &to_step},
        {count_edges_step.name, &count_edges_step}};
#undef HOB_ENTRY
    const auto found = kSteps.find(name);
    return found == kSteps.end() ? nullptr : found->second;
}

}  // namespace hob::gremlin
