#pragma once
// Prose of lessons as Markdown of a site: numbers with the expression that they came from behind
// them, figures of others with their source, and links that lead to pages. What points at something
// on the screen stays plain words, since a page has no screen.

#include <string>
#include <string_view>

#include "app/cli/teaching/markdown.hpp"
#include "core/lesson/course/shelf.hpp"

namespace kv {

// Every line but empty ones moved right: what stands inside a box.
std::string indented(std::string_view markdown);

// "08-pages": the page of a lesson, without its ending, beside the other lessons.
std::string page_of(const Lesson& lesson);

class PageProse {
public:
    // `up` leads from the page to the folder of the lessons: "" or "../".
    PageProse(const LessonShelf& shelf, std::string up) : shelf_(shelf), up_(std::move(up)) {}

    std::string markdown(const ShownProse& prose) const;
    // "[lesson 3](03-where-the-bytes-are.md)"; plain words for one that there is not.
    std::string lesson_link(std::uint32_t number) const;

private:
    std::string cell(const std::vector<ShownSpan>& spans) const;
    std::string linked(const ShownSpan& span, const std::string& words) const;
    std::string target(const ShownLink& link) const;  // empty: none

    const LessonShelf& shelf_;
    std::string up_;
};

}  // namespace kv
