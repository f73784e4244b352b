#pragma once
// The values that only `run` knows, read from their options.

#include <optional>
#include <string_view>
#include <vector>

#include "app/cli/options.hpp"
#include "core/base/checked.hpp"
#include "core/cache/kv_format.hpp"

namespace kv {

std::optional<double> real_option(const GivenOptions& given, std::string_view name, double min,
                                  double max);
std::optional<std::vector<std::uint32_t>> token_list_option(const GivenOptions& given,
                                                            std::string_view name, u64 vocab_size);
KvFormat kv_format_option(const GivenOptions& given, std::string_view name);
KvOrder order_option(const GivenOptions& given);

// "48blocks", or a size that holds whole blocks of that many bytes.
std::optional<u64> pool_option(const GivenOptions& given, u64 bytes_per_block);

}  // namespace kv
