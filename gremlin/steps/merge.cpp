// mergeV and mergeE: find what a map describes or create it. The maps of a whole batch are
// evaluated and searched for at once; then each traverser's turn comes, and sees what those before
// it created or changed.
#include <algorithm>

#include "gremlin/steps/lists_values.h"
#include "gremlin/steps/merge_map.h"
#include "gremlin/steps/merge_search.h"
#include "gremlin/steps/step.h"

namespace hob::gremlin {
namespace {

/// What a merge step was given.
struct MergeOptions {
    MergeArgument merge;
    std::optional<MergeArgument> on_create;
    std::optional<Cardinality> on_create_cardinality;
    std::optional<MergeArgument> on_match;
    std::optional<Cardinality> on_match_cardinality;
    std::optional<MergeArgument> out_vertex;
    std::optional<MergeArgument> in_vertex;
};

class MergeOp : public TransformOp {
  public:
    MergeOp(QueryContext& context, Op* input, Scope& scope, MergeOptions options, bool vertices)
        : TransformOp(context, input, scope),
          options_(std::move(options)),
          vertices_(vertices),
          search_(context, vertices) {}

    [[nodiscard]] std::string storage_call() const override {
        return "search: by id or index, else one scan for all maps of a batch";
    }

  protected:
    Status apply(Batch& in, Batch& out) final {
        in_.swap(in);
        return process(out);
    }

    /// The ends of edges become vertices (kVertex); nothing to do for vertices. `places` are the
    /// maps' traversers.
    virtual Status resolve_ends(std::span<const Traverser> parents, std::vector<Value>& maps) = 0;
    /// Reads at once what creating from these maps will ask.
    virtual Status prefetch(std::span<const Value> maps) = 0;
    virtual Result<Value> create(const MapObject& map) = 0;
    /// Sets a property; gives the element with the change.
    virtual Result<Value> set_property(const Value& element, std::string_view key,
                                       const MergeValue& value) = 0;

    [[nodiscard]] std::string_view step() const { return vertices_ ? "mergeV" : "mergeE"; }

    MergeOptions options_;
    bool vertices_;

  private:
    struct Outcome {
        std::size_t parent = 0;
        Value element;
        bool matched = false;
    };

    Status process(Batch& out) {
        HOB_TRY(prepare());
        outcomes_.clear();
        for (std::size_t i = 0; i < in_.size(); ++i) {
            const std::vector<Value> found = search_.pattern(pattern_of_[i]).found;
            if (found.empty()) {
                HOB_TRY(create_for(i));
                continue;
            }
            for (const Value& element : found) {
                Outcome outcome{.parent = i, .element = element, .matched = true};
                if (options_.on_match && options_.on_match->is_literal()) {
                    HOB_TRY(change(outcome.element, options_.on_match->literal()));
                }
                outcomes_.push_back(std::move(outcome));
            }
        }
        HOB_TRY(run_on_match());
        for (Outcome& outcome : outcomes_) {
            out.push_back(ctx_.split(in_[outcome.parent], std::move(outcome.element)));
        }
        return {};
    }

    /// Evaluates the merge maps, searches for all of them, and evaluates onCreate where nothing was
    /// found.
    Status prepare() {
        HOB_TRY(options_.merge.maps(in_, step(), given_));
        for (const Value& map : given_) {
            HOB_TRY(validate_merge_map(map.as<MapObject>(), vertices_, MergeRole::kSearch));
        }
        if (options_.on_match && options_.on_match->is_literal()) {
            HOB_TRY(validate_merge_map(options_.on_match->literal().as<MapObject>(), vertices_,
                                       MergeRole::kOnMatch));
        }
        merge_maps_ = given_;
        HOB_TRY(resolve_ends(in_, merge_maps_));
        search_.clear();
        pattern_of_.clear();
        for (const Value& map : merge_maps_) {
            HOB_ASSIGN_OR_RETURN(const std::size_t index, search_.add(map));
            pattern_of_.push_back(index);
        }
        HOB_TRY(search_.run());
        create_maps_.assign(in_.size(), Value());
        std::vector<std::size_t> missing;
        for (std::size_t i = 0; i < in_.size(); ++i) {
            if (search_.pattern(pattern_of_[i]).found.empty()) missing.push_back(i);
        }
        return prepare_create(missing);
    }

    /// The maps to create from, for the traversers at `places`.
    Status prepare_create(const std::vector<std::size_t>& places) {
        if (!options_.on_create) {
            for (const std::size_t i : places)
                create_maps_[i] = merge_maps_[i];
            return {};
        }
        if (places.empty()) return {};
        Batch parents;
        for (const std::size_t i : places)
            parents.push_back(in_[i]);
        std::vector<Value> maps;
        HOB_TRY(options_.on_create->maps(parents, step(), maps));
        for (std::size_t p = 0; p < places.size(); ++p) {
            const std::size_t i = places[p];
            if (maps[p].as<MapObject>().size() == 0) {
                maps[p] = merge_maps_[i];
                continue;
            }
            const auto& on_create = maps[p].as<MapObject>();
            HOB_TRY(validate_merge_map(on_create, vertices_, MergeRole::kSearch));
            HOB_TRY(validate_no_overrides(given_[i].as<MapObject>(), on_create));
            Value combined = copy_map(merge_maps_[i]);
            for (const auto& [key, value] : on_create.entries()) {
                if (merge_maps_[i].as<MapObject>().find(key) == nullptr) {
                    combined.mutate<MapObject>().put(key, value);
                }
            }
            maps[p] = std::move(combined);
        }
        HOB_TRY(resolve_ends(parents, maps));
        for (std::size_t p = 0; p < places.size(); ++p)
            create_maps_[places[p]] = maps[p];
        return {};
    }

    Status create_for(std::size_t i) {
        // What was there at first may have been changed by a traverser before this one.
        if (create_maps_[i].is_null()) HOB_TRY(prepare_create({i}));
        HOB_ASSIGN_OR_RETURN(Value element, create(create_maps_[i].as<MapObject>()));
        HOB_TRY(search_.update(element));
        outcomes_.push_back({.parent = i, .element = std::move(element)});
        return {};
    }

    /// onMatch: sets the map's properties.
    Status change(Value& element, const Value& map) {
        const auto& entries = map.as<MapObject>().entries();
        for (const auto& [key, given] : entries) {
            HOB_ASSIGN_OR_RETURN(MergeValue value, merge_value(given));
            if (!value.cardinality) value.cardinality = options_.on_match_cardinality;
            HOB_ASSIGN_OR_RETURN(element, set_property(element, key.text(), value));
        }
        if (!entries.empty()) HOB_TRY(search_.update(element));
        return {};
    }

    /// An onMatch traversal runs on the found elements of the whole batch.
    Status run_on_match() {
        if (!options_.on_match || options_.on_match->is_literal()) return {};
        Batch parents;
        std::vector<Outcome*> matched;
        for (Outcome& outcome : outcomes_) {
            if (!outcome.matched) continue;
            parents.push_back(in_[outcome.parent]);
            parents.back().value = outcome.element;
            matched.push_back(&outcome);
        }
        if (matched.empty()) return {};
        std::vector<Value> maps;
        HOB_TRY(options_.on_match->maps(parents, step(), maps));
        for (const Value& map : maps) {
            HOB_TRY(validate_merge_map(map.as<MapObject>(), vertices_, MergeRole::kOnMatch));
        }
        HOB_TRY(reread(matched));
        for (std::size_t i = 0; i < matched.size(); ++i) {
            // The same edge may have been changed for a traverser before.
            const auto latest = latest_.find(matched[i]->element);
            if (latest != latest_.end()) matched[i]->element = latest->second;
            HOB_TRY(change(matched[i]->element, maps[i]));
            if (!vertices_) latest_[matched[i]->element] = matched[i]->element;
        }
        return {};
    }

    /// The onMatch traversal itself may have changed the edges, which carry their properties.
    Status reread(const std::vector<Outcome*>& matched) {
        latest_.clear();
        if (vertices_) return {};
        std::vector<Value> ids;
        for (const Outcome* outcome : matched)
            ids.push_back(outcome->element.as<EdgeObject>().id);
        std::vector<Value> edges;
        HOB_TRY(ctx_.transaction->read_edges(ids, edges));
        for (std::size_t i = 0; i < matched.size(); ++i) {
            if (!edges[i].is_null()) matched[i]->element = edges[i];
        }
        return {};
    }

    MergeSearch search_;
    Batch in_;
    std::vector<Value> given_;        ///< Merge maps as they were given.
    std::vector<Value> merge_maps_;   ///< The same with ends resolved.
    std::vector<Value> create_maps_;  ///< Null where onCreate was not evaluated.
    std::vector<std::size_t> pattern_of_;
    std::vector<Outcome> outcomes_;
    absl::flat_hash_map<Value, Value, ValueHash, ValueIdentical> latest_;
};

// --- mergeV ---

class MergeVertexOp final : public MergeOp {
  public:
    MergeVertexOp(QueryContext& context, Op* input, Scope& scope, MergeOptions options)
        : MergeOp(context, input, scope, std::move(options), true) {}

  protected:
    Status resolve_ends(std::span<const Traverser>, std::vector<Value>&) override { return {}; }

    Status prefetch(std::span<const Value> maps) override {
        std::vector<Value> vertices;
        for (const Value& map : maps) {
            const Value* id = find_token(map.as<MapObject>(), T::kId);
            if (id == nullptr) continue;
            if (const auto fitting = ctx_.graph->vertex_id_of(*id))
                vertices.push_back(Value::vertex(*fitting));
        }
        if (vertices.empty()) return {};
        std::vector<const VertexRecord*> records;
        return ctx_.transaction->read_vertices(vertices, graph::Projection::label_only(), records);
    }

    Result<Value> create(const MapObject& map) override {
        Value id;
        std::string label = "vertex";
        std::vector<graph::PropertyWrite> properties;
        for (const auto& [key, given] : map.entries()) {
            if (!key.is_string()) {
                if (key.enum_ordinal() == static_cast<std::uint8_t>(T::kLabel)) {
                    label = given.text();
                } else {
                    id = ctx_.graph->vertex_id_of(given).value_or(given);
                }
                continue;
            }
            HOB_ASSIGN_OR_RETURN(MergeValue value, merge_value(given));
            if (value.value.is_null()) continue;
            if (!value.cardinality) value.cardinality = options_.on_create_cardinality;
            graph::PropertyWrite write;
            write.key = key.text();
            write.value = std::move(value.value);
            write.cardinality = value.cardinality;
            properties.push_back(std::move(write));
        }
        return ctx_.transaction->add_vertex(id, label, properties);
    }

    Result<Value> set_property(const Value& element, std::string_view key,
                               const MergeValue& value) override {
        graph::PropertyWrite write;
        write.key = key;
        write.value = value.value;
        write.cardinality = value.cardinality;
        HOB_TRY(ctx_.transaction->set_vertex_property(element, write));
        return element;
    }
};

// --- mergeE ---

class MergeEdgeOp final : public MergeOp {
  public:
    MergeEdgeOp(QueryContext& context, Op* input, Scope& scope, MergeOptions options)
        : MergeOp(context, input, scope, std::move(options), false) {}

  protected:
    Status resolve_ends(std::span<const Traverser> parents, std::vector<Value>& maps) override {
        HOB_TRY(resolve_end(parents, maps, Direction::kOut, options_.out_vertex));
        return resolve_end(parents, maps, Direction::kIn, options_.in_vertex);
    }

    Status prefetch(std::span<const Value> maps) override {
        std::vector<graph::EdgeDraft> drafts;
        for (const Value& map : maps) {
            const Value* out = find_direction(map.as<MapObject>(), Direction::kOut);
            const Value* in = find_direction(map.as<MapObject>(), Direction::kIn);
            if (out == nullptr || in == nullptr) continue;
            if (out->kind() != Kind::kVertex || in->kind() != Kind::kVertex) continue;
            const Value* label = find_token(map.as<MapObject>(), T::kLabel);
            graph::EdgeDraft draft;
            draft.label = label == nullptr ? kDefaultLabel : label->text();
            draft.out = *out;
            draft.in = *in;
            if (const Value* id = find_token(map.as<MapObject>(), T::kId)) {
                draft.id = ctx_.graph->edge_id_of(*id).value_or(*id);
            }
            drafts.push_back(std::move(draft));
        }
        return drafts.empty() ? Status() : ctx_.transaction->prefetch_edges(drafts);
    }

    Result<Value> create(const MapObject& map) override {
        HOB_ASSIGN_OR_RETURN(const Value out, end_of(map, Direction::kOut));
        HOB_ASSIGN_OR_RETURN(const Value in, end_of(map, Direction::kIn));
        Value id;
        std::string label(kDefaultLabel);
        std::vector<std::pair<std::string, Value>> properties;
        for (const auto& [key, given] : map.entries()) {
            if (key.is_string()) {
                HOB_ASSIGN_OR_RETURN(MergeValue value, merge_value(given));
                if (!value.value.is_null()) {
                    properties.emplace_back(key.text(), std::move(value.value));
                }
            } else if (key.is_enum(EnumType::kT)) {
                if (key.enum_ordinal() == static_cast<std::uint8_t>(T::kLabel)) {
                    label = given.text();
                } else {
                    id = ctx_.graph->edge_id_of(given).value_or(given);
                }
            }
        }
        auto edge = ctx_.transaction->add_edge(id, label, out, in, properties);
        if (!edge.ok() && edge.error().code == Code::kNotFound) {
            HOB_TRY(require(out));
            HOB_TRY(require(in));
        }
        return edge;
    }

    Result<Value> set_property(const Value& element, std::string_view key,
                               const MergeValue& value) override {
        return ctx_.transaction->set_edge_property(element, key, value.value);
    }

  private:
    static constexpr std::string_view kDefaultLabel = "edge";

    /// The vertex at one end of an edge to create.
    static Result<Value> end_of(const MapObject& map, Direction direction) {
        const Value* end = find_direction(map, direction);
        if (end == nullptr) {
            return Error::execution("{} Vertex not specified in onCreate - edge cannot be created",
                                    direction == Direction::kOut ? "Out" : "In");
        }
        if (end->kind() != Kind::kVertex) return unresolved(*end);
        return *end;
    }

    static Error unresolved(const Value& id) {
        return Error::execution("Vertex id could not be resolved from mergeE: {}", to_text(id));
    }

    /// Refuses a vertex that does not exist, in TinkerPop's words.
    Status require(const Value& vertex) {
        std::vector<const VertexRecord*> records;
        HOB_TRY(ctx_.transaction->read_vertices(std::span(&vertex, 1),
                                                graph::Projection::label_only(), records));
        if (records[0] == nullptr) return unresolved(vertex.vertex_id());
        return {};
    }

    /// Turns the maps' OUT or IN into vertices: tokens by their option, ids and vertices as they
    /// stand.
    Status resolve_end(std::span<const Traverser> parents, std::vector<Value>& maps,
                       Direction direction, std::optional<MergeArgument>& option) {
        std::vector<std::size_t> tokens;
        for (std::size_t i = 0; i < maps.size(); ++i) {
            const Value* end = find_direction(maps[i].as<MapObject>(), direction);
            if (end == nullptr || end->kind() == Kind::kVertex) continue;
            if (end->is_enum(EnumType::kMerge)) {
                tokens.push_back(i);
                continue;
            }
            // A value that can't be an id here stays what it is: nothing is found by it.
            if (const auto id = ctx_.graph->vertex_id_of(*end)) {
                set_end(maps[i], direction, Value::vertex(*id));
            }
        }
        if (tokens.empty()) return {};
        const std::string_view token = direction == Direction::kOut ? "outV" : "inV";
        if (!option) {
            return Error::execution("option({}) must be specified if it is used for {}", token,
                                    direction == Direction::kOut ? "OUT" : "IN");
        }
        Batch asking;
        for (const std::size_t i : tokens)
            asking.push_back(parents[i]);
        std::vector<Value> ends;
        HOB_TRY(option->values(asking, "mergeE", ends));
        HOB_TRY(find_vertices(ends, token));
        for (std::size_t t = 0; t < tokens.size(); ++t) {
            set_end(maps[tokens[t]], direction, ends[t]);
        }
        return {};
    }

    static void set_end(Value& map, Direction direction, Value vertex) {
        Value copy = copy_map(map);
        copy.mutate<MapObject>().put(Value::direction(direction), std::move(vertex));
        map = std::move(copy);
    }

    /// An option's results: vertices stay; maps are searched for like mergeV() does, all at once.
    Status find_vertices(std::vector<Value>& ends, std::string_view token) {
        MergeSearch search(ctx_, true);
        std::vector<std::pair<std::size_t, std::size_t>> searched;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (ends[i].kind() == Kind::kVertex) continue;
            if (ends[i].is_null()) {
                return Error::execution("Could not resolve vertex for option({})", token);
            }
            if (ends[i].kind() != Kind::kMap) {
                return Error::execution("Vertex could not be resolved from mergeE: {}",
                                        to_text(ends[i]));
            }
            HOB_TRY(validate_merge_map(ends[i].as<MapObject>(), true, MergeRole::kSearch));
            HOB_ASSIGN_OR_RETURN(const std::size_t index, search.add(ends[i]));
            searched.emplace_back(i, index);
        }
        if (searched.empty()) return {};
        HOB_TRY(search.run());
        for (const auto& [i, index] : searched) {
            const auto& found = search.pattern(index).found;
            if (found.empty()) {
                return Error::execution(
                    "Could not resolve vertex for option({}): no vertex matches {}", token,
                    to_text(ends[i]));
            }
            ends[i] = found.front();
        }
        return {};
    }
};

// --- making them ---

Status take_option(Compiler& compiler, const Node& node, const Option& option, bool vertices,
                   MergeOptions& options) {
    if (!option.has_token || !option.token.is_enum(EnumType::kMerge)) {
        return Error::invalid(
            "{}().option() takes a Merge token (onCreate, onMatch{}) first, found {}", node.name,
            vertices ? "" : ", outV, inV", to_text(option.token));
    }
    const auto token = static_cast<Merge>(option.token.enum_ordinal());
    const bool at_end = token == Merge::kOutV || token == Merge::kInV;
    if (at_end && vertices) {
        return Error::invalid("Option {} for Merge is not supported", to_text(option.token));
    }
    if (!as_traversal(option.value) && !option.value.is_null() &&
        option.value.kind() != Kind::kMap && !(at_end && option.value.kind() == Kind::kVertex)) {
        return Error::invalid("{}().option({}) takes a map or a traversal, found {} ({})",
                              node.name, to_text(option.token), to_text(option.value),
                              type_name(option.value));
    }
    std::optional<Cardinality> cardinality;
    if (option.extra.is_enum(EnumType::kCardinality)) {
        if (!vertices) {
            return Error::invalid(
                "option() with the Cardinality argument can only be used following mergeV()");
        }
        cardinality = static_cast<Cardinality>(option.extra.enum_ordinal());
    }
    HOB_ASSIGN_OR_RETURN(MergeArgument argument,
                         MergeArgument::make(compiler, node, 0, option.value));
    switch (token) {
        case Merge::kOnCreate:
            if (options.merge.is_literal() && argument.is_literal()) {
                HOB_TRY(validate_no_overrides(options.merge.literal().as<MapObject>(),
                                              argument.literal().as<MapObject>()));
            }
            options.on_create = std::move(argument);
            options.on_create_cardinality = cardinality;
            break;
        case Merge::kOnMatch:
            options.on_match = std::move(argument);
            options.on_match_cardinality = cardinality;
            break;
        case Merge::kOutV:
            options.out_vertex = std::move(argument);
            break;
        case Merge::kInV:
            options.in_vertex = std::move(argument);
            break;
    }
    return {};
}

Result<MergeOptions> make_options(Compiler& compiler, const Node& node, bool vertices) {
    MergeOptions options;
    if (!node.args.empty()) {
        if (node.args[0].kind() == Kind::kVertex)
            return bad_argument(node, 0, "a map or a traversal");
        HOB_ASSIGN_OR_RETURN(options.merge, MergeArgument::make(compiler, node, 0, node.args[0]));
        if (options.merge.is_literal()) {
            HOB_TRY(validate_merge_map(options.merge.literal().as<MapObject>(), vertices,
                                       MergeRole::kSearch));
        }
    }
    for (const Option& option : node.options) {
        HOB_TRY(take_option(compiler, node, option, vertices, options));
    }
    return options;
}

Result<Op*> make_merge_vertex(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(MergeOptions options, make_options(compiler, node, true));
    return compiler.add<MergeVertexOp>(input, std::move(options));
}

Result<Op*> make_merge_edge(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(MergeOptions options, make_options(compiler, node, false));
    return compiler.add<MergeEdgeOp>(input, std::move(options));
}

}  // namespace

extern const StepSpec mergeV_step;
extern const StepSpec mergeE_step;
const StepSpec mergeV_step = {.name = "mergeV",
                              .modulators = kOption,
                              .make = make_merge_vertex,
                              .visible = true,
                              .writes = true};
const StepSpec mergeE_step = {.name = "mergeE",
                              .modulators = kOption,
                              .make = make_merge_edge,
                              .visible = true,
                              .writes = true};

}  // namespace hob::gremlin
