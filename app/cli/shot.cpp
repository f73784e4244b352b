#include "app/cli/shot.hpp"

#include <cmath>
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
    AppState state = start_state({}, options.layout, options.theme, {});
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

Screen open_screen(const ShotOptions& options, std::unique_ptr<Surface> surface) {
    Texts texts = texts_for(options.language);
    AppState state = shot_state(options);
    state.about = about_lines(texts, surface->renderer());
    return Screen(std::move(surface), std::move(state), std::move(texts));
}

// The scene at its step, then the commands one after the other.
void start_run(Screen& screen, const ShotOptions& options) {
    const std::string scene = options.scene.value_or(options.layout);
    if (!scene.empty()) {
        screen.open_scene(scene, options.step);
        screen.finish_run();
    }
    carry_out(screen.frame().state(), options.commands);
    screen.finish_run();
}

nlohmann::ordered_json rect_json(const Rect& r) {
    return {{"x", std::lround(r.x)},
            {"y", std::lround(r.y)},
            {"w", std::lround(r.w)},
            {"h", std::lround(r.h)}};
}

nlohmann::ordered_json docks_json(const AppState& state, PixelSize pixels, float unit) {
    const Vec2 window{static_cast<float>(pixels.w) / unit, static_cast<float>(pixels.h) / unit};
    nlohmann::ordered_json docks = nlohmann::ordered_json::array();
    for (const DockPlace& place : planned_docks(state, window)) {
        const Rect& r = place.rect;
        nlohmann::ordered_json dock = rect_json({r.x * unit, r.y * unit, r.w * unit, r.h * unit});
        dock["front"] = info_of(place.dock.front).name;
        dock["tab_bar"] = place.dock.tab_bar;
        for (PanelId panel : place.dock.tabs) dock["tabs"].push_back(info_of(panel).name);
        docks.push_back(std::move(dock));
    }
    return docks;
}

// Drawn on the null surface: the plan needs no renderer.
nlohmann::ordered_json plan_json(const ShotOptions& options) {
    const PixelSize pixels = picture_size(options);
    const float scale = static_cast<float>(options.scale);
    Screen screen = open_screen(options, open_null(pixels));
    start_run(screen, options);
    for (int i = 1; i < kSettleFrames; ++i) screen.draw(false, scale);
    std::vector<WrittenText> written;
    screen.draw(false, scale, &written);

    nlohmann::ordered_json labels = nlohmann::ordered_json::array();
    for (const WrittenText& text : written) {
        nlohmann::ordered_json label = rect_json(text.rect);
        label["id"] = text.place;
        label["label"] = text.text;
        labels.push_back(std::move(label));
    }
    const AppState& state = screen.frame().state();
    return {{"kvarium_plan", 1},
            {"layout", name_of(state.layout)},
            {"theme", name_of(state.settings.theme)},
            {"width", pixels.w},
            {"height", pixels.h},
            {"scale", options.scale},
            {"text_scale", options.text_scale},
            {"docks",
             docks_json(state, pixels, static_cast<float>(options.scale * options.text_scale))},
            {"labels", labels}};
}

}  // namespace

Image shot_image(const ShotOptions& options) {
    Screen screen = open_screen(options, open_headless(picture_size(options)));
    start_run(screen, options);
    for (int i = 0; i < kSettleFrames; ++i) screen.draw(false, static_cast<float>(options.scale));
    return screen.surface().read_pixels();
}

int run_shot(const ShotOptions& options) {
    if (!options.out && !options.plan)
        throw Error(ErrorCode::Usage,
                    "shot needs a place for its result: add --out FILE.png or --plan FILE.json.");
    if (options.plan) write_output(*options.plan, plan_json(options).dump(1) + "\n");
    if (options.out)
        write_output(*options.out, encode_png(shot_image(options), options.command_line));
    return 0;
}

}  // namespace kv
