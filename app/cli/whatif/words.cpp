// Names in JSON and words in the table.

#include "app/cli/whatif/input.hpp"
#include "app/panels/whatif/answer.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

// The best of several orders, or of several block sizes: the one that finds most in today's memory.
const WhatIfPoint* best_beside(const WhatIfInput& input, const WhatIfStudy& study,
                               const WhatIfResults& results) {
    const auto& today = results.summary.at_today;
    const bool orders = input.orders.size() > 1, sizes = input.block_sizes.size() > 1;
    if (!today || input.codecs != CodecPair{} || input.host_blocks != 0 || orders == sizes)
        return nullptr;
    const WhatIfPoint* best = &*today;
    for (const WhatIfPoint& point : results.points) {
        const WhatIfSetting& of = point.setting;
        const bool is_beside =
            orders ? of.block_size == today->setting.block_size : of.order == today->setting.order;
        if (is_beside && point.pool == study.at_equal_bytes(today->pool, of.block_size) &&
            point.outcome.hit_tokens > best->outcome.hit_tokens)
            best = &point;
    }
    return best;
}

}  // namespace

std::string whole_answer(const WhatIfInput& input, const WhatIfStudy& study,
                         const WhatIfResults& results) {
    const Texts english;
    const WhatIfPoint* smaller = results.smaller ? &*results.smaller : nullptr;
    const Text answer = whatif_answer(english, results.summary, smaller);
    const WhatIfPoint* best = best_beside(input, study, results);
    if (best == nullptr) return std::string(answer);
    return std::string(answer) + " " +
           std::string(whatif_beside_answer(english, {.by_order = input.orders.size() > 1,
                                                      .recorded = *results.summary.at_today,
                                                      .best = *best,
                                                      .seconds = results.summary.seconds}));
}

std::string_view name_of(HowKnown how) {
    switch (how) {
        case HowKnown::OnePass:
            return "one_pass";
        case HowKnown::Replayed:
            return "replayed";
        case HowKnown::Both:
            return "one_pass_and_replayed";
    }
    return {};
}

std::string_view name_of(TodayFrom from) {
    switch (from) {
        case TodayFrom::Given:
            return "given";
        case TodayFrom::ServerMetrics:
            return "server_metrics";
        case TodayFrom::MostCached:
            return "most_ever_cached";
        case TodayFrom::Nothing:
            return "unknown";
    }
    return {};
}

std::string passed_over_words(const std::string& what, u64 n) {
    const std::string number = with_commas(n);
    if (what == "no_tokens") return number + " placeholders of blocks without tokens";
    if (what == "other_media") return number + " blocks on other media than the device";
    if (what == "other_groups") return number + " blocks of other groups of layers";
    if (what == "other_sizes") return number + " blocks of another size";
    if (what == "stored_before")
        return number + " parents that were stored before the recording began";
    if (what == "unknown_removals") return number + " removals of unknown blocks";
    if (what == "second_parent") return number + " hashes beneath a second parent";
    if (what == "unreadable_lines") return number + " lines that are no batch";
    return number + " of the unknown " + shown(what);
}

}  // namespace kv
