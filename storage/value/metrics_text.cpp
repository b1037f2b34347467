#include <fmt/format.h>

#include "storage/value/text_parts.h"

namespace hob {
namespace {

/// Widths of TinkerPop's table: step, count, traversers, milliseconds, percent.
std::string row(std::string_view step, std::string_view count, std::string_view traversers,
                std::string_view time, std::string_view percent) {
    return fmt::format("\n{:<50} {:>21} {:>11} {:>15} {:>8}", step, count, traversers, time,
                       percent);
}

std::string milliseconds(std::int64_t duration_ns) {
    return fmt::format("{:.3f}", static_cast<double>(duration_ns) / 1e6);
}

std::string count_text(const MetricsObject& v, std::string_view key) {
    for (const auto& [name, count] : v.counts) {
        if (name == key) return std::to_string(count);
    }
    return "";
}

constexpr std::string_view kPercent = "percentDur";

void append_rows(const MetricsObject& v, std::size_t depth, std::string& out) {
    std::string percent;
    for (const auto& [name, value] : v.annotations) {
        if (name == kPercent && value.kind() == Kind::kDouble) {
            percent = fmt::format("{:.2f}", value.as_double());
        }
    }
    const std::string indent(depth * 2, ' ');
    out += row((indent + v.name).substr(0, 50), count_text(v, "elementCount"),
               count_text(v, "traverserCount"), milliseconds(v.duration_ns), percent);
    for (const auto& [name, value] : v.annotations) {
        if (name != kPercent) out += fmt::format("\n{}    \\_{}={}", indent, name, to_text(value));
    }
    for (const Value& nested : v.nested) {
        append_rows(nested.as<MetricsObject>(), depth + 1, out);
    }
}

}  // namespace

void append_metrics_text(const MetricsObject& v, std::string& out) {
    out += fmt::format("Metrics{{id='{}', name='{}', counts={{", v.id, v.name);
    for (std::size_t i = 0; i < v.counts.size(); ++i) {
        out += fmt::format("{}{}={}", i == 0 ? "" : ", ", v.counts[i].first, v.counts[i].second);
    }
    out += fmt::format("}}, durationNs={}}}", v.duration_ns);
}

void append_metrics_text(const TraversalMetricsObject& v, std::string& out) {
    out += "Traversal Metrics";
    out += row("Step", "Count", "Traversers", "Time (ms)", "% Dur");
    out += '\n' + std::string(109, '=');
    for (const Value& metrics : v.metrics) {
        append_rows(metrics.as<MetricsObject>(), 0, out);
    }
    out += row(fmt::format("{:>50}", ">TOTAL"), "-", "-", milliseconds(v.duration_ns), "-");
}

}  // namespace hob
