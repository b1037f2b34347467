#include "gremlin/language/script.h"
#include "gremlin/steps/step.h"
#include "storage/value/compare.h"

namespace hob::gremlin {

SourceOp* Compiler::add_source(Scope& scope) {
    auto op = std::make_unique<SourceOp>(*ctx_, scope);
    SourceOp* raw = op.get();
    raw->set_name("start");
    ops_.push_back(std::move(op));
    return raw;
}

Result<Child> Compiler::child(const Value& traversal, bool existence) {
    const TraversalObject* object = as_traversal(traversal);
    if (object == nullptr)
        return Error::invalid("expected a traversal, found {} ({})", to_text(traversal),
                              type_name(traversal));
    auto scope = std::make_unique<Scope>();
    Scope* const outer = scope_;
    scope_ = scope.get();
    scope->fixed = true;
    SourceOp* head = add_source(*scope);
    auto tail = chain(object->traversal, head, existence);
    scope_ = outer;
    if (!tail.ok()) return std::move(tail.error());
    ++local_children_;
    children_.push_back(*tail);
    return Child(std::move(scope), head, *tail);
}

Result<Branch> Compiler::branch(const Value& traversal, bool starts_itself) {
    const TraversalObject* object = as_traversal(traversal);
    if (object == nullptr)
        return Error::invalid("expected a traversal, found {} ({})", to_text(traversal),
                              type_name(traversal));
    Branch branch;
    branch.scope = std::make_unique<Scope>();
    Scope* const outer = scope_;
    scope_ = branch.scope.get();
    if (starts_itself) {
        branch.scope->reset(1, true);
    } else {
        branch.head = add_source(*branch.scope);
    }
    auto tail = chain(object->traversal, branch.head, false);
    scope_ = outer;
    if (!tail.ok()) return std::move(tail.error());
    children_.push_back(*tail);
    branch.tail = *tail;
    branch.barrier = has_barrier(object->traversal);
    return branch;
}

Result<By> Compiler::by(const std::vector<Value>& arguments, std::string_view step) {
    if (arguments.empty() || arguments[0].is_enum(EnumType::kOrder)) return By::identity();
    const Value& what = arguments[0];
    if (what.is_string()) return By::key(std::string(what.text()));
    if (what.is_enum(EnumType::kT)) return By::token(static_cast<T>(what.enum_ordinal()));
    if (what.is_enum(EnumType::kColumn))
        return By::column(static_cast<Column>(what.enum_ordinal()));
    if (as_traversal(what) != nullptr) {
        HOB_ASSIGN_OR_RETURN(Child compiled, child(what));
        return By::traversal(std::move(compiled));
    }
    return Error::invalid(
        "{}().by(): argument 1 is {} ({}), expected a key, a token or a traversal", step,
        to_text(what), type_name(what));
}

Result<std::vector<By>> Compiler::bys(const Node& node, bool at_least_one) {
    std::vector<By> result;
    for (const auto& arguments : node.bys) {
        HOB_ASSIGN_OR_RETURN(By one, by(arguments, node.name));
        result.push_back(std::move(one));
    }
    if (result.empty() && at_least_one) result.push_back(By::identity());
    return result;
}

Error bad_argument(const Node& node, std::size_t index, std::string_view expected) {
    std::string where;
    if (node.at.line != 0)
        where = fmt::format(" at line {}, column {}", node.at.line, node.at.column);
    if (index >= node.args.size()) {
        return Error::invalid("{}(): argument {} is missing, expected {}{}", node.name, index + 1,
                              expected, where);
    }
    return Error::invalid("{}(): argument {} is {} ({}), expected {}{}", node.name, index + 1,
                          print_value(node.args[index]), type_name(node.args[index]), expected,
                          where);
}

Result<std::int64_t> integer_argument(const Node& node, std::size_t index, std::string_view what) {
    if (index < node.args.size()) {
        if (const auto number = to_int64(node.args[index])) return *number;
    }
    return bad_argument(node, index, what);
}

Result<std::string> string_argument(const Node& node, std::size_t index, std::string_view what) {
    if (index < node.args.size() && node.args[index].is_string())
        return std::string(node.args[index].text());
    return bad_argument(node, index, what);
}

bool is_local(const Node& node, std::size_t index) {
    return index < node.args.size() && node.args[index].is_enum(EnumType::kScope) &&
           node.args[index].enum_ordinal() == static_cast<std::uint8_t>(ScopeToken::kLocal);
}

std::span<const Value> after_scope(const Node& node) {
    std::span<const Value> args = node.args;
    return !args.empty() && args[0].is_enum(EnumType::kScope) ? args.subspan(1) : args;
}

}  // namespace hob::gremlin
