#pragma once
// What Settings offers of the eviction policies: each at the budget of the one at hand, and the
// usual budgets of that one. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "app/shell/texts.hpp"

namespace kv {

struct PolicyOption {
    std::string value;  // as scenes write it: "h2o:32+32"
    std::string label;  // "H2O", or "64"
};
// All policies; the one at hand as it is written now.
std::vector<PolicyOption> policy_options(std::string_view now, const Texts& text);
// The same policy with the usual budgets and the one at hand; nothing for one without any.
std::vector<PolicyOption> budget_options(std::string_view now);

}  // namespace kv
