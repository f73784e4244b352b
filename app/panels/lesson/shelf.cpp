// The shelf: all lessons, and how far each was read.

#include <string>

#include "app/panels/lesson/parts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/hit.hpp"
#include "app/widgets/paint/paint.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kShelfRow = 44;

void draw_shelf_row(const Ui& ui, const LessonView& view, const LessonHead& head) {
    const auto done = view.done.find(head.number);
    const std::size_t read = done == view.done.end() ? 0 : done->second.size();
    const float width = ImGui::GetContentRegionAvail().x;
    const std::string id = "lesson " + std::to_string(head.number);
    const Hit hit = hit_item(id.c_str(), {width, ui.px(kShelfRow)});
    const Painter p(ui);
    if (hit.hovered || hit.focused) fill(p, hit.rect, ui.colors.hover_wash(), 2);
    const Rect number{hit.rect.x, hit.rect.y, ui.px(32), ui.px(24)};
    if (head.number != kMuseum)
        text_in(p, aligned(type::number_strong(ui), Align::Right), number,
                with_commas(head.number));
    const float left = number.right() + ui.px(12);
    text_in(p, type::section(ui), {left, hit.rect.y, hit.rect.right() - left, ui.px(24)},
            head.title);
    text_in(p, type::caption(ui),
            {left, hit.rect.y + ui.px(22), hit.rect.right() - left, ui.px(18)},
            fill(ui.text["lesson.shelf.row"_t], {{"read", with_commas(read)},
                                                 {"steps", with_commas(head.steps.size())},
                                                 {"minutes", with_commas(head.minutes)}}));
    if (read == head.steps.size())
        tick_mark(p, {hit.rect.right() - ui.px(12), hit.rect.y + ui.px(12)}, 12, ui.colors.text);
    if (hit.focused) focus_ring(p, hit.rect, 2);
    if (hit.pressed) ui.out.push("lesson.open", std::to_string(head.number));
}

}  // namespace

void draw_lesson_shelf(const Ui& ui, const LessonView& view) {
    paragraph(ui, type::lesson_title(ui), 32, ui.text["lesson.shelf.title"_t]);
    space(ui, 4);
    paragraph(ui, type::prose(ui), 23, ui.text["lesson.shelf.why"_t]);
    space(ui, 12);
    if (!view.last.empty()) {
        if (button(ui, "continue", ui.text["cmd.lesson.continue"_t], {.primary = true}))
            ui.out.push("lesson.continue");
        space(ui, 12);
    }
    for (const LessonHead& head : view.shelf) {
        if (head.number == kMuseum) rule(ui, RuleSpan::Content, 12, 12);
        draw_shelf_row(ui, view, head);
    }
}

}  // namespace kv
