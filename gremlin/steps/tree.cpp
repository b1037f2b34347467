// tree() and tree('x'): paths laid over one another.
#include "gremlin/steps/tree_effects.h"

namespace hob::gremlin {
namespace {

/// One traverser's path as keys of a tree, from the root.
using TreePath = std::vector<Value>;

/// Reads the paths of a whole batch, each modulator once over all objects that fall to it.
class TreePaths {
  public:
    explicit TreePaths(std::vector<By> bys) : bys_(std::move(bys)) {}

    /// Objects that a modulator gives nothing for are left out, or refused.
    Status read(QueryContext& context, const Batch& in, bool refuse, std::vector<TreePath>& out) {
        std::vector<std::vector<Value>> objects(in.size());
        std::vector<Batch> asked(bys_.size());
        std::vector<std::vector<std::pair<std::size_t, std::size_t>>> places(bys_.size());
        for (std::size_t i = 0; i < in.size(); ++i) {
            std::size_t at = in[i].path.get() == nullptr ? 0 : in[i].path.get()->length;
            objects[i].resize(at);
            for (const PathNode* node = in[i].path.get(); node != nullptr; node = node->previous) {
                --at;
                places[at % bys_.size()].emplace_back(i, at);
                asked[at % bys_.size()].push_back(context.start(node->object));
            }
        }
        std::vector<std::vector<std::uint8_t>> productive(in.size());
        for (std::size_t i = 0; i < in.size(); ++i)
            productive[i].resize(objects[i].size());
        std::vector<Value> values;
        std::vector<std::uint8_t> found;
        for (std::size_t b = 0; b < bys_.size(); ++b) {
            if (asked[b].empty()) continue;
            HOB_TRY(bys_[b].apply(context, asked[b], values, found));
            for (std::size_t p = 0; p < places[b].size(); ++p) {
                const auto [i, at] = places[b][p];
                if (found[p] == 0 && refuse) {
                    return Error::execution(
                        "The provided start does not map to a value: {}, in the by() of tree()",
                        to_text(asked[b][p].value));
                }
                productive[i][at] = found[p];
                objects[i][at] = std::move(values[p]);
            }
        }
        for (std::size_t i = 0; i < in.size(); ++i) {
            TreePath path;
            for (std::size_t at = 0; at < objects[i].size(); ++at) {
                if (productive[i][at] != 0) path.push_back(std::move(objects[i][at]));
            }
            out.push_back(std::move(path));
        }
        return {};
    }

  private:
    std::vector<By> bys_;
};

Value make_tree() {
    return Value::adopt(Kind::kTree, new TreeObject);
}

/// `tree` and all below it belong to the caller alone.
void lay(Value& tree, const TreePath& path) {
    Value* at = &tree;
    for (const Value& key : path) {
        Value& child = at->mutate<TreeObject>().children.slot(key);
        if (child.is_null()) child = make_tree();
        at = &child;
    }
}

Value copy_tree(const Value& tree) {
    Value copy = make_tree();
    for (const auto& [key, child] : tree.as<TreeObject>().children.entries()) {
        copy.mutate<TreeObject>().children.put(key, copy_tree(child));
    }
    return copy;
}

/// tree(): one for each slot.
class TreeOp final : public BarrierOp {
  public:
    TreeOp(QueryContext& context, Op* input, Scope& scope, std::vector<By> bys)
        : BarrierOp(context, input, scope), paths_(std::move(bys)) {}

  protected:
    Status add(Batch& in) override {
        std::vector<TreePath> paths;
        HOB_TRY(paths_.read(ctx_, in, false, paths));
        for (std::size_t i = 0; i < in.size(); ++i) {
            HOB_TRY(ctx_.hold(paths[i].size() * sizeof(TreeObject), "tree"));
            lay(tree_of(in[i].slot), paths[i]);
        }
        return {};
    }
    Result<bool> emit(Batch& out, std::size_t max) override {
        const std::size_t begin = out.size();
        while (at_ < scope_.slots() && out.size() - begin < max) {
            const auto slot = static_cast<std::uint32_t>(at_++);
            if (scope_.live[slot] == 0) continue;
            out.push_back(ctx_.start(std::move(tree_of(slot)), slot));
        }
        return at_ < scope_.slots();
    }
    void clear() override {
        trees_.clear();
        at_ = 0;
    }

  private:
    Value& tree_of(std::uint32_t slot) {
        if (slot >= trees_.size()) trees_.resize(slot + 1);
        if (trees_[slot].is_null()) trees_[slot] = make_tree();
        return trees_[slot];
    }

    TreePaths paths_;
    std::vector<Value> trees_;
    std::size_t at_ = 0;
};

/// tree('x')
class TreeEffectOp final : public SideEffectBarrierOp {
  public:
    TreeEffectOp(QueryContext& context, Op* input, Scope& scope, std::string key,
                 std::vector<By> bys)
        : SideEffectBarrierOp(context, input, scope, std::move(key)), paths_(std::move(bys)) {
        auto& entry = ctx_.side_effects.require(this->key());
        if (entry.value.is_null()) entry.value = make_tree();
    }

  protected:
    Status add(Batch& in) override {
        HOB_TRY(paths_.read(ctx_, in, true, read_));
        return SideEffectBarrierOp::add(in);
    }
    Status apply(std::size_t from, std::size_t to) override {
        Value& tree = ctx_.side_effects.require(key()).value;
        if (tree.kind() != Kind::kTree) {
            return Error::execution("tree('{0}'): the side effect '{0}' is {1}, expected a Tree",
                                    key(), type_name(tree));
        }
        // Whoever was given the tree keeps it as it was.
        if (!tree.object()->unique()) tree = copy_tree(tree);
        for (std::size_t i = from; i < to; ++i)
            lay(tree, read_[i]);
        return {};
    }
    void clear() override {
        SideEffectBarrierOp::clear();
        read_.clear();
    }

  private:
    TreePaths paths_;
    std::vector<TreePath> read_;
};

Result<Op*> make_tree_step(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(std::vector<By> bys, compiler.bys(node));
    if (node.args.empty()) return compiler.add<TreeOp>(input, std::move(bys));
    HOB_ASSIGN_OR_RETURN(std::string key,
                         string_argument(node, 0, "a side effect's name (string)"));
    return compiler.add<TreeEffectOp>(input, std::move(key), std::move(bys));
}

}  // namespace

extern const StepSpec tree_step;
const StepSpec tree_step = {
    .name = "tree", .modulators = kBy, .make = make_tree_step, .barrier = true, .reducing = true};

}  // namespace hob::gremlin
