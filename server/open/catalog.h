#pragma once
#include <memory>

#include "config/config.h"
#include "gremlin/plan/engine.h"
#include "server/net/server.h"
#include "server/run/query_service.h"
#include "storage/base/error.h"

namespace hob::server {

/// The graph options of a configured graph.
graph::GraphOptions graph_options(const config::Graph& graph, bool sync);

/// Opens the configured store. Errors as the store's own, with what to do.
Result<std::shared_ptr<store::RowStore>> open_store(const config::Config& config);

/// Opens (and makes, when missing) every configured graph in the store, fills new ones that have a
/// sample, and names the sources.
Result<gremlin::Catalog> open_catalog(const config::Config& config,
                                      const std::shared_ptr<store::RowStore>& store);

/// What the configuration says about listening and limits.
ServerOptions server_options(const config::Config& config);

/// The engine behind the wire's interface.
class EngineService final : public QueryService {
  public:
    explicit EngineService(gremlin::Catalog catalog);
    [[nodiscard]] bool has_source(std::string_view name) const override;
    [[nodiscard]] std::string default_source() const override;
    Result<gremlin::RequestSettings> settings_of(const gremlin::Query& query) override;
    Result<gremlin::Outcome> run(const gremlin::Query& query, gremlin::ResultSink& sink) override;
    std::shared_ptr<gremlin::Session> new_session() override;
    Status end_transaction(gremlin::Session& session, bool commit) override;
    Status ping(const store::CallContext& call) override;
    [[nodiscard]] std::string store_kind() const override;
    gremlin::Engine& engine() { return engine_; }

  private:
    gremlin::Engine engine_;
};

}  // namespace hob::server
