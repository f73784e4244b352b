// Figures of the documentation: a few are drawn and compared with the list of all of them. When one
// differs and is right, or a step is new, scripts/site --renew draws all and writes the list.

#include "app/cli/shot/figures.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "app/cli/shot/lessons.hpp"
#include "app/shell/files.hpp"
#include "core/base/sha256.hpp"
#include "tests/places.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

// The SHA-256 of each figure, by its file.
std::map<std::string, std::string> listed_figures() {
    std::ifstream list(fs::path(kv::test::source_dir()) / "docs/pictures/figures.sha256");
    std::map<std::string, std::string> sums;
    for (std::string line; std::getline(list, line);) {
        std::istringstream words(line);
        std::string sum, file;
        if (line[0] != '#' && words >> sum >> file) sums[file] = sum;
    }
    return sums;
}

std::string bytes_of(const fs::path& file) {
    return read_file(file, std::size_t{1} << 26);
}

std::vector<fs::path> draw(const fs::path& folder, std::uint64_t lesson, std::uint64_t step) {
    ShotOptions options;
    options.out_dir = folder.string(), options.quiet = true;
    REQUIRE(shot_all_figures(options, lesson, step) == 0);
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

TEST_CASE("figures of the documentation have not drifted", "[figures][heavy]") {
    const auto listed = listed_figures();
    // A run, a reveal that moves, charts, and two runs side by side.
    for (const auto& [lesson, step] : {std::pair{1, 2}, {8, 9}, {9, 6}, {8, 11}}) {
        const ScratchFolder scratch;
        const std::vector<fs::path> files =
            draw(scratch.path(), std::uint64_t(lesson), std::uint64_t(step));
        REQUIRE(files.size() >= 2);
        for (const fs::path& file : files) {
            const std::string name = file.filename().string();
            INFO(name << " is not as docs/pictures/figures.sha256 has it; look at it, then "
                         "scripts/site --renew");
            REQUIRE(listed.contains(name));
            CHECK(sha256_hex(bytes_of(file)) == listed.at(name));
        }
    }
}

TEST_CASE("the list of figures has each step of each lesson, and no other", "[figures]") {
    const LessonShelf shelf = read_shelf(kv::test::source_dir() + "/lessons");
    const auto listed = listed_figures();
    std::set<std::string> steps, missing;
    for (const LessonPlace& place : places_of_steps(shelf, {}, {})) {
        const std::string step = step_name(*place.lesson, place.index);
        steps.insert(step);
        for (const std::string_view theme : kFigureThemes)
            if (!listed.contains(figure_file(step, kOpens, theme))) missing.insert(step);
    }
    CHECK(steps.size() > 100);
    CAPTURE(missing);
    CHECK(missing.empty());
    std::set<std::string> strange;
    for (const auto& [file, sum] : listed) {
        std::string step = file.substr(0, file.find('.'));
        for (const std::string_view part : {kThenCharts, kOpensCharts, kThen})
            if (step.ends_with(part)) step.resize(step.size() - part.size());
        if (!steps.contains(step)) strange.insert(file);
    }
    CAPTURE(strange);
    CHECK(strange.empty());
}

TEST_CASE("a figure shows the panels beside the lesson, in words too", "[figures]") {
    const ScratchFolder scratch;
    const std::vector<fs::path> files = draw(scratch.path(), 9, 9);
    REQUIRE(files.size() == 4);
    CHECK(files[0].filename() == "09-09-figures-then.dark.png");
    CHECK(files[3].filename() == "09-09-figures.light.png");
    CHECK_THAT(figure_words(files[0]), ContainsSubstring("Block tables, and the pool they name"));
    const Image dark = read_png(files[2]), light = read_png(files[3]), then = read_png(files[0]);
    CHECK(dark.size == light.size);
    CHECK(dark.size.w < 1300);  // of 1,600: the lesson's column is cut off
    CHECK(looks_same(dark, dark));
    CHECK_FALSE(looks_same(dark, light));
    CHECK_FALSE(looks_same(dark, then));
    // One letter that is another one is seen; the rim of a letter is not.
    Image rim = dark, letter = dark;
    const Color there = dark.at(600, 300);
    rim.set(600, 300, {std::uint8_t(there.r ^ 8), there.g, there.b, there.a});
    letter.set(600, 300, {std::uint8_t(there.r ^ 128), there.g, there.b, there.a});
    CHECK(looks_same(dark, rim));
    CHECK_FALSE(looks_same(dark, letter));
}

TEST_CASE("figures of what there is not are refused", "[figures]") {
    const ScratchFolder scratch;
    ShotOptions options;
    CHECK_THROWS_WITH(shot_all_figures(options, {}, {}), ContainsSubstring("--out-dir"));
    options.out_dir = scratch.path().string();
    CHECK_THROWS_WITH(shot_all_figures(options, 99, {}), ContainsSubstring("no such step"));
    CHECK_THROWS_WITH(shot_all_figures(options, 8, 99), ContainsSubstring("no such step"));
}
