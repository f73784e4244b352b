#pragma once
// An hour of a service that is made up, recorded as a server would: conversations behind a few
// system prompts, each turn asking for all that came before it, answers that fill blocks while
// others run, one pool for all of them. The books are the Cache of this program, so the recording
// is what a server with such a pool would have published, and its counters are exact. One seed, the
// same lines on every machine.

#include <functional>
#include <string>

#include "core/base/numbers/checked.hpp"

namespace kv {

struct ServiceRules {
    u64 seed = 14;
    double seconds = 3600;
    double requests_per_second = 0.3;
    std::uint32_t pool_blocks = 2500, block_size = 16;
    bool with_tokens = false;  // else hashes only
};

// Lines of a recording, without their line feeds, in order.
void record_service(const ServiceRules& rules, const std::function<void(const std::string&)>& take);

}  // namespace kv
