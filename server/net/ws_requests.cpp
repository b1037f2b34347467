#include "server/net/ws_requests.h"

#include <spdlog/spdlog.h>

#include <utility>
#include <vector>

#include "server/wire/uuid.h"

namespace hob::server {
namespace {

const Serializer kDefaultBinary{.kind = Serializer::Kind::kGraphBinary, .json = {}};
const Serializer kDefaultText{.kind = Serializer::Kind::kGraphSon,
                              .json = {.version = 3, .typed = true}};

const Serializer& default_serializer(bool is_text) {
    return is_text ? kDefaultText : kDefaultBinary;
}

StatusLine malformed(const Error& error) {
    return {.code = status::kMalformedRequest,
            .message = "Message could not be parsed: " + error.message,
            .attributes = {{"exceptions", Value::list({Value::string("hobgoblin.Parse")})}}};
}

StatusLine busy(std::string message) {
    return status_of(Error{Code::kUnavailable, std::move(message)}, RequestForm::kText);
}

}  // namespace

/// Sends a request's messages; lets go of its id before the client can see the last one, so that
/// the client may use the id again.
class WsRequests::Reply final : public ReplySink {
  public:
    Reply(WsRequests& requests, std::string id) : requests_(requests), id_(std::move(id)) {}
    ~Reply() override { let_go(); }
    Reply(const Reply&) = delete;
    Reply& operator=(const Reply&) = delete;

    Status send(Message message, const store::CallContext& call) override {
        if (message.is_last) let_go();
        return requests_.outbox_.send(std::move(message), call);
    }
    void send_now(Message message) override {
        let_go();
        requests_.outbox_.send_now(std::move(message));
    }

  private:
    /// Once only: the client may have taken the id for its next request already.
    void let_go() {
        if (!std::exchange(is_gone_, true)) requests_.forget(id_);
    }

    WsRequests& requests_;
    std::string id_;
    bool is_gone_ = false;
};

WsRequests::WsRequests(Core& core, Peer peer, std::uint64_t connection, std::function<void()> wake)
    : core_(core),
      peer_(std::move(peer)),
      connection_(connection),
      outbox_(core.options.connection_buffer_bytes, std::move(wake)) {}

void WsRequests::on_message(std::string_view message, bool is_text) {
    core_.requests.fetch_add(1, std::memory_order_relaxed);
    const auto envelope = read_envelope(message, is_text);
    if (!envelope.ok()) {
        refuse(default_serializer(is_text), is_text, kNilUuid, malformed(envelope.error()));
        return;
    }
    const Serializer& serializer = envelope->serializer;
    const std::string_view body = message.substr(envelope->prefix_bytes);
    const auto request = read_request(serializer, body);
    if (!request.ok()) {
        refuse(serializer, is_text, request_id_of(serializer, body), malformed(request.error()));
        return;
    }
    auto planned = plan_job(*request, core_.service);
    if (const auto* refused = std::get_if<StatusLine>(&planned)) {
        refuse(serializer, is_text, request->id, *refused);
        return;
    }
    start(std::get<Job>(std::move(planned)), serializer, is_text, message.size());
}

void WsRequests::on_oversized(std::string_view head, bool is_text) {
    const auto envelope = read_envelope(head, is_text);
    const Serializer serializer =
        envelope.ok() ? envelope->serializer : default_serializer(is_text);
    const std::string id = envelope.ok()
                               ? request_id_of(serializer, head.substr(envelope->prefix_bytes))
                               : std::string(kNilUuid);
    refuse(serializer, is_text, id,
           malformed(Error::parse(
               "the message is larger than {} bytes; send less at once or raise maxContentLength",
               core_.options.content_bytes_max)));
}

void WsRequests::start(Job job, const Serializer& serializer, bool is_text, std::size_t bytes) {
    const std::string id = job.id;
    std::stop_source stop;
    {
        std::unique_lock lock(mutex_);
        if (running_.contains(id)) {
            lock.unlock();
            refuse(serializer, is_text, id,
                   {.code = status::kInvalidArguments,
                    .message = fmt::format(
                        "The request id {} is in use on this connection; use a fresh one.", id),
                    .attributes = {}});
            return;
        }
        // One client's waiting requests never hold more than one request of the largest size.
        if (running_bytes_ + bytes > core_.options.content_bytes_max && !running_.empty()) {
            lock.unlock();
            refuse(serializer, is_text, id,
                   busy(fmt::format("more than {} bytes of requests wait on this connection; retry "
                                    "when some are answered",
                                    core_.options.content_bytes_max)));
            return;
        }
        running_.emplace(id, Running{.stop = stop, .bytes = bytes});
        running_bytes_ += bytes;
    }

    const std::string session_id = job.session;
    const bool closes = job.action == Job::Action::kCloseSession;
    auto task = [self = shared_from_this(), job = std::move(job), serializer, is_text,
                 token = stop.get_token()](gremlin::Session* session) mutable {
        Reply reply(*self, job.id);
        self->core_.runner.run(std::move(job), serializer, is_text, self->peer_, session, token,
                               reply);
    };
    Status taken;
    if (closes) {
        core_.sessions.close(session_id, connection_);
        task(nullptr);
        return;
    }
    if (!session_id.empty()) {
        taken = core_.sessions.submit(session_id, connection_, std::move(task));
    } else if (!core_.pool.submit([task = std::move(task)]() mutable { task(nullptr); })) {
        taken = Error::make(Code::kUnavailable,
                            "the server is busy: {} requests wait already; retry later",
                            core_.options.queue_max);
    }
    if (taken.ok()) return;
    forget(id);
    refuse(serializer, is_text, id, status_of(taken.error(), RequestForm::kBytecode));
}

void WsRequests::refuse(const Serializer& serializer, bool is_text, std::string_view id,
                        const StatusLine& line) {
    SPDLOG_DEBUG("{} refused: {} {}", id, line.code, line.message);
    outbox_.send_now({.bytes = write_answer(serializer, id, line, nullptr),
                      .is_text = is_text,
                      .is_last = true});
}

void WsRequests::forget(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto found = running_.find(id);
    if (found == running_.end()) return;
    running_bytes_ -= found->second.bytes;
    running_.erase(found);
}

void WsRequests::cancel() {
    std::vector<std::stop_source> stops;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, running] : running_)
            stops.push_back(running.stop);
    }
    for (auto& stop : stops)
        stop.request_stop();
}

void WsRequests::close() {
    outbox_.close();
    cancel();
    // Rolling back may touch the store, so a worker does it when one can be had.
    auto end = [self = shared_from_this()] {
        self->core_.sessions.close_all_of(self->connection_);
    };
    if (!core_.pool.submit(end)) end();
}

bool WsRequests::has_running() const {
    const std::lock_guard lock(mutex_);
    return !running_.empty();
}

}  // namespace hob::server
