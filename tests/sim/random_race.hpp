#pragma once
// A race of random sizes: small pools, awkward block sizes, some requests that never fit.

#include "core/base/random.hpp"
#include "core/sim/race.hpp"

namespace kv::test {

struct RandomRace {
    Workload workload;
    RaceSettings settings;
};

// `stream` keeps the races of one test apart from those of another.
inline RandomRace random_race(u64 number, u64 stream) {
    const Random random(number, stream);
    u64 draw = 0;
    const auto below = [&](std::uint32_t bound) { return random.below(draw++, bound); };
    RandomRace made;
    made.settings.seed = number;
    made.settings.pool.slots = 20 + below(300);
    made.settings.pool.block_size = 1 + below(9);
    made.settings.pool.max_length = 8 + below(80);
    made.settings.pool.first_fit_reserves_max = below(3) == 0;
    const std::uint32_t longest = 4 + below(80);
    const u64 requests = 1 + below(40);
    for (u64 i = 0; i < requests; ++i)
        made.workload.push_back({0, 1 + below(longest), 1 + below(longest)});
    return made;
}

}  // namespace kv::test
