// What a link to what is shown says.
#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "tests/live/desk.hpp"
#include "tests/scratch.hpp"

using namespace kv;

namespace {

LiveRun::LinkOf link_of(const Desk& desk) {
    return desk.run.link_of(desk.state);
}

std::string view_as_shown(const Desk& desk) {
    return desk.run.scene_as_shown(desk.state)->view;
}

}  // namespace

TEST_CASE("a step of a lesson is linked by its number until something of its tank is changed",
          "[live][link]") {
    Desk desk("first", 2);
    CHECK(link_of(desk) == LiveRun::LinkOf::Scene);
    for (const char* words : {"run.forward", "select.layer 2", "run.set block_size 4"}) {
        INFO(words);
        desk.ask("lesson.open 8:2");
        CHECK(link_of(desk) == LiveRun::LinkOf::Lesson);
        desk.ask("layout.explore");
        CHECK(link_of(desk) == LiveRun::LinkOf::Lesson);
        desk.ask(words);
        CHECK(link_of(desk) == LiveRun::LinkOf::Scene);
    }
    desk.ask("lesson.next");
    CHECK(link_of(desk) == LiveRun::LinkOf::Lesson);
}

TEST_CASE("nothing that is shown has a link of its own, and a recording has none", "[live][link]") {
    Desk desk;
    CHECK(link_of(desk) == LiveRun::LinkOf::Page);
    const test::ScratchFolder folder;
    const std::string path = (folder.path() / "run.jsonl").string();
    std::ofstream(path) << R"({"event":"BlockStored","block_hashes":[11],"block_size":2,)"
                           R"("parent_block_hash":null,"token_ids":[1,2],"medium":"GPU"})"
                        << '\n';
    desk.open(path);
    CHECK(link_of(desk) == LiveRun::LinkOf::Recording);
    CHECK_FALSE(desk.run.scene_as_shown(desk.state));
}

TEST_CASE("a link after the sides were swapped says the comparison, or that it is left out",
          "[live][link]") {
    Desk desk("first");
    desk.ask("run.set evict window:8");
    desk.ask("run.compare full");
    CHECK_FALSE(desk.run.leaves_comparison_out(desk.state));
    CHECK(view_as_shown(desk).find(R"("compare":"full")") != std::string::npos);
    desk.ask("run.swap_sides");
    CHECK_FALSE(desk.run.leaves_comparison_out(desk.state));
    CHECK(view_as_shown(desk).find(R"("compare":"evict window:8")") != std::string::npos);

    desk.ask("run.branch set share off");
    CHECK_FALSE(desk.run.leaves_comparison_out(desk.state));
    desk.ask("run.swap_sides");
    CHECK(desk.run.leaves_comparison_out(desk.state));
    CHECK(view_as_shown(desk).find("branch") == std::string::npos);
    desk.ask("run.end_comparison");
    CHECK_FALSE(desk.run.leaves_comparison_out(desk.state));
}
