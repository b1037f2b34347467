#include "storage/layout/dictionary.h"

#include "storage/base/bytes.h"

namespace hob::layout {
namespace {

constexpr std::array<std::string_view, kNameKinds> kRows = {"label.vertex", "label.edge", "key"};
constexpr std::string_view kMultiRow = "key.multi";
constexpr std::size_t kCodesMax = 65'535;

std::string code_bytes(std::uint16_t code) {
    std::string out;
    ByteWriter(out).u16(code);
    return out;
}

Result<std::uint16_t> read_code(std::string_view row, std::string_view qualifier) {
    ByteReader in(qualifier);
    const std::uint16_t code = in.u16();
    if (!in.ok() || !in.at_end() || code == 0) {
        return Error::corrupt("dictionary row {}: qualifier 0x{} is no code (2 bytes, not 0)", row,
                              to_hex(qualifier));
    }
    return code;
}

std::string_view what(NameKind kind) {
    switch (kind) {
        case NameKind::kVertexLabel:
            return "vertex label";
        case NameKind::kEdgeLabel:
            return "edge label";
        case NameKind::kKey:
            return "property key";
    }
    return "name";
}

}  // namespace

std::uint16_t Names::code(NameKind kind, std::string_view name) const {
    const auto& codes = of(kind).codes;
    const auto found = codes.find(name);
    return found == codes.end() ? std::uint16_t{0} : found->second;
}

Result<std::shared_ptr<Names>> Dictionary::read(const store::CallContext& call) {
    std::vector<store::RowGet> gets;
    for (const std::string_view row : kRows) {
        gets.push_back({.row = std::string(row), .ranges = {}, .columns = {}});
    }
    gets.push_back({.row = std::string(kMultiRow), .ranges = {}, .columns = {}});
    store::RowBatch rows;
    store::CallStats stats;
    HOB_TRY(store_.multi_get(table_, 'p', gets, nullptr, call, stats, rows));
    auto names = std::make_shared<Names>();
    for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
        auto& space = names->spaces[kind];
        for (const auto& cell : rows.cells(kind)) {
            HOB_ASSIGN_OR_RETURN(const std::uint16_t code, read_code(kRows[kind], cell.qualifier));
            if (code >= space.names.size()) space.names.resize(code + std::size_t{1});
            space.names[code] = Value::string(cell.value);
            space.codes.emplace(std::string(cell.value), code);
        }
    }
    for (const auto& cell : rows.cells(kNameKinds)) {
        HOB_ASSIGN_OR_RETURN(const std::uint16_t code, read_code(kMultiRow, cell.qualifier));
        if (code >= names->multi.size()) names->multi.resize(code + std::size_t{1});
        names->multi[code] = true;
    }
    return names;
}

Status Dictionary::load(const store::CallContext& call) {
    HOB_ASSIGN_OR_RETURN(std::shared_ptr<Names> fresh, read(call));
    const std::lock_guard lock(mutex_);
    names_ = std::move(fresh);
    loaded_ = std::chrono::steady_clock::now();
    return {};
}

Status Dictionary::refresh(const store::CallContext& call) {
    {
        const std::lock_guard lock(mutex_);
        if (std::chrono::steady_clock::now() - loaded_ < kAgeMax) return {};
    }
    return load(call);
}

std::shared_ptr<const Names> Dictionary::names() const {
    const std::lock_guard lock(mutex_);
    return names_;
}

Result<std::uint16_t> Dictionary::code(NameKind kind, std::string_view name,
                                       const store::CallContext& call) {
    if (name.empty()) return Error::invalid("a {} can not be the empty string", what(kind));
    if (const auto known = names()->code(kind, name); known != 0) return known;
    const std::lock_guard writer(writer_);
    const std::size_t space = static_cast<std::size_t>(kind);
    while (true) {
        const auto current = names();
        if (const auto known = current->code(kind, name); known != 0) return known;
        const std::size_t next = current->spaces[space].names.size();
        if (next > kCodesMax)
            return Error::make(Code::kLimit, "more than {} {}s", kCodesMax, what(kind));
        const auto code = static_cast<std::uint16_t>(next);
        store::RowMutation give{.table = table_, .row = std::string(kRows[space]), .cells = {}};
        give.cells.push_back(
            {.family = 'p', .qualifier = code_bytes(code), .value = std::string(name)});
        HOB_ASSIGN_OR_RETURN(const bool given,
                             store_.check_and_mutate(give, 'p', code_bytes(code), "", call));
        if (!given) {  // Another server took the code, for this name or another one.
            HOB_TRY(load(call));
            continue;
        }
        auto grown = std::make_shared<Names>(*current);
        grown->spaces[space].names.push_back(Value::string(name));
        grown->spaces[space].codes.emplace(std::string(name), code);
        const std::lock_guard lock(mutex_);
        names_ = std::move(grown);
        return code;
    }
}

Status Dictionary::mark_multi(std::uint16_t key, const store::CallContext& call) {
    if (names()->is_multi(key)) return {};
    const std::lock_guard writer(writer_);
    store::RowMutation mark{.table = table_, .row = std::string(kMultiRow), .cells = {}};
    mark.cells.push_back({.family = 'p', .qualifier = code_bytes(key), .value = "1"});
    HOB_TRY(store_.check_and_mutate(mark, 'p', code_bytes(key), "", call));
    auto grown = std::make_shared<Names>(*names());
    if (key >= grown->multi.size()) grown->multi.resize(key + std::size_t{1});
    grown->multi[key] = true;
    const std::lock_guard lock(mutex_);
    names_ = std::move(grown);
    return {};
}

}  // namespace hob::layout
