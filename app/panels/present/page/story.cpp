#include "app/panels/present/page/story.hpp"

#include <algorithm>
#include <variant>

#include "app/panels/view/facts.hpp"
#include "app/panels/view/sentence.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

struct Found {
    StoryKind kind;
    std::uint64_t n;
    Event event;
};

struct KindOf {
    const Reason& why;

    std::optional<StoryKind> operator()(const BlockAllocated&) const { return StoryKind::Gets; }
    std::optional<StoryKind> operator()(const RequestAdmitted& e) const {
        return e.found > 0 ? std::optional(StoryKind::Finds) : std::nullopt;
    }
    std::optional<StoryKind> operator()(const RequestFinished& e) const {
        return e.finish == Finish::Refused ? std::nullopt : std::optional(StoryKind::Ends);
    }
    std::optional<StoryKind> operator()(const RequestPreempted&) const {
        return StoryKind::TakenOut;
    }
    std::optional<StoryKind> operator()(const BlockFreed&) const {
        return why.why == Why::NothingKept ? std::optional(StoryKind::Forgets) : std::nullopt;
    }
    std::optional<StoryKind> operator()(const TokensDropped&) const { return StoryKind::Drops; }
    std::optional<StoryKind> operator()(const BlockCopied&) const { return StoryKind::Copies; }
    std::optional<StoryKind> operator()(const DraftVerified&) const { return StoryKind::Drafts; }
    template <class Other>
    std::optional<StoryKind> operator()(const Other&) const {
        return std::nullopt;
    }
};

EventMark mark_of(StoryKind kind) {
    switch (kind) {
        case StoryKind::Gets:
            return EventMark::Allocate;
        case StoryKind::Finds:
            return EventMark::Share;
        case StoryKind::Forgets:
            return EventMark::Free;
        case StoryKind::Ends:
            return EventMark::Finish;
        case StoryKind::TakenOut:
        case StoryKind::Drops:
            return EventMark::Evict;
        case StoryKind::Copies:
            return EventMark::CopyOnWrite;
        case StoryKind::Drafts:
            return EventMark::Draft;
    }
    return EventMark::Allocate;
}

// The block that an event is about, where it belongs to such a story.
std::optional<BlockId> block_in(StoryKind kind, const Event& event) {
    if (const auto* e = std::get_if<BlockAllocated>(&event.what); e && kind == StoryKind::Gets)
        return e->block;
    if (const auto* e = std::get_if<BlockShared>(&event.what); e && kind == StoryKind::Finds)
        return e->block;
    const bool lets_go =
        kind == StoryKind::Forgets || kind == StoryKind::Ends || kind == StoryKind::TakenOut;
    if (const auto* e = std::get_if<BlockFreed>(&event.what); e && lets_go) return e->block;
    return std::nullopt;
}

Text list_of(const List<BlockId>& blocks) {
    constexpr std::size_t kMost = 6;
    Text list;
    for (std::size_t i = 0; i < std::min(blocks.size(), kMost); ++i)
        list += Text(i > 0 ? ", " : "") + with_commas(blocks[i].value);
    if (blocks.size() > kMost) list += ", …";
    return list;
}

Text names_of(const Snapshot& now, BlockId block, const Texts& text) {
    Text list;
    const List<Holder> holders = holders_of(LaneAt{now}, block);
    for (std::size_t i = 0; i < holders.size(); ++i) {
        const Text name = name_of_request(now, holders[i].request);
        const bool last = i > 0 && i + 1 == holders.size();
        list = i == 0 ? name
               : last ? fill(text["run.and"_t], {{"list", list}, {"last", name}})
                      : list + ", " + name;
    }
    return list;
}

Text headline_of(const EventStory& s, const Event& event, const Snapshot& before,
                 const Texts& text) {
    const Text name = name_of_request(before, s.request), blocks = list_of(s.blocks);
    const bool one = s.blocks.size() == 1;
    switch (s.kind) {
        case StoryKind::Gets:
            return fill(text[one ? "present.event.gets"_t : "present.event.gets.many"_t],
                        {{"name", name}, {"blocks", blocks}});
        case StoryKind::Finds: {
            const auto& e = std::get<RequestAdmitted>(event.what);
            return fill(
                text["present.event.found"_t],
                {{"name", name}, {"found", with_commas(e.found)}, {"n", with_commas(e.looked_up)}});
        }
        case StoryKind::Forgets:
            return fill(
                text["present.event.forgets"_t],
                {{"name", name}, {"n", with_commas(before.requests[s.request.index()].stored)}});
        case StoryKind::Ends:
            return fill(text[one ? "present.event.ends"_t : "present.event.ends.many"_t],
                        {{"name", name}, {"blocks", blocks}});
        case StoryKind::TakenOut:
            return fill(
                text[std::get<RequestPreempted>(event.what).swapped ? "present.event.swapped"_t
                                                                    : "present.event.taken"_t],
                {{"name", name}});
        case StoryKind::Drops: {
            const auto& e = std::get<TokensDropped>(event.what);
            return fill(text[e.positions.size() == 1 ? "present.event.drops.one"_t
                                                     : "present.event.drops"_t],
                        {{"name", name},
                         {"n", with_commas(e.positions.size())},
                         {"token", with_commas(e.positions.front())}});
        }
        case StoryKind::Drafts: {
            const auto& e = std::get<DraftVerified>(event.what);
            return fill(text["present.event.drafted"_t], {{"name", name},
                                                          {"k", with_commas(e.k)},
                                                          {"accepted", with_commas(e.accepted)},
                                                          {"n", with_commas(e.tokens.size())}});
        }
        case StoryKind::Copies:
            return fill(text["present.event.copied"_t],
                        {{"block", with_commas(s.copy->from.value)},
                         {"names", names_of(before, s.copy->from, text)},
                         {"name", name},
                         {"to", with_commas(s.copy->to.value)}});
    }
    return {};
}

// The blocks that the dropped tokens lie in; one with nothing else in it goes back at once.
void add_dropped(EventStory& s, const RunView& run, const Found& found, std::uint64_t last) {
    const auto& dropped = std::get<TokensDropped>(found.event.what);
    const Snapshot before = run.trace.at(found.n);
    const Table* table = LaneAt{before}.table(s.request);
    for (const std::uint32_t slot : dropped.slots) {
        const std::size_t entry = slot / std::max(1u, before.block_size);
        if (table == nullptr || entry >= table->size()) continue;
        const TableEntry block = (*table)[entry];
        if (block && std::find(s.blocks.begin(), s.blocks.end(), *block) == s.blocks.end())
            s.blocks.push_back(*block);
    }
    const auto ends = run.trace.find(s.after, [&](const Event& e) {
        return e.reason.why != Why::AllDropped || e.request != found.event.request;
    });
    s.after = std::min(last, ends.value_or(last));
}

// The blocks of the slots that were written ahead, while they are still held: from the proposal to
// the end of the step, in which what is wrong was given back.
void add_drafted(EventStory& s, const RunView& run, const Found& found, std::uint64_t last) {
    const Snapshot judged = run.trace.at(found.n);
    const std::optional<DraftView>& draft = judged.requests[s.request.index()].draft;
    if (!draft) return;
    for (std::uint32_t i = 0; i < draft->tokens.size(); ++i) {
        const auto place = place_of_token(LaneAt{judged}, {s.request, draft->first + i});
        if (place && (s.blocks.empty() || s.blocks.back() != place->block))
            s.blocks.push_back(place->block);
    }
    s.after = last;
}

// The moments before and behind it, and the blocks that change between them.
void add_moments(EventStory& s, const RunView& run, const Found& found, std::uint64_t first,
                 std::uint64_t last) {
    s.event = s.before = found.n, s.after = found.n + 1;
    const auto is_same = [&](const Event& e) {
        return e.iteration == found.event.iteration && e.request == found.event.request;
    };
    if (s.kind == StoryKind::Copies) {
        const auto& copy = std::get<BlockCopied>(found.event.what);
        s.copy = {copy.from, copy.to, copy.slots, copy.bytes};
        s.blocks = {s.copy->from, s.copy->to};
        // The picture after: when what is written into the copy is there, unless another copy is
        // made before that.
        const auto ends = run.trace.find(found.n + 1, [&](const Event& e) {
            return e.iteration != found.event.iteration ||
                   std::holds_alternative<BlockCopied>(e.what);
        });
        s.after = std::min(last, ends.value_or(last));
        return;
    }
    if (s.kind == StoryKind::Drops) return add_dropped(s, run, found, last);
    if (s.kind == StoryKind::Drafts) return add_drafted(s, run, found, last);
    std::optional<std::uint64_t> earliest;
    run.trace.each(first, last, [&](std::uint64_t n, const Event& e) {
        const auto block = is_same(e) ? block_in(s.kind, e) : std::nullopt;
        if (!block) return;
        s.blocks.push_back(*block);
        earliest = std::min(earliest.value_or(n), n);
        s.after = std::max(s.after, n + 1);
    });
    s.before = std::min(s.before, earliest.value_or(s.before));
    // The picture after: when what the new block was for is written.
    if (s.kind == StoryKind::Gets) s.after = last;
}

}  // namespace

std::optional<EventStory> story_of(const RunView& run, const RunFocus& focus, std::uint64_t first,
                                   std::uint64_t last, const Texts& text) {
    if (run.lane_in_focus != LaneId(0) || last > run.trace.size() || first >= last)
        return std::nullopt;
    std::optional<Found> best;
    run.trace.each(first, last, [&](std::uint64_t n, const Event& event) {
        const auto kind = std::visit(KindOf{event.reason}, event.what);
        if (!kind || !event.request) return;
        if (const auto* e = std::get_if<TokensDropped>(&event.what); e && e->lane.value != 0)
            return;
        const auto rank = [&](StoryKind k, const Event& e) {
            return 2 * static_cast<int>(k) + (e.request == focus.request ? 1 : 0);
        };
        if (!best || rank(*kind, event) > rank(best->kind, best->event))
            best = Found{*kind, n, event};
    });
    if (!best) return std::nullopt;
    EventStory story;
    story.kind = best->kind, story.mark = mark_of(best->kind), story.request = *best->event.request;
    add_moments(story, run, *best, first, last);
    if (story.blocks.empty()) return std::nullopt;
    const Snapshot before = run.trace.at(story.before);
    story.headline = headline_of(story, best->event, before, text);
    story.step = fill(text["present.event.step"_t], {{"n", with_commas(best->event.iteration)}});
    const auto name = [&](SeqId request) { return name_of_request(before, request); };
    story.why =
        fill(text["present.event.why"_t], {{"reason", reason_in(text, best->event.reason, name)}});
    if (story.copy && knows_bytes(run.layout))
        story.bytes = fill(text["present.event.bytes"_t],
                           {{"tokens", with_commas(story.copy->slots)},
                            {"token", measured(measure_of_token(run.layout), run.layout, text)},
                            {"bytes", measured(story.copy->bytes, run.layout, text)}});
    return story;
}

}  // namespace kv
