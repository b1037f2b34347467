#pragma once
#include <span>
#include <string_view>

#include "gremlin/language/traversal.h"
#include "storage/base/error.h"

namespace hob::gremlin {

/// The signatures of every source method and step of gremlin-lang 3.8: one row each, looked up by
/// name.
enum class SignatureKind : std::uint8_t { kSource, kSpawn, kStep, kModulator, kTerminal };

struct Signature {
    std::string_view name;
    SignatureKind kind = SignatureKind::kStep;
    bool spawns = false;  ///< May also follow `g.` or start an anonymous traversal on a source.
    /// Overloads, one per element, for example "(P)", "(key: string, value: any)", "(labels:
    /// string...)", "(Scope, count: long)".
    std::span<const std::string_view> overloads;
};

/// The row of that name, or null. Thread-safe.
const Signature* find_signature(std::string_view name);
std::span<const Signature> all_signatures();

/// Checks an instruction's arguments against its overloads (unbound variables match anything). The
/// error (kInvalidArgument) says the step, the argument's number, value and type, what the
/// overloads expect, and line and column when known.
Status check_signature(const Instruction& instruction);

}  // namespace hob::gremlin
