#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gremlin/plan/engine.h"

namespace hob::testing {

/// How the same query may be asked; the answers must agree.
struct Way {
    std::string name;
    bool rocksdb = false;
    bool bytecode = false;
    /// with() settings put in front: another plan, so round trips are not compared.
    std::vector<gremlin::Instruction> settings{};
};

struct Answer {
    Status status{};
    std::vector<Value> results;
    store::CallStats storage{};
    std::vector<std::pair<std::string, Value>> attributes;  ///< Of the reply's status.
    std::vector<std::string> warnings;
};

/// One graph in a store of its own, with an engine over it.
class QueryRunner {
  public:
    /// `graph`: modern, classic, crew, sink, empty, or fan: five layers of 1,000 persons
    /// (small-fan: of 20; ids 1 to 5000), each of which knows three persons of the next layer;
    /// indexed by `uid`.
    QueryRunner(const Way& way, const std::string& graph);
    ~QueryRunner();
    QueryRunner(const QueryRunner&) = delete;
    QueryRunner& operator=(const QueryRunner&) = delete;

    /// As bytecode where the text is a traversal; `settings` are put in front of its sources.
    Answer ask(const std::string& text, bool bytecode,
               const std::vector<gremlin::Instruction>& settings = {});

  private:
    std::string folder_;
    std::unique_ptr<gremlin::Engine> engine_;
};

}  // namespace hob::testing
