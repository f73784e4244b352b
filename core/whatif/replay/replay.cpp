#include "core/whatif/replay/replay.hpp"

#include <algorithm>

#include "core/base/numbers/text.hpp"
#include "core/cache/cache.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

// A block of the books holds two tokens: which content it is, and nothing more. So requests of any
// block size share blocks just when their chains do, and one token beyond the last full block is
// always to be computed, as the books want it.
constexpr std::uint32_t kTokensOfBlock = 2;
constexpr std::uint32_t kBeyond = 0xFFFFFFFFu;

class ReclaimCount : public EventLog {
public:
    void append(const Event& event) override {
        const auto* removed = std::get_if<BlockRemoved>(&event.what);
        if (removed && removed->medium == Medium::Device && event.reason.why == Why::ReclaimedFor)
            n_ += removed->block_hashes.size();
    }
    u64 n() const { return n_; }

private:
    u64 n_ = 0;
};

CacheSpec books_of(const ReplayRules& rules) {
    CacheSpec spec;
    // One block more than the pool: the block that a request is filling is of no use to others.
    spec.n_blocks = static_cast<std::uint32_t>(rules.pool_blocks + 1);
    spec.block_size = kTokensOfBlock;
    spec.free_order = FreeOrder::UnhashedFirst;
    spec.prefix_rule = rules.order.rule;
    spec.radix_order = rules.order.tree;
    spec.n_host = static_cast<std::uint32_t>(rules.host_blocks);
    spec.keep_cold = rules.host_blocks > 0;
    return spec;
}

// What was known before is computed again: asked for earlier, whatever has become of it.
class KnownBlocks {
public:
    explicit KnownBlocks(std::size_t n_contents) : since_(n_contents, 0) {}

    void forget_all() { ++age_; }
    u64 known_of(const std::vector<ChainId>& path) const {
        const auto known = [&](ChainId block) { return since_[block.index()] == age_; };
        return static_cast<u64>(std::find_if_not(path.begin(), path.end(), known) - path.begin());
    }
    void add(const std::vector<ChainId>& path) {
        for (const ChainId block : path) since_[block.index()] = age_;
    }

private:
    std::vector<std::uint32_t> since_;
    std::uint32_t age_ = 1;
};

class StreamReplay {
public:
    StreamReplay(const Recording& recording, const ReplayRules& rules)
        : recording_(recording),
          rules_(rules),
          cache_(books_of(rules), &reclaimed_),
          known_(recording.chains.size()) {}

    void ask(const BlockAsk& one, PoolOutcome& outcome) {
        if (one.after_clear) {
            cache_.clear_prefixes();
            known_.forget_all();
        }
        recording_.chains.walk(one.last, path_);
        const u64 known = known_.known_of(path_);
        known_.add(path_);
        const SeqId id(next_++);
        cache_.open(id, tokens());
        const Prefix prefix = cache_.find_prefix(id);
        const auto length = static_cast<std::uint32_t>(cache_.tokens(id).size());
        const bool has_room = cache_.grow(id, length, prefix);
        KV_ASSERT(has_room);
        cache_.set_stored(id, length);
        cache_.close(id, {Why::RequestEnds, id});
        count(one, prefix, known, outcome);
    }
    u64 reclaimed() const { return reclaimed_.n(); }

private:
    std::vector<std::uint32_t> tokens() const {
        const std::size_t kept = std::min<u64>(path_.size(), rules_.pool_blocks);
        std::vector<std::uint32_t> tokens;
        tokens.reserve(kept * kTokensOfBlock + 1);
        for (std::size_t i = 0; i < kept; ++i) {
            tokens.push_back(path_[i].value);
            tokens.push_back(0);
        }
        tokens.push_back(kBeyond);
        return tokens;
    }
    void count(const BlockAsk& one, const Prefix& prefix, u64 known, PoolOutcome& outcome) const {
        const u64 hit = tokens_of_hits(recording_, one, prefix.hits.size());
        // The link carries whole blocks; of a prompt only those that it asks for are counted.
        u64 host = 0;
        for (std::size_t i = 0; i < std::min<std::size_t>(prefix.hits.size(), one.n_asked); ++i)
            if (!prefix.hits[i].block)
                host += tokens_of_hits(recording_, one, i + 1) - tokens_of_hits(recording_, one, i);
        outcome.asked_tokens += one.asked_tokens;
        outcome.hit_tokens += hit;
        outcome.host_hit_tokens += host;
        outcome.again_tokens += tokens_of_hits(recording_, one, known) - hit;
        outcome.requests.push_back({hit, host});
    }

    const Recording& recording_;
    const ReplayRules& rules_;
    ReclaimCount reclaimed_;
    Cache cache_;
    KnownBlocks known_;
    std::vector<ChainId> path_;
    std::uint32_t next_ = 0;
};

}  // namespace

std::optional<PoolOutcome> replay(const Recording& recording, const ReplayRules& rules,
                                  const WhatIfProgress& progress) {
    KV_ASSERT(rules.pool_blocks > 0 && rules.pool_blocks <= kMostReplayedBlocks &&
              rules.host_blocks <= kMostReplayedBlocks);
    PoolOutcome outcome;
    outcome.asked_tokens = recording.unblocked_tokens();
    const u64 n = recording.n_asks();
    u64 asked = 0;
    for (const AskStream& stream : recording.streams) {
        StreamReplay books(recording, rules);
        for (const BlockAsk& one : stream.asks) {
            books.ask(one, outcome);
            if (progress && ++asked % 64 == 0 &&
                !progress(static_cast<double>(asked) / static_cast<double>(n)))
                return std::nullopt;
        }
        outcome.blocks_reclaimed += books.reclaimed();
    }
    return outcome;
}

}  // namespace kv
