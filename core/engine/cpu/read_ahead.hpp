#pragma once
// Asks memory for tiles of keys and values before a decoding token reads them (rounds.hpp), in the
// order in which a processor would fetch ahead by itself.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/cache/layout/kv_layout.hpp"
#include "core/engine/cpu/kernels/kernels.hpp"

namespace kv::cpu {

struct ReadTile {  // what a KeyRun reads in one round
    KeyTile keys, values;
};

// How many heads have their slots of a block in one page of the machine, not of the cache. A
// processor that is asked for such a page from its beginning to its end fetches ahead; asked for
// two stretches of it in turn, it does not.
inline std::size_t heads_in_machine_page(const KvLayout& layout) {
    constexpr std::uint64_t kPage = 4096;
    if (layout.order != KvOrder::HeadMajor) return 1;
    return std::max<std::uint64_t>(1, kPage / layout.head_stride(Side::K));
}

constexpr std::uintptr_t kLine = 64;

// Inlined by force: g++ takes a call of a function that only prefetches for one without effect, and
// leaves it out.
inline __attribute__((always_inline)) void prefetch(const std::byte* first, std::size_t bytes,
                                                    bool without_first_line) {
    constexpr int kSecondLevel = 2;  // of the caches
    const auto at = reinterpret_cast<std::uintptr_t>(first);
    const std::byte *line = first - at % kLine + (without_first_line ? kLine : 0),
                    *end = first + bytes;
    for (; line < end; line += kLine) __builtin_prefetch(line, 0, kSecondLevel);
}

// The rows [from, to) of a tile: at once where they follow each other, as those of a block do that
// holds head after head. A row that begins in the last line of the one before has that line asked
// for already.
inline __attribute__((always_inline)) void prefetch_rows(const KeyTile& tile, std::size_t from,
                                                         std::size_t to, std::uint32_t bytes) {
    const auto goes_on = [&](std::size_t j) {
        return j > 0 && tile.row[j] == tile.row[j - 1] + bytes &&
               reinterpret_cast<std::uintptr_t>(tile.row[j]) % kLine != 0;
    };
    const std::size_t all = (to - from) * bytes;
    if (tile.row[to - 1] == tile.row[from] + (all - bytes))
        return prefetch(tile.row[from], all, goes_on(from));
    for (std::size_t j = from; j < to; ++j) prefetch(tile.row[j], bytes, goes_on(j));
}

// Asks for the tiles of KeyRuns over the same slots of heads that share pages of the machine, in
// the order in which they lie there: the slots of one block and head, then those of the next head.
class ReadAhead {
public:
    ReadAhead(std::size_t first_run, std::size_t end_run) : first_(first_run), end_(end_run) {}

    // `tiles`, by run, are those that are read next.
    void begin_round(std::span<const ReadTile> tiles) {
        rows_ = (end_ - first_) * tiles[first_].keys.n;
        asked_ = begin_ = row_ = 0;
        run_ = first_;
    }

    // Asks until so many of `shares` shares of the round have been asked for.
    __attribute__((always_inline)) void ask(const KvLayout& layout, std::span<const ReadTile> tiles,
                                            std::size_t share, std::size_t shares) {
        const std::size_t until = rows_ * share / shares;
        while (asked_ < until) {
            const auto& [keys, values] = tiles[run_];
            const std::size_t end = std::min<std::size_t>(keys.n, begin_ + layout.block_size),
                              stop = std::min(end, row_ + until - asked_);
            asked_ += stop - row_;
            if (row_ < stop) {
                prefetch_rows(keys, row_, stop, layout.k.bytes);
                prefetch_rows(values, row_, stop, layout.v.bytes);
            }
            row_ = stop;
            if (row_ < end) return;
            if (++run_ == end_) {
                run_ = first_;
                begin_ = end;
            }
            row_ = begin_;
        }
    }

private:
    std::size_t first_, end_;           // runs
    std::size_t rows_ = 0, asked_ = 0;  // of all runs, in this round
    std::size_t begin_ = 0, run_ = 0,
                row_ = 0;  // first row of the block at hand, run, row in its tile
};

}  // namespace kv::cpu
