#include <algorithm>
#include <cmath>

#include "app/panels/bill/calculator/inputs.hpp"
#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/bill/panels.hpp"
#include "app/panels/settings/plan.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/fields.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

void draw_pages(const Ui& ui, const BillView& view) {
    control_head(ui, ui.text["settings.page"_t],
                 fill(ui.text["settings.per_block"_t], {{"bytes", view.bytes("bytes_per_block")}}));
    const PageChoices choices = page_choices(view.in.block_size);
    std::vector<std::string_view> labels;
    for (const std::string& label : choices.labels) labels.push_back(label);
    const auto next = choice(ui, "page", labels, choices.chosen);
    if (next) ui.out.push("bill.block_size", choices.sizes[*next]);
}

// The slider moves over powers of two: what a window is in practice, and no more undo steps than
// that.
void draw_window_slider(const Ui& ui, u64 window) {
    const std::string value = with_commas(window);
    const float value_w = ui.px(56);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    SliderLook look;
    look.min = kWindowPowers.least;
    look.max = kWindowPowers.most;
    look.step = 1;
    look.width = room_width() - value_w - ui.px(8);
    const auto next = slider(ui, "window_size", power_of_window(window), look);
    const Rect right{std::floor(at.x) + room_width() - value_w, std::floor(at.y), value_w,
                     ui.px(24)};
    text_in(Painter(ui), aligned(type::number(ui), Align::Right), right, value);
    if (next) ui.out.push("bill.window", window_of_power(*next));
}

void draw_window(const Ui& ui, const BillView& view) {
    const u64 window = view.in.window;
    const std::string caption =
        window == 0 ? Text(ui.text["settings.window.all"_t])
                    : fill(ui.text["settings.window.newest"_t], {{"n", with_commas(window)}});
    if (toggle(ui, "window", ui.text["settings.window"_t], window > 0, {.caption = caption}))
        ui.out.push("bill.window", window > 0 ? u64{0} : first_window(view.in.tokens));
    if (window == 0) return;
    draw_window_slider(ui, window);
}

void draw_units(const Ui& ui, UnitSystem units) {
    control_head(ui, ui.text["settings.units"_t]);
    const std::vector<std::string_view> options{ui.text["settings.gib"_t],
                                                ui.text["settings.gb"_t]};
    if (choice(ui, "units", options, units == UnitSystem::Binary ? 0 : 1))
        ui.out.push("bill.units");
}

// Draws undo and redo at the bottom of the panel, or after the rest where that is lower.
void draw_history(const Ui& ui, const UndoHistory<BillInputs>& history) {
    const float gap = ui.px(8), width = std::floor((room_width() - gap) / 2);
    const float spare = ImGui::GetContentRegionAvail().y - control_height(ui, false);
    if (spare > ui.px(12)) {
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::floor(spare));
    } else {
        space(ui, 12);
    }
    if (button(ui, "undo", ui.text["settings.undo"_t],
               {.enabled = history.can_undo(), .width = width}))
        ui.out.push("bill.undo");
    ImGui::SameLine(0, gap);
    if (button(ui, "redo", ui.text["settings.redo"_t],
               {.enabled = history.can_redo(), .width = width}))
        ui.out.push("bill.redo");
}

}  // namespace

void draw_settings(const Ui& ui, const BillInputs& bill, const UndoHistory<BillInputs>& history,
                   BillFocus& focus) {
    const TightSpacing tight;
    std::string why;
    const auto view = view_bill(bill, BillSide::Left, why);
    if (!view) {
        draw_too_large(ui, why);
        return;
    }
    draw_attention_switch(ui, *view, focus);
    space(ui, kBetweenControls);
    draw_codec_switches(ui, *view, focus);
    space(ui, kBetweenControls);
    draw_pages(ui, *view);
    space(ui, kBetweenControls + 4);
    draw_window(ui, *view);
    space(ui, kBetweenControls);
    draw_units(ui, bill.units);
    draw_history(ui, history);
}

}  // namespace kv
