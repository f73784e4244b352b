#include "core/engine/cpu/coded_rows.hpp"

#include <algorithm>
#include <utility>

namespace kv::cpu {

CodedRows::CodedRows(const KvPool& pool, const PoolSpec& spec, const CpuKernels& kernels,
                     ReadRow read)
    : pool_(pool), spec_(spec), kernels_(kernels), read_(std::move(read)) {}

void read_scales(const CpuKernels& kernels, const Codec& codec, KeyTile& tile) {
    if (codec.scale == ScaleMode::PerVector)
        kernels.read_scales((codec.bits() * tile.dim + 7) / 8, tile);
}

namespace {

std::size_t place_in_pass(const Query& query) {
    const auto& indices = query.work->token_indices;
    return static_cast<std::size_t>(
        std::lower_bound(indices.begin(), indices.end(), query.token_index) - indices.begin());
}

}  // namespace

// Slots of the pass that the query attends to as they were computed.
std::span<const std::uint32_t> CodedRows::computed_by(const Query& query, Side side) const {
    if (!spec_.attends_exactly(side)) return {};
    if (query.work->one_by_one) return query.work->token_indices.subspan(place_in_pass(query), 1);
    return query.work->token_indices;
}

// How many tokens count as stored when the query attends; KIVI has coded coded_tokens() of them. A
// pass that attends exactly codes only when all of it has attended: for each of its queries it is
// what was stored before it began.
std::uint32_t CodedRows::stored_before(const Query& query, Side side) const {
    const bool as_it_began = spec_.attends_exactly(side) && !query.work->one_by_one;
    return as_it_began ? query.work->token_indices.front() : query.token_index;
}

void CodedRows::prepare_coded(KeyTile& tile, const HeadRows& at, const Query& query,
                              AlignedRows<float>& room) const {
    const Codec& codec = pool_.codec(at.side);
    const bool read = is_read(codec);
    if (read) read_scales(kernels_, codec, tile);
    const std::span<const std::uint32_t> own = computed_by(query, at.side);
    auto mine = std::lower_bound(own.begin(), own.end(), tile.first);
    const std::size_t first_row = query.work->one_by_one ? place_in_pass(query) : 0;
    if (read && (mine == own.end() || *mine >= tile.first + tile.n)) return;
    const bool key = at.side == Side::K;
    const float* rows = key ? query.own.k : query.own.v;
    const std::size_t stride = key ? query.own.k_stride : query.own.v_stride;
    for (std::uint32_t j = 0; j < tile.n; ++j) {
        const float* row = room[j];
        if (mine != own.end() && *mine == tile.first + j) {
            row = rows + (first_row + static_cast<std::size_t>(mine++ - own.begin())) * stride +
                  at.head.index() * tile.dim;
            tile.scale[j] = 1;
        } else {
            widen(tile, j, at, query, room[j]);
        }
        tile.row[j] = reinterpret_cast<const std::byte*>(row);
    }
    tile.code = ElementCode::F32;
}

void CodedRows::widen(KeyTile& tile, std::size_t j, const HeadRows& at, const Query& query,
                      float* out) const {
    const Codec& codec = pool_.codec(at.side);
    const auto dim = static_cast<std::uint32_t>(tile.dim);
    const auto slot = tile.first + static_cast<std::uint32_t>(j);
    if (is_read(codec))
        kernels_.decode[static_cast<std::size_t>(codec.code)](tile.row[j], dim, out);
    else if (codec.has_residual())
        read_(*query.work, at.layer, at.side, at.head, slot, stored_before(query, at.side), out);
    else
        decode_vector(codec, tile.row[j], dim, out, pool_.shared_scale(at.layer, at.side));
}

}  // namespace kv::cpu
