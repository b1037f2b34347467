#pragma once
#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/base/error.h"

namespace hob::config {

/// Reads one mapping of the settings key by key and remembers which keys there are, so that
/// `finish` can name the unknown ones. The first error of a Section sticks and is given by
/// `finish`. Used by one thread at a time.
class Section {
  public:
    Section(const YAML::Node& node, std::string path, std::string origin);

    void read(const char* key, std::string& out);
    void read(const char* key, bool& out);
    void read(const char* key, std::vector<std::string>& out);  ///< A list, or a text with commas.
    template <typename Number>
    void number(const char* key, Number& out, std::uint64_t min, std::uint64_t max) {
        if (const auto v = integer(key, min, max, false)) out = static_cast<Number>(*v);
    }
    /// As `number`, and "64MiB", "10 MB", "1GiB" are understood.
    template <typename Number>
    void bytes(const char* key, Number& out, std::uint64_t min, std::uint64_t max) {
        if (const auto v = integer(key, min, max, true)) out = static_cast<Number>(*v);
    }
    template <typename Enum>
    void choice(const char* key, Enum& out,
                std::initializer_list<std::pair<const char*, Enum>> names) {
        std::vector<std::string_view> known;
        const std::optional<std::string> found = text(key);
        for (const auto& [name, value] : names) {
            if (found && *found == name) {
                out = value;
                return;
            }
            known.emplace_back(name);
        }
        if (found) wrong_choice(key, *found, known);
    }
    /// The mapping under `key`; an empty one when it is absent.
    Section section(const char* key);
    /// Name and node of each entry under `key`, for mappings whose keys the user chooses.
    std::vector<std::pair<std::string, YAML::Node>> entries(const char* key);
    void fail(std::string message);
    Status finish();

  private:
    YAML::Node take(const char* key);
    std::optional<std::string> text(const char* key);
    std::optional<std::uint64_t> integer(const char* key, std::uint64_t min, std::uint64_t max,
                                         bool with_unit);
    void wrong_choice(const char* key, const std::string& found,
                      const std::vector<std::string_view>& known);
    [[nodiscard]] std::string name(const char* key) const;

    YAML::Node node_;
    std::string path_;
    std::string origin_;
    std::vector<std::string> known_;
    std::optional<Error> error_;
};

/// The known word nearest to `word` when it is near enough to be meant (a typing mistake or two),
/// else empty.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// Puts `value` (YAML text) at the dotted path, making mappings on the way.
Status set_path(const YAML::Node& root, std::string_view path, const std::string& value);

/// The dotted path of an environment variable's name: HOBGOBLIN_HBASE__CALL_TIMEOUT ->
/// hbase.callTimeout, spelled as in `known` and in `root` whatever the case.
std::string path_of_variable(std::string_view variable, const YAML::Node& root,
                             const std::vector<std::string>& known);

}  // namespace hob::config
