#include <string>
#include <vector>

#include "app/panels/bill/glossary/entries.hpp"
#include "app/panels/bill/glossary/layout.hpp"
#include "app/panels/bill/panels.hpp"
#include "app/widgets/rows.hpp"

namespace kv {
namespace {

constexpr float kMeaningPitch = 18, kChipPad = 6;

GlossaryMetrics metrics(const Ui& ui) {
    return {.pad_x = ui.px(8),
            .pad_y = ui.px(8),
            .line_h = ui.px(22),
            .chip_h = ui.px(18),
            .chip_gap = ui.px(4),
            .name_gap = ui.px(16),
            .meaning_gap = ui.px(2)};
}

GlossaryRowPlan plan_row(const Ui& ui, const GlossaryEntry& entry, float width) {
    const GlossaryMetrics m = metrics(ui);
    std::vector<float> chips;
    for (std::string_view symbol : entry.others)
        chips.push_back(ui.px(2 * kChipPad) + text_width(ui, type::number_small(ui), symbol));
    const float meaning = wrapped_height(ui, type::body(ui), kMeaningPitch,
                                         glossary_meaning_width(width, m), ui.text[entry.meaning]);
    return layout_glossary_row(text_width(ui, type::number_strong(ui), entry.name), chips, meaning,
                               width, m);
}

void paint_row(const Painter& p, const GlossaryEntry& entry, const GlossaryRowPlan& plan,
               const Hit& hit, bool lit) {
    const Palette& colors = p.ui.colors;
    const Vec2 origin = hit.rect.min();
    if (lit || hit.hovered) fill(p, hit.rect, colors.hover_wash(), 2);
    if (lit) fill(p, {hit.rect.x, hit.rect.y, p.ui.px(3), hit.rect.h}, colors.focus);

    text_in(p, type::number_strong(p.ui), moved(plan.name, origin), entry.name);
    for (std::size_t i = 0; i < entry.others.size(); ++i) {
        const Rect chip = moved(plan.chips[i], origin);
        fill(p, chip, colors.raised, 2);
        outline(p, chip, lit ? colors.edge : colors.line, 2);
        text_in(p, aligned(type::number_small(p.ui), Align::Center), chip, entry.others[i]);
    }
    wrapped_at(p, type::body(p.ui), kMeaningPitch, moved(plan.meaning, origin),
               p.ui.text[entry.meaning]);
    if (hit.focused) focus_ring(p, hit.rect.inset(p.ui.px(2)), 2);
}

void draw_entry(const Ui& ui, const GlossaryEntry& entry, BillFocus& focus) {
    // The wash of a row reaches a little into the panel's padding, so that its words stay in line.
    const float pad = metrics(ui).pad_x, width = ImGui::GetContentRegionAvail().x + 2 * pad;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() - pad);
    const GlossaryRowPlan plan = plan_row(ui, entry, width);
    const Hit hit = hit_item(std::string(entry.name).c_str(), {width, plan.height});
    if (entry.factor && (hit.hovered || hit.focused)) focus.next_factor = entry.factor;
    const bool lit = entry.factor && focus.factor == entry.factor;
    paint_row(Painter(ui), entry, plan, hit, lit);
}

}  // namespace

void draw_glossary(const Ui& ui, BillFocus& focus) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    space(ui, 4);
    paragraph(ui, type::object_title(ui), 26, ui.text["glossary.title"_t]);
    space(ui, 4);
    paragraph(ui, type::prose(ui), 23, ui.text["glossary.why"_t]);
    for (const GlossaryGroup& group : glossary()) {
        space(ui, 16);
        section_head(ui, ui.text[group.title]);
        rule(ui, RuleSpan::Content, 4, 4);
        for (const GlossaryEntry& entry : group.entries) draw_entry(ui, entry, focus);
    }
    space(ui, 8);
    ImGui::PopStyleVar();
}

}  // namespace kv
