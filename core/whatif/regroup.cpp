#include "core/whatif/regroup.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace kv {
namespace {

class Regroup {
public:
    Regroup(const Recording& from, std::uint32_t block_size, const WhatIfProgress& progress)
        : from_(from), size_(block_size), progress_(progress) {
        to_ = from;
        to_.block_size = block_size;
        to_.chains = {};
        to_.tokens.clear();
        to_.streams.clear();
        to_.most_cached = from.most_cached * from.block_size / block_size;
        to_.server.pool_blocks = std::nullopt;
    }

    std::optional<Recording> run() {
        u64 asked = 0;
        for (const AskStream& stream : from_.streams) {
            to_.streams.push_back({stream.rank, {}});
            // Ranks have pools of their own, and contents of their own.
            known_.clear();
            for (const BlockAsk& ask : stream.asks) {
                add(ask);
                if (progress_ && ++asked % 64 == 0 && !progress_(share_of(asked)))
                    return std::nullopt;
            }
        }
        return std::move(to_);
    }

private:
    double share_of(u64 asked) const {
        return static_cast<double>(asked) / static_cast<double>(from_.n_asks());
    }
    void add(const BlockAsk& ask) {
        from_.chains.walk(ask.last, path_);
        const u64 tokens = u64{ask.n_blocks} * from_.block_size;
        const auto n = static_cast<std::uint32_t>(tokens / size_);
        std::optional<ChainId> at;
        for (std::uint32_t i = 0; i < n; ++i) at = block(at, i);
        if (!at) return pass_over(ask);
        const auto in_new = [&](std::uint32_t blocks) {
            return static_cast<std::uint32_t>(u64{blocks} * from_.block_size / size_);
        };
        BlockAsk now = ask;
        now.last = *at;
        now.n_blocks = n;
        now.n_asked = in_new(ask.n_asked);
        now.n_stored = std::min(in_new(ask.n_stored), now.n_asked);
        now.after_clear = ask.after_clear || clear_waits_;
        clear_waits_ = false;
        to_.streams.back().asks.push_back(now);
    }

    // Shorter than a block: it is asked for all the same, and never found. The next one says that
    // all was forgotten where this one did.
    void pass_over(const BlockAsk& ask) {
        to_.passed_over["shorter_than_a_block"] += 1;
        to_.unblocked.push_back(ask.asked_tokens);
        clear_waits_ = clear_waits_ || ask.after_clear;
    }

    ChainId block(std::optional<ChainId> parent, std::uint32_t place) {
        const auto [at, is_new] =
            known_.try_emplace(key(parent, place), static_cast<std::uint32_t>(to_.chains.size()));
        if (!is_new) return ChainId(at->second);
        const ChainId id = to_.chains.add(parent);
        if (from_.has_tokens()) to_.tokens.insert(to_.tokens.end(), held_.begin(), held_.end());
        return id;
    }
    // What a block holds, in letters: the one above it and its tokens, or its last old block.
    std::string key(std::optional<ChainId> parent, std::uint32_t place) {
        std::string letters = parent ? std::to_string(parent->value) : std::string("-");
        const auto add_number = [&](std::uint32_t number) {
            for (int shift = 0; shift < 32; shift += 8)
                letters += static_cast<char>(number >> shift & 0xFF);
        };
        letters += ':';
        if (!from_.has_tokens()) {
            const std::uint32_t joined = size_ / from_.block_size;
            add_number(path_[std::size_t{place + 1} * joined - 1].value);
            return letters;
        }
        held_.clear();
        for (std::uint32_t i = 0; i < size_; ++i) {
            const u64 at = u64{place} * size_ + i;
            const ChainId old = path_[static_cast<std::size_t>(at / from_.block_size)];
            held_.push_back(from_.tokens[old.index() * from_.block_size +
                                         static_cast<std::size_t>(at % from_.block_size)]);
            add_number(held_.back());
        }
        return letters;
    }

    const Recording& from_;
    std::uint32_t size_;
    const WhatIfProgress& progress_;
    Recording to_;
    std::unordered_map<std::string, std::uint32_t> known_;
    std::vector<ChainId> path_;
    std::vector<std::uint32_t> held_;
    bool clear_waits_ = false;
};

}  // namespace

bool can_regroup(const Recording& recording, std::uint32_t block_size) {
    if (block_size == 0) return false;
    return recording.has_tokens() || block_size % recording.block_size == 0;
}

std::optional<Recording> regrouped(const Recording& recording, std::uint32_t block_size,
                                   const WhatIfProgress& progress) {
    KV_ASSERT(can_regroup(recording, block_size));
    if (block_size == recording.block_size) return recording;
    return Regroup(recording, block_size, progress).run();
}

}  // namespace kv
