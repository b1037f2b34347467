#pragma once
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <variant>

#include "server/run/outbox.h"
#include "server/run/query_service.h"
#include "server/wire/message.h"
#include "server/wire/status.h"

namespace hob::server {

/// What requests get when they do not say otherwise.
struct RunLimits {
    std::int64_t evaluation_timeout_ms = 30'000;  ///< 0: none.
    std::size_t batch_size = 64;
    std::size_t batch_size_max = 100'000;
    std::size_t frame_bytes_max = 1 << 20;
    std::size_t whole_bytes_max = 64 << 20;  ///< An answer that is not cut into frames (HTTP).
};

/// Who asks.
struct Peer {
    std::string address;        ///< "/127.0.0.1:40312", as the `host` attribute shows it.
    bool legacy_dates = false;  ///< A driver of 3.7 or older (from its User-Agent).
};

/// True when the User-Agent is that of a driver which can't read 3.8's OffsetDateTime.
bool reads_legacy_dates_only(std::string_view user_agent);

/// A request that may be run.
struct Job {
    enum class Action : std::uint8_t { kQuery, kCommit, kRollback, kCloseSession, kNothing };
    Action action = Action::kQuery;
    std::string id;
    RequestForm form = RequestForm::kText;
    gremlin::Query query;
    std::string session;  ///< Empty: none.
    std::optional<std::int64_t> timeout_ms;
    std::optional<std::int64_t> batch_size;
    std::optional<std::string> materialize_properties;
};

/// Checks op, processor and arguments, in TinkerPop's words where it refuses. Never blocks.
std::variant<Job, StatusLine> plan_job(const Request& request, const QueryService& service);

/// Runs the job's query on this thread and sends its messages to `sink`: any number of 206, then
/// one 200, 204 or error. `whole`: one message with everything (HTTP); its status then is returned
/// with the code that it carries. Nothing is sent when the client is gone.
class Runner {
  public:
    Runner(QueryService& service, RunLimits limits) : service_(service), limits_(limits) {}
    StatusLine run(Job job, const Serializer& serializer, bool is_text, const Peer& peer,
                   gremlin::Session* session, const std::stop_token& stop, ReplySink& sink,
                   bool whole = false);
    [[nodiscard]] const RunLimits& limits() const { return limits_; }

  private:
    QueryService& service_;
    RunLimits limits_;
};

}  // namespace hob::server
