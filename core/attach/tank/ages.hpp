#pragma once
// How long something took, counted in bars: six a decade, from a tenth of a second to ten thousand.
// What is shorter or longer is in the first or the last bar.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace kv {

class AgeHistogram {
public:
    static constexpr std::size_t kBarsPerDecade = 6, kDecades = 5;
    static constexpr std::size_t kBars = kBarsPerDecade * kDecades;

    static double lower_edge_s(std::size_t bar);  // of kBars as well: the upper edge of the last

    void add(double seconds);
    void add(const AgeHistogram& other);
    const std::array<std::uint64_t, kBars>& bars() const { return bars_; }
    std::uint64_t total() const { return total_; }
    // The middle of the bar in which the middle one lies; nothing while there is none.
    std::optional<double> median_s() const;

    bool operator==(const AgeHistogram&) const = default;

private:
    std::array<std::uint64_t, kBars> bars_{};
    std::uint64_t total_ = 0;
};

}  // namespace kv
