#include "app/live/race/hold.hpp"

#include <algorithm>

#include "app/shell/texts/said.hpp"
#include "core/base/shown.hpp"
#include "core/sim/generator.hpp"
#include "core/sim/prefix_lru.hpp"
#include "core/sim/traces/reader.hpp"

namespace kv {
namespace {

RaceSettings settings_of(const RaceAsk& ask) {
    RaceSettings settings;
    settings.seed = ask.seed;
    for (const SimFault fault : ask.faults) plant(fault, settings);
    return settings;
}

// After how many prompts a trace is forgotten: so few that a short part of it is forgotten several
// times.
u64 forgets_after(const RaceAsk& ask) {
    return std::clamp<u64>(ask.requests / 8, 1, kForgetEvery);
}

// Asked row by row while the trace is read.
class PrefixCount {
public:
    PrefixCount(const RaceAsk& ask, u64 pool) : ask_(ask), pool_(pool) {}

    void ask(TraceFormat format, const TraceRow& row) {
        const auto per_hash = tokens_per_hash(format);
        if (!per_hash) return;
        if (!index_) {
            found_ = {pool_ / *per_hash, {}, {}};
            if (ask_.has(SimFault::ColdCache)) found_.forget_every = forgets_after(ask_);
            index_.emplace(PrefixLruRules{*per_hash, found_.blocks, found_.forget_every});
        }
        index_->ask(row.hash_ids, row.prompt);
    }
    std::optional<RacePrefix> found() {
        if (!index_) return std::nullopt;
        found_.rate = index_->hit_rate();
        return found_;
    }

private:
    const RaceAsk& ask_;
    u64 pool_;
    RacePrefix found_;
    std::optional<PrefixLru> index_;
};

// False when it was stopped.
bool read_file(RacedWorkload& held, Workload& requests, const Progress& tell) {
    PrefixCount prefix(held.ask, held.settings.pool.slots);
    auto file = read_trace(
        held.ask.workload, held.ask.requests, [&](double done) { return tell(done / 7); },
        [&](TraceFormat format, const TraceRow& row) { prefix.ask(format, row); });
    if (!file) return false;
    held.is_file = true;
    held.source = name_of(file->format);
    held.passed_over = file->passed_over;
    held.prefix = prefix.found();
    requests = std::move(file->requests);
    return true;
}

void take_means(RacedWorkload& held, const Workload& requests) {
    held.requests = requests.size();
    for (const SimRequest& request : requests) {
        held.mean_prompt += request.prompt;
        held.mean_output += request.output;
    }
    if (requests.empty()) return;
    held.mean_prompt /= static_cast<double>(requests.size());
    held.mean_output /= static_cast<double>(requests.size());
}

}  // namespace

std::shared_ptr<const RacedWorkload> hold_race(const RaceAsk& ask, const Progress& tell) {
    auto held = std::make_shared<RacedWorkload>();
    held->ask = ask;
    held->settings = settings_of(ask);
    Workload requests;
    if (const WorkloadModel* model = find_workload_model(ask.workload))
        requests = generate(*model, ask.requests, ask.seed);
    else if (!read_file(*held, requests, tell))
        return nullptr;
    if (requests.empty())
        throw Refused("refused.race.empty"_t, {{"file", shown(ask.workload)}}, ErrorCode::World);
    take_means(*held, requests);
    const auto n = static_cast<double>(all_allocators().size() + 1);
    double before = 1;  // the workload counts as one more
    for (const AllocatorKind kind : all_allocators()) {
        auto lane = record_race(kind, requests, held->settings,
                                [&](double done) { return tell((before + done) / n); });
        if (!lane || !tell(++before / n)) return nullptr;
        held->lanes.push_back(*std::move(lane));
    }
    return held;
}

}  // namespace kv
