#pragma once
// The few operations that a decoder is made of, over tables of numbers. Each sum runs from index 0
// up, whatever the shape, so a result does not depend on who else is in the table. `Real` is float,
// or double for the truth behind the truth.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/base/background/give_way.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/formats.hpp"
#include "core/model/checkpoint/weights.hpp"

namespace kv {

// A table of numbers, one row for each token.
template <class Real>
class Rows {
public:
    Rows(std::size_t rows, std::size_t columns)
        : rows_(rows), columns_(columns), values_(rows * columns) {}
    std::size_t size() const { return rows_; }
    std::size_t columns() const { return columns_; }
    Real* operator[](std::size_t row) { return values_.data() + row * columns_; }
    const Real* operator[](std::size_t row) const { return values_.data() + row * columns_; }

    Rows& operator+=(const Rows& more) {
        for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += more.values_[i];
        return *this;
    }

private:
    std::size_t rows_, columns_;
    std::vector<Real> values_;
};

template <class Real>
Real dot(const Real* a, const Real* b, std::size_t n) {
    Real sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

// Rows of W side by side: number c of row j goes to strip[c][j]. So eight sums go on at the same
// time, each still in its own order.
inline constexpr std::size_t kAbreast = 8;

template <class Real>
void widen(const Matrix& w, std::size_t row, std::size_t j, std::vector<Real>& strip) {
    const std::size_t columns = w.columns();
    if (w.storage() == WeightStorage::F32) {
        const float* numbers = w.f32() + row * columns;
        for (std::size_t c = 0; c < columns; ++c) strip[c * kAbreast + j] = Real{numbers[c]};
    } else {
        const std::uint16_t* codes = w.bf16() + row * columns;
        for (std::size_t c = 0; c < columns; ++c)
            strip[c * kAbreast + j] = Real{bf16_to_float(codes[c])};
    }
}

// Eight rows of W from `row` on, or as many as there are, as a strip.
template <class Real>
void widen_strip(const Matrix& w, std::size_t row, std::vector<Real>& strip) {
    for (std::size_t j = 0; j < kAbreast && row + j < w.rows(); ++j) widen(w, row + j, j, strip);
}

// The columns of Y that one strip of W makes.
template <class Real>
void project_strip(const Rows<Real>& x, const std::vector<Real>& strip, std::size_t row,
                   const std::vector<float>& bias, Rows<Real>& y) {
    const std::size_t rows = std::min<std::size_t>(kAbreast, y.columns() - row);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Real* in = x[i];
        std::array<Real, kAbreast> sums{};
        for (std::size_t c = 0; c < x.columns(); ++c)
            for (std::size_t j = 0; j < kAbreast; ++j) sums[j] += strip[c * kAbreast + j] * in[c];
        for (std::size_t j = 0; j < rows; ++j)
            y[i][row + j] = sums[j] + (bias.empty() ? Real{0} : Real{bias[row + j]});
    }
}

// X W^T + b for all rows of X.
template <class Real>
Rows<Real> project(const Rows<Real>& x, const Matrix& w, const std::vector<float>& bias = {}) {
    Rows<Real> y(x.size(), w.rows());
    std::vector<Real> strip(w.columns() * kAbreast);
    for (std::size_t r = 0; r < w.rows(); r += kAbreast) {
        widen_strip(w, r, strip);
        project_strip(x, strip, r, bias, y);
        give_way();
    }
    return y;
}

// y = x / sqrt(mean(x^2) + eps) * weight; y may be x.
template <class Real>
void rms_norm(const Real* x, const std::vector<float>& weight, double eps, Real* y) {
    const std::size_t n = weight.size();
    const Real scale =
        Real{1} / std::sqrt(dot(x, x, n) / static_cast<Real>(n) + static_cast<Real>(eps));
    for (std::size_t i = 0; i < n; ++i) y[i] = x[i] * scale * static_cast<Real>(weight[i]);
}

template <class Real>
Rows<Real> rms_norm(const Rows<Real>& x, const std::vector<float>& weight, double eps) {
    Rows<Real> y(x.size(), x.columns());
    for (std::size_t i = 0; i < x.size(); ++i) rms_norm(x[i], weight, eps, y[i]);
    return y;
}

template <class Real>
void softmax(std::vector<Real>& scores) {
    const Real top = *std::max_element(scores.begin(), scores.end());
    Real sum = 0;
    for (Real& s : scores) sum += s = math::exp(s - top);
    for (Real& s : scores) s /= sum;
}

// silu(gate) x up, where silu(x) = x / (1 + exp(-x)): how much of each width goes through.
template <class Real>
Rows<Real> gated(const Rows<Real>& gate, const Rows<Real>& up) {
    Rows<Real> y(up.size(), up.columns());
    for (std::size_t i = 0; i < up.size(); ++i)
        for (std::size_t c = 0; c < up.columns(); ++c)
            y[i][c] = up[i][c] * (gate[i][c] / (Real{1} + math::exp(-gate[i][c])));
    return y;
}

}  // namespace kv
