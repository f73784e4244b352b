// How the window is read: text size, theme and motion, in a corner of the page.

#include <array>
#include <cmath>
#include <string>

#include "app/frame/start/paint.hpp"
#include "app/widgets/controls.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 6> kScaleLabels{"0.8", "1", "1.25", "1.5", "2", "3"};
constexpr std::array<double, 6> kScales{0.8, 1.0, 1.25, 1.5, 2.0, 3.0};
constexpr float kLabelGap = 10, kSwitch = 46;

std::size_t nearest_scale(float scale) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < kScales.size(); ++i)
        if (std::abs(kScales[i] - static_cast<double>(scale)) <
            std::abs(kScales[best] - static_cast<double>(scale)))
            best = i;
    return best;
}

std::array<std::string_view, 3> theme_names(const Ui& ui) {
    return {ui.text["theme.dark"_t], ui.text["theme.light"_t], ui.text["theme.contrast"_t]};
}

constexpr SegmentedLook kScaleLook{.dense = true, .mono = true};

float label_width(const Ui& ui, TextId label) {
    return text_width(ui, type::caption(ui), ui.text[label]) + ui.px(kLabelGap);
}

// The label at the left of its control; where the control begins.
float label(const StartPage& page, std::size_t i, TextId text) {
    const Ui& ui = page.ui;
    const Rect room = page.at(page.plan.comfort[i]);
    text_in(Painter(ui), type::caption(ui), {room.x, room.y, 0, room.h}, ui.text[text]);
    const float x = room.x + label_width(ui, text);
    ImGui::SetCursorScreenPos({std::round(x), room.y});
    return x;
}

}  // namespace

std::array<float, 3> comfort_widths(const Ui& ui) {
    const auto names = theme_names(ui);
    const float motion = std::max(text_width(ui, type::caption(ui), ui.text["start.motion.on"_t]),
                                  text_width(ui, type::caption(ui), ui.text["start.motion.off"_t]));
    return {
        (label_width(ui, "start.text"_t) + segmented_width(ui, kScaleLabels, kScaleLook)) / ui.unit,
        (label_width(ui, "start.theme"_t) + segmented_width(ui, names)) / ui.unit,
        (label_width(ui, "start.motion"_t) + motion) / ui.unit + kSwitch};
}

void draw_comfort(const StartPage& page) {
    const Ui& ui = page.ui;
    const Settings& settings = page.scene.state.settings;
    label(page, 0, "start.text"_t);
    if (const auto i =
            segmented(ui, "###scale", kScaleLabels, nearest_scale(settings.text_scale), kScaleLook))
        ui.out.push("text.scale", kScales[*i]);
    label(page, 1, "start.theme"_t);
    if (const auto i =
            segmented(ui, "###theme", theme_names(ui), static_cast<std::size_t>(settings.theme)))
        ui.out.push("theme", std::string(name_of(kThemeNames[*i])));
    label(page, 2, "start.motion"_t);
    const char* state =
        ui.text[settings.reduced_motion ? "start.motion.off"_t : "start.motion.on"_t];
    if (toggle(ui, "###motion", state, !settings.reduced_motion,
               {.width = page.at(page.plan.comfort[2]).right() - ImGui::GetCursorScreenPos().x}))
        ui.out.push("motion.toggle");
}

}  // namespace kv
