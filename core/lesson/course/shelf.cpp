#include "core/lesson/course/shelf.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/base/error.hpp"
#include "core/base/files/bounded_file.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/course/given_away.hpp"
#include "core/lesson/course/grade_prediction.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;

// A part of a step is read in one glance, before or after the key: tables and code do not count.
constexpr std::size_t kMostWords = 140;
constexpr u64 kMostMeasured = 4 << 20;  // bytes

std::size_t words_of(const ShownProse& prose) {
    std::size_t words = 0;
    for (const ShownBlock& block : prose) {
        if (block.kind == ProseBlock::Kind::Row || block.kind == ProseBlock::Kind::Code) continue;
        std::string text;
        for (const auto& cell : block.cells)
            for (const ShownSpan& span : cell) text += span.text;
        bool inside = false;
        for (const char c : text) {
            if (c != ' ' && !inside) ++words;
            inside = c != ' ';
        }
    }
    return words;
}

std::uint32_t values_of(const ShownProse& prose) {
    std::uint32_t n = 0;
    for (const ShownBlock& block : prose)
        for (const auto& cell : block.cells)
            for (const ShownSpan& span : cell) n += span.kind == ShownSpan::Kind::Computed ? 1 : 0;
    return n;
}

class ShelfCheck {
public:
    ShelfCheck(const LessonShelf& shelf, LessonPlayer& player, const LessonExercises* exercises)
        : shelf_(shelf), player_(player), exercises_(exercises) {}

    void lesson(const Lesson& lesson) {
        if (lesson.number == kMuseum)
            report.exhibits = static_cast<std::uint32_t>(lesson.steps.size());
        else
            ++report.lessons;
        guarded([&] { player_.leaves_out(lesson); });
        for (const std::uint32_t n : lesson.prerequisites)
            if (n >= lesson.number)
                broken(lesson, 1,
                       "the lesson needs lesson " + std::to_string(n) + ", which comes later");
        for (const LessonStep& one : lesson.steps) guarded([&] { step(lesson, one); });
        if (exercises_ != nullptr) all_exercises(lesson);
    }

    LessonReport report;

private:
    template <class Work>
    void guarded(Work&& work) {
        try {
            work();
        } catch (const Error& error) {
            report.broken.emplace_back(error.what());
        }
    }

    void broken(const Lesson& lesson, std::uint32_t line, const std::string& what) {
        report.broken.push_back(lesson.file + ":" + std::to_string(line) + ": " + what + ".");
    }

    void step(const Lesson& lesson, const LessonStep& step) {
        ++report.steps;
        const ShownStep shown = player_.shown_step(lesson, step);
        for (const ShownProse* prose : {&shown.text, &shown.then}) {
            report.values += values_of(*prose);
            links(lesson, step, *prose);
            if (const std::size_t n = words_of(*prose); n > kMostWords)
                broken(lesson, step.line,
                       "the step " + step.id + " says " + std::to_string(n) +
                           " words at once, and more than " + std::to_string(kMostWords) +
                           " are not read; make two steps of it");
        }
        for (const ShownPrediction& p : shown.predictions) {
            ++report.predictions;
            if (!grade_prediction(p, p.answer).right)
                broken(
                    lesson, step.line,
                    "the answer of a prediction of the step " + step.id + " is not taken as right");
        }
        for (const std::string& sentence : given_away(shown))
            broken(lesson, step.line, "in the step " + step.id + " " + sentence);
        if (!step.predictions.empty() && step.then.empty())
            broken(lesson, step.line,
                   "the step " + step.id + " asks and never tells; add \"### Then\"");
        report.expects += static_cast<std::uint32_t>(step.expects.size());
        for (std::string& sentence : player_.broken_expects(lesson, step))
            report.broken.push_back(std::move(sentence));
        for (std::string& sentence : player_.broken_jump(lesson, step))
            report.broken.push_back(std::move(sentence));
        report.tasks += static_cast<std::uint32_t>(step.tasks.size());
        for (std::string& sentence : player_.broken_tasks(lesson, step))
            report.broken.push_back(std::move(sentence));
        report.rows.insert(step.checks.begin(), step.checks.end());
    }

    void links(const Lesson& lesson, const LessonStep& step, const ShownProse& prose) {
        for (const ShownBlock& block : prose)
            for (const auto& cell : block.cells)
                for (const ShownSpan& span : cell)
                    if (span.link && span.link->kind == LinkKind::Lesson)
                        other_lesson(lesson, step, span.link->name);
    }

    void other_lesson(const Lesson& lesson, const LessonStep& step, const std::string& target) {
        const std::string number = target.substr(0, target.find(':'));
        const auto found =
            std::find_if(shelf_.lessons.begin(), shelf_.lessons.end(),
                         [&](const Lesson& l) { return std::to_string(l.number) == number; });
        const bool is_there =
            found != shelf_.lessons.end() &&
            (number == target ||
             std::any_of(found->steps.begin(), found->steps.end(),
                         [&](const LessonStep& s) { return number + ":" + s.id == target; }));
        if (!is_there)
            broken(lesson, step.line,
                   "a link of the step " + step.id + " leads to lesson " + shown(target) +
                       ", which is not there");
    }

    // Every exercise is asked in some step, and every step asks what there is.
    void all_exercises(const Lesson& lesson) {
        std::vector<std::string> asked;
        for (const LessonStep& step : lesson.steps)
            for (const std::string& id : step.exercises) {
                asked.push_back(id);
                if (!exercises_->fixed(id))
                    broken(lesson, step.line, "the exercise " + shown(id) + " is not there");
            }
        for (const std::string& id : exercises_->of_lesson(lesson.number)) {
            if (std::find(asked.begin(), asked.end(), id) == asked.end())
                broken(lesson, 1, "no step asks the exercise " + id);
            report.exercises.push_back(*exercises_->fixed(id));
        }
    }

    const LessonShelf& shelf_;
    LessonPlayer& player_;
    const LessonExercises* exercises_;
};

}  // namespace

const Lesson* LessonShelf::find(std::uint32_t number) const {
    for (const Lesson& lesson : lessons)
        if (lesson.number == number) return &lesson;
    return nullptr;
}

LessonShelf read_shelf(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        std::error_code unreadable;
        const fs::path file = entry.path() / "lesson.md";
        if (fs::exists(file, unreadable)) files.push_back(file.string());
    }
    if (failed)
        throw Error(ErrorCode::World, shown(folder) + " cannot be listed: " + failed.message() +
                                          ". Give the folder of the lessons.");
    if (files.empty())
        throw Error(ErrorCode::World, shown(folder) +
                                          " holds no lesson: none of its folders has a lesson.md. "
                                          "Give the folder of the lessons.");
    std::sort(files.begin(), files.end());
    LessonShelf shelf;
    for (const std::string& file : files) {
        Lesson lesson = read_lesson(file);
        if (const Lesson* twin = shelf.find(lesson.number))
            throw Error(ErrorCode::World, shown(file) + ":1: the lesson has the number " +
                                              std::to_string(lesson.number) + " of " +
                                              shown(twin->file) + "; give it another.");
        shelf.lessons.push_back(std::move(lesson));
    }
    std::sort(shelf.lessons.begin(), shelf.lessons.end(), [](const Lesson& a, const Lesson& b) {
        const bool behind_a = a.number == kMuseum, behind_b = b.number == kMuseum;
        return behind_a != behind_b ? behind_b : a.number < b.number;
    });
    const fs::path measures = fs::path(folder) / kMeasuresFile;
    if (std::error_code unreadable; !fs::exists(measures, unreadable)) return shelf;
    const auto text = read_bounded_file(measures.string(), kMostMeasured);
    if (const auto* read = std::get_if<std::string>(&text))
        shelf.measures = Measures::of(*read, measures.string());
    else
        throw Error(ErrorCode::World, shown(measures.string()) + " cannot be read; write it anew " +
                                          "with lessons --check --renew.");
    return shelf;
}

LessonReport check_shelf(const LessonShelf& shelf, LessonPlayer& player,
                         const LessonExercises* exercises,
                         const std::function<void(const Lesson&)>& progress) {
    ShelfCheck check(shelf, player, exercises);
    for (const Lesson& lesson : shelf.lessons) {
        if (progress) progress(lesson);
        check.lesson(lesson);
    }
    return std::move(check.report);
}

std::vector<std::string> rows_missing(const std::set<std::string>& rows) {
    std::vector<std::string> missing;
    for (std::uint32_t n = 1; n <= kCheckRows; ++n) {
        std::string row = "C" + std::string(n < 10 ? "00" : n < 100 ? "0" : "") + std::to_string(n);
        if (rows.count(row) == 0) missing.push_back(std::move(row));
    }
    return missing;
}

}  // namespace kv
