// One line over the window: what was refused, saved or copied.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "app/frame/dock/dock.hpp"
#include "app/frame/overlay/overlays.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/rows.hpp"

namespace kv {

namespace {

// What was refused, saved or copied; else what takes its time.
std::optional<Notice> notice_of(const AppState& state) {
    if (state.notice) return state.notice;
    if (!state.film.empty()) return Notice{.said = state.film};
    if (!state.run.loading) return std::nullopt;
    const int percent = static_cast<int>(100 * *state.run.loading);
    return Notice{.said = Said("run.loading"_t, {{"percent", std::to_string(percent)}})};
}

// A note is gone once it was read; while the mouse is on it, its time does not begin.
void let_go(const Ui& ui, std::optional<Notice>& notice, bool is_pointed_at) {
    if (!notice) return;
    const double now = ImGui::GetTime();
    if (!notice->leaves_at || is_pointed_at) {
        const auto seconds = seconds_of(*notice, notice->said.in(ui.text).size());
        notice->leaves_at = now + seconds.value_or(std::numeric_limits<float>::infinity());
    } else if (now >= *notice->leaves_at) {
        notice.reset();
    }
}

// Above the Transport, which it would hide; in front of an audience at the upper right corner,
// where no words of the page stand.
struct NoticePlace {
    ImVec2 at, pivot;
};
NoticePlace place_of(const Ui& ui, const AppState& state, ImVec2 screen) {
    const bool over_page =
        state.layout == LayoutName::Present && !state.only_panel && !state.start.open;
    if (over_page) return {{screen.x - ui.px(12), ui.px(4)}, {1, 0}};
    const auto transport =
        state.start.open ? std::nullopt : panel_in_view(state.docks(), PanelId::Transport);
    const float bottom = transport ? transport->y - ui.px(8) : screen.y - ui.px(104);
    return {{std::floor(screen.x / 2), std::floor(bottom)}, {0.5f, 1}};
}

}  // namespace

std::optional<float> seconds_of(const Notice& notice, std::size_t letters) {
    constexpr float kAtLeast = 5, kOfLetter = 0.06f, kToPress = 5;
    if (notice.refused) return std::nullopt;
    const bool asks = !notice.file.empty() || notice.until_it_comes;  // a button, or a key
    return std::max(kAtLeast, kOfLetter * static_cast<float>(letters)) + (asks ? kToPress : 0);
}

void draw_notice(const Ui& ui, AppState& state) {
    const std::optional<Notice> notice = notice_of(state);
    if (!notice) return;
    const ImVec2 screen = ImGui::GetMainViewport()->Size;
    const float width = std::min(ui.px(720), screen.x - ui.px(24));
    const NoticePlace place = place_of(ui, state, screen);
    ImGui::SetNextWindowPos(place.at, ImGuiCond_Always, place.pivot);
    ImGui::SetNextWindowSize({width, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(16), ui.px(12)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, ui.line());
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im(ui.colors.raised));
    ImGui::PushStyleColor(ImGuiCol_Border,
                          im(notice->refused ? ui.colors.loss.ink : ui.colors.edge));
    ImGui::Begin("###notice", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar(2);

    if (notice->refused) section_head(ui, ui.text["message.refused"_t]);
    const bool may_show = !notice->file.empty();
    const float gap = ui.px(8);
    const float show_w =
        may_show ? button_width(ui, ui.text["message.show"_t], {.dense = true}) + gap : 0;
    const float button_w =
        show_w + button_width(ui, ui.text["message.close"_t], {.dense = true, .key = "Esc"});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Painter p(ui);
    const Rect room{at.x, at.y, width - button_w - ui.px(48), 0};
    const float height =
        wrapped_at(p, colored(type::body(ui), ui.colors.text), 19, room, notice->said.in(ui.text));
    ImGui::SetCursorScreenPos({at.x + room.w + ui.px(16), at.y});
    if (may_show) {
        if (button(ui, "###show", ui.text["message.show"_t], {.dense = true}))
            ui.out.push("export.show", notice->file);
        ImGui::SetCursorScreenPos({at.x + room.w + ui.px(16) + show_w, at.y});
    }
    const bool close =
        button(ui, "###close", ui.text["message.close"_t], {.dense = true, .key = "Esc"});
    ImGui::SetCursorScreenPos({at.x, at.y + std::max(height, control_height(ui, true))});
    ImGui::Dummy({1, 1});
    const bool is_pointed_at = ImGui::IsWindowHovered(
        ImGuiHoveredFlags_RootAndChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    ImGui::End();
    const bool escape = ImGui::IsKeyPressed(ImGuiKey_Escape, false) && !state.palette.open &&
                        !state.help.open && !state.question;
    if (close && !state.notice)
        ui.out.push(state.film.empty() ? CommandId("run.cancel") : CommandId("export.stop"));
    if (close || escape) state.notice.reset();
    let_go(ui, state.notice, is_pointed_at);
}

}  // namespace kv
