#include <cstdio>
#include <fstream>
#include <map>

#include "gremlin/io/graph_writers.h"
#include "gremlin/io/output_file.h"

namespace hob::gremlin {
namespace {

/// GraphML declares its keys before the nodes and has nodes before edges in every file that tools
/// expect, while vertices come with their edges here: nodes and edges go to files of their own
/// first, which `finish` puts behind the keys.
class GraphmlWriter final : public GraphWriter {
  public:
    explicit GraphmlWriter(const std::string& path)
        : path_(path),
          nodes_path_(path + ".nodes.part"),
          edges_path_(path + ".edges.part"),
          nodes_(nodes_path_, std::ios::binary),
          edges_(edges_path_, std::ios::binary) {}
    ~GraphmlWriter() override {
        std::remove(nodes_path_.c_str());
        std::remove(edges_path_.c_str());
    }
    GraphmlWriter(const GraphmlWriter&) = delete;
    GraphmlWriter& operator=(const GraphmlWriter&) = delete;

    [[nodiscard]] bool created() const { return nodes_.good() && edges_.good(); }
    Status add(const VertexRecord& vertex, std::span<const Value> out_edges,
               std::span<const Value> in_edges) override;
    Status finish() override;

  private:
    using Types = std::map<std::string, std::string, std::less<>>;
    void data(const Value& key, const Value& v, Types& types);
    Status properties_of(const VertexRecord& vertex);
    void edge(const EdgeObject& e);
    static void declare(const Types& types, std::string_view element, std::string& out);

    std::string path_;
    std::string nodes_path_;
    std::string edges_path_;
    std::ofstream nodes_;
    std::ofstream edges_;
    Types node_types_;
    Types edge_types_;
    std::string text_;
};

void append_xml(std::string_view text, std::string& out) {
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\n':
                out += "&#10;";
                break;
            case '\r':
                out += "&#13;";
                break;
            case '\t':
                out += "&#9;";
                break;
            default:
                // XML 1.0 has no way to write the other control characters.
                if (static_cast<unsigned char>(c) >= 0x20) {
                    out += c;
                } else {
                    out += "\xef\xbf\xbd";
                }
        }
    }
}

std::string_view type_of(const Value& v) {
    switch (v.kind()) {
        case Kind::kBool:
            return "boolean";
        case Kind::kByte:
        case Kind::kShort:
        case Kind::kInt:
            return "int";
        case Kind::kLong:
            return "long";
        case Kind::kFloat:
            return "float";
        case Kind::kDouble:
            return "double";
        default:
            return "string";
    }
}

/// A key whose values are of several types is declared as string: the text of any of them is one.
void GraphmlWriter::data(const Value& key, const Value& v, Types& types) {
    const std::string name = to_text(key);
    const auto [known, added] = types.try_emplace(name, type_of(v));
    if (!added && known->second != type_of(v)) known->second = "string";
    text_ += "<data key=\"";
    append_xml(name, text_);
    text_ += "\">";
    append_xml(to_text(v), text_);
    text_ += "</data>";
}

Status GraphmlWriter::properties_of(const VertexRecord& vertex) {
    MapObject seen;
    for (const Value& v : vertex.properties) {
        const auto& p = v.as<VertexPropertyObject>();
        if (!seen.slot(p.key).is_null()) {
            return Error::unsupported(
                "{} has several values of '{}', GraphML holds one; write GraphSON instead",
                to_text(vertex.vertex), to_text(p.key));
        }
        if (!p.meta.empty()) {
            return Error::unsupported(
                "property '{}' of {} has properties of its own, GraphML holds none; write GraphSON "
                "instead",
                to_text(p.key), to_text(vertex.vertex));
        }
        seen.put(p.key, Value::boolean(true));
        data(p.key, p.value, node_types_);
    }
    return {};
}

void GraphmlWriter::edge(const EdgeObject& e) {
    text_ += "<edge id=\"";
    append_xml(to_text(e.id), text_);
    text_ += "\" source=\"";
    append_xml(to_text(e.out.vertex_id()), text_);
    text_ += "\" target=\"";
    append_xml(to_text(e.in.vertex_id()), text_);
    text_ += "\"><data key=\"labelE\">";
    append_xml(to_text(e.label), text_);
    text_ += "</data>";
    for (const auto& [key, v] : e.properties) {
        data(key, v, edge_types_);
    }
    text_ += "</edge>\n";
}

Status GraphmlWriter::add(const VertexRecord& vertex, std::span<const Value> out_edges,
                          std::span<const Value>) {
    text_.clear();
    text_ += "<node id=\"";
    append_xml(to_text(vertex.vertex.vertex_id()), text_);
    text_ += "\"><data key=\"labelV\">";
    append_xml(vertex.label.is_string() ? vertex.label.text() : "vertex", text_);
    text_ += "</data>";
    HOB_TRY(properties_of(vertex));
    text_ += "</node>\n";
    nodes_ << text_;
    text_.clear();
    for (const Value& e : out_edges) {
        edge(e.as<EdgeObject>());
    }
    edges_ << text_;
    if (!created()) return Error::make(Code::kUnavailable, "can't write '{}'", path_);
    return {};
}

void GraphmlWriter::declare(const Types& types, std::string_view element, std::string& out) {
    for (const auto& [name, type] : types) {
        std::string escaped;
        append_xml(name, escaped);
        out += fmt::format("<key id=\"{}\" for=\"{}\" attr.name=\"{}\" attr.type=\"{}\"/>\n",
                           escaped, element, escaped, type);
    }
}

Status copy(const std::string& from, OutputFile& to) {
    std::ifstream in(from, std::ios::binary);
    std::string buffer(256 * 1024, '\0');
    while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0) {
        HOB_TRY(
            to.write(std::string_view(buffer).substr(0, static_cast<std::size_t>(in.gcount()))));
    }
    return {};
}

Status GraphmlWriter::finish() {
    nodes_.close();
    edges_.close();
    if (nodes_.fail() || edges_.fail())
        return Error::make(Code::kUnavailable, "can't write '{}'", path_);
    std::string head =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
        "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
    // A name that nodes and edges share is declared once, for both: ids of keys are unique.
    Types shared;
    for (const auto& [name, type] : node_types_) {
        const auto other = edge_types_.find(name);
        if (other != edge_types_.end()) shared[name] = other->second == type ? type : "string";
    }
    for (const auto& [name, type] : shared) {
        node_types_.erase(name);
        edge_types_.erase(name);
    }
    declare({{"labelV", "string"}}, "node", head);
    declare({{"labelE", "string"}}, "edge", head);
    declare(shared, "all", head);
    declare(node_types_, "node", head);
    declare(edge_types_, "edge", head);
    head += "<graph id=\"G\" edgedefault=\"directed\">\n";
    HOB_ASSIGN_OR_RETURN(const auto output, OutputFile::create(path_));
    HOB_TRY(output->write(head));
    HOB_TRY(copy(nodes_path_, *output));
    HOB_TRY(copy(edges_path_, *output));
    HOB_TRY(output->write("</graph>\n</graphml>\n"));
    return output->finish();
}

}  // namespace

Result<std::unique_ptr<GraphWriter>> create_graphml(const std::string& path) {
    auto writer = std::make_unique<GraphmlWriter>(path);
    if (!writer->created()) return Error::make(Code::kUnavailable, "can't create '{}'", path);
    return std::unique_ptr<GraphWriter>(std::move(writer));
}

}  // namespace hob::gremlin
