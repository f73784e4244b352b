#include "core/engine/run/memory/hash.hpp"

#include <vector>

#include "core/base/fnv_hash.hpp"
#include "core/engine/run/memory/recorder.hpp"

namespace kv {
namespace {

void add_table(FnvHash& hash, const Table& table, const SlotMap& slots, std::uint32_t stored) {
    for (std::size_t k = 0; k < table.size(); ++k)
        hash.add(table[k] ? table[k]->value + std::uint64_t{1} : 0);
    if (slots.is_plain()) return;
    for (const std::uint32_t token : slots.kept(stored)) hash.add(token);
}

}  // namespace

std::string hash_of_pool(const Snapshot& now, const Backend& backend, const LaneShape& lanes) {
    FnvHash hash;
    for (const LaneView& lane : now.lanes)
        for (const BlockId block : free_list(lane)) hash.add(block.value);
    for (std::uint32_t i = 0; i < now.requests.size(); ++i) {
        const RequestView& r = now.requests[i];
        hash.add(r.stored);
        for (std::size_t lane = 0; lane < r.tables.size(); ++lane)
            add_table(hash, r.tables[lane], r.slots[lane], r.stored);
    }
    std::vector<std::byte> bytes;
    for (std::uint32_t l = 0; l < now.lanes.size(); ++l)
        for (std::uint32_t b = 0; b < backend.layout().n_blocks; ++b) {
            const BlockView& block = now.lanes[l].blocks[b];
            hash.add(block.ref_count);
            hash.add(block.hash.value_or(0));
            hash.add(block.filled);
            for (std::uint32_t slot = 0; slot < block.filled; ++slot)
                each_vector_of_slot(backend.layout(), lanes, LaneId(l), BlockId(b), Slot(slot),
                                    [&](std::uint64_t offset, std::uint64_t, std::uint64_t size) {
                                        bytes.resize(size);
                                        backend.read_pool(offset, bytes);
                                        hash.add(bytes);
                                    });
        }
    return hash.text();
}

}  // namespace kv
