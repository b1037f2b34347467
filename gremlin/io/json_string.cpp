#include "gremlin/io/graphson.h"
#include "gremlin/io/utf8.h"

namespace hob::gremlin::graphson {

void write_json_string(std::string_view utf8, std::string& out) {
    static constexpr char kDigits[] = "0123456789abcdef";
    out += '"';
    std::size_t from = 0;
    const auto flush = [&](std::size_t to) { out.append(utf8, from, to - from); };
    std::size_t at = 0;
    while (at < utf8.size()) {
        const auto c = static_cast<unsigned char>(utf8[at]);
        if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
            ++at;
            continue;
        }
        if (c >= 0x80) {
            const std::size_t size = decode_utf8(utf8.substr(at, 4)).size;
            if (size > 0) {
                at += size;
                continue;
            }
        }
        flush(at);
        static constexpr std::string_view kShort = "\"\\\b\f\n\r\t";
        static constexpr std::string_view kLetters = "\"\\bfnrt";
        if (const std::size_t known = kShort.find(static_cast<char>(c));
            known != std::string_view::npos) {
            out += '\\';
            out += kLetters[known];
        } else if (c >= 0x80) {
            out += "\\ufffd";  // Bytes that are no UTF-8 must not make the text unreadable.
        } else {
            out += "\\u00";
            out += kDigits[c >> 4];
            out += kDigits[c & 15];
        }
        from = ++at;
    }
    flush(at);
    out += '"';
}

}  // namespace hob::gremlin::graphson
