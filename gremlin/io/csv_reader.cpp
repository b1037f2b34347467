#include <optional>

#include "gremlin/io/file_values.h"
#include "gremlin/io/graph_readers.h"

namespace hob::gremlin {
namespace {

/// Quoted fields may hold line ends; a quote that is never closed must not swallow a whole file.
constexpr std::size_t kRecordBytesMax = 16 * 1024 * 1024;

struct Field {
    std::string text;
    bool quoted = false;
};

enum class Role : std::uint8_t { kId, kLabel, kFrom, kTo, kProperty };

/// One column of the header.
struct Column {
    Role role = Role::kProperty;
    std::string key;
    FileType type = FileType::kString;
    bool array = false;
    Cardinality cardinality = Cardinality::kSingle;
};

class CsvReader final : public GraphReader {
  public:
    CsvReader(std::unique_ptr<InputFile> input, const GraphReadOptions& options)
        : input_(std::move(input)), ids_(options.ids), separator_(options.csv_separator) {}

    Status read_header();
    Result<bool> next(GraphRecord& record) override;
    [[nodiscard]] std::string_view text() const override { return text_; }
    [[nodiscard]] std::string_view header() const override { return header_; }
    [[nodiscard]] std::uint64_t bytes_read() const override { return input_->bytes_read(); }
    [[nodiscard]] std::uint64_t bytes_total() const override { return input_->bytes_total(); }

  private:
    /// Takes the lines of one record into `text_` and its fields into `fields_`; false at the end.
    Result<bool> take_record();
    Status split();
    Status take_quoted(std::size_t& at, Field& field);
    Status fill(GraphRecord& record);
    Status add_property(const Column& column, const Field& field, GraphRecord& record);
    [[nodiscard]] Error located(const Error& error) const {
        return Error{error.code,
                     fmt::format("{}:{}: {}", input_->path(), record_line_, error.message)};
    }

    std::unique_ptr<InputFile> input_;
    IdForm ids_;
    char separator_;
    std::vector<Column> columns_;
    bool edges_ = false;
    bool broken_ = false;
    std::string header_;
    std::string text_;
    std::string line_;
    std::vector<Field> fields_;
    std::size_t field_count_ = 0;
    std::uint64_t record_line_ = 0;
};

/// Whether a quote stays open at the end of `line`, given whether one was open before it.
bool open_quote_after(std::string_view line, bool open) {
    for (const char c : line) {
        open = (c == '"') != open;
    }
    return open;
}

Result<bool> CsvReader::take_record() {
    text_.clear();
    bool open = false;
    do {
        auto more = input_->line(line_);
        if (!more.ok()) {
            broken_ = more.error().code == Code::kCorrupt;
            return std::move(more.error());
        }
        if (!*more) {
            if (!open) return false;
            return Error::parse("{}:{}: a quote is never closed", input_->path(), record_line_);
        }
        if (text_.empty()) {
            if (line_.empty()) continue;
            record_line_ = input_->lines();
        } else {
            text_ += '\n';
        }
        text_ += line_;
        open = open_quote_after(line_, open);
        if (text_.size() > kRecordBytesMax) {
            return Error::make(Code::kLimit,
                               "{}:{}: the record has more than {} bytes; is a quote never closed?",
                               input_->path(), record_line_, kRecordBytesMax);
        }
    } while (open || text_.empty());
    if (auto done = split(); !done.ok()) return located(done.error());
    return true;
}

Status CsvReader::take_quoted(std::size_t& at, Field& field) {
    field.quoted = true;
    ++at;
    while (true) {
        const std::size_t quote = text_.find('"', at);
        if (quote == std::string::npos) return Error::parse("a quote is never closed");
        field.text.append(text_, at, quote - at);
        at = quote + 1;
        if (at >= text_.size() || text_[at] != '"') break;
        field.text += '"';
        ++at;
    }
    if (at < text_.size() && text_[at] != separator_) {
        return Error::parse("column {} goes on after its closing quote", field_count_);
    }
    return {};
}

Status CsvReader::split() {
    field_count_ = 0;
    std::size_t at = 0;
    while (true) {
        if (field_count_ == fields_.size()) fields_.emplace_back();
        Field& field = fields_[field_count_++];
        field.text.clear();
        field.quoted = false;
        if (at < text_.size() && text_[at] == '"') {
            HOB_TRY(take_quoted(at, field));
        } else {
            const std::size_t end = std::min(text_.find(separator_, at), text_.size());
            field.text.append(text_, at, end - at);
            if (field.text.find('"') != std::string::npos) {
                return Error::parse("column {} has a quote in a field that does not begin with one",
                                    field_count_);
            }
            at = end;
        }
        if (at >= text_.size()) return {};
        ++at;
    }
}

/// "age:Int[]", "name:String(set)", "plain": a key, its type, whether it holds several.
Result<Column> property_column(std::string_view name) {
    Column column;
    std::size_t colon = name.rfind(':');
    if (colon != std::string_view::npos && colon > 0 && name[colon - 1] == '\\')
        colon = std::string_view::npos;
    std::string_view type = colon == std::string_view::npos ? "" : name.substr(colon + 1);
    for (const char c : name.substr(0, colon)) {
        if (c == ':' && column.key.ends_with('\\')) column.key.pop_back();
        column.key += c;
    }
    if (type.ends_with("(single)")) type.remove_suffix(8);
    if (type.ends_with("(set)")) {
        type.remove_suffix(5);
        column.cardinality = Cardinality::kSet;
    }
    if (type.ends_with("[]")) {
        type.remove_suffix(2);
        column.array = true;
        column.cardinality = Cardinality::kSet;
    }
    if (column.key.empty()) return Error::parse("a column of the header has no name");
    if (colon == std::string_view::npos) return column;
    const auto known = file_type_of(type);
    if (!known) {
        return Error::parse(
            "column '{}' has the unknown type '{}', expected Bool, Byte, Short, Int, Long, Float, "
            "Double, "
            "String, Date or DateTime",
            column.key, type);
    }
    column.type = *known;
    return column;
}

Result<Column> column_of(std::string_view name) {
    static constexpr std::pair<std::string_view, Role> kRoles[] = {
        {"~id", Role::kId}, {"~label", Role::kLabel}, {"~from", Role::kFrom}, {"~to", Role::kTo}};
    for (const auto& [token, role] : kRoles) {
        if (name != token) continue;
        Column column;
        column.role = role;
        return column;
    }
    if (name.starts_with('~')) {
        return Error::parse(
            "column '{}' is unknown, expected ~id, ~label, ~from, ~to or a property",
            name.substr(0, 100));
    }
    return property_column(name);
}

Status CsvReader::read_header() {
    HOB_ASSIGN_OR_RETURN(const bool any, take_record());
    if (!any) return Error::parse("{}: the file is empty, expected a header", input_->path());
    if (fields_[0].text.starts_with("\xef\xbb\xbf")) fields_[0].text.erase(0, 3);
    header_ = text_;
    bool roles[5] = {};
    for (std::size_t i = 0; i < field_count_; ++i) {
        auto column = column_of(fields_[i].text);
        if (!column.ok()) return located(column.error());
        roles[static_cast<std::size_t>(column->role)] = true;
        columns_.push_back(std::move(*column));
    }
    const auto has = [&roles](Role role) { return roles[static_cast<std::size_t>(role)]; };
    edges_ = has(Role::kFrom) || has(Role::kTo);
    if (edges_ && !(has(Role::kFrom) && has(Role::kTo))) {
        return located(Error::parse(
            "the header has only one of ~from and ~to, expected both (edges) or none (vertices)"));
    }
    if (!edges_ && !has(Role::kId)) {
        return located(
            Error::parse("the header has neither ~id (vertices) nor ~from and ~to (edges)"));
    }
    return {};
}

/// Pieces of an array cell: parted by ';', which "\;" holds.
std::vector<std::string> pieces_of(std::string_view text) {
    std::vector<std::string> pieces(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ';') {
            pieces.back() += text[++i];
        } else if (text[i] == ';') {
            pieces.emplace_back();
        } else {
            pieces.back() += text[i];
        }
    }
    return pieces;
}

Status CsvReader::add_property(const Column& column, const Field& field, GraphRecord& record) {
    // An empty cell is no property; "" is the empty text.
    if (field.text.empty() && !(field.quoted && column.type == FileType::kString)) return {};
    const auto value_of = [&](std::string_view text) -> Result<Value> {
        auto v = file_value(column.type, text);
        if (v.ok()) return v;
        return Error::parse("column '{}': {}", column.key, v.error().message);
    };
    if (!column.array) {
        HOB_ASSIGN_OR_RETURN(Value v, value_of(field.text));
        record.properties.push_back({column.key, std::move(v), column.cardinality, {}});
        return {};
    }
    std::vector<Value> values;
    for (const std::string& piece : pieces_of(field.text)) {
        HOB_ASSIGN_OR_RETURN(Value v, value_of(piece));
        values.push_back(std::move(v));
    }
    if (edges_) {  // An edge's property has one value: the list.
        record.properties.push_back(
            {column.key, Value::list(std::move(values)), Cardinality::kSingle, {}});
        return {};
    }
    for (Value& v : values) {
        record.properties.push_back({column.key, std::move(v), column.cardinality, {}});
    }
    return {};
}

Status CsvReader::fill(GraphRecord& record) {
    if (field_count_ != columns_.size()) {
        return Error::parse("the record has {} fields, the header {}", field_count_,
                            columns_.size());
    }
    record.kind = edges_ ? GraphRecord::Kind::kEdge : GraphRecord::Kind::kVertex;
    record.id = Value();
    record.label = edges_ ? "edge" : "vertex";
    record.properties.clear();
    record.line = record_line_;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const Field& field = fields_[i];
        switch (columns_[i].role) {
            case Role::kId:
                if (edges_ && field.text.empty()) break;
                { HOB_ASSIGN_OR_RETURN(record.id, file_id(ids_, field.text)); }
                break;
            case Role::kFrom: {
                HOB_ASSIGN_OR_RETURN(record.from, file_id(ids_, field.text));
                break;
            }
            case Role::kTo: {
                HOB_ASSIGN_OR_RETURN(record.to, file_id(ids_, field.text));
                break;
            }
            case Role::kLabel: {
                HOB_TRY(file_value(FileType::kString, field.text));
                if (!field.text.empty()) record.label = field.text;
                break;
            }
            case Role::kProperty:
                HOB_TRY(add_property(columns_[i], field, record));
                break;
        }
    }
    return {};
}

Result<bool> CsvReader::next(GraphRecord& record) {
    if (broken_) return false;
    HOB_ASSIGN_OR_RETURN(const bool any, take_record());
    if (!any) return false;
    if (auto done = fill(record); !done.ok()) return located(done.error());
    return true;
}

}  // namespace

Result<std::unique_ptr<GraphReader>> open_csv(std::unique_ptr<InputFile> input,
                                              const GraphReadOptions& options) {
    auto reader = std::make_unique<CsvReader>(std::move(input), options);
    HOB_TRY(reader->read_header());
    return std::unique_ptr<GraphReader>(std::move(reader));
}

}  // namespace hob::gremlin
