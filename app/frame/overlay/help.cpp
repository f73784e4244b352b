// Help: what KVarium is, what each panel shows and leaves out, every key, and what this build is
// made of.

#include <array>

#include "app/frame/overlay/overlay.hpp"
#include "app/frame/overlay/overlays.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/markdown.hpp"
#include "app/widgets/rows.hpp"

namespace kv {

namespace frame_files {
std::string_view embedded(std::string_view name);
}

namespace {

void key_row(const Ui& ui, std::string_view label, std::string_view help, std::string_view key) {
    const Painter p(ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ui.px(26), key_room = ui.px(150);
    ImGui::Dummy({width, height});
    if (!key.empty()) draw_key_cap(p, {at.x, at.y + height / 2}, key);
    const float label_w = text_width(ui, type::strong(ui), label);
    text_in(p, type::strong(ui), {at.x + key_room, at.y, label_w + 1, height}, label);
    const float help_x = at.x + key_room + label_w + ui.px(12);
    text_in(p, type::caption(ui), {help_x, at.y, at.x + width - help_x, height}, help);
}

void draw_keys(const Ui& ui) {
    paragraph(ui, type::body(ui), 19, ui.text["keys.note"_t]);
    space(ui, 8);
    for (bool with_key : {true, false}) {
        for (const CommandRow& command : command_table())
            if ((command.key.key != 0) == with_key)
                key_row(ui, ui.text[command.id.label()], ui.text[command.help],
                        key_text(command.key));
        if (!with_key) break;
        key_row(ui, ui.text["keys.fixed.tab.help"_t], "", ui.text["keys.fixed.tab"_t]);
        key_row(ui, ui.text["keys.fixed.arrows.help"_t], "", ui.text["keys.fixed.arrows"_t]);
        key_row(ui, ui.text["keys.fixed.space.help"_t], "", ui.text["keys.fixed.space"_t]);
        key_row(ui, ui.text["keys.fixed.pages.help"_t], "", ui.text["keys.fixed.pages"_t]);
        key_row(ui, ui.text["keys.fixed.esc.help"_t], "", ui.text["keys.fixed.esc"_t]);
        rule(ui, RuleSpan::Content);
    }
}

void draw_panels_help(const Ui& ui) {
    for (const PanelRow& panel : panel_table()) {
        if (panel.id == PanelId::MiniCharts || panel.id == PanelId::Help) continue;
        section_head(ui, ui.text[panel.title]);
        paragraph(ui, type::body(ui), 19, ui.text[panel.help]);
        paragraph(ui, colored(type::body(ui), ui.colors.text3), 19,
                  fill(ui.text["help.leaves_out"_t], {{"what", ui.text[panel.leaves_out]}}));
        space(ui, 12);
    }
}

void draw_about(const Ui& ui, const std::vector<AboutLine>& lines) {
    for (const AboutLine& line : lines) {
        control_head(ui, line.label);
        paragraph(ui, type::number(ui), 19, line.value);
        space(ui, 10);
    }
    rule(ui, RuleSpan::Content);
    paragraph(ui, type::body(ui), 19, ui.text["about.licence"_t]);
}

}  // namespace

void draw_help(const Ui& ui, AppState& state) {
    overlay(ui, "###help", {.width = 860, .height = 660}, state.help.open, [&] {
        const std::array<std::string_view, 4> tabs{
            ui.text["help.start"_t], ui.text["help.panels"_t], ui.text["keys.title"_t],
            ui.text["help.about"_t]};
        if (const auto i = segmented(ui, "###tab", tabs, static_cast<std::size_t>(state.help.tab),
                                     {.dense = false}))
            state.help.tab = static_cast<HelpTab>(*i);
        ImGui::SameLine();
        const ButtonLook close{.key = "Esc"};
        ImGui::SetCursorPosX(ImGui::GetWindowWidth() -
                             button_width(ui, ui.text["message.close"_t], close) - ui.px(20));
        if (button(ui, "###close", ui.text["message.close"_t], close)) state.help.open = false;
        space(ui, 12);
        if (ImGui::BeginChild(
                ("content/" + std::to_string(static_cast<int>(state.help.tab))).c_str(), {0, 0},
                ImGuiChildFlags_NavFlattened)) {
            switch (state.help.tab) {
                case HelpTab::Start:
                    markdown(ui, frame_files::embedded("help"));
                    break;
                case HelpTab::Panels:
                    draw_panels_help(ui);
                    break;
                case HelpTab::Keys:
                    draw_keys(ui);
                    break;
                case HelpTab::About:
                    draw_about(ui, state.about);
                    break;
            }
        }
        ImGui::EndChild();
    });
}

}  // namespace kv
