#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/lessons.hpp"
#include "core/lesson/lesson_functions.hpp"

namespace kv {

std::string lessons_list(const LessonShelf& shelf, bool json) {
    using Json = nlohmann::ordered_json;
    Json all = Json::array();
    std::string text;
    for (const Lesson& lesson : shelf.lessons) {
        std::set<std::string> checks;
        for (const LessonStep& step : lesson.steps)
            checks.insert(step.checks.begin(), step.checks.end());
        all.push_back(Json{{"n", lesson.number},
                           {"title", lesson.title},
                           {"steps", lesson.steps.size()},
                           {"minutes", lesson.minutes},
                           {"checks", checks}});
        const std::string number = std::to_string(lesson.number);
        text += std::string(2 - number.size(), ' ') + number + "  " + lesson.title +
                std::string(lesson.title.size() < 24 ? 24 - lesson.title.size() : 1, ' ') +
                std::to_string(lesson.steps.size()) + " steps, " + std::to_string(lesson.minutes) +
                " minutes\n";
    }
    return json ? Json{{"lessons", all}}.dump() + "\n" : text;
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
