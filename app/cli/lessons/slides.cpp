#include "app/cli/lessons/slides.hpp"

#include "app/cli/lessons/page_prose.hpp"
#include "app/cli/teaching/html.hpp"
#include "app/cli/teaching/slides.hpp"
#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/progress_line.hpp"
#include "app/shell/staged_folder.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

std::vector<const Lesson*> lessons_asked(const LessonShelf& shelf,
                                         std::optional<std::uint64_t> number) {
    std::vector<const Lesson*> lessons;
    for (const Lesson& lesson : shelf.lessons)
        if (!number || lesson.number == *number) lessons.push_back(&lesson);
    if (lessons.empty())
        throw Error(ErrorCode::Usage,
                    "--lesson: there is no such lesson; kvarium lessons --list "
                    "names them.");
    return lessons;
}

std::string link_to_slides(const std::string& file, const std::string& words) {
    return "<a href=\"" + html_words(file) + "\">" + html_words(words) + "</a>";
}

std::string list_page(const std::vector<const Lesson*>& lessons) {
    std::string items;
    for (const Lesson* lesson : lessons) {
        const std::string file = page_of(*lesson) + ".html";
        items +=
            element("li", "",
                    link_to_slides(file, std::to_string(lesson->number) + ". " + lesson->title) +
                        " (" + link_to_slides(file + "?notes", "with notes") + ")");
    }
    return html_text(
        {"Slides",
         "body{max-width:44rem;margin:3rem auto;padding:0 1rem;line-height:1.6;background:var("
         "--panel)}a{color:inherit}li{list-style:none}ul{padding:0}\n",
         element("h1", "", "Slides") + element("ul", "", items) +
             element("p", "",
                     "Arrows, Page Up and Page Down turn the pages. N opens the notes in a window "
                     "of their own, which turns its pages along. F fills the screen. Printed, each "
                     "slide is a page."),
         ""});
}

}  // namespace

std::size_t write_slides(const LessonShelf& shelf, const SlidesAsk& ask) {
    const std::vector<const Lesson*> lessons = lessons_asked(shelf, ask.lesson);
    StagedFolder folder(ask.folder);
    watch_for_interrupts();
    SlideScreen screen(ask.lessons);
    {
        ProgressLine progress(ask.quiet);
        for (const Lesson* lesson : lessons) {
            stop_if_interrupted("Stopped; none of the slides is kept.");
            progress.show("lesson " + std::to_string(lesson->number));
            write_output((folder.path() / (page_of(*lesson) + ".html")).string(),
                         slides_html(*lesson, screen.slides_of(*lesson)));
        }
    }
    if (!ask.lesson) write_output((folder.path() / "index.html").string(), list_page(lessons));
    folder.keep();
    return lessons.size();
}

}  // namespace kv
