#pragma once
// What two servers, or two ranks of one, are compared by at the end of `kvarium attach --against`.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/attach/client.hpp"
#include "app/cli/attach/input.hpp"
#include "core/attach/picture/facts.hpp"
#include "core/attach/tank/tank.hpp"

namespace kv {

struct SideSeen {
    std::string name = {};                  // its address
    std::string problem = {};               // why nothing is known of it
    std::optional<std::int64_t> rank = {};  // that alone is compared
    const AttachInput* input = nullptr;     // null, as the two below: there is a problem
    const Tank* tank = nullptr;
    const std::vector<StreamStatus>* streams = nullptr;
};
std::optional<TankFacts> facts_of(const SideSeen& side);

// Rank 0 and the one that it is compared with.
std::array<SideSeen, 2> ranks_seen(const AttachInput& input, const Tank& tank,
                                   const std::vector<StreamStatus>& streams);

// A line a quantity, both sides beside each other.
std::string compared_text(const std::array<SideSeen, 2>& sides);

}  // namespace kv
