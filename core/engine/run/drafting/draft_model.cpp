#include "core/engine/run/drafting/draft_model.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/base/numbers/logits.hpp"
#include "core/base/numbers/text.hpp"
#include "core/trace/event/event.hpp"

namespace kv {

DraftModel::DraftModel(DrafterParts parts, const ModelConfig& target, const DrafterMade& made)
    : parts_(std::move(parts)), made_(made) {
    if (parts_.config->vocab_size != target.vocab_size || !parts_.same_words)
        throw Error(
            ErrorCode::Usage,
            "draft " + made.model + " has " + with_commas(parts_.config->vocab_size) +
                " tokens of its own, and a draft needs the vocabulary of the run's model, " +
                with_commas(target.vocab_size) +
                " tokens with the same words; name a "
                "sibling that shares it.");
    const PoolSpec pool{.n_blocks = made.n_blocks, .block_size = made.block_size};
    backend_ = parts_.make_backend(pool);
    made_.block_bytes = backend_->layout().pool_bytes() / made.n_blocks;
    for (std::uint32_t b = made.n_blocks; b-- > 0;) free_.emplace_back(b);
}

bool DraftModel::make_room(Holding& holding, std::size_t n_tokens) {
    const std::size_t blocks = ceil_div(n_tokens, made_.block_size);
    if (blocks > holding.blocks.size() + free_.size()) return false;
    while (holding.blocks.size() < blocks) {
        holding.blocks.push_back(free_.back());
        free_.pop_back();
    }
    return true;
}

std::optional<Proposal> DraftModel::propose(SeqId id, std::span<const std::uint32_t> tokens,
                                            std::uint32_t k, const Sampling& sampling) {
    Holding& holding = holdings_[id.value];
    KV_ASSERT(holding.stored < tokens.size() && k > 0);
    if (!make_room(holding, tokens.size() + k - 1)) return std::nullopt;
    Proposal proposal;
    proposal.source = made_.model;
    std::vector<float> logits = feed(holding, tokens.subspan(holding.stored), proposal);
    for (;;) {
        if (sampling.temperature == 0) {
            proposal.tokens.push_back(top_token(logits));
        } else {
            const std::uint64_t position = tokens.size() + proposal.tokens.size();
            proposal.q.push_back(distribution(logits, sampling));
            proposal.tokens.push_back(
                draw_proposal(proposal.q.back(), sampling, id.value, position));
        }
        if (proposal.tokens.size() == k) return proposal;
        logits = feed(holding, std::span(proposal.tokens).last(1), proposal);
    }
}

// Computes one pass over tokens that follow what is stored; the logits behind the last of them.
std::vector<float> DraftModel::feed(Holding& holding, std::span<const std::uint32_t> tokens,
                                    Proposal& proposal) {
    std::vector<std::uint32_t> slots(tokens.size());
    std::iota(slots.begin(), slots.end(), holding.stored);
    const BlockTables tables{TableScope::Sequence, backend_->layout().n_kv_heads, {holding.blocks}};
    const std::uint32_t last = static_cast<std::uint32_t>(tokens.size()) - 1;
    SequenceWork work;
    work.tokens = tokens;
    work.positions = slots;
    work.token_indices = slots;
    work.tables = &tables;
    work.logit_rows = {&last, 1};
    Batch batch;
    batch.sequences.push_back(work);
    ForwardResult result = backend_->forward(batch);
    holding.stored += last + 1;
    ++proposal.passes;
    proposal.flops += result.work.flops.total();
    proposal.bytes_read +=
        result.work.weight_bytes + result.work.k_bytes_read + result.work.v_bytes_read;
    return std::move(result.logits);
}

void DraftModel::take_back(SeqId id, std::uint32_t n_tokens) {
    Holding& holding = holdings_[id.value];
    holding.stored = std::min(holding.stored, n_tokens);
    const std::size_t blocks = ceil_div(holding.stored, made_.block_size);
    for (; holding.blocks.size() > blocks; holding.blocks.pop_back())
        free_.push_back(holding.blocks.back());
}

void DraftModel::forget(SeqId id) {
    take_back(id, 0);
    holdings_.erase(id.value);
}

DrafterHolds DraftModel::held_by(SeqId id) const {
    DrafterHolds holds;
    const auto found = holdings_.find(id.value);
    if (found == holdings_.end()) return holds;
    holds.stored = found->second.stored;
    for (const BlockId block : found->second.blocks) holds.blocks.push_back(block.value);
    return holds;
}

}  // namespace kv
