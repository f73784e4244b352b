#include "core/cost/time/cards.hpp"

#include <algorithm>

namespace kv {
namespace {

constexpr u64 kGb = 1'000'000'000;
constexpr double kTera = 1e12;

}  // namespace

// Checked on 2026-11-25. A100, H100, H200, B200, L40S: NVIDIA aiconfigurator
// (github.com/ai-dynamo), systems/*.yaml, whose 1,978 in FP8 is twice 989 where the data sheet has
// half of 3,958. RTX 5090: the peaks with sums in 32 bits. MI300X, MI355X: as AMD's own tools have
// them; for the MI355X AMD says 2.5 and 5 PFLOP/s, and its 256 units at 2.4 GHz with 8,192 FP8
// operations a clock come to 5,033.2. M4 Max: the larger of two chips of that name.
const std::vector<Card>& cards() {
    static const std::vector<Card> all{
        {"a100-80gb", "NVIDIA A100 SXM 80 GB", "NVIDIA A100 Tensor Core GPU data sheet, 2021",
         80 * kGb, 2.039 * kTera, 312 * kTera},
        {"h100", "NVIDIA H100 SXM", "NVIDIA H100 Tensor Core GPU data sheet, 2023", 80 * kGb,
         3.35 * kTera, 989 * kTera, 1979 * kTera},
        {"h200", "NVIDIA H200 SXM", "NVIDIA H200 Tensor Core GPU data sheet, 2024", 141 * kGb,
         4.8 * kTera, 989 * kTera, 1979 * kTera},
        {"b200", "NVIDIA B200 (HGX)", "NVIDIA HGX platform data sheet, 2025", 180 * kGb,
         7.7 * kTera, 2250 * kTera, 4500 * kTera, 9000 * kTera},
        {"l40s", "NVIDIA L40S", "NVIDIA L40S data sheet, 2023", 48 * kGb, 0.864 * kTera,
         362.05 * kTera, 733 * kTera},
        {"rtx-5090", "NVIDIA GeForce RTX 5090", "NVIDIA RTX Blackwell architecture, 2025", 32 * kGb,
         1.792 * kTera, 209.5 * kTera, 419 * kTera, 1676 * kTera},
        {"mi300x", "AMD Instinct MI300X", "AMD Instinct MI300X data sheet, 2023", 192 * kGb,
         5.3 * kTera, 1307.4 * kTera, 2614.9 * kTera},
        {"mi355x", "AMD Instinct MI355X", "AMD Instinct MI355X data sheet, 2025", 288 * kGb,
         8 * kTera, 2516.6 * kTera, 5033.2 * kTera, 10066.3 * kTera},
        {"m4-max", "Apple M4 Max, 128 GB", "Apple MacBook Pro specifications, 2024", 128 * kGb,
         0.546 * kTera},
    };
    return all;
}

const Card* find_card(std::string_view name) {
    const auto card = std::find_if(cards().begin(), cards().end(),
                                   [name](const Card& c) { return c.name == name; });
    return card == cards().end() ? nullptr : &*card;
}

}  // namespace kv
