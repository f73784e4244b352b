#include "core/whatif/study/study.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/numbers/checked.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/cost/model/presets.hpp"
#include "core/cost/time/cards.hpp"
#include "core/whatif/regroup.hpp"

namespace kv {

FirstTokenModel first_token_model(const WhatIfModel& model, const CodecPair& codecs) {
    const auto shape = preset(model.preset);
    if (!shape)
        throw Error{ErrorCode::Usage,
                    shown(model.preset) + " is not a model; see kvarium calc --list."};
    if (const auto why = cache_objection(shape->cache, codecs))
        throw Error{ErrorCode::Usage, shown(model.preset) + ": " + *why + "."};
    const Card* card = find_card(model.card);
    if (!card || !card->bf16)
        throw Error{ErrorCode::Usage,
                    shown(model.card) + (card ? " has no known peak in bf16; choose another card."
                                              : " is not a card; choose one, such as h100.")};
    return {*shape, codecs, *card->bf16, model.share, card->bandwidth, model.link};
}

WhatIfStudy::WhatIfStudy(Recording recording, WhatIfModel model)
    : recording_(std::move(recording)),
      model_(std::move(model)),
      priced_(first_token_model(model_, {})) {}

TodaysPool WhatIfStudy::today(std::optional<u64> given) const {
    if (given) return {*given, TodayFrom::Given};
    if (recording_.server.pool_blocks)
        return {*recording_.server.pool_blocks, TodayFrom::ServerMetrics};
    // Nobody says how large it was: no smaller than the most that was ever cached at once.
    if (recording_.most_cached > 0) return {recording_.most_cached, TodayFrom::MostCached};
    return {};
}

bool WhatIfStudy::can_regroup_to(std::uint32_t block_size) const {
    return can_regroup(recording_, block_size);
}

u64 WhatIfStudy::bytes_of_block() const {
    return bytes_per_block(priced_.model.cache, {}, recording_.block_size);
}

const Recording* WhatIfStudy::sized(std::uint32_t block_size, const WhatIfProgress& progress) {
    Sized& of = sizes_[block_size];
    if (block_size == recording_.block_size) return &recording_;
    if (!of.regrouped)
        if (auto now = regrouped(recording_, block_size, progress))
            of.regrouped = std::make_unique<Recording>(std::move(*now));
    return of.regrouped.get();
}

const StackDepths* WhatIfStudy::depths(std::uint32_t block_size, const WhatIfProgress& progress) {
    const Recording* recording = sized(block_size, progress);
    if (!recording) return nullptr;
    auto& depths = sizes_[block_size].depths;
    if (!depths) depths = stack_depths(*recording, progress);
    return depths ? &*depths : nullptr;
}

u64 WhatIfStudy::scaled_pool(u64 pool, double factor, std::uint32_t block_size) const {
    return at_equal_bytes(static_cast<u64>(std::llround(factor * static_cast<double>(pool))),
                          block_size);
}

u64 WhatIfStudy::at_equal_bytes(u64 pool, std::uint32_t block_size) const {
    return pool * recording_.block_size / block_size;
}

u64 WhatIfStudy::blocks_in_same_bytes(const WhatIfSetting& setting, u64 pool) const {
    const u64 before = bytes_per_token(priced_.model.cache, {});
    const u64 now = bytes_per_token(priced_.model.cache, setting.codecs);
    return product_or_throw("the bytes of the pool", {pool, before}) / now;
}

u64 WhatIfStudy::least_pool(const WhatIfSetting& setting) const {
    return ceil_div(bytes_per_token(priced_.model.cache, setting.codecs),
                    bytes_per_token(priced_.model.cache, {}));
}

WhatIfPoint WhatIfStudy::priced(const WhatIfSetting& setting, u64 pool, PoolOutcome outcome,
                                HowKnown how) {
    FirstTokenModel model = priced_;
    model.codecs = setting.codecs;
    WhatIfPoint point{.setting = setting,
                      .pool = pool,
                      .blocks = blocks_in_same_bytes(setting, pool),
                      .bytes = product_or_throw(
                          "the bytes of the pool",
                          {pool, bytes_per_token(model.model.cache, {}), setting.block_size}),
                      .outcome = std::move(outcome),
                      .first_token = {},
                      .how = how};
    point.first_token = FirstTokens(model).of(*sized(setting.block_size, {}), point.outcome);
    point.outcome.requests = {};
    return point;
}

std::optional<WhatIfPoint> WhatIfStudy::point(const WhatIfSetting& setting, u64 pool, HowKnown how,
                                              const WhatIfProgress& progress) {
    KV_ASSERT(can_regroup_to(setting.block_size));
    if (const u64 least = least_pool(setting); pool < least)
        throw Error(ErrorCode::Usage, "A pool of " + counted(pool, "block") +
                                          " has no room for one block of these codecs; give it " +
                                          counted(least, "block") + " or more.");
    if (!setting.has_one_pass()) how = HowKnown::Replayed;
    const u64 blocks = blocks_in_same_bytes(setting, pool);
    const StackDepths* known = depths(setting.block_size, progress);
    if (!known) return std::nullopt;
    const Recording& recording = *sized(setting.block_size, progress);
    std::optional<PoolOutcome> outcome;
    if (how != HowKnown::Replayed) outcome = outcome_of(recording, *known, blocks);
    if (how != HowKnown::OnePass) {
        // More than is ever stored changes nothing, and costs memory.
        const u64 enough = std::max<u64>(1, blocks_without_end(*known));
        const auto replayed =
            replay(recording,
                   {std::min(blocks, enough), setting.order, std::min(setting.host_blocks, enough)},
                   progress);
        if (!replayed) return std::nullopt;
        KV_ASSERT(!outcome || *outcome == *replayed);
        outcome = *replayed;
    }
    return priced(setting, pool, std::move(*outcome), how);
}

WhatIfPoint WhatIfStudy::without_end(std::uint32_t block_size) {
    const StackDepths* known = depths(block_size, {});
    WhatIfSetting setting;
    setting.block_size = block_size;
    return priced(setting, blocks_without_end(*known),
                  outcome_without_end(*sized(block_size, {}), *known), HowKnown::OnePass);
}

u64 WhatIfStudy::knee(double share) {
    return smallest_pool_reaching(recording_, *depths(recording_.block_size, {}), share);
}

u64 WhatIfStudy::distinct_blocks() {
    return blocks_without_end(*depths(recording_.block_size, {}));
}

}  // namespace kv
