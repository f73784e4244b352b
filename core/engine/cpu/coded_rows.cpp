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

void CodedRows::prepare_coded(KeyTile& tile, const HeadRows& at, const Query& query,
                              AlignedRows<float>& room) const {
    const Codec& codec = pool_.codec(at.side);
    const bool read = is_read(codec);
    if (read) read_scales(kernels_, codec, tile);
    const std::span<const std::uint32_t> own = query.work->slots;
    auto mine = spec_.attends_exactly(at.side)
                    ? std::lower_bound(own.begin(), own.end(), tile.first)
                    : own.end();
    if (read && (mine == own.end() || *mine >= tile.first + tile.n)) return;
    const bool key = at.side == Side::K;
    const float* rows = key ? query.own.k : query.own.v;
    const std::size_t stride = key ? query.own.k_stride : query.own.v_stride;
    for (std::uint32_t j = 0; j < tile.n; ++j) {
        const float* row = room[j];
        if (mine != own.end() && *mine == tile.first + j) {
            row = rows + static_cast<std::size_t>(mine++ - own.begin()) * stride +
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
        read_(*query.work, at.layer, at.side, at.head, slot,
              spec_.attends_exactly(at.side) ? query.work->slots.front() : query.slot, out);
    else
        decode_vector(codec, tile.row[j], dim, out, pool_.shared_scale(at.layer, at.side));
}

}  // namespace kv::cpu
