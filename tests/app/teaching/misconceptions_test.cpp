// docs/misconceptions.md against the course: each step and exercise that it names is there, and the
// wrong choice or the slip that it quotes is one of that question.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "app/cli/terminal/places.hpp"
#include "app/session/shipped_models.hpp"
#include "app/shell/files.hpp"
#include "core/lesson/course/grade_prediction.hpp"
#include "core/lesson/course/shelf.hpp"
#include "core/lesson/exercises/grade.hpp"
#include "tests/places.hpp"

using namespace kv;

namespace {

// "`8:walk`: a wrong choice", "`8.1`: a slip", or a question alone.
struct AskedIn {
    std::string id, wrong;
};

std::string trimmed_cell(std::string text) {
    while (!text.empty() && text.back() == ' ') text.pop_back();
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? std::string() : text.substr(begin);
}

AskedIn question_of(const std::string& cell) {
    const std::size_t end = cell.find('`', 1);
    REQUIRE((cell.starts_with("`") && end != std::string::npos));
    AskedIn question{cell.substr(1, end - 1), {}};
    if (end + 1 < cell.size()) {
        REQUIRE(cell.substr(end + 1, 2) == ": ");
        question.wrong = cell.substr(end + 3);
    }
    return question;
}

class NamedCourse {
public:
    NamedCourse()
        : shelf_(read_shelf(lessons_folder().string())),
          models_([](const std::string& name) { return model_folder(name).string(); }),
          player_(models_, [](const std::string& name) { return scene_file(name).string(); }) {
        if (shelf_.measures) player_.know(*shelf_.measures);
    }

    // Null: there is no such step.
    const LessonStep* find(const std::string& name, const Lesson*& lesson) const {
        const std::size_t colon = name.find(':');
        if (colon == std::string::npos) return nullptr;
        lesson = shelf_.find(static_cast<std::uint32_t>(std::stoul(name.substr(0, colon))));
        if (lesson == nullptr) return nullptr;
        const auto step =
            std::find_if(lesson->steps.begin(), lesson->steps.end(),
                         [&](const LessonStep& one) { return one.id == name.substr(colon + 1); });
        return step == lesson->steps.end() ? nullptr : &*step;
    }
    bool asks_wrongly(const AskedIn& question) {
        const Lesson* lesson = nullptr;
        const LessonStep* step = find(question.id, lesson);
        if (step == nullptr || step->predictions.empty()) return false;
        if (question.wrong.empty()) return true;
        const ShownStep shown = player_.shown_step(*lesson, *step);
        return std::any_of(shown.predictions.begin(), shown.predictions.end(),
                           [&](const ShownPrediction& p) {
                               const bool offered = std::find(p.choices.begin(), p.choices.end(),
                                                              question.wrong) != p.choices.end();
                               return offered && !grade_prediction(p, question.wrong).right;
                           });
    }
    const LessonShelf& shelf() const { return shelf_; }

private:
    LessonShelf shelf_;
    ShippedModels models_;
    LessonPlayer player_;
};

// Some slips stand in some draws alone.
bool has_slip(const AskedIn& question) {
    if (!is_exercise(question.id)) return false;
    const auto in = [&](const Exercise& exercise) {
        for (const ExercisePart& part : exercise.parts)
            for (const Slip& slip : part.slips)
                if (slip.name == question.wrong) return true;
        return false;
    };
    bool found = in(fixed_exercise(question.id));
    for (u64 seed = 1; seed <= 30 && !found; ++seed) found = in(ask(question.id, seed));
    return found;
}

}  // namespace

TEST_CASE("every misconception has its step and its question", "[misconceptions][heavy]") {
    const std::string text =
        read_file(kv::test::source_dir() + "/docs/misconceptions.md", std::size_t{1} << 20);
    NamedCourse course;
    std::set<std::uint32_t> lessons;
    std::uint32_t lesson = 0;
    std::size_t number = 0, rows = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        at = end + 1, ++number;
        if (line.starts_with("## "))
            lesson = static_cast<std::uint32_t>(std::stoul(line.substr(3)));
        if (!line.starts_with("| ") || line.find('`') == std::string::npos) continue;
        INFO("docs/misconceptions.md:" << number << " " << line);
        std::vector<std::string> cells;
        for (std::size_t from = 1; from < line.size();) {
            const std::size_t bar = std::min(line.find('|', from), line.size());
            cells.push_back(trimmed_cell(line.substr(from, bar - from)));
            from = bar + 1;
        }
        REQUIRE(cells.size() == 4);
        CHECK_FALSE(cells[0].empty());
        CHECK_FALSE(cells[1].empty());
        const AskedIn answered = question_of(cells[2]), asked = question_of(cells[3]);
        const Lesson* of = nullptr;
        CHECK(course.find(answered.id, of) != nullptr);
        CHECK((of != nullptr && of->number == lesson));
        if (asked.id.find(':') != std::string::npos)
            CHECK(course.asks_wrongly(asked));
        else
            CHECK(has_slip(asked));
        lessons.insert(lesson), ++rows;
    }
    for (const Lesson& one : course.shelf().lessons) {
        INFO("lesson " << one.number);
        CHECK(lessons.contains(one.number));
    }
    CHECK(rows >= 40);
}
