#include "core/trace/slot_map.hpp"

#include "core/base/error.hpp"

namespace kv {

std::optional<std::uint32_t> SlotMap::find(std::uint32_t token) const {
    if (token >= moved_upto_) return n_moved() + (token - moved_upto_);
    std::uint32_t first = 0, last = n_moved();
    while (first < last) {
        const std::uint32_t middle = first + (last - first) / 2;
        if (moved_[middle] < token)
            first = middle + 1;
        else
            last = middle;
    }
    if (first == n_moved() || moved_[first] != token) return std::nullopt;
    return first;
}

std::uint32_t SlotMap::slot_of(std::uint32_t token) const {
    const auto slot = find(token);
    KV_ASSERT(slot.has_value());
    return *slot;
}

void SlotMap::drop(std::uint32_t slot) {
    KV_ASSERT(!is_dropped(slot));
    while (dropped_.size() <= slot) dropped_.push_back(0);
    dropped_.edit(slot) = 1;
    ++n_dropped_;
}

std::vector<std::uint32_t> SlotMap::move_together(std::uint32_t n_tokens) {
    std::vector<std::uint32_t> from = kept_slots(n_tokens);
    SharedArray<std::uint32_t> tokens;
    for (const std::uint32_t slot : from) tokens.push_back(token_in(slot));
    moved_ = std::move(tokens);
    moved_upto_ = n_tokens;
    dropped_.clear();
    n_dropped_ = 0;
    return from;
}

std::vector<std::uint32_t> SlotMap::kept_slots(std::uint32_t n_tokens) const {
    std::vector<std::uint32_t> kept;
    for (std::uint32_t slot = 0; slot < slots_taken(n_tokens); ++slot)
        if (!is_dropped(slot)) kept.push_back(slot);
    return kept;
}

std::vector<std::uint32_t> SlotMap::kept(std::uint32_t n_tokens) const {
    std::vector<std::uint32_t> tokens;
    for (const std::uint32_t slot : kept_slots(n_tokens)) tokens.push_back(token_in(slot));
    return tokens;
}

}  // namespace kv
