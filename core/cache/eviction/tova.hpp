#pragma once
// TOVA: what the newest query looks at least is dropped; one choice for all heads of a layer (arXiv
// 2401.06104). Neither the first tokens nor the newest are safe.

#include <cstdint>
#include <span>
#include <vector>

#include "core/cache/eviction/selection.hpp"

namespace kv {

// `scores`: the newest query's weights, joined over the query heads of the layer.
Selection keep_attended(std::span<const float> scores, std::uint32_t budget, bool protect_last);

// Gaps between survivors, shortened: up to 10 they stay, wider ones grow with the logarithm of the
// logarithm: 100 becomes 12. The first position is kept.
std::vector<std::uint32_t> shorten_gaps(std::span<const std::uint32_t> positions);

}  // namespace kv
