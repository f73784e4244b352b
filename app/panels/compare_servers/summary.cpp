// One line over both servers: what differs, and what can be done.

#include <imgui.h>

#include <cmath>

#include "app/panels/compare_bills/paint.hpp"
#include "app/panels/compare_servers/axis.hpp"
#include "app/panels/compare_servers/panels.hpp"
#include "app/panels/compare_servers/words.hpp"
#include "app/widgets/controls.hpp"

namespace kv {
namespace {

constexpr float kServersLine = 16, kSmallestLine = 12, kServersGap = 8;

// The buttons stand at the right; the room that is left beside them.
Rect draw_servers_actions(const Ui& ui, Rect line) {
    const auto put = [&](const char* id, TextId label, CommandId command) {
        const float w = button_width(ui, ui.text[label]);
        line.w -= w;
        ImGui::SetCursorScreenPos({std::floor(line.right()), line.y});
        if (button(ui, id, ui.text[label])) ui.out.push(command);
        line.w -= ui.px(kServersGap);
    };
    put("alone", "pair.end"_t, "attach.alone");
    put("swap", "pair.swap"_t, "attach.swap");
    line.w = std::max(1.0f, line.w);
    return line;
}

}  // namespace

void draw_servers_summary(const Ui& ui, const AttachUi& own) {
    const Flush flush;
    if (!own.compares()) return draw_no_server(ui, "servers.nothing"_t, "servers.nothing.why"_t);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float height = control_height(ui, false);
    const Rect line =
        draw_servers_actions(ui, {at.x, std::floor(at.y + (room.y - height) / 2), room.x, height});
    const TextStyle words{ui.fonts.regular, kServersLine, ui.colors.text2};
    const TextStyle values{ui.fonts.bold, kServersLine, ui.colors.text};
    const auto sentence = servers_sentence(*own.view, *own.other, ui.text);
    List<Run> runs = runs_of(sentence, words, values);
    for (float size = kServersLine - 1; size >= kSmallestLine && runs_width(ui, runs) > line.w;
         --size)
        for (Run& run : runs) run.style.size = size;
    // At a very large text the end of the sentence is cut, not the buttons.
    ImGui::PushClipRect(im(line.min()), im(line.max()), true);
    runs_in(Painter(ui), runs, line);
    ImGui::PopClipRect();
}

Text servers_clock_caption(const Ui& ui, const AttachUi& own) {
    if (!own.compares()) return {};
    return ui.text[pair_axis(*own.view, *own.other).one_clock ? "servers.one_clock"_t
                                                              : "servers.own_start"_t];
}

}  // namespace kv
