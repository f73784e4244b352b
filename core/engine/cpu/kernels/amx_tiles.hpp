#pragma once
// The tile unit (AMX) and what its operands look like, for the file of its path and no other: all
// lies in an unnamed namespace. A tile of weights or activations is 16 rows of 32 bf16, 1024 bytes
// without gaps; matrices are cut into steps of 32 columns.

#include <cstddef>
#include <cstdint>

#include "core/engine/cpu/kernels/pack_bf16.hpp"

namespace kv::cpu {
namespace {

constexpr std::size_t kTile = 16;  // rows
constexpr std::size_t kTileCodes = kTile * kStep;
constexpr long kRowBytes = 64;  // of a tile

// Loads and the configuration are instructions whose reads the compiler does not see.
void memory_is_written() {
    asm volatile("" ::: "memory");
}

// Registers 0 to 3 hold sums, 4 and 5 weights, 6 and 7 activations where there is one of them;
// where there are many, it is the other way round.
class Tiles {
public:
    Tiles(std::size_t weight_rows, std::size_t activations) {
        Shape shape;
        for (int t = 0; t < 8; ++t) {
            shape.rows[t] = static_cast<std::uint8_t>(t < 6 ? weight_rows : kTile);
            shape.row_bytes[t] =
                static_cast<std::uint16_t>(t == 4 || t == 5 ? kTile * 4 : activations * 4);
        }
        memory_is_written();
        _tile_loadconfig(&shape);
    }
    ~Tiles() { _tile_release(); }
    Tiles(const Tiles&) = delete;
    Tiles& operator=(const Tiles&) = delete;

private:
    struct alignas(64) Shape {
        std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
        std::uint16_t row_bytes[16] = {};
        std::uint8_t rows[16] = {};
    };
};

// Loads up to 32 codes, with zeros behind them.
__m512i codes(const std::uint16_t* p, std::size_t n) {
    if (n >= kStep) return _mm512_loadu_si512(p);
    return _mm512_maskz_loadu_epi16(static_cast<__mmask32>((1u << n) - 1), p);
}

}  // namespace
}  // namespace kv::cpu
