#pragma once
#include <atomic>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "server/net/server.h"

namespace hob::server::test {

/// Stands in for the engine behind the wire: the text of a request says what to answer.
///   ints N        the numbers from 0, a batch at a time
///   strings N K   N strings of K bytes
///   wait MS       nothing, after that time, or the call's own error when it is cancelled or late
///   fail CODE     an error of that code's number
///   throw         breaks the rule that nothing is thrown
///   who           which session this is, 0 without one
///   binding x     the value of the binding
/// Bytecode is answered with one traverser (7, bulk 3).
class DoubleService final : public QueryService {
  public:
    std::atomic<int> running{0};
    std::atomic<int> cancelled{0};
    std::atomic<int> commits{0};
    std::atomic<int> rollbacks{0};
    std::atomic<bool> is_store_down{false};

    [[nodiscard]] bool has_source(std::string_view name) const override {
        return name == "g" || name == "gmodern";
    }
    [[nodiscard]] std::string default_source() const override { return "g"; }

    Result<gremlin::RequestSettings> settings_of(const gremlin::Query& query) override {
        gremlin::RequestSettings settings;
        if (query.text.starts_with("timed ")) settings.evaluation_timeout_ms = 50;
        return settings;
    }

    Result<gremlin::Outcome> run(const gremlin::Query& query, gremlin::ResultSink& sink) override {
        ++running;
        auto result = answer(query, sink);
        --running;
        if (!result.ok() && result.error().code == Code::kCancelled) ++cancelled;
        return result;
    }

    /// Sessions are tokens here: the wire only passes them on.
    std::shared_ptr<gremlin::Session> new_session() override {
        const auto token = std::make_shared<int>(++session_count_);
        return {token, reinterpret_cast<gremlin::Session*>(token.get())};
    }
    Status end_transaction(gremlin::Session&, bool commit) override {
        ++(commit ? commits : rollbacks);
        return {};
    }
    Status ping(const store::CallContext&) override {
        if (is_store_down) return Error{Code::kUnavailable, "the store is away"};
        return {};
    }
    [[nodiscard]] std::string store_kind() const override { return "double"; }

  private:
    static Status emit(gremlin::ResultSink& sink, std::size_t batch, std::vector<Value> values) {
        for (std::size_t at = 0; at < values.size(); at += batch) {
            const std::size_t count = std::min(batch, values.size() - at);
            HOB_TRY(sink.accept(std::span(values).subspan(at, count), gremlin::NoElements()));
        }
        return {};
    }

    static Result<gremlin::Outcome> wait(const gremlin::Query& query, int ms) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
        while (std::chrono::steady_clock::now() < end) {
            if (query.call.stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
            if (std::chrono::steady_clock::now() > query.call.deadline)
                return Error{Code::kTimeout, "late"};
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return gremlin::Outcome{};
    }

    static Result<gremlin::Outcome> answer(const gremlin::Query& query, gremlin::ResultSink& sink) {
        if (query.bytecode != nullptr) {
            HOB_TRY(emit(sink, 1, {Value::traverser(Value::int_(7), 3)}));
            return gremlin::Outcome{};
        }
        std::istringstream words(query.text);
        std::string what;
        words >> what;
        if (what == "timed") words >> what;
        std::size_t n = 0;
        std::size_t k = 0;
        std::vector<Value> values;
        if (what == "wait") {
            words >> n;
            return wait(query, static_cast<int>(n));
        }
        if (what == "fail") {
            words >> n;
            return Error{static_cast<Code>(n), "failed as asked"};
        }
        if (what == "throw") throw std::runtime_error("a bug");
        if (what == "ints") {
            words >> n;
            for (std::size_t i = 0; i < n; ++i)
                values.push_back(Value::int_(static_cast<std::int32_t>(i)));
        } else if (what == "strings") {
            words >> n >> k;
            values.assign(n, Value::string(std::string(k, 'x')));
        } else if (what == "who") {
            values.push_back(Value::int_(
                query.session == nullptr ? 0 : *reinterpret_cast<const int*>(query.session)));
        } else if (what == "binding") {
            words >> what;
            for (const auto& [name, value] : query.bindings) {
                if (name == what) values.push_back(value);
            }
        } else if (!what.empty()) {
            return Error{Code::kParse, "no such word: " + what};
        }
        HOB_TRY(emit(sink, query.batch_size, std::move(values)));
        return gremlin::Outcome{};
    }

    std::atomic<int> session_count_{0};
};

}  // namespace hob::server::test
