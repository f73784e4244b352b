// `kvarium shot` as a user runs it: formats, places, exit codes, and the same numbers as `run`.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/files/json.hpp"
#include "tests/cli/run_cli.hpp"
#include "tests/places.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using Json = nlohmann::json;

namespace {

// The renderer may be missing where the tests run.
bool has_renderer(const Ran& ran) {
    return ran.code != 4;
}

Json shot_json(const std::vector<std::string>& arguments) {
    std::vector<std::string> line{"shot", "--export", "json", "--out", "-"};
    line.insert(line.end(), arguments.begin(), arguments.end());
    const Ran ran = run_cli(line);
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    return Json::parse(ran.out);
}

Json rows_of(const Json& panel, const std::string& table) {
    for (const Json& t : panel["tables"])
        if (t["name"] == table) return t["rows"];
    FAIL(table);
    return {};
}
Json value_of(const Json& panel, const std::string& table, const std::string& name,
              std::size_t column) {
    for (const Json& row : rows_of(panel, table))
        if (row[0] == name) return row[column];
    FAIL(name);
    return {};
}

void refused(const std::vector<std::string>& arguments, int code, const char* why) {
    const Ran ran = run_cli(arguments);
    INFO(ran.err);
    CHECK(ran.code == code);
    CHECK(ran.out.empty());
    CHECK_THAT(ran.err, ContainsSubstring(why));
    CHECK(count_lines(ran.err) == 1);
}

}  // namespace

TEST_CASE("tables of a picture have the numbers of the run", "[shot][heavy]") {
    for (const std::string step : {"20", "112"}) {
        const Ran run =
            run_cli({"run", "--scene", kv::test::source_dir() + "/assets/scenes/explore.kvscene",
                     "--until-step", step, "--json", "--no-times"});
        REQUIRE(run.code == 0);
        const Json bytes = Json::parse(run.out)["bytes"], pool = Json::parse(run.out)["pool"];
        const Json equation =
            shot_json({"--scene", "explore", "--step", step, "--panel", "equation"});
        const Json charts = shot_json({"--scene", "explore", "--step", step, "--panel", "charts"});
        const Json stage = shot_json({"--scene", "explore", "--step", step, "--panel", "stage"});
        CHECK(value_of(equation, "bytes", "live, measured in the pool", 2) == bytes["live"]);
        CHECK(value_of(equation, "bytes", "allocated", 2) == bytes["allocated"]);
        CHECK(value_of(charts, "now", "live", 1) == bytes["live"]);
        CHECK(value_of(charts, "now", "allocated", 1) == bytes["allocated"]);
        CHECK(value_of(stage, "counts", "used blocks", 1) == pool["used"]);
        CHECK(value_of(stage, "counts", "cached blocks", 1) == pool["cached"]);
        CHECK(rows_of(stage, "pool").size() == pool["blocks"]);
    }
}

TEST_CASE("the format follows the ending, or is named", "[shot]") {
    const ScratchFolder folder;
    const auto shot = [&](const std::string& name) {
        const Ran ran = run_cli(
            {"shot", "--scene", "first", "--panel", "requests", "--out", folder.file(name)});
        INFO(ran.err);
        CHECK(ran.code == 0);
        return read_text(folder.file(name));
    };
    CHECK_THAT(shot("a.csv"), StartsWith("request,state,"));
    CHECK_THAT(shot("a.md"), StartsWith("# Requests\n"));
    CHECK_THAT(shot("a.svg"), StartsWith("<?xml version=\"1.0\""));
    CHECK(Json::parse(shot("a.json"))["panel"] == "requests");
    const Ran all = run_cli({"shot", "--scene", "first", "--export", "md", "--out", "-"});
    CHECK_THAT(all.out, ContainsSubstring("# Stage\n") && ContainsSubstring("# Charts\n"));
}

TEST_CASE("an SVG is the same bytes each time", "[shot]") {
    const auto svg = [] {
        return run_cli({"shot", "--scene", "first", "--export", "svg", "--out", "-"}).out;
    };
    const std::string once = svg();
    CHECK(once.size() > 10'000);
    CHECK(once == svg());
}

TEST_CASE("a picture is drawn again from itself, byte for byte", "[shot][heavy]") {
    const ScratchFolder folder;
    const std::string a = folder.file("a.png"), b = folder.file("b.png"), c = folder.file("c.png");
    const Ran first =
        run_cli({"shot", "--scene", "explore", "--step", "30", "--layout", "learn", "--theme",
                 "light", "--size", "1300x740", "--scale", "1.25", "--command", "select.token 9",
                 "--command", "bill.tokens 4096", "--out", a});
    if (!has_renderer(first)) SKIP(first.err);
    REQUIRE(first.code == 0);
    REQUIRE(run_cli({"shot", "--scene", a, "--out", b}).code == 0);
    CHECK(read_text(a) == read_text(b));
    REQUIRE(run_cli({"shot", "--scene", a, "--theme", "dark", "--out", c}).code == 0);
    CHECK(read_text(a) != read_text(c));
    refused({"run", "--scene", folder.write("x.png", "\x89PNG\r\n\x1a\n....")}, 1, "x.png");
    refused({"shot", "--scene", folder.write("y.png", "\x89PNG\r\n\x1a\n...."), "--out", b}, 1,
            "the file is cut short");
}

TEST_CASE("a picture without a run is drawn again as well", "[shot]") {
    const ScratchFolder folder;
    const std::string a = folder.file("a.png"), b = folder.file("b.png");
    const Ran first = run_cli({"shot", "--scene", "none", "--layout", "compare", "--command",
                               "bill.tokens 4096", "--size", "1280x720", "--out", a});
    if (!has_renderer(first)) SKIP(first.err);
    REQUIRE(run_cli({"shot", "--scene", a, "--out", b}).code == 0);
    CHECK(read_text(a) == read_text(b));
}

TEST_CASE("a picture of a lesson's step is drawn again as well", "[shot]") {
    const ScratchFolder folder;
    const std::string a = folder.file("a.png"), b = folder.file("b.png"), c = folder.file("c.png");
    const Ran first = run_cli({"shot", "--lesson", "9", "--step", "2", "--command", "lesson.go_on",
                               "--size", "1280x720", "--out", a});
    if (!has_renderer(first)) SKIP(first.err);
    REQUIRE(run_cli({"shot", "--scene", a, "--out", b}).code == 0);
    CHECK((read_text(a) == read_text(b)));
    REQUIRE(
        run_cli({"shot", "--lesson", "9", "--step", "2", "--size", "1280x720", "--out", c}).code ==
        0);
    CHECK((read_text(a) != read_text(c)));
}

TEST_CASE("wrong lines of shot say what to do, with the exit code of the manual", "[shot]") {
    const ScratchFolder folder;
    const std::string png = folder.file("a.png");
    refused({"shot", "--scene", "first"}, 2, "shot needs a place for its result");
    refused({"shot", "--scene", "first", "--out", folder.file("a.jpg")}, 2, "of that ending");
    refused({"shot", "--scene", "first", "--export", "bmp", "--out", png}, 2, "is no format");
    refused({"shot", "--scene", "first", "--out", folder.file("a.csv")}, 2, "--panel NAME");
    refused({"shot", "--scene", "first", "--panel", "moon", "--out", png}, 2, "is not a panel");
    refused({"shot", "--scene", "first", "--panel", "stage", "--table", "moon", "--out",
             folder.file("a.csv")},
            2, "it has tokens");
    refused({"shot", "--scene", "first", "--out", folder.file("a.gif")}, 2, "--steps FIRST..LAST");
    refused({"shot", "--scene", "first", "--steps", "3", "--out", folder.file("a.gif")}, 2,
            "is not FIRST..LAST");
    refused({"shot", "--scene", "first", "--steps", "5..3", "--out", folder.file("a.gif")}, 2,
            "ends before it begins");
    refused({"shot", "--scene", "first", "--steps", "0..99999", "--out", folder.file("a.gif")}, 2,
            "more than 10,000");
    refused({"shot", "--scene", "first", "--steps", "1..2", "--out", png}, 2, "is no film");
    refused({"shot", "--scene", "first", "--out-dir", "x"}, 2, "add --steps");
    refused({"shot", "--scene", "first", "--panel", "stage", "--out", "/nowhere/a.md"}, 1,
            "/nowhere/a.md");
    CHECK(folder.names().empty());
}

TEST_CASE("a film without ffmpeg is exit 4 and says what to do instead", "[shot]") {
    const ScratchFolder folder;
    const Ran ran =
        run_cli({"shot", "--scene", "first", "--steps", "1..2", "--out", folder.file("a.gif")},
                {{"PATH", "/nowhere"}});
    CHECK(ran.code == 4);
    CHECK_THAT(ran.err, ContainsSubstring("ffmpeg") && ContainsSubstring("--out-dir"));
    CHECK(folder.names().empty());
}

TEST_CASE("steps become numbered pictures, each with its own step", "[shot]") {
    const ScratchFolder folder;
    const std::string frames = folder.file("frames");
    const Ran ran = run_cli(
        {"shot", "--scene", "first", "--steps", "2..3", "--size", "640x360", "--out-dir", frames});
    if (!has_renderer(ran)) SKIP(ran.err);
    CHECK(ran.code == 0);
    const std::string alone = folder.file("alone.png"), again = folder.file("again.png");
    REQUIRE(run_cli({"shot", "--scene", frames + "/frame-00002.png", "--out", again}).code == 0);
    CHECK(read_text(again) == read_text(frames + "/frame-00002.png"));
    REQUIRE(
        run_cli({"shot", "--scene", "first", "--step", "3", "--size", "640x360", "--out", alone})
            .code == 0);
    CHECK(read_text(alone) == read_text(frames + "/frame-00002.png"));
    refused({"shot", "--scene", "first", "--steps", "2..99", "--out-dir", folder.file("f2")}, 2,
            "ends at step 8, before step 99");
}
