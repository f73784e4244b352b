#pragma once
// What the four groups of Settings choose, as one value, and what follows from it. A choice that a
// person only points at changes a copy, so that it is shown before it is made. Pure: no imgui.h.

#include <cstdint>
#include <optional>
#include <string_view>

#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "core/cache/eviction/eviction_spec.hpp"
#include "core/cache/layout/kv_layout.hpp"

namespace kv {

struct CacheSetup {
    KvLayout layout;
    std::uint32_t n_heads = 0;  // query heads
    CodecPair codecs;
    EvictionSpec policy;
    std::optional<std::uint64_t> pool_bytes;  // that the pool keeps; none: it keeps its blocks
    std::uint64_t live_slots = 0, used_blocks = 0;
    bool keeps = true;           // from one step to the next
    std::uint32_t n_tokens = 0;  // of the request in focus: stored, or known while none is

    void choose_kv_heads(std::uint32_t n);
    void choose_codec(Side side, const Codec& codec);
    void choose_page(std::uint32_t tokens);
    void choose_policy(std::string_view written);
    // How many of n_tokens are kept in a layer that drops some; the average where layers or heads
    // share a budget.
    std::uint32_t n_kept() const;

private:
    // For a pool that keeps its bytes: counts the blocks that they make now.
    void recount_blocks();
};
CacheSetup setup_of(const RunView& run, const RunFocus& focus);

// The value of a setting as scenes write it; empty where the run has none of that name.
std::string_view setting_of(const RunView& run, std::string_view name);

// "393216B", or "48blocks": the pool as it is, measured the other way.
std::string pool_by_bytes(const KvLayout& layout);
std::string pool_by_blocks(const KvLayout& layout);

}  // namespace kv
