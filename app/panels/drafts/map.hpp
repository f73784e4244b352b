#pragma once
// What drafts can be expected to bring: tokens of a read by k, from the measured acceptance; and
// how many times as fast they are by batch and acceptance, for the model and card of the bill.
// Pure.

#include <cstdint>
#include <optional>

#include "app/panels/bill/bill.hpp"
#include "core/base/reused.hpp"

namespace kv {

struct ExpectedTokens {
    std::uint64_t k = 0;
    double tokens = 1;
    bool current = false;
};
// Expected tokens for k = 0, 1, 2, 4 and 8, and for `k` where it is another one.
List<ExpectedTokens> expected_by_k(double acceptance, std::uint64_t k);

struct DraftMap {
    std::uint64_t k = 0;
    List<std::uint64_t> batches;  // rows
    List<double> acceptances;     // columns
    List<double> speedups;        // row by row

    double at(std::size_t row, std::size_t column) const {
        return speedups[row * acceptances.size() + column];
    }
};
// Drafts that are looked up, each request with so many tokens in its cache. Nothing where the bill
// is too large to be counted.
std::optional<DraftMap> plan_draft_map(const BillInputs& bill, std::uint64_t k,
                                       std::uint64_t tokens);

}  // namespace kv
