#include "gremlin/language/lexer.h"

#include <array>

namespace hob::gremlin {
namespace {

enum : std::uint8_t { kWordStart = 1, kDigit = 2, kHex = 4, kBlank = 8 };

constexpr std::array<std::uint8_t, 256> make_classes() {
    std::array<std::uint8_t, 256> classes{};
    for (int c = 0; c < 256; ++c) {
        std::uint8_t bits = 0;
        const bool digit = c >= '0' && c <= '9';
        const int lower = c | 0x20;
        const bool letter = lower >= 'a' && lower <= 'z' && c < 0x80;
        if (letter || c == '_' || c == '$' || c >= 0x80) bits |= kWordStart;
        if (digit) bits |= kDigit;
        if (digit || (letter && lower <= 'f')) bits |= kHex;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\n') bits |= kBlank;
        classes[static_cast<std::size_t>(c)] = bits;
    }
    return classes;
}

constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

bool has_class(char c, unsigned bits) {
    return (kClasses[static_cast<unsigned char>(c)] & bits) != 0;
}

bool is_one_of(char c, std::string_view set) {
    return set.find(c) != std::string_view::npos;
}

}  // namespace

void Lexer::new_line(std::size_t line_start) {
    ++line_;
    line_start_ = line_start;
    continuation_bytes_ = 0;
}

/// Counts what follows the first byte of each character in [begin, end), and the lines that end
/// there.
void Lexer::count_continuation(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        const char c = text_[i];
        if (c == '\n') {
            new_line(i + 1);
        } else if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80U) {
            ++continuation_bytes_;
        }
    }
}

void Lexer::skip_blank() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '\n') {
            newline_ = true;
            new_line(++at_);
        } else if (has_class(c, kBlank)) {
            ++at_;
        } else if (c == '/' && peek(1) == '/') {
            const std::size_t end = text_.find('\n', at_);
            at_ = end == std::string_view::npos ? text_.size() : end;
        } else if (c == '/' && peek(1) == '*') {
            const std::size_t end = text_.find("*/", at_ + 2);
            if (end == std::string_view::npos) {
                open_comment_ = true;
                return;
            }
            const std::uint32_t line = line_;
            count_continuation(at_, end + 2);
            newline_ = newline_ || line_ != line;
            at_ = end + 2;
        } else {
            return;
        }
    }
}

Token Lexer::next() {
    newline_ = false;
    skip_blank();
    Token token;
    token.after_newline = newline_;
    token.at.line = line_;
    token.at.column = static_cast<std::uint32_t>(at_ - line_start_ - continuation_bytes_ + 1);
    const std::size_t begin = at_;
    if (begin < text_.size()) {
        token.kind = scan();
        token.text = text_.substr(begin, at_ - begin);
    } else {
        token.text = text_.substr(begin);
    }
    return token;
}

TokenKind Lexer::scan() {
    if (open_comment_) {
        at_ = text_.size();
        return TokenKind::kBad;
    }
    const char c = text_[at_];
    if (has_class(c, kWordStart)) {
        const std::size_t begin = at_;
        bool ascii = true;
        while (at_ < text_.size() && has_class(text_[at_], kWordStart | kDigit)) {
            ascii = ascii && static_cast<unsigned char>(text_[at_]) < 0x80;
            ++at_;
        }
        if (!ascii) count_continuation(begin, at_);
        return TokenKind::kWord;
    }
    if (has_class(c, kDigit) || (c == '.' && has_class(peek(1), kDigit))) return scan_number();
    if (c == '\'' || c == '"') return scan_string(c);
    if (c == '.' && peek(1) == '.') {
        at_ += 2;
        return TokenKind::kRange;
    }
    ++at_;
    return TokenKind::kPunctuation;
}

void Lexer::scan_digits(bool hexadecimal) {
    const unsigned digit = hexadecimal ? kHex : kDigit;
    while (has_class(peek(0), digit) || peek(0) == '_')
        ++at_;
}

TokenKind Lexer::scan_number() {
    if (peek(0) == '0' && (peek(1) == 'x' || peek(1) == 'X') && has_class(peek(2), kHex)) {
        at_ += 2;
        scan_digits(true);
        if (is_one_of(peek(0), "sSnNiIlL") && peek(0) != '\0') ++at_;
        return TokenKind::kInteger;
    }
    scan_digits(false);
    TokenKind kind = TokenKind::kInteger;
    if (peek(0) == '.' && has_class(peek(1), kDigit)) {
        kind = TokenKind::kReal;
        ++at_;
        scan_digits(false);
    }
    if (peek(0) == 'e' || peek(0) == 'E') {
        const std::size_t sign = is_one_of(peek(1), "+-") && peek(1) != '\0' ? 1 : 0;
        if (has_class(peek(1 + sign), kDigit)) {
            kind = TokenKind::kReal;
            at_ += 1 + sign;
            scan_digits(false);
        }
    }
    const char suffix = peek(0);
    if (suffix != '\0' && is_one_of(suffix, "fFdDmM")) {
        kind = TokenKind::kReal;
        ++at_;
    } else if (kind == TokenKind::kInteger && suffix != '\0' && is_one_of(suffix, "bBsSnNiIlL")) {
        ++at_;
    }
    return kind;
}

TokenKind Lexer::scan_string(char quote) {
    const std::size_t begin = at_;
    const bool triple = peek(1) == quote && peek(2) == quote;
    at_ += triple ? 3 : 1;
    bool plain = true;
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '\\') {
            plain = plain && peek(1) != '\n' && static_cast<unsigned char>(peek(1)) < 0x80;
            at_ += 2;
        } else if (c != quote) {
            plain = plain && static_cast<unsigned char>(c) < 0x80 && c != '\n';
            ++at_;
            continue;
        } else if (!triple) {
            ++at_;
            if (!plain) count_continuation(begin, at_);
            return TokenKind::kString;
        } else if (peek(1) == quote && peek(2) == quote) {
            at_ += 3;
            count_continuation(begin, at_);
            return TokenKind::kString;
        } else {
            ++at_;
        }
    }
    at_ = text_.size();
    return TokenKind::kBad;
}

}  // namespace hob::gremlin
