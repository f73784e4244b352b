#include "core/attach/tank/reports.hpp"

#include <algorithm>

namespace kv {
namespace {

// How many of the last blocks. Of groups with other sizes of blocks only the end can be asked for.
std::size_t reached(const Shelf& shelf, const ServerStored& event) {
    if (!shelf.window || shelf.block_size <= 0 || shelf.block_size != event.block_size) return 1;
    const std::int64_t before = std::clamp<std::int64_t>(*shelf.window - 1, 1, 1 << 30);
    const auto blocks = static_cast<std::size_t>((before - 1) / shelf.block_size + 1);
    return std::min(blocks, event.hashes.size());
}

}  // namespace

bool announces_a_hit(const BlockTree& tree, const std::vector<Shelf>& shelves,
                     const ServerStored& event, std::int64_t rank) {
    if (event.parent || event.hashes.empty()) return false;
    for (std::size_t place = 0; place < shelves.size(); ++place) {
        const Shelf& shelf = shelves[place];
        if (shelf.name.rank != rank || shelf.name.medium != event.medium) continue;
        const auto n = static_cast<std::ptrdiff_t>(reached(shelf, event));
        const auto is_there = [&](const ServerHash& hash) {
            const auto found = tree.find(static_cast<ShelfRef>(place), hash);
            return found && tree.at(*found).cached();
        };
        if (!std::all_of(event.hashes.end() - n, event.hashes.end(), is_there)) return false;
    }
    return true;
}

}  // namespace kv
