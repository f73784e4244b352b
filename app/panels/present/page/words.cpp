// What a page says: its headline and its prose.

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/lesson/prose.hpp"
#include "app/panels/present/page/paint.hpp"
#include "app/panels/present/paint.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

// Prose of a lesson is written at 15 on 21; on a page it is 33 on 46.
constexpr float kProseSize = 15, kProseScale = PageType::kProse / kProseSize;
constexpr LessonProseLook kPageProse{kProseSize, PageType::kProsePitch / kProseScale, true};
constexpr float kStoryMark = 56, kStoryMarkGap = 24, kHintGap = 12, kAboveHeadline = 34;
// A headline becomes smaller, down to `least`, while it takes more lines.
struct HeadlineLook {
    float most, least;
    int lines;
};
constexpr HeadlineLook kWideHeadline{PageType::kHeadline, 40, 2}, kColumnHeadline{48, 38, 4};

Ui prose_ui(const Ui& ui) {
    return scaled(ui, ui.unit * kProseScale);
}

std::string_view headline_of(const PageFace& face, const EventStory* story) {
    return story != nullptr ? std::string_view(story->headline) : std::string_view(face.headline);
}

TextStyle headline_style(const Ui& ui, std::string_view words, float width, bool in_column) {
    const HeadlineLook& look = in_column ? kColumnHeadline : kWideHeadline;
    TextStyle style{ui.fonts.bold, look.most, ui.colors.text};
    const float scale = PageType::kHeadlinePitch / PageType::kHeadline;
    for (; style.size > look.least; style.size = std::max(look.least, style.size - 4))
        if (wrapped_height(ui, style, style.size * scale, width, words) <=
            ui.px(style.size * scale) * static_cast<float>(look.lines) + 1)
            break;
    return style;
}
float headline_pitch(const TextStyle& style) {
    return style.size * PageType::kHeadlinePitch / PageType::kHeadline;
}

float mark_room(const Ui& ui, const EventStory* story) {
    return story != nullptr ? ui.px(kStoryMark + kStoryMarkGap) : 0;
}

float headline_height(const Ui& ui, const PageWords& page, float width) {
    const std::string_view words = headline_of(page.face, page.story);
    const float room = width - mark_room(ui, page.story);
    const TextStyle style = headline_style(ui, words, room, page.in_column);
    return wrapped_height(ui, style, headline_pitch(style), room, words) +
           (page.face.above.empty() ? 0 : ui.px(kAboveHeadline));
}

// A hint begins with its name.
ShownProse with_name(const Ui& ui, const ShownProse& hint) {
    ShownProse named = hint;
    if (!named.empty() && !named[0].cells.empty())
        named[0].cells[0].insert(named[0].cells[0].begin(),
                                 {ShownSpan::Kind::Words, ui.text["lesson.page.hint"_t], {}, {}});
    return named;
}

Text hint_words(const Ui& ui, const PageFace& face) {
    return Text(ui.text["lesson.page.hint"_t]) + face.hint_words;
}

TextStyle plain_prose(const Ui& ui) {
    return {ui.fonts.regular, PageType::kProse, ui.colors.text2};
}

float prose_height(const Ui& ui, const PageFace& face, float width) {
    const Ui prose = prose_ui(ui);
    float height = 0;
    if (face.prose != nullptr) height = lesson_prose_height(prose, *face.prose, width, kPageProse);
    if (!face.words.empty())
        height += wrapped_height(ui, plain_prose(ui), PageType::kProsePitch, width, face.words);
    if (face.hint != nullptr)
        height += ui.px(kHintGap) +
                  lesson_prose_height(prose, with_name(ui, *face.hint), width, kPageProse);
    if (!face.hint_words.empty())
        height += ui.px(kHintGap) + wrapped_height(ui, plain_prose(ui), PageType::kProsePitch,
                                                   width, hint_words(ui, face));
    return height;
}

void draw_prose_words(const Ui& ui, const PageFace& face, const Rect& room, RunFocus& focus) {
    const Flush flush;
    const Ui prose = prose_ui(ui);
    float y = room.y;
    if (!face.words.empty())
        y += wrapped_at(Painter(ui), plain_prose(ui), PageType::kProsePitch, room, face.words);
    if (face.prose != nullptr) {
        draw_lesson_prose(prose, "words", *face.prose, focus, kPageProse);
        y = ImGui::GetCursorScreenPos().y;
    }
    y += ui.px(kHintGap);
    if (!face.hint_words.empty())
        wrapped_at(Painter(ui), plain_prose(ui), PageType::kProsePitch, {room.x, y, room.w, room.h},
                   hint_words(ui, face));
    if (face.hint == nullptr) return;
    ImGui::SetCursorScreenPos({room.x, y});
    draw_lesson_prose(prose, "hint", with_name(ui, *face.hint), focus, kPageProse);
}

void draw_prose(const Ui& ui, const PageFace& face, const Rect& room, RunFocus& focus) {
    ImGui::SetCursorScreenPos(im(room.min()));
    ImGui::BeginChild("prose", {room.w, std::max(1.0f, room.h)}, 0,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                          ImGuiWindowFlags_NoBackground);
    draw_prose_words(ui, face, room, focus);
    ImGui::EndChild();
}

void draw_headline(const Ui& ui, const PagePlan& plan, const PageFace& face,
                   const EventStory* story) {
    const Painter p(ui);
    Rect room = plan.headline;
    if (!face.above.empty()) {
        const float size = plan.in_column ? PageType::kLeastProse : PageType::kLabel;
        text_in(p, {ui.fonts.regular, size, ui.colors.text3},
                {room.x, room.y, room.w, ui.px(kAboveHeadline)}, face.above);
        room.y += ui.px(kAboveHeadline);
    }
    const std::string_view words = headline_of(face, story);
    const float mark = mark_room(ui, story);
    room.x += mark, room.w -= mark;
    const TextStyle style = headline_style(ui, words, room.w, plan.in_column);
    if (story != nullptr)
        draw_event_mark(
            p, {room.x - mark + ui.px(kStoryMark) / 2, room.y + ui.px(headline_pitch(style)) / 2},
            kStoryMark, story->mark);
    wrapped_at(p, style, headline_pitch(style), room, words);
}

}  // namespace

PageNeeds page_needs(const PageWords& page) {
    PageNeeds needs;
    needs.headline = [&page](float words, float width) {
        return headline_height(scaled(page.ui, words), page, width);
    };
    needs.prose = [&page](float words, float width) {
        return prose_height(scaled(page.ui, words), page.face, width);
    };
    needs.choice_lines = [&page](float size, float words, float each) {
        return choice_lines(scaled(page.ui, words), page.face, size, each);
    };
    needs.n_choices = page.face.choices.size();
    needs.is_written = page.face.is_written;
    needs.asks = page.face.has_large_foot();
    return needs;
}

void draw_page_words(const Ui& ui, const PagePlan& plan, const PageFace& face,
                     const EventStory* story, RunFocus& focus) {
    const Ui words = scaled(ui, plan.words);
    draw_headline(words, plan, face, story);
    draw_prose(words, face, plan.prose, focus);
    draw_choices(words, plan, face);
    draw_page_foot(scaled(ui, plan.buttons), plan, face, story);
}

}  // namespace kv
