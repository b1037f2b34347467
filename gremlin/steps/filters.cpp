// Steps that keep or drop: is, filter, where, not, and, or, identity, none/discard, coin,
// simplePath, cyclicPath, timeLimit.
#include <absl/container/flat_hash_set.h>

#include <chrono>

#include "gremlin/exec/predicate.h"
#include "gremlin/steps/scoping.h"
#include "storage/value/compare.h"

namespace hob::gremlin {
namespace {

Result<Op*> make_is(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.size() != 1) return bad_argument(node, 0, "a value or a predicate");
    HOB_ASSIGN_OR_RETURN(Predicate predicate, Predicate::make(node.args[0]));
    return filter_values(compiler, input,
                         [predicate = std::move(predicate)](const Value& v) -> Result<bool> {
                             return predicate.test(v);
                         });
}

/// Keeps those that pass every (and) or any (or) child; `negate` keeps the others (not).
class ConnectiveOp final : public TransformOp {
  public:
    ConnectiveOp(QueryContext& context, Op* input, Scope& scope, std::vector<FilterChild> children,
                 bool any, bool negate)
        : TransformOp(context, input, scope),
          children_(std::move(children)),
          any_(any),
          negate_(negate) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        std::vector<std::uint8_t> verdict(in.size(), any_ ? 0 : 1);
        for (FilterChild& child : children_) {
            Batch open;
            std::vector<std::size_t> places;
            for (std::size_t i = 0; i < in.size(); ++i) {
                if ((verdict[i] != 0) == any_) continue;
                open.push_back(in[i]);
                places.push_back(i);
            }
            if (open.empty()) break;
            HOB_TRY(child.test(ctx_, open, passes_));
            for (std::size_t i = 0; i < places.size(); ++i)
                verdict[places[i]] = passes_[i];
        }
        for (std::size_t i = 0; i < in.size(); ++i) {
            if ((verdict[i] != 0) != negate_) out.push_back(std::move(in[i]));
        }
        return {};
    }

  private:
    std::vector<FilterChild> children_;
    std::vector<std::uint8_t> passes_;
    bool any_;
    bool negate_;
};

Result<Op*> make_connective(Compiler& compiler, const Node& node, Op* input, bool any, bool negate,
                            ChildLabels labels = ChildLabels::kLabel) {
    std::vector<FilterChild> children;
    for (const Value& arg : node.args) {
        HOB_ASSIGN_OR_RETURN(FilterChild child, FilterChild::make(compiler, arg, labels));
        children.push_back(std::move(child));
    }
    return compiler.add<ConnectiveOp>(input, std::move(children), any, negate);
}
Result<Op*> make_and(Compiler& compiler, const Node& node, Op* input) {
    return make_connective(compiler, node, input, false, false);
}
Result<Op*> make_or(Compiler& compiler, const Node& node, Op* input) {
    return make_connective(compiler, node, input, true, false);
}
Result<Op*> make_not(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.size() == 1 && as_predicate(node.args[0]) != nullptr) {
        HOB_ASSIGN_OR_RETURN(Predicate predicate, Predicate::make(node.args[0]));
        return filter_values(compiler, input,
                             [predicate = std::move(predicate)](const Value& v) -> Result<bool> {
                                 HOB_ASSIGN_OR_RETURN(const bool holds, predicate.test(v));
                                 return !holds;
                             });
    }
    return make_connective(compiler, node, input, false, true);
}

/// where(P) and where('a', P): the predicate's operands are names; by()-modulators go around in a
/// ring.
class WherePredicateOp final : public TransformOp {
  public:
    WherePredicateOp(QueryContext& context, Op* input, Scope& scope, std::optional<ScopeKey> start,
                     Predicate predicate, std::vector<ScopeKey> keys, std::vector<By> bys)
        : TransformOp(context, input, scope),
          start_(std::move(start)),
          predicate_(std::move(predicate)),
          keys_(std::move(keys)),
          bys_(std::move(bys)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        std::vector<std::uint8_t> keep(in.size(), 1);
        std::vector<Value> left;
        HOB_TRY(side(in, start_ ? &*start_ : nullptr, bys_[0], left, keep));
        std::vector<std::vector<Value>> right(keys_.size());
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            HOB_TRY(side(in, &keys_[k], bys_[(k + 1) % bys_.size()], right[k], keep));
        }
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (keep[i] == 0) continue;
            std::size_t next = 0;
            HOB_ASSIGN_OR_RETURN(const bool holds, test(predicate_, left[i], right, i, next));
            if (holds) out.push_back(std::move(in[i]));
        }
        return {};
    }

  private:
    /// The values of one name for all traversers, sent through its modulator.
    Status side(std::span<const Traverser> in, const ScopeKey* key, By& by,
                std::vector<Value>& values, std::vector<std::uint8_t>& keep) {
        Batch stand_ins(in.begin(), in.end());
        if (key != nullptr) {
            for (std::size_t i = 0; i < in.size(); ++i) {
                if (keep[i] == 0) continue;
                auto value = scope_value(ctx_, in[i], *key, Pop::kLast);
                if (!value) return no_such_key(*key, "WherePredicateStep");
                stand_ins[i].value = std::move(*value);
            }
        }
        std::vector<std::uint8_t> found;
        // Those that the other side dropped are not asked of the modulator.
        Batch asked;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (keep[i] == 0) continue;
            asked.push_back(std::move(stand_ins[i]));
            places.push_back(i);
        }
        std::vector<Value> got;
        HOB_TRY(by.apply(ctx_, asked, got, found));
        values.assign(in.size(), Value());
        for (std::size_t i = 0; i < places.size(); ++i) {
            values[places[i]] = std::move(got[i]);
            if (found[i] == 0) keep[places[i]] = 0;
        }
        return {};
    }

    static Result<bool> test(const Predicate& predicate, const Value& left,
                             const std::vector<std::vector<Value>>& right, std::size_t i,
                             std::size_t& next) {
        if (!predicate.parts().empty()) {
            bool verdict = predicate.kind() != Predicate::Kind::kOr;
            for (const Predicate& part : predicate.parts()) {
                HOB_ASSIGN_OR_RETURN(const bool holds, test(part, left, right, i, next));
                verdict =
                    predicate.kind() == Predicate::Kind::kOr ? verdict || holds : verdict && holds;
            }
            return predicate.kind() == Predicate::Kind::kNot ? !verdict : verdict;
        }
        std::vector<Value> operands;
        if (predicate.kind() == Predicate::Kind::kWithin ||
            predicate.kind() == Predicate::Kind::kWithout) {
            const Value& members = right[next++][i];
            if (members.kind() == Kind::kBulkSet) {
                for (const auto& [value, count] : members.as<BulkSetObject>().entries())
                    operands.push_back(value);
            } else if (members.is_collection()) {
                operands.assign(members.items().begin(), members.items().end());
            } else {
                operands.push_back(members);
            }
        } else {
            for (std::size_t k = 0; k < predicate.operands().size(); ++k)
                operands.push_back(right[next++][i]);
        }
        return predicate.with_operands(std::move(operands)).test(left);
    }

    std::optional<ScopeKey> start_;
    Predicate predicate_;
    std::vector<ScopeKey> keys_;
    std::vector<By> bys_;
};

/// The names in a predicate, in order; within() names one collection.
Status collect_keys(Compiler& compiler, const Predicate& predicate, std::vector<ScopeKey>& keys) {
    for (const Predicate& part : predicate.parts())
        HOB_TRY(collect_keys(compiler, part, keys));
    if (!predicate.parts().empty()) return {};
    const bool one = predicate.kind() == Predicate::Kind::kWithin ||
                     predicate.kind() == Predicate::Kind::kWithout;
    const std::size_t count =
        one ? std::min<std::size_t>(1, predicate.operands().size()) : predicate.operands().size();
    for (std::size_t i = 0; i < count; ++i) {
        const Value& operand = predicate.operands()[i];
        if (!operand.is_string()) {
            return Error::invalid(
                "where(P) requires a String scope key but encountered {}; use is(P) to compare "
                "values",
                type_name(operand));
        }
        keys.push_back(scope_key(compiler.context(), operand.text()));
    }
    return {};
}

Result<Op*> make_where(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.size() == 1 && as_traversal(node.args[0]) != nullptr)
        return make_connective(compiler, node, input, false, false, ChildLabels::kName);
    if (node.args.empty() || as_predicate(node.args.back()) == nullptr) {
        return bad_argument(node, node.args.empty() ? 0 : node.args.size() - 1,
                            "a predicate or a traversal");
    }
    std::optional<ScopeKey> start;
    if (node.args.size() == 2) {
        HOB_ASSIGN_OR_RETURN(const std::string name,
                             string_argument(node, 0, "a step label (string)"));
        start = scope_key(compiler.context(), name);
    }
    HOB_ASSIGN_OR_RETURN(Predicate predicate, Predicate::make(node.args.back()));
    std::vector<ScopeKey> keys;
    HOB_TRY(collect_keys(compiler, predicate, keys));
    HOB_ASSIGN_OR_RETURN(std::vector<By> bys, compiler.bys(node));
    return compiler.add<WherePredicateOp>(input, std::move(start), std::move(predicate),
                                          std::move(keys), std::move(bys));
}

Result<Op*> make_filter(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.size() == 1 && as_predicate(node.args[0]) != nullptr)
        return make_is(compiler, node, input);
    return make_connective(compiler, node, input, false, false);
}

Result<Op*> make_identity(Compiler& compiler, const Node&, Op* input) {
    return filter_values(compiler, input, [](const Value&) -> Result<bool> { return true; });
}

Result<Op*> make_discard(Compiler& compiler, const Node&, Op* input) {
    return filter_values(compiler, input, [](const Value&) -> Result<bool> { return false; });
}

Result<Op*> make_coin(Compiler& compiler, const Node& node, Op* input) {
    if (node.args.size() != 1 || !node.args[0].is_number())
        return bad_argument(node, 0, "a probability (double)");
    const double probability = to_double(node.args[0]);
    return transform(compiler, input,
                     [probability, random = compiler.context().make_random()](
                         QueryContext&, Batch& in, Batch& out) mutable -> Status {
                         for (Traverser& t : in) {
                             std::int64_t kept = 0;
                             for (std::int64_t i = 0; i < t.bulk; ++i) {
                                 if (probability >= random.next_double()) ++kept;
                             }
                             if (kept == 0) continue;
                             t.bulk = kept;
                             out.push_back(std::move(t));
                         }
                         return {};
                     });
}

/// simplePath and cyclicPath: over the whole path, or the part between from() and to(), each object
/// seen through by().
class PathFilterOp final : public TransformOp {
  public:
    PathFilterOp(QueryContext& context, Op* input, Scope& scope, bool simple,
                 std::optional<std::uint32_t> from, std::optional<std::uint32_t> to,
                 std::vector<By> bys)
        : TransformOp(context, input, scope),
          simple_(simple),
          from_(from),
          to_(to),
          bys_(std::move(bys)) {}

  protected:
    Status apply(Batch& in, Batch& out) override {
        for (Traverser& t : in) {
            HOB_ASSIGN_OR_RETURN(const std::optional<bool> repeats, has_repeats(t));
            if (repeats && *repeats != simple_) out.push_back(std::move(t));
        }
        return {};
    }

  private:
    /// Nothing: a modulator gave nothing for an object of the path, and the traverser goes.
    Result<std::optional<bool>> has_repeats(const Traverser& t) {
        Batch objects;
        bool inside = !to_.has_value();
        for (const PathNode* node = t.path.get(); node != nullptr; node = node->previous) {
            if (!inside && ctx_.labels.contains(node->labels, *to_)) inside = true;
            if (inside) objects.push_back(ctx_.start(node->object));
            if (inside && from_ && ctx_.labels.contains(node->labels, *from_)) break;
        }
        absl::flat_hash_set<Value, ValueHash, ValueIdentical> seen;
        if (bys_.empty()) {
            for (Traverser& o : objects) {
                if (!seen.insert(std::move(o.value)).second) return std::optional<bool>(true);
            }
            return std::optional<bool>(false);
        }
        std::reverse(objects.begin(), objects.end());
        bool repeats = false;
        for (std::size_t i = 0; i < objects.size(); ++i) {
            std::vector<Value> values;
            std::vector<std::uint8_t> found;
            HOB_TRY(bys_[i % bys_.size()].apply(ctx_, {&objects[i], 1}, values, found));
            if (found[0] == 0) return std::optional<bool>();
            repeats = !seen.insert(std::move(values[0])).second || repeats;
        }
        return std::optional<bool>(repeats);
    }

    bool simple_;
    std::optional<std::uint32_t> from_;
    std::optional<std::uint32_t> to_;
    std::vector<By> bys_;
};

Result<std::optional<std::uint32_t>> path_end(Compiler& compiler, const Node& node,
                                              const std::optional<std::vector<Value>>& end) {
    if (!end) return std::optional<std::uint32_t>();
    if (end->size() != 1 || !(*end)[0].is_string()) {
        return Error::invalid("{}(): from() and to() take a step label (string)", node.name);
    }
    return std::optional<std::uint32_t>(compiler.context().labels.label((*end)[0].text()));
}

Result<Op*> make_path_filter(Compiler& compiler, const Node& node, Op* input, bool simple) {
    HOB_ASSIGN_OR_RETURN(const auto from, path_end(compiler, node, node.from));
    HOB_ASSIGN_OR_RETURN(const auto to, path_end(compiler, node, node.to));
    HOB_ASSIGN_OR_RETURN(std::vector<By> bys, compiler.bys(node, false));
    return compiler.add<PathFilterOp>(input, simple, from, to, std::move(bys));
}
Result<Op*> make_simple_path(Compiler& compiler, const Node& node, Op* input) {
    return make_path_filter(compiler, node, input, true);
}
Result<Op*> make_cyclic_path(Compiler& compiler, const Node& node, Op* input) {
    return make_path_filter(compiler, node, input, false);
}

Result<Op*> make_time_limit(Compiler& compiler, const Node& node, Op* input) {
    HOB_ASSIGN_OR_RETURN(const std::int64_t limit_ms,
                         integer_argument(node, 0, "a time in milliseconds (long)"));
    std::optional<std::chrono::steady_clock::time_point> end;
    return transform(compiler, input,
                     [limit_ms, end](QueryContext&, Batch& in, Batch& out) mutable -> Status {
                         const auto now = std::chrono::steady_clock::now();
                         if (!end) end = now + std::chrono::milliseconds(limit_ms);
                         if (now < *end) std::move(in.begin(), in.end(), std::back_inserter(out));
                         return {};
                     });
}

}  // namespace

extern const StepSpec is_step;
const StepSpec is_step = {.name = "is", .make = make_is, .filter = true};
extern const StepSpec filter_step;
const StepSpec filter_step = {.name = "filter", .make = make_filter, .filter = true};
extern const StepSpec where_step;
const StepSpec where_step = {
    .name = "where", .modulators = kBy, .make = make_where, .filter = true};
extern const StepSpec and_step;
const StepSpec and_step = {.name = "and", .make = make_and, .filter = true};
extern const StepSpec or_step;
const StepSpec or_step = {.name = "or", .make = make_or, .filter = true};
extern const StepSpec not_step;
const StepSpec not_step = {.name = "not", .make = make_not, .filter = true};
extern const StepSpec identity_step;
const StepSpec identity_step = {.name = "identity", .make = make_identity, .filter = true};
extern const StepSpec discard_step;
const StepSpec discard_step = {.name = "discard", .make = make_discard, .filter = true};
extern const StepSpec coin_step;
const StepSpec coin_step = {.name = "coin", .make = make_coin, .filter = true};
extern const StepSpec simplePath_step;
const StepSpec simplePath_step = {
    .name = "simplePath", .modulators = kBy | kFromTo, .make = make_simple_path, .filter = true};
extern const StepSpec cyclicPath_step;
const StepSpec cyclicPath_step = {
    .name = "cyclicPath", .modulators = kBy | kFromTo, .make = make_cyclic_path, .filter = true};
extern const StepSpec timeLimit_step;
const StepSpec timeLimit_step = {.name = "timeLimit", .make = make_time_limit, .filter = true};

}  // namespace hob::gremlin
