#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gremlin/exec/by.h"
#include "gremlin/exec/op.h"
#include "gremlin/language/traversal.h"
#include "storage/base/error.h"

namespace hob::gremlin {

struct LookUp;

/// Key of a with() behind valueMap(), propertyMap() and elementMap(): a traversal that gives the
/// properties to show of an element, written by strategies (plan/rewrite.h).
constexpr std::string_view kPropertyTraversal = "~hobgoblin.properties";

/// One option() of choose, branch, mergeV or mergeE.
struct Option {
    bool has_token = false;
    Value token;
    Value value;  ///< A traversal, or a map for merge steps.
    Value extra;  ///< option(token, map, cardinality): the cardinality.
};

/// A step with its modulators folded in: what the planner makes of a run of instructions.
struct Node {
    std::string name;
    std::vector<Value> args;
    SourcePosition at{};
    std::vector<std::string> labels;      ///< as()
    std::vector<std::vector<Value>> bys;  ///< Arguments of each by().
    std::vector<Option> options;
    std::optional<std::vector<Value>> from;  ///< Arguments of from(), to().
    std::optional<std::vector<Value>> to;
    std::vector<std::pair<Value, Value>>
        withs;           ///< with(key, value); value true when there is none.
    std::string action;  ///< io: "read" or "write".
    std::vector<std::vector<Value>>
        properties;  ///< addV, addE: arguments of property() steps that belong to the new element.
    // repeat()
    std::optional<Value> until;  ///< A traversal or predicate.
    std::optional<Value> times;
    std::optional<Value> emit;  ///< A traversal or predicate; boolean true for emit().
    bool until_first = false;   ///< until()/times() stood before repeat().
    bool emit_first = false;
    // What optimizer rules found out (plan/rules.cpp).
    std::vector<Value> ids;  ///< V/E: ids that a following hasId() asks for.
    bool has_ids = false;
    bool unchecked = false;  ///< V by ids: what follows drops vertices that don't exist by itself.
    std::vector<std::string> scan_labels;  ///< V/E: labels that a following hasLabel() asks for.
    /// V/E, the conditions behind it and the expansion behind those: the look-up they share.
    std::shared_ptr<LookUp> look_up;
    bool is_looked_up_key = false;    ///< A condition that is the look-up's key.
    bool is_looked_up_label = false;  ///< A condition that is the look-up's label.
    std::uint32_t per_vertex_max =
        0;  ///< Expansions: more than this of one vertex are never needed.
    bool edge_properties = true;
};

enum Modulator : std::uint32_t {
    kBy = 1,
    kOption = 2,
    kFromTo = 4,
    kWith = 8,
    kRepeat = 16,
    kProperty = 32,
};

class Compiler;

/// One step of the language: how it is checked and turned into an operator. Everything about a step
/// stands in its own family's file; the table (table.h) is the only other place that names it.
struct StepSpec {
    std::string_view name;
    std::uint32_t modulators = 0;
    Result<Op*> (*make)(Compiler&, const Node&, Op* input) = nullptr;
    bool barrier = false;   ///< Sees all its input before it gives anything (TinkerPop's Barrier).
    bool reducing = false;  ///< Gives one result even for no input.
    bool visible =
        false;  ///< What it does to each traverser can be seen from outside (side effects, writes).
    bool filter = false;  ///< Drops or keeps; never changes the object.
    bool stops = false;   ///< May stop its input early (limit, range).
    bool writes = false;  ///< Changes the graph.
    bool reads = false;   ///< Asks the store about its input by itself (children and by() aside).
    bool starts = false;  ///< Can begin a pipeline by itself: `make` then gets no input.
};

/// The row of that step, or null. Thread-safe.
const StepSpec* find_step(std::string_view name);

/// A repeat() being compiled: loops() inside reads its counter.
struct LoopScope {
    std::string name;
    const std::int64_t* loops = nullptr;
};

/// A global child (union, choose, repeat): works in its parent's slots. `head` is null when it
/// starts by itself.
struct Branch {
    std::unique_ptr<Scope> scope;
    SourceOp* head = nullptr;
    Op* tail = nullptr;
    bool barrier = false;  ///< Contains a step that must see all input.
};

/// Turns nodes into operators and owns them. Used by one thread at a time; lives as long as the
/// query runs.
class Compiler {
  public:
    explicit Compiler(QueryContext& context) : ctx_(&context) {}
    Compiler(const Compiler&) = delete;
    Compiler& operator=(const Compiler&) = delete;
    virtual ~Compiler() = default;

    [[nodiscard]] QueryContext& context() const { return *ctx_; }
    /// The scope of the pipeline being compiled.
    [[nodiscard]] Scope& scope() const { return *scope_; }

    template <typename OpType, typename... Args>
    OpType* add(Op* input, Args&&... args) {
        auto op = std::make_unique<OpType>(*ctx_, input, *scope_, std::forward<Args>(args)...);
        OpType* raw = op.get();
        raw->set_batch_max(ctx_->batch_max);
        ops_.push_back(std::move(op));
        return raw;
    }
    SourceOp* add_source(Scope& scope);

    /// A local child: the traversal argument runs in slots of its own. `existence`: only whether
    /// there is a result matters.
    Result<Child> child(const Value& traversal, bool existence = false);
    Result<Branch> branch(const Value& traversal, bool starts_itself = false);
    /// by()-arguments to a modulator; strings are keys.
    Result<By> by(const std::vector<Value>& arguments, std::string_view step);
    /// The modulators of a step in order; none: one identity when `at_least_one`.
    Result<std::vector<By>> bys(const Node& node, bool at_least_one = true);
    [[nodiscard]] std::vector<LoopScope>& loops() { return loops_; }
    /// Adds the operators of whole traversals (planner).
    virtual Result<Op*> chain(const Traversal& traversal, Op* input, bool existence) = 0;
    virtual bool has_barrier(const Traversal& traversal) = 0;

  protected:
    QueryContext* ctx_;
    Scope* scope_ = nullptr;
    std::vector<std::unique_ptr<Op>> ops_;
    std::vector<std::unique_ptr<Scope>> scopes_;
    std::vector<LoopScope> loops_;
    std::size_t local_children_ = 0;   ///< Compiled so far.
    std::vector<const Op*> children_;  ///< Ends of the children of the step that is being made.
};

// --- helpers for the steps' files ---

/// "limit(): argument 1 is 'two' (String), expected a count (long) at line 1, column 13"
Error bad_argument(const Node& node, std::size_t index, std::string_view expected);
Result<std::int64_t> integer_argument(const Node& node, std::size_t index, std::string_view what);
Result<std::string> string_argument(const Node& node, std::size_t index, std::string_view what);
/// True when the argument at `index` is Scope.local; `index` may be past the end.
bool is_local(const Node& node, std::size_t index);
/// Arguments without a leading Scope.
std::span<const Value> after_scope(const Node& node);

/// A TransformOp from a function object: `Status f(QueryContext&, Batch& in, Batch& out)`.
template <typename Function>
class FunctionOp final : public TransformOp {
  public:
    FunctionOp(QueryContext& context, Op* input, Scope& scope, Function function)
        : TransformOp(context, input, scope), function_(std::move(function)) {}

  protected:
    Status apply(Batch& in, Batch& out) override { return function_(ctx_, in, out); }

  private:
    Function function_;
};

template <typename Function>
Op* transform(Compiler& compiler, Op* input, Function function) {
    return compiler.add<FunctionOp<Function>>(input, std::move(function));
}

/// A map step over single values: `Result<Value> f(const Value&)`.
template <typename Function>
Op* map_values(Compiler& compiler, Op* input, Function function) {
    return transform(
        compiler, input,
        [function = std::move(function)](QueryContext& context, Batch& in, Batch& out) -> Status {
            for (Traverser& t : in) {
                HOB_ASSIGN_OR_RETURN(Value value, function(t.value));
                out.push_back(context.split(t, std::move(value)));
            }
            return {};
        });
}

/// A filter over single values: `Result<bool> f(const Value&)`.
template <typename Function>
Op* filter_values(Compiler& compiler, Op* input, Function function) {
    return transform(
        compiler, input,
        [function = std::move(function)](QueryContext&, Batch& in, Batch& out) -> Status {
            for (Traverser& t : in) {
                HOB_ASSIGN_OR_RETURN(const bool keep, function(t.value));
                if (keep) out.push_back(std::move(t));
            }
            return {};
        });
}

}  // namespace hob::gremlin
