#include "server/cli/table.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace hob::server::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Wider cells are cut; --json shows everything.
constexpr std::size_t kCellCharactersMax = 60;

std::size_t characters(const std::string& utf8) {
    return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
    }));
}

std::string cut(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    if (characters(text) <= kCellCharactersMax) return text;
    std::size_t at = 0;
    for (std::size_t seen = 0; seen < kCellCharactersMax - 1; ++seen) {
        do {
            ++at;
        } while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U);
    }
    return text.substr(0, at) + "…";
}

std::string plain(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// {"name":[{"id":0,"value":"marko"}]} as name=marko.
std::string properties_text(const Json& properties) {
    std::string out;
    for (const auto& [key, values] : properties.items()) {
        const Json& list = values.is_array() ? values : Json::array({values});
        for (const auto& one : list) {
            const Json& value = one.is_object() && one.contains("value") ? one["value"] : one;
            out += (out.empty() ? "" : ", ") + key + "=" + plain(value);
        }
    }
    return out;
}

std::string cell(const std::string& key, const Json& value) {
    if (key == "properties" && value.is_object()) return cut(properties_text(value));
    if (value.is_array() && value.size() == 1 && !value[0].is_structured())
        return cut(plain(value[0]));
    return cut(plain(value));
}

std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
    std::string out;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::string text = i < cells.size() ? cells[i] : "";
        if (i > 0) out += " | ";
        out += text;
        if (i + 1 < widths.size()) out.append(widths[i] - characters(text), ' ');
    }
    while (!out.empty() && out.back() == ' ')
        out.pop_back();
    return out + "\n";
}

std::string draw(const std::vector<std::string>& header,
                 const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    widths.reserve(header.size());
    for (const auto& name : header)
        widths.push_back(characters(name));
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], characters(row[i]));
    }
    std::string rule;
    for (std::size_t i = 0; i < widths.size(); ++i)
        rule += (i > 0 ? "-+-" : "") + std::string(widths[i], '-');
    std::string out = line(header, widths) + rule + "\n";
    for (const auto& row : rows)
        out += line(row, widths);
    return out;
}

}  // namespace

std::string draw_table(const std::vector<std::string>& results_json) {
    std::vector<Json> results;
    results.reserve(results_json.size());
    for (const auto& text : results_json)
        results.push_back(Json::parse(text, nullptr, false));
    const bool all_maps =
        !results.empty() && std::all_of(results.begin(), results.end(),
                                        [](const Json& r) { return r.is_object() && !r.empty(); });
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
    if (!all_maps) {
        for (const auto& result : results)
            rows.push_back({cut(plain(result))});
        return draw({"result"}, rows);
    }
    for (const auto& result : results) {
        for (const auto& [key, value] : result.items()) {
            if (std::find(header.begin(), header.end(), key) == header.end()) header.push_back(key);
        }
    }
    for (const auto& result : results) {
        std::vector<std::string> row;
        row.reserve(header.size());
        for (const auto& key : header)
            row.push_back(result.contains(key) ? cell(key, result[key]) : "");
        rows.push_back(std::move(row));
    }
    return draw(header, rows);
}

}  // namespace hob::server::cli
