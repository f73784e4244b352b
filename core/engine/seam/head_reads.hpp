#pragma once
// Where a policy chooses which blocks a query looks at: its rule, and what each query head of a
// pass chose. Nothing is dropped by it; what is spared is reading. The paper (Quest, arXiv
// 2406.10774) calls a block a page: n_blocks is its token budget in pages, entries are its top-K
// pages.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/ids.hpp"
#include "core/cache/eviction/quest.hpp"

namespace kv {

struct HeadReads {
    std::uint32_t n_blocks = 0;             // that a query head looks at
    std::uint32_t n_newest_tokens = 0;      // whose blocks come first among them
    std::uint32_t first_choosing_slot = 0;  // the queries before it look at everything
    std::uint32_t n_whole_layers = 0;       // so many layers, from the first, do so too
    std::uint32_t block_size = 1, n_layers = 1, n_heads = 1, n_kv_heads = 1;
    // What each query head chose, by new token, layer and head: entries of its table, rising; empty
    // where nothing was chosen. The backend writes them.
    std::vector<std::vector<std::uint32_t>> entries;

    // A query that sees no more blocks than are read anyhow looks at all of them.
    bool chooses(LayerId layer, std::uint32_t slot) const {
        return slot >= first_choosing_slot && layer.value >= n_whole_layers &&
               slot / block_size >= n_blocks;
    }
    BlockChoice choice_for(std::uint32_t slot) const;

    std::vector<std::uint32_t>& of(std::size_t row, LayerId layer, std::uint32_t head) {
        return entries[(row * n_layers + layer.index()) * n_heads + head];
    }
    const std::vector<std::uint32_t>& of(std::size_t row, LayerId layer, std::uint32_t head) const {
        return entries[(row * n_layers + layer.index()) * n_heads + head];
    }
    // What the query heads that share a KV head look at together, each entry once.
    std::vector<std::uint32_t> of_group(std::size_t row, LayerId layer, HeadId kv_head) const;

    HeadReads row(std::size_t row) const;  // of one new token alone

    // Slots, up to the query's own, in those entries.
    std::uint64_t slots_in(std::span<const std::uint32_t> which, std::uint32_t own) const;
    std::uint64_t slots_of_group(std::size_t row, LayerId layer, HeadId kv_head,
                                 std::uint32_t own) const;
    // (query head, slot) pairs of those that share a KV head.
    std::uint64_t pairs_of_group(std::size_t row, LayerId layer, HeadId kv_head,
                                 std::uint32_t own) const;
    // Slots that some head of some layer looks at.
    std::uint64_t slots_anywhere(std::size_t row, std::uint32_t own) const;
};

}  // namespace kv
