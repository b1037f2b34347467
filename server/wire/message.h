#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gremlin/io/element_source.h"
#include "server/wire/serializer.h"
#include "storage/base/error.h"
#include "storage/value/value.h"

namespace hob::server {

/// A request of TinkerPop 3's sub-protocol (DESIGN.md section 7).
struct Request {
    std::string id;  ///< Lower case, whatever form it came in.
    std::string op;
    std::string processor;
    Value args;  ///< kMap

    /// The argument, or null when it is absent or null.
    [[nodiscard]] const Value* arg(std::string_view name) const;
    /// A text argument, else empty.
    [[nodiscard]] std::string_view text(std::string_view name) const;
};

/// Reads a request's body (the part after the MIME type). Errors: kParse. Never trusts a length.
Result<Request> read_request(const Serializer& serializer, std::string_view body);

/// The request id of a body that could not be read in whole, found as well as can be, so that its
/// client hears of the failure; the nil UUID when there is none.
std::string request_id_of(const Serializer& serializer, std::string_view body);

/// What a WebSocket message says before its body. `prefix_bytes` is where the body begins.
struct Envelope {
    Serializer serializer{};
    std::size_t prefix_bytes = 0;
};
/// A binary message begins with the length of the MIME type and the type; a text message is JSON.
/// Errors: kParse.
Result<Envelope> read_envelope(std::string_view message, bool is_text);

/// An answer's status. Attributes are written in the given order.
struct StatusLine {
    int code = 200;
    std::string message;
    std::vector<std::pair<std::string, Value>> attributes;
};

/// Results that are written already, waiting for their message.
struct Items {
    std::string bytes;
    std::uint32_t count = 0;
};

/// Appends one result. `options.elements` must know it.
void add_item(const Serializer& serializer, const Value& item, const gremlin::WriteOptions& options,
              Items& items);
/// Cuts off what was added after the first `count` results ended at `bytes`, and gives it.
Items split_items(const Serializer& serializer, Items& items, std::size_t bytes,
                  std::uint32_t count);
/// One complete answer; `items` null = no data.
std::string write_answer(const Serializer& serializer, std::string_view request_id,
                         const StatusLine& status, const Items* items);

}  // namespace hob::server
