#include "gremlin/language/signature_table.h"

#include <array>

#include "gremlin/language/step_rows.h"

namespace hob::gremlin {
namespace {

struct Where {
    SignatureKind kind;
    bool spawns;
};
constexpr Where kInside{SignatureKind::kStep, false};
constexpr Where kAnywhere{SignatureKind::kStep, true};
constexpr Where kStarts{SignatureKind::kSpawn, true};
#define HOB_SIGNATURE(name, where, overloads) {#name, where.kind, where.spawns, overloads},

constexpr SignatureKind kSource = SignatureKind::kSource;
constexpr SignatureKind kStep = SignatureKind::kStep;
constexpr SignatureKind kModulator = SignatureKind::kModulator;
constexpr SignatureKind kTerminal = SignatureKind::kTerminal;

// clang-format off
constexpr auto kRows = std::to_array<SignatureRow>({
    HOB_STEP_ROWS(HOB_SIGNATURE)

    // What may follow the source and gives a source again.
    {"with", kModulator, false, "(key: string) | (key: string, value: any?)"},
    {"withBulk", kSource, false, "(useBulk: boolean)"},
    {"withComputer", kSource, false, "()"},
    {"withPath", kSource, false, "()"},
    {"withSack", kSource, false, "(initial: any?) | (initial: any?, merge: Operator)"},
    {"withSideEffect", kSource, false, "(key: string, initial: any?) | (key: string, initial: any?, reducer: Operator)"},
    {"withStrategies", kSource, false, "(strategies: strategy, strategies: strategy...)"},
    {"withoutStrategies", kSource, false, "(strategies: strategy, strategies: strategy...)"},
    {"tx", kSource, false, "() | (operation: string)"},

    // What belongs to the step before it or to the whole traversal, and what is part of another step.
    {"as", kModulator, false, "(labels: string, labels: string?...)"},
    {"by", kModulator, false, "() | (Order) | (key: string) | (function) | (traversal) | (key: string, Order) | "
                              "(function, Order) | (traversal, Order)"},
    {"emit", kModulator, false, "() | (P) | (traversal)"},
    {"from", kModulator, false, "(label: string) | (vertex: traversal) | (vertex)"},
    {"option", kModulator, false, "(traversal) | (P, traversal) | (Merge, map?) | (Merge, map?, Cardinality) | (Merge, traversal) | "
                                  "(token: any?, traversal)"},
    {"profile", kStep, false, "() | (key: string)"},
    {"read", kStep, false, "()"},
    {"times", kModulator, false, "(loops: int)"},
    {"to", kModulator, false, "(label: string) | (vertex: traversal) | (vertex) | (Direction, labels: string?...)"},
    {"until", kModulator, false, "(P) | (traversal)"},
    {"write", kStep, false, "()"},

    // What ends a traversal. explain() stays in the traversal as its last step.
    {"explain", kTerminal, false, "()"},
    {"hasNext", kTerminal, false, "()"},
    {"iterate", kTerminal, false, "()"},
    {"next", kTerminal, false, "() | (count: int)"},
    {"toBulkSet", kTerminal, false, "()"},
    {"toList", kTerminal, false, "()"},
    {"toSet", kTerminal, false, "()"},
    {"tryNext", kTerminal, false, "()"},
});
// clang-format on
#undef HOB_SIGNATURE

}  // namespace

std::span<const SignatureRow> signature_rows() {
    return kRows;
}

}  // namespace hob::gremlin
