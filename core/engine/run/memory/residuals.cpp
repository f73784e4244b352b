#include "core/engine/run/memory/residuals.hpp"

#include <algorithm>
#include <limits>

#include "core/trace/event/block_events.hpp"

namespace kv {

std::optional<Residual> Residuals::find(SeqId id) const {
    const auto found = rows_.find(id.value);
    if (found == rows_.end()) return std::nullopt;
    return found->second;
}

Residual Residuals::open(SeqId id, std::uint32_t first) {
    const auto taken = [&](std::uint32_t row_set) {
        return std::any_of(rows_.begin(), rows_.end(),
                           [row_set](const auto& row) { return row.second.row_set == row_set; });
    };
    std::uint32_t row_set = 0;
    while (taken(row_set)) ++row_set;
    return rows_.insert({id.value, Residual{row_set, first}}).first->second;
}

void Residuals::close(SeqId id) {
    const auto found = rows_.find(id.value);
    if (found == rows_.end()) return;
    pool_.backend().free_residual(found->second.row_set);
    rows_.erase(found);
}

Residuals::Coded Residuals::coded(SeqId id, std::uint32_t first, std::uint32_t end) const {
    const KvLayout& layout = pool_.backend().layout();
    const std::uint32_t base = rows_.at(id.value).base;
    std::uint32_t from[2]{}, to[2]{};
    for (const Side side : {Side::K, Side::V}) {
        const auto s = static_cast<std::size_t>(side);
        from[s] = waits(side) ? coded_tokens(side, first, base) : 0;
        to[s] = waits(side) ? coded_tokens(side, end, base) : 0;
    }
    const auto inside = [&](std::uint32_t token, std::uint32_t entry) {
        const std::uint32_t begin = entry * layout.block_size;
        return std::clamp(token, begin, begin + layout.block_size) - begin;
    };
    Coded coded{to[0], to[1], {}};
    const auto& table = pool_.cache().table(id);
    for (std::uint32_t entry = 0; entry < table.size(); ++entry) {
        std::uint64_t bytes = 0;
        for (const Side side : {Side::K, Side::V}) {
            const auto s = static_cast<std::size_t>(side);
            bytes += std::uint64_t{inside(to[s], entry) - inside(from[s], entry)} *
                     layout.n_layers * layout.n_kv_heads * layout.vector(side).bytes;
        }
        if (bytes == 0) continue;
        const std::uint32_t slots = std::max(inside(to[0], entry), inside(to[1], entry));
        coded.blocks.push_back({LaneId(0), *table[entry], slots, bytes});
    }
    return coded;
}

bool Residuals::waits(Side side) const {
    return pool_.backend().layout().vector(side).residual_bytes > 0;
}

// A row of the residual is written again kKiviResidualRows tokens later.
std::uint32_t Residuals::most_ahead(SeqId id) const {
    std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
    const auto row = rows_.find(id.value);
    for (const Side side : {Side::K, Side::V}) {
        if (!waits(side)) continue;
        const std::uint32_t n = pool_.cache().stored(id) + 1;
        const std::uint32_t base = row == rows_.end() ? n - 1 : row->second.base;
        most = std::min(most, kKiviResidualRows - (n - coded_tokens(side, n, base)));
    }
    return most;
}

std::uint64_t Residuals::waiting(Side side) const {
    if (!waits(side)) return 0;
    std::uint64_t sum = 0;
    for (const auto& [id, row] : rows_) {
        if (!pool_.cache().is_open(SeqId(id))) continue;
        const std::uint32_t stored = pool_.cache().stored(SeqId(id));
        sum += stored - coded_tokens(side, stored, row.base);
    }
    return sum;
}

}  // namespace kv
