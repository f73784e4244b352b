#include "core/base/files/json.hpp"

#include "app/cli/terminal/or_null.hpp"
#include "app/cli/terminal/version.hpp"
#include "app/cli/whatif/input.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

Json first_token_json(const std::optional<FirstTokenSeconds>& times) {
    if (!times) return nullptr;
    return {{"median_s", times->median}, {"mean_s", times->mean}, {"p95_s", times->p95}};
}

Json point_json(const WhatIfPoint& point) {
    const WhatIfSetting& setting = point.setting;
    const PoolOutcome& outcome = point.outcome;
    return {{"pool", point.pool},
            {"block_size", setting.block_size},
            {"order", std::string(setting.order.name)},
            {"hit_rate", outcome.hit_rate()},
            {"tokens_computed", outcome.computed_tokens()},
            {"blocks_reclaimed", outcome.blocks_reclaimed},
            {"tokens_asked", outcome.asked_tokens},
            {"tokens_hit", outcome.hit_tokens},
            {"tokens_hit_in_host", outcome.host_hit_tokens},
            {"tokens_computed_again", outcome.again_tokens},
            {"blocks_in_pool", point.blocks},
            {"bytes", point.bytes},
            {"k_codec", codec_name(setting.codecs.k)},
            {"v_codec", codec_name(setting.codecs.v)},
            {"host_blocks", setting.host_blocks},
            {"first_token", first_token_json(point.first_token)},
            {"known_by", std::string(name_of(point.how))}};
}

Json recording_json(const WhatIfInput& input, const Recording& recording) {
    Json ranks = Json::array();
    for (const AskStream& stream : recording.streams) ranks.push_back(stream.rank);
    const bool is_trace = recording.kind == RecordingKind::PublicTrace;
    return {{"file", input.file},
            {"kind", is_trace ? "public_trace" : "server_events"},
            {"format", is_trace ? Json(recording.format) : Json()},
            {"block_size", recording.block_size},
            {"ranks", std::move(ranks)},
            {"requests", recording.n_asks()},
            {"seconds", recording.seconds},
            {"batches", recording.batches},
            {"blocks_stored", recording.stored},
            {"blocks_removed", recording.removed},
            {"cleared", recording.cleared},
            {"restarts", recording.restarts},
            {"most_blocks_cached", recording.most_cached},
            {"has_tokens", recording.has_tokens()},
            {"passed_over", recording.passed_over}};
}

Json check_json(const WhatIfSummary& summary) {
    const auto check = check_of(summary);
    if (!check) return nullptr;
    return {{"against", check->with_counters ? "server_counters" : "events"},
            {"pool", summary.today.blocks},
            {"tokens_asked", check->theirs.asked},
            {"tokens_hit", check->theirs.hit},
            {"replayed_tokens_asked", check->ours.asked},
            {"replayed_tokens_hit", check->ours.hit},
            {"equal", check->equal()},
            {"hit_rate_difference", check->difference()}};
}

Json model_json(const WhatIfModel& model) {
    return {{"preset", model.preset},
            {"card", model.card},
            {"roof_share", model.share},
            {"link_bytes_per_second", model.link}};
}

}  // namespace

std::string whatif_json(const WhatIfInput& input, const WhatIfStudy& study,
                        const WhatIfResults& results) {
    const WhatIfSummary& summary = results.summary;
    Json points = Json::array(), curve = Json::array();
    for (const WhatIfPoint& point : results.points) points.push_back(point_json(point));
    for (const WhatIfCurvePoint& at : results.curve)
        curve.push_back({{"pool", at.pool},
                         {"hit_rate", at.hit_rate},
                         {"tokens_computed", at.tokens_computed},
                         {"tokens_computed_again", at.tokens_again},
                         {"blocks_reclaimed", at.blocks_reclaimed}});
    const Json json{{"kvarium", version()},
                    {"recording", recording_json(input, study.recording())},
                    {"answer", whole_answer(input, study, results)},
                    {"points", std::move(points)},
                    {"curve", std::move(curve)},
                    {"today",
                     {{"pool", summary.today.blocks > 0 ? Json(summary.today.blocks) : Json()},
                      {"from", std::string(name_of(summary.today.from))},
                      {"point", summary.at_today ? point_json(*summary.at_today) : Json()}}},
                    {"twice", summary.twice ? point_json(*summary.twice) : Json()},
                    {"knee", {{"share", kKneeShare}, {"point", point_json(summary.knee)}}},
                    {"without_end", point_json(summary.without_end)},
                    {"check", check_json(summary)},
                    {"model", model_json(study.model())}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace kv
