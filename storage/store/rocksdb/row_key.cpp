#include "storage/store/rocksdb/row_key.h"

namespace hob::store {

void append_row_prefix(std::string& out, std::string_view row) {
    while (!row.empty()) {
        const std::size_t zero = row.find('\0');
        out.append(row.substr(0, zero));
        if (zero == std::string_view::npos) break;
        out.append("\0\1", 2);
        row.remove_prefix(zero + 1);
    }
    out.append("\0\0", 2);
}

std::string row_prefix(std::string_view row) {
    std::string out;
    out.reserve(row.size() + 4);
    append_row_prefix(out, row);
    return out;
}

std::string after_row(std::string_view prefix) {
    std::string out(prefix);
    out.back() = '\1';
    return out;
}

std::size_t row_prefix_size(std::string_view key) {
    std::size_t at = 0;
    while (true) {
        const std::size_t zero = key.find('\0', at);
        if (zero == std::string_view::npos || zero + 1 >= key.size()) return kNoRowPrefix;
        if (key[zero + 1] == '\0') return zero + 2;
        at = zero + 2;
    }
}

void unescape_row(std::string_view prefix, std::string& row) {
    row.clear();
    prefix.remove_suffix(2);
    while (!prefix.empty()) {
        const std::size_t zero = prefix.find('\0');
        if (zero == std::string_view::npos) {
            row.append(prefix);
            return;
        }
        row.append(prefix.substr(0, zero + 1));
        prefix.remove_prefix(zero + 2);
    }
}

}  // namespace hob::store
