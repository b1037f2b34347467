#include "server/run/runner.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <new>
#include <utility>

namespace hob::server {
namespace {

/// Writes results as they come and sends a message whenever one is full. A full batch waits for the
/// result after it, because the last message of an answer has another status.
class BatchSink final : public gremlin::ResultSink {
  public:
    BatchSink(const Serializer& serializer, std::string_view request_id, bool is_text,
              ReplySink& out, store::CallContext call)
        : serializer_(serializer),
          request_id_(request_id),
          is_text_(is_text),
          out_(out),
          call_(std::move(call)) {}

    gremlin::WriteOptions options{};
    std::size_t batch_max = 64;
    std::size_t bytes_max = 1 << 20;
    bool is_whole = false;

    Status accept(std::span<const Value> results, const gremlin::ElementSource& elements) override {
        options.elements = &elements;
        for (const Value& result : results) {
            if (items_.count >= batch_max && !is_whole) HOB_TRY(send_partial(Items{}));
            const std::size_t before = items_.bytes.size();
            const std::uint32_t count = items_.count;
            add_item(serializer_, result, options, items_);
            if (items_.bytes.size() <= bytes_max) continue;
            if (is_whole) {
                return Error::make(Code::kLimit,
                                   "the answer is larger than {} bytes (maxHttpResponse); ask over "
                                   "WebSocket, which "
                                   "streams, or narrow the query",
                                   bytes_max);
            }
            if (count > 0) HOB_TRY(send_partial(split_items(serializer_, items_, before, count)));
        }
        return {};
    }

    /// What waits for the last message.
    Items& rest() { return items_; }
    [[nodiscard]] bool has_sent() const { return has_sent_; }

  private:
    Status send_partial(Items tail) {
        const StatusLine partial{.code = status::kPartialContent, .message = {}, .attributes = {}};
        has_sent_ = true;
        HOB_TRY(out_.send({.bytes = write_answer(serializer_, request_id_, partial, &items_),
                           .is_text = is_text_},
                          call_));
        items_ = std::move(tail);
        return {};
    }

    const Serializer& serializer_;
    std::string_view request_id_;
    bool is_text_;
    ReplySink& out_;
    store::CallContext call_;
    Items items_;
    bool has_sent_ = false;
};

/// The last net under a query: what runs out of memory or breaks a promise of ours ends that query
/// alone.
template <typename Answer>
Result<Answer> guarded(const std::function<Result<Answer>()>& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return Error::make(Code::kLimit, "the query ran out of memory");
    } catch (const std::exception& e) {
        return Error::internal("the query failed inside the server: {}", e.what());
    }
}

template <typename T>
void prefer(std::optional<T>& own, const std::optional<T>& other) {
    if (!own) own = other;
}

StatusLine success(gremlin::Outcome outcome, const Peer& peer, bool has_results) {
    StatusLine line{.code = has_results ? status::kSuccess : status::kNoContent,
                    .message = {},
                    .attributes = {}};
    line.attributes.emplace_back("host", Value::string(peer.address));
    for (auto& attribute : outcome.attributes)
        line.attributes.push_back(std::move(attribute));
    if (!outcome.warnings.empty()) {
        std::vector<Value> warnings;
        for (const auto& warning : outcome.warnings)
            warnings.push_back(Value::string(warning));
        line.attributes.emplace_back("warnings", Value::list(std::move(warnings)));
    }
    return line;
}

StatusLine failure(const Error& error, const Job& job, std::int64_t timeout_ms, const Peer& peer) {
    StatusLine line = status_of(error, job.form);
    if (error.code == Code::kTimeout) line.message = timeout_message(job.form, timeout_ms, job.id);
    line.attributes.insert(line.attributes.begin(), {"host", Value::string(peer.address)});
    return line;
}

}  // namespace

StatusLine Runner::run(Job job, const Serializer& serializer, bool is_text, const Peer& peer,
                       gremlin::Session* session, const std::stop_token& stop, ReplySink& sink,
                       bool whole) {
    const auto end_with = [&](const StatusLine& line, const Items* items) {
        return Message{.bytes = write_answer(serializer, job.id, line, items),
                       .is_text = is_text,
                       .is_last = true};
    };
    const auto fail = [&](const Error& error, std::int64_t allowed_ms) {
        StatusLine line = failure(error, job, allowed_ms, peer);
        sink.send_now(end_with(line, nullptr));
        return line;
    };
    if (stop.stop_requested())
        return fail(Error{Code::kCancelled, "the request was cancelled before it ran"}, 0);
    job.query.session = session;
    std::int64_t timeout_ms = limits_.evaluation_timeout_ms;

    if (job.action != Job::Action::kQuery) {
        Status done;
        if (session != nullptr && job.action != Job::Action::kNothing) {
            done = service_.end_transaction(*session, job.action == Job::Action::kCommit);
        }
        if (!done.ok()) return fail(done.error(), timeout_ms);
        StatusLine line = success({}, peer, false);
        sink.send_now(end_with(line, nullptr));
        return line;
    }

    auto settings =
        guarded<gremlin::RequestSettings>([&] { return service_.settings_of(job.query); });
    if (!settings.ok()) return fail(settings.error(), timeout_ms);
    prefer(job.timeout_ms, settings->evaluation_timeout_ms);
    prefer(job.batch_size, settings->batch_size);
    prefer(job.materialize_properties, settings->materialize_properties);

    timeout_ms = job.timeout_ms.value_or(timeout_ms);
    constexpr std::int64_t kYearMs = 365LL * 86'400'000;
    if (timeout_ms > 0 && timeout_ms < kYearMs) {
        job.query.call.deadline =
            std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
    }
    job.query.call.stop = stop;
    job.query.batch_size = std::clamp<std::size_t>(job.batch_size && *job.batch_size > 0
                                                       ? static_cast<std::size_t>(*job.batch_size)
                                                       : limits_.batch_size,
                                                   1, limits_.batch_size_max);
    job.query.want_properties = job.materialize_properties != "tokens";

    BatchSink batches(serializer, job.id, is_text, sink, job.query.call);
    batches.options.properties = job.query.want_properties;
    batches.options.legacy_dates = peer.legacy_dates;
    batches.batch_max = job.query.batch_size;
    batches.bytes_max = whole ? limits_.whole_bytes_max : limits_.frame_bytes_max;
    batches.is_whole = whole;

    auto outcome = guarded<gremlin::Outcome>([&] { return service_.run(job.query, batches); });
    if (!outcome.ok()) return fail(outcome.error(), timeout_ms);
    const bool has_results = batches.has_sent() || batches.rest().count > 0 || whole;
    StatusLine line = success(std::move(*outcome), peer, has_results);
    const auto sent =
        sink.send(end_with(line, has_results ? &batches.rest() : nullptr), job.query.call);
    return sent.ok() ? line : fail(sent.error(), timeout_ms);
}

}  // namespace hob::server
