#include "core/sim/race_record.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace kv {
namespace {

void add(PoolUse& sum, const PoolUse& use, u64 times) {
    sum.tokens += use.tokens * times;
    sum.reserved += use.reserved * times;
    sum.internal += use.internal * times;
    sum.external += use.external * times;
    sum.free += use.free * times;
}

// `count` iterations of a span from its `offset`-th on: `running` tokens more with each of them.
void add_part(PoolUse& sum, const RaceSpan& span, u64 offset, u64 count) {
    add(sum, span.use_at(offset), count);
    const u64 more = span.running * (count * (count - 1) / 2);
    sum.tokens += more;
    (span.reserves ? sum.reserved : sum.internal) -= more;
}

// Where a region is asked for, what waits says that none of the gaps would do.
PoolUse use_at_the_end(const RaceRecord& record) {
    const RaceResult& result = record.result;
    PoolUse use;
    use.internal = result.counters.leaked_slots;
    const u64 rest = record.pool - use.internal;
    const bool regions = result.allocator != AllocatorKind::Paged;
    (regions && result.left_waiting > 0 ? use.external : use.free) = rest;
    return use;
}

// The span of an iteration, from a place that is not behind it; the end when there is none.
std::size_t span_of(const RaceRecord& record, u64 iteration) {
    const auto behind =
        std::upper_bound(record.spans.begin(), record.spans.end(), iteration,
                         [](u64 at, const RaceSpan& span) { return at < span.first + span.count; });
    return static_cast<std::size_t>(behind - record.spans.begin());
}

}  // namespace

RaceMoment RaceRecord::at(u64 iteration) const {
    const std::size_t i = span_of(*this, iteration);
    if (i == spans.size()) return {0, result.left_waiting, use_at_the_end(*this), result.counters};
    const RaceSpan& span = spans[i];
    return {span.running, span.waiting, span.use_at(iteration - span.first), span.counters};
}

std::optional<RaceRecord> record_race(AllocatorKind kind, const Workload& workload,
                                      const RaceSettings& settings, const Progress& progress) {
    RaceRecord record;
    record.pool = settings.pool.slots;
    const auto keep = [&](const RaceSpan& span) { record.spans.push_back(span); };
    const auto result = race(kind, workload, settings, keep, progress);
    if (!result) return std::nullopt;
    record.result = *result;
    return record;
}

void fill_columns(const RaceRecord& record, u64 first, u64 count, std::span<RaceColumn> columns) {
    KV_ASSERT(count > 0);
    const u64 n = columns.size();
    const PoolUse end = use_at_the_end(record);
    std::size_t i = span_of(record, first);
    for (u64 c = 0; c < n; ++c) {
        RaceColumn& column = columns[c];
        const u64 from = first + c * count / n;
        const u64 to = std::max(from + 1, first + (c + 1) * count / n);
        column = {from, to - from, {}};
        while (i < record.spans.size() && record.spans[i].first + record.spans[i].count <= from)
            ++i;
        u64 at = from;
        for (std::size_t k = i; k < record.spans.size() && at < to; ++k) {
            const RaceSpan& span = record.spans[k];
            const u64 part = std::min(to, span.first + span.count) - at;
            add_part(column.sum, span, at - span.first, part);
            at += part;
        }
        add(column.sum, end, to - at);
    }
}

}  // namespace kv
