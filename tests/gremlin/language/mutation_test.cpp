#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>

#include "tests/gremlin/language/case_file.h"

namespace hob::gremlin::test {
namespace {

/// Property: parse_script() answers every text; what it accepts can be printed and, when it is one
/// traversal, read again as the same.
void check_text(const std::string& text) {
    const auto script = parse_script(text);
    if (!script.ok()) {
        if (script.error().message.empty()) FAIL("no message for: " << text);
        return;
    }
    for (const Statement& statement : (*script)->statements) {
        if (statement.expression.traversal == nullptr || assigns(**script)) continue;
        const std::string canonical = print(*statement.expression.traversal);
        const auto again = parse_script(canonical);
        if (!again.ok()) FAIL(text << "\n" << canonical << "\n" << again.error().message);
        if (print(*(*again)->statements.back().expression.traversal) != canonical)
            FAIL(text << "\n" << canonical);
    }
}

class Mutator {
  public:
    Mutator(std::vector<std::string> corpus, std::uint64_t seed)
        : corpus_(std::move(corpus)), random_(seed) {}

    std::string next() {
        std::string text = corpus_[below(corpus_.size())];
        for (std::size_t i = below(4) + 1; i > 0; --i)
            mutate(text);
        return text;
    }

  private:
    std::size_t below(std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
    }

    void mutate(std::string& text) {
        static constexpr std::string_view kMarks = "()[]{}.,:;'\"\\+-=*/_$0129aeLNxu\n \t#>";
        const std::size_t at = below(text.size() + 1);
        switch (below(7)) {
            case 0:
                text.insert(at, 1, kMarks[below(kMarks.size())]);
                break;
            case 1:
                text.insert(at, 1, static_cast<char>(below(256)));
                break;
            case 2:
                text.erase(at, below(8));
                break;
            case 3:
                if (at < text.size()) text[at] = kMarks[below(kMarks.size())];
                break;
            case 4:
                text.insert(at, text.substr(below(text.size() + 1), below(20)));
                break;
            case 5: {
                const std::string& other = corpus_[below(corpus_.size())];
                const std::size_t from = below(other.size());
                text.insert(at, other.substr(from, below(30)));
                break;
            }
            default:
                text.resize(at);
                break;
        }
    }

    std::vector<std::string> corpus_;
    std::mt19937_64 random_;
};

std::size_t iterations() {
    const char* asked = std::getenv("HOB_MUTATIONS");
    return asked == nullptr ? 100'000 : std::strtoull(asked, nullptr, 10);
}

}  // namespace

TEST_CASE("Mutated texts crash nothing") {
    std::vector<std::string> corpus;
    for (const auto& [file, mark] : {std::pair{"valid.txt", '='}, std::pair{"invalid.txt", '!'}}) {
        for (const Case& c : read_cases(file, mark))
            corpus.push_back(c.text);
    }
    const std::uint64_t seed = 3;
    INFO("seed " << seed);
    Mutator mutator(std::move(corpus), seed);
    const std::size_t count = iterations();
    for (std::size_t i = 0; i < count; ++i)
        check_text(mutator.next());
    SUCCEED(count << " texts");
}

}  // namespace hob::gremlin::test
