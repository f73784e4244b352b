#include "app/panels/drafts/map.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/cost/time/drafts.hpp"

namespace kv {

List<ExpectedTokens> expected_by_k(double acceptance, std::uint64_t k) {
    List<std::uint64_t> all{0, 1, 2, 4, 8};
    if (std::find(all.begin(), all.end(), k) == all.end()) all.push_back(k);
    std::sort(all.begin(), all.end());
    List<ExpectedTokens> expected;
    for (const std::uint64_t each : all)
        expected.push_back({each, expected_tokens(acceptance, each), each == k});
    return expected;
}

std::optional<DraftMap> plan_draft_map(const BillInputs& bill, std::uint64_t k,
                                       std::uint64_t tokens) try {
    DraftMap map{.k = k,
                 .batches = {1, 16, 64, 256, 1024},
                 .acceptances = {0.1, 0.3, 0.5, 0.7, 0.9},
                 .speedups = {}};
    const ModelShape shape = priced_shape(bill.left, bill.window);
    const DraftCase of{.target = &shape,
                       .codecs = bill.left.codecs,
                       .kv_len = std::max<u64>(1, tokens),
                       .flops = bill.flops,
                       .bandwidth = bill.bandwidth};
    for (const auto& row : draft_map(of, k, map.batches, map.acceptances))
        for (const DraftGain& gain : row) map.speedups.push_back(gain.speedup);
    return map;
} catch (const Error&) {
    return std::nullopt;
}

}  // namespace kv
