#pragma once
// Drawn copies of the first slots of blocks onto others, and the pool that they should leave:
// vector by vector, one copy after the other.

#include <algorithm>
#include <optional>
#include <string>

#include "cuda/device/gpu.hpp"
#include "tests/cuda/drawn/drawn.hpp"
#include "tests/cuda/kernels/walked_pool.hpp"

namespace kv::test {

struct DrawnMoves {
    struct Move {
        BlockId from, to;
        u32 slots;
    };
    KvLayout layout;
    std::vector<Move> moves;
    std::vector<std::byte> pool;  // longer than the layout says: nobody is to write there
};

inline DrawnMoves draw_moves(Drawn& drawn, u64 most_numbers) {
    DrawnMoves d;
    const u32 k_dim = drawn.head_dim(), v_dim = drawn.one_in(2) ? drawn.head_dim() : k_dim;
    const u32 heads = drawn.between(1, 4), layers = drawn.between(1, 3), n = drawn.between(2, 9);
    const u64 affordable = most_numbers / (u64{n} * layers * heads * (k_dim + v_dim));
    const u32 size = static_cast<u32>(
        std::clamp<u64>(affordable, 1, drawn.between(1, drawn.one_in(2) ? 128 : 5)));
    const Codec k = drawn.codec(Side::K, k_dim), v = drawn.codec(Side::V, v_dim);
    d.layout = {layers,
                heads,
                size,
                n,
                drawn.one_in(2) ? KvOrder::HeadMajor : KvOrder::TokenMajor,
                vector_of(k, k_dim, Side::K),
                vector_of(v, v_dim, Side::V)};
    for (u32 i = drawn.below(33); i > 0; --i) {  // also through one another
        const u32 from = drawn.below(n), to = (from + drawn.between(1, n - 1)) % n;
        d.moves.push_back({BlockId(from), BlockId(to), drawn.between(0, size)});
    }
    const Random random(drawn.below(65536), 3);
    d.pool.resize(d.layout.pool_bytes() + 64);
    for (std::size_t i = 0; i < d.pool.size(); ++i)
        d.pool[i] = static_cast<std::byte>(random.bits(i / 4) >> 8 * (i % 4) & 0xFF);
    return d;
}

inline std::vector<std::byte> moved(const DrawnMoves& d) {
    const WalkedPool walked(d.layout);
    std::vector<std::byte> pool = d.pool;
    for (const auto& [from, to, slots] : d.moves)
        for (u32 layer = 0; layer < d.layout.n_layers; ++layer)
            for (const Side side : {Side::K, Side::V})
                for (u32 slot = 0; slot < slots; ++slot)
                    for (u32 head = 0; head < d.layout.n_kv_heads; ++head)
                        for (u32 byte = 0; byte < d.layout.vector(side).bytes; ++byte)
                            pool[walked.at({layer, side, to.value, slot, head}) + byte] =
                                pool[walked.at({layer, side, from.value, slot, head}) + byte];
    return pool;
}

inline std::string in_words(const DrawnMoves& d) {
    std::string text = std::to_string(d.layout.n_layers) + " layers, " +
                       std::to_string(d.layout.n_kv_heads) + " heads, blocks of " +
                       std::to_string(d.layout.block_size) + ", vectors of " +
                       std::to_string(d.layout.k.bytes) + " and " +
                       std::to_string(d.layout.v.bytes) + " bytes, moves:";
    for (const auto& [from, to, slots] : d.moves)
        text += " " + std::to_string(from.value) + ">" + std::to_string(to.value) + " (" +
                std::to_string(slots) + ")";
    return text;
}

inline std::optional<std::string> wrong_moves(gpu::Gpu& gpu, const DrawnMoves& d) {
    const auto pool = gpu::uploaded(gpu, d.pool);
    for (const auto& [from, to, slots] : d.moves)
        gpu.launch(gpu::CopyBlock{d.layout, pool.view(), from, to, slots});
    const auto is = gpu::downloaded(gpu, pool.view()), should = moved(d);
    const auto differs = std::mismatch(is.begin(), is.end(), should.begin()).first;
    if (differs == is.end()) return std::nullopt;
    return "copy_block leaves another byte " + std::to_string(differs - is.begin()) + " of " +
           std::to_string(is.size()) + "; " + in_words(d);
}

}  // namespace kv::test
