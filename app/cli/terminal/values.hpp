#pragma once
// The values of options as numbers and sizes. Nothing is read by the C library's rules: digits are
// digits, a size has a unit, a decimal point is a point. A refusal names the option, the text and
// what to write.

#include <optional>
#include <string_view>

#include "app/cli/terminal/options.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/base/numbers/codec.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {

std::optional<u64> whole_option(const GivenOptions& given, std::string_view name, u64 min, u64 max);
// At least 1 B.
std::optional<ByteSize> size_option(const GivenOptions& given, std::string_view name);
std::optional<double> bandwidth_option(const GivenOptions& given, std::string_view name);
std::optional<double> flops_option(const GivenOptions& given, std::string_view name);
std::optional<Codec> codec_option(const GivenOptions& given, std::string_view name);

// Throws when both were given.
void refuse_both(const GivenOptions& given, std::string_view one, std::string_view other);

// `--name "text" why; advice.`
[[noreturn]] void refuse_value(std::string_view name, std::string_view text, std::string_view why,
                               std::string_view advice);

}  // namespace kv
