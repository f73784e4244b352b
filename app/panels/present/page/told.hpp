#pragma once
// A story with its two moments, which cost something to restore: told once for a stretch of events.

#include <memory>

#include "app/panels/present/page/story.hpp"

namespace kv {

struct EventRange {
    std::uint64_t first = 0, last = 0;  // without the last
    friend bool operator==(const EventRange&, const EventRange&) = default;
};
struct ToldEvent {
    std::uint64_t run = 0;
    EventRange range;
    SeqId focus{0};
    std::optional<EventStory> story;
    Snapshot before, after;
};

// `kept` is told anew when it is about something else.
const ToldEvent& tell_event(const RunView& run, const RunFocus& focus, EventRange range,
                            std::shared_ptr<const ToldEvent>& kept, const Texts& text);

}  // namespace kv
