// Where traversers come from: V, E, inject.
#include <fmt/format.h>

#include <algorithm>

#include "gremlin/steps/look_up.h"
#include "gremlin/steps/step.h"

namespace hob::gremlin {
namespace {

/// Ids as arguments: elements stand for their ids, collections are spread out. False for what can't
/// be an id here.
void flatten_ids(std::span<const Value> args, std::vector<Value>& out) {
    for (const Value& arg : args) {
        if (arg.kind() == Kind::kList || arg.kind() == Kind::kSet) {
            flatten_ids(arg.items(), out);
        } else if (arg.kind() == Kind::kVertex) {
            out.push_back(arg.vertex_id());
        } else if (arg.kind() == Kind::kEdge) {
            out.push_back(arg.as<EdgeObject>().id);
        } else {
            out.push_back(arg);
        }
    }
}

/// V or E: gives the elements of a look-up by ids, of an index, or of a scan; for each incoming
/// traverser when it stands mid-traversal.
class ElementsOp final : public Op {
  public:
    ElementsOp(QueryContext& context, Op* input, Scope& scope, const Node& node, bool vertices)
        : Op(context, input, scope),
          vertices_(vertices),
          by_id_(!node.args.empty() || node.has_ids),
          unchecked_(node.unchecked),
          scan_labels_(node.scan_labels),
          look_up_(node.look_up) {
        std::vector<Value> ids;
        flatten_ids(node.args, ids);
        if (node.has_ids) {
            std::vector<Value> asked;
            flatten_ids(node.ids, asked);
            if (node.args.empty()) ids = std::move(asked);
        }
        for (const Value& id : ids) {
            const auto fitting =
                vertices ? ctx_.graph->vertex_id_of(id) : ctx_.graph->edge_id_of(id);
            if (fitting) ids_.push_back(vertices ? Value::vertex(*fitting) : *fitting);
        }
        // A look-up gives an element once, however often its id was named by a has().
        if (node.args.empty()) {
            std::vector<Value> distinct;
            for (Value& id : ids_) {
                if (std::none_of(distinct.begin(), distinct.end(),
                                 [&](const Value& d) { return identical(d, id); })) {
                    distinct.push_back(std::move(id));
                }
            }
            ids_ = std::move(distinct);
        }
    }

    [[nodiscard]] std::string storage_call() const override {
        const std::string_view what = vertices_ ? "vertices" : "edges";
        if (by_id_) return fmt::format("multi-get: {} {} by id", ids_.size(), what);
        if (look_up_ != nullptr && !look_up_->key.empty()) {
            const auto element =
                vertices_ ? graph::ElementType::kVertex : graph::ElementType::kEdge;
            if (const auto index =
                    ctx_.transaction->find_index(element, look_up_->label, look_up_->key)) {
                return fmt::format("multi-get: index {}, {} value(s) of {}", index->name,
                                   look_up_->values.size(), look_up_->key);
            }
        }
        if (scan_labels_.empty()) return fmt::format("scan: all {}", what);
        return fmt::format("scan: {} with label [{}]", what, fmt::join(scan_labels_, ", "));
    }

    void reset() override {
        Op::reset();
        parents_.clear();
        parent_ = 0;
        scan_.reset();
        started_ = false;
        input_state_ = Pull::kMore;
    }

  protected:
    Result<Pull> pull(Batch& out, std::size_t max) override {
        if (input_ == nullptr) {
            if (!started_) HOB_TRY(begin());
            HOB_ASSIGN_OR_RETURN(const bool more, give(nullptr, out, bounded(max)));
            return more ? Pull::kMore : Pull::kDone;
        }
        while (true) {
            HOB_TRY(ctx_.check());
            if (parent_ < parents_.size()) {
                if (!started_) HOB_TRY(begin());
                const std::size_t before = out.size();
                HOB_ASSIGN_OR_RETURN(const bool more, give(&parents_[parent_], out, bounded(max)));
                if (!more) {
                    ++parent_;
                    started_ = false;
                }
                if (out.size() > before) return Pull::kMore;
                continue;
            }
            if (input_state_ == Pull::kDone) return Pull::kDone;
            parents_.clear();
            parent_ = 0;
            HOB_ASSIGN_OR_RETURN(input_state_, input_->next(parents_, bounded(max)));
            if (parents_.empty() && input_state_ != Pull::kMore) return input_state_;
        }
    }

  private:
    /// Starts one walk over the elements; by id and by index they are read once and kept.
    Status begin() {
        started_ = true;
        at_ = 0;
        if (by_id_) {
            if (!loaded_) HOB_TRY(load_ids());
            return {};
        }
        if (look_up_ != nullptr && !look_up_->key.empty() && !loaded_) {
            const auto element =
                vertices_ ? graph::ElementType::kVertex : graph::ElementType::kEdge;
            if (const auto index =
                    ctx_.transaction->find_index(element, look_up_->label, look_up_->key)) {
                HOB_ASSIGN_OR_RETURN(look_up_->certain, ctx_.transaction->index_candidates(
                                                            *index, look_up_->values, found_));
                look_up_->served = true;
                if (ctx_.whole_results) ctx_.projection.all = true;
                look_up_->of_label = index->label;
                loaded_ = true;
                by_id_ = true;
                return {};
            }
        }
        if (vertices_) {
            HOB_ASSIGN_OR_RETURN(scan_,
                                 ctx_.transaction->scan_vertices(scan_labels_, ctx_.projection));
        } else {
            HOB_ASSIGN_OR_RETURN(scan_, ctx_.transaction->scan_edges(scan_labels_));
        }
        return {};
    }

    Status load_ids() {
        loaded_ = true;
        if (vertices_ && unchecked_) {
            found_ = ids_;
            return {};
        }
        if (vertices_) {
            std::vector<const VertexRecord*> records;
            HOB_TRY(ctx_.records(ids_, ctx_.whole_results, records));
            for (std::size_t i = 0; i < ids_.size(); ++i) {
                if (records[i] != nullptr) found_.push_back(ids_[i]);
            }
            return {};
        }
        std::vector<Value> edges;
        HOB_TRY(ctx_.transaction->read_edges(ids_, edges));
        for (Value& edge : edges) {
            if (!edge.is_null()) found_.push_back(std::move(edge));
        }
        return {};
    }

    Result<bool> give(const Traverser* parent, Batch& out, std::size_t max) {
        elements_.clear();
        if (by_id_) {
            const std::size_t end = std::min(found_.size(), at_ + max);
            elements_.insert(elements_.end(), found_.begin() + static_cast<std::ptrdiff_t>(at_),
                             found_.begin() + static_cast<std::ptrdiff_t>(end));
            at_ = end;
        } else {
            ctx_.transaction->forget(kRecordsMax);
            HOB_TRY(scan_->next(max, elements_));
        }
        for (Value& element : elements_) {
            out.push_back(parent == nullptr ? ctx_.start(std::move(element))
                                            : ctx_.split(*parent, std::move(element)));
        }
        return by_id_ ? at_ < found_.size() : !elements_.empty();
    }

    static constexpr std::size_t kRecordsMax = 50'000;  ///< Records that a long scan keeps cached.
    bool vertices_;
    bool by_id_;
    bool unchecked_;
    std::vector<std::string> scan_labels_;
    std::shared_ptr<LookUp> look_up_;
    std::vector<Value> ids_;
    std::vector<Value> found_;
    bool loaded_ = false;
    bool started_ = false;
    std::size_t at_ = 0;
    std::unique_ptr<graph::ElementScan> scan_;
    std::vector<Value> elements_;
    Batch parents_;
    std::size_t parent_ = 0;
    Pull input_state_ = Pull::kMore;
};

Result<Op*> make_vertices(Compiler& compiler, const Node& node, Op* input) {
    return compiler.add<ElementsOp>(input, node, true);
}
Result<Op*> make_edges(Compiler& compiler, const Node& node, Op* input) {
    return compiler.add<ElementsOp>(input, node, false);
}

/// Its own values first, then whatever comes in.
class InjectOp final : public Op {
  public:
    InjectOp(QueryContext& context, Op* input, Scope& scope, std::vector<Value> values)
        : Op(context, input, scope),
          values_(std::move(values)),
          after_(dynamic_cast<SourceOp*>(input) != nullptr) {}
    void reset() override {
        Op::reset();
        given_ = false;
    }

  protected:
    Result<Pull> pull(Batch& out, std::size_t max) override {
        // At the head of a child what was fed stands before the injected values, elsewhere behind
        // them.
        if (after_ && !given_) {
            const std::size_t before = out.size();
            HOB_ASSIGN_OR_RETURN(const Pull state, input_->next(out, bounded(max)));
            if (state != Pull::kDone || out.size() > before)
                return state == Pull::kDone ? Pull::kMore : state;
        }
        if (!given_) {
            given_ = true;
            for (std::uint32_t slot = 0; slot < scope_.slots(); ++slot) {
                if (scope_.live[slot] == 0 && input_ != nullptr) continue;
                for (const Value& value : values_)
                    out.push_back(ctx_.start(value, slot));
            }
            return input_ == nullptr ? Pull::kDone : Pull::kMore;
        }
        if (input_ == nullptr) return Pull::kDone;
        return input_->next(out, bounded(max));
    }

  private:
    std::vector<Value> values_;
    bool after_;
    bool given_ = false;
};

Result<Op*> make_inject(Compiler& compiler, const Node& node, Op* input) {
    return compiler.add<InjectOp>(input, node.args);
}

}  // namespace

extern const StepSpec V_step;
const StepSpec V_step = {.name = "V", .make = make_vertices, .starts = true};
extern const StepSpec E_step;
const StepSpec E_step = {.name = "E", .make = make_edges, .starts = true};
extern const StepSpec inject_step;
const StepSpec inject_step = {.name = "inject", .make = make_inject, .starts = true};

}  // namespace hob::gremlin
