#pragma once
// The size of the cache as products that are right for this shape: one term in the usual case, one
// for each side or kind of layer where K and V or the layers differ. The product of a term's
// factors is its bytes; the terms sum to the payload; payload, scales and empty slots sum to what
// is allocated. Pure: no imgui.h.

#include <optional>
#include <span>

#include "app/panels/bill/view.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct EquationFactor {
    BillFactor factor;
    double amount = 0;  // for ValueBytes: bytes, which may be a half
    Text value, label, meaning;
};

struct EquationTerm {
    std::optional<Side> side;
    List<EquationFactor> factors;
    u64 bytes = 0;
};

struct EquationRow {
    std::string_view result;  // what it unfolds into; empty: nothing
    Text label, detail, value;
    u64 bytes = 0;
    bool strong = false, total = false, waste = false;
};

struct EquationPlan {
    List<EquationTerm> terms;
    List<EquationRow> rows;
    Text same_with;  // "Same 131,072 tokens with"
    Text note;       // when something is outside the pages
};
// Two terms that differ only in some factors, as they are shown: common × (K … + V …).
struct FactoredTerms {
    List<EquationFactor> common;
    List<EquationTerm> apart;
};
// What two sides have in common; nothing when there are not exactly two, or nothing is common.
std::optional<FactoredTerms> factored(std::span<const EquationTerm> terms);

EquationPlan plan_equation(const BillView& view, const Texts& text);

}  // namespace kv
