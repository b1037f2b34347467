#include <expat.h>

#include <deque>
#include <map>

#include "gremlin/io/file_values.h"
#include "gremlin/io/graph_readers.h"

namespace hob::gremlin {
namespace {

constexpr std::size_t kDataBytesMax = 16 * 1024 * 1024;
/// Keys that TinkerPop's writer uses for labels.
constexpr std::string_view kVertexLabelKey = "labelV";
constexpr std::string_view kEdgeLabelKey = "labelE";

/// Expat calls the handlers while a chunk is parsed; finished records wait in a queue.
class GraphmlReader final : public GraphReader {
  public:
    GraphmlReader(std::unique_ptr<InputFile> input, const GraphReadOptions& options);
    ~GraphmlReader() override { XML_ParserFree(parser_); }
    GraphmlReader(const GraphmlReader&) = delete;
    GraphmlReader& operator=(const GraphmlReader&) = delete;

    Result<bool> next(GraphRecord& record) override;
    [[nodiscard]] std::string_view text() const override { return {}; }
    [[nodiscard]] std::uint64_t bytes_read() const override { return input_->bytes_read(); }
    [[nodiscard]] std::uint64_t bytes_total() const override { return input_->bytes_total(); }

  private:
    struct Key {
        std::string name;
        FileType type = FileType::kString;
        bool known_type = true;
    };
    using Attributes = std::map<std::string, std::string, std::less<>>;

    static GraphmlReader& self(void* user) { return *static_cast<GraphmlReader*>(user); }
    static void on_start(void* user, const XML_Char* name, const XML_Char** attributes);
    static void on_end(void* user, const XML_Char* name);
    static void on_text(void* user, const XML_Char* text, int size) {
        self(user).text_of_data(std::string_view(text, static_cast<std::size_t>(size)));
    }
    static void on_entity(void* user, const XML_Char*, int, const XML_Char*, int, const XML_Char*,
                          const XML_Char*, const XML_Char*, const XML_Char*) {
        self(user).stop("entities are not read");
    }

    void start(std::string_view name, const Attributes& attributes);
    void end(std::string_view name);
    void text_of_data(std::string_view text);
    void start_key(const Attributes& attributes);
    void start_record(GraphRecord::Kind kind, const Attributes& attributes);
    void finish_data();
    void finish_record();
    Value id_attribute(const Attributes& attributes, std::string_view name);
    /// Keeps the first error of a record.
    void fail_record(const std::string& message) {
        if (record_error_.empty()) record_error_ = message;
    }
    void stop(const std::string& message) {
        if (fatal_.empty()) fatal_ = message;
        XML_StopParser(parser_, XML_FALSE);
    }
    Status parse_chunk();
    [[nodiscard]] std::uint64_t line() const { return XML_GetCurrentLineNumber(parser_); }

    std::unique_ptr<InputFile> input_;
    IdForm ids_;
    XML_Parser parser_;
    std::map<std::string, Key, std::less<>> keys_;
    std::deque<Result<GraphRecord>> ready_;
    GraphRecord record_;
    std::string record_error_;
    std::string fatal_;
    std::string data_key_;
    std::string data_;
    bool in_record_ = false;
    bool in_data_ = false;
    bool finished_ = false;
};

GraphmlReader::GraphmlReader(std::unique_ptr<InputFile> input, const GraphReadOptions& options)
    : input_(std::move(input)), ids_(options.ids), parser_(XML_ParserCreate(nullptr)) {
    XML_SetUserData(parser_, this);
    XML_SetElementHandler(parser_, on_start, on_end);
    XML_SetCharacterDataHandler(parser_, on_text);
    XML_SetEntityDeclHandler(parser_, on_entity);
}

std::string_view local_name(std::string_view name) {
    return name.substr(name.rfind(':') + 1);
}

void GraphmlReader::on_start(void* user, const XML_Char* name, const XML_Char** attributes) {
    Attributes named;
    for (const XML_Char** a = attributes; a[0] != nullptr; a += 2) {
        named[a[0]] = a[1];
    }
    self(user).start(local_name(name), named);
}

void GraphmlReader::on_end(void* user, const XML_Char* name) {
    self(user).end(local_name(name));
}

std::string attribute(const std::map<std::string, std::string, std::less<>>& attributes,
                      std::string_view name) {
    const auto found = attributes.find(name);
    return found == attributes.end() ? std::string() : found->second;
}

void GraphmlReader::start(std::string_view name, const Attributes& attributes) {
    if (name == "key") {
        start_key(attributes);
    } else if (name == "node") {
        start_record(GraphRecord::Kind::kVertex, attributes);
    } else if (name == "edge") {
        start_record(GraphRecord::Kind::kEdge, attributes);
    } else if (name == "data" && in_record_) {
        in_data_ = true;
        data_key_ = attribute(attributes, "key");
        data_.clear();
    }
}

void GraphmlReader::start_key(const Attributes& attributes) {
    Key key;
    key.name = attribute(attributes, "attr.name");
    const std::string type = attribute(attributes, "attr.type");
    if (!type.empty()) {
        const auto known = file_type_of(type);
        key.known_type = known.has_value();
        key.type = known.value_or(FileType::kString);
    }
    keys_[attribute(attributes, "id")] = std::move(key);
}

Value GraphmlReader::id_attribute(const Attributes& attributes, std::string_view name) {
    const auto found = attributes.find(name);
    if (found == attributes.end()) {
        fail_record(fmt::format("the {} has no '{}'",
                                record_.kind == GraphRecord::Kind::kVertex ? "node" : "edge",
                                name));
        return {};
    }
    auto id = file_id(ids_, found->second);
    if (!id.ok()) {
        fail_record(id.error().message);
        return {};
    }
    return *id;
}

void GraphmlReader::start_record(GraphRecord::Kind kind, const Attributes& attributes) {
    record_ = {};
    record_error_.clear();
    record_.kind = kind;
    record_.line = line();
    in_record_ = true;
    if (kind == GraphRecord::Kind::kVertex) {
        record_.label = "vertex";
        record_.id = id_attribute(attributes, "id");
        return;
    }
    record_.label = "edge";
    if (attributes.contains("id")) record_.id = id_attribute(attributes, "id");
    record_.from = id_attribute(attributes, "source");
    record_.to = id_attribute(attributes, "target");
}

void GraphmlReader::text_of_data(std::string_view text) {
    if (!in_data_) return;
    if (data_.size() + text.size() > kDataBytesMax) {
        fail_record(fmt::format("a property has more than {} bytes", kDataBytesMax));
        return;
    }
    data_ += text;
}

void GraphmlReader::finish_data() {
    in_data_ = false;
    const bool vertex = record_.kind == GraphRecord::Kind::kVertex;
    if (data_key_ == (vertex ? kVertexLabelKey : kEdgeLabelKey)) {
        record_.label = data_;
        return;
    }
    const auto key = keys_.find(data_key_);
    if (key == keys_.end()) {
        fail_record(fmt::format("data has the key '{}', which no <key> declares",
                                data_key_.substr(0, 100)));
        return;
    }
    auto value = file_value(key->second.type, data_);
    if (!key->second.known_type) {
        fail_record(fmt::format(
            "key '{}' has an unknown type, expected int, long, float, double, boolean or string",
            data_key_));
    } else if (!value.ok()) {
        fail_record(fmt::format("property '{}': {}", key->second.name, value.error().message));
    } else {
        record_.properties.push_back(
            {key->second.name, std::move(*value), Cardinality::kSingle, {}});
    }
}

void GraphmlReader::finish_record() {
    in_record_ = false;
    if (record_error_.empty()) {
        ready_.emplace_back(std::move(record_));
    } else {
        ready_.emplace_back(Error::parse("{}:{}: {}", input_->path(), record_.line, record_error_));
    }
}

void GraphmlReader::end(std::string_view name) {
    if (name == "data" && in_data_) finish_data();
    if ((name == "node" || name == "edge") && in_record_) finish_record();
}

Status GraphmlReader::parse_chunk() {
    HOB_ASSIGN_OR_RETURN(const std::string_view bytes, input_->chunk());
    finished_ = bytes.empty();
    const auto status =
        XML_Parse(parser_, bytes.data(), static_cast<int>(bytes.size()), bytes.empty() ? 1 : 0);
    if (status == XML_STATUS_OK) return {};
    const std::string what = fatal_.empty() ? XML_ErrorString(XML_GetErrorCode(parser_)) : fatal_;
    return Error::parse("{}:{}: broken XML: {}", input_->path(), line(), what);
}

Result<bool> GraphmlReader::next(GraphRecord& record) {
    while (ready_.empty()) {
        if (finished_) return false;
        if (auto parsed = parse_chunk(); !parsed.ok()) {
            // What came before the break is still given; the error comes after it.
            finished_ = true;
            ready_.emplace_back(std::move(parsed.error()));
        }
    }
    auto first = std::move(ready_.front());
    ready_.pop_front();
    if (!first.ok()) return std::move(first.error());
    record = std::move(*first);
    return true;
}

}  // namespace

Result<std::unique_ptr<GraphReader>> open_graphml(std::unique_ptr<InputFile> input,
                                                  const GraphReadOptions& options) {
    return std::unique_ptr<GraphReader>(std::make_unique<GraphmlReader>(std::move(input), options));
}

}  // namespace hob::gremlin
