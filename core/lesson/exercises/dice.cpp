#include "core/lesson/exercises/dice.hpp"

#include "core/base/error.hpp"

namespace kv {

u64 Dice::whole(u64 least, u64 most) {
    KV_ASSERT(least <= most && most - least < 0xFFFFFFFFu);
    return least + random_.below(drawn_++, static_cast<std::uint32_t>(most - least + 1));
}

u64 Dice::in_steps(u64 least, u64 most, u64 by) {
    return least + by * whole(0, (most - least) / by);
}

}  // namespace kv
