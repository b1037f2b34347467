#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gremlin/exec/computer_view.h"
#include "gremlin/exec/op.h"
#include "gremlin/plan/planner.h"
#include "gremlin/plan/sources.h"

namespace hob::gremlin {

/// One traversal, planned and ready to give results. Used by one thread at a time.
class Run {
  public:
    /// `lazy_end`: only the first results will be taken. `want_properties`: whoever writes the
    /// results will ask for vertices' properties.
    static Result<std::unique_ptr<Run>> prepare(const Traversal& traversal,
                                                const SourceSpec& source,
                                                graph::Transaction& transaction,
                                                const config::Budgets& budgets,
                                                const store::CallContext& call, bool lazy_end,
                                                bool want_properties);

    /// The next traversers; an empty batch is the end.
    Status next(std::size_t max, Batch& out);
    /// Text of the plan with its storage calls, for explain().
    [[nodiscard]] Value explanation() const;
    /// A handful of results or none: nobody waits for the first of many.
    [[nodiscard]] bool gives_few() const {
        return last_->name() == "limit" || last_->name() == "drop" || last_->name() == "discard";
    }
    [[nodiscard]] bool explains() const { return explains_; }
    [[nodiscard]] const QueryContext& context() const { return context_; }
    [[nodiscard]] const SourceSettings& settings() const { return settings_; }

  private:
    Run() = default;
    Status begin(const Traversal& traversal, bool lazy_end, bool want_properties);
    void switch_off_rules();

    QueryContext context_;
    std::unique_ptr<ComputerView> computer_;  ///< Of withComputer(): what the query then runs on.
    SourceSettings settings_;
    std::unique_ptr<Planner> planner_;
    Op* last_ = nullptr;
    bool explains_ = false;
    bool profiles_ = false;
    bool finished_ = false;
    std::string text_;       ///< For explain(): as it came,
    std::string rewritten_;  ///< and behind its strategies.
};

/// Reads labels (and properties) of all vertices that writers of these results will ask for, in one
/// batch; then answers for them.
class ResultElements final : public ElementSource {
  public:
    ResultElements(graph::Transaction& transaction, bool properties)
        : transaction_(&transaction), properties_(properties) {}
    Status load(std::span<const Value> results);
    [[nodiscard]] const VertexRecord* vertex(const Value& vertex) const override;

  private:
    void collect(const Value& value, bool full, std::vector<Value>& full_vertices,
                 std::vector<Value>& ends) const;
    graph::Transaction* transaction_;
    bool properties_;
    std::vector<std::pair<Value, const VertexRecord*>> records_;  ///< Sorted by hash.
};

}  // namespace hob::gremlin
