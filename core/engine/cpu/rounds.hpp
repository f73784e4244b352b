#pragma once
// Decoding tokens go over their keys in rounds: in each round every run reads one tile, and
// meanwhile memory is asked for the tiles of the next round. Each tile asks for a share of what all
// runs read next, so that many lines of memory are under way at a time, as fast memory needs. No
// number depends on this, only time does.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/cpu/cache_pages.hpp"
#include "core/engine/cpu/read_ahead.hpp"

namespace kv::cpu {

struct KeyRun {  // a span of keys, and how far a thread has come in it
    HeadKeys keys;
    SoftmaxState* states;  // (group)
    float* output;         // (group, head_dim)
    KeyWalk walk;
    std::uint32_t slot;  // the first that no tile has taken
};

class Rounds {
public:
    Rounds(const KvLayout& layout, std::span<KeyRun> runs);

    bool next();  // false when no run has keys left
    // What that run reads in this round; null when it has no keys left.
    ReadTile* start(std::size_t run);
    // Asks memory for the next share of what the next round reads: three times while a tile is
    // read. Asked for all of it at once, its lines would wait for each other, and the tile for all.
    void ask();

private:
    bool take_next();

    const KvLayout& layout_;
    std::span<KeyRun> runs_;
    std::vector<ReadTile> now_, next_;  // by run
    std::vector<ReadAhead> ahead_;
    std::size_t share_ = 0;  // the share of the round that was asked for last
    bool has_more_ = false;
};

}  // namespace kv::cpu
