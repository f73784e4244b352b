#include "app/live/lessons/progress.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/shell/files.hpp"
#include "app/shell/texts/said.hpp"

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

}  // namespace

std::string progress_text(const LessonProgress& progress) {
    SortedJson done = SortedJson::object();
    for (const auto& [lesson, steps] : progress.done) done[std::to_string(lesson)] = steps;
    return SortedJson{{"version", 1}, {"done", done}, {"last", progress.last}}.dump(1) + "\n";
}

LessonProgress parse_progress(const std::string& text) {
    const SortedJson json = SortedJson::parse(text, nullptr, false);
    if (!json.is_object() || json.value("version", SortedJson()) != 1) refuse();
    const SortedJson done = json.value("done", SortedJson::object()),
                     last = json.value("last", SortedJson(""));
    if (!done.is_object() || !last.is_string()) refuse();
    LessonProgress progress{.done = {}, .last = last.get<std::string>()};
    for (const auto& [lesson, steps] : done.items()) {
        if (!steps.is_array()) refuse();
        std::set<std::string>& read = progress.done[lesson_number(lesson)];
        for (const SortedJson& step : steps) {
            if (!step.is_string()) refuse();
            read.insert(step.get<std::string>());
        }
    }
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
