#include "gremlin/io/json.h"

#include "gremlin/io/utf8.h"
#include "storage/value/text_parts.h"

namespace hob::gremlin {

class JsonParser {
  public:
    JsonParser(std::string_view text, std::size_t depth_max) : text_(text), depth_max_(depth_max) {}

    Status document() {
        HOB_TRY(value());
        skip_blanks();
        if (at_ != text_.size()) return error("JSON goes on after its end");
        return {};
    }
    JsonDocument take() { return std::move(document_); }

  private:
    [[nodiscard]] Error error(std::string_view what) const {
        return Error::parse("{} at byte {} of {}", what, at_, text_.size());
    }
    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' ||
                                      text_[at_] == '\r' || text_[at_] == '\t')) {
            ++at_;
        }
    }
    std::uint32_t add(JsonKind kind) {
        JsonNode node;
        node.kind = kind;
        node.at = static_cast<std::uint32_t>(at_);
        document_.nodes_.push_back(node);
        const std::uint32_t index = document_.size() - 1;
        document_.nodes_[index].end = index + 1;
        return index;
    }

    Status value();
    Status word(std::string_view name, JsonKind kind);
    Status number();
    Status string();
    Status escape(std::string& out);
    Result<char32_t> hex4();
    Status container(JsonKind kind, char close);
    bool digits();

    std::string_view text_;
    std::size_t depth_max_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    JsonDocument document_;
};

Status JsonParser::value() {
    skip_blanks();
    switch (peek()) {
        case '{':
            return container(JsonKind::kObject, '}');
        case '[':
            return container(JsonKind::kArray, ']');
        case '"':
            return string();
        case 't':
            return word("true", JsonKind::kTrue);
        case 'f':
            return word("false", JsonKind::kFalse);
        case 'n':
            return word("null", JsonKind::kNull);
        default:
            return number();
    }
}

Status JsonParser::word(std::string_view name, JsonKind kind) {
    if (text_.substr(at_, name.size()) != name) return error("expected a JSON value");
    add(kind);
    at_ += name.size();
    return {};
}

bool JsonParser::digits() {
    const std::size_t from = at_;
    while (peek() >= '0' && peek() <= '9') {
        ++at_;
    }
    return at_ > from;
}

Status JsonParser::number() {
    const std::size_t from = at_;
    const std::uint32_t index = add(JsonKind::kNumber);
    if (peek() == '-') ++at_;
    const bool leading_zero = peek() == '0';
    const std::size_t whole = at_;
    if (!digits() || (leading_zero && at_ - whole > 1)) return error("expected a JSON value");
    if (peek() == '.') {
        ++at_;
        if (!digits()) return error("expected a digit after the point");
    }
    if (peek() == 'e' || peek() == 'E') {
        ++at_;
        if (peek() == '+' || peek() == '-') ++at_;
        if (!digits()) return error("expected a digit in the exponent");
    }
    document_.nodes_[index].text = text_.substr(from, at_ - from);
    return {};
}

Result<char32_t> JsonParser::hex4() {
    char32_t v = 0;
    for (int i = 0; i < 4; ++i) {
        const char c = peek();
        const char lower = static_cast<char>(c | 0x20);
        if (c >= '0' && c <= '9') {
            v = v * 16 + static_cast<char32_t>(c - '0');
        } else if (lower >= 'a' && lower <= 'f') {
            v = v * 16 + static_cast<char32_t>(lower - 'a' + 10);
        } else {
            return error("expected four hexadecimal digits");
        }
        ++at_;
    }
    return v;
}

Status JsonParser::escape(std::string& out) {
    static constexpr std::string_view kLetters = "\"\\/bfnrt";
    static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const char c = peek();
    if (const std::size_t known = kLetters.find(c); known != std::string_view::npos && c != '\0') {
        out.push_back(kMeanings[known]);
        ++at_;
        return {};
    }
    if (c != 'u') return error("unknown escape in a string");
    ++at_;
    HOB_ASSIGN_OR_RETURN(char32_t code, hex4());
    const bool high = code >= 0xd800 && code < 0xdc00;
    if (high && text_.substr(at_, 2) == "\\u") {
        at_ += 2;
        HOB_ASSIGN_OR_RETURN(const char32_t low, hex4());
        if (low < 0xdc00 || low >= 0xe000)
            return error("a high surrogate is followed by no low one");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    append_utf8(code, out);  // A lone surrogate becomes U+FFFD.
    return {};
}

Status JsonParser::string() {
    const std::uint32_t index = add(JsonKind::kString);
    ++at_;
    std::size_t from = at_;
    std::string* decoded = nullptr;
    while (at_ < text_.size() && text_[at_] != '"') {
        const char c = text_[at_];
        if (static_cast<unsigned char>(c) < 0x20) return error("control character in a string");
        if (c != '\\') {
            ++at_;
            continue;
        }
        if (decoded == nullptr) decoded = &document_.unescaped_.emplace_back();
        decoded->append(text_, from, at_ - from);
        ++at_;
        HOB_TRY(escape(*decoded));
        from = at_;
    }
    if (at_ >= text_.size()) return error("string without an end");
    if (decoded != nullptr) decoded->append(text_, from, at_ - from);
    const std::string_view text =
        decoded != nullptr ? std::string_view(*decoded) : text_.substr(from, at_ - from);
    if (!is_utf8(text)) return error("string is not UTF-8");
    document_.nodes_[index].text = text;
    ++at_;
    return {};
}

Status JsonParser::container(JsonKind kind, char close) {
    if (depth_ >= depth_max_) return error("JSON nests too deep");
    ++depth_;
    const std::uint32_t index = add(kind);
    ++at_;
    skip_blanks();
    if (peek() == close) {
        ++at_;
        --depth_;
        return {};
    }
    while (true) {
        skip_blanks();
        if (kind == JsonKind::kObject) {
            if (peek() != '"') return error("expected a member's name");
            HOB_TRY(string());
            skip_blanks();
            if (peek() != ':') return error("expected ':'");
            ++at_;
        }
        HOB_TRY(value());
        skip_blanks();
        const char next = peek();
        if (next != ',' && next != close)
            return error("expected ',' or the end of an array or object");
        ++at_;
        if (next == close) break;
    }
    document_.nodes_[index].end = document_.size();
    --depth_;
    return {};
}

Result<JsonDocument> JsonDocument::parse(std::string_view text, std::size_t depth_max) {
    if (text.size() > 0xffffffffu) return Error::parse("JSON of {} bytes is too long", text.size());
    JsonParser parser(text, depth_max);
    HOB_TRY(parser.document());
    return parser.take();
}

std::uint32_t JsonDocument::member(std::uint32_t object, std::string_view name) const {
    if (nodes_[object].kind != JsonKind::kObject) return 0;
    for (std::uint32_t i = object + 1; i < nodes_[object].end; i = nodes_[i + 1].end) {
        if (nodes_[i].text == name) return i + 1;
    }
    return 0;
}

}  // namespace hob::gremlin
