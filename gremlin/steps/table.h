#pragma once
#include "gremlin/language/step_rows.h"
#include "gremlin/steps/step.h"

namespace hob::gremlin {

/// Every step of the table is made by the `<name>_step` of its family's file.
#define HOB_DECLARE(name, where, overloads) extern const StepSpec name##_step;
HOB_STEP_ROWS(HOB_DECLARE)
#undef HOB_DECLARE
extern const StepSpec to_step;  ///< to(Direction, ...); other forms of to() are modulators.
extern const StepSpec count_edges_step;  ///< What a rule fuses out().count() to.

}  // namespace hob::gremlin
