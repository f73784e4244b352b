// The path of processors whose tile unit multiplies bf16 (AMX): for one token tiles of 16 rows of
// weights, as they lie in the matrix, times its activations; for many, tiles of 16 activations
// times 16 rows of weights. All else is the avx512_bf16 path. The unit adds 16 pairs of products in
// two chains and then to the sum, step after step of 32 columns, for every element alike; so a
// result depends on nothing that is computed beside it. Denormals count as 0.

#include "core/engine/cpu/cpu_kernels.hpp"

#if defined(__AMX_TILE__) && defined(__AMX_BF16__) && defined(__AVX512F__) && \
    defined(__AVX512BW__) && defined(__AVX512VL__)

#include <new>

#include "core/engine/cpu/avx512.hpp"

namespace kv::cpu {
namespace {

constexpr std::size_t kTile = 16;  // rows of weights, rows of activations
constexpr std::size_t kStep = 32;  // columns
constexpr std::size_t kTileBytes = 1024;
constexpr long kRowBytes = 64;  // of a tile
constexpr long kAheadBytes = 2048;

// Loads and the configuration are instructions whose reads the compiler does not see.
void memory_is_written() {
    asm volatile("" ::: "memory");
}

// Registers 0 to 3 hold sums, 4 and 5 weights, 6 and 7 activations.
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

using Square = __m512[kTile];

// Element (i, j) becomes (j, i).
void transpose(Square v) {
    Square a, b;
    for (std::size_t i = 0; i < kTile; i += 2) {
        a[i] = _mm512_unpacklo_ps(v[i], v[i + 1]);
        a[i + 1] = _mm512_unpackhi_ps(v[i], v[i + 1]);
    }
    for (std::size_t i = 0; i < kTile; i += 4)
        for (std::size_t j = 0; j < 2; ++j) {
            const __m512d low = _mm512_castps_pd(a[i + j]), high = _mm512_castps_pd(a[i + j + 2]);
            b[i + 2 * j] = _mm512_castpd_ps(_mm512_unpacklo_pd(low, high));
            b[i + 2 * j + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low, high));
        }
    for (std::size_t i = 0; i < 4; ++i) {
        a[i] = _mm512_shuffle_f32x4(b[i], b[i + 4], 0x88);
        a[i + 4] = _mm512_shuffle_f32x4(b[i], b[i + 4], 0xDD);
        a[i + 8] = _mm512_shuffle_f32x4(b[i + 8], b[i + 12], 0x88);
        a[i + 12] = _mm512_shuffle_f32x4(b[i + 8], b[i + 12], 0xDD);
    }
    for (std::size_t i = 0; i < 8; ++i) {
        v[i] = _mm512_shuffle_f32x4(a[i], a[i + 8], 0x88);
        v[i + 8] = _mm512_shuffle_f32x4(a[i], a[i + 8], 0xDD);
    }
}

// Up to 32 codes, zeros behind them.
__m512i codes(const std::uint16_t* p, std::size_t n) {
    if (n >= kStep) return _mm512_loadu_si512(p);
    return _mm512_maskz_loadu_epi16(static_cast<__mmask32>((1u << n) - 1), p);
}

// Where the weights of a step of columns lie for the tile unit.
struct Weights {
    const std::uint16_t* first;
    long stride;  // bytes
};

class Multiplication {
public:
    explicit Multiplication(const Product& p)
        : p_(p),
          weights_(static_cast<const std::uint16_t*>(p.weights)),
          x_(static_cast<const std::uint16_t*>(p.x)),
          whole_(p.columns / kStep),
          rest_(p.columns % kStep),
          steps_(whole_ + (rest_ > 0 ? 1 : 0)) {}

    // Tiles of one row from each of 16 runs of rows, and then of the next row of each: a processor
    // fetches long runs ahead, several at a time. The rows that are left over come last.
    void of_one() {
        const Tiles tiles(rows(), 1);
        alignas(64) std::uint16_t last_x[kStep];
        _mm512_store_si512(last_x, codes(x_ + whole_ * kStep, rest_));
        const std::size_t run = p_.rows / kTile;
        for (std::size_t r = 0; r < run; r += 2)
            tiles_of_one(r, r + 1 < run ? r + 1 : r, run, last_x);
        if (run * kTile < p_.rows) tiles_of_one(at_most(p_.rows), at_most(p_.rows), 1, last_x);
    }

    // Activations, as they lie, times weights in the order of pairs: those of 32 rows at a time are
    // turned, which is little work beside what all activations make of them.
    void of_many() {
        const std::size_t fit = kBytes / (steps_ * kTileBytes) * kTile / kPair * kPair;
        const std::size_t most = fit < kPair ? kPair : fit < kMost ? fit : kMost;
        auto* const room = static_cast<std::byte*>(
            ::operator new[]((most + kPair) / kTile * steps_ * kTileBytes, std::align_val_t{64}));
        turned_ = room;
        copied_ = room + kPair / kTile * steps_ * kTileBytes;
        const Tiles tiles(kTile, kTile);
        for (std::size_t i = 0; i < p_.n; i += most) {
            const std::size_t n = p_.n - i < most ? p_.n - i : most;
            copy(i, n);
            for (std::size_t r = 0; r < p_.rows; r += kPair) {
                turn(r);
                for (std::size_t t = 0; t < n; t += kPair) block(r, i, t, n);
            }
        }
        ::operator delete[](room, std::align_val_t{64});
    }

private:
    static constexpr std::size_t kPair = 2 * kTile;              // rows of a block, on either side
    static constexpr std::size_t kMost = 512;                    // activations at a time
    static constexpr std::size_t kBytes = std::size_t{1} << 20;  // of them: half of a cache

    std::size_t rows() const { return p_.rows < kTile ? p_.rows : kTile; }
    // The last tile of rows ends with the matrix: some of its rows may be computed twice.
    std::size_t at_most(std::size_t r) const {
        return r + rows() <= p_.rows ? r : p_.rows - rows();
    }

    // Rows a, a + apart, a + 2 apart, ..., and the same from b.
    void tiles_of_one(std::size_t a, std::size_t b, std::size_t apart,
                      const std::uint16_t* last_x) {
        _tile_zero(0);
        _tile_zero(1);
        for (std::size_t s = 0; s < steps_; ++s) {
            const Weights wa = weights(a, apart, s, last_[0]), wb = weights(b, apart, s, last_[1]);
            memory_is_written();
            ask_for(wa);
            ask_for(wb);
            _tile_loadd(6, s < whole_ ? x_ + s * kStep : last_x, 4);
            _tile_loadd(4, wa.first, wa.stride);
            _tile_loadd(5, wb.first, wb.stride);
            _tile_dpbf16ps(0, 4, 6);
            _tile_dpbf16ps(1, 5, 6);
        }
        _tile_stored(0, sums_[0], 4);
        _tile_stored(1, sums_[1], 4);
        for (std::size_t i = 0; i < rows(); ++i) {
            p_.y[a + i * apart] = sums_[0][i];
            p_.y[b + i * apart] = sums_[1][i];
        }
    }

    // Memory sends what a tile will need some steps later while this one is multiplied. What lies
    // behind the matrix is asked for as well, which is no read.
    void ask_for(const Weights& w) const {
        for (std::size_t i = 0; i < rows(); ++i)
            _mm_prefetch(reinterpret_cast<const char*>(w.first) + static_cast<long>(i) * w.stride +
                             kAheadBytes,
                         _MM_HINT_T0);
    }

    // The columns that fill no step are copied, with zeros behind them.
    Weights weights(std::size_t r, std::size_t apart, std::size_t s, std::uint16_t* last) const {
        const std::uint16_t* first = weights_ + r * p_.columns + s * kStep;
        if (s < whole_) return {first, static_cast<long>(apart * p_.columns * 2)};
        for (std::size_t i = 0; i < rows(); ++i)
            _mm512_store_si512(last + i * kStep, codes(first + i * apart * p_.columns, rest_));
        return {last, kRowBytes};
    }

    // Tile s of a group of 16 rows.
    std::byte* tile(std::byte* tiles, std::size_t group, std::size_t s) const {
        return tiles + (group * steps_ + s) * kTileBytes;
    }

    // A step of a row, zeros where there is no such row or column.
    __m512i step(const std::uint16_t* rows, std::size_t stride, std::size_t row, std::size_t end,
                 std::size_t s) const {
        if (row >= end) return _mm512_setzero_si512();
        return codes(rows + row * stride + s * kStep, s < whole_ ? kStep : rest_);
    }

    // Activations side by side for the tile unit, however far apart their rows are in memory.
    void copy(std::size_t first, std::size_t n) {
        for (std::size_t t = 0; t < (n + kPair - 1) / kPair * kPair; ++t)
            for (std::size_t s = 0; s < steps_; ++s)
                _mm512_store_si512(tile(copied_, t / kTile, s) + t % kTile * kRowBytes,
                                   step(x_, p_.x_stride, first + t, first + n, s));
    }

    // Tiles of 16 pairs of columns times 16 rows of weights.
    void turn(std::size_t r) {
        for (std::size_t g = 0; g < kPair / kTile; ++g)
            for (std::size_t s = 0; s < steps_; ++s) {
                Square v;
                for (std::size_t i = 0; i < kTile; ++i)
                    v[i] = _mm512_castsi512_ps(
                        step(weights_, p_.columns, r + g * kTile + i, p_.rows, s));
                transpose(v);
                for (std::size_t i = 0; i < kTile; ++i)
                    _mm512_store_ps(tile(turned_, g, s) + i * kRowBytes, v[i]);
            }
    }

    // 32 activations times 32 rows of weights. Meanwhile memory sends a share of the next 32 rows.
    void block(std::size_t r, std::size_t first, std::size_t t, std::size_t n) {
        const std::size_t g = t / kTile, blocks = (n + kPair - 1) / kPair,
                          ahead = (kPair + blocks - 1) / blocks;
        const std::uint16_t* next = weights_ + (r + kPair + t / kPair * ahead) * p_.columns;
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
        memory_is_written();
        for (std::size_t s = 0; s < steps_; ++s) {
            for (std::size_t i = 0; i < ahead; ++i)
                _mm_prefetch(next + i * p_.columns + s * kStep, _MM_HINT_T1);
            _tile_loadd(4, tile(copied_, g, s), kRowBytes);
            _tile_loadd(6, tile(turned_, 0, s), kRowBytes);
            _tile_dpbf16ps(0, 4, 6);
            _tile_loadd(7, tile(turned_, 1, s), kRowBytes);
            _tile_dpbf16ps(1, 4, 7);
            _tile_loadd(5, tile(copied_, g + 1, s), kRowBytes);
            _tile_dpbf16ps(2, 5, 6);
            _tile_dpbf16ps(3, 5, 7);
        }
        float* y = p_.y + (first + t) * p_.y_stride + r;
        if (t + kPair <= n && r + kPair <= p_.rows)
            store(y, p_.y_stride);
        else
            store_part(y, n - t, p_.rows - r);
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
        store(block_, kPair);
        for (std::size_t i = 0; i < n && i < kPair; ++i)
            for (std::size_t r = 0; r < rows && r < kPair; ++r)
                y[i * p_.y_stride + r] = block_[i * kPair + r];
    }

    const Product& p_;
    const std::uint16_t *weights_, *x_;
    std::size_t whole_, rest_, steps_;                 // of columns
    std::byte *copied_ = nullptr, *turned_ = nullptr;  // activations, weights
    alignas(64) std::uint16_t last_[2][kTile * kStep];
    alignas(64) float sums_[2][kTile * kTile];
    alignas(64) float block_[kPair * kPair];
};

void multiply_in_tiles(const Product& p) {
    if (p.n == 0 || p.rows == 0) return;
    Multiplication multiplication(p);
    p.n == 1 ? multiplication.of_one() : multiplication.of_many();
}

constexpr CpuKernels kernels(const CpuKernels& base) {
    CpuKernels all = base;
    all.multiply_bf16 = multiply_in_tiles;
    return all;
}

}  // namespace

const CpuKernels* amx_kernels() {
    static const CpuKernels kKernels = kernels(*avx512_bf16_kernels());
    return &kKernels;
}

}  // namespace kv::cpu

#else

const kv::cpu::CpuKernels* kv::cpu::amx_kernels() {
    return nullptr;
}

#endif
