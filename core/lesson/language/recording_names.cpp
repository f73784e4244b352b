#include "core/lesson/language/recording_names.hpp"

#include <cmath>

#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr u64 kMostAskedPool = 1'000'000'000;

LessonValue seconds_or_none(const std::optional<double>& seconds) {
    return seconds_value(seconds.value_or(0));
}

// The newest value of a metric, as it was sampled; 0 while there is none.
double sampled(const TankPicture& picture, std::string_view name) {
    for (const MetricTrack& track : picture.tracks)
        if (track.name == name && !track.points.empty()) return track.points.back().second;
    return 0;
}

LessonRecord server_record(const LessonRecording& recording, std::uint64_t moment) {
    const TankPicture& picture = recording.picture(moment);
    std::uint64_t pool = 0, cached = 0, stored = 0, removed = 0, again = 0, tokens_again = 0;
    double used = 0, usage = 0;
    for (const RankCard& card : picture.ranks) {
        const std::uint64_t blocks = card.pool.value_or(recording.today());
        pool += blocks, cached += card.cached;
        used += std::round(card.usage.value_or(0) * static_cast<double>(blocks));
        stored += card.rank.blocks_stored, removed += card.rank.blocks_removed;
        again += card.rank.blocks_again, tokens_again += card.rank.tokens_again;
    }
    if (pool > 0) usage = used / static_cast<double>(pool);
    return {{"pool", whole_value(pool)},
            {"cached", whole_value(cached)},
            {"empty", whole_value(pool > cached ? pool - cached : 0)},
            {"usage", count_value(usage)},
            {"in_use", count_value(used)},
            {"running", count_value(sampled(picture, "vllm:num_requests_running"))},
            {"waiting", count_value(sampled(picture, "vllm:num_requests_waiting"))},
            {"queries", count_value(sampled(picture, "vllm:prefix_cache_queries"))},
            {"hits", count_value(sampled(picture, "vllm:prefix_cache_hits"))},
            {"stored", whole_value(stored)},
            {"removed", whole_value(removed)},
            {"again", whole_value(again)},
            {"tokens_again", whole_value(tokens_again)},
            {"time", seconds_value(recording.seconds_at(moment))},
            {"idle", seconds_or_none(picture.idle.median_s())},
            {"too_late", whole_value(picture.too_late.total())},
            {"gap", seconds_or_none(picture.too_late.median_s())}};
}

LessonRecord point_record(const WhatIfPoint& point) {
    const FirstTokenSeconds first = point.first_token.value_or(FirstTokenSeconds());
    return {{"pool", whole_value(point.pool)},
            {"blocks", whole_value(point.blocks)},
            {"bytes", whole_bytes(point.bytes)},
            {"hit_rate", count_value(point.outcome.hit_rate())},
            {"asked", whole_value(point.outcome.asked_tokens)},
            {"hits", whole_value(point.outcome.hit_tokens)},
            {"computed", whole_value(point.outcome.computed_tokens())},
            {"again", whole_value(point.outcome.again_tokens)},
            {"reclaimed", whole_value(point.outcome.blocks_reclaimed)},
            {"first_token", seconds_value(first.median)},
            {"first_token_95", seconds_value(first.p95)}};
}

LessonRecord recorded_record(const LessonRecording& recording) {
    const Recording& all = recording.requests();
    const WhatIfPoint& without_end = recording.without_end();
    return {{"requests", whole_value(all.n_asks())},
            {"blocks", whole_value(all.n_blocks())},
            {"tokens", whole_value(without_end.outcome.asked_tokens)},
            {"seconds", seconds_value(all.seconds)},
            {"block_size", whole_value(all.block_size)},
            {"bytes_of_block", whole_bytes(recording.bytes_of_block())},
            {"knee", whole_value(recording.knee())},
            {"without_end", point_record(without_end)}};
}

}  // namespace

std::optional<LessonValue> recording_name(const LessonRecording& recording, std::uint64_t moment,
                                          const RecordingAsk* asked, std::string_view name) {
    if (name == "server") return server_record(recording, moment);
    if (name == "recorded") return recorded_record(recording);
    if (name != "asked" || asked == nullptr) return std::nullopt;
    return LessonRecord{{"host", whole_bytes(asked->host_bytes)},
                        {"codec", codec_name(asked->codec)}};
}

LessonValue recording_point(const LessonRecording& recording, LessonArguments& arguments) {
    WhatIfSetting setting;
    setting.block_size = recording.requests().block_size;
    const u64 pool = arguments.has("pool") ? arguments.whole("pool", 1) : recording.today();
    if (pool == 0 || pool > kMostAskedPool) arguments.refuse("wants a pool of some blocks");
    if (arguments.has("order")) {
        const std::string name = arguments.text("order");
        const auto order = replay_order_named(name);
        if (!order) arguments.refuse("knows no order of eviction \"" + shown(name) + "\"");
        setting.order = *order;
    }
    setting.codecs = arguments.codecs();
    if (arguments.has("host"))
        setting.host_blocks = arguments.bytes("host") / recording.bytes_of_block();
    if (arguments.has("block_size"))
        setting.block_size = static_cast<std::uint32_t>(arguments.whole("block_size", 1));
    if (!recording.can_regroup_to(setting.block_size))
        arguments.refuse(
            "cannot cut these blocks so; a recording of hashes alone can be joined "
            "to multiples");
    return point_record(recording.point(setting, pool));
}

}  // namespace kv
