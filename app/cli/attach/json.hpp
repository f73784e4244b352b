#pragma once
// The object that `kvarium attach --json` prints at its end.

#include <string>
#include <vector>

#include "app/attach/client.hpp"
#include "app/cli/attach/input.hpp"
#include "core/attach/tank/tank.hpp"

namespace kv {

std::string attach_json(const AttachInput& input, const Tank& tank,
                        const std::vector<StreamStatus>& streams);

}  // namespace kv
