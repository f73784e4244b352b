#include "core/engine/seam/head_reads.hpp"

#include <algorithm>

#include "core/base/kv_head.hpp"

namespace kv {

// A block counts among the newest if one of the newest tokens lies in it. Of slots 0 to 69 in
// blocks of 16 the newest 8 are 62 to 69, in entries 3 and 4: two blocks.
BlockChoice HeadReads::choice_for(std::uint32_t slot) const {
    const std::uint32_t newest = std::min(n_newest_tokens, slot + 1);
    const std::uint32_t first_entry = (slot + 1 - newest) / block_size;
    const std::uint32_t end_entry = slot / block_size + 1;
    return {.n_blocks = n_blocks, .n_newest = newest == 0 ? 0 : end_entry - first_entry};
}

std::vector<std::uint32_t> HeadReads::of_group(std::size_t row, LayerId layer,
                                               HeadId kv_head) const {
    const std::uint32_t group = group_size(n_heads, n_kv_heads);
    std::vector<std::uint32_t> all;
    for (std::uint32_t head = kv_head.value * group; head < (kv_head.value + 1) * group; ++head)
        all.insert(all.end(), of(row, layer, head).begin(), of(row, layer, head).end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

HeadReads HeadReads::row(std::size_t row) const {
    HeadReads one = *this;
    const auto width = static_cast<std::ptrdiff_t>(std::size_t{n_layers} * n_heads);
    const auto begin = entries.begin() + static_cast<std::ptrdiff_t>(row) * width;
    one.entries.assign(begin, begin + width);
    return one;
}

std::uint64_t HeadReads::slots_in(std::span<const std::uint32_t> which, std::uint32_t own) const {
    std::uint64_t n = 0;
    for (const std::uint32_t entry : which) n += std::min(block_size, own + 1 - entry * block_size);
    return n;
}

std::uint64_t HeadReads::slots_of_group(std::size_t row, LayerId layer, HeadId kv_head,
                                        std::uint32_t own) const {
    return slots_in(of_group(row, layer, kv_head), own);
}

std::uint64_t HeadReads::pairs_of_group(std::size_t row, LayerId layer, HeadId kv_head,
                                        std::uint32_t own) const {
    const std::uint32_t group = group_size(n_heads, n_kv_heads);
    std::uint64_t n = 0;
    for (std::uint32_t head = kv_head.value * group; head < (kv_head.value + 1) * group; ++head)
        n += slots_in(of(row, layer, head), own);
    return n;
}

std::uint64_t HeadReads::slots_anywhere(std::size_t row, std::uint32_t own) const {
    if (n_whole_layers > 0) return own + std::uint64_t{1};
    std::vector<bool> read(own / block_size + 1);
    for (std::uint32_t layer = 0; layer < n_layers; ++layer)
        for (std::uint32_t head = 0; head < n_heads; ++head)
            for (const std::uint32_t entry : of(row, LayerId(layer), head)) read[entry] = true;
    std::vector<std::uint32_t> all;
    for (std::uint32_t entry = 0; entry < read.size(); ++entry)
        if (read[entry]) all.push_back(entry);
    return slots_in(all, own);
}

}  // namespace kv
