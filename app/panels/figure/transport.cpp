// What steers a figure: its keys, one by one or played.

#include <imgui.h>

#include <algorithm>

#include "app/panels/figure/figure.hpp"
#include "app/panels/figure/table.hpp"
#include "app/widgets/controls.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

float put(const Ui& ui, float x, float y, const char* id, std::string_view label,
          const ButtonLook& look, const CommandId& command) {
    ImGui::SetCursorScreenPos({x, y});
    if (button(ui, id, label, look)) ui.out.push(command);
    return x + button_width(ui, label, look) + ui.px(8);
}

// Done, present, to come.
void draw_track(const Ui& ui, const figure::Keys& keys, std::uint32_t top, std::uint32_t key,
                const Rect& room, const List<Text>& names) {
    const Painter p(ui);
    const std::uint32_t n = top - keys.first + 1;
    const float gap = n > 24 ? ui.px(1) : ui.px(2), pitch = (room.w + gap) / static_cast<float>(n);
    const bool named = names.size() == n;
    const auto fits = [&](const Text& name) {
        return text_width(ui, type::caption(ui), name) + ui.px(4) <= pitch;
    };
    const bool all = named && std::all_of(names.begin(), names.end(), fits);
    const float h = ui.px(8), y = room.y + (room.h - h) / 2 - (named ? ui.px(7) : 0);
    for (std::uint32_t i = 0; i < n; ++i) {
        const Rect one = snap({room.x + pitch * static_cast<float>(i), y, pitch - gap, h});
        const std::uint32_t at = keys.first + i;
        if (at < key) fill(p, one, ui.colors.cached.ink);
        if (at > key) outline(p, one, ui.colors.edge);
        if (at == key) {
            fill(p, one, ui.colors.focus);
            ring(p, one, {.color = ui.colors.focus, .radius = 2, .width = 2, .gap = 3});
        }
        if (all)
            text_in(p, colored(type::caption(ui), at == key ? ui.colors.text : ui.colors.text3),
                    {one.x, one.bottom() + ui.px(4), one.w, ui.px(18)}, names[i]);
    }
    if (!named || all) return;
    // Where not every name fits, the present one has the whole track.
    const Text& name = names[key - keys.first];
    const float from = room.x + pitch * static_cast<float>(key - keys.first),
                w = std::min(text_width(ui, type::caption(ui), name) + ui.px(2), room.w);
    text_in(p, colored(type::caption(ui), ui.colors.text),
            {std::min(from, room.right() - w), y + h + ui.px(4), w, ui.px(18)}, name);
}

}  // namespace

void draw_figure_transport(const Ui& ui, const LessonView& lesson) {
    const Flush flush;
    const Painter p(ui);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const FigureFacts& facts = *lesson.shown.figure;
    const figure::Keys keys = figure_keys(facts);
    const std::uint32_t top = keys.top(lesson.revealed), key = lesson.figure_key;
    const bool wide = room.x >= ui.px(900), medium = room.x >= ui.px(640);
    const float y = at.y + std::max(0.0f, (room.y - control_height(ui, false)) / 2);
    const auto cap = [&](std::string_view name) { return medium ? name : std::string_view(); };
    float x = put(ui, at.x, y, "back", ui.text["run.back"_t],
                  {.enabled = key > keys.first, .key = cap("Left")}, "figure.back");
    x = put(ui, x, y, "play", ui.text[lesson.figure_plays ? "run.pause"_t : "run.play"_t],
            {.primary = true, .enabled = top > keys.first, .key = cap("Space")}, "figure.play");
    x = put(ui, x, y, "forward", ui.text["run.forward"_t],
            {.enabled = key < top, .key = cap("Right")}, "figure.forward");

    const char* tank = ui.text["figure.tank"_t];
    const bool is_server = !lesson.shown.recording.empty();
    const ButtonLook look{.key = is_server ? "F6" : "F2"};
    const float tank_x = at.x + room.x - button_width(ui, tank, look);
    if (tank_x < x) return;  // a phone's width; F2 and the menu of layouts lead there as well
    put(ui, tank_x, y, "tank", tank, look,
        is_server ? CommandId("layout.attach") : CommandId("layout.explore"));
    if (top == keys.first) return;

    const Text count = with_commas(top - keys.first + 1), n = with_commas(key - keys.first + 1);
    const Text words =
        fill(ui.text["figure.key"_t],
             {{"word", ui.text[figure::row_of(facts).word]}, {"n", n}, {"all", count}});
    const float words_w = wide ? ui.px(120) : 0;
    const Rect track{x + ui.px(16), y, tank_x - x - words_w - ui.px(44), control_height(ui, false)};
    if (track.w < ui.px(60)) return;
    const figure::Plan plan =
        figure_plan(lesson, {figure::kLeastWidth, figure::kLeastHeight}, ui.text);
    draw_track(ui, keys, top, key, track, plan.key_names);
    if (wide)
        text_in(p, colored(type::body(ui), ui.colors.text),
                {track.right() + ui.px(14), y, words_w, track.h}, words);
}

}  // namespace kv
