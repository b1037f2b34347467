#pragma once
#include <map>
#include <string>
#include <string_view>

#include "gremlin/io/element_source.h"
#include "storage/value/value.h"

namespace hob::test {

Value edge(Value id, std::string_view label, Value out_id, Value in_id,
           std::vector<std::pair<Value, Value>> properties = {});
Value vertex_property(Value id, std::string_view key, Value value,
                      std::vector<std::pair<Value, Value>> meta = {});
Value property(std::string_view key, Value value);
Value path(std::vector<Value> objects, std::vector<std::vector<Value>> labels);
Value map_of(std::vector<std::pair<Value, Value>> entries);
Value strings(std::initializer_list<std::string_view> texts);

/// Vertices that a test put in.
class KnownElements final : public gremlin::ElementSource {
  public:
    void add(const Value& vertex, std::string_view label, std::vector<Value> properties);
    [[nodiscard]] const VertexRecord* vertex(const Value& vertex) const override;

  private:
    std::map<std::string, VertexRecord> records_;
};

std::string from_hex(std::string_view hex);
/// The file's bytes; the path counts from this folder.
std::string read_test_file(const std::string& name);

/// One value of every kind that formats write, nested.
std::vector<Value> samples();

}  // namespace hob::test
