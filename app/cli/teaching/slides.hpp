#pragma once
// A lesson as slides: one picture a page and one sentence beneath it. A question has a page of its
// own, without its answer; the next one has the answer. What the speaker may say stands beside each
// page, and is printed with it. Drawn without a display, in the light theme.

#include <optional>
#include <string>
#include <vector>

#include "app/cli/screen/screen.hpp"
#include "core/lesson/course/lesson.hpp"

namespace kv {

enum class SlideKind : std::uint8_t { Title, Shows, Asks, Answers, End };

struct Slide {
    SlideKind kind = SlideKind::Shows;
    std::string step;     // its id; empty: of no step
    std::string head;     // "Which block is next?"
    std::string place;    // "step 8 of 15"
    std::string picture;  // SVG; empty: none
    std::string words;    // HTML: under the picture
    std::string notes;    // HTML: for the speaker
};

// The screen that slides are drawn on. `lessons`: their folder.
class SlideScreen {
public:
    explicit SlideScreen(const std::string& lessons);

    // Throws kv::Error for a lesson that is broken.
    std::vector<Slide> slides_of(const Lesson& lesson);

private:
    void ask(const std::string& command);
    std::string picture(float height);
    std::vector<Slide> step(const Lesson& lesson, std::size_t index);
    std::vector<Slide> told(Slide common, const std::string& command);
    std::vector<Slide> asked(const Slide& common, const std::string& command);
    std::optional<Slide> happened(const Slide& common, const std::string& before);
    Slide first_page(const Lesson& lesson);
    Slide last_page(const Lesson& lesson);
    const LessonView& view() const { return screen_.run().lesson(); }

    Screen screen_;
};

// All of them as one file of HTML that needs nothing else.
std::string slides_html(const Lesson& lesson, const std::vector<Slide>& slides);

// What a slide says, as HTML, and the pixels of 1080 that it takes. Internal to the room.
struct SlideWords {
    std::string html;
    float height = 0;
};
SlideWords words_that_ask(const ShownPrediction& asked);
SlideWords words_that_answer(const ShownPrediction& asked, const std::string& right);
SlideWords words_that_show(const ShownProse& prose);
std::vector<std::string> words_of_drawing(const std::string& svg);  // its texts, in order
// Whether a picture says what answers a question of the step: then the question stands alone.
bool gives_away(const std::string& svg, const ShownStep& step);
std::string prose_html(const ShownProse& prose);
std::string first_sentences(const ShownProse& prose, std::size_t most_letters);

}  // namespace kv
