#pragma once
// A weight matrix in the memory of the device, in the storage that the file has: row-major, one row
// per output. A number is widened to float when it is read.

#include "core/base/numbers/formats.hpp"
#include "cuda/grid/block.hpp"

namespace kv::gpu {

struct WeightView {
    View<const std::byte> bytes;
    u32 rows = 0, columns = 0;
    bool bf16 = false;

    KV_HD u64 row_bytes() const { return u64{columns} * (bf16 ? 2 : 4); }
    KV_HD float at(u64 row, u64 column) const {
        const u64 i = row * columns + column;
        return bf16 ? bf16_to_float(load<u16>(bytes.range(2 * i, 2)))
                    : load<float>(bytes.range(4 * i, 4));
    }
};

// Sixteen bytes at once: eight numbers in bf16, four in float.
struct Piece {
    float values[8];
};
KV_HD inline Piece load_piece(const WeightView& w, u64 row, u32 piece) {
    const std::byte* at =
        aligned(w.bytes.range(row * w.row_bytes() + u64{piece} * kPiece, kPiece), kPiece);
    u32 words[4];
#if defined(__CUDA_ARCH__)
    const uint4 loaded = __ldg(reinterpret_cast<const uint4*>(at));
    words[0] = loaded.x, words[1] = loaded.y, words[2] = loaded.z, words[3] = loaded.w;
#else
    memcpy(words, at, sizeof words);
#endif
    Piece out{};
    for (u32 i = 0; i < 4; ++i) {
        if (w.bf16) {
            out.values[2 * i] = float_of(words[i] << 16);
            out.values[2 * i + 1] = float_of(words[i] & 0xFFFF0000);
        } else {
            out.values[i] = float_of(words[i]);
        }
    }
    return out;
}

}  // namespace kv::gpu
