// The page of a lesson, and the one of those who teach it.

#include <algorithm>

#include "app/cli/lessons/pages.hpp"
#include "app/cli/lessons/tasks.hpp"
#include "app/cli/shot/figures.hpp"
#include "app/cli/shot/lessons.hpp"
#include "app/panels/code/beats.hpp"
#include "app/panels/figure/figure.hpp"
#include "core/base/numbers/text.hpp"
#include "core/lesson/code/shown_code.hpp"
#include "core/lesson/exercises/shelf.hpp"

namespace kv {
namespace {

std::string box(const char* kind, const std::string& title, const std::string& inside) {
    return std::string(kind) + " \"" + title + "\"\n\n" + indented(inside) + "\n";
}

std::string markdown_list(const std::vector<std::string>& items) {
    std::string out;
    for (const std::string& item : items) out += "- " + markdown_words(item) + "\n";
    return out + "\n";
}

std::string answer_of(const PageProse& prose, const ShownPrediction& p) {
    std::string out = "**" + markdown_words(p.answer + (p.unit.empty() ? "" : " " + p.unit)) + "**";
    for (const std::string& other : p.also_right) out += ", or " + markdown_words(other);
    return out + ".\n\n" + prose.markdown(p.why);
}

std::string question_of(const ShownPrediction& p) {
    std::string out = markdown_words(p.question) + "\n\n";
    for (std::size_t i = 0; i < p.choices.size(); ++i)
        out += std::to_string(i + 1) + ". " + markdown_words(p.choices[i]) + "\n";
    return out + (p.choices.empty() ? "" : "\n");
}

std::string command_of_step(const Lesson& lesson, std::size_t index) {
    return "`kvarium --lesson " + std::to_string(lesson.number) + " --step " +
           std::to_string(index + 1) + "`";
}

// A source is cut where lines of it are left out, so that each number stands beside its line.
std::string fenced(const ShownExcerpt& excerpt) {
    std::string out;
    for (std::size_t i = 0; i < excerpt.lines.size(); ++i) {
        const SourceLine& line = excerpt.lines[i];
        const bool begins = i == 0 || excerpt.lines[i - 1].number + 1 != line.number;
        const std::string number = std::to_string(line.number);
        if (begins)
            out += (i == 0 ? "" : "```\n\n") + std::string("```cpp title=\"") + excerpt.file + ":" +
                   number + "\" linenums=\"" + number + "\"\n";
        out += line.text + "\n";
    }
    return out + "```\n\n";
}

// The lines that ran when the picture was as the page shows it, and their values.
std::vector<CodeBeat> beats_of_page(const ShownStep& shown) {
    if (!shown.figure) return {};
    const std::uint32_t key = figure_keys(*shown.figure).opens;
    return figure_beats(*shown.code, shown, key).value_or(std::vector<CodeBeat>{});
}

// A listing, what of it runs in the picture, and the same in this program.
std::string code_box(const ShownStep& shown) {
    const ShownCode& code = shown_code(*shown.code);
    std::string lit, values, inside;
    for (const CodeBeat& beat : beats_of_page(shown)) {
        const ShownCode::Mark& mark = *code.mark(beat.mark);
        lit += (lit.empty() ? "" : " ") + std::to_string(mark.idea + 1);
        if (!beat.value.empty())
            values += "| " + std::to_string(mark.idea + 1) + " | `" + beat.value + "` |\n";
    }
    inside = "```python" + (lit.empty() ? "" : " hl_lines=\"" + lit + "\"") + "\n";
    for (const std::string& line : code.idea) inside += line + "\n";
    inside += "```\n\n";
    if (!values.empty()) inside += "| line | in the picture |\n|---:|---|\n" + values + "\n";
    for (const ShownExcerpt& excerpt : code.ours) inside += fenced(excerpt);
    return box("??? abstract", "Code: " + markdown_words(code.title), inside);
}

// A picture for one theme; clicked, it opens alone.
std::string picture(const std::string& words, const std::string& file, const std::string& theme,
                    const std::string& again) {
    return "[![" + words + "](" + file + "#only-" + theme + "){ loading=lazy }](" + file +
           "){ .figure " + again + ".only-" + theme + " }\n";
}

class LessonPage {
public:
    LessonPage(const PageMaker& maker, const Lesson& lesson)
        : maker_(maker), lesson_(lesson), prose_(maker.shelf, "") {}

    std::string text() {
        std::string out = head();
        for (std::size_t i = 0; i < lesson_.steps.size(); ++i) out += step(i);
        out += "## What this lesson leaves out\n\n" +
               prose_.markdown(maker_.player.leaves_out(lesson_));
        if (!maker_.exercises.of_lesson(lesson_.number).empty()) out += more_questions();
        if (!lesson_.sources.empty()) out += "## Sources\n\n";
        for (const LessonSource& source : lesson_.sources)
            out += "- <span id=\"source-" + source.name + "\"></span>" +
                   markdown_words(source.citation) + "\n";
        return out;
    }

private:
    std::string more_questions() const {
        return "## More questions\n\nEvery exercise can be asked with other numbers; the program "
               "draws them, answers them with its own engine and grades what you write.\n\n```\n"
               "kvarium lessons --ask " +
               std::to_string(lesson_.number) + " --seed 3\n```\n\n";
    }

    std::string head() const {
        std::string out = "# " + std::to_string(lesson_.number) + ". " +
                          markdown_words(lesson_.title) + "\n\n" +
                          counted(lesson_.minutes, "minute");
        for (std::size_t i = 0; i < lesson_.prerequisites.size(); ++i)
            out += (i == 0 ? ", after " : ", ") + prose_.lesson_link(lesson_.prerequisites[i]);
        return out + ". For teachers: [what to say](teachers/" + page_of(lesson_) + ".md).\n\n" +
               "After it you can:\n\n" + markdown_list(lesson_.objectives);
    }

    std::string step(std::size_t index) {
        const ShownStep shown = maker_.player.shown_step(lesson_, lesson_.steps[index]);
        const std::string name = step_name(lesson_, index);
        std::string out = "## " + std::to_string(index + 1) + ". " + markdown_words(shown.title) +
                          " { #" + shown.id + " }\n\n" + prose_.markdown(shown.text);
        const std::string opens = figure(name, kOpens) + figure(name, kOpensCharts);
        out += opens + command_of_step(lesson_, index) + "\n{ .step" +
               (opens.empty() ? "" : panel_alive(index)) + " }\n\n";
        if (shown.code != nullptr) out += code_box(shown);
        const std::string then = figure(name, kThen) + figure(name, kThenCharts);
        out += predictions(shown, then + prose_.markdown(shown.then));
        for (const std::string& id : shown.exercises) out += exercise(id);
        for (std::size_t i = 0; i < shown.tasks.size(); ++i)
            out += task(lesson_.steps[index], i, shown.tasks[i], index);
        return out;
    }

    // What a page in which the tank lives shows in the figure's place.
    std::string panel_alive(std::size_t index) const {
        const LessonStep& step = lesson_.steps[index];
        const std::string panel = step.figure           ? "figure"
                                  : step.panels.empty() ? "stage"
                                                        : step.panels.front();
        return " data-lesson=" + std::to_string(lesson_.number) +
               " data-step=" + std::to_string(index + 1) + " data-only=" + panel;
    }

    // What is done in the window can be read here.
    std::string task(const LessonStep& step, std::size_t i, const ShownTask& shown,
                     std::size_t index) {
        std::string inside = prose_.markdown(whole_task(shown));
        inside += "\nDo it in the tank: " + command_of_step(lesson_, index) + "\n\n";
        inside += box("??? tip", "Hint", prose_.markdown(shown.hint));
        inside += box("??? success", shown.is_challenge ? "The best known" : "A solution",
                      markdown_words(solution_lines(lesson_, step, step.tasks[i], maker_.player)));
        return box("!!! example", (shown.is_challenge ? "Challenge " : "Task ") + shown.id, inside);
    }

    // A picture in the theme of the page, which opens alone when it is clicked; small where the
    // page has shown the same one before.
    std::string figure(const std::string& step, std::string_view part) {
        const std::filesystem::path pictures = maker_.folder / "pictures",
                                    first = pictures / figure_file(step, part, kFigureThemes[0]);
        if (!std::filesystem::exists(first)) return {};
        const std::string words = markdown_words(figure_words(first)),
                          again = is_shown(read_png(first)) ? ".again " : "";
        std::string out;
        for (const std::string_view theme : kFigureThemes) {
            const std::string at = "pictures/" + figure_file(step, part, theme);
            out += picture(words, at, std::string(theme), again);
        }
        return out + "\n";
    }

    bool is_shown(Image image) {
        const bool shown = std::any_of(shown_.begin(), shown_.end(),
                                       [&](const Image& one) { return looks_same(one, image); });
        if (!shown) shown_.push_back(std::move(image));
        return shown;
    }

    // What comes after the reveal lies behind the answer, so that nobody reads it by accident.
    std::string predictions(const ShownStep& shown, const std::string& then) const {
        if (shown.predictions.empty()) return then;
        std::string out;
        for (std::size_t i = 0; i < shown.predictions.size(); ++i) {
            const ShownPrediction& p = shown.predictions[i];
            const bool last = i + 1 == shown.predictions.size();
            out += box("!!! question", "Predict",
                       question_of(p) +
                           box("??? success", "Answer", answer_of(prose_, p) + (last ? then : "")));
        }
        return out;
    }

    std::string exercise(const std::string& id) const {
        const auto fixed = maker_.exercises.fixed(id);
        if (!fixed) return {};
        return box("!!! example", "Exercise " + id,
                   markdown_words(fixed->text) + "\n\n" +
                       box("??? success", "Answer", markdown_words(fixed->answer) + "\n"));
    }

    const PageMaker& maker_;
    const Lesson& lesson_;
    PageProse prose_;
    std::vector<Image> shown_;  // of the page so far, each once
};

// The slides, where they were written before the pages.
std::string slides_of_page(const PageMaker& maker, const Lesson& lesson) {
    const std::string file = page_of(lesson) + ".html";
    if (!std::filesystem::exists(maker.folder / "slides" / file)) return {};
    return " [Slides](../slides/" + file + "), and [with notes](../slides/" + file + "?notes).";
}

std::string answer_key(const PageMaker& maker, const Lesson& lesson) {
    std::string out =
        "## Answer key\n\nThe fixed instances, as they are printed. `kvarium lessons "
        "--ask " +
        std::to_string(lesson.number) +
        " --seed 3 --key` prints other ones with their answers; the same seed gives "
        "the same questions.\n\n| exercise | question | answer | draws |\n"
        "|---|---|---|---|\n";
    for (const std::string& id : maker.exercises.of_lesson(lesson.number))
        if (const auto fixed = maker.exercises.fixed(id))
            out += "| " + id + " | " + markdown_words(fixed->text) + " | " +
                   markdown_words(fixed->answer) + " | " + markdown_words(rejection_rule(id)) +
                   " |\n";
    return out;
}

}  // namespace

std::string lesson_page(const PageMaker& maker, const Lesson& lesson) {
    return LessonPage(maker, lesson).text();
}

std::string teachers_page(const PageMaker& maker, const Lesson& lesson) {
    const PageProse prose(maker.shelf, "../");
    const std::string page = "../" + page_of(lesson) + ".md";
    std::string out = "# " + std::to_string(lesson.number) + ". " + markdown_words(lesson.title) +
                      ", for teachers\n\n[The lesson](" + page + ") takes " +
                      counted(lesson.minutes, "minute");
    for (std::size_t i = 0; i < lesson.prerequisites.size(); ++i)
        out += (i == 0 ? " and builds on " : ", ") + prose.lesson_link(lesson.prerequisites[i]);
    out += "." + slides_of_page(maker, lesson) + "\n\n## Objectives\n\n" +
           markdown_list(lesson.objectives) + "## Step by step\n\n";
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const ShownStep shown = maker.player.shown_step(lesson, lesson.steps[i]);
        out += "### " + std::to_string(i + 1) + ". [" + markdown_words(shown.title) + "](" + page +
               "#" + shown.id + ")\n\n" + command_of_step(lesson, i) + "\n{ .step }\n\n";
        for (const ShownPrediction& p : shown.predictions)
            out += "**Predict.** " + question_of(p) + "Answer: " + answer_of(prose, p);
        if (!shown.notes.empty()) out += "**Say.** " + prose.markdown(shown.notes);
    }
    if (maker.exercises.of_lesson(lesson.number).empty()) return out;
    return out + answer_key(maker, lesson);
}

}  // namespace kv
