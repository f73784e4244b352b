// Settings of a run: four groups, the rest under a line that unfolds, and its buttons. Choosing
// another value plays the scene again with it, up to the same step.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/settings/groups.hpp"
#include "app/panels/settings/more.hpp"
#include "app/panels/timeline/panels.hpp"
#include "app/widgets/controls.hpp"

namespace kv {
namespace {

constexpr float kButtonGap = 8;

struct SettingsButton {
    const char* id;
    TextId label;
    CommandId command;
    bool enabled = true;
    std::string_view key = {};
};

// Draws the buttons in one line where they fit, else in two.
void draw_buttons(const Ui& ui, std::span<const SettingsButton> buttons, std::size_t columns) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float gap = ui.px(kButtonGap), n = static_cast<float>(columns);
    const float width = std::floor((room_width() - (n - 1) * gap) / n);
    const float row = control_height(ui, true) + ui.px(6);
    for (std::size_t i = 0; i < buttons.size(); ++i) {
        const SettingsButton& b = buttons[i];
        const std::size_t column = i % columns, line = i / columns;
        ImGui::SetCursorScreenPos({at.x + static_cast<float>(column) * (width + gap),
                                   at.y + static_cast<float>(line) * row});
        if (button(ui, b.id, ui.text[b.label],
                   {.enabled = b.enabled, .dense = true, .key = b.key, .width = width}))
            ui.out.push(b.command);
    }
}

bool fits_in_line(const Ui& ui, std::span<const SettingsButton> buttons, float room) {
    float widest = 0;
    for (const SettingsButton& b : buttons)
        widest =
            std::max(widest, button_width(ui, ui.text[b.label], {.dense = true, .key = b.key}));
    const auto n = static_cast<float>(buttons.size());
    return n * widest + (n - 1) * ui.px(kButtonGap) <= room;
}

// The line that unfolds the rest.
void draw_fold_line(const Ui& ui, bool open) {
    const Hit hit = hit_item("more", {room_width(), control_height(ui, true)});
    const Painter p(ui);
    const float mark = ui.px(16);
    if (hit.hovered || hit.held) fill(p, hit.rect, ui.colors.hover_wash(), 4);
    chevron(p, {hit.rect.x + mark / 2, hit.rect.center().y}, 10, open ? Dir::Down : Dir::Right,
            ui.colors.text2);
    text_in(p, colored(type::body(ui), ui.colors.text),
            {hit.rect.x + mark + ui.px(4), hit.rect.y, hit.rect.w - mark, hit.rect.h},
            ui.text["set.more.all"_t]);
    if (hit.focused) focus_ring(p, hit.rect);
    if (hit.pressed) ui.out.push("settings.more");
}

}  // namespace

void draw_run_settings(const Ui& ui, const RunView& run, const RunFocus& focus,
                       const SettingsUi& own, bool has_gpu) {
    const TightSpacing tight;
    const std::array<SettingsButton, 4> buttons{
        {{"undo", "settings.undo"_t, "run.undo_set", run.can_undo},
         {"redo", "settings.redo"_t, "run.redo_set", run.can_redo},
         {"restart", "set.restart"_t, "run.restart"},
         {"branch", "set.branch"_t, "run.branch"}}};
    const std::size_t columns = fits_in_line(ui, buttons, room_width()) ? 4 : 2;
    const std::size_t lines = buttons.size() / columns;
    const float foot = static_cast<float>(lines) * (control_height(ui, true) + ui.px(6)) + ui.px(4);
    const float room = std::max(ui.px(60), ImGui::GetContentRegionAvail().y - foot);
    ImGui::BeginChild("switches", {0, room}, ImGuiChildFlags_None, ImGuiWindowFlags_NoBackground);
    draw_setting_groups(ui, run, focus);
    rule(ui, RuleSpan::Content, 4, 4);
    draw_fold_line(ui, own.more);
    if (own.more) {
        space(ui, kBetweenControls);
        draw_more_settings(ui, run, has_gpu);
    }
    ImGui::EndChild();
    space(ui, 4);
    draw_buttons(ui, buttons, columns);
}

}  // namespace kv
