#include "app/live/lessons/progress.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "app/shell/files.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/files/json.hpp"

namespace kv {
namespace {

using SortedJson = nlohmann::json;

[[noreturn]] void refuse() {
    throw Refused("refused.lesson.progress"_t, {}, ErrorCode::World);
}

std::uint32_t lesson_number(const std::string& text) {
    std::uint32_t n = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (failed != std::errc() || end != text.data() + text.size()) refuse();
    return n;
}

std::string text_in(const SortedJson& json) {
    if (!json.is_string()) refuse();
    return json.get<std::string>();
}

// The field's value, or one that stands for a field that is not there.
const SortedJson& field_of(const SortedJson& json, const char* name, const SortedJson& without) {
    const auto found = json.find(name);
    return found == json.end() ? without : *found;
}

const SortedJson& object_of(const SortedJson& json, const char* name) {
    static const SortedJson kNone = SortedJson::object();
    const SortedJson& object = field_of(json, name, kNone);
    if (!object.is_object()) refuse();
    return object;
}

SortedJson json_of(const GivenAnswer& answer) {
    SortedJson json{{"said", answer.said}};
    if (answer.seed) json["seed"] = *answer.seed;
    return json;
}

GivenAnswer answer_of(const SortedJson& json) {
    static const SortedJson kNone;
    if (!json.is_object()) refuse();
    GivenAnswer answer{.said = text_in(field_of(json, "said", kNone)), .seed = {}};
    const SortedJson& seed = field_of(json, "seed", kNone);
    if (!seed.is_null() && !seed.is_number_unsigned()) refuse();
    if (!seed.is_null()) answer.seed = seed.get<std::uint64_t>();
    return answer;
}

std::vector<std::string> texts_in(const SortedJson& json) {
    if (!json.is_array()) refuse();
    std::vector<std::string> texts;
    for (const SortedJson& text : json) texts.push_back(text_in(text));
    return texts;
}

SortedJson json_of(const TaskRecord& record) {
    SortedJson json{{"done", record.done}};
    if (record.score) json["score"] = *record.score, json["shown"] = record.shown;
    return json;
}

TaskRecord record_of(const SortedJson& json) {
    static const SortedJson kNone, kNo = false, kNothing = "";
    if (!json.is_object()) refuse();
    const SortedJson &done = field_of(json, "done", kNo), &score = field_of(json, "score", kNone);
    if (!done.is_boolean() || (!score.is_null() && !score.is_number())) refuse();
    TaskRecord record{.done = done.get<bool>()};
    if (!score.is_null()) record.score = score.get<double>();
    record.shown = text_in(field_of(json, "shown", kNothing));
    return record;
}

}  // namespace

std::string progress_text(const LessonProgress& progress) {
    SortedJson done = SortedJson::object();
    for (const auto& [lesson, steps] : progress.done) done[std::to_string(lesson)] = steps;
    SortedJson answers = SortedJson::object();
    for (const auto& [exercise, answer] : progress.answers) answers[exercise] = json_of(answer);
    SortedJson tasks = SortedJson::object();
    for (const auto& [task, record] : progress.tasks) tasks[task] = json_of(record);
    return SortedJson{{"version", 1},
                      {"done", done},
                      {"last", progress.last},
                      {"answers", answers},
                      {"predicted", progress.predicted},
                      {"tasks", tasks},
                      {"notes", progress.notes}}
               .dump(1, ' ', false, SortedJson::error_handler_t::replace) +
           "\n";
}

LessonProgress parse_progress(const std::string& text) {
    const SortedJson json = parsed_json(text);
    static const SortedJson kNone, kNowhere = "";
    if (!json.is_object() || field_of(json, "version", kNone) != 1) refuse();
    LessonProgress progress;
    progress.last = text_in(field_of(json, "last", kNowhere));
    for (const auto& [lesson, steps] : object_of(json, "done").items()) {
        const std::vector<std::string> read = texts_in(steps);
        progress.done[lesson_number(lesson)] = {read.begin(), read.end()};
    }
    for (const auto& [exercise, answer] : object_of(json, "answers").items())
        progress.answers[exercise] = answer_of(answer);
    for (const auto& [step, said] : object_of(json, "predicted").items())
        progress.predicted[step] = texts_in(said);
    for (const auto& [task, record] : object_of(json, "tasks").items())
        progress.tasks[task] = record_of(record);
    for (const auto& [page, words] : object_of(json, "notes").items())
        progress.notes[page] = text_in(words);
    return progress;
}

ProgressFile::ProgressFile(std::string path) : path_(std::move(path)) {
    std::ifstream in(path_, std::ios::binary);
    if (path_.empty() || !in) return;
    try {
        progress_ = parse_progress({std::istreambuf_iterator<char>(in), {}});
    } catch (const Error&) {
        path_.clear();
    }
}

void ProgressFile::keep(LessonProgress progress) {
    if (progress == progress_) return;
    progress_ = std::move(progress);
    if (path_.empty()) return;
    try {
        std::filesystem::create_directories(std::filesystem::path(path_).parent_path());
        save_file(path_, progress_text(progress_));
    } catch (const std::exception&) {
        path_.clear();
    }
}

}  // namespace kv
