#include "gremlin/plan/engine.h"

#include <algorithm>
#include <optional>

#include "gremlin/language/normalize.h"
#include "gremlin/plan/run.h"
#include "storage/value/compare.h"

namespace hob::gremlin {

struct Engine::State {
    explicit State(Catalog c) : catalog(std::move(c)), cache(catalog.parse_cache_entries) {}
    Catalog catalog;
    ParseCache cache;
};

Engine::Engine(Catalog catalog) : state_(std::make_unique<State>(std::move(catalog))) {}
Engine::~Engine() = default;

const Catalog& Engine::catalog() const {
    return state_->catalog;
}

namespace {

/// Hands results to the sink in batches of the request's size.
class Output {
  public:
    Output(const Query& query, ResultSink& sink, std::uint64_t results_max)
        : sink_(&sink),
          as_traversers_(query.as_traversers),
          properties_(query.want_properties),
          batch_size_(std::max<std::size_t>(query.batch_size, 1)),
          results_max_(results_max) {}

    void use(graph::Transaction& transaction) { transaction_ = &transaction; }

    Status add(Traverser& t) {
        if (as_traversers_) return push(Value::traverser(std::move(t.value), t.bulk));
        for (std::int64_t i = 1; i < t.bulk; ++i)
            HOB_TRY(push(t.value));
        return push(std::move(t.value));
    }
    Status add(Value value) {
        return push(as_traversers_ ? Value::traverser(std::move(value), 1) : std::move(value));
    }

    /// Sends what fills whole messages; with `all` also the rest. What writers ask of elements is
    /// read once for everything that waits.
    Status flush(bool all) {
        if (pending_.empty() || (!all && pending_.size() < batch_size_)) return {};
        std::optional<ResultElements> elements;
        if (transaction_ != nullptr) {
            elements.emplace(*transaction_, properties_);
            HOB_TRY(elements->load(pending_));
        }
        const NoElements nothing;
        const ElementSource& source =
            elements ? static_cast<const ElementSource&>(*elements) : nothing;
        std::size_t at = 0;
        while (pending_.size() - at >= batch_size_ || (all && at < pending_.size())) {
            const std::size_t count = std::min(batch_size_, pending_.size() - at);
            HOB_TRY(sink_->accept({pending_.data() + at, count}, source));
            at += count;
        }
        pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(at));
        return {};
    }

  private:
    static constexpr std::size_t kPendingMax = 4096;  ///< Results that wait to be sent together.
    Status push(Value value) {
        if (++count_ > results_max_) {
            return Error::make(Code::kLimit,
                               "the query has more than {} results, its budget maxResults; limit "
                               "it or raise the budget with "
                               "g.with('maxResults', n)",
                               results_max_);
        }
        pending_.push_back(std::move(value));
        return pending_.size() >= kPendingMax ? flush(false) : Status();
    }

    ResultSink* sink_;
    graph::Transaction* transaction_ = nullptr;
    bool as_traversers_;
    bool properties_;
    std::size_t batch_size_;
    std::uint64_t results_max_;
    std::uint64_t count_ = 0;
    std::vector<Value> pending_;
};

/// One request: its statements one after the other, over one transaction a graph.
class Request {
  public:
    Request(const Catalog& catalog, const Query& query, Session& session, ResultSink& sink)
        : catalog_(catalog),
          query_(query),
          session_(session),
          output_(query, sink, catalog.budgets.max_results) {}

    Status run(const Script& script) {
        for (std::size_t i = 0; i < script.statements.size(); ++i) {
            const Statement& statement = script.statements[i];
            const bool last = i + 1 == script.statements.size();
            if (statement.assign_to.empty() && last) {
                HOB_TRY(answer(statement.expression));
            } else {
                HOB_ASSIGN_OR_RETURN(Value value, evaluate(statement.expression));
                if (!statement.assign_to.empty())
                    session_.variables.insert_or_assign(statement.assign_to, value);
                if (last) HOB_TRY(spread(value));
            }
        }
        return output_.flush(true);
    }

    Status run(const Traversal& traversal) {
        if (traversal.steps.empty()) {
            for (const Instruction& source : traversal.sources) {
                if (source.name == "tx" && !source.arguments.empty())
                    return transact(to_text(source.arguments[0]));
            }
        }
        Traversal bound = traversal;
        HOB_TRY(normalize(bound));
        HOB_TRY(check_signatures(bound));
        HOB_TRY(stream(bound, "g"));
        return output_.flush(true);
    }

    [[nodiscard]] Outcome& outcome() { return outcome_; }

  private:
    Result<const SourceSpec*> source_of(std::string_view alias) const {
        std::string name(alias);
        if (const auto found = query_.aliases.find(alias); found != query_.aliases.end()) {
            name = found->second;
        } else if (alias == "g" && catalog_.find("g") == nullptr) {
            name = catalog_.default_source;
        }
        const SourceSpec* source = catalog_.find(name);
        if (source == nullptr) {
            return Error::make(
                Code::kNotFound,
                "The traversal source [{}] for alias [{}] is not configured on the server.", name,
                alias);
        }
        return source;
    }

    const Value* variable(std::string_view name) const {
        for (const auto& [key, value] : query_.bindings) {
            if (key == name) return &value;
        }
        const auto found = session_.variables.find(name);
        return found == session_.variables.end() ? nullptr : &found->second;
    }

    Result<Traversal> bind(const Traversal& traversal) const {
        Traversal bound = traversal;
        HOB_TRY(bind_variables(bound, [this](std::string_view name) { return variable(name); }));
        return bound;
    }

    Result<std::unique_ptr<Run>> prepare(const Traversal& traversal, std::string_view alias,
                                         bool lazy_end) {
        HOB_ASSIGN_OR_RETURN(const SourceSpec* const source, source_of(alias));
        graph::Transaction& transaction = session_.transaction(*source->graph);
        transaction.use(query_.call);
        output_.use(transaction);
        return Run::prepare(traversal, *source, transaction, catalog_.budgets, query_.call,
                            lazy_end, query_.want_properties);
    }

    /// What the query's vertex programs took.
    void note(const ComputerReport& report) {
        Value computer = make_map();
        const auto put = [&computer](std::string_view name, std::int64_t count) {
            computer.mutate<MapObject>().put(Value::string(name), Value::long_(count));
        };
        put("programs", report.programs);
        put("iterations", report.iterations);
        put("vertices", report.vertices);
        put("edges", report.edges);
        put("bytes", report.bytes);
        outcome_.attributes.emplace_back("computer", std::move(computer));
    }

    void note(const Run& run, const store::CallStats& before) {
        const QueryContext& context = run.context();
        const store::CallStats spent = context.transaction->stats() - before;
        outcome_.storage += spent;
        outcome_.warnings.insert(outcome_.warnings.end(), context.warnings.begin(),
                                 context.warnings.end());
        if (!context.cuts.empty()) {
            Value cuts = make_map();
            for (const auto& [step, count] : context.cuts)
                cuts.mutate<MapObject>().put(Value::string(step), count);
            outcome_.attributes.emplace_back("cuts", std::move(cuts));
        }
        if (ComputerView* view = computer_view(context.transaction)) note(view->report());
        if (!run.settings().storage_stats) return;
        Value stats = make_map();
        const auto put = [&stats](std::string_view name, std::uint64_t count) {
            stats.mutate<MapObject>().put(Value::string(name),
                                          Value::long_(static_cast<std::int64_t>(count)));
        };
        put("multiGets", spent.multi_gets);
        put("scans", spent.scans);
        put("rpcs", spent.rpcs);
        put("rows", spent.rows);
        put("cells", spent.cells);
        put("bytes", spent.bytes);
        put("cacheHits", spent.cache_hits);
        outcome_.attributes.emplace_back("storageStats", std::move(stats));
    }

    /// All results of a traversal go out as they come.
    Status stream(const Traversal& traversal, std::string_view alias) {
        HOB_ASSIGN_OR_RETURN(const std::unique_ptr<Run> run, prepare(traversal, alias, false));
        if (run->explains()) return output_.add(run->explanation());
        const store::CallStats before = run->context().transaction->stats();
        // A handful of results is had in one go; of many the first leave early.
        std::size_t batch = run->gives_few() ? kBatchMax : kBatchFirst;
        Batch traversers;
        while (true) {
            traversers.clear();
            HOB_TRY(run->next(batch, traversers));
            if (traversers.empty()) break;
            for (Traverser& t : traversers)
                HOB_TRY(output_.add(t));
            HOB_TRY(output_.flush(false));
            run->context().transaction->forget(kRecordsMax);
            batch = kBatchMax;
        }
        HOB_TRY(output_.flush(true));
        note(*run, before);
        return {};
    }

    static constexpr std::size_t kRecordsMax =
        50'000;  ///< Records that a long answer keeps cached.

    /// The first `count` results of a traversal.
    Status take(const Traversal& traversal, std::string_view alias, std::size_t count,
                std::vector<Value>& values) {
        HOB_ASSIGN_OR_RETURN(const std::unique_ptr<Run> run,
                             prepare(traversal, alias, count != SIZE_MAX));
        if (run->explains()) {
            values.push_back(run->explanation());
            return {};
        }
        const store::CallStats before = run->context().transaction->stats();
        Batch traversers;
        while (values.size() < count) {
            traversers.clear();
            HOB_TRY(run->next(std::min(count - values.size(), kBatchMax), traversers));
            if (traversers.empty()) break;
            for (Traverser& t : traversers) {
                for (std::int64_t i = 0; i < t.bulk && values.size() < count; ++i)
                    values.push_back(t.value);
            }
        }
        note(*run, before);
        return {};
    }

    /// The last statement: a traversal streams, anything else is a value.
    Status answer(const Expression& expression) {
        const bool streams =
            expression.kind == Expression::Kind::kTraversal &&
            (expression.calls.empty() || (expression.calls.size() == 1 &&
                                          expression.calls[0].kind == ResultCall::Kind::kToList));
        if (streams) {
            HOB_ASSIGN_OR_RETURN(const Traversal bound, bind(*expression.traversal));
            return stream(bound, expression.source);
        }
        if (expression.kind == Expression::Kind::kTransaction)
            return transact(expression.literal.text());
        if (expression.empty) return {};
        const bool silent =
            !expression.calls.empty() && expression.calls.back().kind == ResultCall::Kind::kIterate;
        HOB_ASSIGN_OR_RETURN(const Value value, evaluate(expression));
        return silent ? Status() : spread(value);
    }

    /// A script's value as results: what can be iterated is.
    Status spread(const Value& value) {
        if (value.kind() == Kind::kList || value.kind() == Kind::kSet) {
            for (const Value& item : value.items())
                HOB_TRY(output_.add(item));
            return {};
        }
        if (value.kind() == Kind::kBulkSet) {
            for (const auto& [item, count] : value.as<BulkSetObject>().entries()) {
                for (std::int64_t i = 0; i < count; ++i)
                    HOB_TRY(output_.add(item));
            }
            return {};
        }
        return output_.add(value);
    }

    Result<Value> evaluate(const Expression& expression) {
        switch (expression.kind) {
            case Expression::Kind::kTraversal:
                return evaluate_traversal(expression);
            case Expression::Kind::kTransaction:
                HOB_TRY(transact(expression.literal.text()));
                return Value();
            case Expression::Kind::kVariable: {
                const Value* value = variable(expression.variable);
                if (value == nullptr) {
                    return Error::parse(
                        "there is no variable '{}' at line {}, column {}; bind it in the request "
                        "or assign it in the session",
                        expression.variable, expression.at.line, expression.at.column);
                }
                return apply_calls(*value, expression.calls, 0);
            }
            case Expression::Kind::kLiteral: {
                Traversal holder;
                holder.steps.push_back({"constant", {expression.literal}, expression.at});
                HOB_ASSIGN_OR_RETURN(const Traversal bound, bind(holder));
                return apply_calls(bound.steps[0].arguments[0], expression.calls, 0);
            }
        }
        return Error::internal("expression kind {} has no rule", static_cast<int>(expression.kind));
    }

    Result<Value> evaluate_traversal(const Expression& expression) {
        HOB_ASSIGN_OR_RETURN(const Traversal bound, bind(*expression.traversal));
        std::vector<Value> values;
        if (expression.calls.empty()) {
            HOB_TRY(take(bound, expression.source, SIZE_MAX, values));
            return Value::list(std::move(values));
        }
        const ResultCall& call = expression.calls[0];
        using Call = ResultCall::Kind;
        const bool one =
            call.kind == Call::kNext || call.kind == Call::kHasNext || call.kind == Call::kTryNext;
        const std::size_t count = one ? 1
                                  : call.kind == Call::kNextN
                                      ? static_cast<std::size_t>(std::max<std::int64_t>(call.n, 0))
                                      : SIZE_MAX;
        HOB_TRY(take(bound, expression.source, count, values));
        Value result;
        switch (call.kind) {
            case Call::kNext:
                if (values.empty())
                    return Error::execution(
                        "next(): the traversal has no result; ask hasNext() or tryNext() first");
                result = values[0];
                break;
            case Call::kTryNext:
                if (!values.empty()) result = values[0];
                break;
            case Call::kHasNext:
                result = Value::boolean(!values.empty());
                break;
            case Call::kToSet:
                result = Value::set(std::move(values));
                break;
            case Call::kToBulkSet: {
                auto* set = new BulkSetObject;
                result = Value::adopt(Kind::kBulkSet, set);
                for (const Value& value : values)
                    set->add(value, 1);
                break;
            }
            case Call::kIterate:
                return apply_calls(Value(), expression.calls, 1);
            case Call::kNextN:
            case Call::kToList:
                result = Value::list(std::move(values));
                break;
            case Call::kIndex:
            case Call::kSize:
                return apply_calls(Value::list(std::move(values)), expression.calls, 0);
        }
        return apply_calls(result, expression.calls, 1);
    }

    static Result<Value> apply_calls(Value value, const std::vector<ResultCall>& calls,
                                     std::size_t from) {
        for (std::size_t i = from; i < calls.size(); ++i) {
            HOB_ASSIGN_OR_RETURN(value, apply_call(value, calls[i]));
        }
        return value;
    }

    static Result<Value> apply_call(const Value& value, const ResultCall& call) {
        const bool list = value.kind() == Kind::kList || value.kind() == Kind::kSet;
        switch (call.kind) {
            case ResultCall::Kind::kIndex: {
                if (!list)
                    return Error::execution("[{}] needs a list, found {} ({})", call.n,
                                            to_text(value), type_name(value));
                const auto size = static_cast<std::int64_t>(value.items().size());
                const std::int64_t at = call.n < 0 ? size + call.n : call.n;
                if (at < 0 || at >= size)
                    return Error::execution("[{}] is out of range: the list has {} items", call.n,
                                            size);
                return value.items()[static_cast<std::size_t>(at)];
            }
            case ResultCall::Kind::kSize:
                if (list) return Value::int_(static_cast<std::int32_t>(value.items().size()));
                if (value.kind() == Kind::kMap)
                    return Value::int_(static_cast<std::int32_t>(value.as<MapObject>().size()));
                return Error::execution("size() needs a list or a map, found {} ({})",
                                        to_text(value), type_name(value));
            default:
                // toList() and its like on a value that already is one.
                return value;
        }
    }

    Status transact(std::string_view method) {
        if (method == "commit") return session_.commit();
        if (method == "rollback") session_.rollback();
        // open, begin, close and their like: a transaction begins with its first read or write.
        return {};
    }

    const Catalog& catalog_;
    const Query& query_;
    Session& session_;
    Output output_;
    Outcome outcome_;
};

}  // namespace

Result<RequestSettings> Engine::settings_of(const Query& query) {
    if (query.bytecode != nullptr) {
        Traversal bound = *query.bytecode;
        HOB_TRY(normalize(bound));
        return request_settings(bound);
    }
    HOB_ASSIGN_OR_RETURN(const auto script, state_->cache.parse(query.text));
    RequestSettings settings;
    for (const Statement& statement : script->statements) {
        if (statement.expression.kind == Expression::Kind::kTraversal)
            settings = request_settings(*statement.expression.traversal);
    }
    return settings;
}

Result<Outcome> Engine::run(const Query& query, ResultSink& sink) {
    Session own;
    Session& session = query.session == nullptr ? own : *query.session;
    Request request(state_->catalog, query, session, sink);
    Status status;
    if (query.bytecode != nullptr) {
        status = request.run(*query.bytecode);
    } else {
        HOB_ASSIGN_OR_RETURN(const auto script, state_->cache.parse(query.text));
        status = request.run(*script);
    }
    const bool ends = query.session == nullptr || query.manage_transaction;
    if (!status.ok()) {
        if (ends) session.rollback();
        return std::move(status.error());
    }
    if (ends) HOB_TRY(session.commit());
    return std::move(request.outcome());
}

}  // namespace hob::gremlin
