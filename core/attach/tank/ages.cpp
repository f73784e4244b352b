#include "core/attach/tank/ages.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

constexpr double kFirstEdge_s = 0.1;
// The sixth roots of ten, so that nobody's library decides in which bar an edge lies.
constexpr std::array<double, AgeHistogram::kBarsPerDecade> kSteps{1.0,
                                                                  1.4677992676220695,
                                                                  2.1544346900318838,
                                                                  3.1622776601683795,
                                                                  4.641588833612779,
                                                                  6.812920690579613};

constexpr std::array<double, AgeHistogram::kBars + 1> edges() {
    std::array<double, AgeHistogram::kBars + 1> out{};
    double decade = kFirstEdge_s;
    for (std::size_t bar = 0; bar < out.size(); ++bar) {
        if (bar > 0 && bar % AgeHistogram::kBarsPerDecade == 0) decade *= 10;
        out[bar] = decade * kSteps[bar % AgeHistogram::kBarsPerDecade];
    }
    return out;
}
constexpr std::array<double, AgeHistogram::kBars + 1> kEdges = edges();

}  // namespace

double AgeHistogram::lower_edge_s(std::size_t bar) {
    return kEdges.at(bar);
}

void AgeHistogram::add(double seconds) {
    const auto above = std::upper_bound(kEdges.begin(), kEdges.end(), seconds);
    const auto edge = static_cast<std::size_t>(above - kEdges.begin());
    bars_[std::clamp<std::size_t>(edge, 1, kBars) - 1] += 1;
    ++total_;
}

void AgeHistogram::add(const AgeHistogram& other) {
    for (std::size_t bar = 0; bar < kBars; ++bar) bars_[bar] += other.bars_[bar];
    total_ += other.total_;
}

std::optional<double> AgeHistogram::median_s() const {
    if (total_ == 0) return std::nullopt;
    std::uint64_t below = 0;
    std::size_t bar = 0;
    while (below + bars_[bar] < (total_ + 1) / 2) below += bars_[bar++];
    return std::sqrt(kEdges[bar] * kEdges[bar + 1]);
}

}  // namespace kv
