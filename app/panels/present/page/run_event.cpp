#include "app/panels/present/page/run_event.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/present/page/paint.hpp"
#include "app/panels/present/page/told.hpp"
#include "app/panels/present/paint.hpp"

namespace kv {
namespace {

// What such an event is for, in one sentence.
TextId rule_of(StoryKind kind) {
    switch (kind) {
        case StoryKind::Gets:
            return "present.rule.gets"_t;
        case StoryKind::Finds:
            return "present.rule.finds"_t;
        case StoryKind::Forgets:
            return "present.rule.forgets"_t;
        case StoryKind::Ends:
            return "present.rule.ends"_t;
        case StoryKind::TakenOut:
            return "present.rule.taken"_t;
        case StoryKind::Drops:
            return "present.rule.drops"_t;
        case StoryKind::Copies:
            return "present.rule.copies"_t;
        case StoryKind::Drafts:
            return "present.rule.drafts"_t;
    }
    return "present.rule.gets"_t;
}

PageFace face_of(const RunView& run, const EventStory& story, const Texts& text) {
    PageFace face;
    face.state = PageState::Then;
    face.words = text[rule_of(story.kind)];
    face.of_run = true;
    face.may_go_back = run.moment > 0, face.may_go_on = !run.at_end;
    face.next_is_primary = true;
    return face;
}

}  // namespace

std::optional<std::uint64_t> last_step_begins(const RunView& run) {
    if (run.now.in_iteration || run.now.iteration == 0) return std::nullopt;
    std::uint64_t begins = 0;
    for (const Sample& sample : run.samples)
        if (sample.moment < run.moment) begins = std::max(begins, sample.moment);
    return begins;
}

bool draw_run_event(const Ui& ui, const RunView& run, RunFocus& focus, PageUi& own,
                    const Rect& room, const PresentLook& look) {
    const auto begins = last_step_begins(run);
    if (!begins) return false;
    const ToldEvent& told = tell_event(run, focus, {*begins, run.moment}, own.told, ui.text);
    if (!told.story) return false;
    const EventStory& story = *told.story;
    const PageFace face = face_of(run, story, ui.text);
    const PageWords words{ui, face, &story};
    const PagePlan plan = plan_page(room, look.text_scale, look.bar, page_needs(words));
    const Ui own_ui = scaled(ui, plan.unit);
    if (plan.has_picture()) {
        const EventMoments moments{told.before, told.after, run.word};
        paint_event(own_ui, plan_event(plan.picture, plan.words, story, moments), story, moments);
        hline(Painter(own_ui), plan.headline.x, plan.headline.right(), plan.rule, ui.colors.line,
              2);
    }
    draw_page_words(own_ui, plan, face, &story, focus);
    return true;
}

}  // namespace kv
