#pragma once
// Before and after of an event, each half of the picture: the tables of who it concerns, the blocks
// that change with their words, what counts stood and stand. Pure; pixels.

#include "app/panels/present/page/story.hpp"
#include "app/shell/geometry.hpp"

namespace kv {

struct EventEntry {
    Rect box, index_box;
    std::uint32_t index = 0;
    std::optional<BlockId> block;
    bool is_shared = false, is_changed = false;
    bool gap_before = false;  // entries are left out before it
};
struct EventRow {
    SeqId request{0};
    Rect tag;
    List<EventEntry> entries;
};
enum class SlotLook : std::uint8_t { Empty, Filled, Written, Dead, Cached };
struct EventSlot {
    Rect box;
    SlotLook look = SlotLook::Empty;
    Text word;
};
struct EventCard {
    BlockId block{0};
    Rect box, head, count;
    BlockState state = BlockState::Free;
    List<SeqId> holders;
    List<EventSlot> slots;
    std::uint32_t ref_count = 0, filled = 0;
    std::optional<std::uint32_t> was;  // the count before, where it was another one
    bool is_new = false;               // brackets
};
struct EventConnector {
    List<Vec2> points;
    SeqId request{0};
    bool strong = false;
};
struct EventSide {
    Rect label;
    List<EventRow> rows;
    List<EventCard> cards;
    List<EventConnector> lines;
};
struct EventPicturePlan {
    float unit = 1;  // pixels per pixel of the design, of its letters too
    EventSide before, after;
    float divide_x = 0;
    std::optional<Rect> copy;  // between the two cards behind it
};

// What is shown: two moments of one run, and the words of tokens.
struct EventMoments {
    const Snapshot& before;
    const Snapshot& after;
    const std::function<const std::string&(std::uint32_t token)>& word;
};
EventPicturePlan plan_event(const Rect& room, float words, const EventStory& story,
                            const EventMoments& moments);

}  // namespace kv
