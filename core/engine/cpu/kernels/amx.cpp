// The path of processors whose tile unit multiplies bf16 (AMX): for one token tiles of 16 rows of
// weights, as they lie in the matrix, times its activations; for many, tiles of 16 activations
// times 16 rows of weights. All else, attention too, is the avx512_bf16 path. The unit adds 16
// pairs of products in two chains and then to the sum, step after step of 32 columns, for every
// element alike; so a result depends on nothing that is computed beside it. Denormals count as 0.

#include "core/engine/cpu/kernels/kernels.hpp"

#if defined(__AMX_TILE__) && defined(__AMX_BF16__) && defined(__AVX512F__) && \
    defined(__AVX512BW__) && defined(__AVX512VL__)

#include "core/engine/cpu/kernels/amx_many.hpp"
#include "core/engine/cpu/kernels/pack_bf16.hpp"

namespace kv::cpu {
namespace {

constexpr long kAheadBytes = 2048;

// Where the weights of a step of columns lie for the tile unit.
struct Weights {
    const std::uint16_t* first;
    long stride;  // bytes
};

class OneProduct {
public:
    explicit OneProduct(const Product& p)
        : p_(p),
          weights_(static_cast<const std::uint16_t*>(p.weights)),
          x_(static_cast<const std::uint16_t*>(p.x)),
          whole_(p.columns / kStep),
          rest_(p.columns % kStep),
          steps_(whole_ + (rest_ > 0 ? 1 : 0)) {}

    // Tiles of one row from each of 16 runs of rows, and then of the next row of each: a processor
    // fetches long runs ahead, several at a time. The rows that are left over come last.
    void run() {
        const Tiles tiles(rows(), 1);
        const std::size_t run = p_.rows / kTile;
        for (std::size_t r = 0; r < run; r += 2) two_tiles(r, r + 1 < run ? r + 1 : r, run);
        if (run * kTile < p_.rows) two_tiles(at_most(p_.rows), at_most(p_.rows), 1);
    }

private:
    std::size_t rows() const { return p_.rows < kTile ? p_.rows : kTile; }
    // The last tile of rows ends with the matrix: some of its rows may be computed twice.
    std::size_t at_most(std::size_t r) const {
        return r + rows() <= p_.rows ? r : p_.rows - rows();
    }

    // Rows a, a + apart, a + 2 apart, ..., and the same from b.
    void two_tiles(std::size_t a, std::size_t b, std::size_t apart) {
        _tile_zero(0);
        _tile_zero(1);
        for (std::size_t s = 0; s < steps_; ++s) {
            const Weights wa = weights(a, apart, s, last_[0]), wb = weights(b, apart, s, last_[1]);
            memory_is_written();
            ask_for(wa);
            ask_for(wb);
            _tile_loadd(6, x_ + s * kStep, 4);
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

    const Product& p_;
    const std::uint16_t *weights_, *x_;
    std::size_t whole_, rest_, steps_;  // of columns
    alignas(64) std::uint16_t last_[2][kTile * kStep];
    alignas(64) float sums_[2][kTile * kTile];
};

void multiply_in_tiles(const Product& p) {
    if (p.n == 0 || p.rows == 0) return;
    if (p.n == 1)
        OneProduct(p).run();
    else
        ManyProducts(p).run();
}

// Packs one row of activations as it is, many rows as tiles.
void pack(const float* x, const Packed& to, std::size_t row) {
    pack_in_groups(x, to, row, to.n == 1 ? 1 : kTile);
}

CpuKernels kernels(const CpuKernels& base) {
    CpuKernels all = base;
    all.multiply_bf16 = multiply_in_tiles;
    all.pack = pack;
    all.transposes_packed = false;
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
