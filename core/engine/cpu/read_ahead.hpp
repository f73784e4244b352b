#pragma once
// Asks memory for keys and values before a decoding token reads them. Every tile's turn asks for a
// part of what all passes read in the next round: then many runs of memory are under way at a time,
// as fast memory needs.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/cpu/paged_kv.hpp"

namespace kv::cpu {

struct Pass {  // over keys, and how far it has come
    Keys keys;
    SoftmaxState* states;  // (group)
    float* output;         // (group, head_dim)
    KeyWalk walk;
    std::uint32_t slot;                // the first that no tile has taken
    KeyTile keys_of[2], values_of[2];  // the tile at hand and the next, in turn
};

// Heads whose runs of a block lie in one page of the machine. A processor that is asked for a page
// from its beginning to its end fetches ahead; asked for two runs of it in turn, it does not.
inline std::size_t heads_in_page(const KvLayout& layout) {
    constexpr std::uint64_t kPage = 4096;
    if (layout.order != KvOrder::HeadMajor) return 1;
    return std::max<std::uint64_t>(1, kPage / layout.head_stride(Side::K));
}

constexpr std::uintptr_t kLine = 64;

// Part of the caller: g++ takes a call of a function that only prefetches for one without effect,
// and leaves it out.
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

// Of passes over the same slots of heads that share pages of the machine. It goes from run to run:
// the slots of one block and head, then the same of the next head.
class ReadAhead {
public:
    explicit ReadAhead(std::span<const Pass> passes) : passes_(passes) {}

    // The tiles at `place` are those that are read next.
    void begin_round(std::size_t place) {
        place_ = place;
        rows_ = passes_.size() * passes_[0].keys_of[place].n;
        asked_ = begin_ = member_ = row_ = 0;
    }

    // Asks until so many of `parts` parts of the round have been asked for.
    __attribute__((always_inline)) void ask(const KvLayout& layout, std::size_t part,
                                            std::size_t parts) {
        const std::size_t until = rows_ * part / parts;
        while (asked_ < until) {
            const KeyTile &keys = passes_[member_].keys_of[place_],
                          &values = passes_[member_].values_of[place_];
            const std::size_t end = std::min<std::size_t>(keys.n, begin_ + layout.block_size),
                              stop = std::min(end, row_ + until - asked_);
            asked_ += stop - row_;
            if (row_ < stop) {
                prefetch_rows(keys, row_, stop, layout.k.bytes);
                prefetch_rows(values, row_, stop, layout.v.bytes);
            }
            row_ = stop;
            if (row_ < end) return;
            if (++member_ == passes_.size()) {
                member_ = 0;
                begin_ = end;
            }
            row_ = begin_;
        }
    }

private:
    std::span<const Pass> passes_;
    std::size_t place_ = 0;
    std::size_t rows_ = 0, asked_ = 0;              // of all passes, in this round
    std::size_t begin_ = 0, member_ = 0, row_ = 0;  // of the run, in the passes, in the tile
};

// One for each group of passes that share pages.
inline std::vector<ReadAhead> read_ahead_of(const KvLayout& layout, std::span<const Pass> passes) {
    const std::size_t heads = heads_in_page(layout);
    std::vector<ReadAhead> all;
    for (std::size_t i = 0, end = 0; i < passes.size(); i = end) {
        const Keys& first = passes[i].keys;
        for (end = i + 1; end < passes.size(); ++end) {
            const Keys& keys = passes[end].keys;
            if (keys.query != first.query || keys.begin != first.begin ||
                keys.head.index() / heads != first.head.index() / heads)
                break;
        }
        all.emplace_back(passes.subspan(i, end - i));
    }
    return all;
}

}  // namespace kv::cpu
