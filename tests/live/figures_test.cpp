// The figures of the course as it ships: none tells an answer before its reveal, and each has
// keys that lead from its beginning to its end.
#include "core/lesson/figures/figures.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <cmath>
#include <memory>
#include <span>

#include "app/panels/code/beats.hpp"
#include "app/panels/figure/table.hpp"
#include "app/session/shipped_models.hpp"
#include "core/lesson/course/player.hpp"
#include "core/lesson/course/shelf.hpp"
#include "core/lesson/language/run.hpp"
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

TEST_CASE("no figure tells an answer before its reveal", "[figure][lesson][heavy]") {
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
            const ShownStep shown = player.shown_step(lesson, step);
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

TEST_CASE("no value beside code tells an answer before its reveal", "[code][lesson][heavy]") {
    const std::string root = kv::test::source_dir();
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
                CodeBeats beats = code_beats(*step.code, view, desk.run.view());
                (beats.of_run ? n_run : n_figures) += beats.all.empty() ? 0 : 1;
                for (const CodeBeat& beat : beats.all) {
                    INFO(beat.mark << ": " << beat.value);
                    CHECK(code.mark(beat.mark) != nullptr);
                    for (const AskedPrediction& asked : view.predictions)
                        if (!revealed) CHECK_FALSE(tells(beat.value, asked.prediction));
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

namespace {

// The facts of a line for a shipped scene at the end of an iteration.
struct FigureOfRun {
    std::string root = kv::test::source_dir();
    ShippedModels models{
        [this](const std::string& name) { return root + "/assets/models/" + name; }};
    std::unique_ptr<LessonRun> run;

    explicit FigureOfRun(const std::string& scene) {
        Scene read = read_scene(root + "/lessons/" + scene);
        const LessonModel& model = models.model(read.model);
        run = std::make_unique<LessonRun>(model, std::move(read), scene);
    }
    StepRuns step(std::uint32_t iteration) const {
        const std::uint64_t moment = *run->moment_after(iteration);
        return {{run.get(), moment, moment}, {}};
    }
    template <class Facts>
    Facts facts(std::uint32_t iteration, const std::string& call) const {
        return std::get<Facts>(figure_facts(Evaluator(step(iteration), Evaluator::Moment::Ends),
                                            *parse_expression(call)));
    }
    Snapshot at(std::uint32_t iteration) const {
        return run->trace().at(*run->moment_after(iteration));
    }
};

}  // namespace

TEST_CASE("what stays behind a prompt is what the run keeps, in every head", "[figure][lesson]") {
    const FigureOfRun snapkv("12-forgetting-on-purpose/snapkv.kvscene");
    for (std::uint32_t layer = 0; layer < 4; ++layer)
        for (std::uint32_t head = 0; head < 2; ++head) {
            INFO("layer " << layer << ", KV head " << head);
            const auto facts =
                snapkv.facts<ObservedFacts>(6, "observed(layer=" + std::to_string(layer) +
                                                   ", kv_head=" + std::to_string(head) + ")");
            const RequestView request = snapkv.at(6).requests[0];
            std::vector<std::uint32_t> kept;
            for (const std::uint32_t token : request.slots[layer * 2 + head].kept(request.stored))
                if (token < facts.words.size()) kept.push_back(token);
            std::vector<std::uint32_t> drawn;
            for (std::uint32_t token = 0; token < facts.kept.size(); ++token)
                if (facts.kept[token]) drawn.push_back(token);
            CHECK(drawn == kept);
            CHECK(facts.n_kept() == 40);
        }
}

TEST_CASE("a head reads the blocks with the highest bounds, and no score is above its bound",
          "[figure][lesson]") {
    const FigureOfRun quest("12-forgetting-on-purpose/quest.kvscene");
    for (const char* call : {"bounds(layer=0, head=0)", "bounds(layer=1, head=2)",
                             "bounds(layer=2, head=4)", "bounds(layer=3, head=7)"}) {
        INFO(call);
        const auto facts = quest.facts<BoundsFacts>(32, call);
        std::size_t read = 0;
        double most_left = -1e9, least_read = 1e9;
        for (const BoundsFacts::Block& block : facts.blocks) {
            CHECK(block.best <= block.bound + 1e-4);
            read += block.read ? 1 : 0;
            if (block.read)
                least_read = std::min(least_read, block.bound);
            else
                most_left = std::max(most_left, block.bound);
        }
        CHECK(read == 2);  // 32 tokens in blocks of 16
        CHECK(least_read >= most_left - 1e-4);
    }
    // The lesson says of its head that a block which is read may hold less than one which is not.
    const auto told = quest.facts<BoundsFacts>(32, "bounds(layer=1, head=2)");
    double worst_read = 1e9, best_left = -1e9;
    for (const BoundsFacts::Block& block : told.blocks) {
        if (block.read)
            worst_read = std::min(worst_read, block.best);
        else
            best_left = std::max(best_left, block.best);
    }
    CHECK(worst_read < best_left);
}

TEST_CASE("the key beside its slider is one of the demo model's", "[figure][lesson]") {
    const FigureOfRun run("11-fewer-bits/outlier.kvscene");
    const Evaluator at(run.step(1), Evaluator::Moment::Ends);
    const auto numbers = [&](const std::string& text) {
        std::vector<double> all;
        const LessonValue list = at.value(*parse_expression(text));
        for (const LessonValue& one : *list.shared<LessonList>())
            all.push_back(one.plain<Number>()->value);
        return all;
    };
    // Layer 2, KV head 0, of "cellar", the last of eight tokens.
    const std::vector<double> key = numbers("key(\"A\", 7, 2, 0, decimals=2)");
    CHECK(key == std::vector<double>{0.04, 0.44, 0.26, 0.66, -2.14, 0.76, 2.42, 1.92, 0.87, 0.63,
                                     0.29, -1.34, 2.21, -0.94, 1.8, -1.83});
    const std::vector<double> exact = numbers("key(\"A\", 7, 2, 0)");
    for (std::size_t i = 0; i < key.size(); ++i) CHECK(std::abs(key[i] - exact[i]) <= 0.005);
    // What is stored in float32 is the key itself.
    const KvLayout& layout = run.run->engine().backend().layout();
    const TableEntry block = run.at(1).requests[0].tables.at(0)[0];
    REQUIRE(block);
    std::vector<float> stored(exact.size());
    run.run->engine().backend().read_pool(
        layout.vector_offset(LayerId(2), Side::K, HeadId(0), *block, Slot(7)),
        std::as_writable_bytes(std::span(stored)));
    for (std::size_t i = 0; i < exact.size(); ++i) CHECK(std::abs(stored[i] - exact[i]) < 1e-6);
    CHECK_THROWS(at.value(*parse_expression("key(\"A\", 99, 2, 0)")));
    CHECK_THROWS(at.value(*parse_expression("key(\"A\", 7, 2, 0, decimals=7)")));
}
