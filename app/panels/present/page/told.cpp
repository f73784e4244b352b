#include "app/panels/present/page/told.hpp"

namespace kv {

const ToldEvent& tell_event(const RunView& run, const RunFocus& focus, EventRange range,
                            std::shared_ptr<const ToldEvent>& kept, const Texts& text) {
    if (kept && kept->run == run.id && kept->range == range && kept->focus == focus.request)
        return *kept;
    ToldEvent fresh{run.id, range, focus.request, {}, {}, {}};
    fresh.story = story_of(run, focus, range.first, range.last, text);
    if (fresh.story) {
        fresh.before = run.trace.at(fresh.story->before);
        fresh.after = run.trace.at(fresh.story->after);
    }
    kept = std::make_shared<const ToldEvent>(std::move(fresh));
    return *kept;
}

}  // namespace kv
