#pragma once
// Passes of decoding tokens over their keys, in rounds: in each of them every pass reads one tile,
// and while it does, memory is asked for the tiles of the round behind it. Each tile asks for a
// share of what all passes read next: then many runs of memory are under way at a time, as fast
// memory needs.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/cpu/paged_kv.hpp"
#include "core/engine/cpu/read_ahead.hpp"

namespace kv::cpu {

struct Pass {  // over keys, and how far it has come
    Keys keys;
    SoftmaxState* states;  // (group)
    float* output;         // (group, head_dim)
    KeyWalk walk;
    std::uint32_t slot;  // the first that no tile has taken
};

class Rounds {
public:
    Rounds(const KvLayout& layout, std::span<Pass> passes);

    bool next();  // false when no pass has keys left
    // What that pass reads in this round; null when it has no keys left.
    ReadTile* start(std::size_t pass);
    // Memory, for the next share of what the next round reads: three times while a tile is read.
    // Asked for all of it at once, its lines would wait for each other, and the tile for all.
    void ask();

private:
    bool take_next();

    const KvLayout& layout_;
    std::span<Pass> passes_;
    std::vector<ReadTile> now_, next_;  // by pass
    std::vector<ReadAhead> ahead_;
    std::size_t share_ = 0;  // of the round's, asked for last
    bool has_more_ = false;
};

}  // namespace kv::cpu
