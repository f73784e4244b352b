#include "app/panels/view/history.hpp"

#include <algorithm>
#include <variant>

#include "app/panels/view/facts.hpp"
#include "core/trace/event/event.hpp"

namespace kv {

namespace {

struct MarkOf {
    const Event& event;
    std::optional<EventMark> operator()(const RequestAdmitted&) { return EventMark::Admit; }
    std::optional<EventMark> operator()(const RequestWaits&) { return EventMark::Admit; }
    std::optional<EventMark> operator()(const BlockAllocated&) { return EventMark::Allocate; }
    std::optional<EventMark> operator()(const BlockFreed&) { return EventMark::Free; }
    std::optional<EventMark> operator()(const BlockShared&) {
        return event.reason.why == Why::Fork ? EventMark::Fork : EventMark::Share;
    }
    std::optional<EventMark> operator()(const BlockCopied&) { return EventMark::CopyOnWrite; }
    std::optional<EventMark> operator()(const RequestPreempted&) { return EventMark::Evict; }
    std::optional<EventMark> operator()(const TokensDropped&) { return EventMark::Evict; }
    std::optional<EventMark> operator()(const TransferFinished& e) {
        return e.to == Medium::Device ? EventMark::BringBack : EventMark::Offload;
    }
    std::optional<EventMark> operator()(const RequestFinished&) { return EventMark::Finish; }
    std::optional<EventMark> operator()(const DraftProposed&) { return EventMark::Draft; }
    std::optional<EventMark> operator()(const DraftVerified&) { return EventMark::Draft; }
    // Another server's file tells of blocks by their contents alone; in a run of ours they are
    // beside the events of the same blocks.
    std::optional<EventMark> operator()(const BlockStored&) {
        return recorded(EventMark::Allocate);
    }
    std::optional<EventMark> operator()(const BlockRemoved&) { return recorded(EventMark::Free); }
    std::optional<EventMark> operator()(const AllBlocksCleared&) {
        return recorded(EventMark::Free);
    }
    template <class Other>
    std::optional<EventMark> operator()(const Other&) {
        return std::nullopt;
    }
    std::optional<EventMark> recorded(EventMark mark) const {
        if (event.reason.why != Why::Recorded) return std::nullopt;
        return mark;
    }
};

}  // namespace

std::optional<EventMark> mark_of(const Event& event) {
    return std::visit(MarkOf{event}, event.what);
}

void RunHistory::catch_up(const RunView& run) {
    catch_up(run.id, run.trace);
}

void RunHistory::catch_up(std::uint64_t run, const Trace& trace) {
    if (has_read(run, trace)) return;
    if (run != run_ || trace.size() < read_) *this = {};
    run_ = run;
    trace.each(read_, trace.size(),
               [this](std::uint64_t n, const Event& event) { take(n, event); });
    read_ = trace.size();
}

void RunHistory::take(std::uint64_t n, const Event& event) {
    last_iteration_ = std::max(last_iteration_, event.iteration);
    if (const auto mark = mark_of(event)) marks_.push_back({n, event.iteration, *mark});
    if (const auto* arrived = std::get_if<RequestArrived>(&event.what)) {
        lanes_.emplace_back();
        dropped_.push_back(0);
        in_flight_.emplace_back();
        prompt_.push_back(static_cast<std::uint32_t>(arrived->prompt.size()));
    }
    follow_pool(event);
    count_dropped(event);
    count_draft(n, event);
    if (const auto* part = std::get_if<Operation>(&event.what))
        count_part(reads_of(event.iteration), *part);
    const auto* scheduled = std::get_if<TokensScheduled>(&event.what);
    if (scheduled != nullptr) {
        count_reads(event.iteration, *event.request, scheduled->first, scheduled->count);
        plan(event.iteration, {n, *event.request, scheduled->count});
    }
    if (scheduled == nullptr || event.request->index() >= lanes_.size()) return;
    auto& lane = lanes_[event.request->index()];
    const bool prefill = scheduled->first + scheduled->count < prompt_[event.request->index()] ||
                         scheduled->count > 1;
    if (!lane.empty() && lane.back().prefill == prefill && lane.back().last + 1 == event.iteration)
        lane.back().last = event.iteration;
    else
        lane.push_back({event.iteration, event.iteration, prefill});
}

void RunHistory::count_part(Reads& of, const Operation& part) {
    of.us += part.us;
    if (part.op != Op::Attend) return;
    of.attention.flops += static_cast<double>(part.flops);
    of.attention.bytes_read += static_cast<double>(part.bytes_read);
    of.attention.us += part.us;
}

RunHistory::Reads& RunHistory::reads_of(std::uint32_t iteration) {
    if (reads_.size() <= iteration) reads_.resize(std::size_t{iteration} + 1);
    return reads_[iteration];
}

void RunHistory::plan(std::uint32_t iteration, const RunPlanned& planned) {
    plan_begin_.resize(std::max<std::size_t>(plan_begin_.size(), std::size_t{iteration} + 1),
                       planned_.size());
    planned_.push_back(planned);
}

std::span<const RunPlanned> RunHistory::planned(std::uint32_t iteration) const {
    if (iteration >= plan_begin_.size()) return {};
    const std::size_t begin = plan_begin_[iteration];
    const std::size_t end = std::size_t{iteration} + 1 < plan_begin_.size()
                                ? plan_begin_[std::size_t{iteration} + 1]
                                : planned_.size();
    return std::span(planned_).subspan(begin, end - begin);
}

void RunHistory::follow_pool(const Event& event) {
    if (const auto* made = std::get_if<PoolMade>(&event.what)) n_lanes_ = made->n_lanes;
    const auto* set = std::get_if<SettingChanged>(&event.what);
    if (set == nullptr) return;
    settings_[set->setting] = set->value;
    policy_ = policy_of(settings_);
}

void RunHistory::count_dropped(const Event& event) {
    if (!event.request || event.request->index() >= dropped_.size()) return;
    std::uint64_t& dropped = dropped_[event.request->index()];
    if (const auto* drop = std::get_if<TokensDropped>(&event.what))
        dropped += drop->positions.size();
    const auto* out = std::get_if<RequestPreempted>(&event.what);
    if (out != nullptr && !out->swapped) dropped = 0;  // all is computed again
}

// The proposals are further queries of the same pass: what it read for the token before them it
// reads once, and their own keys beside it.
void RunHistory::count_draft(std::uint64_t n, const Event& event) {
    if (!event.request || event.request->index() >= in_flight_.size()) return;
    RunDraft& draft = in_flight_[event.request->index()];
    if (const auto* e = std::get_if<DraftProposed>(&event.what)) {
        const auto k = static_cast<std::uint32_t>(e->tokens.size());
        Reads& reads = reads_of(event.iteration);
        const std::uint64_t own = keys_of(*event.request, e->first - 1);
        reads.by_query += std::uint64_t{n_lanes_} * k;
        reads.by_request += std::uint64_t{n_lanes_} * k;
        draft = {.iteration = event.iteration,
                 .request = *event.request,
                 .k = k,
                 .drafter_bytes = e->bytes_read,
                 .keys_read = own + std::uint64_t{n_lanes_} * k,
                 .first_keys = own};
    } else if (const auto* judged = std::get_if<DraftVerified>(&event.what)) {
        draft.event = n;
        draft.accepted = judged->accepted, draft.struck = judged->struck;
        draft.behind = judged->behind;
        draft.tokens = static_cast<std::uint32_t>(judged->tokens.size());
        drafts_.push_back(draft);
    }
}

// The keys that the query at a position sees, in all lanes.
std::uint64_t RunHistory::keys_of(SeqId request, std::uint64_t position) const {
    if (first_query_that_misses(policy_)) return n_lanes_ * keys_seen(policy_, position, 0);
    const std::uint64_t gone = request.index() < dropped_.size() ? dropped_[request.index()] : 0;
    return n_lanes_ * (position + 1) - gone;
}

void RunHistory::count_reads(std::uint32_t iteration, SeqId request, std::uint64_t first,
                             std::uint64_t count) {
    Reads& reads = reads_of(iteration);
    reads.prefill = reads.prefill || count > 1;
    if (first_query_that_misses(policy_)) {
        // Each query sees its last few and the sinks; all of them together see one more for each.
        for (std::uint64_t i = 0; i < count; ++i)
            reads.by_query += n_lanes_ * keys_seen(policy_, first + i, 0);
        reads.by_request += n_lanes_ * (keys_seen(policy_, first, 0) + count - 1);
        return;
    }
    const std::uint64_t gone = request.index() < dropped_.size() ? dropped_[request.index()] : 0;
    reads.by_query += n_lanes_ * (count * first + count * (count + 1) / 2) - count * gone;
    reads.by_request += n_lanes_ * (first + count) - gone;
}

}  // namespace kv
