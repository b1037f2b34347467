#pragma once
#include <cstdint>
#include <string>

#include "server/wire/message.h"
#include "storage/base/error.h"

namespace hob::server {

/// The protocol's status codes (TinkerPop's provider documentation).
namespace status {
inline constexpr int kSuccess = 200;
inline constexpr int kNoContent = 204;
inline constexpr int kPartialContent = 206;
inline constexpr int kMalformedRequest = 498;
inline constexpr int kInvalidArguments = 499;
inline constexpr int kServerError = 500;
inline constexpr int kFailStep = 595;
inline constexpr int kTemporary = 596;
inline constexpr int kEvaluation = 597;
inline constexpr int kTimeout = 598;
inline constexpr int kSerialization = 599;
}  // namespace status

/// How the failed request came; the protocol tells them apart.
enum class RequestForm : std::uint8_t { kText, kBytecode };

/// The one table from our error codes to the protocol's.
int status_code_of(Code code, RequestForm form);
/// Code, message and the `exceptions` attribute (and failStepMessage) for a failure.
StatusLine status_of(const Error& error, RequestForm form);

/// TinkerPop's words for a query that ran out of time; clients look for 'evaluationTimeout'.
std::string timeout_message(RequestForm form, std::int64_t timeout_ms, std::string_view request_id);

}  // namespace hob::server
