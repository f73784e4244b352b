#pragma once
// Drawn products of rows with up to three matrices, in all ends, and what any rung gets wrong: each
// output against a plain sum in float64, and every float behind the outputs as it was.

#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "tests/cuda/drawn/drawn.hpp"
#include "tests/cuda/kernels/case_on_gpu.hpp"

namespace kv::test {

// A matrix as a file has it, and what its numbers are: of bfloat16 the upper half of a float.
struct DrawnMatrix {
    u32 rows = 0;
    bool bf16 = false;
    std::vector<std::byte> bytes;
    std::vector<double> values;  // (rows, columns)
    std::vector<float> bias;     // or none
};

struct DrawnProduct {
    u32 n_rows = 1, columns = 1;
    gpu::ProductEnd end = gpu::ProductEnd::Store;
    std::vector<DrawnMatrix> parts;
    std::vector<float> x, y;  // (rows, columns) and more; what lies in the outputs before
};
inline constexpr u32 kBehind = 40;  // floats behind an input and an output that are nobody's

inline DrawnMatrix draw_matrix(Drawn& drawn, u32 rows, u32 columns) {
    DrawnMatrix m;
    m.rows = rows;
    m.bf16 = drawn.one_in(2);
    if (drawn.one_in(2)) m.bias = drawn.floats(rows, 1);
    for (const float x : drawn.floats(std::size_t{rows} * columns, 1)) {
        u32 word;
        std::memcpy(&word, &x, 4);
        if (m.bf16) word &= 0xFFFF0000;
        float value;
        std::memcpy(&value, &word, 4);
        m.values.push_back(value);
        for (u32 i = m.bf16 ? 2 : 0; i < 4; ++i)
            m.bytes.push_back(static_cast<std::byte>(word >> 8 * i & 0xFF));
    }
    return m;
}

inline DrawnProduct draw_product(Drawn& drawn, u64 most_numbers) {
    DrawnProduct d;
    const u32 special[] = {1, 7, 8, 31, 32, 33, 64, 65, 127, 128, 129, 256};
    const auto extent = [&](u64 most) {
        const u32 n = drawn.one_in(2) ? special[drawn.below(12)] : drawn.between(1, 300);
        return static_cast<u32>(std::clamp<u64>(most, 1, n));
    };
    d.columns = extent(most_numbers);
    d.n_rows = std::min(extent(most_numbers / d.columns), drawn.one_in(2) ? 9u : 300u);
    d.end = std::array{gpu::ProductEnd::Store, gpu::ProductEnd::Add,
                       gpu::ProductEnd::Gated}[drawn.below(3)];
    const bool gated = d.end == gpu::ProductEnd::Gated;
    const u32 n_parts = gated ? 2 : drawn.between(1, gpu::Product::kMostParts);
    const u64 of_output = u64{d.n_rows} * d.columns * n_parts;
    for (u32 i = 0; i < n_parts; ++i)
        d.parts.push_back(
            draw_matrix(drawn, gated && i == 1 ? d.parts[0].rows : extent(most_numbers / of_output),
                        d.columns));
    d.x = drawn.floats(std::size_t{d.n_rows} * d.columns, 2);
    d.x.resize(d.x.size() + kBehind, std::nanf(""));
    u32 widest = 0;
    for (const DrawnMatrix& m : d.parts) widest = std::max(widest, m.rows);
    d.y = drawn.floats(std::size_t{d.n_rows} * widest + kBehind, 3);
    return d;
}

// A sum, and how far rounding may take it: an u of 2^-24 for each of its products and additions.
struct TrueSum {
    double value = 0, rounding = 0;
};
inline TrueSum true_sum(const DrawnProduct& d, const DrawnMatrix& m, u32 row, u32 output) {
    TrueSum sum;
    const auto add = [&](double x) { sum.value += x, sum.rounding += std::abs(x); };
    for (u32 c = 0; c < d.columns; ++c)
        add(m.values[std::size_t{output} * d.columns + c] * d.x[std::size_t{row} * d.columns + c]);
    if (!m.bias.empty()) add(m.bias[output]);
    sum.rounding *= (d.columns + 2) * 0x1p-24;
    return sum;
}
inline TrueSum true_output(const DrawnProduct& d, u32 part, u32 row, u32 output) {
    TrueSum sum = true_sum(d, d.parts[part], row, output);
    const double before = d.y[std::size_t{row} * d.parts[part].rows + output];
    if (d.end == gpu::ProductEnd::Add)
        return {sum.value + before,
                sum.rounding + (std::abs(before) + std::abs(sum.value)) * 0x1p-23};
    if (d.end == gpu::ProductEnd::Store) return sum;
    // x / (1 + e^-x) is nowhere steeper than 1.1.
    const TrueSum up = true_sum(d, d.parts[1], row, output);
    const double open = sum.value / (1 + std::exp(-sum.value));
    return {open * up.value, 1.1 * sum.rounding * (std::abs(up.value) + up.rounding) +
                                 std::abs(open) * up.rounding +
                                 std::abs(open * up.value) * 0x1p-20};
}

inline std::string in_words(const DrawnProduct& d) {
    const char* ends[] = {"stored", "added", "gated"};
    std::string text = std::to_string(d.n_rows) + " rows of " + std::to_string(d.columns) + ", " +
                       ends[static_cast<u32>(d.end)] + ", outputs:";
    for (const DrawnMatrix& m : d.parts)
        text += " " + std::to_string(m.rows) + (m.bf16 ? " bf16" : " f32") +
                (m.bias.empty() ? "" : " with bias");
    return text;
}

class ProductOnGpu {
public:
    ProductOnGpu(gpu::Gpu& gpu, const DrawnProduct& d)
        : gpu_(gpu), d_(d), x_(gpu::uploaded(gpu, d.x)) {
        for (const DrawnMatrix& m : d.parts) {
            weights_.push_back(gpu::uploaded(gpu, m.bytes));
            biases_.push_back(gpu::uploaded(gpu, m.bias));
            outputs_.push_back(gpu::uploaded(gpu, d.y));
        }
    }
    template <class Kernel>
    std::optional<std::string> wrong() {
        gpu::Product p;
        p.n_parts = static_cast<u32>(d_.parts.size());
        p.n_rows = d_.n_rows;
        p.end = d_.end;
        p.x = x_.view();
        for (u32 i = 0; i < p.n_parts; ++i) {
            gpu_.upload(outputs_[i].raw(), d_.y.data(), outputs_[i].bytes());
            p.parts[i] = {{weights_[i].view(), d_.parts[i].rows, d_.columns, d_.parts[i].bf16},
                          biases_[i].view(),
                          outputs_[i].view()};
        }
        gpu_.launch(Kernel{p});
        for (u32 i = 0; i < p.n_parts; ++i)
            if (auto what = wrong_part(i)) return std::string(Kernel::kName) + *what;
        return std::nullopt;
    }

private:
    std::optional<std::string> wrong_part(u32 part) {
        const auto is = gpu::downloaded(gpu_, outputs_[part].view());
        const u32 width = d_.parts[part].rows;
        const bool written = d_.end != gpu::ProductEnd::Gated || part == 0;
        const std::size_t n = written ? std::size_t{d_.n_rows} * width : 0;
        for (std::size_t i = 0; i < is.size(); ++i) {
            const TrueSum should = i < n ? true_output(d_, part, static_cast<u32>(i / width),
                                                       static_cast<u32>(i % width))
                                         : TrueSum{d_.y[i], 0};
            if (!(std::abs(is[i] - should.value) <= should.rounding))
                return " gives " + std::to_string(is[i]) + " for " + std::to_string(should.value) +
                       (i < n ? " as output " : " behind all outputs, at ") + std::to_string(i) +
                       " of part " + std::to_string(part) + "; " + in_words(d_);
        }
        return std::nullopt;
    }

    gpu::Gpu& gpu_;
    const DrawnProduct& d_;
    gpu::Memory<float> x_;
    std::vector<gpu::Memory<std::byte>> weights_;
    std::vector<gpu::Memory<float>> biases_, outputs_;
};

inline std::optional<std::string> wrong_product(gpu::Gpu& gpu, const DrawnProduct& d) {
    ProductOnGpu there(gpu, d);
    if (auto what = there.wrong<gpu::MatmulThreadPerOutput>()) return what;
    if (auto what = there.wrong<gpu::MatmulWarpPerOutput>()) return what;
    return there.wrong<gpu::MatmulTile>();
}

}  // namespace kv::test
