// How a server hands out memory when layers differ, as vLLM's hybrid KV cache manager does it: each
// kind of layer has tables of its own over one pool of equal pages.
//
// Five layers with windows of 32 tokens and two full ones keep 64 bytes a token. After 100 tokens,
// with blocks of 16: pages are for two layers and have 2 * 16 * 64 = 2,048 bytes. The windows have
// three tables, since 5 layers take pages for 6; of 7 blocks in each, 4 have left the window. The
// full layers have one table of 7 blocks. So 3 * 3 + 7 = 16 blocks are 32,768 bytes. Of them 3,072
// are for the sixth layer, which does not exist; the cache itself has 23,040, and 6,656 are there
// for tokens that are not.

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "core/cost/cache/capacity.hpp"
#include "core/cost/groups.hpp"

namespace kv {
namespace {

constexpr const char* kServed = "the size of a group of layers";

// Layers that read what an earlier one keeps have no table.
std::vector<CacheGroup> groups_with_tables(const CacheShape& shape) {
    std::vector<CacheGroup> groups = cache_groups(shape);
    std::erase_if(groups, [](const CacheGroup& group) { return group.kind() == "shared"; });
    return groups;
}

// vLLM takes the rarest kind's number of layers, or that of the most frequent kind where this has
// less than a quarter more: then a little padding in one table is less than a table more for what
// is left over.
u64 layers_of_a_page(const std::vector<CacheGroup>& groups) {
    u64 least = groups.front().n_layers(), most = 0;
    for (const CacheGroup& group : groups) {
        least = std::min(least, group.n_layers());
        most = std::max(most, group.n_layers());
    }
    return most * 4 < least * 5 ? most : least;
}

// The most that a layer keeps, of one token and as a state.
struct LargestLayer {
    u64 token_bytes = 0, state_bytes = 0;
};
LargestLayer largest_layer(const CacheShape& shape, const std::vector<CacheGroup>& groups,
                           const CodecPair& codecs) {
    LargestLayer largest;
    for (const CacheGroup& group : groups) {
        if (group.is_state()) {
            largest.state_bytes = std::max(largest.state_bytes, group.state_bytes);
        } else {
            largest.token_bytes =
                std::max(largest.token_bytes, layer_bytes_per_token(shape, group.cache, codecs));
        }
    }
    return largest;
}

// A state takes one block, and blocks of all kinds have one size. So that the largest state fits, a
// block is stretched in steps of the size that was asked for: with 64 bytes a token, a state of
// 5,000 takes as much as 79 tokens, and blocks of 16 become blocks of 80.
u64 stretched_block_size(const LargestLayer& largest, u64 block_size) {
    if (largest.state_bytes == 0 || largest.token_bytes == 0) return block_size;
    return ceil_div(ceil_div(largest.state_bytes, largest.token_bytes), block_size) * block_size;
}

// One block of so many layers.
struct ServedPage {
    u64 layers = 0, block_size = 0, bytes = 0;
};
ServedPage page_of(const CacheShape& shape, const std::vector<CacheGroup>& groups,
                   const CodecPair& codecs, u64 block_size) {
    const LargestLayer largest = largest_layer(shape, groups, codecs);
    ServedPage page{layers_of_a_page(groups), stretched_block_size(largest, block_size), 0};
    const u64 of_a_layer = std::max(
        largest.state_bytes, product_or_throw(kServed, {page.block_size, largest.token_bytes}));
    page.bytes = product_or_throw(kServed, {page.layers, of_a_layer});
    return page;
}

// Of one sequence; blocks that left the window are back in the pool.
u64 blocks_of_a_table(const CacheGroup& group, u64 tokens, u64 block_size) {
    if (group.is_state()) return 1;
    const auto* window = std::get_if<WindowCache>(&group.cache);
    const u64 gone = window && tokens > window->window ? (tokens - window->window) / block_size : 0;
    return blocks_for(tokens, block_size) - gone;
}

ServedGroup served_group(const CacheGroup& group, const ServedPage& page, u64 tokens) {
    const u64 tables = ceil_div(group.n_layers(), page.layers);
    return {group, tables, tables * page.layers - group.n_layers(),
            product_or_throw(kServed, {tables, blocks_of_a_table(group, tokens, page.block_size)})};
}

// What the group's layers use of their blocks: all tokens of a block, but a state at its own size.
u64 used_bytes(const CacheShape& shape, const CacheGroup& group, const CodecPair& codecs,
               const ServedPage& page, u64 tokens, u64 batch) {
    const u64 block = group.is_state()
                          ? group.state_bytes
                          : page.block_size * layer_bytes_per_token(shape, group.cache, codecs);
    return product_or_throw(kServed, {batch, blocks_of_a_table(group, tokens, page.block_size),
                                      group.n_layers(), block});
}

}  // namespace

ServedCache served_cache(const CacheShape& shape, const CodecPair& codecs, u64 tokens, u64 batch,
                         u64 block_size) {
    ServedCache served;
    served.block_size = block_size;
    const std::vector<CacheGroup> groups = groups_with_tables(shape);
    if (groups.empty()) return served;
    const ServedPage page = page_of(shape, groups, codecs, block_size);
    served.layers_per_page = page.layers;
    served.block_size = page.block_size;
    served.page_bytes = page.bytes;
    u64 used = 0;
    for (const CacheGroup& group : groups) {
        ServedGroup one = served_group(group, page, tokens);
        const u64 blocks = product_or_throw(kServed, {batch, one.blocks});
        served.blocks = sum_or_throw(kServed, {served.blocks, blocks});
        used = sum_or_throw(kServed, {used, used_bytes(shape, group, codecs, page, tokens, batch)});
        served.groups.push_back(std::move(one));
    }
    served.bytes = product_or_throw(kServed, {served.blocks, page.bytes});
    served.padding_bytes = served.bytes - used;
    const u64 cache = kv_bytes(shape, codecs, tokens, batch);
    served.rounding_bytes = used > cache ? used - cache : 0;
    return served;
}

}  // namespace kv
