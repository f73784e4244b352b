#pragma once
// The answers of a class: a student for each file, named as the file is, with what each answer is
// worth. Pure but for the reading of the files.

#include <functional>
#include <string>
#include <vector>

#include "app/cli/teaching/task_verdict.hpp"
#include "app/export/data_table.hpp"
#include "core/lesson/exercises/answer_sheet.hpp"

namespace kv {

struct Student {
    std::string name, file;
    AnswerSheet said;
    GradedSheet graded;
    std::vector<TaskVerdict> tasks;
};
// What the tasks of a sheet are worth, whose file is named. Throws kv::Error (World).
using TaskGrader =
    std::function<std::vector<TaskVerdict>(const AnswerSheet& said, const std::string& file)>;

struct GradedClass {
    std::vector<Student> students;
    std::vector<std::string> refused;  // a sentence for each file that cannot be used
    std::vector<std::string> notes;    // sentences about files that are used
};

// "class/ada.json" is of "ada". A file that stands twice is graded once; students of one name are
// named by the way to their files.
GradedClass grade_class(const std::vector<std::string>& files, const TaskGrader& grade_tasks);

// student, seed, exercise, points, of, values right, values, slip, note.
DataTable class_table(const GradedClass& graded);

}  // namespace kv
