#include <set>

#include "app/cli/lessons/lessons.hpp"
#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/lesson/language/functions.hpp"

namespace kv {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Lesson& lesson) {
    std::set<std::string> checks;
    for (const LessonStep& step : lesson.steps)
        checks.insert(step.checks.begin(), step.checks.end());
    return Json{{"n", lesson.number},
                {"title", lesson.title},
                {"steps", lesson.steps.size()},
                {"minutes", lesson.minutes},
                {"checks", checks}};
}

std::string line_of(const Lesson& lesson) {
    const std::string number = std::to_string(lesson.number);
    return std::string(2 - number.size(), ' ') + number + "  " + lesson.title +
           std::string(lesson.title.size() < 24 ? 24 - lesson.title.size() : 1, ' ') +
           counted(lesson.steps.size(), "step") + ", " + counted(lesson.minutes, "minute") + "\n";
}

}  // namespace

std::string lessons_list(const LessonShelf& shelf, bool json) {
    std::string text;
    Json course = Json::array(), museum;
    for (const Lesson& lesson : shelf.lessons) {
        text += line_of(lesson);
        if (lesson.number == kMuseum)
            museum = json_of(lesson);
        else
            course.push_back(json_of(lesson));
    }
    return json ? Json{{"lessons", course}, {"museum", museum}}.dump(
                      -1, ' ', false, Json::error_handler_t::replace) +
                      "\n"
                : text;
}

std::string lesson_functions_text() {
    std::string text;
    each_function([&](const LessonFunction& row) {
        text += std::string(row.name) + "(" + std::string(row.arguments) + ")\n    " +
                std::string(row.help) + "\n";
    });
    return text;
}

}  // namespace kv
