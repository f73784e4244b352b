#pragma once
// The words of the Stage: sentence, tokens, tables, pool and host tier.

#include "app/shell/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishStage = std::to_array<EnglishText>({
    {"stage.physical", "physical"},
});
// clang-format on

}  // namespace kv
