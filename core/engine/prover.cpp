#include "core/engine/prover.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"

namespace kv {

bool holds(const Proof& proof, std::string_view backend) {
    if (backend == "reference") return proof.max_abs_difference == 0;
    return proof.max_abs_difference <= kProofTolerance * proof.scale;
}

Prover::Prover(Maker make) : make_(std::move(make)) {
    tables_.tables.resize(1);
    proof_.checked = true;
}

void Prover::make_room(std::uint32_t n_tokens) {
    const auto room = [&] {
        return backend_ == nullptr
                   ? 0
                   : std::uint64_t{backend_->layout().n_blocks} * backend_->layout().block_size;
    };
    if (room() >= n_tokens) return;
    backend_ = make_(std::max<std::uint32_t>(64, 2 * n_tokens));
    KV_ASSERT(room() >= n_tokens);
    tables_.tables[0].clear();
    for (std::uint32_t block = 0; block < backend_->layout().n_blocks; ++block)
        tables_.tables[0].push_back(BlockId(block));
}

namespace {

// Token t lies in slot t, in every lane, and sees what it saw. Tokens that were found in the cache
// have no record: they saw all that there was.
VisibleKeys behind(const Prover::Mask& mask, std::span<const std::uint32_t> positions) {
    VisibleKeys visible{mask.lanes, mask.turn, {}};
    for (std::uint32_t lane = 0; lane < mask.lanes.n_lanes(); ++lane) {
        LaneKeys keys;
        keys.slots.assign(positions.begin(), positions.end());
        keys.positions = keys.slots;
        for (const std::uint32_t token : positions) {
            const bool known = token < mask.seen.size() && !mask.seen[token].empty();
            keys.rows.push_back(known ? mask.seen[token][lane]
                                      : std::vector<KeyRange>{{0, token + 1}});
        }
        visible.lanes.push_back(std::move(keys));
    }
    return visible;
}

}  // namespace

void Prover::check(std::span<const std::uint32_t> tokens, std::span<const float> logits,
                   std::uint32_t step, const Mask* mask) {
    make_room(static_cast<std::uint32_t>(tokens.size()));
    std::vector<std::uint32_t> slots(tokens.size());
    std::iota(slots.begin(), slots.end(), 0u);
    const std::vector<std::uint32_t> last{static_cast<std::uint32_t>(tokens.size() - 1)};
    Batch batch;
    batch.sequences.push_back({tokens, slots, slots, &tables_, last});
    VisibleKeys visible;
    if (mask != nullptr) {
        visible = behind(*mask, slots);
        batch.sequences[0].visible = &visible;
    }
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
