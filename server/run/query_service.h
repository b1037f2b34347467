#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "gremlin/plan/engine.h"
#include "storage/base/error.h"

namespace hob::server {

/// What the wire needs of an engine; the server knows nothing else of it, and the wire's tests put
/// a double here. Thread-safe; `run`, `end_transaction` and `ping` may block.
class QueryService {
  public:
    virtual ~QueryService() = default;
    [[nodiscard]] virtual bool has_source(std::string_view name) const = 0;
    /// The source that "g" means when a request names none.
    [[nodiscard]] virtual std::string default_source() const = 0;
    virtual Result<gremlin::RequestSettings> settings_of(const gremlin::Query& query) = 0;
    virtual Result<gremlin::Outcome> run(const gremlin::Query& query,
                                         gremlin::ResultSink& sink) = 0;
    virtual std::shared_ptr<gremlin::Session> new_session() = 0;
    /// Commits or rolls back what the session has open.
    virtual Status end_transaction(gremlin::Session& session, bool commit) = 0;
    /// A real read of the store.
    virtual Status ping(const store::CallContext& call) = 0;
    /// The store's kind, for /status.
    [[nodiscard]] virtual std::string store_kind() const = 0;
};

}  // namespace hob::server
