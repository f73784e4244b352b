#include "app/panels/preparing/preparing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/widgets/controls.hpp"
#include "app/widgets/paint/paint.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kWidestBar = 460, kBar = 6, kStopGap = 16;

Text percent_of(double share) {
    return std::to_string(static_cast<int>(100 * std::clamp(share, 0.0, 1.0)));
}

// What is known fills from the left; what is not is hatched, since an empty bar would say
// "nothing".
void paint_bar(const Painter& p, const Rect& bar, std::optional<double> share) {
    const Palette& colors = p.ui.colors;
    fill(p, bar, colors.inset, 3);
    if (share)
        fill(p,
             {bar.x, bar.y, std::round(bar.w * static_cast<float>(std::clamp(*share, 0.0, 1.0))),
              bar.h},
             colors.text2, 3);
    else
        hatch(p, bar, colors.edge);
    outline(p, bar, colors.edge, 3);
}

bool stop_button(const Ui& ui) {
    return button(ui, "###stop", ui.text["prepare.stop"_t], {.key = "Esc"});
}

}  // namespace

PreparingWords words_of(const Preparing& what, const Texts& text) {
    PreparingWords words;
    const auto titled = [&](TextId id) { return fill(text[id], {{"name", what.name}}); };
    switch (what.what) {
        case Preparing::What::Model:
            words.title = titled("prepare.model"_t);
            break;
        case Preparing::What::Events:
            words.title = titled("prepare.events"_t);
            break;
        case Preparing::What::Run: {
            words.title = titled("prepare.run"_t);
            const Text step = with_commas(what.step);
            words.how_far = what.last ? fill(text["prepare.step_of"_t],
                                             {{"step", step}, {"steps", with_commas(*what.last)}})
                                      : fill(text["prepare.step"_t], {{"step", step}});
            words.why = text["prepare.why"_t];
            if (what.last && *what.last > 0)
                words.share = static_cast<double>(what.step) / static_cast<double>(*what.last);
            return words;
        }
    }
    words.how_far = fill(text["prepare.percent"_t], {{"percent", percent_of(what.done)}});
    words.why = text["prepare.why.read"_t];
    words.share = what.done;
    return words;
}

void draw_preparing(const Ui& ui, const Preparing& what) {
    const PreparingWords words = words_of(what, ui.text);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const Painter p(ui);
    const float width = std::min(ui.px(kWidestBar), room.x);
    const TextStyle title = type::section(ui), quiet = type::body(ui);
    const float title_h = wrapped_height(ui, title, 21, width, words.title),
                why_h = wrapped_height(ui, quiet, 19, width, words.why);
    const float far_h = ui.px(20), bar_h = ui.px(kBar);
    const float all = title_h + ui.px(6) + far_h + ui.px(6) + bar_h + ui.px(12) + why_h +
                      ui.px(kStopGap) + control_height(ui, false);
    const float x = std::floor(at.x + (room.x - width) / 2);
    float y = std::floor(at.y + std::max(0.0f, (room.y - all) / 2));
    y += wrapped_at(p, title, 21, {x, y, width, 0}, words.title) + ui.px(6);
    text_in(p, type::number(ui), {x, y, width, far_h}, words.how_far);
    y += far_h + ui.px(6);
    paint_bar(p, {x, y, width, bar_h}, words.share);
    y += bar_h + ui.px(12);
    y += wrapped_at(p, quiet, 19, {x, y, width, 0}, words.why) + ui.px(kStopGap);
    ImGui::SetCursorScreenPos({x, y});
    if (stop_button(ui)) ui.out.push("run.cancel");
}

void draw_preparing_row(const Ui& ui, const Preparing& what) {
    const PreparingWords words = words_of(what, ui.text);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const Painter p(ui);
    const float height = control_height(ui, false);
    ImGui::SetCursorScreenPos(at);
    if (stop_button(ui)) ui.out.push("run.cancel");
    const float left =
        at.x + button_width(ui, ui.text["prepare.stop"_t], {.key = "Esc"}) + ui.px(kStopGap);
    const std::array runs{Run{type::strong(ui), words.title},
                          Run{type::number(ui), words.how_far, 14}};
    const float words_w = std::min(runs_width(ui, runs), at.x + room.x - left);
    runs_in(p, runs, {left, at.y, at.x + room.x - left, height});
    const float bar_x = std::round(left + words_w + ui.px(kStopGap));
    const Rect bar{bar_x, std::round(at.y + (height - ui.px(kBar)) / 2), at.x + room.x - bar_x,
                   ui.px(kBar)};
    if (bar.w >= ui.px(60)) paint_bar(p, bar, words.share);
}

void draw_preparing_page(const Ui& ui, const Preparing& what) {
    const ImGuiViewport& screen = *ImGui::GetMainViewport();
    ImGui::SetNextWindowPos(screen.Pos);
    ImGui::SetNextWindowSize(screen.Size);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im(ui.colors.app));
    ImGui::Begin("###preparing", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleColor();
    draw_preparing(ui, what);
    ImGui::End();
}

}  // namespace kv
