#include <charconv>

#include "gremlin/language/traversal.h"
#include "server/run/runner.h"

namespace hob::server {
namespace {

constexpr std::string_view kAlias = "g";

StatusLine refusal(int code, std::string message) {
    return {
        .code = code,
        .message = std::move(message),
        .attributes = {{"exceptions", Value::list({Value::string("hobgoblin.InvalidArgument")})}}};
}

StatusLine invalid(std::string message) {
    return refusal(status::kInvalidArguments, std::move(message));
}

std::optional<std::int64_t> number_of(const Value* value) {
    if (value == nullptr) return std::nullopt;
    if (value->is_integral()) return value->as_int64();
    if (value->kind() == Kind::kDouble || value->kind() == Kind::kFloat) {
        return static_cast<std::int64_t>(value->as_double());
    }
    return std::nullopt;
}

/// The message is as Gremlin Server words it; graph-notebook looks for it.
StatusLine unknown_source(std::string_view source, std::string_view alias) {
    return invalid(
        fmt::format("The traversal source [{}] for alias [{}] is not configured on the server.",
                    source, alias));
}

std::optional<StatusLine> read_aliases(const Request& request, const QueryService& service,
                                       Job& job) {
    const Value* aliases = request.arg("aliases");
    if (aliases != nullptr && aliases->kind() != Kind::kMap) {
        return invalid(
            fmt::format("The [aliases] argument must be a map, found {}.", type_name(*aliases)));
    }
    if (aliases != nullptr) {
        for (const auto& [key, value] : aliases->as<MapObject>().entries()) {
            if (!key.is_string() || !value.is_string()) {
                return invalid(
                    "The [aliases] argument must be a map of names to names of traversal sources.");
            }
            if (!service.has_source(value.text())) return unknown_source(value.text(), key.text());
            job.query.aliases.emplace(key.text(), value.text());
        }
    }
    if (job.query.aliases.find(kAlias) == job.query.aliases.end()) {
        job.query.aliases.emplace(kAlias, service.default_source());
    }
    return std::nullopt;
}

std::optional<StatusLine> read_bindings(const Request& request, Job& job) {
    const Value* bindings = request.arg("bindings");
    if (bindings == nullptr) return std::nullopt;
    if (bindings->kind() != Kind::kMap) {
        return invalid(
            fmt::format("The [bindings] argument must be a map, found {}.", type_name(*bindings)));
    }
    for (const auto& [key, value] : bindings->as<MapObject>().entries()) {
        if (!key.is_string()) {
            return invalid(
                "The [eval] message is using one or more invalid binding keys - they must be of "
                "type String "
                "and cannot be null");
        }
        job.query.bindings.emplace_back(std::string(key.text()), value);
    }
    return std::nullopt;
}

/// A driver's g.tx().commit() is bytecode of the one source instruction tx("commit").
std::optional<StatusLine> read_transaction(Job& job) {
    const auto& traversal = *job.query.bytecode;
    if (!traversal.steps.empty() || traversal.sources.empty() ||
        traversal.sources.back().name != "tx") {
        return std::nullopt;
    }
    const auto& arguments = traversal.sources.back().arguments;
    const std::string_view what =
        !arguments.empty() && arguments[0].is_string() ? arguments[0].text() : std::string_view();
    if (what == "commit") {
        job.action = Job::Action::kCommit;
    } else if (what == "rollback") {
        job.action = Job::Action::kRollback;
    } else if (what == "begin") {
        job.action = Job::Action::kNothing;
    } else {
        return invalid(
            fmt::format("tx() in bytecode is commit, rollback or begin, found '{}'.", what));
    }
    if (job.session.empty()) {
        return invalid(
            "tx() needs a session: send the request with processor 'session' and a [session] "
            "argument.");
    }
    return std::nullopt;
}

std::optional<StatusLine> read_gremlin(const Request& request, Job& job) {
    const Value* gremlin = request.arg("gremlin");
    if (gremlin == nullptr) {
        return invalid(request.op == "eval"
                           ? "A message with an [eval] op code requires a [gremlin] argument."
                           : "A message with [bytecode] op code requires a [gremlin] argument.");
    }
    if (job.form == RequestForm::kText) {
        if (!gremlin->is_string()) {
            return invalid(fmt::format(
                "A message with an [eval] op code requires a [gremlin] argument that is a text, "
                "found {}.",
                type_name(*gremlin)));
        }
        job.query.text = gremlin->text();
        return std::nullopt;
    }
    const auto* traversal = gremlin::as_traversal(*gremlin);
    if (traversal == nullptr) {
        return invalid(
            "A message with [bytecode] op code requires a [gremlin] argument that is of type "
            "Bytecode.");
    }
    job.query.bytecode = std::make_shared<const gremlin::Traversal>(traversal->traversal);
    job.query.as_traversers = true;
    return read_transaction(job);
}

std::optional<StatusLine> read_session(const Request& request, Job& job) {
    if (request.processor != "session") return std::nullopt;
    const Value* session = request.arg("session");
    if (session == nullptr || to_text(*session).empty()) {
        return invalid(fmt::format("A message with an [{}] op code requires a [session] argument",
                                   request.op));
    }
    constexpr std::size_t kSessionIdBytesMax = 256;
    job.session = to_text(*session);
    if (job.session.size() > kSessionIdBytesMax)
        return invalid("The [session] argument has more than 256 bytes.");
    const Value* manage = request.arg("manageTransaction");
    job.query.manage_transaction =
        manage != nullptr && manage->kind() == Kind::kBool && manage->as_bool();
    return std::nullopt;
}

bool is_processor(std::string_view name) {
    return name.empty() || name == "traversal" || name == "session";
}

}  // namespace

bool reads_legacy_dates_only(std::string_view user_agent) {
    constexpr std::string_view kDriver = "Gremlin-";
    std::size_t at = user_agent.find(kDriver);
    if (at == std::string_view::npos) return false;
    at = user_agent.find('.', at);  // "Gremlin-Java.3.7.3"
    if (at == std::string_view::npos) return false;
    const std::string_view version = user_agent.substr(at + 1);
    int major = 0;
    int minor = 0;
    const char* const end = version.data() + version.size();
    const auto read = std::from_chars(version.data(), end, major);
    if (read.ec != std::errc() || read.ptr == end || *read.ptr != '.') return false;
    if (std::from_chars(read.ptr + 1, end, minor).ec != std::errc()) return false;
    return major == 3 && minor < 8;
}

std::variant<Job, StatusLine> plan_job(const Request& request, const QueryService& service) {
    if (!is_processor(request.processor)) {
        return invalid(fmt::format("Invalid OpProcessor requested [{}]", request.processor));
    }
    Job job;
    job.id = request.id;
    if (request.op == "authentication") {
        job.action = Job::Action::kNothing;  // Nobody was asked to log in.
        return job;
    }
    if (auto refused = read_session(request, job)) return *refused;
    if (request.op == "close") {
        if (job.session.empty())
            return invalid("A message with an [close] op code requires a [session] argument");
        job.action = Job::Action::kCloseSession;
        return job;
    }
    if (request.op != "eval" && request.op != "bytecode") {
        return refusal(status::kMalformedRequest,
                       fmt::format("Message with op code [{}] is not recognized.", request.op));
    }
    job.form = request.op == "eval" ? RequestForm::kText : RequestForm::kBytecode;
    if (auto refused = read_gremlin(request, job)) return *refused;
    if (auto refused = read_aliases(request, service, job)) return *refused;
    if (auto refused = read_bindings(request, job)) return *refused;
    job.timeout_ms = number_of(request.arg("evaluationTimeout"));
    if (!job.timeout_ms) job.timeout_ms = number_of(request.arg("scriptEvaluationTimeout"));
    job.batch_size = number_of(request.arg("batchSize"));
    if (const auto how = request.text("materializeProperties"); !how.empty())
        job.materialize_properties = how;
    return job;
}

}  // namespace hob::server
