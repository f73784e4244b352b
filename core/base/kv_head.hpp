#pragma once
// Which KV head a query head reads: the one division of MHA, GQA (arXiv 2305.13245) and MQA.
// Whoever needs it asks here. Who walks over KV heads takes query heads
// [h * group, (h + 1) * group) of each.

#include <cstdint>

#include "core/base/ids.hpp"
#include "core/base/kv_hd.hpp"
#include "core/base/planted.hpp"

namespace kv {

// Query heads that share one KV head: 1 with MHA, all of them with MQA. n_kv_heads divides n_heads.
KV_HD constexpr std::uint32_t group_size(std::uint64_t n_heads, std::uint64_t n_kv_heads) {
    return static_cast<std::uint32_t>(n_heads / n_kv_heads);
}

KV_HD inline HeadId kv_head_wrongly(std::uint32_t query_head, std::uint64_t n_kv_heads);

KV_HD inline HeadId kv_head_of(std::uint32_t query_head, std::uint64_t n_heads,
                               std::uint64_t n_kv_heads) {
    if (planted(PlantedBug::HeadsInterleaved)) return kv_head_wrongly(query_head, n_kv_heads);
    return HeadId(query_head / group_size(n_heads, n_kv_heads));
}

// A planted bug: neighbours read different KV heads.
KV_HD inline HeadId kv_head_wrongly(std::uint32_t query_head, std::uint64_t n_kv_heads) {
    return HeadId(static_cast<std::uint32_t>(query_head % n_kv_heads));
}

}  // namespace kv
