#pragma once
// The object that `kvarium attach --json` prints at its end: of one server, or of two.

#include <array>
#include <string>
#include <vector>

#include "app/attach/client.hpp"
#include "app/cli/attach/compare.hpp"
#include "app/cli/attach/input.hpp"
#include "core/attach/tank/tank.hpp"

namespace kv {

std::string attach_json(const AttachInput& input, const Tank& tank,
                        const std::vector<StreamStatus>& streams);
// A side that failed has its problem in place of an object.
std::string pair_json(const std::array<SideSeen, 2>& sides);

}  // namespace kv
