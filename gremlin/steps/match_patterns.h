#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gremlin/steps/step.h"

namespace hob::gremlin {

/// The labels of one match(), each a bit; which of them a traverser's path has.
class MatchLabels {
  public:
    explicit MatchLabels(QueryContext& context) : ctx_(context) {}
    /// The label's bit. Errors: kUnsupported beyond 64 labels.
    Result<std::uint64_t> bit(std::string_view name);
    [[nodiscard]] std::uint64_t bound(const Traverser& t) const;
    /// The labels of these bits with what the traverser has under them, by name.
    [[nodiscard]] Value bindings(const Traverser& t, std::uint64_t bits) const;
    /// Puts the label on the traverser's object, as as() does.
    void put(Traverser& t, std::uint64_t bit) const;
    [[nodiscard]] const Value* newest(const Traverser& t, std::uint64_t bit) const;
    [[nodiscard]] QueryContext& context() const { return ctx_; }

  private:
    [[nodiscard]] std::uint32_t label_of(std::uint64_t bit) const;
    QueryContext& ctx_;
    std::vector<std::uint32_t> labels_;  ///< By the bit's place, as the query numbers them.
};

/// Something that turns binding sets (traversers whose paths carry labels) into more complete ones;
/// a batch at a time, one batch after the other. Used by one thread at a time.
class Matcher {
  public:
    Matcher() = default;
    Matcher(const Matcher&) = delete;
    Matcher& operator=(const Matcher&) = delete;
    virtual ~Matcher() = default;
    virtual Status start(Batch parents) = 0;
    /// Appends some; false when there will be no more.
    virtual Result<bool> next(Batch& out) = 0;
    virtual void clear() = 0;
};

/// A pattern with what the choice of the next one needs to know.
struct MatchPattern {
    std::unique_ptr<Matcher> matcher;
    std::uint64_t required = 0;  ///< Labels that must be bound before.
    std::uint64_t start = 0;     ///< Labels that start patterns in here, and that end them.
    std::uint64_t end = 0;
    bool filter = false;  ///< Only drops binding sets.
    std::string text;     ///< For messages.
};

/// Compiles patterns; the labels of nested ones are the same match()'s.
class MatchCompiler {
  public:
    MatchCompiler(Compiler& compiler, MatchLabels& labels) : compiler_(compiler), labels_(labels) {}
    /// All of these (and), or any of them (or).
    Result<MatchPattern> connective(std::vector<Traversal> traversals, bool all);

  private:
    Result<MatchPattern> pattern(const Traversal& traversal);
    Result<MatchPattern> steps_pattern(const Traversal& traversal);
    Result<MatchPattern> filter_pattern(const Traversal& traversal);
    Result<std::uint64_t> bits(const std::vector<std::string>& names);

    Compiler& compiler_;
    MatchLabels& labels_;
    std::vector<std::string>
        ends_;  ///< End labels of the whole match(), found before anything is compiled.
    bool outermost_ = true;
};

/// Where traversers that bring no label of the match() begin: a label that no pattern ends with.
std::uint64_t computed_start(const MatchPattern& whole);

}  // namespace hob::gremlin
