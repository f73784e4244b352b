// The allocator race for lessons, and what was published about it.

#include <array>
#include <cmath>

#include "core/base/shown.hpp"
#include "core/lesson/language/functions.hpp"
#include "core/sim/generator.hpp"
#include "core/sim/published.hpp"
#include "core/sim/race.hpp"

namespace kv {
namespace {

using Args = LessonArguments;

LessonValue share(const std::optional<double>& value) {
    return count_value(value.value_or(0));
}

AllocatorKind allocator_of(Args& a) {
    return allocator_named(a, a.text("allocator"));
}

Workload workload_of(Args& a, u64 seed) {
    const std::string name = a.text_or("workload", "sharegpt-like");
    const WorkloadModel* model = find_workload_model(name);
    if (model == nullptr) a.refuse("knows no workload \"" + shown(name) + "\"");
    return generate(*model, a.whole_or("requests", 1000), seed);
}

LessonValue race_record(const RaceResult& r) {
    return LessonRecord{{"mean_batch", share(r.mean_batch)},
                        {"peak_batch", whole_value(r.peak_batch)},
                        {"tokens_share", share(r.tokens_share)},
                        {"reserved_share", share(r.reserved_share)},
                        {"internal_share", share(r.internal_share)},
                        {"external_share", share(r.external_share)},
                        {"utilisation", share(r.utilisation)},
                        {"iterations", whole_value(r.iterations)},
                        {"copied", whole_value(r.slots_copied)},
                        {"admitted", whole_value(r.counters.admitted)},
                        {"refused", whole_value(r.counters.refused)},
                        {"preemptions", whole_value(r.counters.preemptions)},
                        {"recomputed", whole_value(r.counters.recomputed_tokens)},
                        {"abandoned", whole_value(r.counters.abandoned)},
                        {"left_waiting", whole_value(r.left_waiting)},
                        {"leaked_slots", whole_value(r.counters.leaked_slots)},
                        {"generated", whole_value(r.counters.generation_tokens)},
                        {"pieces_returned", whole_value(r.counters.pieces_returned)}};
}

LessonValue run_race(Args& a) {
    const AllocatorKind kind = allocator_of(a);
    RaceSettings settings;
    settings.seed = a.whole_or("seed", 0);
    settings.pool.slots = a.whole_or("pool", settings.pool.slots);
    settings.pool.block_size = a.whole_or("block_size", settings.pool.block_size);
    settings.pool.max_length = a.whole_or("max_length", settings.pool.max_length);
    settings.pool.admission_control = a.yes_or("admission_control", true);
    settings.faults.leak = a.optional_number("leak").value_or(0);
    return race_record(*race(kind, workload_of(a, settings.seed), settings));
}

// Requests as a list of [prompt, output], for scenes that are made by hand.
LessonValue small_race(Args& a) {
    const AllocatorKind kind = allocator_of(a);
    const Workload workload = requests_of(a);
    RaceSettings settings;
    settings.pool.slots = a.whole_or("pool", settings.pool.slots);
    settings.pool.block_size = a.whole_or("block_size", settings.pool.block_size);
    settings.pool.max_length = a.whole_or("max_length", settings.pool.max_length);
    settings.pool.first_fit_reserves_max = a.yes_or("reserves_max", false);
    return race_record(*race(kind, workload, settings));
}

LessonValue published_race(Args& a) {
    const auto bar = published_bar(allocator_of(a));
    if (!bar) a.refuse("has no published figures for that allocator");
    return LessonRecord{{"mean_batch", count_value(bar->mean_batch)},
                        {"tokens_share", count_value(bar->tokens_share)},
                        {"reserved_share", share(bar->reserved_share)},
                        {"internal_share", share(bar->internal_share)},
                        {"external_share", share(bar->external_share)}};
}

LessonValue held_back(Args& a) {
    return whole_value(watermark_blocks(a.whole("blocks")));
}
LessonValue admitted(Args& a) {
    const u64 needed = a.whole("needed"), free = a.whole("free");
    return admits(needed, free, a.whole("held_back"));
}

constexpr auto kSimRows = std::to_array<LessonFunction>({
    {"race",
     "allocator, workload=, requests=, pool=, block_size=, seed=, leak=, admission_control=",
     "one allocator over a workload", run_race},
    {"race_of", "allocator, requests, pool=, block_size=, max_length=, reserves_max=",
     "the same over requests as [prompt, output]", small_race},
    {"published_race", "allocator", "arXiv 2309.06180, Figs. 2 and 13", published_race},
    {"watermark", "blocks", "blocks that admission leaves free", held_back},
    {"admits", "needed, free, held_back", "whether admission takes it", admitted},
});

}  // namespace

Workload requests_of(LessonArguments& arguments) {
    constexpr double kMost = 1u << 30;
    Workload workload;
    for (const LessonValue& value : arguments.list("requests")) {
        const auto* pair = value.shared<LessonList>();
        const auto length = [&](std::size_t i) {
            const auto* number = (*pair)[i].plain<Number>();
            const bool whole = number != nullptr && number->value >= 1 && number->value <= kMost &&
                               number->value == std::floor(number->value);
            if (!whole) arguments.refuse("wants requests as [prompt, output], in whole tokens");
            return static_cast<std::uint32_t>(number->value);
        };
        if (pair == nullptr || pair->size() != 2)
            arguments.refuse("wants requests as [prompt, output]");
        workload.push_back({0, length(0), length(1)});
    }
    return workload;
}

AllocatorKind allocator_named(LessonArguments& arguments, const std::string& name) {
    const auto kind = parse_allocator(name);
    if (!kind) arguments.refuse("knows no allocator \"" + shown(name) + "\"");
    return *kind;
}

std::span<const LessonFunction> sim_functions() {
    return kSimRows;
}

}  // namespace kv
