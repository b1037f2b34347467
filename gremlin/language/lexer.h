#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gremlin/language/traversal.h"

namespace hob::gremlin {

enum class TokenKind : std::uint8_t {
    kEnd,
    kWord,     ///< Identifier or keyword.
    kInteger,  ///< Unsigned, with its suffix: 12, 0x1FL, 017, 5b
    kReal,     ///< Unsigned, with its suffix: 0.5, .5f, 1e3, 2d
    kString,   ///< With its quotes, escapes not resolved.
    kPunctuation,
    kRange,  ///< `..`
    kBad,    ///< An unfinished string or comment; `Token::text` is where it starts.
};

/// A piece of the text, borrowed from it.
struct Token {
    TokenKind kind = TokenKind::kEnd;
    bool after_newline = false;  ///< A line ended between the token before and this one.
    std::string_view text;
    SourcePosition at{};
    [[nodiscard]] bool is(char c) const {
        return kind == TokenKind::kPunctuation && text.front() == c;
    }
    [[nodiscard]] bool is_word(std::string_view word) const {
        return kind == TokenKind::kWord && text == word;
    }
};

/// Cuts a text into tokens; skips white space and comments (`//`, `/* */`). A copy is a bookmark:
/// it goes on from the same place. Not thread-safe; borrows the text.
class Lexer {
  public:
    explicit Lexer(std::string_view text) : text_(text) {}
    Token next();

  private:
    void skip_blank();
    void new_line(std::size_t line_start);
    void count_continuation(std::size_t begin, std::size_t end);
    [[nodiscard]] char peek(std::size_t ahead) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    TokenKind scan();
    TokenKind scan_number();
    TokenKind scan_string(char quote);
    void scan_digits(bool hexadecimal);

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_start_ = 0;
    std::size_t continuation_bytes_ =
        0;  ///< Of multi-byte characters on this line: columns count characters.
    std::uint32_t line_ = 1;
    bool newline_ = false;
    bool open_comment_ = false;
};

}  // namespace hob::gremlin
