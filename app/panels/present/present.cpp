#include "app/panels/present/present.hpp"

#include <array>
#include <cmath>
#include <string>

#include "app/panels/compare_bills/paint.hpp"
#include "app/panels/present/layout.hpp"
#include "app/panels/present/paint.hpp"
#include "app/widgets/controls.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

void draw_title(const Painter& p, const PresentPlan& plan, const PresentWords& words) {
    const Ui& ui = p.ui;
    const std::array left{Run{{ui.fonts.bold, 30, ui.colors.text}, ui.text["present.title"_t]},
                          Run{{ui.fonts.regular, 24, ui.colors.text3}, words.model, 20}};
    const auto right = runs_of(words.shown, {ui.fonts.regular, 26, ui.colors.text2},
                               {ui.fonts.mono_bold, 26, ui.colors.text});
    runs_in(p, left, plan.title);
    if (runs_width(ui, left) + runs_width(ui, right) + ui.px(40) <= plan.title.w)
        runs_in(p, right, plan.title, Align::Right);
}

// Draws the caption as large as the room allows, so that a long number does not lose its end.
void draw_caption(const Painter& p, const PresentPlan& plan, const PresentWords& words) {
    const Ui& ui = p.ui;
    hline(p, plan.caption.x, plan.page.right(), plan.rule_y, ui.colors.line, 2);
    const TextStyle caption{ui.fonts.bold, 60, ui.colors.text};
    text_in(p, fitting(ui, caption, words.caption, plan.caption.w), plan.caption, words.caption);
    const TextStyle prose{ui.fonts.regular, 33, ui.colors.text2};
    Rect room = plan.prose;
    room.w = plan.page.right() - room.x;  // the first sentence stands above the buttons
    room.y += wrapped_at(p, prose, 46, room, words.prose[0]);
    room.w = plan.prose.w;
    wrapped_at(p, prose, 46, room, words.prose[1]);
}

void draw_pages(const Ui& ui, const BillView& view, const PresentPlan& plan) {
    const PresentNeighbours pages = present_neighbours(view.own.name);
    if (pages.place) {
        const std::string n = with_commas(*pages.place), total = with_commas(pages.count);
        text_in(Painter(ui), {ui.fonts.mono, 28, ui.colors.text3, Align::Right}, plan.page,
                fill(ui.text["present.page"_t], {{"n", n}, {"total", total}}));
    }
    const Ui large = scaled(ui, ui.unit * kPresentWidgets);
    const std::string_view previous = ui.text["present.previous"_t],
                           next = ui.text["present.next"_t];
    const float next_x = plan.buttons.right() - button_width(large, next);
    const float previous_x = next_x - ui.px(12) - button_width(large, previous);
    ImGui::SetCursorScreenPos({previous_x, plan.buttons.y});
    if (button(large, "previous", previous, {.enabled = pages.previous.has_value()}))
        ui.out.push("bill.model", std::string(*pages.previous));
    ImGui::SetCursorScreenPos({next_x, plan.buttons.y});
    if (button(large, "next", next, {.primary = true, .enabled = pages.next.has_value()}))
        ui.out.push("bill.model", std::string(*pages.next));
}

void draw_picture(const Ui& ui, const Ui& large, const BillInputs& bill, const PresentPlan& plan) {
    std::string why;
    const auto view = view_bill(bill, BillSide::Left, why);
    if (!view) return draw_not_priced(scaled(ui, ui.unit * kPresentWidgets), why);
    const Painter p(ui);
    const PresentWords words = present_words(*view, ui.text);
    draw_title(p, plan, words);
    draw_present_equation(p, present_equation(*view, ui.text), plan.equation);
    draw_present_heads(ui, *view, plan.bars);
    draw_present_memory(ui, *view, plan.chart);
    draw_caption(Painter(large), plan, words);
    draw_pages(large, *view, plan);
}

}  // namespace

void draw_present(const Ui& ui, const BillInputs& bill, const Rect& room, const PresentLook& look) {
    const PresentPlan plan = layout_present(room, look);
    draw_picture(scaled(ui, plan.unit), scaled(ui, plan.words), bill, plan);
}

}  // namespace kv
