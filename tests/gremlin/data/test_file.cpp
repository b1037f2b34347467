#include "tests/gremlin/data/test_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace hob::testing {
namespace {

constexpr std::string_view kSeparator = "----";

class Reader {
  public:
    explicit Reader(const std::string& path) : path_(path) {
        std::ifstream file(path);
        for (std::string line; std::getline(file, line);)
            lines_.push_back(std::move(line));
    }

    std::vector<Case> read() {
        std::vector<Case> cases;
        while (at_ < lines_.size()) {
            const std::string& line = lines_[at_];
            if (line.empty() || line[0] == '#') {
                ++at_;
            } else if (line.starts_with("graph ")) {
                graph_ = line.substr(6);
                ++at_;
            } else {
                cases.push_back(read_case());
            }
        }
        if (cases.empty()) fail("the file has no case");
        return cases;
    }

  private:
    [[noreturn]] void fail(std::string_view what) const {
        throw std::runtime_error(fmt::format("{}:{}: {}", path_, at_ + 1, what));
    }

    Case read_case() {
        Case test;
        test.line = at_ + 1;
        test.graph = graph_;
        if (graph_.empty()) fail("no 'graph' line before the first case");
        read_head(test, lines_[at_++]);
        std::vector<std::string> body = lines_until(test.kind != Case::Kind::kRoundtrips);
        if (body.empty()) fail("a case without a query");
        test.query = std::move(body.back());
        body.pop_back();
        test.setup = std::move(body);
        if (test.kind != Case::Kind::kRoundtrips) test.expected = lines_until(false);
        if (test.kind == Case::Kind::kError && test.expected.empty())
            fail("an error case without words of the message");
        return test;
    }

    void read_head(Case& test, const std::string& line) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "query") {
            while (words >> word)
                read_option(test, word);
        } else if (word == "error") {
            test.kind = Case::Kind::kError;
            if (!(words >> test.code)) fail("'error' needs a code");
        } else if (word == "roundtrips") {
            test.kind = Case::Kind::kRoundtrips;
            std::uint64_t reads = 0;
            if (!(words >> reads)) fail("'roundtrips' needs a number");
            test.reads = reads;
        } else {
            fail(fmt::format("unknown kind of case '{}'", word));
        }
    }

    void read_option(Case& test, const std::string& word) {
        if (word == "ordered") {
            test.ordered = true;
        } else if (word == "typed") {
            test.typed = true;
        } else if (word.starts_with("reads=")) {
            test.reads = std::stoull(word.substr(6));
        } else {
            fail(fmt::format("unknown option '{}'", word));
        }
    }

    /// The lines up to the separator (which must come), or to an empty line or the end.
    std::vector<std::string> lines_until(bool separator) {
        std::vector<std::string> out;
        for (; at_ < lines_.size(); ++at_) {
            if (separator && lines_[at_] == kSeparator) {
                ++at_;
                return out;
            }
            if (lines_[at_].empty()) break;
            out.push_back(lines_[at_]);
        }
        if (separator) fail("no '----' line after the query");
        return out;
    }

    std::string path_;
    std::vector<std::string> lines_;
    std::size_t at_ = 0;
    std::string graph_;
};

}  // namespace

std::vector<Case> read_cases(const std::string& path) {
    return Reader(path).read();
}

std::vector<std::string> test_files(const std::string& folder) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".test") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace hob::testing
