// Pages that belong to no single lesson, and all pages as files.

#include "app/cli/lessons/pages.hpp"
#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/progress_line.hpp"
#include "app/frame/state/panel_table.hpp"
#include "app/panels/bill/glossary/entries.hpp"
#include "app/shell/staged_folder.hpp"

namespace kv {
namespace {

std::string shelf_table(const LessonShelf& shelf) {
    std::string out = "| | lesson | minutes | steps |\n|---:|---|---:|---:|\n";
    std::uint32_t minutes = 0;
    std::size_t steps = 0;
    for (const Lesson& lesson : shelf.lessons) {
        out += "| " + std::to_string(lesson.number) + " | [" + markdown_words(lesson.title) + "](" +
               page_of(lesson) + ".md) | " + std::to_string(lesson.minutes) + " | " +
               std::to_string(lesson.steps.size()) + " |\n";
        minutes += lesson.minutes, steps += lesson.steps.size();
    }
    return out + "| | all | " + std::to_string(minutes) + " | " + std::to_string(steps) + " |\n";
}

}  // namespace

std::string shelf_page(const LessonShelf& shelf) {
    return "# Lessons\n\nFrom \"why does a decoder repeat itself\" to the caches of 2026. "
           "Every picture is a run of the program, and every number was computed for this page; "
           "point at one to see the expression that it came from. Predict before you open an "
           "answer. In the window the same steps are live: `kvarium --lesson 1`.\n\n" +
           shelf_table(shelf);
}

std::string glossary_page() {
    const Texts english;
    std::string out =
        "# Glossary\n\nThe words of the program, and what papers and other programs "
        "write for the same thing.\n";
    for (const GlossaryGroup& group : glossary()) {
        out += "\n## " + markdown_words(english[group.title]) +
               "\n\n| here | elsewhere | means |\n|---|---|---|\n";
        for (const GlossaryEntry& entry : group.entries) {
            out += "| `" + std::string(entry.name) + "` |";
            for (std::size_t i = 0; i < entry.others.size(); ++i)
                out += (i == 0 ? " `" : ", `") + std::string(entry.others[i]) + "`";
            out += " | " + markdown_words(english[entry.meaning]) + " |\n";
        }
    }
    return out;
}

std::string panels_page() {
    const Texts english;
    std::string out =
        "# Panels\n\nWhat each panel of the window shows, and what its picture leaves "
        "out. `kvarium shot --panel NAME` draws one alone; the name stands in "
        "brackets.\n";
    for (const PanelRow& panel : panel_table())
        out += "\n## " + markdown_words(english[panel.title]) + " (" + markdown_words(panel.name) +
               ") { #" + std::string(panel.name) + " }\n\n" + markdown_words(english[panel.help]) +
               "\n\n*Leaves out:* " + markdown_words(english[panel.leaves_out]) + "\n";
    return out;
}

std::size_t write_lesson_pages(const PageMaker& maker, bool quiet) {
    StagedFolder folder(maker.folder);
    make_folder(folder.path() / "teachers");
    watch_for_interrupts();
    std::size_t written = 0;
    const auto write = [&](const std::string& name, const std::string& text) {
        write_output((folder.path() / (name + ".md")).string(), text), ++written;
    };
    ProgressLine progress(quiet);
    for (const Lesson& lesson : maker.shelf.lessons) {
        stop_if_interrupted("Stopped; none of the pages is kept.");
        progress.show("lesson " + std::to_string(lesson.number));
        write(page_of(lesson), lesson_page(maker, lesson));
        write("teachers/" + page_of(lesson), teachers_page(maker, lesson));
    }
    write("index", shelf_page(maker.shelf));
    write("glossary", glossary_page());
    write("panels", panels_page());
    folder.keep();
    return written;
}

}  // namespace kv
