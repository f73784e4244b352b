// The figures of the course as it ships: none tells an answer before its reveal, and each has
// keys that lead from its beginning to its end.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cctype>

#include "app/panels/code/beats.hpp"
#include "app/panels/figure/table.hpp"
#include "app/session/shipped_models.hpp"
#include "core/lesson/course/player.hpp"
#include "core/lesson/course/shelf.hpp"
#include "tests/live/desk.hpp"
#include "tests/places.hpp"

using namespace kv;

namespace {

// Words without case, commas and signs around them, with one blank between two.
std::string bare(std::string_view text) {
    std::string out = " ";
    for (const char c : text) {
        if (c == ',') continue;
        const bool is_part = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' ||
                             static_cast<unsigned char>(c) > 127;
        if (is_part)
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (out.back() != ' ')
            out += ' ';
    }
    while (out.size() > 1 && (out.back() == ' ' || out.back() == '.')) out.pop_back();
    return out + " ";
}

// A digit stands in many sentences for something else: it tells where it stands alone, or with its
// unit. What names a place is no value, and is not asked.
bool tells(std::string_view said, const ShownPrediction& asked) {
    const std::string words = bare(said);
    const auto one = [&](const std::string& right) {
        const std::string answer = bare(right);
        constexpr std::size_t kDigit = 3;  // with the blanks around it
        if (answer.size() > kDigit) return words.find(answer) != std::string::npos;
        return words == answer || (!asked.unit.empty() &&
                                   words.find(bare(right + " " + asked.unit)) != std::string::npos);
    };
    return one(asked.answer) || std::any_of(asked.also_right.begin(), asked.also_right.end(), one);
}

}  // namespace

TEST_CASE("words are searched for an answer whatever their case and commas", "[figure]") {
    ShownPrediction asked;
    asked.answer = "1,024 B", asked.also_right = {"1 KiB"};
    CHECK(tells("it takes 1024 B.", asked));
    CHECK(tells("1 kib a token", asked));
    CHECK_FALSE(tells("11024 B", asked));
    CHECK_FALSE(tells("2,048 B", asked));
    asked.answer = "3", asked.unit = "places", asked.also_right = {};
    CHECK(tells("3", asked));
    CHECK(tells("into 3 places", asked));
    CHECK_FALSE(tells("8 query heads, 3 ways to share", asked));
}

TEST_CASE("no figure tells an answer before its reveal", "[figure][lesson]") {
    const std::string root = kv::test::source_dir();
    ShippedModels models([&](const std::string& name) { return root + "/assets/models/" + name; });
    LessonPlayer player(models, [&](const std::string& name) {
        return root + "/assets/scenes/" + name + ".kvscene";
    });
    const Texts texts;
    std::size_t n_figures = 0;
    const LessonShelf shelf = read_shelf(root + "/lessons");
    REQUIRE(shelf.measures);
    player.know(*shelf.measures);
    for (const Lesson& lesson : shelf.lessons)
        for (const LessonStep& step : lesson.steps) {
            if (!step.figure) continue;
            ++n_figures;
            INFO("lesson " << lesson.number << ", " << step.id);
            const FilledStep shown = player.show(lesson, step);
            const figure::Row& row = figure::row_of(*shown.figure);
            const figure::Keys keys = row.keys(*shown.figure);
            CHECK(keys.first <= keys.opens);
            CHECK(keys.opens <= keys.last);
            CHECK(keys.last <= keys.end);
            if (shown.predictions.empty()) continue;
            CHECK(keys.end > keys.last);  // the reveal adds something
            for (const Vec2 size : {Vec2{840, 560}, Vec2{1348, 960}}) {
                const figure::Plan plan = row.plan(
                    *shown.figure, {.size = size, .revealed = false, .said = {}, .text = texts});
                for (const figure::Piece& piece : plan.pieces) {
                    if (piece.names) continue;
                    for (const ShownPrediction& asked : shown.predictions) {
                        for (const figure::Word& word : piece.words) {
                            INFO("\"" << word.text.view() << "\" tells " << asked.answer);
                            CHECK_FALSE(tells(word.text, asked));
                        }
                        CHECK_FALSE(tells(piece.caption, asked));
                    }
                }
            }
            for (const DataTable& table : row.tables(*shown.figure, false))
                for (const auto& line : table.rows)
                    for (const TableCell& cell : line)
                        for (const ShownPrediction& asked : shown.predictions)
                            if (const auto* n = std::get_if<std::uint64_t>(&cell); n && *n > 9)
                                CHECK_FALSE(tells(std::to_string(*n), asked));
        }
    CHECK(n_figures > 0);
}

TEST_CASE("no value beside code tells an answer before its reveal", "[code][lesson]") {
    const std::string root = KVARIUM_SOURCE_DIR;
    const LessonShelf shelf = read_shelf(root + "/lessons");
    Desk desk;
    std::size_t n_steps = 0, n_run = 0, n_figures = 0;
    for (const Lesson& lesson : shelf.lessons)
        for (const LessonStep& step : lesson.steps) {
            if (step.code == nullptr) continue;
            ++n_steps;
            INFO("lesson " << lesson.number << ", " << step.id << ", " << step.code->name);
            desk.ask("lesson.open " + std::to_string(lesson.number) + ":" + step.id);
            LessonView view = desk.run.lesson();
            REQUIRE(view.shown.id == step.id);
            const ShownCode& code = shown_code(*step.code);
            const auto look = [&](bool revealed) {
                const CodeBeats beats = code_beats(*step.code, view, desk.run.view());
                (beats.of_run ? n_run : n_figures) += beats.all.empty() ? 0 : 1;
                for (const CodeBeat& beat : beats.all) {
                    INFO(beat.mark << ": " << beat.value);
                    CHECK(code.mark(beat.mark) != nullptr);
                    for (const AskedPrediction& asked : view.predictions)
                        if (!revealed) CHECK_FALSE(tells(beat.value, asked.asked));
                }
                return beats;
            };
            std::size_t lit = 0;
            if (has_figure(view)) {
                const figure::Keys keys = figure_keys(*view.shown.figure);
                for (view.figure_key = keys.first; view.figure_key <= keys.last; ++view.figure_key)
                    lit += look(false).all.size();
                view.revealed = true;
                for (; view.figure_key <= keys.end; ++view.figure_key) lit += look(true).all.size();
                view.revealed = false;
            } else {
                lit += look(false).all.size();
            }
            desk.ask("lesson.go_on");
            view = desk.run.lesson();
            lit += look(true).all.size();
            CHECK(lit > 0);  // something of it runs in its step
        }
    CHECK(n_steps >= 25);
    CHECK(n_run > 0);
    CHECK(n_figures > 0);
}
