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
        {.name = "a100-80gb",
         .title = "NVIDIA A100 SXM 80 GB",
         .source = "NVIDIA A100 Tensor Core GPU data sheet, 2021",
         .bytes = 80 * kGb,
         .bandwidth = 2.039 * kTera,
         .bf16 = 312 * kTera},
        {.name = "h100",
         .title = "NVIDIA H100 SXM",
         .source = "NVIDIA H100 Tensor Core GPU data sheet, 2023",
         .bytes = 80 * kGb,
         .bandwidth = 3.35 * kTera,
         .bf16 = 989 * kTera,
         .fp8 = 1979 * kTera},
        {.name = "h200",
         .title = "NVIDIA H200 SXM",
         .source = "NVIDIA H200 Tensor Core GPU data sheet, 2024",
         .bytes = 141 * kGb,
         .bandwidth = 4.8 * kTera,
         .bf16 = 989 * kTera,
         .fp8 = 1979 * kTera},
        {.name = "b200",
         .title = "NVIDIA B200 (HGX)",
         .source = "NVIDIA HGX platform data sheet, 2025",
         .bytes = 180 * kGb,
         .bandwidth = 7.7 * kTera,
         .bf16 = 2250 * kTera,
         .fp8 = 4500 * kTera,
         .fp4 = 9000 * kTera},
        {.name = "l40s",
         .title = "NVIDIA L40S",
         .source = "NVIDIA L40S data sheet, 2023",
         .bytes = 48 * kGb,
         .bandwidth = 0.864 * kTera,
         .bf16 = 362.05 * kTera,
         .fp8 = 733 * kTera},
        {.name = "rtx-5090",
         .title = "NVIDIA GeForce RTX 5090",
         .source = "NVIDIA RTX Blackwell architecture, 2025",
         .bytes = 32 * kGb,
         .bandwidth = 1.792 * kTera,
         .bf16 = 209.5 * kTera,
         .fp8 = 419 * kTera,
         .fp4 = 1676 * kTera},
        {.name = "mi300x",
         .title = "AMD Instinct MI300X",
         .source = "AMD Instinct MI300X data sheet, 2023",
         .bytes = 192 * kGb,
         .bandwidth = 5.3 * kTera,
         .bf16 = 1307.4 * kTera,
         .fp8 = 2614.9 * kTera},
        {.name = "mi355x",
         .title = "AMD Instinct MI355X",
         .source = "AMD Instinct MI355X data sheet, 2025",
         .bytes = 288 * kGb,
         .bandwidth = 8 * kTera,
         .bf16 = 2516.6 * kTera,
         .fp8 = 5033.2 * kTera,
         .fp4 = 10066.3 * kTera},
        {.name = "m4-max",
         .title = "Apple M4 Max, 128 GB",
         .source = "Apple MacBook Pro specifications, 2024",
         .bytes = 128 * kGb,
         .bandwidth = 0.546 * kTera},
    };
    return all;
}

const Card* find_card(std::string_view name) {
    const auto card = std::find_if(cards().begin(), cards().end(),
                                   [name](const Card& c) { return c.name == name; });
    return card == cards().end() ? nullptr : &*card;
}

}  // namespace kv
