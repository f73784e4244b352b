#include "app/panels/present/lesson.hpp"

#include <algorithm>
#include <string>

#include "app/widgets/paint/paint.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kLargestProse = 33, kLeastProse = 18, kProsePitch = 1.4f;

// The largest size at which the words have room; the least one where none has.
float size_with_room(const Ui& ui, const TextStyle& style, const Rect& room,
                     std::string_view words) {
    float size = kLargestProse;
    for (; size > kLeastProse; --size)
        if (wrapped_height(ui, sized(style, size), size * kProsePitch, room.w, words) <= room.h)
            break;
    return size;
}

}  // namespace

std::string present_lesson_words(const LessonView& lesson, const Texts& text) {
    std::string words;
    if (!lesson.revealed && lesson.predictions.empty()) return plain_text(lesson.shown.text);
    if (!lesson.revealed) {
        for (const AskedPrediction& asked : lesson.predictions) {
            words += (words.empty() ? "" : "\n") + asked.asked.question;
            for (std::size_t i = 0; i < asked.asked.choices.size(); ++i)
                words += "\n" + std::to_string(i + 1) + "  " + asked.asked.choices[i];
        }
        return words;
    }
    for (const AskedPrediction& asked : lesson.predictions)
        words += fill(text["lesson.present.answer"_t],
                      {{"question", asked.asked.question},
                       {"answer", asked.verdict ? asked.verdict->real : std::string()}}) +
                 "\n";
    return words + plain_text(lesson.shown.then);
}

void draw_present_lesson(const Ui& ui, const LessonView& lesson, const Rect& caption,
                         const Rect& prose) {
    const Painter p(ui);
    TextStyle title{ui.fonts.bold, 60, ui.colors.text};
    const float wide = text_width(ui, title, lesson.shown.title);
    if (wide > caption.w && wide > 0) title.size = std::floor(title.size * caption.w / wide);
    text_in(p, title, caption, lesson.shown.title);
    const std::string words = present_lesson_words(lesson, ui.text);
    TextStyle style{ui.fonts.regular, kLargestProse, ui.colors.text2};
    style.size = size_with_room(ui, style, prose, words);
    wrapped_at(p, style, style.size * kProsePitch, prose, words);
}

}  // namespace kv
