#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gremlin/io/graphson.h"

namespace hob::server {

/// How requests are read and answers are written: what a MIME type means. Immutable.
struct Serializer {
    enum class Kind : std::uint8_t {
        kGraphBinary,
        kGraphBinaryText,  ///< Results as their texts ("-stringd").
        kGraphSon,
        kPlainText,  ///< One result a line; HTTP answers only.
    };
    Kind kind = Kind::kGraphSon;
    gremlin::graphson::Format json{};  ///< kGraphSon only.

    [[nodiscard]] bool is_json() const { return kind == Kind::kGraphSon; }
};

/// What a client named: case, blanks and other parameters than `types` do not matter. Nothing when
/// unknown. application/json is GraphSON 3 with types, as the drivers expect. text/plain is not
/// among them.
std::optional<Serializer> serializer_of(std::string_view mime);
/// The MIME type to put on an answer.
std::string mime_of(const Serializer& serializer);
/// Every MIME type that is understood, for messages.
std::string known_mimes();

/// The first understood type of an HTTP Accept header in the order of its preferences, text/plain
/// included; JSON for "*/*" and for an empty header. Nothing when none is understood.
std::optional<Serializer> serializer_of_accept(std::string_view accept);

}  // namespace hob::server
