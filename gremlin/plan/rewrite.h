#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "gremlin/language/traversal.h"
#include "storage/base/error.h"

namespace hob::gremlin {

/// One step of a traversal with the instructions that stand behind it and belong to it: what
/// strategies work on, so that a step they put in comes behind the whole of another one.
struct StepGroup {
    Instruction step;
    std::vector<Instruction> modulators;  ///< by, with, from, to, option, property of addV ...
    std::vector<Instruction> labels;      ///< as: they move on to a filter that is put in behind.

    explicit StepGroup(Instruction i) : step(std::move(i)) {}
    [[nodiscard]] const std::string& name() const { return step.name; }
};

using StepGroups = std::vector<StepGroup>;

/// What a strategy does to one level of a traversal.
using LevelRewrite = std::function<Status(StepGroups&)>;

/// Calls `rewrite` for each traversal nested anywhere in the arguments and then for the traversal
/// itself; what it puts in is not visited. With `infix` the infix or() and and() of each level
/// become steps with arguments first, so that a filter put in stands for all of a level.
Status rewrite_levels(Traversal& traversal, bool infix, const LevelRewrite& rewrite);

/// Puts steps behind `groups[at]` and hands that step's labels on to the last of them; the index of
/// that last one (`at` when there are none).
std::size_t put_behind(StepGroups& groups, std::size_t at, const std::vector<Instruction>& steps);

/// An instruction, and a nested traversal of some, as strategies write them.
Instruction make_step(std::string_view name, std::vector<Value> arguments = {});
Value make_steps(std::vector<Instruction> steps);

/// What a strategy lets be seen of properties: steps that stand behind properties().
struct PropertyView {
    std::vector<Instruction> condition;
};

/// A condition that only vertex properties must fulfil; other properties pass.
Instruction for_vertex_properties(Value condition);

/// Makes all that reads properties at one level (properties, values, the maps, by(key)) see only
/// what the view lets through.
void apply_view(StepGroups& groups, const PropertyView& view);

}  // namespace hob::gremlin
