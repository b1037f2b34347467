// io(file).read() and io(file).write(): whole graphs from and to files of a configured folder.
#include <filesystem>

#include "gremlin/exec/elements.h"
#include "gremlin/io/graph_writer.h"
#include "gremlin/steps/graph_files.h"
#include "gremlin/steps/step.h"

namespace hob::gremlin {
namespace {

constexpr std::size_t kRecordsPerWrite = 1000;

/// The file that the text names: below the folder, whatever links and dots say.
Result<std::string> file_in(const std::string& folder, std::string_view name) {
    namespace fs = std::filesystem;
    if (folder.empty()) {
        return Error::invalid(
            "io(): reading and writing of files is off; set ioFolder in the server's "
            "configuration to the folder whose files may be used");
    }
    std::error_code failure;
    const fs::path root = fs::weakly_canonical(folder, failure);
    const fs::path file = failure ? fs::path() : fs::weakly_canonical(root / name, failure);
    const fs::path below = file.lexically_relative(root);
    if (failure || below.empty() || *below.begin() == "..") {
        return Error::invalid(
            "io(): '{}' is not below the server's ioFolder; name a file inside it", name);
    }
    return file.string();
}

/// "graphson" or "graphml", by with(IO.reader|writer, ...) (a short name, or the name of
/// TinkerPop's class) or by the file's name (IoStep).
Result<std::string> format_of(const Node& node, std::string_view option, std::string_view file) {
    std::string name(file.substr(file.find_last_of('.') + 1));
    for (const auto& [key, value] : node.withs) {
        if (key.is_string() && key.text() == option && value.is_string())
            name = std::string(value.text());
    }
    const auto names = [&name](std::string_view part) {
        return name.find(part) != std::string::npos;
    };
    if (names("graphson") || names("GraphSON") || name == "json") return std::string("graphson");
    if (names("graphml") || names("GraphML") || name == "xml") return std::string("graphml");
    if (names("gryo") || names("Gryo") || name == "kryo") {
        return Error::unsupported(
            "io(): Gryo is a format of the Java virtual machine; write the graph as GraphSON there "
            "and read that");
    }
    return Error::invalid(
        "io(): the format of '{}' is not known; name it with(IO.{}, IO.graphson) or IO.graphml",
        file, option.substr(option.find_last_of('.') + 1));
}

/// Gives no traversers: what it does is done when it is first asked for some.
class IoOp : public Op {
  public:
    IoOp(QueryContext& context, Op* input, Scope& scope, std::string file, std::string format)
        : Op(context, input, scope), file_(std::move(file)), format_(std::move(format)) {}

  protected:
    Result<Pull> pull(Batch&, std::size_t) override {
        if (!done_) HOB_TRY(work());
        done_ = true;
        return Pull::kDone;
    }
    virtual Status work() = 0;
    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] const std::string& format() const { return format_; }

  private:
    std::string file_;
    std::string format_;
    bool done_ = false;
};

class ReadGraphOp final : public IoOp {
  public:
    using IoOp::IoOp;

  protected:
    /// Vertices are added as they come; an edge may stand before its ends, so edges wait.
    Status work() override {
        GraphReadOptions options;
        options.format = format();
        HOB_ASSIGN_OR_RETURN(const auto reader, open_graph_reader(file(), options));
        std::vector<GraphRecord> vertices;
        std::vector<GraphRecord> edges;
        GraphRecord record;
        while (true) {
            HOB_ASSIGN_OR_RETURN(const bool more, reader->next(record));
            if (!more) break;
            if (record.kind == GraphRecord::Kind::kEdge) {
                HOB_TRY(ctx_.hold(sizeof(GraphRecord) + 64 * record.properties.size(), "io"));
                edges.push_back(std::move(record));
            } else {
                vertices.push_back(std::move(record));
            }
            record = {};
            if (vertices.size() == kRecordsPerWrite) HOB_TRY(write(vertices));
        }
        HOB_TRY(write(vertices));
        for (std::size_t at = 0; at < edges.size(); at += kRecordsPerWrite) {
            HOB_TRY(ctx_.check());
            HOB_TRY(write_records(
                *ctx_.graph, *ctx_.transaction,
                std::span(edges).subspan(at, std::min(kRecordsPerWrite, edges.size() - at))));
        }
        return {};
    }

  private:
    Status write(std::vector<GraphRecord>& records) {
        HOB_TRY(ctx_.check());
        HOB_TRY(write_records(*ctx_.graph, *ctx_.transaction, records));
        records.clear();
        return {};
    }
};

class WriteGraphOp final : public IoOp {
  public:
    using IoOp::IoOp;

  protected:
    /// A thousand vertices at a time, each with its edges: two expansions.
    Status work() override {
        HOB_ASSIGN_OR_RETURN(const auto writer, open_graph_writer(file(), format()));
        HOB_ASSIGN_OR_RETURN(const auto scan,
                             ctx_.transaction->scan_vertices({}, graph::Projection::everything()));
        HOB_TRY(visit_batches(ctx_, *scan, [&](std::span<const Value> vertices) {
            return write(*writer, vertices);
        }));
        return writer->finish();
    }

  private:
    using EdgeLists = std::vector<std::vector<Value>>;

    Status write(GraphWriter& writer, std::span<const Value> vertices) {
        HOB_ASSIGN_OR_RETURN(const EdgeLists outs, edges_of(vertices, Direction::kOut));
        HOB_ASSIGN_OR_RETURN(const EdgeLists ins, edges_of(vertices, Direction::kIn));
        std::vector<const VertexRecord*> records;
        HOB_TRY(ctx_.records(vertices, true, records));
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            if (records[i] != nullptr) HOB_TRY(writer.add(*records[i], outs[i], ins[i]));
        }
        return {};
    }

    Result<EdgeLists> edges_of(std::span<const Value> vertices, Direction direction) {
        graph::ExpandSpec spec;
        spec.direction = direction;
        spec.edges = true;
        spec.edge_properties = true;
        HOB_ASSIGN_OR_RETURN(const auto expansion, ctx_.transaction->expand(vertices, spec));
        EdgeLists lists(vertices.size());
        std::vector<graph::Incident> incidents;
        while (true) {
            HOB_TRY(ctx_.check());
            incidents.clear();
            HOB_TRY(expansion->next(kBatchMax, incidents));
            if (incidents.empty()) return lists;
            for (graph::Incident& incident : incidents)
                lists[incident.input].push_back(std::move(incident.value));
        }
    }
};

Result<Op*> make_io(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(const std::string name, string_argument(node, 0, "a file's name"));
    if (node.action.empty()) {
        return Error::invalid(
            "io('{}'): say what to do with the file: io(file).read() or io(file).write()", name);
    }
    const bool reads = node.action == "read";
    HOB_ASSIGN_OR_RETURN(std::string file, file_in(compiler.context().io_folder, name));
    HOB_ASSIGN_OR_RETURN(
        std::string format,
        format_of(node, reads ? "~tinkerpop.io.reader" : "~tinkerpop.io.writer", name));
    if (!reads) return compiler.add<WriteGraphOp>(input, std::move(file), std::move(format));
    if (compiler.context().read_only) {
        return Error::execution(
            "The provided traversal has a mutating step and thus is not read only: io().read()");
    }
    return compiler.add<ReadGraphOp>(input, std::move(file), std::move(format));
}

}  // namespace

extern const StepSpec io_step;
const StepSpec io_step = {
    .name = "io", .modulators = kWith, .make = make_io, .visible = true, .starts = true};

}  // namespace hob::gremlin
