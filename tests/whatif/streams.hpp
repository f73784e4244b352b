#pragma once
// Recordings made by hand and at random, and a pool that is searched from end to end: the oracle of
// the one pass and of the books.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/random.hpp"
#include "core/whatif/outcome.hpp"

namespace kv::test {

// Chains are written as the names of their blocks; the same name behind the same chain is the same
// block.
class ChainMaker {
public:
    explicit ChainMaker(std::uint32_t block_size) {
        recording.block_size = block_size;
        recording.streams.emplace_back();
    }
    BlockAsk& ask(const std::vector<std::uint32_t>& names) { return ask(names, names.size()); }
    // Of the chain the first `n_asked` are the prompt's.
    BlockAsk& ask(const std::vector<std::uint32_t>& names, std::size_t n_asked) {
        std::optional<ChainId> at;
        for (const std::uint32_t name : names) at = block(at, name);
        const auto n = static_cast<std::uint32_t>(n_asked);
        const u64 tokens = u64{n} * recording.block_size;
        auto& asks = recording.streams.back().asks;
        asks.push_back({*at, static_cast<std::uint32_t>(names.size()), n, 0, tokens, tokens,
                        static_cast<double>(asks.size())});
        return asks.back();
    }

    Recording recording;

private:
    ChainId block(std::optional<ChainId> parent, std::uint32_t name) {
        for (std::uint32_t i = 0; i < names_.size(); ++i)
            if (names_[i] == name && recording.chains.parent(ChainId(i)) == parent)
                return ChainId(i);
        names_.push_back(name);
        return recording.chains.add(parent);
    }
    std::vector<std::uint32_t> names_;  // by ChainId
};

inline Recording random_recording(u64 seed, bool with_clears) {
    const Random random(seed, 26);
    u64 draw = 0;
    ChainMaker maker(4);
    for (int i = 0; i < 120; ++i) {
        std::vector<std::uint32_t> names{random.below(draw++, 3)};
        const std::uint32_t length = random.below(draw++, 7);
        for (std::uint32_t k = 0; k < length; ++k) names.push_back(random.below(draw++, 2));
        BlockAsk& ask = maker.ask(names, 1 + random.below(draw++, length + 1));
        ask.asked_tokens += random.below(draw++, 4);  // a rest that fills no block
        ask.after_clear = with_clears && random.below(draw++, 30) == 0;
    }
    return std::move(maker.recording);
}

// The latest last. What is looked for is found as far as it goes without a gap; then all of the
// chain is taken, its first block as the latest.
inline PoolOutcome searched_pool(const Recording& recording, std::size_t pool) {
    PoolOutcome outcome;
    for (const AskStream& stream : recording.streams) {
        std::vector<ChainId> held, ever, path;
        for (const BlockAsk& ask : stream.asks) {
            if (ask.after_clear) held.clear(), ever.clear();
            recording.chains.walk(ask.last, path);
            const auto reach = [&](const std::vector<ChainId>& in) {
                std::size_t n = 0;
                while (n < path.size() && std::find(in.begin(), in.end(), path[n]) != in.end()) ++n;
                return n;
            };
            const u64 size = recording.block_size;
            const u64 hit = std::min<u64>(reach(held), ask.n_asked) * size;
            outcome.asked_tokens += ask.asked_tokens;
            outcome.hit_tokens += hit;
            outcome.again_tokens += std::min<u64>(reach(ever), ask.n_asked) * size - hit;
            outcome.requests.push_back({hit, 0});
            path.resize(std::min(path.size(), pool), ask.last);
            for (const ChainId block : path)
                held.erase(std::remove(held.begin(), held.end(), block), held.end());
            held.insert(held.end(), path.rbegin(), path.rend());
            while (held.size() > pool) {
                held.erase(held.begin());
                ++outcome.blocks_reclaimed;
            }
            recording.chains.walk(ask.last, path);
            ever.insert(ever.end(), path.begin(), path.end());
        }
    }
    return outcome;
}

}  // namespace kv::test
