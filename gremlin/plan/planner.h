#pragma once
#include <string>
#include <utility>
#include <vector>

#include "gremlin/plan/nodes.h"
#include "gremlin/steps/step.h"

namespace hob::gremlin {

/// Compiles a traversal into a pipeline of operators.
class Planner final : public Compiler {
  public:
    /// `mentioned`: see Needs. `explains`: operators keep what they ask of the store, in words.
    Planner(QueryContext& context, std::vector<std::string> mentioned, bool explains)
        : Compiler(context), mentioned_(std::move(mentioned)), explains_(explains) {}

    /// The whole query; the last operator gives its results. `lazy_end`: only the first results
    /// will be taken, so what can be seen runs one by one.
    Result<Op*> plan(const Traversal& traversal, bool lazy_end);
    [[nodiscard]] Scope& root() { return root_; }

    Result<Op*> chain(const Traversal& traversal, Op* input, bool existence) override;
    bool has_barrier(const Traversal& traversal) override { return contains_barrier(traversal); }

  private:
    Result<Op*> make(const StepSpec& spec, const Node& node, Op* input);
    void mark_laziness(const std::vector<Node>& nodes, std::vector<std::uint8_t>& lazy) const;
    const std::vector<std::string> mentioned_;
    const bool explains_;
    Scope root_;
    bool lazy_end_ = false;
    std::size_t depth_ = 0;
};

}  // namespace hob::gremlin
