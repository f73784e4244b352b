#include "app/panels/present/run/notes.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/panels/present/run/words.hpp"
#include "app/panels/present/window.hpp"
#include "app/widgets/hit.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {

namespace {

void draw_field(const Ui& ui, NotesUi& own, float size, Vec2 room) {
    ImGui::PushFont(ui.fonts.regular, ui.px(size));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(8)});
    ImGui::InputTextMultiline("###notes", &own.text,
                              {std::max(1.0f, room.x), std::max(ui.px(60), room.y)},
                              ImGuiInputTextFlags_WordWrap);
    ImGui::PopStyleVar();
    ImGui::PopFont();
}

// "paper-figure-8   step 12 of 40".
float paint_place(const Painter& p, const RunView& run, const Rect& line) {
    const Ui& ui = p.ui;
    const std::uint32_t last =
        run.samples.empty() ? run.now.iteration : run.samples.back().iteration;
    const std::string step = fill(ui.text["notes.window.step"_t],
                                  {{"n", with_commas(run.now.iteration)},
                                   {"total", with_commas(std::max(last, run.now.iteration))}});
    const TextStyle number = aligned(type::number_strong(ui), Align::Right);
    const float w = std::ceil(text_width(ui, number, step));
    text_in(p, number, line, step);
    text_in(p, type::object_title(ui),
            {line.x, line.y, std::max(1.0f, line.w - w - ui.px(20)), line.h}, run.scene);
    return line.bottom();
}

// What the audience reads, so that it can be said in other words.
float paint_audience(const Painter& p, const RunView& run, const RunFocus& focus, Rect room) {
    const Ui& ui = p.ui;
    const PresentRunWords words = present_run_words(run, focus, ui.text);
    const TextStyle caption{ui.fonts.bold, 20, ui.colors.text};
    const TextStyle prose = sized(type::prose(ui), 15);
    text_in(p, type::caption(ui), {room.x, room.y, room.w, ui.px(20)},
            ui.text["notes.window.audience"_t]);
    room.y += ui.px(22);
    room.y += wrapped_at(p, caption, 26, room, words.caption);
    for (const Text& line : words.prose)
        if (!line.empty()) room.y += wrapped_at(p, prose, 23, room, line);
    return room.y;
}

}  // namespace

void draw_notes(const Ui& ui, NotesUi& own) {
    const Flush flush;
    paragraph(ui, type::caption(ui), 17, ui.text["notes.what"_t]);
    space(ui, 8);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    draw_field(ui, own, 15, {room.x, room.y});
}

void draw_notes_page(const Ui& ui, NotesUi& own, const RunView* run, const RunFocus& focus,
                     const Rect& room) {
    const PresentWindow window(ui, room);
    const Painter p(ui);
    const Rect page = room.inset(ui.px(20));
    if (run == nullptr) {
        wrapped_at(p, type::prose(ui), 23, page, ui.text["notes.window.none"_t]);
        return;
    }
    float y = paint_place(p, *run, {page.x, page.y, page.w, ui.px(28)}) + ui.px(12);
    y = paint_audience(p, *run, focus, {page.x, y, page.w, page.h}) + ui.px(12);
    hline(p, page.x, page.right(), y, ui.colors.line);
    y += ui.px(12);
    text_in(p, type::caption(ui), {page.x, y, page.w, ui.px(20)}, ui.text["notes.window.notes"_t]);
    y += ui.px(22);
    const char* const keys = ui.text["notes.window.keys"_t];
    const float foot = wrapped_height(ui, type::caption(ui), 17, page.w, keys);
    ImGui::SetCursorScreenPos({page.x, y});
    draw_field(ui, own, 20, {page.w, page.bottom() - foot - ui.px(12) - y});
    wrapped_at(p, type::caption(ui), 17, {page.x, page.bottom() - foot, page.w, foot}, keys);
}

}  // namespace kv
