// The first thing a person sees over the running picture: text size and theme, so that the rest can
// be read.

#include <array>
#include <cmath>

#include "app/frame/overlay/overlay.hpp"
#include "app/frame/overlay/overlays.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/rows.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 6> kScaleLabels{"0.8", "1", "1.25", "1.5", "2", "3"};
constexpr std::array<double, 6> kScales{0.8, 1.0, 1.25, 1.5, 2.0, 3.0};

std::size_t nearest_scale(float scale) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < kScales.size(); ++i)
        if (std::abs(kScales[i] - static_cast<double>(scale)) <
            std::abs(kScales[best] - static_cast<double>(scale)))
            best = i;
    return best;
}

void draw_choices(const Ui& ui, const AppState& state) {
    const float width = ImGui::GetContentRegionAvail().x;
    control_head(ui, ui.text["first.text"_t]);
    if (const auto i =
            segmented(ui, "###scale", kScaleLabels, nearest_scale(state.settings.text_scale),
                      {.dense = false, .mono = true, .width = width}))
        ui.out.push("text.scale", kScales[*i]);
    space(ui, 12);

    const std::array<std::string_view, 3> themes{ui.text["theme.dark"_t], ui.text["theme.light"_t],
                                                 ui.text["theme.contrast"_t]};
    control_head(ui, ui.text["first.theme"_t]);
    if (const auto i =
            segmented(ui, "###theme", themes, static_cast<std::size_t>(state.settings.theme),
                      {.dense = false, .width = width}))
        ui.out.push("theme", std::string(name_of(kThemeNames[*i])));
    space(ui, 12);

    if (toggle(ui, "###motion", ui.text["first.motion"_t], state.settings.reduced_motion,
               {.caption = ui.text["first.motion.why"_t]}))
        ui.out.push("motion.toggle");
}

}  // namespace

void draw_first_start(const Ui& ui, AppState& state) {
    overlay(ui, "###first_start", {.width = 440}, state.first_start_open, [&] {
        paragraph(ui, type::object_title(ui), 26, ui.text["first.title"_t]);
        space(ui, 4);
        paragraph(ui, type::body(ui), 19, ui.text["first.why"_t]);
        space(ui, 16);
        draw_choices(ui, state);
        space(ui, 14);
        paragraph(ui, type::body(ui), 19, ui.text["first.next"_t]);
        space(ui, 14);
        if (button(ui, "###done", ui.text["first.done"_t], {.primary = true, .key = "Esc"}))
            state.first_start_open = false;
    });
    if (!state.first_start_open) state.settings.first_start_done = true;
}

}  // namespace kv
