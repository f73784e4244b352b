#pragma once
// The event of a step that is most worth telling, with the moments before and behind it: a copy on
// a write before what a policy drops, before who ends, before what became of a draft, before who
// gets a block. Pure.

#include <optional>

#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/texts/texts.hpp"
#include "app/widgets/tags.hpp"
#include "core/base/reused.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

// Without a cache a request forgets at the end of each step.
enum class StoryKind : std::uint8_t { Gets, Finds, Drafts, Forgets, Ends, TakenOut, Drops, Copies };

struct StoryOfCopy {
    BlockId from{0}, to{0};
    std::uint32_t slots = 0;
    std::uint64_t bytes = 0;
};

struct EventStory {
    StoryKind kind = StoryKind::Gets;
    EventMark mark = EventMark::Allocate;
    SeqId request{0};
    Text headline;                                   // one or two lines
    Text step, why, bytes;                           // small print; `bytes` of a copy
    std::uint64_t event = 0, before = 0, after = 0;  // moments
    List<BlockId> blocks;                            // that changed, the first ones
    std::optional<StoryOfCopy> copy = {};
};

// What the events from `first` to before `last` tell. The request in focus comes before others.
// Nothing where no event has a picture, or where the lane that is looked at is not the first.
std::optional<EventStory> story_of(const RunView& run, const RunFocus& focus, std::uint64_t first,
                                   std::uint64_t last, const Texts& text);

}  // namespace kv
