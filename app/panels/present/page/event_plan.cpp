#include "app/panels/present/page/event_plan.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/stage/plan/words.hpp"
#include "app/panels/view/facts.hpp"

namespace kv {
namespace {

constexpr float kEventWidth = 1824, kLeastHeight = 520, kDivide = 96;
constexpr float kSideHead = 40, kRowsTop = 60, kRowPitch = 84, kRow = 64, kTag = 52;
constexpr float kIndex = 52, kEntry = 150, kEntryGap = 8, kLineRoom = 64, kCount = 66;
constexpr float kMostCard = 440, kCardGap = 96, kCardWidth = 664, kHead = 66, kCardPad = 18;
constexpr std::size_t kMostRows = 3, kMostEntries = 3, kMostCards = 2;

class SidePlan {
public:
    SidePlan(const Rect& room, float unit, const EventStory& story, const EventMoments& moments,
             bool is_after)
        : room_(room),
          unit_(unit),
          story_(story),
          moments_(moments),
          now_(is_after ? moments.after : moments.before),
          is_after_(is_after) {}

    EventSide plan(const List<SeqId>& requests, const List<BlockId>& blocks) {
        EventSide side;
        side.label = at(0, 0, width(), kSideHead);
        // Fewer pixels for the rows where there is little height.
        pitch_ = std::min(kRowPitch, height() * 0.4f / static_cast<float>(kMostRows));
        for (std::size_t i = 0; i < requests.size(); ++i)
            side.rows.push_back(
                row(requests[i], blocks, kRowsTop + pitch_ * static_cast<float>(i)));
        const float rows_end = kRowsTop + pitch_ * static_cast<float>(requests.size());
        add_cards(side, blocks, rows_end + kLineRoom);
        add_lines(side, rows_end);
        return side;
    }

private:
    float width() const { return room_.w / unit_; }
    float height() const { return room_.h / unit_; }
    Rect at(float x, float y, float w, float h) const {
        const float x0 = std::round(room_.x + x * unit_), y0 = std::round(room_.y + y * unit_);
        return {x0, y0, std::round(room_.x + (x + w) * unit_) - x0,
                std::round(room_.y + (y + h) * unit_) - y0};
    }

    // Entries that hold one of the blocks before or after, and as many before them as have room.
    List<std::uint32_t> entries_of(SeqId request, const List<BlockId>& blocks) const {
        List<std::uint32_t> chosen;
        std::size_t longest = 0;
        for (const Snapshot* moment : {&moments_.before, &moments_.after}) {
            const Table* table =
                is_known(*moment, request) ? LaneAt{*moment}.table(request) : nullptr;
            if (table == nullptr) continue;
            longest = std::max(longest, table->size());
            for (std::uint32_t i = 0; i < table->size(); ++i) {
                const TableEntry entry = (*table)[i];
                const bool is_meant =
                    entry && std::find(blocks.begin(), blocks.end(), *entry) != blocks.end();
                if (is_meant && std::find(chosen.begin(), chosen.end(), i) == chosen.end())
                    chosen.push_back(i);
            }
        }
        std::sort(chosen.begin(), chosen.end());
        while (chosen.size() > kMostEntries) chosen.erase(chosen.begin() + 1);
        for (std::size_t i = longest; i-- > 0 && chosen.size() < kMostEntries;)
            if (std::find(chosen.begin(), chosen.end(), i) == chosen.end())
                chosen.push_back(static_cast<std::uint32_t>(i));
        std::sort(chosen.begin(), chosen.end());
        return chosen;
    }

    EventRow row(SeqId request, const List<BlockId>& blocks, float y) const {
        EventRow row;
        row.request = request;
        const float h = std::min(kRow, pitch_ - 12);
        row.tag = at(0, y + (h - std::min(kTag, h)) / 2, std::min(kTag, h), std::min(kTag, h));
        float x = kTag + 16;
        const Table* table = is_known(now_, request) ? LaneAt{now_}.table(request) : nullptr;
        std::uint32_t next = 0;
        for (const std::uint32_t i : entries_of(request, blocks)) {
            if (table == nullptr || i >= table->size()) break;
            EventEntry entry;
            entry.index = i, entry.gap_before = i != next, next = i + 1;
            entry.index_box = at(x, y, kIndex, h);
            entry.box = at(x + kIndex, y, kEntry, h);
            entry.block = (*table)[i];
            entry.is_shared = entry.block && ref_count(now_, *entry.block) > 1;
            const Table* old = is_known(moments_.before, request)
                                   ? LaneAt{moments_.before}.table(request)
                                   : nullptr;
            entry.is_changed =
                is_after_ && (old == nullptr || i >= old->size() || (*old)[i] != entry.block);
            row.entries.push_back(entry);
            x += kIndex + kEntry + kEntryGap;
        }
        return row;
    }

    static std::uint32_t ref_count(const Snapshot& now, BlockId block) {
        return LaneAt{now}.blocks()[block.index()].ref_count;
    }

    void add_cards(EventSide& side, const List<BlockId>& blocks, float y) const {
        const bool two = blocks.size() > 1;
        const float w = two ? (width() - kCardGap) / 2 : std::min(kCardWidth, width());
        const float h = std::max(80.0f, std::min(kMostCard, height() - kCount - y));
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const float x = static_cast<float>(i) * (w + kCardGap);
            EventCard card;
            card.block = blocks[i];
            card.box = at(x, y, w, h);
            card.head = at(x + kCardPad, y, w - 2 * kCardPad, std::min(kHead, h * 0.25f));
            card.count = at(x, y + h + 8, w, kCount - 12);
            const BlockView& view = LaneAt{now_}.blocks()[blocks[i].index()];
            card.state = view.state(), card.ref_count = view.ref_count, card.filled = view.filled;
            for (const Holder& holder : holders_of(LaneAt{now_}, blocks[i]))
                card.holders.push_back(holder.request);
            if (is_after_) {
                const std::uint32_t was = ref_count(moments_.before, blocks[i]);
                if (was != view.ref_count && was > 0) card.was = was;
                card.is_new = was == 0 && view.ref_count > 0;
            }
            const float top = std::min(kHead, h * 0.25f);
            add_slots(card, {x + kCardPad, y + top, w - 2 * kCardPad, h - top - kCardPad});
            side.cards.push_back(std::move(card));
        }
    }

    void add_slots(EventCard& card, const Rect& room) const {  // in units
        constexpr float kRowGap = 8;
        const std::uint32_t n = std::max(1u, now_.block_size);
        const std::uint32_t columns = n <= 6 ? n : n <= 16 ? (n + 1) / 2 : n <= 64 ? 8 : 32;
        const std::uint32_t rows = (n + columns - 1) / columns;
        const float gap = rows > 4 ? 2 : kRowGap;
        const float each = (room.w - gap * static_cast<float>(columns - 1)) /
                           static_cast<float>(columns),
                    tall = (room.h - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows);
        for (std::uint32_t i = 0; i < n; ++i) {
            const std::uint32_t column = i % columns, row = i / columns;
            EventSlot slot;
            slot.box = at(room.x + static_cast<float>(column) * (each + gap),
                          room.y + static_cast<float>(row) * (tall + gap), each, tall);
            slot.look = look_of(card, i);
            slot.word = word_in(card.block, i);
            card.slots.push_back(std::move(slot));
        }
    }

    SlotLook look_of(const EventCard& card, std::uint32_t slot) const {
        if (slot >= card.filled) return SlotLook::Empty;
        if (card.state != BlockState::Used) return SlotLook::Cached;
        const List<Holder> holders = holders_of(LaneAt{now_}, card.block);
        if (std::all_of(holders.begin(), holders.end(), [&](const Holder& h) {
                return is_dropped_slot(LaneAt{now_}, h.request, h.entry, slot);
            }))
            return SlotLook::Dead;
        if (!is_after_) return SlotLook::Filled;
        const bool is_copy = story_.copy && story_.copy->to == card.block;
        const std::uint32_t were =
            is_copy ? story_.copy->slots
                    : LaneAt{moments_.before}.blocks()[card.block.index()].filled;
        return slot >= were ? SlotLook::Written : SlotLook::Filled;
    }

    // The word of a slot, told by whoever holds the block.
    Text word_in(BlockId block, std::uint32_t slot) const {
        const List<Holder> holders = holders_of(LaneAt{now_}, block);
        if (holders.empty() || slot >= LaneAt{now_}.blocks()[block.index()].filled) return {};
        for (const Holder& h : holders) {
            const std::uint32_t position = position_in(LaneAt{now_}, h.request, h.entry, slot);
            const RequestView& request = now_.requests[h.request.index()];
            if (position < request.stored)
                return Text(bare_word(moments_.word(request.tokens[position])));
        }
        return {};
    }

    // Adds the lines from the last entry of each row: right, down, to the top of its block.
    void add_lines(EventSide& side, float rows_end) const {
        const float low = room_.y + (rows_end + 8) * unit_;
        float right = 0;
        for (const EventRow& row : side.rows)
            if (!row.entries.empty()) right = std::max(right, row.entries.back().box.right());
        List<std::size_t> used(side.cards.size(), 0);
        for (std::size_t r = 0; r < side.rows.size(); ++r) {
            if (side.rows[r].entries.empty()) continue;
            const EventEntry& entry = side.rows[r].entries.back();
            const auto card =
                std::find_if(side.cards.begin(), side.cards.end(),
                             [&](const EventCard& c) { return entry.block == c.block; });
            if (card == side.cards.end()) continue;
            const auto n = static_cast<float>(side.rows.size()), up = n - static_cast<float>(r);
            std::size_t& beside = used[static_cast<std::size_t>(card - side.cards.begin())];
            const float share = (static_cast<float>(++beside)) / (n + 1);
            const float x = std::round(right + 22 * up * unit_),
                        to = std::round(card->box.x + card->box.w * share);
            const float y = std::round(low + (n - up) * 14 * unit_ + 6 * unit_),
                        from = std::round(entry.box.center().y);
            side.lines.push_back(
                {{{entry.box.right(), from}, {x, from}, {x, y}, {to, y}, {to, card->box.y}},
                 side.rows[r].request,
                 entry.is_changed});
        }
    }

    Rect room_;
    float unit_;
    const EventStory& story_;
    const EventMoments& moments_;
    const Snapshot& now_;
    bool is_after_;
    float pitch_ = kRowPitch;
};

// The requests that hold one of the blocks before or after; the one that acts comes first.
List<SeqId> requests_in(const EventStory& story, const EventMoments& m,
                        const List<BlockId>& blocks) {
    List<SeqId> requests{story.request};
    for (const Snapshot* moment : {&m.before, &m.after})
        for (const BlockId block : blocks)
            for (const Holder& h : holders_of(LaneAt{*moment}, block))
                if (std::find(requests.begin(), requests.end(), h.request) == requests.end())
                    requests.push_back(h.request);
    while (requests.size() > kMostRows) requests.pop_back();
    std::sort(requests.begin(), requests.end(), [](SeqId a, SeqId b) { return a.value < b.value; });
    return requests;
}

// The blocks that are shown; of many two: one that more requests hold, and one whose count is
// another.
List<BlockId> blocks_shown(const EventStory& story, const Snapshot& before) {
    List<BlockId> blocks = story.blocks;
    if (story.copy || blocks.size() <= kMostCards) return blocks;
    const auto count = [&](BlockId id) { return before.lanes[0].blocks[id.index()].ref_count; };
    std::reverse(blocks.begin(), blocks.end());  // they go back last one first
    const BlockId most = *std::max_element(
        blocks.begin(), blocks.end(), [&](BlockId a, BlockId b) { return count(a) < count(b); });
    const BlockId* other = nullptr;
    for (const BlockId& id : blocks)
        if (count(id) != count(most) && (other == nullptr || count(id) > count(*other)))
            other = &id;
    return {most, other != nullptr ? *other : blocks.back()};
}

}  // namespace

EventPicturePlan plan_event(const Rect& room, float words, const EventStory& story,
                            const EventMoments& moments) {
    EventPicturePlan plan;
    plan.unit = std::min({words, room.w / kEventWidth, room.h / kLeastHeight});
    const List<BlockId> blocks = blocks_shown(story, moments.before);
    const List<SeqId> requests = requests_in(story, moments, blocks);
    const List<BlockId> first = story.copy ? List<BlockId>{story.copy->from} : blocks;
    const float gap = std::round(kDivide * plan.unit), half = std::floor((room.w - gap) / 2);
    const Rect left{room.x, room.y, half, room.h}, right{room.right() - half, room.y, half, room.h};
    plan.before = SidePlan(left, plan.unit, story, moments, false).plan(requests, first);
    plan.after = SidePlan(right, plan.unit, story, moments, true).plan(requests, blocks);
    plan.divide_x = std::round(room.x + half + gap / 2);
    if (story.copy && plan.after.cards.size() == 2) {
        const Rect &a = plan.after.cards[0].box, &b = plan.after.cards[1].box;
        plan.copy = Rect{a.right(), a.y, b.x - a.right(), a.h};
    }
    return plan;
}

}  // namespace kv
