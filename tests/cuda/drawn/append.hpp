#pragma once
// Drawn new heads on their way into a pool, and what either rung does wrong: heads against float64,
// and every byte of the pool against the codec's own words.

#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "core/cache/kv_pool.hpp"
#include "cuda/device/gpu.hpp"
#include "tests/cuda/drawn/drawn.hpp"

namespace kv::test {

struct DrawnAppend {
    KvLayout layout;
    Codec k, v;
    u32 n_rows = 1, group = 1;
    bool hadamard = false, by_head = false, norms = false;
    std::vector<u32> slot_mapping;  // (lanes, rows)
    std::vector<u32> rotated;       // (rows)
    std::vector<float> cosine, sine, q_norm, k_norm;
    std::vector<float> q_in, k_in, v_in;
};

inline DrawnAppend draw_append(Drawn& drawn) {
    DrawnAppend d;
    const u32 heads = drawn.between(1, 4), k_dim = drawn.one_in(3) ? 64u : drawn.head_dim();
    d.hadamard = drawn.one_in(2) && (k_dim & (k_dim - 1)) == 0;
    const u32 v_dim = d.hadamard || drawn.one_in(2) ? k_dim : drawn.head_dim();
    d.group = drawn.between(1, 4);
    d.n_rows = drawn.between(1, 6);
    d.by_head = drawn.one_in(3);
    d.norms = drawn.one_in(2);
    d.k = drawn.codec(Side::K, k_dim);
    d.v = drawn.codec(Side::V, v_dim);
    const u32 size = drawn.between(1, 128), lanes = d.by_head ? 2 * heads : 1;
    const u32 blocks = 2 + lanes * d.n_rows / size;
    d.layout = {2,
                heads,
                size,
                blocks,
                drawn.one_in(2) ? KvOrder::HeadMajor : KvOrder::TokenMajor,
                vector_of(d.k, k_dim, Side::K),
                vector_of(d.v, v_dim, Side::V)};
    d.slot_mapping = drawn.permutation(blocks * size);
    d.slot_mapping.resize(std::size_t{lanes} * d.n_rows);
    for (u32 row = 0; row < d.n_rows; ++row) {
        d.rotated.push_back(drawn.one_in(4) ? 0 : 1);
        for (u32 i = 0; i < k_dim / 2; ++i) {
            const double angle = 0.7 * (row + 1) * (i + 1);
            d.cosine.push_back(static_cast<float>(std::cos(angle)));
            d.sine.push_back(static_cast<float>(std::sin(angle)));
        }
    }
    if (d.norms) d.q_norm = drawn.floats(k_dim, 2), d.k_norm = drawn.floats(k_dim, 2);
    d.q_in = drawn.floats(std::size_t{d.n_rows} * heads * d.group * k_dim, 3);
    d.k_in = drawn.floats(std::size_t{d.n_rows} * heads * k_dim, 3);
    d.v_in = drawn.floats(std::size_t{d.n_rows} * heads * v_dim, 3);
    return d;
}

// A head as it should be, and of each element the sum of the sizes that made it.
struct TrueHead {
    std::vector<double> values, sizes;
};
inline TrueHead true_head(const DrawnAppend& d, const float* in, u32 dim, u32 row, bool rotates,
                          const std::vector<float>& norm) {
    TrueHead head{{in, in + dim}, {}};
    double squares = 0;
    for (const double x : head.values) squares += x * x;
    if (rotates && !norm.empty())
        for (u32 i = 0; i < dim; ++i)
            head.values[i] *= double{norm[i]} / std::sqrt(squares / dim + 1e-6);
    for (const double x : head.values) head.sizes.push_back(std::abs(x));
    for (u32 i = 0; rotates && d.rotated[row] != 0 && i < dim / 2; ++i) {
        double &a = head.values[i], &b = head.values[i + dim / 2];
        const double cos = d.cosine[row * (dim / 2) + i], sin = d.sine[row * (dim / 2) + i];
        head.sizes[i] = head.sizes[i + dim / 2] = std::abs(a) + std::abs(b);
        const double x = a * cos - b * sin, y = b * cos + a * sin;
        a = x, b = y;
    }
    if (!d.hadamard) return head;
    double all = 0;
    for (const double size : head.sizes) all += size;
    for (u32 half = 1; half < dim; half *= 2)
        for (u32 pair = 0; pair < dim / 2; ++pair) {
            const u32 i = pair / half * 2 * half + pair % half;
            const double a = head.values[i], b = head.values[i + half];
            head.values[i] = a + b, head.values[i + half] = a - b;
        }
    for (double& x : head.values) x /= std::sqrt(static_cast<double>(dim));
    head.sizes.assign(dim, all / std::sqrt(static_cast<double>(dim)));
    return head;
}

class AppendOnGpu {
public:
    AppendOnGpu(gpu::Gpu& gpu, const DrawnAppend& d)
        : gpu_(gpu),
          d_(d),
          q_(gpu::uploaded(gpu, d.q_in)),
          k_(gpu::uploaded(gpu, d.k_in)),
          v_(gpu::uploaded(gpu, d.v_in)),
          cosine_(gpu::uploaded(gpu, d.cosine)),
          sine_(gpu::uploaded(gpu, d.sine)),
          q_norm_(gpu::uploaded(gpu, d.q_norm)),
          k_norm_(gpu::uploaded(gpu, d.k_norm)),
          rotated_(gpu::uploaded(gpu, d.rotated)),
          mapping_(gpu::uploaded(gpu, d.slot_mapping)),
          scales_(gpu::uploaded(gpu, std::vector<u16>(4, kScale))),
          pool_(gpu, gpu::ceil_of(d.layout.pool_bytes(), 16) * 16) {
        gpu.fill(pool_.raw(), 0xA5, pool_.bytes());
    }

    void in_one() { gpu_.launch(gpu::RopeQuantizeAppend{heads(), rope()}); }
    void step_by_step() {
        gpu_.launch(gpu::RotateHeads{heads(), rope()});
        if (d_.hadamard)
            for (const auto* values : {&q_, &k_, &v_})
                gpu_.launch(gpu::HadamardHeads{values->view(), d_.layout.k.dim});
        gpu_.launch(gpu::AppendHeads{heads()});
    }

    // What is wrong, in words.
    std::optional<std::string> wrong() {
        const auto q = gpu::downloaded(gpu_, q_.view()), k = gpu::downloaded(gpu_, k_.view()),
                   v = gpu::downloaded(gpu_, v_.view());
        const u32 heads = d_.layout.n_kv_heads, k_dim = d_.layout.k.dim, v_dim = d_.layout.v.dim;
        if (auto what = wrong_heads("q", d_.q_in, q, heads * d_.group, k_dim, true, d_.q_norm))
            return what;
        if (auto what = wrong_heads("k", d_.k_in, k, heads, k_dim, true, d_.k_norm)) return what;
        if (auto what = wrong_heads("v", d_.v_in, v, heads, v_dim, false, {})) return what;
        std::vector<std::byte> should(pool_.bytes(), std::byte{0xA5});
        for (u32 row = 0; row < d_.n_rows; ++row)
            for (u32 head = 0; head < heads; ++head) {
                const std::size_t at = std::size_t{row} * heads + head;
                store(Side::K, row, head, k.data() + at * k_dim, should);
                store(Side::V, row, head, v.data() + at * v_dim, should);
            }
        const auto is = gpu::downloaded(gpu_, pool_.view());
        const auto differs = std::mismatch(is.begin(), is.end(), should.begin()).first;
        if (differs == is.end()) return std::nullopt;
        return "byte " + std::to_string(differs - is.begin()) + " of the pool, " +
               codec_name(d_.k) + " and " + codec_name(d_.v);
    }

private:
    static constexpr u16 kScale = 0x2800;  // 2^-5, of ':tensor' codecs

    gpu::NewHeads heads() const {
        const u32 n = d_.layout.n_kv_heads;
        return {{d_.layout,
                 d_.k,
                 d_.v,
                 pool_.view(),
                 scales_.view(),
                 {},
                 {},
                 {d_.by_head ? 2 * n : 1, n},
                 LayerId(1)},
                q_.view(),
                k_.view(),
                v_.view(),
                mapping_.view(),
                d_.n_rows,
                n * d_.group,
                n,
                d_.hadamard};
    }
    gpu::NormAndRope rope() const {
        return {cosine_.view(), sine_.view(),   rotated_.view(),
                q_norm_.view(), k_norm_.view(), 1e-6f};
    }
    void store(Side side, u32 row, u32 head, const float* values,
               std::vector<std::byte>& pool) const {
        const u32 heads = d_.layout.n_kv_heads, size = d_.layout.block_size;
        const u32 lane = d_.by_head ? heads + head : 0;
        const u32 slot = d_.slot_mapping[lane * d_.n_rows + row];
        encode_vector(
            side == Side::K ? d_.k : d_.v, values, d_.layout.vector(side).dim,
            pool.data() + d_.layout.vector_offset(LayerId(1), side, HeadId(head),
                                                  BlockId(slot / size), Slot(slot % size)),
            kScale);
    }
    // Sums of up to `dim` numbers, some products and a root: an u of 2^-24 for each.
    std::optional<std::string> wrong_heads(const char* which, const std::vector<float>& in,
                                           const std::vector<float>& is, u32 n, u32 dim,
                                           bool rotates, const std::vector<float>& norm) const {
        for (u32 i = 0; i < d_.n_rows * n; ++i) {
            const TrueHead should =
                true_head(d_, in.data() + std::size_t{i} * dim, dim, i / n, rotates, norm);
            for (u32 c = 0; c < dim; ++c)
                if (!(std::abs(is[i * dim + c] - should.values[c]) <=
                      (dim + 16) * 0x1p-24 * should.sizes[c]))
                    return std::string(which) + " head " + std::to_string(i) + ", element " +
                           std::to_string(c) + " of " + std::to_string(dim) + ": " +
                           std::to_string(is[i * dim + c]) + " for " +
                           std::to_string(should.values[c]);
        }
        return std::nullopt;
    }

    gpu::Gpu& gpu_;
    const DrawnAppend& d_;
    gpu::Memory<float> q_, k_, v_, cosine_, sine_, q_norm_, k_norm_;
    gpu::Memory<u32> rotated_, mapping_;
    gpu::Memory<u16> scales_;
    gpu::Memory<std::byte> pool_;
};

inline std::optional<std::string> wrong_append(gpu::Gpu& gpu, const DrawnAppend& d) {
    AppendOnGpu one(gpu, d), steps(gpu, d);
    one.in_one();
    if (auto what = one.wrong()) return "append v2: " + *what;
    steps.step_by_step();
    if (auto what = steps.wrong()) return "append v1: " + *what;
    return std::nullopt;
}

}  // namespace kv::test
