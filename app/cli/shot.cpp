#include "app/cli/shot.hpp"

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/output.hpp"
#include "app/cli/screen.hpp"
#include "app/cli/start_state.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

// Dear ImGui needs a few frames until windows know their sizes and popups are placed.
constexpr int kSettleFrames = 6;

AppState shot_state(const ShotOptions& options) {
    AppState state = start_state({}, options.layout, options.theme, options.commands);
    state.settings.text_scale = static_cast<float>(options.text_scale);
    state.settings.reduced_motion = true;
    if (options.panel) {
        const PanelInfo* panel = find_panel(*options.panel);
        if (panel == nullptr || panel->id == PanelId::Help) {
            std::string known;
            for (const PanelInfo& other : panel_table())
                if (other.id != PanelId::Help)
                    known += (known.empty() ? "" : ", ") + std::string(other.name);
            throw Error(ErrorCode::Usage, "--panel `" + *options.panel +
                                              "` is not a panel; use one of " + known + ".");
        }
        state.only_panel = panel->id;
    }
    return state;
}

PixelSize picture_size(const ShotOptions& options) {
    return {static_cast<int>(std::lround(options.size.w * options.scale)),
            static_cast<int>(std::lround(options.size.h * options.scale))};
}

nlohmann::ordered_json plan_json(const ShotOptions& options, const AppState& state,
                                 const Texts& text) {
    const float unit = static_cast<float>(options.scale * options.text_scale);
    const PixelSize pixels = picture_size(options);
    const Vec2 window{static_cast<float>(pixels.w) / unit, static_cast<float>(pixels.h) / unit};
    nlohmann::ordered_json docks = nlohmann::ordered_json::array();
    for (const DockPlace& place : planned_docks(state, window)) {
        nlohmann::ordered_json tabs = nlohmann::ordered_json::array();
        for (PanelId panel : place.dock.tabs)
            tabs.push_back({{"id", info_of(panel).name}, {"label", text[info_of(panel).title]}});
        const auto px = [unit](float v) { return std::lround(v * unit); };
        docks.push_back({{"x", px(place.rect.x)},
                         {"y", px(place.rect.y)},
                         {"w", px(place.rect.w)},
                         {"h", px(place.rect.h)},
                         {"front", info_of(place.dock.front).name},
                         {"tab_bar", place.dock.tab_bar},
                         {"tabs", tabs}});
    }
    return {{"kvarium_plan", 1},
            {"layout", name_of(state.layout)},
            {"theme", options.theme},
            {"width", pixels.w},
            {"height", pixels.h},
            {"scale", options.scale},
            {"text_scale", options.text_scale},
            {"docks", docks}};
}

}  // namespace

Image shot_image(const ShotOptions& options) {
    Texts texts = texts_for(options.language);
    AppState state = shot_state(options);
    Screen screen(open_headless(picture_size(options)), std::move(state), texts);
    screen.frame().state().about = about_lines(texts, screen.surface().renderer());
    for (int i = 0; i < kSettleFrames; ++i) screen.draw(false, static_cast<float>(options.scale));
    return screen.surface().read_pixels();
}

int run_shot(const ShotOptions& options) {
    if (!options.out && !options.plan)
        throw Error(ErrorCode::Usage,
                    "shot needs a place for its result: add --out FILE.png or --plan FILE.json.");
    if (options.plan) {
        const Texts texts = texts_for(options.language);
        write_output(*options.plan, plan_json(options, shot_state(options), texts).dump(1) + "\n");
    }
    if (options.out) {
        write_output(*options.out, encode_png(shot_image(options), options.command_line));
    }
    return 0;
}

}  // namespace kv
