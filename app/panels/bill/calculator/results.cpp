#include "app/panels/bill/calculator/results.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/widgets/controls.hpp"

namespace kv {
namespace {

constexpr float kResultRow = 22, kUnfoldMark = 14;

// GiB or GB, at the right end of the head.
void draw_units(const Ui& ui, const BillView& view) {
    const std::array<std::string_view, 2> options{ui.text["calc.units.gib"_t],
                                                  ui.text["calc.units.gb"_t]};
    const float width = segmented_width(ui, options);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room_width() - width);
    if (segmented(ui, "units", options, view.in.units == UnitSystem::Binary ? 0 : 1))
        ui.out.push("bill.units");
}

void draw_head(const Ui& ui, const BillView& view) {
    const ImVec2 at = ImGui::GetCursorPos();
    section_head(ui, ui.text["calc.results"_t], ui.text["calc.results.hint"_t]);
    ImGui::SetCursorPos(at);
    draw_units(ui, view);
    space(ui, 4);
}

RowLook look_of(const Ui& ui, const BillRow& row) {
    RowLook look;
    look.height = kResultRow;
    look.strong = row.strong;
    look.secondary = row.detail;
    if (row.loss) look.value_color = ui.colors.loss.ink;
    return look;
}

// One line of the bill is one item: pointing at it tells how, pressing keeps that open beneath.
void draw_unfolding_row(const Ui& ui, const BillView& view, const BillRow& row, BillFocus& focus,
                        CalculatorUi& own) {
    const std::string name(row.result);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Hit hit = hit_item("row", {room_width(), ui.px(kResultRow)});
    const bool tip = ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort);
    const bool open = is_open(own.unfolded, name);
    const Painter p(ui);
    if (hit.hovered || hit.focused) focus.next_result = name;
    if (hit.hovered || focus.result == name) fill(p, hit.rect, ui.colors.hover_wash(), 2);
    if (hit.focused) focus_ring(p, hit.rect, 2);
    chevron(p, {hit.rect.x + ui.px(4), hit.rect.center().y}, 8, open ? Dir::Down : Dir::Right,
            ui.colors.text3);
    ImGui::SetCursorScreenPos({at.x + ui.px(kUnfoldMark), at.y});
    value_row(ui, row.label, row.value, look_of(ui, row));
    if (tip && !open) draw_unfold_tip(ui, view, name, row.label);
    if (hit.pressed) own.unfolded = toggled(own.unfolded, name);
    if (open && own.unfolded) draw_unfolded(ui, view, own.unfolded, focus);
}

void draw_rows(const Ui& ui, const BillView& view, const std::vector<BillRow>& rows, const char* id,
               BillFocus& focus, CalculatorUi& own) {
    ImGui::PushID(id);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        if (rows[i].result.empty()) {
            ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ui.px(kUnfoldMark));
            value_row(ui, rows[i].label, rows[i].value, look_of(ui, rows[i]));
        } else {
            draw_unfolding_row(ui, view, rows[i], focus, own);
        }
        ImGui::PopID();
    }
    ImGui::PopID();
}

}  // namespace

void draw_bill_rows(const Ui& ui, const BillView& view, bool extras, BillFocus& focus,
                    CalculatorUi& own) {
    draw_head(ui, view);
    draw_rows(ui, view, bill_rows(view, ui.text), "bill", focus, own);
    if (!extras) return;
    rule(ui, RuleSpan::Content, 4, 4);
    draw_rows(ui, view, extra_rows(view, ui.text), "more", focus, own);
}

}  // namespace kv
