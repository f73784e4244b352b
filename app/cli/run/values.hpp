#pragma once
// The values that only `run` knows, read from their options.

#include <optional>
#include <string_view>
#include <vector>

#include "app/cli/terminal/options.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/cost/keep.hpp"

namespace kv {

std::optional<double> real_option(const GivenOptions& given, std::string_view name, double min,
                                  double max);
std::optional<std::vector<std::uint32_t>> token_list_option(const GivenOptions& given,
                                                            std::string_view name, u64 vocab_size);
Keep keep_option(const GivenOptions& given);  // --keep, or --no-cache, which is --keep nothing

}  // namespace kv
