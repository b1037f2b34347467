#include "config/tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>

namespace hob::config {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

/// Letters and digits only, lower case: how names are compared that may be spelled
/// EVALUATION_TIMEOUT or evaluationTimeout.
std::string folded(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            out.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
        }
    }
    return out;
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
    std::vector<std::string> parts;
    std::size_t at = 0;
    while (true) {
        const std::size_t end = text.find(separator, at);
        parts.emplace_back(text.substr(at, end - at));
        if (end == std::string_view::npos) return parts;
        at = end + separator.size();
    }
}

std::string trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
        text.remove_prefix(1);
    }
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
        text.remove_suffix(1);
    }
    return std::string(text);
}

/// The factor of a size's unit ("MiB", "kB", "" ...), or nothing.
std::optional<std::uint64_t> unit_factor(std::string unit) {
    unit = folded(unit);
    struct Unit {
        std::string_view name;
        std::uint64_t factor;
    };
    constexpr std::array<Unit, 10> kUnits{{{"", 1},
                                           {"b", 1},
                                           {"kb", 1'000},
                                           {"kib", 1ULL << 10},
                                           {"mb", 1'000'000},
                                           {"mib", 1ULL << 20},
                                           {"gb", 1'000'000'000},
                                           {"gib", 1ULL << 30},
                                           {"tb", 1'000'000'000'000},
                                           {"tib", 1ULL << 40}}};
    for (const auto& [name, factor] : kUnits) {
        if (unit == name) return factor;
    }
    return std::nullopt;
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const auto& candidate : known) {
        const std::size_t distance = edit_distance(folded(word), folded(candidate));
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

Section::Section(const YAML::Node& node, std::string path, std::string origin)
    : node_(node), path_(std::move(path)), origin_(std::move(origin)) {
    if (!node_.IsNull() && !node_.IsMap()) {
        fail(fmt::format("{} is '{}', expected a mapping of keys",
                         path_.empty() ? "the whole file" : path_,
                         node_.IsScalar() ? node_.Scalar() : "a list"));
        node_ = YAML::Node();
    }
}

std::string Section::name(const char* key) const {
    return path_.empty() ? std::string(key) : path_ + "." + key;
}

YAML::Node Section::take(const char* key) {
    known_.emplace_back(key);
    if (!node_.IsMap()) return {};
    const YAML::Node& fixed = node_;  // A const look-up does not add the key.
    const YAML::Node value = fixed[key];
    return value.IsDefined() ? value : YAML::Node();
}

std::optional<std::string> Section::text(const char* key) {
    const YAML::Node value = take(key);
    if (value.IsNull()) return std::nullopt;
    if (!value.IsScalar()) {
        fail(fmt::format("{} is a {}, expected one value", name(key),
                         value.IsMap() ? "mapping" : "list"));
        return std::nullopt;
    }
    return value.Scalar();
}

void Section::read(const char* key, std::string& out) {
    if (auto found = text(key)) out = std::move(*found);
}

void Section::read(const char* key, bool& out) {
    const auto found = text(key);
    if (!found) return;
    const std::string word = folded(*found);
    if (word == "true" || word == "yes" || word == "on") {
        out = true;
    } else if (word == "false" || word == "no" || word == "off") {
        out = false;
    } else {
        fail(fmt::format("{} is '{}', expected true or false", name(key), *found));
    }
}

void Section::read(const char* key, std::vector<std::string>& out) {
    const YAML::Node value = take(key);
    if (value.IsNull()) return;
    std::vector<std::string> items;
    if (value.IsScalar()) {
        for (const auto& part : split(value.Scalar(), ","))
            items.push_back(trimmed(part));
    } else if (value.IsSequence()) {
        for (const auto& item : value) {
            if (!item.IsScalar()) {
                fail(fmt::format("{} holds something that is not a text", name(key)));
                return;
            }
            items.push_back(item.Scalar());
        }
    } else {
        fail(fmt::format("{} is a mapping, expected a list of texts", name(key)));
        return;
    }
    std::erase(items, "");
    out = std::move(items);
}

std::optional<std::uint64_t> Section::integer(const char* key, std::uint64_t min, std::uint64_t max,
                                              bool with_unit) {
    const auto found = text(key);
    if (!found) return std::nullopt;
    const std::string digits = trimmed(*found);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const std::string rest = trimmed(std::string_view(end, digits.data() + digits.size()));
    const auto factor = with_unit ? unit_factor(rest) : std::optional<std::uint64_t>(1);
    const bool is_number = error == std::errc() && (with_unit ? factor.has_value() : rest.empty());
    const bool fits = is_number && value <= std::numeric_limits<std::uint64_t>::max() / *factor;
    if (!fits || value * *factor < min || value * *factor > max) {
        fail(fmt::format("{} is '{}', expected a {} from {} to {}", name(key), *found,
                         with_unit ? "size in bytes (or with a unit: 64MiB)" : "whole number", min,
                         max));
        return std::nullopt;
    }
    return value * *factor;
}

void Section::wrong_choice(const char* key, const std::string& found,
                           const std::vector<std::string_view>& known) {
    fail(fmt::format("{} is '{}', expected one of {}", name(key), found, fmt::join(known, ", ")));
}

Section Section::section(const char* key) {
    return {take(key), name(key), origin_};
}

std::vector<std::pair<std::string, YAML::Node>> Section::entries(const char* key) {
    const YAML::Node value = take(key);
    std::vector<std::pair<std::string, YAML::Node>> found;
    if (value.IsNull()) return found;
    if (!value.IsMap()) {
        fail(fmt::format("{} must be a mapping of names", name(key)));
        return found;
    }
    for (const auto& entry : value)
        found.emplace_back(entry.first.Scalar(), entry.second);
    return found;
}

void Section::fail(std::string message) {
    if (!error_) error_ = Error{Code::kInvalidArgument, origin_ + ": " + std::move(message)};
}

Status Section::finish() {
    if (!error_ && node_.IsMap()) {
        for (const auto& entry : node_) {
            const std::string& key = entry.first.Scalar();
            if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
            const std::string hint = nearest(key, known_);
            fail(fmt::format("unknown key '{}'{}", name(key.c_str()),
                             hint.empty()
                                 ? "; known here are " + fmt::format("{}", fmt::join(known_, ", "))
                                 : "; did you mean '" + name(hint.c_str()) + "'?"));
        }
    }
    if (error_) return *error_;
    return {};
}

Status set_path(const YAML::Node& root, std::string_view path, const std::string& value) {
    YAML::Node at = root;
    for (const auto& part : split(path, ".")) {
        if (part.empty()) return Error::invalid("'{}' is not a path such as hbase.gateways", path);
        if (at.IsDefined() && !at.IsNull() && !at.IsMap()) at = YAML::Node(YAML::NodeType::Map);
        at.reset(at[part]);
    }
    try {
        at = YAML::Load(value);
    } catch (const YAML::Exception&) {
        at = value;
    }
    return {};
}

std::string path_of_variable(std::string_view variable, const YAML::Node& root,
                             const std::vector<std::string>& known) {
    variable.remove_prefix(std::min(variable.size(), std::string_view("HOBGOBLIN_").size()));
    std::string path;
    YAML::Node at = YAML::Clone(root);
    for (const auto& part : split(variable, "__")) {
        std::string spelled;
        if (at.IsMap()) {
            for (const auto& entry : at) {
                if (folded(entry.first.Scalar()) == folded(part)) spelled = entry.first.Scalar();
            }
        }
        for (const auto& name : known) {
            if (spelled.empty() && folded(name) == folded(part)) spelled = name;
        }
        if (spelled.empty()) {
            for (const char c : part) {
                spelled.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
            }
        }
        path += (path.empty() ? "" : ".") + spelled;
        at.reset(at.IsMap() ? YAML::Node(at[spelled]) : YAML::Node());
    }
    return path;
}

}  // namespace hob::config
