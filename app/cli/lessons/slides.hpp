#pragma once
// kvarium lessons --slides DIR: the lessons as slides, a file of HTML for each, and a page that
// lists them.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/lesson/course/shelf.hpp"

namespace kv {

struct SlidesAsk {
    std::string lessons;           // their folder
    std::filesystem::path folder;  // of the slides
    std::optional<std::uint64_t> lesson;
    bool quiet = false;
};
// Returns how many lessons were written.
std::size_t write_slides(const LessonShelf& shelf, const SlidesAsk& ask);

}  // namespace kv
