#pragma once
// A file of answers, and what it is worth:
//
//   {"seed":3,"answers":{"8.1":"15","8.2":"7; 42"}}
//   {"fixed":true,"answers":{...}}                    the printed instances
//   {"answers":{"8.t1":"mine.kvscene"}}               a task that was done: the scene that was
//   saved
//
// All questions of the lessons that the answers name are graded; one without an answer is wrong. Of
// tasks those are graded that the answers name.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers/checked.hpp"
#include "core/lesson/exercises/grade.hpp"

namespace kv {

struct AnswerSheet {
    std::optional<u64> seed;                                  // none: the fixed instances
    std::map<std::string, std::string, std::less<>> answers;  // by id
    std::map<std::string, std::string, std::less<>> tasks;    // scene files by id, as written
};

// "8.t1" or "8.c1": a task or a challenge, whether or not there is one.
bool is_task_id(std::string_view id);

constexpr u64 kMostSheetBytes = 1u << 20;

// Throws Error (World) that names `place` and the rule.
AnswerSheet parse_answer_sheet(std::string_view text, const std::string& place);
AnswerSheet read_answer_sheet(const std::string& path);

struct GradedItem {
    Exercise exercise;
    Graded graded;
};
struct GradedSheet {
    std::vector<GradedItem> items;  // in the order of the course
    u64 points() const;
};
GradedSheet grade_sheet(const AnswerSheet& sheet);

}  // namespace kv
