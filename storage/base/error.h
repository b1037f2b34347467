#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace hob {

/// What kind of failure it was; `server` maps each to one protocol status code, nothing else does.
enum class Code : std::uint8_t {
    kInvalidArgument,  ///< The request asks for something that makes no sense (bad argument, type).
    kParse,            ///< Text or bytes that could not be read as what they claim to be.
    kUnsupported,      ///< Understood, but not offered; the message says what to do instead.
    kNotFound,         ///< A named thing (graph, source, table, session) does not exist.
    kAlreadyExists,    ///< A vertex, edge or name that must be new exists.
    kExecution,        ///< A traversal failed while it ran (wrong type, fail(), overflow).
    kFailStep,         ///< The traversal's own fail() step.
    kConflict,         ///< Lost against a concurrent transaction; the client may retry.
    kUnavailable,      ///< The store or the server can't serve now; the client may retry.
    kTimeout,          ///< The query's or the store's deadline passed.
    kCancelled,        ///< The client left, or the server stops.
    kLimit,            ///< A budget or bound was reached; the message names it.
    kCorrupt,          ///< Stored bytes that break the layout's rules.
    kInternal,         ///< Our own fault.
};

/// The code's name as logs and messages show it, for example "InvalidArgument".
std::string_view name_of(Code code);

/// A failure: a code and a sentence that says who, what was found, what was expected, and where.
struct [[nodiscard]] Error {
    Code code = Code::kInternal;
    std::string message;

    template <typename... Args>
    static Error make(Code code, fmt::format_string<Args...> format, Args&&... args) {
        return Error{code, fmt::format(format, std::forward<Args>(args)...)};
    }
    template <typename... Args>
    static Error invalid(fmt::format_string<Args...> format, Args&&... args) {
        return make(Code::kInvalidArgument, format, std::forward<Args>(args)...);
    }
    template <typename... Args>
    static Error parse(fmt::format_string<Args...> format, Args&&... args) {
        return make(Code::kParse, format, std::forward<Args>(args)...);
    }
    template <typename... Args>
    static Error unsupported(fmt::format_string<Args...> format, Args&&... args) {
        return make(Code::kUnsupported, format, std::forward<Args>(args)...);
    }
    template <typename... Args>
    static Error execution(fmt::format_string<Args...> format, Args&&... args) {
        return make(Code::kExecution, format, std::forward<Args>(args)...);
    }
    template <typename... Args>
    static Error corrupt(fmt::format_string<Args...> format, Args&&... args) {
        return make(Code::kCorrupt, format, std::forward<Args>(args)...);
    }
    template <typename... Args>
    static Error internal(fmt::format_string<Args...> format, Args&&... args) {
        return make(Code::kInternal, format, std::forward<Args>(args)...);
    }
};

/// A `T` or an Error, shaped like std::expected. `Result<void>` is a success or an Error.
template <typename T>
class [[nodiscard]] Result {
  public:
    Result(T value)
        : state_(std::in_place_index<0>, std::move(value)) {
    }  // NOLINT(google-explicit-constructor): as std::expected
    Result(Error error)
        : state_(std::in_place_index<1>, std::move(error)) {
    }  // NOLINT(google-explicit-constructor): as std::expected

    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }
    T& value() { return *std::get_if<0>(&state_); }
    const T& value() const { return *std::get_if<0>(&state_); }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    Error& error() { return *std::get_if<1>(&state_); }
    [[nodiscard]] const Error& error() const { return *std::get_if<1>(&state_); }

  private:
    std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error)
        : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor): as std::expected

    [[nodiscard]] bool ok() const { return !error_.has_value(); }
    explicit operator bool() const { return ok(); }
    Error& error() { return *error_; }
    [[nodiscard]] const Error& error() const { return *error_; }

  private:
    std::optional<Error> error_;
};

using Status = Result<void>;

#define HOB_CONCAT_INNER(a, b) a##b
#define HOB_CONCAT(a, b) HOB_CONCAT_INNER(a, b)

/// Leaves the function with the error of a Result; its value is dropped.
#define HOB_TRY(expression)                                     \
    do {                                                        \
        if (auto hob_result = (expression); !hob_result.ok()) { \
            return std::move(hob_result.error());               \
        }                                                       \
    } while (false)

/// `HOB_ASSIGN_OR_RETURN(const auto row, read(key));` leaves the function with the error, or binds
/// the value.
#define HOB_ASSIGN_OR_RETURN(declaration, expression)                \
    auto HOB_CONCAT(hob_result_, __LINE__) = (expression);           \
    if (!HOB_CONCAT(hob_result_, __LINE__).ok()) {                   \
        return std::move(HOB_CONCAT(hob_result_, __LINE__).error()); \
    }                                                                \
    declaration = std::move(HOB_CONCAT(hob_result_, __LINE__).value())

}  // namespace hob
