#pragma once
// The size of the cache as products that are right for this shape: one term in the usual case, one
// for each side or kind of layer where K and V or the layers differ. The product of a term's
// factors is its bytes; the terms sum to the payload; payload, scales and empty slots sum to what
// is allocated. Pure: no imgui.h.

#include <optional>
#include <string>
#include <vector>

#include "app/panels/bill_view.hpp"

namespace kv {

struct EquationFactor {
    BillFactor factor;
    double amount = 0;  // for ValueBytes: bytes, which may be a half
    std::string value, label, meaning;
};

struct EquationTerm {
    std::optional<Side> side;
    std::vector<EquationFactor> factors;
    u64 bytes = 0;
};

struct EquationRow {
    std::string_view result;  // what it unfolds into; empty: nothing
    std::string label, detail, value;
    u64 bytes = 0;
    bool strong = false, total = false, waste = false;
};

struct EquationPlan {
    std::vector<EquationTerm> terms;
    std::vector<EquationRow> rows;
    std::string same_with;  // "Same 131,072 tokens with"
    std::string note;       // when something is outside the pages
};
// Two terms that differ only in some factors, as they are shown: common × (K … + V …).
struct FactoredTerms {
    std::vector<EquationFactor> common;
    std::vector<EquationTerm> apart;
};
// Nothing when there are not exactly two sides, or nothing is common.
std::optional<FactoredTerms> factored(const std::vector<EquationTerm>& terms);

EquationPlan plan_equation(const BillView& view, const Texts& text);

}  // namespace kv
