#pragma once
// Which part of a prompt a server would find in its cache: the hashes of prompt blocks that some
// traces carry, in an LRU of bounded size. A prompt hits as far as its hashes are known from the
// first one on; its last token is always computed. Nothing here holds a block: it answers how
// large a pool is worth having.

#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/base/numbers/checked.hpp"

namespace kv {

struct PrefixLruRules {
    u64 tokens_per_hash = 512;
    std::optional<u64> capacity;      // hashes that are kept; nothing is without bound
    std::optional<u64> forget_every;  // empties the index after so many prompts: a cold cache
};

class PrefixLru {
public:
    explicit PrefixLru(const PrefixLruRules& rules) : rules_(rules) {}

    void ask(const std::vector<u64>& hashes, u64 prompt_tokens);

    u64 query_tokens() const { return query_tokens_; }
    u64 hit_tokens() const { return hit_tokens_; }
    u64 asked_hashes() const { return asked_hashes_; }
    u64 hit_hashes() const { return hit_hashes_; }
    u64 reclaimed() const { return reclaimed_; }  // hashes that made room for others
    u64 size() const { return by_use_.size(); }
    std::optional<double> hit_rate() const;  // hit tokens over asked tokens

private:
    void use(u64 hash);

    PrefixLruRules rules_;
    std::list<u64> by_use_;  // the latest first
    std::unordered_map<u64, std::list<u64>::iterator> place_;
    u64 prompts_ = 0, query_tokens_ = 0, hit_tokens_ = 0, asked_hashes_ = 0, hit_hashes_ = 0,
        reclaimed_ = 0;
};

}  // namespace kv
