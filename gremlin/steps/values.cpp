// What is read of an object: values properties valueMap elementMap propertyMap key value label id
// element, constant, unfold, path, loops.
#include <algorithm>

#include "gremlin/exec/elements.h"
#include "gremlin/steps/properties.h"
#include "gremlin/steps/scoping.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

Result<std::vector<std::string>> keys_of(const Node& node, std::size_t from = 0) {
    std::vector<std::string> keys;
    for (std::size_t i = from; i < node.args.size(); ++i) {
        if (node.args[i].is_null()) continue;
        if (!node.args[i].is_string()) return bad_argument(node, i, "a property key (string)");
        keys.emplace_back(node.args[i].text());
    }
    return keys;
}

bool wanted(const std::vector<std::string>& keys, std::string_view key) {
    return keys.empty() || std::find(keys.begin(), keys.end(), key) != keys.end();
}

Error not_an_element(std::string_view step, const Value& value) {
    return Error::execution(
        "{}() needs an element (vertex, edge or vertex property), found {} ({})", step,
        to_text(value), type_name(value));
}

/// Calls `each(key, value, property)` for the properties of an element, in order of the store.
/// `property` is a kVertexProperty or kProperty.
template <typename Each>
Status for_properties(std::string_view step, const Value& element, const VertexRecord* record,
                      const std::vector<std::string>& keys, Each each) {
    switch (element.kind()) {
        case Kind::kVertex:
            if (record == nullptr) return {};
            for (const Value& property : record->properties) {
                const auto& object = property.as<VertexPropertyObject>();
                if (wanted(keys, object.key.text())) each(object.key, object.value, property);
            }
            return {};
        case Kind::kEdge:
            for (const auto& [key, value] : element.as<EdgeObject>().properties) {
                if (wanted(keys, key.text())) each(key, value, make_property(key, value, element));
            }
            return {};
        case Kind::kVertexProperty:
            for (const auto& [key, value] : element.as<VertexPropertyObject>().meta) {
                if (wanted(keys, key.text())) each(key, value, make_property(key, value, element));
            }
            return {};
        default:
            return not_an_element(step, element);
    }
}

/// values() and properties(). With keys, an element's properties come in the order in which the
/// keys were named.
class PropertiesOp final : public TransformOp {
  public:
    PropertiesOp(QueryContext& context, Op* input, Scope& scope, std::vector<std::string> keys,
                 bool values, bool none)
        : TransformOp(context, input, scope),
          keys_(std::move(keys)),
          values_(values),
          none_(none) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        if (none_) return {};
        HOB_TRY(records_of(ctx_, in, keys_.empty(), records_));
        for (std::size_t i = 0; i < in.size(); ++i) {
            const Traverser& t = in[i];
            const auto each = [&](const Value&, const Value& value, const Value& property) {
                out.push_back(ctx_.split(t, values_ ? value : property));
            };
            if (keys_.size() < 2) {
                HOB_TRY(for_properties(name(), t.value, records_[i], keys_, each));
                continue;
            }
            for (const std::string& key : keys_) {
                HOB_TRY(for_properties(name(), t.value, records_[i], {key}, each));
            }
        }
        return {};
    }

  private:
    std::vector<std::string> keys_;
    bool values_;
    bool none_;
    std::vector<const VertexRecord*> records_;
};

Result<Op*> make_values(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(std::vector<std::string> keys, keys_of(node));
    const bool none = keys.empty() && !node.args.empty();
    return compiler.add<PropertiesOp>(input, std::move(keys), true, none);
}
Result<Op*> make_properties(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(std::vector<std::string> keys, keys_of(node));
    const bool none = keys.empty() && !node.args.empty();
    return compiler.add<PropertiesOp>(input, std::move(keys), false, none);
}

/// The properties that a map shows of each element: all with the wanted keys, or what the traversal
/// of a strategy gives (kPropertyTraversal), run once for a batch.
class ShownProperties {
  public:
    static Result<ShownProperties> make(Compiler& compiler, const Node& node) {
        ShownProperties shown;
        for (const auto& [key, value] : node.withs) {
            if (!key.is_string() || key.text() != kPropertyTraversal) continue;
            HOB_ASSIGN_OR_RETURN(shown.child_, compiler.child(value));
        }
        return shown;
    }

    Status load(std::span<const Traverser> in) {
        if (!child_.valid()) return {};
        shown_.assign(in.size(), {});
        child_.start(in);
        Batch results;
        HOB_TRY(child_.drain(results));
        for (Traverser& t : results)
            shown_[t.slot].push_back(std::move(t.value));
        return {};
    }

    /// Calls `each(key, value, property)` for the properties of the batch's element `i`.
    template <typename Each>
    Status each_of(std::string_view step, std::size_t i, const Value& element,
                   const VertexRecord* record, const std::vector<std::string>& keys,
                   Each each) const {
        if (!child_.valid()) return for_properties(step, element, record, keys, each);
        for (const Value& property : shown_[i]) {
            if (property.kind() == Kind::kVertexProperty) {
                const auto& object = property.as<VertexPropertyObject>();
                each(object.key, object.value, property);
            } else {
                const auto& object = property.as<PropertyObject>();
                each(object.key, object.value, property);
            }
        }
        return {};
    }

  private:
    Child child_;
    std::vector<std::vector<Value>> shown_;
};

/// Which tokens valueMap() adds (WithOptions.tokens and its flags).
struct TokenOptions {
    static constexpr std::int64_t kId = 1, kLabel = 2, kKeys = 4, kValues = 8;
    std::int64_t tokens = 0;
    [[nodiscard]] bool has(std::int64_t flag) const { return (tokens & flag) != 0; }
};

/// valueMap, propertyMap: key -> list of values (vertices) or value; by()-modulators go over the
/// values.
class PropertyMapOp final : public TransformOp {
  public:
    PropertyMapOp(QueryContext& context, Op* input, Scope& scope, std::vector<std::string> keys,
                  bool values, TokenOptions tokens, std::vector<By> bys, ShownProperties shown)
        : TransformOp(context, input, scope),
          keys_(std::move(keys)),
          shown_(std::move(shown)),
          values_(values),
          tokens_(tokens),
          bys_(std::move(bys)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        HOB_TRY(records_of(ctx_, in, keys_.empty(), records_));
        HOB_TRY(shown_.load(in));
        std::vector<Value> maps(in.size());
        for (std::size_t i = 0; i < in.size(); ++i) {
            HOB_ASSIGN_OR_RETURN(maps[i], map_of(i, in[i].value, records_[i]));
        }
        if (!bys_.empty()) HOB_TRY(modulate(in, maps));
        for (std::size_t i = 0; i < in.size(); ++i)
            out.push_back(ctx_.split(in[i], std::move(maps[i])));
        return {};
    }

  private:
    Result<Value> map_of(std::size_t i, const Value& element, const VertexRecord* record) const {
        Value result = make_map();
        auto& map = result.mutate<MapObject>();
        HOB_TRY(add_tokens(element, record, map));
        const bool lists = element.kind() == Kind::kVertex;
        std::vector<std::pair<Value, std::vector<Value>>> gathered;
        HOB_TRY(shown_.each_of(name(), i, element, record, keys_,
                               [&](const Value& key, const Value& value, const Value& property) {
                                   const Value& kept = values_ ? value : property;
                                   if (!lists) {
                                       map.put(key, kept);
                                       return;
                                   }
                                   for (auto& [known, items] : gathered) {
                                       if (known.text() == key.text()) {
                                           items.push_back(kept);
                                           return;
                                       }
                                   }
                                   gathered.emplace_back(key, std::vector<Value>{kept});
                               }));
        for (auto& [key, items] : gathered)
            map.put(key, Value::list(std::move(items)));
        return result;
    }

    Status add_tokens(const Value& element, const VertexRecord* record, MapObject& map) const {
        if (tokens_.tokens == 0) return {};
        const auto put = [&](T token) -> Status {
            HOB_ASSIGN_OR_RETURN(TokenValue value, token_of(token, element, record));
            if (value.found) map.put(Value::token(token), std::move(value.value));
            return {};
        };
        if (tokens_.has(TokenOptions::kId)) HOB_TRY(put(T::kId));
        if (element.kind() == Kind::kVertexProperty) {
            if (tokens_.has(TokenOptions::kKeys)) HOB_TRY(put(T::kKey));
            if (tokens_.has(TokenOptions::kValues)) HOB_TRY(put(T::kValue));
        } else if (tokens_.has(TokenOptions::kLabel)) {
            HOB_TRY(put(T::kLabel));
        }
        return {};
    }

    /// Sends every map's values through the modulators, each modulator once for all maps.
    Status modulate(std::span<const Traverser> in, std::vector<Value>& maps) {
        std::vector<Batch> asked(bys_.size());
        std::vector<std::vector<std::pair<std::size_t, Value>>> places(bys_.size());
        for (std::size_t i = 0; i < maps.size(); ++i) {
            std::size_t ring = 0;
            for (const auto& [key, value] : maps[i].as<MapObject>().entries()) {
                const std::size_t by = ring++ % bys_.size();
                Traverser t = in[i];
                t.value = value;
                asked[by].push_back(std::move(t));
                places[by].emplace_back(i, key);
            }
        }
        for (std::size_t by = 0; by < bys_.size(); ++by) {
            if (asked[by].empty()) continue;
            std::vector<Value> values;
            std::vector<std::uint8_t> found;
            HOB_TRY(bys_[by].apply(ctx_, asked[by], values, found));
            for (std::size_t k = 0; k < values.size(); ++k) {
                auto& map = maps[places[by][k].first].mutate<MapObject>();
                if (found[k] != 0) {
                    map.put(places[by][k].second, std::move(values[k]));
                } else {
                    map.erase(places[by][k].second);
                }
            }
        }
        return {};
    }

    std::vector<std::string> keys_;
    ShownProperties shown_;
    bool values_;
    TokenOptions tokens_;
    std::vector<By> bys_;
    std::vector<const VertexRecord*> records_;
};

Result<TokenOptions> token_options(const Node& node) {
    TokenOptions options;
    for (const auto& [key, value] : node.withs) {
        if (!key.is_string()) continue;
        if (key.text() != "~tinkerpop.valueMap.tokens") continue;
        if (value.kind() == Kind::kBool) {
            options.tokens = value.as_bool() ? 15 : 0;
        } else if (const auto flags = to_int64(value)) {
            options.tokens = *flags;
        } else {
            return Error::invalid(
                "{}().with(WithOptions.tokens): expected WithOptions.ids, labels, keys, values, "
                "all or none, found {}",
                node.name, to_text(value));
        }
    }
    return options;
}

Result<Op*> make_property_map_of(Compiler& compiler, const Node& node, Op* input, bool values) {
    if (node.bys.size() > 1)
        return Error::invalid("{}() step can only have one by modulator", node.name);
    HOB_ASSIGN_OR_RETURN(TokenOptions options, token_options(node));
    std::size_t first = 0;
    if (!node.args.empty() && node.args[0].kind() == Kind::kBool) {
        if (node.args[0].as_bool()) options.tokens = 15;
        first = 1;
    }
    HOB_ASSIGN_OR_RETURN(std::vector<std::string> keys, keys_of(node, first));
    // Only null keys were named: none matches, which is not the same as no key.
    if (keys.empty() && node.args.size() > first) keys.emplace_back();
    HOB_ASSIGN_OR_RETURN(std::vector<By> bys, compiler.bys(node, false));
    HOB_ASSIGN_OR_RETURN(ShownProperties shown, ShownProperties::make(compiler, node));
    return compiler.add<PropertyMapOp>(input, std::move(keys), values, options, std::move(bys),
                                       std::move(shown));
}
Result<Op*> make_value_map(Compiler& compiler, const Node& node, Op* input) {
    return make_property_map_of(compiler, node, input, true);
}
Result<Op*> make_property_map(Compiler& compiler, const Node& node, Op* input) {
    return make_property_map_of(compiler, node, input, false);
}

/// elementMap: id, label, ends of an edge, then one value a key.
class ElementMapOp final : public TransformOp {
  public:
    ElementMapOp(QueryContext& context, Op* input, Scope& scope, std::vector<std::string> keys,
                 ShownProperties shown)
        : TransformOp(context, input, scope), keys_(std::move(keys)), shown_(std::move(shown)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        HOB_TRY(records_of(ctx_, in, keys_.empty(), records_));
        HOB_TRY(shown_.load(in));
        std::vector<Value> ends;
        for (const Traverser& t : in) {
            if (t.value.kind() != Kind::kEdge) continue;
            ends.push_back(t.value.as<EdgeObject>().in);
            ends.push_back(t.value.as<EdgeObject>().out);
        }
        std::vector<const VertexRecord*> end_records;
        HOB_TRY(records_of(ctx_, ends, false, end_records));
        std::size_t end = 0;
        for (std::size_t i = 0; i < in.size(); ++i) {
            const Value& element = in[i].value;
            Value result = make_map();
            auto& map = result.mutate<MapObject>();
            for (const T token :
                 {T::kId, element.kind() == Kind::kVertexProperty ? T::kKey : T::kLabel}) {
                HOB_ASSIGN_OR_RETURN(TokenValue value, token_of(token, element, records_[i]));
                if (!value.found) return not_an_element("elementMap", element);
                map.put(Value::token(token), std::move(value.value));
            }
            if (element.kind() == Kind::kVertexProperty) {
                map.put(Value::token(T::kValue), element.as<VertexPropertyObject>().value);
            }
            if (element.kind() == Kind::kEdge) {
                map.put(Value::direction(Direction::kIn), end_map(ends[end], end_records[end]));
                map.put(Value::direction(Direction::kOut),
                        end_map(ends[end + 1], end_records[end + 1]));
                end += 2;
            }
            HOB_TRY(shown_.each_of(
                name(), i, element, records_[i], keys_,
                [&](const Value& key, const Value& value, const Value&) { map.put(key, value); }));
            out.push_back(ctx_.split(in[i], std::move(result)));
        }
        return {};
    }

  private:
    static Value end_map(const Value& vertex, const VertexRecord* record) {
        Value result = make_map();
        auto& map = result.mutate<MapObject>();
        map.put(Value::token(T::kId), vertex.vertex_id());
        map.put(Value::token(T::kLabel),
                record == nullptr ? Value::string("vertex") : record->label);
        return result;
    }

    std::vector<std::string> keys_;
    ShownProperties shown_;
    std::vector<const VertexRecord*> records_;
};

Result<Op*> make_element_map(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(std::vector<std::string> keys, keys_of(node));
    if (keys.empty() && !node.args.empty()) keys.emplace_back();
    HOB_ASSIGN_OR_RETURN(ShownProperties shown, ShownProperties::make(compiler, node));
    return compiler.add<ElementMapOp>(input, std::move(keys), std::move(shown));
}

/// id(), label(), key(), value().
Result<Op*> make_token(Compiler& compiler, const Node& node, Op* input, T token) {
    return transform(
        compiler, input, [node, token](QueryContext& context, Batch& in, Batch& out) -> Status {
            std::vector<const VertexRecord*> records(in.size(), nullptr);
            if (token == T::kLabel) HOB_TRY(records_of(context, in, false, records));
            for (std::size_t i = 0; i < in.size(); ++i) {
                HOB_ASSIGN_OR_RETURN(TokenValue value, token_of(token, in[i].value, records[i]));
                if (!value.found) {
                    return Error::execution("{}() can't be applied to {} ({})", node.name,
                                            to_text(in[i].value), type_name(in[i].value));
                }
                out.push_back(context.split(in[i], std::move(value.value)));
            }
            return {};
        });
}
template <T token>
Result<Op*> make_token_step(Compiler& compiler, const Node& node, Op* input) {
    return make_token(compiler, node, input, token);
}

/// element(): from a property back to what it belongs to.
Result<Op*> make_element(Compiler& compiler, const Node&, Op* input) {
    return map_values(compiler, input, [](const Value& v) -> Result<Value> {
        if (v.kind() == Kind::kVertexProperty) return v.as<VertexPropertyObject>().vertex;
        if (v.kind() == Kind::kProperty) return v.as<PropertyObject>().element;
        return Error::execution("element() needs a property, found {} ({})", to_text(v),
                                type_name(v));
    });
}

Result<Op*> make_constant(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.size() != 1) return bad_argument(node, 0, "a value");
    return map_values(compiler, input,
                      [value = node.args[0]](const Value&) -> Result<Value> { return value; });
}

void unfold(const QueryContext& context, const Traverser& t, Batch& out) {
    const Value& v = t.value;
    switch (v.kind()) {
        case Kind::kList:
        case Kind::kSet:
            for (const Value& item : v.items())
                out.push_back(context.split(t, item));
            return;
        case Kind::kBulkSet:
            for (const auto& [value, count] : v.as<BulkSetObject>().entries()) {
                Traverser one = context.split(t, value);
                one.bulk *= count;
                out.push_back(std::move(one));
            }
            return;
        case Kind::kMap:
            for (const auto& [key, value] : v.as<MapObject>().entries())
                out.push_back(context.split(t, Value::map_entry(key, value)));
            return;
        case Kind::kTree:
            for (const auto& [key, value] : v.as<TreeObject>().children.entries()) {
                out.push_back(context.split(t, Value::map_entry(key, value)));
            }
            return;
        case Kind::kPath:
            for (const Value& object : v.as<PathObject>().objects)
                out.push_back(context.split(t, object));
            return;
        default:
            out.push_back(context.split(t, v));
    }
}

Result<Op*> make_unfold(Compiler& compiler, const Node&, Op* input) {
    return transform(compiler, input, [](QueryContext& context, Batch& in, Batch& out) -> Status {
        for (const Traverser& t : in)
            unfold(context, t, out);
        return {};
    });
}

/// path(): between from() and to(), each object through the by()-ring.
class PathOp final : public TransformOp {
  public:
    PathOp(QueryContext& context, Op* input, Scope& scope, std::string from, std::string to,
           std::vector<By> bys)
        : TransformOp(context, input, scope),
          from_(std::move(from)),
          to_(std::move(to)),
          bys_(std::move(bys)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        std::vector<Value> paths;
        for (const Traverser& t : in) {
            paths.push_back(ctx_.path_value(t));
            HOB_TRY(cut(paths.back()));
        }
        std::vector<std::uint8_t> keep(in.size(), 1);
        if (!bys_.empty()) HOB_TRY(modulate(in, paths, keep));
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (keep[i] != 0) out.push_back(ctx_.split(in[i], std::move(paths[i])));
        }
        return {};
    }

  private:
    static std::optional<std::size_t> place_of(const PathObject& path, std::string_view label,
                                               bool last) {
        std::optional<std::size_t> place;
        for (std::size_t i = 0; i < path.labels.size(); ++i) {
            for (const Value& l : path.labels[i]) {
                if (l.text() == label && (last || !place)) place = i;
            }
        }
        return place;
    }

    Status cut(Value& value) const {
        if (from_.empty() && to_.empty()) return {};
        auto& path = value.mutate<PathObject>();
        std::size_t begin = 0;
        std::size_t end = path.objects.size();
        if (!from_.empty()) {
            const auto place = place_of(path, from_, true);
            if (!place) return Error::execution("The path does not have a step labeled {}", from_);
            begin = *place;
        }
        if (!to_.empty()) {
            const auto place = place_of(path, to_, true);
            if (!place) return Error::execution("The path does not have a step labeled {}", to_);
            end = *place + 1;
        }
        if (begin > end) begin = end;
        path.objects = {path.objects.begin() + static_cast<std::ptrdiff_t>(begin),
                        path.objects.begin() + static_cast<std::ptrdiff_t>(end)};
        path.labels = {path.labels.begin() + static_cast<std::ptrdiff_t>(begin),
                       path.labels.begin() + static_cast<std::ptrdiff_t>(end)};
        return {};
    }

    Status modulate(std::span<const Traverser> in, std::vector<Value>& paths,
                    std::vector<std::uint8_t>& keep) {
        std::vector<Batch> asked(bys_.size());
        std::vector<std::vector<std::pair<std::size_t, std::size_t>>> places(bys_.size());
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const auto& objects = paths[i].as<PathObject>().objects;
            for (std::size_t k = 0; k < objects.size(); ++k) {
                Traverser t = in[i];
                t.value = objects[k];
                asked[k % bys_.size()].push_back(std::move(t));
                places[k % bys_.size()].emplace_back(i, k);
            }
        }
        for (std::size_t by = 0; by < bys_.size(); ++by) {
            if (asked[by].empty()) continue;
            std::vector<Value> values;
            std::vector<std::uint8_t> found;
            HOB_TRY(bys_[by].apply(ctx_, asked[by], values, found));
            for (std::size_t n = 0; n < values.size(); ++n) {
                const auto [i, k] = places[by][n];
                if (found[n] == 0) keep[i] = 0;
                paths[i].mutate<PathObject>().objects[k] = std::move(values[n]);
            }
        }
        return {};
    }

    std::string from_;
    std::string to_;
    std::vector<By> bys_;
};

Result<Op*> make_path(Compiler& compiler, const Node& node, Op* input) {
    std::string ends[2];
    const std::optional<std::vector<Value>>* given[2] = {&node.from, &node.to};
    for (std::size_t i = 0; i < 2; ++i) {
        if (!*given[i]) continue;
        if ((*given[i])->size() != 1 || !(**given[i])[0].is_string()) {
            return Error::invalid("path(): from() and to() take a step label (string)");
        }
        ends[i] = std::string((**given[i])[0].text());
    }
    HOB_ASSIGN_OR_RETURN(std::vector<By> bys, compiler.bys(node, false));
    return compiler.add<PathOp>(input, std::move(ends[0]), std::move(ends[1]), std::move(bys));
}

Result<Op*> make_loops(Compiler& compiler, const Node& node, Op* input) {
    const std::int64_t* counter = nullptr;
    for (const LoopScope& loop : compiler.loops()) {
        if (node.args.empty() || (node.args[0].is_string() && loop.name == node.args[0].text()))
            counter = loop.loops;
    }
    if (counter == nullptr && !node.args.empty()) {
        return Error::execution("Loop name not defined: {}", to_text(node.args[0]));
    }
    return map_values(compiler, input, [counter](const Value&) -> Result<Value> {
        return Value::int_(counter == nullptr ? 0 : static_cast<std::int32_t>(*counter));
    });
}

}  // namespace

Value make_property(const Value& key, const Value& value, const Value& element) {
    auto* property = new PropertyObject;
    property->key = key;
    property->value = value;
    property->element = element;
    return Value::adopt(Kind::kProperty, property);
}

extern const StepSpec values_step;
const StepSpec values_step = {.name = "values", .make = make_values, .reads = true};
extern const StepSpec properties_step;
const StepSpec properties_step = {.name = "properties", .make = make_properties, .reads = true};
extern const StepSpec valueMap_step;
const StepSpec valueMap_step = {
    .name = "valueMap", .modulators = kBy | kWith, .make = make_value_map, .reads = true};
extern const StepSpec propertyMap_step;
const StepSpec propertyMap_step = {
    .name = "propertyMap", .modulators = kBy | kWith, .make = make_property_map, .reads = true};
extern const StepSpec elementMap_step;
const StepSpec elementMap_step = {.name = "elementMap", .make = make_element_map, .reads = true};
extern const StepSpec id_step;
const StepSpec id_step = {.name = "id", .make = make_token_step<T::kId>};
extern const StepSpec label_step;
const StepSpec label_step = {.name = "label", .make = make_token_step<T::kLabel>, .reads = true};
extern const StepSpec key_step;
const StepSpec key_step = {.name = "key", .make = make_token_step<T::kKey>};
extern const StepSpec value_step;
const StepSpec value_step = {.name = "value", .make = make_token_step<T::kValue>};
extern const StepSpec element_step;
const StepSpec element_step = {.name = "element", .make = make_element};
extern const StepSpec constant_step;
const StepSpec constant_step = {.name = "constant", .make = make_constant};
extern const StepSpec unfold_step;
const StepSpec unfold_step = {.name = "unfold", .make = make_unfold};
extern const StepSpec path_step;
const StepSpec path_step = {.name = "path", .modulators = kBy | kFromTo, .make = make_path};
extern const StepSpec loops_step;
const StepSpec loops_step = {.name = "loops", .make = make_loops};

}  // namespace hob::gremlin
