#include "app/cli/teaching/slides.hpp"

#include <algorithm>
#include <cmath>

#include "app/cli/screen/start_state.hpp"
#include "app/cli/teaching/html.hpp"
#include "app/shell/theme.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr PixelSize kSlide{1920, 1080};
constexpr float kHead = 76, kBelowPicture = 26, kFoot = 40, kLeastPicture = 300;
constexpr int kSettle = 6;  // frames until windows know their sizes

AppState slide_state() {
    AppState state;
    state.layout = LayoutName::Present;
    state.settings.theme = ThemeName::Light;
    state.settings.reduced_motion = true;
    state.only_picture = static_cast<float>(kSlide.h);
    return state;
}

std::string list_of(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) text += element("li", "", html_words(item));
    return element("ul", "", text);
}

// What is left of a slide.
float picture_beside(std::initializer_list<float> words) {
    const float room = static_cast<float>(kSlide.h) - kHead - kBelowPicture - kFoot;
    return std::floor(std::max(kLeastPicture, room - std::max(words)));
}

std::string step_line(const Lesson& lesson, std::size_t index) {
    return element("p", "command",
                   element("code", "",
                           "kvarium --lesson " + std::to_string(lesson.number) + " --step " +
                               std::to_string(index + 1) + " --layout present"));
}

std::string said_part(const char* name, const std::string& html) {
    return html.empty() ? "" : element("h3", "", name) + html;
}

// The prose of a step in front of its key, and the words of its teacher.
std::string notes_before(const Lesson& lesson, std::size_t index, const FilledStep& shown) {
    return said_part("Say", prose_html(shown.notes)) + said_part("Tell", prose_html(shown.text)) +
           step_line(lesson, index);
}

std::string notes_of_answer(const ShownPrediction& asked, const std::string& right) {
    std::string answer = html_words(right + (asked.unit.empty() ? "" : " " + asked.unit));
    for (const std::string& other : asked.also_right) answer += ", or " + html_words(other);
    return said_part("Answer", element("p", "", answer) + prose_html(asked.why));
}

}  // namespace

SlideScreen::SlideScreen(const std::string& lessons)
    : screen_(open_null(kSlide), slide_state(), Texts(), {}, lessons) {}

void SlideScreen::ask(const std::string& command) {
    carry_out(screen_.frame().state(), {command});
    screen_.finish_run(LiveRun::Refusals::AreThrown);
}

std::string SlideScreen::picture(float height) {
    screen_.frame().state().only_picture = height;
    for (int i = 0; i < kSettle; ++i) screen_.draw(false);
    const Svg svg = screen_.draw_svg({.title = view().shown.title,
                                      .description = {},
                                      .scene = {},
                                      .background = palette(ThemeName::Light).panel,
                                      .area = {0, 0, static_cast<float>(kSlide.w), height}});
    return svg.texts == 0 ? std::string() : svg.text;  // a page without a picture
}

std::vector<Slide> SlideScreen::step(const Lesson& lesson, std::size_t index) {
    ask("lesson.open " + std::to_string(lesson.number) + ":" + lesson.steps[index].id);
    ask("layout.present");
    if (!view().problem.empty()) throw Error(ErrorCode::World, view().problem.english());
    const FilledStep shown = view().shown;
    const std::size_t n = view().predictions.size();
    Slide common;
    common.step = shown.id, common.head = shown.title;
    common.place =
        "step " + std::to_string(index + 1) + " of " + std::to_string(lesson.steps.size());
    const std::string before = notes_before(lesson, index, shown);
    const std::string then = said_part("Then", prose_html(shown.then));
    std::vector<Slide> slides;

    if (n == 0) {
        const SlideWords opens = words_that_show(shown.text), ends = words_that_show(shown.then);
        const float height = picture_beside({opens.height, ends.height});
        Slide first = common;
        first.picture = picture(height), first.words = opens.html, first.notes = before;
        const bool more = view().has_more;
        if (more) ask("lesson.go_on");
        Slide second = common;
        second.picture = more ? picture(height) : std::string();
        second.words = ends.html, second.notes = then;
        const bool is_new = more && !ends.html.empty() && second.picture != first.picture;
        if (!is_new)
            first.notes = said_part("Say", prose_html(shown.notes)) +
                          said_part("Tell", prose_html(shown.text)) + then +
                          step_line(lesson, index);
        slides.push_back(std::move(first));
        if (is_new) slides.push_back(std::move(second));
        return slides;
    }

    std::vector<SlideWords> asks, answers;
    float most = 0;
    for (const ShownPrediction& p : shown.predictions) {
        asks.push_back(words_that_ask(p)), answers.push_back(words_that_answer(p, p.answer));
        most = std::max({most, asks.back().height, answers.back().height});
    }
    const float height = picture_beside({most});
    const std::string open = picture(height);
    ask("lesson.go_on");
    const std::string revealed = picture(height);
    for (std::size_t i = 0; i < n; ++i) {
        const ShownPrediction& p = shown.predictions[i];
        Slide question = common, answer = common;
        question.kind = SlideKind::Asks, answer.kind = SlideKind::Answers;
        question.picture = open, answer.picture = revealed;
        question.words = asks[i].html, answer.words = answers[i].html;
        question.notes = (i == 0 ? before : "") + said_part("Hint", prose_html(p.hint));
        answer.notes = notes_of_answer(p, p.answer) + (i + 1 == n ? then : "");
        slides.push_back(std::move(question)), slides.push_back(std::move(answer));
    }
    // Behind the reasons: what happened, where that is another picture.
    for (std::size_t i = 0; i < n && !view().shows_then(); ++i) ask("lesson.go_on");
    const SlideWords ends = words_that_show(shown.then);
    if (!view().shows_then() || ends.html.empty()) return slides;
    Slide last = common;
    last.picture = picture(picture_beside({ends.height}));
    last.words = ends.html, last.notes = then;
    if (picture(height) == revealed) return slides;
    slides.back().notes =
        notes_of_answer(shown.predictions.back(), shown.predictions.back().answer);
    slides.push_back(std::move(last));
    return slides;
}

Slide SlideScreen::first_page(const Lesson& lesson) {
    Slide slide;
    slide.kind = SlideKind::Title, slide.head = lesson.title;
    slide.words = element("p", "number",
                          is_of_course(lesson.number) ? "Lesson " + std::to_string(lesson.number)
                                                      : "Behind the course") +
                  element("h1", "", html_words(lesson.title)) + list_of(lesson.objectives);
    slide.notes = element(
        "p", "",
        counted(lesson.minutes, "minute") + ", " + counted(lesson.steps.size(), "step") + ".");
    std::string after;
    for (const std::uint32_t number : lesson.prerequisites)
        after += (after.empty() ? "Builds on lesson " : ", ") + std::to_string(number);
    if (!after.empty()) slide.notes += element("p", "", after + ".");
    return slide;
}

Slide SlideScreen::last_page(const Lesson& lesson) {
    Slide slide;
    slide.kind = SlideKind::End, slide.head = "What this lesson leaves out";
    slide.words = element("h1", "", slide.head) + prose_html(view().leaves_out);
    std::string sources;
    for (const LessonSource& source : lesson.sources)
        sources +=
            element("li", "",
                    element("b", "", html_words(source.name)) + ": " + html_words(source.citation));
    if (!sources.empty())
        slide.words += element("h2", "", "Sources") + element("ul", "sources", sources);
    const std::string n = std::to_string(lesson.number);
    if (!view().exercises.empty() || is_of_course(lesson.number))
        slide.notes = said_part(
            "Homework",
            element("p", "",
                    element("code", "",
                            "kvarium lessons --sheet " + n + " --seeds 1..30 --out sheets.html")));
    return slide;
}

std::vector<Slide> SlideScreen::slides_of(const Lesson& lesson) {
    std::vector<Slide> slides{first_page(lesson)};
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
        for (Slide& slide : step(lesson, i)) slides.push_back(std::move(slide));
    slides.push_back(last_page(lesson));
    return slides;
}

}  // namespace kv
