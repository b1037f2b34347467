#include "server/wire/status.h"

namespace hob::server {

int status_code_of(Code code, RequestForm form) {
    switch (code) {
        case Code::kFailStep:
            return status::kFailStep;
        case Code::kConflict:
        case Code::kUnavailable:
        case Code::kCancelled:
            return status::kTemporary;
        case Code::kTimeout:
            return status::kTimeout;
        case Code::kCorrupt:
        case Code::kInternal:
            return status::kServerError;
        case Code::kInvalidArgument:
        case Code::kParse:
        case Code::kUnsupported:
        case Code::kNotFound:
        case Code::kAlreadyExists:
        case Code::kExecution:
        case Code::kLimit:
            break;
    }
    return form == RequestForm::kText ? status::kEvaluation : status::kServerError;
}

StatusLine status_of(const Error& error, RequestForm form) {
    StatusLine line{
        .code = status_code_of(error.code, form), .message = error.message, .attributes = {}};
    line.attributes.emplace_back(
        "exceptions",
        Value::list({Value::string("hobgoblin." + std::string(name_of(error.code)))}));
    if (error.code == Code::kFailStep)
        line.attributes.emplace_back("failStepMessage", Value::string(error.message));
    return line;
}

std::string timeout_message(RequestForm form, std::int64_t timeout_ms,
                            std::string_view request_id) {
    if (form == RequestForm::kText) {
        return fmt::format(
            "Evaluation exceeded the configured 'evaluationTimeout' threshold of {} ms or "
            "evaluation was otherwise "
            "cancelled directly for request [{}]; raise it with g.with('evaluationTimeout', ms) or "
            "narrow the traversal",
            timeout_ms, request_id);
    }
    return fmt::format(
        "A timeout occurred during traversal evaluation of [{}] - consider increasing the limit "
        "given to "
        "evaluationTimeout ({} ms)",
        request_id, timeout_ms);
}

}  // namespace hob::server
