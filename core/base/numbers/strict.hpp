#pragma once
// The rules by which text.cpp and units.cpp refuse a spelling of a number, in one place so that
// every option refuses in the same words.

#include <optional>
#include <string>
#include <string_view>

#include "core/base/numbers/decimal.hpp"

namespace kv {

// Digits, or digits "." digits, and nothing else. A refusal leaves in `why` the first broken rule
// of `whole`, the text that `number` was cut from ("is empty", "has a sign", "is hexadecimal ...").
std::optional<Decimal> strict_decimal(std::string_view number, std::string_view whole,
                                      std::string& why);

// The rule that makes this text no number at all, or "" when it breaks none of the common ones.
std::string broken_rule(std::string_view text);

bool all_digits(std::string_view text);  // false for ""

}  // namespace kv
