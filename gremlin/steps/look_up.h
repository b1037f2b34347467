#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gremlin/exec/op.h"

namespace hob::gremlin {

/// What V() or E(), the conditions right behind it and the expansion behind those know of one
/// another (rule "look-up" of plan/rules.cpp). The rule decides the first part; whether an index
/// serves shows at run time. Used by one thread at a time.
struct LookUp {
    /// Conditions on the elements, tested in batches.
    class Tests {
      public:
        virtual ~Tests() = default;
        /// Clears keep[i] for each traverser that fails.
        virtual Status test(std::span<const Traverser> traversers,
                            std::vector<std::uint8_t>& keep) = 0;
    };

    std::string key;            ///< An equality that an index may serve.
    std::vector<Value> values;  ///< What the key may be.
    bool exact = false;         ///< An index row of such a value holds nothing but equal values.
    std::string label;          ///< The one label that the conditions ask for, if they do.
    bool rides = false;         ///< An expansion follows at once: it can bring the records along.

    bool served = false;     ///< An index gave the elements.
    bool certain = false;    ///< Its entries can't be stale.
    std::string of_label{};  ///< The index's own label; empty: it covers every label.
    std::vector<Tests*> tests{};

    /// True when the elements need no test of that key.
    [[nodiscard]] bool implies_key() const { return served && certain && exact; }
    [[nodiscard]] bool implies_label() const {
        return served && certain && !label.empty() && of_label == label;
    }
    /// True when the expansion tests what the conditions have let through.
    [[nodiscard]] bool is_put_off() const { return served && !certain && rides; }
};

}  // namespace hob::gremlin
