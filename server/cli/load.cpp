#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <thread>

#include "server/cli/commands.h"
#include "server/cli/load_target.h"
#include "server/cli/settings.h"

namespace hob::server::cli {
namespace {

using gremlin::GraphReader;
using gremlin::GraphRecord;
using Clock = std::chrono::steady_clock;

/// A record's text longer than this is named in the reject file, not copied.
constexpr std::size_t kRejectTextMax = 16 << 10;
constexpr int kTriesMax = 5;

struct Counts {
    std::uint64_t vertices = 0;
    std::uint64_t edges = 0;
    std::uint64_t rejected = 0;
};

/// Says how far the load is: one line that changes on a terminal, a line now and then elsewhere.
class Progress {
  public:
    void show(const Counts& counts, double part_done, bool is_end) {
        const auto now = Clock::now();
        const auto pause =
            is_terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5'000);
        if (!is_end && now - shown_ < pause) return;
        shown_ = now;
        const double seconds =
            std::max(std::chrono::duration<double>(now - started_).count(), 1e-3);
        const double rate = static_cast<double>(counts.vertices + counts.edges) / seconds;
        std::string line = fmt::format("{} vertices, {} edges", counts.vertices, counts.edges);
        if (counts.rejected > 0) line += fmt::format(", {} rejected", counts.rejected);
        line += fmt::format(", {:.0f}/s", rate);
        if (is_end) {
            line += fmt::format(" in {:.1f} s", seconds);
        } else if (part_done > 0.01) {
            const auto left = static_cast<std::int64_t>(seconds * (1 - part_done) / part_done);
            line += fmt::format(", {:.0f} %, {}:{:02} left", part_done * 100, left / 60, left % 60);
        }
        fmt::print(stderr, "{}loaded {}{}", is_terminal_ ? "\r\x1b[K" : "", line,
                   is_terminal_ && !is_end ? "" : "\n");
        std::fflush(stderr);
    }

  private:
    const bool is_terminal_ = ::isatty(STDERR_FILENO) == 1;
    const Clock::time_point started_ = Clock::now();
    Clock::time_point shown_ = started_;
};

/// The file for what could not be loaded: a line with the reason, then the record as it stood.
class Rejects {
  public:
    explicit Rejects(std::string path)
        : path_(path.empty() ? "hobgoblin-rejects.txt" : std::move(path)) {}
    void add(const std::string& reason, std::string_view header, std::string_view text) {
        if (!file_.is_open()) {
            file_.open(path_, std::ios::trunc);
            fmt::print(stderr, "{}\nrejected records go to {}\n", reason, path_);
        }
        file_ << "# " << reason << "\n";
        if (!header.empty() && header != header_) file_ << (header_ = header) << "\n";
        if (!text.empty()) file_ << text << "\n";
    }

  private:
    std::string path_;
    std::string header_;
    std::ofstream file_;
};

/// Loads files: first every vertex, then every edge, since an edge may come before its vertices.
class Loader {
  public:
    Loader(const LoadOptions& options, LoadTarget& target)
        : options_(options), target_(target), rejects_(options.rejects) {}

    Status run() {
        for (const auto kind : {GraphRecord::Kind::kVertex, GraphRecord::Kind::kEdge}) {
            for (const auto& file : options_.files) {
                HOB_TRY(load_file(file, kind));
                ++files_done_;
            }
        }
        progress_.show(counts_, 1, true);
        return {};
    }
    [[nodiscard]] const Counts& counts() const { return counts_; }

  private:
    Status load_file(const std::string& file, GraphRecord::Kind kind) {
        if (file == "-") return Error::invalid("standard input can't be read twice; give a file");
        HOB_ASSIGN_OR_RETURN(const auto reader,
                             gremlin::open_graph_reader(file, {.format = options_.format}));
        const std::string_view header = reader->header();
        const bool is_csv = !header.empty();
        const bool has_edges = !is_csv || header.find("~from") != std::string_view::npos;
        const bool has_vertices = !is_csv || !has_edges;
        if (kind == GraphRecord::Kind::kVertex ? !has_vertices : !has_edges) return {};
        // A file that is read twice complains once.
        const bool complains = is_csv || kind == GraphRecord::Kind::kVertex;
        GraphRecord record;
        while (true) {
            auto more = reader->next(record);
            if (!more.ok()) {
                if (complains) HOB_TRY(reject(more.error().message, *reader));
                continue;
            }
            if (!*more) break;
            if (record.kind != kind) continue;
            const std::string_view text = reader->text();
            batch_.push_back(std::move(record));
            texts_.emplace_back(text.size() <= kRejectTextMax && is_csv ? text
                                                                        : std::string_view());
            record = {};
            if (batch_.size() >= target_.batch_size()) HOB_TRY(flush(file, header));
            show(*reader);
        }
        return flush(file, header);
    }

    Status flush(const std::string& file, std::string_view header) {
        if (!batch_.empty()) HOB_TRY(write(file, header, 0, batch_.size()));
        batch_.clear();
        texts_.clear();
        return {};
    }

    /// Writes a part of the batch; when a record in it is bad, halves it until that one stands
    /// alone.
    Status write(const std::string& file, std::string_view header, std::size_t at,
                 std::size_t count) {
        const std::span<const GraphRecord> records(batch_.data() + at, count);
        Status written = target_.write(records);
        for (int tries = 1;
             !written.ok() && written.error().code == Code::kConflict && tries < kTriesMax;
             ++tries) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20 << tries));
            written = target_.write(records);
        }
        if (written.ok()) {
            (batch_[at].kind == GraphRecord::Kind::kVertex ? counts_.vertices : counts_.edges) +=
                count;
            return {};
        }
        if (written.error().code == Code::kUnavailable || written.error().code == Code::kConflict)
            return written;
        if (count == 1) {
            return reject(fmt::format("{}:{}: {}", file, batch_[at].line, written.error().message),
                          header, texts_[at]);
        }
        HOB_TRY(write(file, header, at, count / 2));
        return write(file, header, at + count / 2, count - count / 2);
    }

    Status reject(const std::string& reason, const GraphReader& reader) {
        const std::string_view text = reader.text();
        return reject(reason, reader.header(),
                      text.size() <= kRejectTextMax ? text : std::string_view());
    }

    Status reject(const std::string& reason, std::string_view header, std::string_view text) {
        ++counts_.rejected;
        rejects_.add(reason, header, text);
        if (options_.strict) return Error::parse("{} (--strict stops here)", reason);
        return {};
    }

    void show(const GraphReader& reader) {
        const std::uint64_t total = reader.bytes_total();
        const double of_file =
            total == 0 ? 0 : static_cast<double>(reader.bytes_read()) / static_cast<double>(total);
        const auto parts = static_cast<double>(2 * options_.files.size());
        progress_.show(counts_, (static_cast<double>(files_done_) + of_file) / parts, false);
    }

    const LoadOptions& options_;
    LoadTarget& target_;
    Rejects rejects_;
    Progress progress_;
    Counts counts_;
    std::size_t files_done_ = 0;
    std::vector<GraphRecord> batch_;
    std::vector<std::string> texts_;
};

}  // namespace

int load(const LoadOptions& options) {
    auto target = options.url.empty() ? open_store_target(options) : open_server_target(options);
    if (!target.ok()) return complain("load", target.error());
    Loader loader(options, **target);
    const auto done = loader.run();
    if (!done.ok()) return complain("load", done.error());
    return loader.counts().rejected == 0 ? exit_code::kOk : exit_code::kFailed;
}

}  // namespace hob::server::cli
