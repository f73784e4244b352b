// The foot of a page: what the keys do now, as buttons.

#include <imgui.h>

#include <cmath>

#include "app/panels/present/page/paint.hpp"
#include "app/panels/present/paint.hpp"
#include "app/widgets/controls.hpp"

namespace kv {
namespace {

constexpr float kQuestionFootScale = 72.0f / 32,
                kFootScale = 56.0f / 32;  // of the height of a button

struct FootButton {
    const char* id;
    std::string_view label;
    ButtonLook look;
    CommandId command;
};

struct Foot {
    List<FootButton> left, right;
    Text caption;  // behind the first one at the left
};

Foot foot_of(const Ui& ui, const PageFace& face, const EventStory* story) {
    Foot foot;
    if (face.has_reveal) {
        const bool asks = face.is_question() || face.state == PageState::Exercise;
        foot.left.push_back(
            {"reveal",
             ui.text[asks ? "lesson.reveal"_t : "lesson.show"_t],
             {.primary = face.reveal_is_primary, .enabled = face.may_reveal, .key = "Enter"},
             "lesson.reveal"});
        foot.caption = face.reveal_caption;
    }
    if (face.has_hint)
        foot.left.push_back({"hint",
                             ui.text["lesson.hint"_t],
                             {.enabled = face.may_hint, .key = "H"},
                             "lesson.hint"});
    if (story != nullptr && foot.left.empty())
        foot.caption = story->step + "     " + story->why +
                       (story->bytes.empty() ? Text() : "     " + story->bytes);
    const CommandId back = "lesson.go_back", step_back = "run.back";
    const CommandId on = "lesson.go_on", step_on = "run.forward";
    foot.right.push_back({"back",
                          ui.text["present.back"_t],
                          {.enabled = face.may_go_back, .key = "PgUp"},
                          face.of_run ? step_back : back});
    foot.right.push_back(
        {"next",
         ui.text["present.forward"_t],
         {.primary = face.next_is_primary, .enabled = face.may_go_on, .key = "PgDn"},
         face.of_run ? step_on : on});
    return foot;
}

float width_of(const Ui& ui, const List<FootButton>& buttons) {
    float width = 0;
    for (const FootButton& b : buttons) width += button_width(ui, b.label, b.look) + ui.px(8);
    return width;
}

}  // namespace

void draw_page_foot(const Ui& ui, const PagePlan& plan, const PageFace& face,
                    const EventStory* story) {
    const Foot foot = foot_of(ui, face, story);
    const float scale = face.has_large_foot() ? kQuestionFootScale : kFootScale;
    Ui large = scaled(ui, ui.unit * scale);
    const float needed = width_of(large, foot.left) + width_of(large, foot.right);
    if (needed > plan.foot.w) large.unit *= plan.foot.w / needed;
    const Rect& at = plan.foot;
    float x = at.x;
    const TextStyle style{ui.fonts.regular, PageType::kSmall, ui.colors.text2};
    const float right = at.right() - width_of(large, foot.right) + large.px(8);
    const auto caption = [&](float from) {
        const float room = right - from - ui.px(24);
        if (room > ui.px(120))
            text_in(Painter(ui), fitting(ui, style, foot.caption, room), {from, at.y, room, at.h},
                    foot.caption);
    };
    if (foot.left.empty()) caption(x);
    for (std::size_t i = 0; i < foot.left.size(); ++i) {
        const FootButton& b = foot.left[i];
        ImGui::SetCursorScreenPos({std::floor(x), at.y});
        if (button(large, b.id, b.label, b.look)) ui.out.push(b.command);
        x += button_width(large, b.label, b.look) + large.px(8);
        if (i > 0 || foot.caption.empty()) continue;
        const float w = text_width(ui, style, foot.caption);
        if (x + w + ui.px(64) + width_of(large, foot.left) > right) continue;
        text_in(Painter(ui), style, {x + ui.px(8), at.y, 0, at.h}, foot.caption);
        x += w + ui.px(56);
    }
    x = right;
    for (const FootButton& b : foot.right) {
        ImGui::SetCursorScreenPos({std::floor(x), at.y});
        if (button(large, b.id, b.label, b.look)) ui.out.push(b.command);
        x += button_width(large, b.label, b.look) + large.px(8);
    }
}

}  // namespace kv
