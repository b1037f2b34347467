#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/budgets.h"
#include "gremlin/io/element_source.h"
#include "gremlin/language/script.h"
#include "storage/base/error.h"
#include "storage/graph/graph.h"
#include "storage/value/value.h"

namespace hob::gremlin {

/// A traversal source that clients name by alias: `g`, `gmodern`.
struct SourceSpec {
    std::string name;
    std::shared_ptr<graph::Graph> graph;
    bool read_only = false;
    std::string io_folder{};  ///< Whose files io() may use; empty: none.
};

/// The graphs and sources of a server. Filled at start, then immutable.
struct Catalog {
    std::vector<SourceSpec> sources;
    std::string default_source = "g";
    config::Budgets budgets{};
    std::size_t parse_cache_entries = 10'000;
    [[nodiscard]] const SourceSpec* find(std::string_view name) const;
};

/// What a session keeps between requests: variables of scripts and one open transaction for each
/// graph. Used by one request at a time.
class Session {
  public:
    Session();
    ~Session();
    std::map<std::string, Value, std::less<>> variables;
    /// The graph's open transaction, begun when there is none.
    graph::Transaction& transaction(graph::Graph& graph);
    [[nodiscard]] bool in_transaction() const { return !transactions_.empty(); }
    /// Ends every open transaction; the first error (kConflict ...) wins, the others are rolled
    /// back.
    Status commit();
    void rollback();

  private:
    std::vector<std::pair<graph::Graph*, std::unique_ptr<graph::Transaction>>> transactions_;
};

/// One request as the wire hands it over.
struct Query {
    std::string text;                           ///< A script; or
    std::shared_ptr<const Traversal> bytecode;  ///< a traversal (then `text` is ignored).
    std::map<std::string, std::string, std::less<>> aliases;  ///< "g" -> "gmodern"
    std::vector<std::pair<std::string, Value>> bindings;
    Session* session = nullptr;  ///< Null: one transaction for the request, committed at its end.
    bool manage_transaction = false;  ///< In a session: commit after this request.
    bool as_traversers = false;       ///< Results are kTraverser values with bulks (op bytecode).
    std::size_t batch_size = 64;      ///< Results handed to the sink at a time.
    bool want_properties = true;  ///< Writers will ask for vertices' properties (else only labels).
    store::CallContext call{};    ///< Deadline and cancellation.
};

/// Receives results. `accept` runs on the query's thread and may block (back-pressure); its error
/// ends the query.
class ResultSink {
  public:
    virtual ~ResultSink() = default;
    /// Up to `batch_size` results in order; everything a writer asks of `elements` for them is
    /// there.
    virtual Status accept(std::span<const Value> results, const ElementSource& elements) = 0;
};

/// What a finished query adds to the reply's status attributes (kMap string -> value): storage
/// counters when asked, cuts, warnings.
struct Outcome {
    std::vector<std::pair<std::string, Value>> attributes;
    std::vector<std::string> warnings;
    store::CallStats storage{};
};

/// Per-request settings that a traversal carries itself (g.with('evaluationTimeout', 500) ...),
/// read before it runs, so that the server can apply them.
struct RequestSettings {
    std::optional<std::int64_t> evaluation_timeout_ms;
    std::optional<std::int64_t> batch_size;
    std::optional<std::string> materialize_properties;
    std::optional<std::string> user_agent;
};

/// Runs queries over a catalog: parse, plan, execute, stream. Thread-safe; each `run` occupies its
/// calling thread until the end.
class Engine {
  public:
    explicit Engine(Catalog catalog);
    ~Engine();
    [[nodiscard]] const Catalog& catalog() const;
    /// Parses when needed (cached) and reads the settings; a parse error comes as kParse.
    Result<RequestSettings> settings_of(const Query& query);
    Result<Outcome> run(const Query& query, ResultSink& sink);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hob::gremlin
