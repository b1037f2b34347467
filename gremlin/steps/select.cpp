// select in all its forms, project.
#include <algorithm>

#include "gremlin/steps/scoping.h"

namespace hob::gremlin {
namespace {

/// Values of one name for all traversers, sent through a modulator; `keep[i]` becomes 0 where there
/// is none.
Status select_one(QueryContext& context, std::span<const Traverser> in, const ScopeKey& key,
                  Pop pop, By& by, std::vector<Value>& values, std::vector<std::uint8_t>& keep) {
    Batch asked;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (keep[i] == 0) continue;
        auto value = scope_value(context, in[i], key, pop);
        if (!value) {
            keep[i] = 0;
            continue;
        }
        Traverser t = in[i];
        t.value = std::move(*value);
        asked.push_back(std::move(t));
        places.push_back(i);
    }
    values.assign(in.size(), Value());
    std::vector<Value> got;
    std::vector<std::uint8_t> found;
    HOB_TRY(by.apply(context, asked, got, found));
    for (std::size_t k = 0; k < places.size(); ++k) {
        values[places[k]] = std::move(got[k]);
        if (found[k] == 0) keep[places[k]] = 0;
    }
    return {};
}

/// select('a') gives the value, select('a','b') a map of them.
class SelectOp final : public TransformOp {
  public:
    SelectOp(QueryContext& context, Op* input, Scope& scope, std::vector<ScopeKey> keys, Pop pop,
             std::vector<By> bys)
        : TransformOp(context, input, scope),
          keys_(std::move(keys)),
          pop_(pop),
          bys_(std::move(bys)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        std::vector<std::uint8_t> keep(in.size(), 1);
        std::vector<std::vector<Value>> columns(keys_.size());
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            HOB_TRY(select_one(ctx_, in, keys_[k], pop_, bys_[k % bys_.size()], columns[k], keep));
        }
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (keep[i] == 0) continue;
            if (keys_.size() == 1) {
                out.push_back(ctx_.split(in[i], std::move(columns[0][i])));
                continue;
            }
            Value map = make_map();
            for (std::size_t k = 0; k < keys_.size(); ++k)
                map.mutate<MapObject>().put(keys_[k].text, std::move(columns[k][i]));
            out.push_back(ctx_.split(in[i], std::move(map)));
        }
        return {};
    }

  private:
    std::vector<ScopeKey> keys_;
    Pop pop_;
    std::vector<By> bys_;
};

/// select(traversal): the traversal gives the name.
class SelectByTraversalOp final : public TransformOp {
  public:
    SelectByTraversalOp(QueryContext& context, Op* input, Scope& scope, Child key, Pop pop,
                        std::vector<By> bys)
        : TransformOp(context, input, scope),
          key_(std::move(key)),
          pop_(pop),
          bys_(std::move(bys)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        std::vector<Value> names;
        std::vector<std::uint8_t> found;
        HOB_TRY(key_.first(in, names, found));
        Batch asked;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (found[i] == 0) continue;
            auto value = value_of(in[i], names[i]);
            if (!value) continue;
            Traverser t = in[i];
            t.value = std::move(*value);
            asked.push_back(std::move(t));
            places.push_back(i);
        }
        std::vector<Value> values;
        HOB_TRY(bys_[0].apply(ctx_, asked, values, found));
        for (std::size_t k = 0; k < places.size(); ++k) {
            if (found[k] != 0) out.push_back(ctx_.split(in[places[k]], std::move(values[k])));
        }
        return {};
    }

  private:
    std::optional<Value> value_of(const Traverser& t, const Value& name) {
        if (name.is_string()) return scope_value(ctx_, t, scope_key(ctx_, name.text()), pop_);
        if (t.value.kind() == Kind::kMap) {
            if (const Value* found = t.value.as<MapObject>().find(name)) return *found;
        }
        return std::nullopt;
    }

    Child key_;
    Pop pop_;
    std::vector<By> bys_;
};

Result<Op*> make_select(Compiler& compiler, const Node& node, Op* input) {
    std::size_t at = 0;
    Pop pop = Pop::kLast;
    if (!node.args.empty() && node.args[0].is_enum(EnumType::kPop)) {
        pop = static_cast<Pop>(node.args[0].enum_ordinal());
        at = 1;
    }
    if (node.args.size() <= at)
        return bad_argument(node, at, "a step label (string), keys, values or a traversal");
    if (node.args[at].is_enum(EnumType::kColumn)) {
        const auto column = static_cast<Column>(node.args[at].enum_ordinal());
        return map_values(compiler, input,
                          [column](const Value& v) { return column_of(column, v); });
    }
    HOB_ASSIGN_OR_RETURN(std::vector<By> bys, compiler.bys(node));
    if (as_traversal(node.args[at]) != nullptr) {
        HOB_ASSIGN_OR_RETURN(Child key, compiler.child(node.args[at]));
        return compiler.add<SelectByTraversalOp>(input, std::move(key), pop, std::move(bys));
    }
    std::vector<ScopeKey> keys;
    for (; at < node.args.size(); ++at) {
        HOB_ASSIGN_OR_RETURN(const std::string name,
                             string_argument(node, at, "a step label (string)"));
        keys.push_back(scope_key(compiler.context(), name));
    }
    return compiler.add<SelectOp>(input, std::move(keys), pop, std::move(bys));
}

/// project(): a map of the named modulators; one that gives nothing leaves its key out.
class ProjectOp final : public TransformOp {
  public:
    ProjectOp(QueryContext& context, Op* input, Scope& scope, std::vector<Value> keys,
              std::vector<By> bys)
        : TransformOp(context, input, scope), keys_(std::move(keys)), bys_(std::move(bys)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        std::vector<Value> maps(in.size());
        for (Value& map : maps)
            map = make_map();
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            HOB_TRY(bys_[k % bys_.size()].apply(ctx_, in, values_, found_));
            for (std::size_t i = 0; i < in.size(); ++i) {
                if (found_[i] != 0)
                    maps[i].mutate<MapObject>().put(keys_[k], std::move(values_[i]));
            }
        }
        for (std::size_t i = 0; i < in.size(); ++i)
            out.push_back(ctx_.split(in[i], std::move(maps[i])));
        return {};
    }

  private:
    std::vector<Value> keys_;
    std::vector<By> bys_;
    std::vector<Value> values_;
    std::vector<std::uint8_t> found_;
};

Result<Op*> make_project(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.empty()) return bad_argument(node, 0, "a key (string)");
    for (std::size_t i = 0; i < node.args.size(); ++i) {
        if (!node.args[i].is_string()) return bad_argument(node, i, "a key (string)");
        for (std::size_t k = 0; k < i; ++k) {
            if (identical(node.args[i], node.args[k])) {
                return Error::invalid("keys must be unique in ProjectStep: '{}' comes twice",
                                      node.args[i].text());
            }
        }
    }
    HOB_ASSIGN_OR_RETURN(std::vector<By> bys, compiler.bys(node));
    return compiler.add<ProjectOp>(input, node.args, std::move(bys));
}

}  // namespace

extern const StepSpec select_step;
const StepSpec select_step = {.name = "select", .modulators = kBy, .make = make_select};
extern const StepSpec project_step;
const StepSpec project_step = {.name = "project", .modulators = kBy, .make = make_project};

}  // namespace hob::gremlin
