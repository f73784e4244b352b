#include "core/engine/reference/rope.hpp"

#include <cstddef>

#include "core/base/error.hpp"
#include "core/base/numbers/elementary.hpp"

namespace kv {
namespace {

constexpr double kTwoPi = 6.283185307179586476925286766559;

// Llama 3.1 (arXiv 2407.21783 has the models, the code that came with them this formula): waves
// longer than trained text / low_freq_factor are stretched by the factor, those shorter than
// trained text / high_freq_factor are kept. Between the two, `smooth` rises from 0 (the longest) to
// 1 (the shortest) and mixes both.
double scaled(double frequency, const Llama3Scaling& s) {
    const double wavelength = kTwoPi / frequency;
    const double longest = static_cast<double>(s.original_max_positions) / s.low_freq_factor;
    const double shortest = static_cast<double>(s.original_max_positions) / s.high_freq_factor;
    if (wavelength < shortest) return frequency;
    if (wavelength > longest) return frequency / s.factor;
    const double smooth =
        (static_cast<double>(s.original_max_positions) / wavelength - s.low_freq_factor) /
        (s.high_freq_factor - s.low_freq_factor);
    return (1.0 - smooth) * frequency / s.factor + smooth * frequency;
}

struct Scale {
    double frequency;
    double operator()(std::monostate) const { return frequency; }
    double operator()(const LinearScaling& s) const { return frequency / s.factor; }
    double operator()(const Llama3Scaling& s) const { return scaled(frequency, s); }
    double operator()(const YarnScaling&) const {
        throw Error(ErrorCode::World,
                    "The rope scaling \"yarn\" is priced but not run. Use a model with \"llama3\", "
                    "\"linear\" or no scaling.");
    }
};

}  // namespace

std::vector<double> rope_frequencies(const ModelConfig& config) {
    std::vector<double> frequencies(config.head_dim / 2);
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
        // theta^(-2i/d)
        const double power = -2.0 * static_cast<double>(i) / static_cast<double>(config.head_dim);
        frequencies[i] =
            std::visit(Scale{math::pow(config.rope.theta, power)}, config.rope.scaling);
    }
    return frequencies;
}

namespace {

// RoPE's formula: rotates element i of each head together with the element half a head
// further on.
template <class Real>
void rotate_pair(Real* heads, std::size_t count, std::size_t half, std::size_t i,
                 CosSin<Real> angle) {
    for (Real* head = heads; head != heads + count * 2 * half; head += 2 * half) {
        const Real a = head[i], b = head[i + half];
        head[i] = a * angle.cosine - b * angle.sine;
        head[i + half] = b * angle.cosine + a * angle.sine;
    }
}

// Positions from here on have their angles computed each time: so long a text is rare, and the
// table grows with every position.
constexpr std::uint32_t kRemembered = 4'096;

template <class Real>
CosSin<Real> angle_of(double frequency, std::int64_t by) {
    const double angle = static_cast<double>(by) * frequency;
    return {static_cast<Real>(math::cos(angle)), static_cast<Real>(math::sin(angle))};
}

template <class Real>
std::vector<CosSin<Real>> angles_of(const std::vector<double>& frequencies, std::int64_t by) {
    std::vector<CosSin<Real>> angles;
    angles.reserve(frequencies.size());
    for (const double frequency : frequencies) angles.push_back(angle_of<Real>(frequency, by));
    return angles;
}

}  // namespace

template <class Real>
void rotate_head(Real* head, const std::vector<double>& frequencies, std::int64_t by) {
    rotate_heads(head, 1, frequencies, by);
}

template <class Real>
void rotate_heads(Real* heads, std::size_t count, const std::vector<double>& frequencies,
                  std::int64_t by) {
    const std::size_t half = frequencies.size();
    for (std::size_t i = 0; i < half; ++i)
        rotate_pair(heads, count, half, i, angle_of<Real>(frequencies[i], by));
}

template <class Real>
FixedRotation<Real>::FixedRotation(const std::vector<double>& frequencies, std::int64_t by)
    : angles_(angles_of<Real>(frequencies, by)) {}

template <class Real>
void FixedRotation<Real>::rotate(Real* head) const {
    for (std::size_t i = 0; i < angles_.size(); ++i)
        rotate_pair(head, 1, angles_.size(), i, angles_[i]);
}

template <class Real>
void Rotations<Real>::rotate(Real* heads, std::size_t count, std::uint32_t position) {
    if (position >= kRemembered) return rotate_heads(heads, count, frequencies_, position);
    if (position >= angles_.size()) angles_.resize(position + std::size_t{1});
    std::vector<CosSin<Real>>& angles = angles_[position];
    if (angles.empty()) angles = angles_of<Real>(frequencies_, position);
    for (std::size_t i = 0; i < angles.size(); ++i)
        rotate_pair(heads, count, angles.size(), i, angles[i]);
}

template void rotate_head(float*, const std::vector<double>&, std::int64_t);
template void rotate_head(double*, const std::vector<double>&, std::int64_t);
template void rotate_heads(float*, std::size_t, const std::vector<double>&, std::int64_t);
template void rotate_heads(double*, std::size_t, const std::vector<double>&, std::int64_t);
template class FixedRotation<float>;
template class Rotations<float>;
template class Rotations<double>;

}  // namespace kv
