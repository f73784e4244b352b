#include "core/lesson/exercises/answer_sheet.hpp"

#include <algorithm>
#include <set>
#include <variant>

#include "core/base/error.hpp"
#include "core/base/files/bounded_file.hpp"
#include "core/base/files/json.hpp"
#include "core/base/files/strict_json.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/exercises/shelf.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

constexpr u64 kMaxDepth = 3;

[[noreturn]] void refuse(const std::string& place, const std::string& rule,
                         const std::string& advice) {
    throw Error{ErrorCode::World, shown(place) + ": " + rule + "; " + advice + "."};
}

Json read_object(std::string_view text, const std::string& place) {
    auto parsed = parse_strict_json(text, kMaxDepth);
    if (const auto* refusal = std::get_if<JsonRefusal>(&parsed))
        refuse(place, "at byte " + std::to_string(refusal->offset) + " it " + refusal->rule,
               "correct it there");
    Json object = std::get<Json>(std::move(parsed));
    if (!object.is_object())
        refuse(place, "is not a JSON object", "write {\"seed\":..,\"answers\":{..}}");
    for (const auto& [key, value] : object.items())
        if (key != "seed" && key != "answers" && key != "fixed")
            refuse(place, "has an unknown key \"" + shown(key) + "\"",
                   "an answer file has seed or fixed, and answers");
    return object;
}

// Tasks alone have no numbers that a seed draws.
bool asks_exercises(const Json& object) {
    const auto answers = object.find("answers");
    if (answers == object.end() || !answers->is_object() || answers->empty()) return true;
    const auto all = answers->items();
    return std::any_of(all.begin(), all.end(),
                       [](const auto& item) { return !is_task_id(item.key()); });
}

// Which instances were answered.
std::optional<u64> read_seed(const Json& object, const std::string& place) {
    const bool fixed = object.contains("fixed");
    if (fixed == object.contains("seed") && (fixed || asks_exercises(object)))
        refuse(place, fixed ? "has a seed and \"fixed\"" : "has no seed",
               "write the seed that the questions were asked with, or \"fixed\":true");
    if (fixed && object.at("fixed") != true)
        refuse(place, "\"fixed\" is not true", "write true, or a seed instead");
    if (fixed || !object.contains("seed")) return std::nullopt;
    if (!object.at("seed").is_number_unsigned())
        refuse(place, "the seed is not a whole number from 0 on",
               "write the seed that the questions were asked with");
    return object.at("seed").get<u64>();
}

}  // namespace

bool is_task_id(std::string_view id) {
    const auto digits = [](std::string_view text) {
        return !text.empty() && text.size() <= 3 &&
               text.find_first_not_of("0123456789") == std::string_view::npos;
    };
    const std::size_t dot = id.find('.');
    return dot != std::string_view::npos && digits(id.substr(0, dot)) && dot + 1 < id.size() &&
           (id[dot + 1] == 't' || id[dot + 1] == 'c') && digits(id.substr(dot + 2));
}

AnswerSheet parse_answer_sheet(std::string_view text, const std::string& place) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        refuse(place, "is empty", "write {\"seed\":..,\"answers\":{..}}");
    const Json object = read_object(text, place);
    AnswerSheet sheet;
    sheet.seed = read_seed(object, place);
    const auto answers = object.find("answers");
    if (answers == object.end() || !answers->is_object() || answers->empty())
        refuse(place, "has no answers", "write \"answers\":{\"8.1\":\"...\"}");
    for (const auto& [id, answer] : answers->items()) {
        const bool is_task = is_task_id(id);
        if (!is_task && !is_exercise(id))
            refuse(place, "\"" + shown(id) + "\" is no question",
                   "kvarium lessons --ask N prints those of lesson N");
        if (!answer.is_string())
            refuse(place, "the answer to " + id + " is not a text", "put it between quotes");
        (is_task ? sheet.tasks : sheet.answers).emplace(id, answer.get<std::string>());
    }
    return sheet;
}

AnswerSheet read_answer_sheet(const std::string& path) {
    auto text = read_bounded_file(path, kMostSheetBytes);
    if (const auto* refusal = std::get_if<FileRefusal>(&text))
        refuse(path, refusal->rule, refusal->advice);
    return parse_answer_sheet(std::get<std::string>(text), path);
}

u64 GradedSheet::points() const {
    return static_cast<u64>(std::count_if(items.begin(), items.end(),
                                          [](const GradedItem& item) { return item.graded.ok; }));
}

GradedSheet grade_sheet(const AnswerSheet& sheet) {
    std::set<unsigned> lessons;
    for (const auto& [id, answer] : sheet.answers) lessons.insert(lesson_of(id));
    GradedSheet graded;
    for (const unsigned lesson : lessons)
        for (const std::string& id : exercises_of(lesson)) {
            const auto answer = sheet.answers.find(id);
            Exercise exercise = sheet.seed ? ask(id, *sheet.seed) : fixed_exercise(id);
            Graded result = grade(exercise, answer == sheet.answers.end() ? "" : answer->second);
            graded.items.push_back({std::move(exercise), std::move(result)});
        }
    return graded;
}

}  // namespace kv
