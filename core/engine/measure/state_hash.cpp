#include "core/engine/measure/state_hash.hpp"

#include <vector>

#include "core/base/fnv_hash.hpp"
#include "core/cache/layout/place_in.hpp"

namespace kv {
std::string state_hash(const Backend& backend, const BlockTables& tables,
                       std::uint32_t stored_tokens) {
    const KvLayout& layout = backend.layout();
    FnvHash hash;
    hash.add(std::uint64_t{stored_tokens});
    std::vector<std::byte> vector;
    for (const auto& table : tables.tables)
        for (const BlockId block : table) hash.add(std::uint64_t{block.value});
    for (std::uint32_t layer = 0; layer < layout.n_layers; ++layer)
        for (const Side side : {Side::K, Side::V})
            for (std::uint32_t head = 0; head < layout.n_kv_heads; ++head)
                for (std::uint32_t slot = 0; slot < stored_tokens; ++slot) {
                    const SlotPlace at =
                        place_in(tables.of(LayerId(layer), HeadId(head)), slot, layout);
                    vector.resize(layout.vector(side).bytes);
                    backend.read_pool(
                        layout.vector_offset(LayerId(layer), side, HeadId(head), at.block, at.slot),
                        vector);
                    hash.add(vector);
                }
    return hash.text();
}

}  // namespace kv
