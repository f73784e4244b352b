#include "core/whatif/study/summary.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/numbers/elementary.hpp"

namespace kv {
namespace {

WhatIfSummary::Tokens tokens_by_events(const Recording& recording) {
    WhatIfSummary::Tokens tokens;
    for (const AskStream& stream : recording.streams)
        for (const BlockAsk& ask : stream.asks) {
            const u64 stored = std::min(ask.n_stored, ask.n_asked);
            tokens.asked += ask.asked_tokens;
            tokens.hit += (ask.n_asked - stored) * recording.block_size;
        }
    return tokens;
}

double rate_of(const WhatIfSummary::Tokens& tokens) {
    if (tokens.asked == 0) return 0;
    return static_cast<double>(tokens.hit) / static_cast<double>(tokens.asked);
}

}  // namespace

u64 WhatIfSummary::spared() const {
    if (!at_today || !twice) return 0;
    return at_today->outcome.computed_tokens() - twice->outcome.computed_tokens();
}

double WhatIfCheck::difference() const {
    return rate_of(ours) - rate_of(theirs);
}

std::optional<WhatIfCheck> check_of(const WhatIfSummary& summary) {
    const auto& theirs = summary.by_server ? summary.by_server : summary.by_events;
    if (!summary.at_today || !theirs) return std::nullopt;
    const PoolOutcome& ours = summary.at_today->outcome;
    return WhatIfCheck{
        summary.by_server.has_value(), *theirs, {ours.asked_tokens, ours.hit_tokens}};
}

std::optional<WhatIfSummary> summarize(WhatIfStudy& study, std::optional<u64> today,
                                       const WhatIfProgress& progress) {
    const Recording& recording = study.recording();
    WhatIfSetting setting;
    setting.block_size = recording.block_size;
    WhatIfSummary summary;
    summary.today = study.today(today);
    if (!study.prepare(recording.block_size, progress)) return std::nullopt;
    summary.distinct = study.distinct_blocks();
    summary.without_end = study.without_end(recording.block_size);
    summary.knee = *study.point(setting, study.knee(kKneeShare), HowKnown::OnePass);
    if (const u64 pool = summary.today.blocks; pool > 0) {
        summary.at_today = study.point(setting, pool, HowKnown::OnePass);
        summary.twice = study.point(setting, 2 * pool, HowKnown::OnePass);
    }
    summary.requests = recording.n_asks();
    summary.seconds = recording.seconds;
    if (recording.kind == RecordingKind::ServerEvents)
        summary.by_events = tokens_by_events(recording);
    if (recording.server.queries && recording.server.hits && *recording.server.queries > 0)
        summary.by_server = {*recording.server.queries, *recording.server.hits};
    return summary;
}

std::vector<u64> curve_pools(u64 today, u64 distinct, u64 to_each_doubling) {
    const auto end = static_cast<double>(std::max<u64>(1, distinct));
    const double from = today > 0 ? static_cast<double>(today) : end;
    const double first = std::max(1.0, today > 0 ? from / 2 : from / 64);
    std::vector<u64> pools;
    const auto each = static_cast<double>(to_each_doubling);
    // Whole steps from today's pool, so that it and its doublings are among them.
    for (double step = today > 0 ? -each : -6 * each;; ++step) {
        const double pool = std::round(from * math::exp2(step / each));
        if (pool < first) continue;
        pools.push_back(static_cast<u64>(pool));
        if (pool >= end && pool >= 2 * from * (today > 0 ? 1 : 0)) break;
    }
    pools.erase(std::unique(pools.begin(), pools.end()), pools.end());
    return pools;
}

}  // namespace kv
