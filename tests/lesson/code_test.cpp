// Code samples: their listings and marks fit the sources, and what no longer fits is said.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <set>
#include <sstream>

#include "core/base/error.hpp"
#include "core/lesson/code/shown_code.hpp"
#include "core/lesson/course/given_away.hpp"
#include "tests/lesson/lesson_file.hpp"
#include "tests/places.hpp"

using namespace kv;

namespace {

constexpr std::size_t kWidestIdea = 54, kMostIdea = 25, kMostOurs = 75;

std::string file_of_tree(std::string_view name) {
    std::ifstream in(kv::test::source_dir() + "/" + std::string(name));
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

constexpr CodeExcerpt kToyOurs[] = {{"toy.cpp", "int twice("}};
constexpr CodeMark kToyMarks[] = {{"double", "return 2 * x", "return x + x;"}};
constexpr CodeSample kToy{"toy", "Twice", "def twice(x):\n    return 2 * x\n", kToyOurs, kToyMarks};

constexpr std::string_view kToyFile =
    "#include <x>\n\n// Adds a number\n// to itself.\n    int twice(int x) {\n"
    "        if (planted(PlantedBug::A)) return x;\n"
    "        if (planted(PlantedBug::B))\n            return 0;\n        return x + x;\n    }\n"
    "    int thrice(int x) {\n        return x + x;\n    }\n";

}  // namespace

TEST_CASE("every code sample fits the sources of the program", "[code]") {
    std::set<std::string_view> names;
    for (const CodeSample* sample : code_samples()) {
        INFO(sample->name);
        CHECK(names.insert(sample->name).second);
        CHECK(find_code(sample->name) == sample);
        CHECK(code_faults(*sample, embedded_source) == std::vector<std::string>{});
        for (const CodeExcerpt& excerpt : sample->ours) {
            INFO(excerpt.file);
            CHECK(embedded_source(excerpt.file) == file_of_tree(excerpt.file));
        }
    }
    CHECK(names.size() >= 16);
    CHECK(find_code("nothing") == nullptr);
}

TEST_CASE("a listing is short, and each of its marks is another one", "[code]") {
    for (const CodeSample* sample : code_samples()) {
        INFO(sample->name);
        const ShownCode& code = shown_code(*sample);
        CHECK(code.idea.size() >= 5);
        CHECK(code.idea.size() <= kMostIdea);
        for (const std::string& line : code.idea) {
            INFO(line);
            CHECK(line.size() <= kWidestIdea);
            CHECK(line.find('\t') == std::string::npos);
        }
        std::size_t ours = 0;
        for (const ShownExcerpt& excerpt : code.ours) {
            ours += excerpt.lines.size();
            CHECK(std::is_sorted(
                excerpt.lines.begin(), excerpt.lines.end(),
                [](const SourceLine& a, const SourceLine& b) { return a.number < b.number; }));
            for (const SourceLine& line : excerpt.lines)
                CHECK(line.text.find("planted") == std::string::npos);
        }
        CHECK(ours >= 3);
        CHECK(ours <= kMostOurs);
        std::set<std::string_view> marks;
        for (const ShownCode::Mark& mark : code.marks) {
            CHECK(marks.insert(mark.name).second);
            CHECK(mark.first <= mark.last);
            CHECK(code.mark(mark.name) == &mark);
        }
        CHECK(code.mark("nothing") == nullptr);
    }
}

TEST_CASE("an excerpt begins with its comment, ends with its brace and leaves out planted bugs",
          "[code]") {
    const std::vector<SourceLine> lines = excerpt_of(kToyFile, kToyOurs[0]);
    // The comment stands further left than the function, so nothing can move left.
    REQUIRE(lines.size() == 5);
    CHECK(lines[0] == SourceLine{3, "// Adds a number"});
    CHECK(lines[1] == SourceLine{4, "// to itself."});
    CHECK(lines[2] == SourceLine{5, "    int twice(int x) {"});
    CHECK(lines[3] == SourceLine{9, "        return x + x;"});
    CHECK(lines[4] == SourceLine{10, "    }"});
    CHECK(excerpt_of(kToyFile, {"toy.cpp", "int twice(", "return x + x;"}).size() == 4);
    CHECK(excerpt_of(kToyFile, {"toy.cpp", "int thrice("})[0] ==
          SourceLine{11, "int thrice(int x) {"});
    CHECK(excerpt_of(kToyFile, {"toy.cpp", "int four_times("}).empty());
    CHECK(excerpt_of(kToyFile, {"toy.cpp", "int twice(", "no such line"}).empty());
    CHECK(excerpt_of("", kToyOurs[0]).empty());
}

TEST_CASE("a sample whose lines are gone is refused", "[code]") {
    CHECK(code_faults(kToy, [](std::string_view) { return kToyFile; }).empty());
    const auto gone = code_faults(kToy, [](std::string_view) { return std::string_view(); });
    REQUIRE(gone.size() == 2);
    CHECK(gone[0] ==
          "the code sample toy names \"int twice(\" of toy.cpp, which is not there from "
          "beginning to end; name lines that are.");
    CHECK(gone[1] ==
          "the code sample toy finds \"return x + x;\" in 0 lines of its sources; a mark "
          "wants exactly one.");
    const auto changed = code_faults(
        kToy, [](std::string_view) { return std::string_view("int twice(int x) {\n}\n"); });
    REQUIRE(changed.size() == 1);
    const auto twice = code_faults(kToy, [](std::string_view) {
        return std::string_view("int twice(int x) {\n    return x + x;\n    return x + x;\n}\n");
    });
    REQUIRE(twice.size() == 1);
    CHECK(twice[0] ==
          "the code sample toy finds \"return x + x;\" in 2 lines of its sources; a "
          "mark wants exactly one.");
}

TEST_CASE("a mark lights a statement, and a line from the middle of one alone", "[code]") {
    const ShownCode& head = shown_code(*find_code("kv_head_of"));
    const ShownCode::Mark& group = *head.mark("group");
    CHECK(head.idea[group.idea] == "    return n_heads // n_kv_heads");
    CHECK(head.ours[group.excerpt].lines[group.first].text ==
          "    return static_cast<std::uint32_t>(n_heads / n_kv_heads);");
    CHECK(group.first == group.last);

    const ShownCode& offset = shown_code(*find_code("offset"));
    const ShownCode::Mark& inner = *offset.mark("inner");
    CHECK(inner.first == inner.last);
    const ShownCode& loop = shown_code(*find_code("prefetch"));
    CHECK(loop.mark("missing")->first == loop.mark("missing")->last);
}

TEST_CASE("a step names its code in one line, and an unknown name is refused with file and line",
          "[code][lesson]") {
    const auto text = [](const std::string& line) {
        return kv::test::kFront + kv::test::with(kv::test::kStep, "shows: C040\n",
                                                 "shows: C040\ncode: " + line + "\n");
    };
    CHECK(parse_lesson(text("translate"), "lesson.md").steps[0].code == find_code("translate"));
    try {
        parse_lesson(text("no\x01thing"), "lesson.md");
        FAIL("taken");
    } catch (const Error& error) {
        const std::string said = error.what();
        INFO(said);
        CHECK(said.starts_with("lesson.md:17: "));
        CHECK(said.find("has the code \"no") != std::string::npos);
        CHECK(said.find("name one of decode_loop, append_attend, ") != std::string::npos);
        CHECK(said.find('\x01') == std::string::npos);
    }
}

TEST_CASE("an answer that stands in the code of its step is given away", "[code][lesson]") {
    ShownStep step;
    ShownPrediction asked;
    asked.question = "What is it?", asked.answer = "n_heads // n_kv_heads";
    step.predictions.push_back(asked);
    CHECK(given_away(step).empty());
    step.code = find_code("kv_head_of");
    CHECK(given_away(step).size() == 1);
}
