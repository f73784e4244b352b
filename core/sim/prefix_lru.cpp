#include "core/sim/prefix_lru.hpp"

#include <algorithm>

namespace kv {

void PrefixLru::ask(const std::vector<u64>& hashes, u64 prompt_tokens) {
    u64 known = 0;
    while (known < hashes.size() && place_.count(hashes[known]) > 0) ++known;
    query_tokens_ += prompt_tokens;
    if (prompt_tokens > 0)
        hit_tokens_ += std::min(known * rules_.tokens_per_hash, prompt_tokens - 1);
    asked_hashes_ += hashes.size();
    hit_hashes_ += known;
    // From the last to the first, so that the end of a prompt is reclaimed before its start.
    for (std::size_t i = hashes.size(); i-- > 0;) use(hashes[i]);
    if (rules_.forget_every && ++prompts_ % *rules_.forget_every == 0) {
        by_use_.clear();
        place_.clear();
    }
}

void PrefixLru::use(u64 hash) {
    if (const auto found = place_.find(hash); found != place_.end()) {
        by_use_.splice(by_use_.begin(), by_use_, found->second);
        return;
    }
    if (rules_.capacity == 0) return;
    if (rules_.capacity && by_use_.size() == *rules_.capacity) {
        place_.erase(by_use_.back());
        by_use_.pop_back();
        ++reclaimed_;
    }
    by_use_.push_front(hash);
    place_[hash] = by_use_.begin();
}

std::optional<double> PrefixLru::hit_rate() const {
    if (query_tokens_ == 0) return std::nullopt;
    return static_cast<double>(hit_tokens_) / static_cast<double>(query_tokens_);
}

}  // namespace kv
