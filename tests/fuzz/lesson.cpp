// A lesson file, its expressions and its prose: read or refused in a sentence, never more.

#include "core/lesson/course/lesson.hpp"

#include <string_view>

#include "core/base/error.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const kv::Lesson lesson = kv::parse_lesson(kv::fuzz::text_of(data, size), "lesson.md");
        kv::fuzz::expect(!lesson.steps.empty(), "a lesson has a step");
        for (const kv::LessonStep& step : lesson.steps)
            kv::fuzz::expect(step.line > 0, "a step knows its line");
    } catch (const kv::Error& error) {
        kv::fuzz::expect(std::string_view(error.what()).starts_with("lesson.md:"),
                         "a refusal names the place");
    }
    return 0;
}
