// One line over both runs: what is the same, where their tokens part, and what can be done.

#include <array>
#include <cmath>

#include "app/panels/compare_bills/paint.hpp"
#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/compare_runs/words.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/controls.hpp"

namespace kv {
namespace {

struct Action {
    const char* id;
    TextId label;
    CommandId command;
    std::string_view key;
};
constexpr std::array<Action, 3> kActions{{
    {"end", "pair.end"_t, "run.end_comparison", ""},
    {"swap", "pair.swap"_t, "run.swap_sides", ""},
    {"next", "pair.next"_t, "run.next_difference", "N"},
}};

ButtonLook look_of(const Action& action) {
    return {.primary = action.command == "run.next_difference", .key = action.key};
}

constexpr float kButtonGap = 8;

float widths_of(const Ui& ui, std::span<const Action> actions) {
    float width = 0;
    for (const Action& action : actions)
        width += button_width(ui, ui.text[action.label], look_of(action)) + ui.px(kButtonGap);
    return width;
}

// The actions that fit beside the sentence; those at the front are left to menu and palette where
// not all of them do.
std::span<const Action> actions_beside(const Ui& ui, float sentence, float room) {
    std::span<const Action> shown = kActions;
    while (shown.size() > 1 && sentence + ui.px(kButtonGap) + widths_of(ui, shown) > room)
        shown = shown.subspan(1);
    return shown;
}

void draw_actions(const Ui& ui, std::span<const Action> actions, const Rect& line) {
    float x = line.right() - widths_of(ui, actions) + ui.px(kButtonGap);
    for (const Action& action : actions) {
        const std::string_view label = ui.text[action.label];
        ImGui::SetCursorScreenPos({std::floor(x), line.y});
        if (button(ui, action.id, label, look_of(action))) ui.out.push(action.command);
        x += button_width(ui, label, look_of(action)) + ui.px(kButtonGap);
    }
}

constexpr float kSentenceLine = 16, kSmallestText = 12;

void resize(std::span<Run> runs, float size) {
    for (Run& run : runs) run.style.size = size;
}

}  // namespace

void draw_pair_summary(const Ui& ui, const PairView& pair) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float height = control_height(ui, false), y = std::floor(at.y + (room.y - height) / 2);
    const TextStyle words{ui.fonts.regular, kSentenceLine, ui.colors.text2};
    const TextStyle values{ui.fonts.bold, kSentenceLine, ui.colors.text};
    const auto same = summary_sentence(pair, ui.text), parts = parting_sentence(pair, ui.text);
    List<Run> runs = runs_of(same, words, values), rest = runs_of(parts, words, values);

    resize(rest, kSmallestText);
    const std::span<const Action> actions = actions_beside(ui, runs_width(ui, rest), room.x);
    resize(rest, kSentenceLine);
    draw_actions(ui, actions, {at.x, y, room.x, height});
    const Rect line{at.x, y, room.x - widths_of(ui, actions) - ui.px(kButtonGap), height};

    rest.front().gap = 10;
    runs.insert(runs.end(), rest.begin(), rest.end());
    const bool fits = runs_width(ui, runs) <= line.w;
    if (!fits) rest.front().gap = 0;
    for (float size = kSentenceLine - 1;
         !fits && size >= kSmallestText && runs_width(ui, rest) > line.w; --size)
        resize(rest, size);
    // At a very large text the end of the sentence is cut, not the buttons.
    ImGui::PushClipRect(im(line.min()), im(line.max()), true);
    runs_in(Painter(ui), fits ? runs : rest, line);
    ImGui::PopClipRect();
}

}  // namespace kv
