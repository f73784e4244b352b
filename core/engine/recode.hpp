#pragma once
// A pool goes over to another codec while requests hold blocks: every filled slot is decoded and
// coded anew, in a pool of the same blocks. Nothing is left in the old codec, and what this cost is
// known to the byte. It is not what a run under the new codec would have stored: the old codec's
// losses stay, and the layers above saw them.

#include <cstdint>
#include <vector>

#include "core/engine/backend.hpp"
#include "core/engine/pool_spec.hpp"

namespace kv {

class PoolRecode {
public:
    PoolRecode(const Backend& from, const PoolSpec& from_spec, Backend& to,
               const PoolSpec& to_spec);

    // The first `slots` of a block. All are looked at before any goes over: a ':tensor' codec takes
    // its scales from everything that is stored. take() says how many bytes it wrote.
    void look_at(BlockId block, std::uint32_t slots);
    std::uint64_t take(BlockId block, std::uint32_t slots);

private:
    template <class Visit>
    void each_vector(BlockId block, std::uint32_t slots, Visit&& visit) const;
    std::vector<float> values(LayerId layer, KvSide side, std::uint64_t offset) const;

    const Backend& from_;
    Backend& to_;
    PoolSpec from_spec_, to_spec_;
};

}  // namespace kv
