#include "app/cli/lessons/grade.hpp"

#include <filesystem>
#include <iostream>

#include "app/cli/teaching/class_table.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/export/table_text.hpp"
#include "core/base/error.hpp"
#include "core/base/files/json.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

std::string printed(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The scene of a task lies where the answers say, from the folder of their file on; over a
// recording the answer itself says what was asked.
std::vector<TaskVerdict> graded_tasks(const AnswerSheet& sheet, const std::string& path,
                                      const TaskSource& desk) {
    std::vector<TaskVerdict> graded;
    for (const auto& [id, file] : sheet.tasks)
        graded.push_back(grade_task(task_named(desk.shelf, id, path), desk.player, file,
                                    std::filesystem::path(path).parent_path()));
    return graded;
}

std::size_t right_of(const std::vector<TaskVerdict>& tasks) {
    std::size_t n = 0;
    for (const TaskVerdict& task : tasks) n += task.ok ? 1 : 0;
    return n;
}

Json graded_json(const GradedSheet& sheet, const std::vector<TaskVerdict>& tasks) {
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
                {"items", items}};
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

std::string class_json(const GradedClass& graded) {
    Json students = Json::array();
    for (const Student& student : graded.students) {
        Json one{{"student", student.name},
                 {"file", student.file},
                 {"seed", student.said.seed ? Json(*student.said.seed) : Json()}};
        one.update(graded_json(student.graded, student.tasks));
        students.push_back(std::move(one));
    }
    return printed({{"students", students}, {"refused", graded.refused}});
}

// The file of --grade and those that follow it.
std::vector<std::string> files_of(const GivenOptions& given) {
    std::vector<std::string> files{*given.text("--grade")};
    files.insert(files.end(), given.positionals.begin(), given.positionals.end());
    return files;
}

// Standard output gets the table and nothing else.
int grade_all(const GivenOptions& given, const CommonOptions& common, const TaskSource& desk) {
    const GradedClass graded =
        grade_class(files_of(given), [&](const AnswerSheet& sheet, const std::string& file) {
            return graded_tasks(sheet, file, desk);
        });
    for (const std::string& sentence : graded.refused) std::cerr << "kvarium: " << sentence << "\n";
    if (!common.quiet)
        for (const std::string& sentence : graded.notes)
            std::cerr << "kvarium: " << sentence << "\n";
    if (!graded.students.empty())
        write_output(common.out, common.json ? class_json(graded) : table_csv(class_table(graded)));
    return graded.refused.empty() ? 0 : static_cast<int>(ErrorCode::World);
}

}  // namespace

const std::vector<OptionSpec>& lessons_grade_options() {
    static const std::vector<OptionSpec> options{
        {"--grade", "FILE",
         "grade the answers of a JSON file: {\"seed\":3,\"answers\":{\"8.1\":\"3, 5, 4, 69\"}}; "
         "\"fixed\":true instead of a seed for printed instances; \"8.t1\":\"mine.kvscene\" hands "
         "in "
         "a task, the file beside the answers; exit code 3 when something is wrong"},
        {"--table", "",
         "with --grade and any number of files: a CSV with a row for each student, named as the "
         "file, and exercise; a file that cannot be used is told, and the exit code is then 1, "
         "else 0"}};
    return options;
}

int run_lessons_grade(const GivenOptions& given, const CommonOptions& common, TaskSource desk) {
    if (common.seed)
        throw Error{ErrorCode::Usage,
                    "--grade takes the seed from the answer file; leave --seed out."};
    if (given.has("--table")) return grade_all(given, common, desk);
    if (!given.positionals.empty())
        throw Error{ErrorCode::Usage,
                    "--grade of several files makes a table of the class; add --table."};
    const std::string path = *given.text("--grade");
    const AnswerSheet answers = read_answer_sheet(path);
    const GradedSheet sheet = grade_sheet(answers);
    const std::vector<TaskVerdict> tasks = graded_tasks(answers, path, desk);
    write_output(common.out,
                 common.json ? printed(graded_json(sheet, tasks)) : graded_text(sheet, tasks));
    const bool all = sheet.points() + right_of(tasks) == sheet.items.size() + tasks.size();
    return all ? 0 : static_cast<int>(ErrorCode::Check);
}

}  // namespace kv
