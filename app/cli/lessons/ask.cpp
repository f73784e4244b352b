#include "app/cli/lessons/ask.hpp"

#include "app/cli/lessons/tasks.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/values.hpp"
#include "core/base/files/json.hpp"
#include "core/lesson/exercises/shelf.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

struct Questions {
    unsigned lesson = 0;
    std::optional<u64> seed;  // none: the fixed instances
    bool key = false;         // with the answers, for teachers
    std::vector<Exercise> exercises;
    std::vector<ShownTask> tasks;
};

// The tasks of a lesson, in its order.
std::vector<ShownTask> tasks_of_lesson(const TaskSource& desk, unsigned number) {
    std::vector<ShownTask> tasks;
    const Lesson* lesson = desk.shelf.find(number);
    if (lesson == nullptr) return tasks;
    for (const LessonStep& step : lesson->steps) {
        if (step.tasks.empty()) continue;
        for (ShownTask& task : desk.player.shown_step(*lesson, step).tasks)
            tasks.push_back(std::move(task));
    }
    return tasks;
}

Questions read_questions(const GivenOptions& given, const CommonOptions& common,
                         const TaskSource& desk) {
    Questions questions;
    questions.lesson = static_cast<unsigned>(*whole_option(given, "--ask", 1, kLessons));
    if (questions.lesson == kMuseum)
        throw Error{ErrorCode::Usage,
                    "--ask " + std::to_string(kMuseum) +
                        ": the bug museum asks no exercises; name another lesson from 1 to " +
                        std::to_string(kLessons) + "."};
    questions.key = given.has("--key");
    if (!given.has("--fixed")) questions.seed = common.seed.value_or(0);
    for (const std::string& id : exercises_of(questions.lesson))
        questions.exercises.push_back(questions.seed ? ask(id, *questions.seed)
                                                     : fixed_exercise(id));
    questions.tasks = tasks_of_lesson(desk, questions.lesson);
    return questions;
}

std::string questions_json(const Questions& questions) {
    Json list = Json::array();
    for (const Exercise& e : questions.exercises) {
        Json question{{"id", e.id},
                      {"lesson", e.lesson},
                      {"text", e.text},
                      {"unit", unit_of(e)},
                      {"choices", e.choices.empty() ? Json() : Json(e.choices)},
                      {"hint", e.hint}};
        if (questions.key) {
            question["expected"] = expected_answer(e);
            question["rejects"] = rejection_rule(e.id);
        }
        list.push_back(std::move(question));
    }
    Json out;
    out["seed"] = questions.seed ? Json(*questions.seed) : Json();
    if (!questions.seed) out["fixed"] = true;
    out["lesson"] = questions.lesson;
    out["questions"] = std::move(list);
    if (!questions.tasks.empty()) out["tasks"] = Json::array();
    for (const ShownTask& task : questions.tasks)
        out["tasks"].push_back(Json::parse(task_json(task)));
    return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string questions_text(const Questions& questions) {
    std::string text;
    for (const Exercise& e : questions.exercises) {
        text += (text.empty() ? "" : "\n") + e.id + "  " + e.text + "\n";
        for (const std::string& choice : e.choices) text += "      - " + choice + "\n";
        if (questions.key)
            text += "      Answer: " + expected_answer(e) + "\n      Hint: " + e.hint +
                    "\n      Draws: " + rejection_rule(e.id) + "\n";
    }
    for (const ShownTask& task : questions.tasks) text += task_lines(task);
    return text;
}

}  // namespace

const std::vector<OptionSpec>& lessons_ask_options() {
    static const std::vector<OptionSpec> options{
        {"--ask", "N", "the questions of lesson N, drawn with --seed (0)"},
        {"--fixed", "", "with --ask: the printed instances instead of drawn ones"},
        {"--key", "", "with --ask: each answer, a hint, and which draws are made again"}};
    return options;
}

int run_lessons_ask(const GivenOptions& given, const CommonOptions& common, TaskSource desk) {
    const Questions questions = read_questions(given, common, desk);
    write_output(common.out, common.json ? questions_json(questions) : questions_text(questions));
    return 0;
}

}  // namespace kv
