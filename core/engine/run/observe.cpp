// The state of a run, read from its primary data: what the trace's last state must equal.

#include <algorithm>
#include <map>

#include "core/base/error.hpp"
#include "core/engine/pool/key_boxes.hpp"
#include "core/engine/run/engine.hpp"
#include "core/engine/run/memory/hash.hpp"

namespace kv {
namespace {

// Tokens that requests keep, those in shared slots once.
std::uint64_t distinct_stored_tokens(const Cache& cache, const std::vector<Request>& requests) {
    const std::uint32_t size = cache.spec().block_size;
    std::uint64_t sum = 0;
    for (std::uint32_t l = 0; l < cache.spec().n_lanes; ++l) {
        std::map<std::uint32_t, std::vector<bool>> blocks;  // which of its slots are kept
        for (std::uint32_t i = 0; i < requests.size(); ++i) {
            if (requests[i].state == RequestState::Refused || !cache.is_open(SeqId(i))) continue;
            const auto& table = cache.table(SeqId(i), LaneId(l));
            const SlotMap& slots = cache.slots(SeqId(i), LaneId(l));
            for (const std::uint32_t slot : slots.kept_slots(cache.stored(SeqId(i)))) {
                if (slot / size >= table.size()) break;  // swapped out
                auto& kept = blocks[table[slot / size]->value];
                kept.resize(size);
                kept[slot % size] = true;
            }
        }
        for (const auto& [block, kept] : blocks)
            sum += static_cast<std::uint64_t>(std::count(kept.begin(), kept.end(), true));
    }
    return sum;
}

}  // namespace

Held Engine::held() const {
    Held held;
    held.n_lanes = lanes().n_lanes();
    for (const LaneView& lane : trace().end().lanes) {
        held.used += lane.used;
        held.cached += lane.cached;
        held.free += static_cast<std::uint32_t>(lane.blocks.size()) - lane.used - lane.cached;
        held.live_slots += lane.live;
    }
    held.host_used = cache().tiers().n_used(Medium::Host);
    held.distinct_tokens = distinct_stored_tokens(cache(), requests_);
    held.residual_bytes = backend().residual_bytes();
    const KvLayout& layout = backend().layout();
    if (chooses_reads(keepers_.policy())) held.box_bytes = held.used * box_bytes_per_block(layout);
    held.residual_k = residuals_.waiting(Side::K);
    held.residual_v = residuals_.waiting(Side::V);
    return held;
}

Snapshot Engine::observe() const {
    Snapshot s;
    s.iteration = last_started_;
    for (std::uint32_t i = 0; i < requests_.size(); ++i) {
        const Request& r = requests_[i];
        RequestView view = trace().end().requests[i];
        view.name = r.spec.name;
        view.state = r.state;
        view.n_prompt = static_cast<std::uint32_t>(r.prompt.size());
        view.n_forced = r.forced_fed;
        view.n_new = static_cast<std::uint32_t>(r.new_tokens.size());
        view.max_new = r.spec.max_new;
        view.scheduled = r.scheduled;
        view.cached_prompt = r.cached_prompt;
        view.preemptions = r.preemptions;
        view.priority = r.spec.priority;
        view.parent = r.parent;
        view.finish = r.finish;
        view.waits = r.waits;
        view.arrived = r.arrived;
        view.admitted = r.admitted;
        view.first_token = r.first_token;
        view.ended = r.ended;
        if (r.state == RequestState::Finished || r.state == RequestState::Refused) {
            view.tokens = SharedArray<std::uint32_t>(tokens_of(r));
            view.stored = r.stored;
            view.tables.assign(lanes().n_lanes(), {});
            view.slots.assign(lanes().n_lanes(), {});
            view.swapped = false;
        } else {
            view.swapped = cache().is_swapped(SeqId(i)) && !cache().is_loading(SeqId(i));
        }
        s.requests.push_back(std::move(view));
    }
    cache().observe(s);
    drafts_.observe(s);
    s.running = scheduler_.running();
    s.waiting = scheduler_.waiting();
    s.paused = scheduler_.paused();
    for (const SettingRow& row : engine_setting_rows())
        s.settings[std::string(row.name)] = row.write(settings_);
    s.counters = trace().end().counters;
    return s;
}

std::string Engine::state_hash() const {
    return hash_of_pool(trace().end(), backend(), lanes());
}

}  // namespace kv
