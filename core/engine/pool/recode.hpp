#pragma once
// A pool goes over to another codec while requests hold blocks: every filled slot is decoded and
// coded anew, in a pool of the same blocks. Nothing is left in the old codec, and what this cost is
// known to the byte. It is not what a run under the new codec would have stored: the old codec's
// losses stay, and the layers above saw them.

#include <cstdint>
#include <vector>

#include "core/cache/layout/lane_shape.hpp"
#include "core/engine/pool/spec.hpp"
#include "core/engine/seam/backend.hpp"

namespace kv {

struct BlockRecoded;

class PoolRecode {
public:
    PoolRecode(const Backend& from, const PoolSpec& from_spec, Backend& to, const PoolSpec& to_spec,
               const LaneShape& lanes);

    // The filled slots of a lane's block. All are looked at before any goes over: a ':tensor' codec
    // takes its scales from everything that is stored. take() says how many bytes it wrote.
    void look_at(const BlockRecoded& block);
    std::uint64_t take(const BlockRecoded& block);

private:
    template <class Visit>
    void each_vector(const BlockRecoded& block, Visit&& visit) const;
    std::vector<float> values(LayerId layer, Side side, std::uint64_t offset) const;

    const Backend& from_;
    Backend& to_;
    PoolSpec from_spec_, to_spec_;
    LaneShape lanes_;
};

}  // namespace kv
