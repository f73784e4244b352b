#include "core/engine/prover.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"

namespace kv {

Prover::Prover(std::unique_ptr<Backend> backend) : backend_(std::move(backend)) {
    tables_.tables.resize(1);
    for (std::uint32_t block = 0; block < backend_->layout().n_blocks; ++block)
        tables_.tables[0].push_back(BlockId(block));
    proof_.checked = true;
}

void Prover::check(std::span<const std::uint32_t> tokens, const std::vector<float>& logits,
                   std::uint32_t step) {
    std::vector<std::uint32_t> slots(tokens.size());
    std::iota(slots.begin(), slots.end(), 0u);
    const std::vector<std::uint32_t> last{static_cast<std::uint32_t>(tokens.size() - 1)};
    Batch batch;
    batch.sequences.push_back({tokens, slots, slots, &tables_, last});
    const std::vector<float> again = backend_->forward(batch).logits;
    KV_ASSERT(again.size() == logits.size());
    for (std::size_t i = 0; i < again.size(); ++i) {
        double difference = std::abs(static_cast<double>(again[i]) - logits[i]);
        if (std::isnan(difference)) difference = std::numeric_limits<double>::infinity();
        proof_.scale = std::max(proof_.scale, std::abs(static_cast<double>(again[i])));
        if (difference == 0) continue;
        if (!proof_.step) proof_.step = step;
        proof_.max_abs_difference = std::max(proof_.max_abs_difference, difference);
    }
}

}  // namespace kv
