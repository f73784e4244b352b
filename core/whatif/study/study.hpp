#pragma once
// The question as a whole: what would this recording have found in other pools? A study holds a
// recording and answers point by point; what several points need is worked out once.
//
// A pool is named by its blocks, and these come in three kinds, at the same bytes. Of a model with
// heads of 128 elements: 1,000 blocks as the server had them, of 16 tokens in bf16; 500 blocks of
// the setting's size, 32 tokens, still in bf16 (WhatIfPoint::pool); and 984 of that size in the
// setting's codecs (WhatIfPoint::blocks), where int8 has 130 bytes for each 256.

#include <map>
#include <memory>
#include <string>

#include "core/whatif/first_token.hpp"
#include "core/whatif/replay/replay.hpp"

namespace kv {

struct WhatIfSetting {
    std::uint32_t block_size = 16;
    ReplayOrder order = replay_orders().front();
    CodecPair codecs;     // bf16 both is as recorded
    u64 host_blocks = 0;  // of the setting's own blocks

    bool has_one_pass() const { return order.is_plain_lru() && host_blocks == 0; }
    friend bool operator==(const WhatIfSetting&, const WhatIfSetting&) = default;
};

// What a point comes from: the one pass, or a replay through the books where the one pass does not
// know; with `Both` the books are asked all the same, and must agree.
enum class HowKnown { OnePass, Replayed, Both };

struct WhatIfPoint {
    WhatIfSetting setting;
    u64 pool = 0;         // blocks of the setting's size, in bf16
    u64 blocks = 0;       // that the same bytes hold in the setting's codecs
    u64 bytes = 0;        // of the pool in the model at hand; the host tier's come on top
    PoolOutcome outcome;  // without its requests, of which the first tokens were made
    std::optional<FirstTokenSeconds> first_token;
    HowKnown how = HowKnown::OnePass;
};

// Where the pool is known from.
enum class TodayFrom { Given, ServerMetrics, MostCached, Nothing };
struct TodaysPool {
    u64 blocks = 0;
    TodayFrom from = TodayFrom::Nothing;
};

struct WhatIfModel {
    std::string preset = "llama-3-8b", card = "h100";
    double share = 0.5;
    double link = 55e9;  // B/s: PCIe 5.0 x16 as copies reach it
    friend bool operator==(const WhatIfModel&, const WhatIfModel&) = default;
};
// Throws kv::Error (Usage) for a preset or a card that is not known, or one without a bf16 roof.
FirstTokenModel first_token_model(const WhatIfModel& model, const CodecPair& codecs);

class WhatIfStudy {
public:
    WhatIfStudy(Recording recording, WhatIfModel model);

    const Recording& recording() const { return recording_; }
    const WhatIfModel& model() const { return model_; }
    TodaysPool today(std::optional<u64> given = {}) const;
    // The one pass, which all that follows needs; false when `progress` stopped it.
    bool prepare(std::uint32_t block_size, const WhatIfProgress& progress) {
        return depths(block_size, progress) != nullptr;
    }
    // Frees what was worked out for blocks of that size, unless it is the recorded one.
    void forget(std::uint32_t block_size) {
        if (block_size != recording_.block_size) sizes_.erase(block_size);
    }

    // One point of the curve; nothing when `progress` stopped it. The setting's block size must be
    // possible.
    std::optional<WhatIfPoint> point(const WhatIfSetting& setting, u64 pool, HowKnown how,
                                     const WhatIfProgress& progress = {});
    // A pool that never removes anything.
    WhatIfPoint without_end(std::uint32_t block_size);
    // The smallest pool with so large a share of the hit rate of one that never removes.
    u64 knee(double share);
    u64 distinct_blocks();  // contents of the largest stream
    // The fewest recorded blocks in whose memory one block of that setting has room.
    u64 least_pool(const WhatIfSetting& setting) const;
    // The memory of `factor` times so many blocks of the recorded size, in blocks of another.
    u64 scaled_pool(u64 pool, double factor, std::uint32_t block_size) const;
    // Blocks of the recorded size in blocks of another, at the same bytes.
    u64 at_equal_bytes(u64 pool, std::uint32_t block_size) const;
    bool can_regroup_to(std::uint32_t block_size) const;
    u64 bytes_of_block() const;  // of the recorded size, in bf16, of the model

private:
    struct Sized {
        std::unique_ptr<Recording> regrouped;  // null: as recorded
        std::optional<StackDepths> depths;
    };
    const Recording* sized(std::uint32_t block_size, const WhatIfProgress& progress);
    const StackDepths* depths(std::uint32_t block_size, const WhatIfProgress& progress);
    WhatIfPoint priced(const WhatIfSetting& setting, u64 pool, PoolOutcome outcome, HowKnown how);
    u64 blocks_in_same_bytes(const WhatIfSetting& setting, u64 pool) const;

    Recording recording_;
    WhatIfModel model_;
    FirstTokenModel priced_;
    std::map<std::uint32_t, Sized> sizes_;
};

inline constexpr double kKneeShare = 0.95;

}  // namespace kv
