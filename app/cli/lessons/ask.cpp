#include "app/cli/lessons/ask.hpp"

#include <filesystem>

#include "app/cli/lessons/tasks.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/values.hpp"
#include "core/base/error.hpp"
#include "core/base/files/json.hpp"
#include "core/lesson/exercises/answer_sheet.hpp"
#include "core/lesson/exercises/shelf.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

struct Questions {
    unsigned lesson = 0;
    std::optional<u64> seed;  // none: the fixed instances
    bool key = false;         // with the answers, for who teaches
    std::vector<Exercise> exercises;
    std::vector<ShownTask> tasks;
};

// Those of a lesson, in its order.
std::vector<ShownTask> tasks_of_lesson(const TaskSource& desk, unsigned number) {
    std::vector<ShownTask> tasks;
    const Lesson* lesson = desk.shelf.find(number);
    if (lesson == nullptr) return tasks;
    for (const LessonStep& step : lesson->steps) {
        if (step.tasks.empty()) continue;
        for (ShownTask& task : desk.player.show(*lesson, step).tasks)
            tasks.push_back(std::move(task));
    }
    return tasks;
}

void refuse_pairs(const GivenOptions& given) {
    refuse_both(given, "--ask", "--grade");
    refuse_both(given, "--fixed", "--seed");
    for (const char* with_ask : {"--fixed", "--key"})
        if (given.has(with_ask) && !given.has("--ask"))
            throw Error{ErrorCode::Usage,
                        std::string(with_ask) + " goes with a lesson's questions; add --ask N."};
    if (!given.has("--grade")) return;
    if (given.has("--seed"))
        throw Error{ErrorCode::Usage,
                    "--grade takes the seed from the answer file; leave --seed out."};
}

Questions read_questions(const GivenOptions& given, const CommonOptions& common,
                         const TaskSource& desk) {
    Questions questions;
    questions.lesson = static_cast<unsigned>(*whole_option(given, "--ask", 1, kLessons));
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
    for (const ShownTask& task : questions.tasks) out["tasks"].push_back(task_json(task));
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

// The scene of a task lies where the answers say, from the folder of their file on.
std::vector<TaskVerdict> graded_tasks(const AnswerSheet& sheet, const std::string& path,
                                      const TaskSource& desk) {
    std::vector<TaskVerdict> graded;
    for (const auto& [id, file] : sheet.tasks)
        graded.push_back(grade_task(task_named(desk.shelf, id, path), desk.player,
                                    (std::filesystem::path(path).parent_path() / file).string()));
    return graded;
}

std::size_t right_of(const std::vector<TaskVerdict>& tasks) {
    std::size_t n = 0;
    for (const TaskVerdict& task : tasks) n += task.ok ? 1 : 0;
    return n;
}

std::string graded_json(const GradedSheet& sheet, const std::vector<TaskVerdict>& tasks) {
    Json items = Json::array();
    for (const GradedItem& item : sheet.items)
        items.push_back({{"id", item.exercise.id},
                         {"ok", item.graded.ok},
                         {"expected", expected_answer(item.exercise)},
                         {"slip", item.graded.slip ? Json(*item.graded.slip) : Json()},
                         {"note", item.graded.note.empty() ? Json() : Json(item.graded.note)}});
    for (const TaskVerdict& task : tasks) {
        Json item{{"id", task.id}, {"ok", task.ok}, {"note", task.note}};
        if (!task.best.empty()) {
            item["score"] = task.score.empty() ? Json() : Json(task.score);
            item["best"] = task.best;
        }
        items.push_back(std::move(item));
    }
    return Json{{"points", sheet.points() + right_of(tasks)},
                {"of", sheet.items.size() + tasks.size()},
                {"items", items}}
               .dump(-1, ' ', false, Json::error_handler_t::replace) +
           "\n";
}

std::string graded_text(const GradedSheet& sheet, const std::vector<TaskVerdict>& tasks) {
    std::string text;
    for (const GradedItem& item : sheet.items) {
        const Graded& graded = item.graded;
        text += item.exercise.id + (graded.ok ? "  right" : "  wrong");
        if (graded.slip) text += ": " + *graded.slip;
        if (!graded.note.empty()) text += ": " + graded.note;
        if (!graded.ok && !graded.slip) text += "\n      Hint: " + item.exercise.hint;
        if (!graded.ok) text += "\n      Expected: " + expected_answer(item.exercise);
        text += "\n";
    }
    for (const TaskVerdict& task : tasks) {
        text += task.id + (task.ok ? "  done" : "  not done");
        if (!task.score.empty()) text += ", score " + task.score;
        if (!task.best.empty()) text += ", best known " + task.best;
        text += "\n      " + task.note + "\n";
    }
    return text + std::to_string(sheet.points() + right_of(tasks)) + " of " +
           std::to_string(sheet.items.size() + tasks.size()) + "\n";
}

}  // namespace

const std::vector<OptionSpec>& lessons_ask_options() {
    static const std::vector<OptionSpec> options{
        {"--ask", "N", "the questions of lesson N, drawn with --seed (0)"},
        {"--fixed", "", "with --ask: the printed instances instead of drawn ones"},
        {"--key", "", "with --ask: each answer, a hint, and which draws are made again"},
        {"--grade", "FILE",
         "grade the answers of a JSON file: {\"seed\":3,\"answers\":{\"8.1\":\"3, 5, 4, 69\"}}; "
         "\"fixed\":true instead of a seed for printed instances; \"8.t1\":\"mine.kvscene\" hands "
         "in "
         "a task, the file beside the answers; exit code 3 when something is wrong"}};
    return options;
}

bool asks_or_grades(const GivenOptions& given) {
    return given.has("--ask") || given.has("--grade") || given.has("--fixed") || given.has("--key");
}

int run_lessons_ask(const GivenOptions& given, const CommonOptions& common, TaskSource desk) {
    refuse_pairs(given);
    if (const auto path = given.text("--grade")) {
        const AnswerSheet answers = read_answer_sheet(*path);
        const GradedSheet sheet = grade_sheet(answers);
        const std::vector<TaskVerdict> tasks = graded_tasks(answers, *path, desk);
        write_output(common.out,
                     common.json ? graded_json(sheet, tasks) : graded_text(sheet, tasks));
        const bool all = sheet.points() + right_of(tasks) == sheet.items.size() + tasks.size();
        return all ? 0 : static_cast<int>(ErrorCode::Check);
    }
    const Questions questions = read_questions(given, common, desk);
    write_output(common.out, common.json ? questions_json(questions) : questions_text(questions));
    return 0;
}

}  // namespace kv
