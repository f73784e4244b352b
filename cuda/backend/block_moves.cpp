#include "cuda/backend/block_moves.hpp"

#include <vector>

namespace kv::gpu {

void BlockMoves::run(Gpu& gpu, const KvLayout& layout, View<std::byte> pool,
                     std::span<const std::pair<BlockId, BlockId>> from_to) {
    if (from_to.empty()) return;
    std::vector<u32> ids;
    for (const auto& [from, to] : from_to) ids.push_back(from.value);
    for (const auto& [from, to] : from_to) ids.push_back(to.value);
    for (const u32 id : ids) KV_ASSERT(id < layout.n_blocks);
    const u64 n = from_to.size();
    if (ids_.size() < ids.size()) ids_ = Memory<u32>(gpu, ids.size());
    gpu.upload(ids_.raw(), ids.data(), ids.size() * sizeof(u32));
    u64 first = 0;
    const auto launch_up_to = [&](u64 end) {
        if (end > first)
            gpu.launch(CopyBlocks{layout, pool, ids_.part(first, end - first),
                                  ids_.part(n + first, end - first)});
        first = end;
    };
    std::vector<bool> read(layout.n_blocks), written(layout.n_blocks);
    for (u64 i = 0; i < n; ++i) {
        const u32 from = ids[i], to = ids[n + i];
        if (written[from] || written[to] || read[to]) {
            launch_up_to(i);
            read.assign(read.size(), false);
            written.assign(written.size(), false);
        }
        read[from] = written[to] = true;
    }
    launch_up_to(n);
}

}  // namespace kv::gpu
