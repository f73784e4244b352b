// The state of a run, read from its primary data: what the trace's last state must equal.

#include <algorithm>
#include <map>

#include "core/base/error.hpp"
#include "core/engine/pool/key_boxes.hpp"
#include "core/engine/run/engine.hpp"

namespace kv {

Held Engine::held() const {
    Held held;
    held.n_lanes = lanes_.n_lanes();
    for (const LaneView& lane : trace().end().lanes) {
        held.used += lane.used;
        held.cached += lane.cached;
        held.free += static_cast<std::uint32_t>(lane.blocks.size()) - lane.used - lane.cached;
        held.live_slots += lane.live;
    }
    held.host_used = cache_->tiers().n_used(Medium::Host);
    held.distinct_tokens = distinct_stored_tokens();
    held.residual_bytes = backend_->residual_bytes();
    const KvLayout& layout = backend_->layout();
    if (chooses_reads(eviction_)) held.box_bytes = held.used * box_bytes_per_block(layout);
    for (std::uint32_t i = 0; i < requests_.size(); ++i) {
        if (!requests_[i].residual || !cache_->is_open(SeqId(i))) continue;
        const std::uint32_t n = cache_->stored(SeqId(i)), base = requests_[i].residual->base;
        if (layout.k.residual_bytes > 0) held.residual_k += n - coded_tokens(Side::K, n, base);
        if (layout.v.residual_bytes > 0) held.residual_v += n - coded_tokens(Side::V, n, base);
    }
    return held;
}

// Tokens that requests keep, those in shared slots once.
std::uint64_t Engine::distinct_stored_tokens() const {
    const std::uint32_t size = settings_.block_size;
    std::uint64_t sum = 0;
    for (std::uint32_t l = 0; l < lanes_.n_lanes(); ++l) {
        std::map<std::uint32_t, std::vector<bool>> blocks;  // which of its slots are kept
        for (std::uint32_t i = 0; i < requests_.size(); ++i) {
            if (requests_[i].state == RequestState::Refused || !cache_->is_open(SeqId(i))) continue;
            const auto& table = cache_->table(SeqId(i), LaneId(l));
            const SlotMap& slots = cache_->slots(SeqId(i), LaneId(l));
            for (const std::uint32_t slot : slots.kept_slots(cache_->stored(SeqId(i)))) {
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
            view.tokens = SharedArray<std::uint32_t>(tokens_of(SeqId(i)));
            view.stored = r.stored;
            view.tables.assign(lanes_.n_lanes(), {});
            view.slots.assign(lanes_.n_lanes(), {});
            view.swapped = false;
        } else {
            view.swapped = cache_->is_swapped(SeqId(i)) && !cache_->is_loading(SeqId(i));
        }
        s.requests.push_back(std::move(view));
    }
    cache_->observe(s);
    s.running = scheduler_.running();
    s.waiting = scheduler_.waiting();
    s.paused = scheduler_.paused();
    for (const SettingRow& row : engine_setting_rows())
        s.settings[std::string(row.name)] = row.write(settings_);
    s.counters = trace().end().counters;
    return s;
}

}  // namespace kv
