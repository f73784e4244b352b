// Transport: Back, Play and Forward, how far a step goes and how fast play goes, the cursor in
// words, and below them the timeline.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/timeline/lanes.hpp"
#include "app/panels/timeline/panels.hpp"
#include "app/panels/timeline/step_words.hpp"
#include "app/panels/view/facts.hpp"
#include "app/shell/drawn_parts.hpp"
#include "app/widgets/controls.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::array kSteps{Granularity::Operation, Granularity::Layer, Granularity::Token,
                            Granularity::Iteration};
constexpr std::array kSpeeds{0.5, 1.0, 2.0, 4.0, 16.0};

void place(float x, float y) {
    ImGui::SetCursorScreenPos({x, y});
}

// Back, Play, Forward; the next free x.
float draw_buttons(const Ui& ui, const RunView& run, const Playback& playback, float x, float y,
                   bool key_caps) {
    const auto cap = [&](std::string_view key) { return key_caps ? key : std::string_view{}; };
    const auto next = [&](std::string_view label, const ButtonLook& look) {
        return button_width(ui, label, look) + ui.px(8);
    };
    const ButtonLook back{.enabled = run.moment > 0, .key = cap("Left")};
    place(x, y);
    if (button(ui, "back", ui.text["run.back"_t], back)) ui.out.push("run.back");
    x += next(ui.text["run.back"_t], back);
    const bool can_go = !run.at_end || playback.playing;  // at the end it can still be paused
    const ButtonLook play{.primary = true, .enabled = can_go, .key = cap("Space")};
    const char* label = ui.text[playback.playing ? "run.pause"_t : "run.play"_t];
    place(x, y);
    if (button(ui, "play", label, play)) ui.out.push("run.play");
    x += next(label, play);
    const ButtonLook forward{.enabled = !run.at_end, .key = cap("Right")};
    place(x, y);
    if (button(ui, "forward", ui.text["run.forward"_t], forward)) ui.out.push("run.forward");
    tell_part(
        ui, {PartKind::Forward},
        {x, y, button_width(ui, ui.text["run.forward"_t], forward), control_height(ui, false)});
    return x + next(ui.text["run.forward"_t], forward);
}

float draw_label(const Ui& ui, const Painter& p, TextId text, float x, float y) {
    const float width = text_width(ui, type::body(ui), ui.text[text]);
    text_in(p, colored(type::body(ui), ui.colors.text3), {x, y, 0, control_height(ui, false)},
            ui.text[text]);
    return x + width + ui.px(12);
}

// The four sizes of a step beside each other, or as a list where they would be cut.
float draw_step_choice(const Ui& ui, const Playback& playback, float x, float y, float right) {
    const std::array<std::string_view, 4> names{ui.text["run.op"_t], ui.text["run.layer"_t],
                                                ui.text["run.token"_t], ui.text["run.step"_t]};
    const auto now = static_cast<std::size_t>(playback.step);
    const SegmentedLook look{.dense = false};
    const float wanted = segmented_width(ui, names, look);
    const bool fits = x + wanted <= right;
    const float listed = std::ceil(text_width(ui, type::body(ui), names[1])) + ui.px(56);
    const float width = fits ? wanted : std::max(1.0f, std::min(listed, right - x));
    place(x, y);
    const auto chosen = fits ? segmented(ui, "step", names, now, look)
                             : dropdown(ui, "step", names, now, {.dense = false, .width = width});
    if (chosen) ui.out.push("run.step", Text(name_of(kSteps[*chosen])));
    return x + width;
}

float draw_speed_choice(const Ui& ui, const Playback& playback, float x, float y) {
    constexpr std::array<std::string_view, kSpeeds.size()> kNames{"0.5", "1", "2", "4", "16"};
    const auto found = std::find(kSpeeds.begin(), kSpeeds.end(), playback.speed);
    const SegmentedLook look{.dense = false, .mono = true};
    place(x, y);
    if (const auto chosen =
            segmented(ui, "speed", kNames, static_cast<std::size_t>(found - kSpeeds.begin()), look))
        ui.out.push("run.speed", kSpeeds[*chosen]);
    return x + segmented_width(ui, kNames, look);
}

// "Step 39 of 48   layer 2   op 4 of 6", and in a wide row what the step does.
void draw_position(const Ui& ui, const Painter& p, const RunView& run, const RunHistory& history,
                   bool both_sides, const Rect& room) {
    const TextStyle quiet = type::body(ui), value = type::number_strong(ui);
    const Text step = with_commas(run.now.iteration);
    const Text of = fill(ui.text["run.of"_t], {{"n", with_commas(history.last_iteration())}});
    List<Run> runs{{quiet, ui.text["run.step"_t]}, {value, step, 6}, {quiet, of, 6}};
    if (both_sides) runs.push_back({quiet, ui.text["pair.both"_t], 6});
    const auto parts = position_words(ui.text, run);
    for (const PositionWord& part : parts) {
        runs.push_back({quiet, part.label, 14});
        if (!part.value.empty()) runs.push_back({value, part.value, 6});
        if (!part.rest.empty()) runs.push_back({quiet, part.rest, 6});
    }
    const Text what = step_sentence(ui.text, run, history);
    runs.push_back({quiet, what, 20});
    // What has no room goes from the end; the least is "Step 39".
    constexpr std::size_t kStepAlone = 2;
    while (runs.size() > kStepAlone && runs_width(ui, runs) > room.w) runs.pop_back();
    if (runs_width(ui, runs) <= room.w) runs_in(p, runs, room);
}

}  // namespace

void draw_transport(const Ui& ui, const RunView& run, RunFocus& focus, const Playback& playback,
                    const RunHistory& history, const TimelinePair* pair) {
    const Flush flush;
    const Painter p(ui);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float height = control_height(ui, false), right = at.x + room.x;
    const bool wide = room.x >= ui.px(900);
    float x = draw_buttons(ui, run, playback, at.x, at.y, room.x >= ui.px(760)) + ui.px(12);
    if (wide) x = draw_label(ui, p, "run.step_by"_t, x, at.y);
    x = draw_step_choice(ui, playback, x, at.y, right) + ui.px(20);
    if (wide) {
        x = draw_label(ui, p, "run.speed"_t, x, at.y);
        x = draw_speed_choice(ui, playback, x, at.y) + ui.px(24);
    }
    draw_position(ui, p, run, history, pair != nullptr,
                  {x, at.y, std::max(0.0f, right - x), height});

    const float top = at.y + height + ui.px(6);
    const Rect rest{at.x, top, room.x, at.y + room.y - top};
    if (rest.h >= ui.px(8)) draw_timeline(ui, run, focus, history, rest, pair);
}

}  // namespace kv
