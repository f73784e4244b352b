#pragma once
// What Settings offers of the eviction policies: each at the budget of the one at hand, and the
// usual budgets of that one. Pure.

#include <cstdint>
#include <string_view>

#include "app/shell/texts/texts.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct PolicyOption {
    Text value;  // as scenes write it: "h2o:32+32"
    Text label;  // "H2O", or "64"
};
// What a policy may keep at first of so many tokens, so that it drops some: about half.
std::uint32_t usual_budget(std::uint32_t tokens);
// All policies; the one at hand as it is written now, those without a budget at hand at `usual`.
List<PolicyOption> policy_options(std::string_view now, const Texts& text,
                                  std::uint32_t usual = 64);
// The same policy with the usual budgets and the one at hand; nothing for a policy without a
// budget.
List<PolicyOption> budget_options(std::string_view now);

}  // namespace kv
