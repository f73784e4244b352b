#pragma once
// What fits: how many blocks a request needs at its longest, with a policy that gives tokens up on
// the way or without, and how many tokens it may take at a time so that a small pool is enough.

#include <cstdint>
#include <optional>

#include "core/engine/run/request/request.hpp"
#include "core/engine/settings/settings.hpp"

namespace kv {

// Blocks that a request needs at its longest in one lane, when nobody else is there.
std::uint64_t blocks_at_longest(const EngineSettings& settings, const Request& request);

// Tokens of a step at most; none: as many as an iteration has.
std::optional<std::uint32_t> most_per_step(const EngineSettings& settings, const Request& request,
                                           std::uint32_t n_blocks);

}  // namespace kv
