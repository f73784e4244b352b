#include "core/trace/metrics.hpp"

#include <algorithm>
#include <variant>

#include "core/base/error.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

Counters minus(const Counters& a, const Counters& b) {
    return {a.iterations - b.iterations,
            a.prefix_queries - b.prefix_queries,
            a.prefix_hits - b.prefix_hits,
            a.blocks_allocated - b.blocks_allocated,
            a.blocks_reclaimed - b.blocks_reclaimed,
            a.block_copies - b.block_copies,
            a.bytes_copied - b.bytes_copied,
            a.preemptions - b.preemptions,
            a.tokens_recomputed - b.tokens_recomputed,
            a.blocks_offloaded - b.blocks_offloaded,
            a.blocks_loaded - b.blocks_loaded,
            a.prompt_tokens - b.prompt_tokens,
            a.new_tokens - b.new_tokens,
            a.tokens_dropped - b.tokens_dropped,
            a.slots_copied - b.slots_copied,
            a.drafts - b.drafts,
            a.draft_accepted - b.draft_accepted,
            a.draft_struck - b.draft_struck,
            a.draft_behind - b.draft_behind,
            a.draft_tokens - b.draft_tokens,
            a.drafter_flops - b.drafter_flops,
            a.drafter_bytes - b.drafter_bytes};
}

}  // namespace

void MetricSeries::catch_up(const Trace& trace) {
    KV_ASSERT(moment_ <= trace.size());
    trace.each(moment_, trace.size(), [&](std::uint64_t, const Event& event) { feed(event); });
}

void MetricSeries::feed(const Event& event) {
    before(event);
    apply(state_, event);
    ++moment_;
    after(event);
}

MetricSeries::Age& MetricSeries::age(LaneId lane, BlockId block) {
    return ages_[lane.index() * state_.lanes[0].blocks.size() + block.index()];
}

void MetricSeries::begin_age(LaneId lane, BlockId block) {
    age(lane, block) = {state_.iteration, state_.iteration, clock_us_, clock_us_};
}

void MetricSeries::used_now(LaneId lane, BlockId block) {
    age(lane, block).used = state_.iteration;
    age(lane, block).used_us = clock_us_;
}

// Needs the state before the event: only a cached block has a gap behind it.
void MetricSeries::held_again(LaneId lane, BlockId block) {
    if (state_.lanes[lane.index()].blocks[block.index()].state() == BlockState::Cached) {
        open_.reuse_gap.add(state_.iteration - age(lane, block).used);
        open_.reuse_gap_us.add(clock_us_ - age(lane, block).used_us);
    }
    used_now(lane, block);
}

void MetricSeries::removed(const BlockRemoved& e) {
    for (std::size_t i = 0; i < e.blocks.size(); ++i) {
        const LaneId lane(static_cast<std::uint32_t>(i % state_.lanes.size()));
        const Age& gone = age(lane, BlockId(e.blocks[i]));
        open_.lifetime.add(state_.iteration - gone.born);
        open_.lifetime_us.add(clock_us_ - gone.born_us);
        open_.idle.add(state_.iteration - gone.used);
        open_.idle_us.add(clock_us_ - gone.used_us);
    }
    open_.reclaimed += e.blocks.size();
}

// Needs the state before the event: a place that is free already is not given up again.
void MetricSeries::count_host(const Event& event) {
    const auto is_free = [&](std::uint32_t place) {
        return state_.host[place].state == PlaceState::Free;
    };
    if (const auto* started = std::get_if<TransferStarted>(&event.what))
        if (started->to == Medium::Host && is_free(started->to_id)) ++host_blocks_;
    if (const auto* done = std::get_if<TransferFinished>(&event.what))
        if (done->from == Medium::Host && !is_free(done->from_id)) --host_blocks_;
    if (const auto* freed = std::get_if<TierPlaceFreed>(&event.what))
        if (freed->medium == Medium::Host && !is_free(freed->id)) --host_blocks_;
    if (std::holds_alternative<PoolMade>(event.what)) host_blocks_ = 0;
}

void MetricSeries::before(const Event& event) {
    count_host(event);
    if (const auto* allocated = std::get_if<BlockAllocated>(&event.what))
        begin_age(allocated->lane, allocated->block);
    if (const auto* copied = std::get_if<BlockCopied>(&event.what))
        begin_age(copied->lane, copied->to);
    if (const auto* moved = std::get_if<SlotsMoved>(&event.what))
        for (const std::uint32_t block : moved->to) begin_age(moved->lane, BlockId(block));
    if (const auto* shared = std::get_if<BlockShared>(&event.what))
        held_again(shared->lane, shared->block);
    if (const auto* freed = std::get_if<BlockFreed>(&event.what))
        used_now(freed->lane, freed->block);
    const Why why = event.reason.why;
    if (const auto* stored = std::get_if<BlockStored>(&event.what))
        if (why == Why::Recorded && stored->medium == Medium::Device)
            for (const std::uint32_t block : stored->blocks) begin_age(LaneId(0), BlockId(block));
    if (const auto* gone = std::get_if<BlockRemoved>(&event.what))
        if ((why == Why::ReclaimedFor || why == Why::Recorded) && gone->medium == Medium::Device)
            removed(*gone);
}

void MetricSeries::after(const Event& event) {
    if (const auto* pool = std::get_if<PoolMade>(&event.what))
        ages_.assign(std::size_t{pool->n_lanes} * pool->n_blocks, {});
    if (std::holds_alternative<RequestArrived>(event.what)) clocks_.push_back({clock_us_, 0, 0, 0});
    if (std::holds_alternative<TokenAdded>(event.what) && event.reason.why != Why::Forced)
        sampled_.push_back(*event.request);
    if (const auto* started = std::get_if<TransferStarted>(&event.what)) {
        if (started->from == Medium::Device) open_.offload_bytes += started->bytes;
        if (started->to == Medium::Device) open_.load_bytes += started->bytes;
        if (started->from == Medium::File || started->to == Medium::File)
            open_.file_bytes += started->bytes;
    }
    if (const auto* arrived = std::get_if<TransferFinished>(&event.what))
        open_.transfer_us += arrived->us;
    if (const auto* part = std::get_if<Operation>(&event.what)) {
        open_.bytes_read += part->bytes_read;
        open_.bytes_written += part->bytes_written;
        if (part->op == Op::Attend) open_.kv_bytes_read += part->bytes_read;
        if (part->op == Op::Append) open_.kv_bytes_written += part->bytes_written;
    }
    if (const auto* done = std::get_if<IterationFinished>(&event.what)) finish_iteration(*done);
}

void MetricSeries::finish_iteration(const IterationFinished& done) {
    clock_us_ += done.us;
    Sample sample = open_;
    open_ = {};
    sample.iteration = state_.iteration;
    sample.moment = moment_;
    sample.tokens = done.tokens;
    sample.us = done.us;
    sample.model_us = done.model_us;
    sample.clock_us = clock_us_;
    sample.running = static_cast<std::uint32_t>(state_.running.size());
    sample.waiting = static_cast<std::uint32_t>(state_.waiting.size());
    for (const LaneView& lane : state_.lanes) {
        sample.used_blocks += lane.used;
        sample.cached_blocks += lane.cached;
        sample.live_tokens += lane.live;
        sample.pool_blocks += lane.blocks.size();
    }
    sample.allocated_slots = sample.used_blocks * state_.block_size;
    sample.host_blocks = host_blocks_;
    sample.pool_slots = sample.pool_blocks * state_.block_size;
    sample.totals = state_.counters;
    sample.step = minus(state_.counters, counted_);
    counted_ = state_.counters;
    const Counters from =
        samples_.size() < window_ ? Counters{} : samples_[samples_.size() - window_].totals;
    const Counters seen = minus(sample.totals, from);
    if (seen.prefix_queries > 0)
        sample.hit_rate =
            static_cast<double>(seen.prefix_hits) / static_cast<double>(seen.prefix_queries);
    token_times(sample);
    samples_.push_back(sample);
}

void MetricSeries::token_times(Sample& sample) {
    for (const SeqId request : sampled_) {
        Clock& clock = clocks_[request.index()];
        if (clock.n_tokens++ == 0) {
            clock.first = clock_us_;
            sample.first_token_us.add(clock_us_ - clock.arrived);
        } else {
            sample.next_token_us.add(clock_us_ - clock.last);
        }
        clock.last = clock_us_;
    }
    sampled_.clear();
}

std::optional<double> MetricSeries::first_token_us(SeqId request) const {
    if (request.index() >= clocks_.size()) return std::nullopt;
    const Clock& clock = clocks_[request.index()];
    if (clock.n_tokens == 0) return std::nullopt;
    return clock.first - clock.arrived;
}

std::optional<double> MetricSeries::next_token_us(SeqId request) const {
    if (request.index() >= clocks_.size()) return std::nullopt;
    const Clock& clock = clocks_[request.index()];
    if (clock.n_tokens < 2) return std::nullopt;
    return (clock.last - clock.first) / static_cast<double>(clock.n_tokens - 1);
}

}  // namespace kv
