#pragma once
// Products of many rows of activations on the tile unit. The activations lie as tiles already. The
// weights of 32 rows at a time, a panel, are transposed into tiles of pairs of columns, those of
// the next panel between the products of this one: the unit multiplies while vectors are shuffled.
// See amx_tiles.hpp for who may include this.

#include <new>

#include "core/engine/cpu/kernels/amx_tiles.hpp"
#include "core/engine/cpu/kernels/kernels.hpp"

namespace kv::cpu {
namespace {

class ManyProducts {
public:
    explicit ManyProducts(const Product& p)
        : p_(p),
          weights_(static_cast<const std::uint16_t*>(p.weights)),
          x_(static_cast<const std::uint16_t*>(p.x)),
          steps_((p.columns + kStep - 1) / kStep),
          room_(static_cast<std::uint16_t*>(
              ::operator new[](2 * panel_codes() * sizeof *room_, std::align_val_t{64}))),
          now_(room_),
          next_(room_ + panel_codes()) {}
    ~ManyProducts() { ::operator delete[](room_, std::align_val_t{64}); }
    ManyProducts(const ManyProducts&) = delete;
    ManyProducts& operator=(const ManyProducts&) = delete;

    void run() {
        const Tiles tiles(kTile, kTile);
        const std::size_t fit = kBytes / (steps_ * kRowBytes) / kPair * kPair,
                          most = fit < kPair ? kPair : fit;
        for (std::size_t first = 0; first < p_.n; first += most)
            all_panels(first, p_.n - first < most ? p_.n : first + most);
    }

private:
    static constexpr std::size_t kPair = 2 * kTile;  // outputs of a square on either side: 2 tiles
    static constexpr std::size_t kBytes = std::size_t{1} << 20;  // of activations: half of a cache

    struct Ahead {  // what memory is asked for while a square is computed
        const float* y;
        const std::uint16_t* weights;
        std::size_t rows;
    };

    std::size_t panel_codes() const { return 2 * steps_ * kTileCodes; }

    // The activations [first, end) with all weights.
    void all_panels(std::size_t first, std::size_t end) {
        const std::size_t squares = (end - first + kPair - 1) / kPair;
        begin_panel(0);
        transpose_until(2 * steps_);
        for (std::size_t r = 0; r < p_.rows; r += kPair) {
            std::uint16_t* const transposed = next_;
            next_ = now_;
            now_ = transposed;
            begin_panel(r + kPair);
            for (std::size_t b = 0; b < squares; ++b) {
                const std::size_t t = first + b * kPair, rows = (kPair + squares - 1) / squares;
                const Ahead ahead{p_.y + t * p_.y_stride + r,
                                  weights_ + (r + 2 * kPair + b * rows) * p_.columns, rows};
                square(t, ahead, 2 * steps_ * (b + 1) / squares);
                if (t + kPair <= end && r + kPair <= p_.rows)
                    store(p_.y + t * p_.y_stride + r, p_.y_stride);
                else
                    store_part(p_.y + t * p_.y_stride + r, end - t, p_.rows - r);
            }
        }
    }

    void begin_panel(std::size_t r) {
        next_row_ = r;
        transposed_ = 0;
    }

    // The tiles of the next panel up to `until`: of its first 16 rows, then of the others.
    void transpose_until(std::size_t until) {
        for (; transposed_ < until && next_row_ < p_.rows; ++transposed_) {
            const bool second = transposed_ >= steps_;
            transpose_tile(next_row_ + (second ? kTile : 0),
                           second ? transposed_ - steps_ : transposed_,
                           next_ + transposed_ * kTileCodes);
        }
    }

    // Zeros stand for rows and columns that there are not.
    void transpose_tile(std::size_t r, std::size_t s, std::uint16_t* tile) const {
        const std::size_t c = s * kStep;
        const std::uint16_t* first = weights_ + r * p_.columns + c;
        __m512 v[kTile];
        if (r + kTile <= p_.rows && c + kStep <= p_.columns)
            unrolled<kTile>([&](auto i) { v[i] = _mm512_loadu_ps(first + i * p_.columns); });
        else
            for (std::size_t i = 0; i < kTile; ++i)
                v[i] = r + i < p_.rows
                           ? _mm512_castsi512_ps(codes(first + i * p_.columns, p_.columns - c))
                           : _mm512_setzero_ps();
        Avx512::transpose(v);
        unrolled<kTile>([&](auto i) { _mm512_store_ps(tile + i * kStep, v[i]); });
    }

    // 32 activations from t on times the 32 rows of the panel: a square of 32 x 32 sums. Meanwhile
    // tiles of the next panel are made, spread over the steps.
    void square(std::size_t t, const Ahead& ahead, std::size_t until) {
        const std::size_t more = steps_ * kTileCodes, from = transposed_,
                          to_transpose = until - from;
        const std::uint16_t *x = x_ + t * steps_ * kStep, *w = now_;
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
        memory_is_written();
        for (std::size_t s = 0, due = 0; s < steps_; ++s, x += kTileCodes, w += kTileCodes) {
            ask_for(ahead, s);
            _tile_loadd(4, x, kRowBytes);
            _tile_loadd(6, w, kRowBytes);
            _tile_dpbf16ps(0, 4, 6);
            _tile_loadd(7, w + more, kRowBytes);
            _tile_dpbf16ps(1, 4, 7);
            _tile_loadd(5, x + more, kRowBytes);
            _tile_dpbf16ps(2, 5, 6);
            _tile_dpbf16ps(3, 5, 7);
            for (due += to_transpose; due >= steps_; due -= steps_)
                transpose_until(transposed_ + 1);
        }
    }

    // Memory is asked for where the sums of a square will go and for a share of the weights of the
    // panel after the next, a few lines at every step: more at once would leave tiles waiting. What
    // lies behind the end is asked for as well, which is no read. Not inlined, this would be a call
    // without a result, and g++ would leave it out.
    inline __attribute__((always_inline)) void ask_for(const Ahead& ahead, std::size_t s) const {
        for (std::size_t i = s * kPair / steps_; i < (s + 1) * kPair / steps_; ++i) {
            __builtin_prefetch(ahead.y + i * p_.y_stride, 1);
            __builtin_prefetch(ahead.y + i * p_.y_stride + kTile, 1);
        }
        for (std::size_t i = 0; i < ahead.rows; ++i)
            _mm_prefetch(ahead.weights + i * p_.columns + s * kStep, _MM_HINT_T1);
    }

    static void store(float* y, std::size_t stride) {
        const long row_bytes = static_cast<long>(stride * sizeof(float));
        _tile_stored(0, y, row_bytes);
        _tile_stored(1, y + kTile, row_bytes);
        _tile_stored(2, y + kTile * stride, row_bytes);
        _tile_stored(3, y + kTile * stride + kTile, row_bytes);
        memory_is_written();
    }

    void store_part(float* y, std::size_t n, std::size_t rows) {
        store(square_, kPair);
        for (std::size_t i = 0; i < n && i < kPair; ++i)
            for (std::size_t r = 0; r < rows && r < kPair; ++r)
                y[i * p_.y_stride + r] = square_[i * kPair + r];
    }

    const Product& p_;
    const std::uint16_t *weights_, *x_;
    std::size_t steps_;                   // of columns
    std::uint16_t *room_, *now_, *next_;  // the panel at hand and the one that is being transposed
    std::size_t next_row_ = 0;            // of the next panel: its first row,
    std::size_t transposed_ = 0;          // and the tiles that are there
    alignas(64) float square_[kPair * kPair];
};

}  // namespace
}  // namespace kv::cpu
