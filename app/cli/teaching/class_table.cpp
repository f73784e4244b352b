#include "app/cli/teaching/class_table.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "core/base/error.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;

// The place itself, whichever way leads to it.
fs::path place_of_file(const std::string& file) {
    std::error_code unknown;
    fs::path place = fs::weakly_canonical(fs::absolute(file, unknown), unknown);
    return unknown ? fs::path(file) : place;
}

// "class/ada" for "class/ada.json".
std::string way_to(const std::string& file) {
    return fs::path(file).replace_extension().generic_string();
}

void tell_names_apart(GradedClass& graded) {
    std::map<std::string, std::size_t> count;
    for (const Student& student : graded.students) ++count[student.name];
    for (const auto& [name, n] : count)
        if (n > 1)
            graded.notes.push_back(std::to_string(n) + " files are named " + shown(name) +
                                   "; the table names these students by the way to their files.");
    for (Student& student : graded.students)
        if (count[student.name] > 1) student.name = way_to(student.file);
}

// A spreadsheet takes a cell that begins so for a formula.
std::string no_formula(const std::string& text) {
    const bool is_formula =
        !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
    return (is_formula ? "'" : "") + text;
}

void add_student(DataTable& table, const Student& student) {
    const TableCell seed =
        student.said.seed ? TableCell(std::uint64_t{*student.said.seed}) : TableCell();
    for (const GradedItem& item : student.graded.items) {
        const Graded& is = item.graded;
        const auto right =
            static_cast<std::uint64_t>(std::count(is.right.begin(), is.right.end(), true));
        const bool answered = student.said.answers.contains(item.exercise.id);
        const std::string note = answered ? is.note : "no answer";
        table.add(no_formula(student.name), seed, item.exercise.id, std::uint64_t{is.ok ? 1u : 0u},
                  std::uint64_t{1}, right, std::uint64_t{item.exercise.parts.size()},
                  is.slip.value_or(""), note);
    }
    for (const TaskVerdict& task : student.tasks) {
        const std::uint64_t done = task.ok ? 1 : 0;
        table.add(no_formula(student.name), seed, task.id, done, std::uint64_t{1}, done,
                  std::uint64_t{1}, "", task.note);
    }
}

}  // namespace

GradedClass grade_class(const std::vector<std::string>& files, const TaskGrader& grade_tasks) {
    GradedClass graded;
    std::set<fs::path> seen;
    for (const std::string& file : files) {
        if (!seen.insert(place_of_file(file)).second) {
            graded.notes.push_back(shown(file) + " stands twice and is graded once.");
            continue;
        }
        try {
            AnswerSheet said = read_answer_sheet(file);
            GradedSheet sheet = grade_sheet(said);
            std::vector<TaskVerdict> tasks = grade_tasks(said, file);
            graded.students.push_back({fs::path(file).stem().string(), file, std::move(said),
                                       std::move(sheet), std::move(tasks)});
        } catch (const Error& error) {
            if (error.code() != ErrorCode::World) throw;
            graded.refused.emplace_back(error.what());
        }
    }
    tell_names_apart(graded);
    return graded;
}

DataTable class_table(const GradedClass& graded) {
    DataTable table{"class",
                    "Answers of a class",
                    {{"student"},
                     {"seed"},
                     {"exercise"},
                     {"points"},
                     {"of"},
                     {"values right"},
                     {"values"},
                     {"slip"},
                     {"note"}},
                    {}};
    for (const Student& student : graded.students) add_student(table, student);
    return table;
}

}  // namespace kv
