#pragma once
// kvarium lessons --pages: the course as Markdown pages of a site, every number computed. A page
// shows the figures that `kvarium shot --all figures` drew into the folder `pictures` beside it.

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/lessons/page_prose.hpp"

namespace kv {

struct PageMaker {
    const LessonShelf& shelf;
    LessonPlayer& player;
    const LessonExercises& exercises;
    std::filesystem::path folder;  // of the pages; its pictures are in "pictures"
};

std::string lesson_page(const PageMaker& maker, const Lesson& lesson);
std::string teachers_page(const PageMaker& maker, const Lesson& lesson);

// Pages of the whole course: what there is, what words mean, what the panels show.
std::string shelf_page(const LessonShelf& shelf);
std::string glossary_page();
std::string panels_page();

// All of them, as files. Returns how many.
std::size_t write_lesson_pages(const PageMaker& maker, bool quiet);

}  // namespace kv
