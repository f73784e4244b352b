#pragma once
// The words of the panels that look at one token: Inspector, Bytes, Attention.

#include "app/shell/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishBytes = std::to_array<EnglishText>({
    {"bytes.address", "Address"},
});
// clang-format on

}  // namespace kv
