#include "app/panels/race/words.hpp"

#include <algorithm>
#include <filesystem>

#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/cost/cache/bytes.hpp"
#include "core/cost/model/presets.hpp"
#include "core/sim/generator.hpp"

namespace kv {
namespace {

constexpr const char* kPoolModel = "opt-13b";  // whose cache the pool is

std::string title_of_workload(const Texts& text, std::string_view name) {
    const auto& models = workload_models();
    constexpr std::array kWorkloadTitles{"race.workload.sharegpt"_t, "race.workload.azure_chat"_t,
                                         "race.workload.azure_code"_t, "race.workload.arxiv"_t,
                                         "race.workload.mooncake"_t};
    for (std::size_t i = 0; i < models.size() && i < kWorkloadTitles.size(); ++i)
        if (models[i].name == name) return text[kWorkloadTitles[i]];
    return std::string(name);
}

std::string file_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

// The lane whose number is largest, or smallest: the last one of equals is the largest, the first
// one the smallest, so that paged is named before grow.
template <class Number>
struct Ends {
    std::size_t most = 0, least = 0;
    Ends(std::size_t n, const Number& number) {
        for (std::size_t i = 1; i < n; ++i) {
            if (number(i) >= number(most)) most = i;
            if (number(i) < number(least)) least = i;
        }
    }
};

std::string_view name_of_lane(const RacedWorkload& race, std::size_t i) {
    return name_of(race.lanes[i].result.allocator);
}

}  // namespace

TextId name_of(SlotKind kind) {
    constexpr std::array kKindNames{"race.live"_t, "race.reserved"_t, "race.internal"_t,
                                    "race.external"_t, "race.free"_t};
    return kKindNames[static_cast<std::size_t>(kind)];
}

TextId meaning_of(SlotKind kind) {
    constexpr std::array kKindMeanings{"race.live.why"_t, "race.reserved.why"_t,
                                       "race.internal.why"_t, "race.external.why"_t,
                                       "race.free.why"_t};
    return kKindMeanings[static_cast<std::size_t>(kind)];
}

u64 slots_of(const PoolUse& use, SlotKind kind) {
    const std::array slots{use.tokens, use.reserved, use.internal, use.external, use.free};
    return slots[static_cast<std::size_t>(kind)];
}

std::optional<double> mean_share(const RaceResult& r, SlotKind kind) {
    const std::array shares{r.tokens_share, r.reserved_share, r.internal_share, r.external_share,
                            r.free_share};
    return shares[static_cast<std::size_t>(kind)];
}

std::optional<double> paper_share(const PublishedBar& bar, SlotKind kind) {
    switch (kind) {
        case SlotKind::Live:
            return bar.tokens_share;
        case SlotKind::Reserved:
            return bar.reserved_share;
        case SlotKind::Internal:
            return bar.internal_share;
        case SlotKind::External:
            return bar.external_share;
        case SlotKind::Free:
            break;
    }
    return std::nullopt;
}

Text percent(const Texts& text, double share) {
    return fill(text["race.percent"_t], {{"n", fixed(100 * share, 1)}});
}

TextId short_rule(AllocatorKind kind) {
    constexpr std::array kRuleTexts{"race.max"_t,       "race.pow2"_t, "race.oracle"_t,
                                    "race.first_fit"_t, "race.grow"_t, "race.paged"_t};
    return kRuleTexts[static_cast<std::size_t>(kind)];
}

TextId long_rule(AllocatorKind kind) {
    constexpr std::array kRuleTexts{"race.max.rule"_t,    "race.pow2.rule"_t,
                                    "race.oracle.rule"_t, "race.first_fit.rule"_t,
                                    "race.grow.rule"_t,   "race.paged.rule"_t};
    return kRuleTexts[static_cast<std::size_t>(kind)];
}

Text rule_of(const Texts& text, TextId words, const PoolRules& pool) {
    return fill(text[words], {{"block", with_commas(pool.block_size)},
                              {"longest", with_commas(pool.max_length)}});
}

Text counts_of(const Texts& text, const RaceResult& result) {
    return fill(text["race.rule.counts"_t],
                {{"iterations", with_commas(result.iterations)},
                 {"most", with_commas(result.peak_batch)},
                 {"preempted", with_commas(result.counters.preemptions)},
                 {"again", with_commas(result.counters.recomputed_tokens)},
                 {"copied", with_commas(result.slots_copied)},
                 {"refused", with_commas(result.counters.refused)}});
}

Text race_subtitle(const Texts& text, const RacedWorkload& race) {
    const auto model = preset(kPoolModel);
    const u64 bytes = bytes_per_token(model->cache, {}) * race.settings.pool.slots;
    return fill(text["race.subtitle"_t], {{"requests", with_commas(race.requests)},
                                          {"slots", with_commas(race.settings.pool.slots)},
                                          {"bytes", bytes_binary(bytes)},
                                          {"model", model->title}});
}

Text lengths_words(const Texts& text, const RacedWorkload& race) {
    const std::string in = fixed(race.mean_prompt, 1), out = fixed(race.mean_output, 1);
    Text words;
    if (race.is_file) {
        words = fill(text["race.lengths.file"_t], {{"file", file_name(race.ask.workload)},
                                                   {"format", race.source},
                                                   {"in", in},
                                                   {"out", out}});
        if (race.passed_over > 0)
            words = fill(text["race.passed_over"_t],
                         {{"lengths", words}, {"n", with_commas(race.passed_over)}});
    } else {
        words = fill(text["race.lengths"_t], {{"name", title_of_workload(text, race.ask.workload)},
                                              {"in", in},
                                              {"out", out},
                                              {"seed", std::to_string(race.ask.seed)}});
    }
    if (race.ask.faults.empty()) return words;
    std::string faults;
    for (const SimFault fault : race.ask.faults)
        faults += (faults.empty() ? "" : ", ") + std::string(name_of(fault));
    return fill(text["race.planted"_t], {{"lengths", words}, {"faults", faults}});
}

Text prefix_words(const Texts& text, const RacedWorkload& race) {
    if (!race.prefix || !race.prefix->rate) return {};
    const Text rate = percent(text, *race.prefix->rate);
    if (!race.prefix->forget_every)
        return fill(text["race.prefix"_t],
                    {{"blocks", with_commas(race.prefix->blocks)}, {"rate", rate}});
    return fill(text["race.prefix.cold"_t], {{"blocks", with_commas(race.prefix->blocks)},
                                             {"n", with_commas(*race.prefix->forget_every)},
                                             {"rate", rate}});
}

TextId name_of_fault(SimFault fault) {
    constexpr std::array kKindNames{"race.fault.leak"_t, "race.fault.oversized_blocks"_t,
                                    "race.fault.no_admission_control"_t, "race.fault.cold_cache"_t};
    return kKindNames[static_cast<std::size_t>(fault)];
}

Text fault_words(const Texts& text, SimFault fault, bool has_hashes) {
    switch (fault) {
        case SimFault::Leak:
            return fill(text["race.fault.leak.why"_t], {{"n", fixed(100 * kLeakShare, 0)}});
        case SimFault::OversizedBlocks:
            return fill(text["race.fault.oversized_blocks.why"_t],
                        {{"n", with_commas(kOversizedBlock)},
                         {"usual", with_commas(PoolRules{}.block_size)}});
        case SimFault::NoAdmissionControl:
            return text["race.fault.no_admission_control.why"_t];
        case SimFault::ColdCache:
            break;
    }
    return text[has_hashes ? "race.fault.cold_cache.why"_t : "race.fault.cold_cache.needs"_t];
}

Text trouble_words(const Texts& text, const RaceRecord& lane, u64 iteration) {
    const RaceCounters counters = lane.at(iteration).counters;
    const std::array<std::pair<u64, TextId>, 4> kinds{
        {{counters.abandoned, "race.trouble.abandoned"_t},
         {counters.leaked_slots, "race.trouble.leaked"_t},
         {counters.refused, "race.trouble.refused"_t},
         {counters.preemptions, "race.trouble.preempted"_t}}};
    for (const auto& [n, words] : kinds)
        if (n > 0) return fill(text[words], {{"n", with_commas(n)}});
    return {};
}

Text end_words(const Texts& text, const RaceRecord& lane, u64 requests) {
    const RaceResult& result = lane.result;
    const std::string at = with_commas(result.iterations);
    if (result.left_waiting > 0)
        return fill(text["race.stuck"_t], {{"at", at}, {"n", with_commas(result.left_waiting)}});
    const bool all = result.counters.finished == requests;
    return fill(
        text[all ? "race.all_done"_t : "race.over"_t],
        {{"n", with_commas(result.counters.finished)}, {"all", with_commas(requests)}, {"at", at}});
}

Text race_sentence(const Texts& text, const RacedWorkload& race, u64 iteration) {
    const std::size_t n = race.lanes.size();
    const auto end = [&](std::size_t i) { return race.lanes[i].result.iterations; };
    const auto running = [&](std::size_t i) { return race.lanes[i].at(iteration).running; };
    const Ends ends(n, end);
    const std::size_t first = ends.least, last = ends.most;
    const std::string now = with_commas(iteration);
    if (iteration >= end(last))
        return fill(text["race.sentence.over"_t], {{"first", name_of_lane(race, first)},
                                                   {"n", with_commas(end(first))},
                                                   {"last", name_of_lane(race, last)},
                                                   {"most", with_commas(end(last))}});
    if (iteration >= end(first))
        return fill(text["race.sentence.done"_t],
                    {{"n", now},
                     {"first", name_of_lane(race, first)},
                     {"last", name_of_lane(race, last)},
                     {"done", with_commas(race.lanes[last].at(iteration).counters.finished)},
                     {"all", with_commas(race.requests)}});
    const Ends runs(n, running);
    if (running(runs.most) == running(runs.least))
        return fill(text["race.sentence.same"_t],
                    {{"n", now}, {"many", with_commas(running(runs.most))}});
    return fill(text["race.sentence"_t], {{"n", now},
                                          {"most", name_of_lane(race, runs.most)},
                                          {"many", with_commas(running(runs.most))},
                                          {"least", name_of_lane(race, runs.least)},
                                          {"few", with_commas(running(runs.least))}});
}

}  // namespace kv
