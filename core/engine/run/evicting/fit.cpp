#include "core/engine/run/evicting/fit.hpp"

#include <algorithm>
#include <limits>

#include "core/base/numbers/checked.hpp"

namespace kv {
namespace {

std::uint64_t blocks_of_all(const EngineSettings& settings, const Request& r) {
    return ceil_div(most_stored(r.spec, r.prompt.size() - r.spec.prompt.size()),
                    settings.block_size);
}

// Blocks that a request is sure to get along with when so many tokens come at a time. Dropped slots
// stay until their blocks are empty, or until the survivors of a full block's worth of holes are
// moved into new blocks.
std::uint64_t blocks_with_policy(const EngineSettings& settings, std::uint32_t per_step) {
    const EvictionSpec policy = eviction_of(settings);
    const auto budget = budget_of(policy);
    const std::uint64_t size = settings.block_size;
    if (!budget) return std::numeric_limits<std::uint64_t>::max();
    if (first_query_that_misses(policy))
        return ceil_div(policy.sinks, size) +
               ceil_div(std::uint64_t{policy.recent} + per_step + size - 1, size);
    if (!settings.compact) return std::numeric_limits<std::uint64_t>::max();
    return ceil_div(std::uint64_t{*budget} + per_step + size - 1, size) + ceil_div(*budget, size);
}

}  // namespace

std::uint64_t blocks_at_longest(const EngineSettings& settings, const Request& request) {
    return std::min(blocks_of_all(settings, request), blocks_with_policy(settings, 1));
}

std::optional<std::uint32_t> most_per_step(const EngineSettings& settings, const Request& request,
                                           std::uint32_t n_blocks) {
    // What is hidden inside a step would stand between keys that are not rotated back yet.
    if (positions_of(settings) == KeyPositions::CacheInPlace) return 1;
    const std::uint64_t at_least = blocks_with_policy(settings, 1);
    if (blocks_of_all(settings, request) <= n_blocks || at_least > n_blocks) return std::nullopt;
    const std::uint64_t most = 1 + (n_blocks - at_least) * settings.block_size;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, settings.max_batch_tokens));
}

}  // namespace kv
