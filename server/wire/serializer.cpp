#include "server/wire/serializer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

namespace hob::server {
namespace {

constexpr std::string_view kGraphBinary = "application/vnd.graphbinary-v1.0";
constexpr std::string_view kGraphBinaryText = "application/vnd.graphbinary-v1.0-stringd";

struct JsonMime {
    std::string_view type;
    int version;
};
constexpr std::array<JsonMime, 4> kJsonMimes{{{"application/json", 3},
                                              {"application/vnd.gremlin-v3.0+json", 3},
                                              {"application/vnd.gremlin-v2.0+json", 2},
                                              {"application/vnd.gremlin-v1.0+json", 1}}};

std::string compact_lower(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::isspace(static_cast<unsigned char>(c)) == 0) {
            out.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
        }
    }
    return out;
}

/// The value of a parameter (";q=0.5") in a compacted type, or empty.
std::string_view parameter(std::string_view mime, std::string_view name) {
    std::size_t at = mime.find(';');
    while (at != std::string_view::npos) {
        std::string_view rest = mime.substr(at + 1);
        const std::size_t end = rest.find(';');
        const std::string_view one = rest.substr(0, end);
        if (one.starts_with(name) && one.size() > name.size() && one[name.size()] == '=') {
            return one.substr(name.size() + 1);
        }
        at = end == std::string_view::npos ? end : at + 1 + end;
    }
    return {};
}

}  // namespace

std::optional<Serializer> serializer_of(std::string_view mime) {
    const std::string lower = compact_lower(mime);
    const std::string_view type = std::string_view(lower).substr(0, lower.find(';'));
    if (type == kGraphBinary) return Serializer{.kind = Serializer::Kind::kGraphBinary, .json = {}};
    if (type == kGraphBinaryText) {
        return Serializer{.kind = Serializer::Kind::kGraphBinaryText, .json = {}};
    }
    for (const auto& [name, version] : kJsonMimes) {
        if (type != name) continue;
        const bool typed = version != 1 && parameter(lower, "types") != "false";
        return Serializer{.kind = Serializer::Kind::kGraphSon,
                          .json = {.version = version, .typed = typed}};
    }
    return std::nullopt;
}

std::string mime_of(const Serializer& serializer) {
    switch (serializer.kind) {
        case Serializer::Kind::kGraphBinary:
            return std::string(kGraphBinary);
        case Serializer::Kind::kGraphBinaryText:
            return std::string(kGraphBinaryText);
        case Serializer::Kind::kPlainText:
            return "text/plain";
        case Serializer::Kind::kGraphSon:
            break;
    }
    std::string mime =
        "application/vnd.gremlin-v" + std::to_string(serializer.json.version) + ".0+json";
    if (!serializer.json.typed) mime += ";types=false";
    return mime;
}

std::string known_mimes() {
    std::string out(kGraphBinary);
    out.append(", ").append(kGraphBinaryText);
    for (const auto& one : kJsonMimes)
        out.append(", ").append(one.type);
    return out;
}

std::optional<Serializer> serializer_of_accept(std::string_view accept) {
    const std::string lower = compact_lower(accept);
    if (lower.empty()) return serializer_of("application/json");
    std::vector<std::pair<double, std::string_view>> wishes;
    std::string_view rest = lower;
    while (true) {
        const std::size_t comma = rest.find(',');
        const std::string_view one = rest.substr(0, comma);
        const std::string_view q = parameter(one, "q");
        if (!one.empty())
            wishes.emplace_back(q.empty() ? 1.0 : std::strtod(std::string(q).c_str(), nullptr),
                                one);
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    std::stable_sort(wishes.begin(), wishes.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [q, mime] : wishes) {
        if (const auto found = serializer_of(mime)) return found;
        const std::string_view type = mime.substr(0, mime.find(';'));
        if (type == "text/plain")
            return Serializer{.kind = Serializer::Kind::kPlainText, .json = {}};
        if (type == "*/*" || type == "application/*") return serializer_of("application/json");
    }
    return std::nullopt;
}

}  // namespace hob::server
