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
float picture_beside(float words) {
    const float room = static_cast<float>(kSlide.h) - kHead - kBelowPicture - kFoot;
    return std::floor(std::max(kLeastPicture, room - words));
}

// Another picture, and not the same one of another height.
bool shows_other_words(const std::string& a, const std::string& b) {
    return words_of_drawing(a) != words_of_drawing(b);
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

// The words of its teacher, and the prose of the step in front of its key.
std::string notes_before(const ShownStep& shown) {
    return said_part("Say", prose_html(shown.notes)) + said_part("Tell", prose_html(shown.text));
}
std::string notes_behind(const ShownStep& shown) {
    return said_part("Then", prose_html(shown.then));
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
    for (int i = 0; i < kSettleFrames; ++i) screen_.draw(false);
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
    Slide common;
    common.step = view().shown.id;
    common.head = view().shown.title;
    common.place =
        "step " + std::to_string(index + 1) + " of " + std::to_string(lesson.steps.size());
    const std::string command = step_line(lesson, index);
    return view().predictions.empty() ? told(std::move(common), command) : asked(common, command);
}

// A page, and a second one where the key shows another picture.
std::vector<Slide> SlideScreen::told(Slide common, const std::string& command) {
    const ShownStep shown = view().shown;
    SlideWords opens = words_that_show(shown.text);
    const SlideWords ends = words_that_show(shown.then);
    if (opens.html.empty()) opens.html = element("p", "says", html_words(shown.title));  // a list
    const float height = picture_beside(std::max(opens.height, ends.height));
    Slide first = common, second = std::move(common);
    first.picture = picture(height);
    first.words = opens.html;
    first.notes = notes_before(shown) + command;
    if (!view().has_more || ends.html.empty()) {
        first.notes += notes_behind(shown);
        return {first};
    }
    ask("lesson.go_on");
    second.picture = picture(height);
    second.words = ends.html;
    second.notes = notes_behind(shown);
    if (second.picture != first.picture) return {first, second};
    first.notes += second.notes;
    return {first};
}

// The question, then its answer, in one frame of the same height.
std::vector<Slide> SlideScreen::asked(const Slide& common, const std::string& command) {
    const ShownStep shown = view().shown;
    float words = 0;
    for (const AskedPrediction& one : view().predictions)
        words = std::max({words, words_that_ask(one.prediction).height,
                          words_that_answer(one.prediction, one.prediction.answer).height});
    const float height = picture_beside(words);
    std::string opens = picture(height);
    const bool has_own_picture = shown.figure || shown.walk;
    if (!has_own_picture && gives_away(opens, shown)) opens.clear();
    std::vector<ShownPrediction> predictions;
    for (const AskedPrediction& one : view().predictions) predictions.push_back(one.prediction);
    ask("lesson.go_on");
    const std::string revealed = picture(height);
    std::vector<Slide> slides;
    for (const ShownPrediction& p : predictions) {
        Slide question = common, answer = common;
        question.kind = SlideKind::Asks;
        question.picture = opens;
        question.words = words_that_ask(p).html;
        question.notes = (slides.empty() ? notes_before(shown) + command : "") +
                         said_part("Hint", prose_html(p.hint));
        answer.kind = SlideKind::Answers;
        answer.picture = revealed;
        answer.words = words_that_answer(p, p.answer).html;
        answer.notes = notes_of_answer(p, p.answer);
        slides.push_back(std::move(question));
        slides.push_back(std::move(answer));
    }
    if (auto last = happened(common, revealed))
        slides.push_back(std::move(*last));
    else
        slides.back().notes += notes_behind(shown);
    return slides;
}

// Behind the reasons: what happened, where that is another picture.
std::optional<Slide> SlideScreen::happened(const Slide& common, const std::string& before) {
    for (std::size_t i = view().n_faces(); i > 0 && !view().shows_then(); --i) ask("lesson.go_on");
    const SlideWords ends = words_that_show(view().shown.then);
    if (!view().shows_then() || ends.html.empty()) return std::nullopt;
    Slide slide = common;
    slide.picture = picture(picture_beside(ends.height));
    if (!shows_other_words(slide.picture, before)) return std::nullopt;
    slide.words = ends.html;
    slide.notes = notes_behind(view().shown);
    return slide;
}

Slide SlideScreen::first_page(const Lesson& lesson) {
    Slide slide;
    slide.kind = SlideKind::Title;
    slide.head = lesson.title;
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
    slide.kind = SlideKind::End;
    slide.head = "What this lesson leaves out";
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
