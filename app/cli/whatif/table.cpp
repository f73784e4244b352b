#include <algorithm>
#include <cmath>

#include "app/cli/terminal/columns.hpp"
#include "app/cli/whatif/input.hpp"
#include "app/panels/whatif/answer.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

const char* mark_of(HowKnown how) {
    switch (how) {
        case HowKnown::OnePass:
            return "one pass";
        case HowKnown::Replayed:
            return "replayed";
        case HowKnown::Both:
            return "both";
    }
    return "";
}

std::string milliseconds(const std::optional<FirstTokenSeconds>& times,
                         double FirstTokenSeconds::*which) {
    return times ? "~" + ms_words((*times).*which) : "-";
}

std::string points_table(const WhatIfResults& results) {
    std::vector<TextRow> rows{{"pool", "block", "order", "memory", "hit rate", "change", "computed",
                               "again", "reclaimed", "TTFT ms", "95th", "known by"}};
    const auto& today = results.summary.at_today;
    for (const WhatIfPoint& point : results.points) {
        const PoolOutcome& outcome = point.outcome;
        const double change = today ? outcome.hit_rate() - today->outcome.hit_rate() : 0;
        rows.push_back({with_commas(point.pool), std::to_string(point.setting.block_size),
                        std::string(point.setting.order.name), pool_bytes_words(point.bytes),
                        share_words(outcome.hit_rate()), today ? points_words(100 * change) : "-",
                        with_commas(outcome.computed_tokens()), with_commas(outcome.again_tokens),
                        with_commas(outcome.blocks_reclaimed),
                        milliseconds(point.first_token, &FirstTokenSeconds::median),
                        milliseconds(point.first_token, &FirstTokenSeconds::p95),
                        mark_of(point.how)});
    }
    return aligned_columns(rows);
}

std::string recorded_text(const WhatIfInput& input, const WhatIfStudy& study,
                          const WhatIfSummary& summary) {
    const Recording& recording = study.recording();
    const Texts english;
    const bool is_trace = recording.kind == RecordingKind::PublicTrace;
    std::string text = "recorded  " + shown(input.file) + ", " +
                       (is_trace ? "a trace of " + recording.format
                                 : with_commas(recording.batches) +
                                       (recording.batches == 1 ? " batch" : " batches")) +
                       ": " + counted(summary.requests, "request") + " in " +
                       std::string(duration_words(english, summary.seconds)) + ", " +
                       with_commas(summary.without_end.outcome.asked_tokens) + " prompt tokens, " +
                       counted(summary.distinct, "different block") + " of " +
                       std::to_string(recording.block_size);
    text += recording.streams.size() > 1
                ? ", " + counted(recording.streams.size(), "rank") + " with a pool each\n"
                : "\n";
    for (const auto& [what, n] : recording.passed_over)
        text += "          passed over: " + passed_over_words(what, n) + "\n";
    if (recording.restarts > 0)
        text += "          the server began again " + counted(recording.restarts, "time") +
                ", and nothing was cached then\n";
    return text;
}

std::string replayed_text(const WhatIfInput& input, const WhatIfSummary& summary) {
    std::string text =
        "replayed  by our own books, one request after the other; a block in use is never "
        "removed\n";
    if (input.codecs != CodecPair{})
        text += "          pools hold more blocks in the same memory: K " +
                codec_name(input.codecs.k) + ", V " + codec_name(input.codecs.v) +
                ", recorded as bf16\n";
    if (input.host_blocks > 0)
        text += "          below each pool a host tier of " + counted(input.host_blocks, "block") +
                ", hits in it included\n";
    if (!input.one_pass_only)
        text +=
            "          \"both\": one pass over the recording and a replay of this pool, "
            "which agree\n";
    const auto check = check_of(summary);
    if (!check) return text;
    const std::string whose =
        check->with_counters ? "the server's own counters" : "the server's own events";
    const std::string theirs =
        with_commas(check->theirs.hit) + " of " + with_commas(check->theirs.asked);
    if (check->equal())
        return text + "check     today's pool replayed is what " + whose + " say: " + theirs +
               " tokens hit\n";
    return text + "check     " + whose + " say " + theirs + " tokens hit, today's pool replayed " +
           with_commas(check->ours.hit) + " of " + with_commas(check->ours.asked) + ": " +
           points_words(100 * check->difference()) + " points\n";
}

std::string events_text(const Recording& recording) {
    if (recording.kind == RecordingKind::PublicTrace)
        return "assumed   a prompt's last hash may stand for a part of a block; answers are not "
               "cached\n";
    return "assumed   events name no requests: one that goes on with its parent's last block is "
           "taken for\n"
           "          the same request; hits that store nothing are not announced and not "
           "counted\n";
}

std::string modelled_text(const WhatIfModel& model) {
    return "modelled  time to first token of " + model.preset + " on " + model.card + " at " +
           fixed(100 * model.share, 0) + " % of its peak, link " + fixed(model.link / 1e9, 0) +
           " GB/s, without queueing\n";
}

std::string today_text(const TodaysPool& today) {
    if (today.from == TodayFrom::ServerMetrics || today.from == TodayFrom::Given) return {};
    if (today.from == TodayFrom::MostCached)
        return "today     the recording does not say its pool; the most that was ever cached "
               "stands for it: " +
               counted(today.blocks, "block") + " (--today says it)\n";
    return {};
}

}  // namespace

std::string whatif_table(const WhatIfInput& input, const WhatIfStudy& study,
                         const WhatIfResults& results, bool quiet) {
    const WhatIfSummary& summary = results.summary;
    std::string out = whole_answer(input, study, results) + "\n\n";
    if (quiet) return points_table(results);
    out += points_table(results) + "\n";
    out += "knee      " + counted(summary.knee.pool, "block") + ", " +
           pool_bytes_words(summary.knee.bytes) + ": the smallest pool with " +
           fixed(100 * kKneeShare, 0) + " % of what one finds that never removes anything (" +
           share_words(summary.without_end.outcome.hit_rate()) + ")\n";
    out += recorded_text(input, study, summary) + today_text(summary.today) +
           replayed_text(input, summary) + events_text(study.recording()) +
           modelled_text(study.model());
    return out;
}

}  // namespace kv
