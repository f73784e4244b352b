#pragma once
// Window and StreamingLLM (arXiv 2309.17453): the newest tokens stay, with StreamingLLM the first
// few as well (the sinks), whatever they hold. The choice is the same for all layers and heads.
//
// StreamingLLM also counts positions within the cache; key_positions.hpp tells how.

#include <cstdint>

#include "core/cache/eviction/selection.hpp"

namespace kv {

// n tokens: the first `sinks` and the newest `recent` stay. A window has no sinks.
Selection keep_recent(std::uint32_t n, std::uint32_t sinks, std::uint32_t recent);

// Room for m tokens that come next is made first: afterwards n + m do not exceed sinks + recent, or
// only the sinks are left.
Selection evict_for_space(std::uint32_t n, std::uint32_t m, std::uint32_t sinks,
                          std::uint32_t recent);

}  // namespace kv
