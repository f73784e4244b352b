#include "core/engine/measure/prover.hpp"

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

VisibleKeys sight_behind(const SightMask& mask, std::span<const std::uint32_t> slots,
                         std::size_t first) {
    VisibleKeys visible{mask.lanes, mask.key_rotation, {}};
    for (std::uint32_t lane = 0; lane < mask.lanes.n_lanes(); ++lane) {
        LaneKeys keys;
        keys.slots.assign(slots.begin(), slots.end());
        keys.positions = keys.slots;
        for (const std::uint32_t token : slots.subspan(first)) {
            const bool known = token < mask.seen.size() && !mask.seen[token].empty();
            keys.rows.push_back(known ? mask.seen[token][lane]
                                      : std::vector<KeyRange>{{0, token + 1}});
        }
        visible.lanes.push_back(std::move(keys));
    }
    return visible;
}

// Computes the tokens once more, each in the slot of its number, in the passes of the run: a pass
// ends where the next begins. Only the last token's logits are asked for. Position and index of a
// token are equal here, so `at` stands for both.
std::vector<float> Prover::recompute(const SeenTokens& seen, const SightMask* mask) {
    std::vector<std::uint32_t> slots(seen.tokens.size());
    std::iota(slots.begin(), slots.end(), 0u);
    std::vector<float> logits;
    for (std::size_t pass = 0, first = 0, end; first < slots.size(); first = end, ++pass) {
        end = pass + 1 < seen.passes.size() ? seen.passes[pass + 1] : slots.size();
        std::vector<std::uint32_t> last;
        if (end == slots.size()) last.push_back(static_cast<std::uint32_t>(end - first - 1));
        const std::span at = std::span(slots).subspan(first, end - first);
        Batch batch;
        batch.sequences.push_back(
            {seen.tokens.subspan(first, end - first), at, at, &tables_, last});
        VisibleKeys visible;
        if (mask != nullptr) {
            visible = sight_behind(*mask, std::span(slots).first(end), first);
            batch.sequences[0].visible = &visible;
        }
        logits = backend_->forward(batch).logits;
    }
    return logits;
}

void Prover::check(const SeenTokens& seen, std::span<const float> logits, std::uint32_t step,
                   const SightMask* mask) {
    make_room(static_cast<std::uint32_t>(seen.tokens.size()));
    const std::vector<float> again = recompute(seen, mask);
    KV_ASSERT(again.size() == logits.size());
    proof_.recoded_rows += seen.recoded ? 1 : 0;
    for (std::size_t i = 0; i < again.size(); ++i) {
        double difference = std::abs(static_cast<double>(again[i]) - logits[i]);
        if (std::isnan(difference)) difference = std::numeric_limits<double>::infinity();
        if (seen.recoded) {
            proof_.recoded_difference = std::max(proof_.recoded_difference, difference);
            continue;
        }
        proof_.scale = std::max(proof_.scale, std::abs(static_cast<double>(again[i])));
        if (difference == 0) continue;
        if (!proof_.step) proof_.step = step;
        proof_.max_abs_difference = std::max(proof_.max_abs_difference, difference);
    }
}

}  // namespace kv
