#include "app/panels/present/notes/notes.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/panels/present/page/face.hpp"
#include "app/panels/present/run/words.hpp"
#include "app/widgets/bare_window.hpp"
#include "app/widgets/hit.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

void draw_field(const Ui& ui, NotesUi& own, float size, Vec2 room) {
    ImGui::PushFont(ui.fonts.regular, ui.px(size));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(8)});
    const std::string before = own.text;
    ImGui::InputTextMultiline("###notes", &own.text,
                              {std::max(1.0f, room.x), std::max(ui.px(60), room.y)},
                              ImGuiInputTextFlags_WordWrap);
    // Esc leaves the field, and would take back what was typed into it.
    if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) own.text = before;
    ImGui::PopStyleVar();
    ImGui::PopFont();
}

bool has_lesson(const LessonView* lesson) {
    return lesson != nullptr && lesson->lesson.has_value();
}

Text place_of(const Texts& text, const NotesPage& page) {
    if (has_lesson(page.lesson)) {
        const LessonHead* head = page.lesson->head();
        const std::size_t pages = head != nullptr ? head->steps.size() : 1;
        return fill(text["lesson.page.head"_t], {{"n", with_commas(*page.lesson->lesson)},
                                                 {"page", with_commas(page.lesson->step + 1)},
                                                 {"pages", with_commas(pages)}});
    }
    const RunView& run = *page.run;
    const std::uint32_t last =
        run.samples.empty() ? run.now.iteration : run.samples.back().iteration;
    return fill(text["notes.window.step"_t],
                {{"n", with_commas(run.now.iteration)},
                 {"total", with_commas(std::max(last, run.now.iteration))}});
}

// "Pages   Lesson 8, page 7 of 15   14:05", and where that ends.
float paint_place(const Painter& p, const NotesPage& page, const Rect& line) {
    const Ui& ui = p.ui;
    const Text place = place_of(ui.text, page);
    Text title = page.run != nullptr ? Text(page.run->scene) : Text();
    if (has_lesson(page.lesson) && page.lesson->head() != nullptr)
        title = page.lesson->head()->title;
    const TextStyle clock = aligned(sized(type::number_strong(ui), 22), Align::Right);
    const float w = std::ceil(text_width(ui, clock, page.clock));
    text_in(p, clock, line, page.clock);
    const TextStyle name = type::object_title(ui), where = type::body(ui);
    const float room = std::max(1.0f, line.w - w - ui.px(20));
    const float name_w = std::min(room, std::ceil(text_width(ui, name, title)));
    text_in(p, name, {line.x, line.y, name_w, line.h}, title);
    const float left = name_w + ui.px(14);
    if (left < room) text_in(p, where, {line.x + left, line.y, room - left, line.h}, place);
    return line.bottom();
}

void paint_caption(const Painter& p, std::string_view words, Rect& room) {
    text_in(p, type::caption(p.ui), {room.x, room.y, room.w, p.ui.px(20)}, words);
    room.y += p.ui.px(22);
}

// What the audience reads, so that it can be said in other words; of a question the answer too.
float paint_lesson(const Painter& p, const LessonView& lesson, Rect room) {
    const Ui& ui = p.ui;
    const PageFace face = page_face(lesson, ui.text);
    const TextStyle headline{ui.fonts.bold, 20, ui.colors.text};
    const TextStyle prose = sized(type::prose(ui), 15);
    room.y += wrapped_at(p, headline, 26, room, face.headline);
    if (face.prediction) {
        const ShownPrediction& asked = lesson.predictions[*face.prediction].prediction;
        const Text answer = Text(ui.text["notes.window.answer"_t]) + ": " + asked.answer +
                            (asked.unit.empty() ? Text() : Text(" ") + asked.unit);
        room.y += wrapped_at(p, with_font(colored(prose, ui.colors.text), ui.fonts.semibold), 23,
                             room, answer);
    } else if (face.state == PageState::Exercise) {
        room.y += wrapped_at(p, prose, 23, room, face.words);
    }
    return room.y;
}

float paint_run(const Painter& p, const NotesPage& page, Rect room) {
    const Ui& ui = p.ui;
    const PresentRunWords words = present_run_words(*page.run, page.focus, ui.text);
    const TextStyle caption{ui.fonts.bold, 20, ui.colors.text};
    const TextStyle prose = sized(type::prose(ui), 15);
    room.y += wrapped_at(p, caption, 26, room, words.caption);
    for (const Text& line : words.prose)
        if (!line.empty()) room.y += wrapped_at(p, prose, 23, room, line);
    return room.y;
}

// The teacher's words of the lesson, as they were written.
float paint_teacher(const Painter& p, const LessonView& lesson, float size, float pitch,
                    const Rect& room) {
    const std::string words = plain_text(lesson.shown.notes);
    if (words.empty()) return room.y;
    const TextStyle style = colored(sized(type::prose(p.ui), size), p.ui.colors.text);
    return room.y + wrapped_at(p, style, pitch, room, words) + p.ui.px(8);
}

}  // namespace

void NotesUi::keep() {
    if (page.empty()) return;
    // A page that was never written about has no words of its own. One whose words were all taken
    // out keeps an empty text, or those of its scene would come back.
    if (const auto known = of_pages.find(page); known != of_pages.end())
        known->second = text;
    else if (text != given)
        of_pages[page] = text;
}

void NotesUi::turn_to(const std::string& next) {
    if (next == page) return;
    page = next;
    given = text;
    if (const auto known = of_pages.find(next); known != of_pages.end()) text = known->second;
}

Text next_page(const LessonView& lesson, const Texts& text) {
    if (lesson.has_more && !lesson.revealed) return text["notes.window.next.reveal"_t];
    const LessonHead* head = lesson.head();
    const bool same = lesson.face + 1 < lesson.n_faces();
    if (head == nullptr) return {};
    if (!same && lesson.step + 1 >= head->steps.size()) return text["notes.window.last"_t];
    return Text(text["notes.window.next"_t]) + ": " +
           (same ? lesson.shown.title : head->steps[lesson.step + 1]);
}

void draw_notes(const Ui& ui, NotesUi& own, const LessonView* lesson) {
    const Flush flush;
    paragraph(ui, type::caption(ui), 17, ui.text["notes.what"_t]);
    space(ui, 8);
    if (has_lesson(lesson)) {
        const std::string words = plain_text(lesson->shown.notes);
        if (!words.empty()) paragraph(ui, type::prose(ui), 23, words);
        space(ui, 8);
    }
    const ImVec2 room = ImGui::GetContentRegionAvail();
    draw_field(ui, own, 15, {room.x, room.y});
}

void draw_notes_page(const Ui& ui, NotesUi& own, const NotesPage& page, const Rect& room) {
    const BareWindow window("###present", room, ui.colors.panel);
    const Painter p(ui);
    const Rect inner = room.inset(ui.px(20));
    if (page.run == nullptr && !has_lesson(page.lesson)) {
        wrapped_at(p, type::prose(ui), 23, inner, ui.text["notes.window.none"_t]);
        return;
    }
    Rect rest = inner;
    rest.y = paint_place(p, page, {inner.x, inner.y, inner.w, ui.px(28)}) + ui.px(10);
    paint_caption(p, ui.text[page.frozen ? "notes.window.frozen"_t : "notes.window.audience"_t],
                  rest);
    if (!has_lesson(page.lesson)) {
        rest.y = paint_run(p, page, rest);
    } else {
        rest.y = paint_lesson(p, *page.lesson, rest) + ui.px(8);
        rest.y += wrapped_at(p, colored(sized(type::prose(ui), 15), ui.colors.text2), 23, rest,
                             next_page(*page.lesson, ui.text));
    }
    rest.y += ui.px(10);
    hline(p, inner.x, inner.right(), rest.y, ui.colors.line);
    rest.y += ui.px(10);
    paint_caption(p, ui.text["notes.window.notes"_t], rest);
    if (has_lesson(page.lesson)) rest.y = paint_teacher(p, *page.lesson, 20, 28, rest);
    const char* const keys = ui.text["notes.window.keys"_t];
    const float foot = wrapped_height(ui, type::caption(ui), 17, inner.w, keys);
    ImGui::SetCursorScreenPos({inner.x, rest.y});
    draw_field(ui, own, 20, {inner.w, inner.bottom() - foot - ui.px(12) - rest.y});
    wrapped_at(p, type::caption(ui), 17, {inner.x, inner.bottom() - foot, inner.w, foot}, keys);
}

}  // namespace kv
