// The panel Requests: what its rows have room for, and what its buttons ask for.

#include <catch2/catch_test_macros.hpp>

#include "app/panels/timeline/panels.hpp"
#include "app/panels/view/facts.hpp"
#include "tests/app/panel_bench.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// As large as Explore has it in a window of 1920 x 1080, without its tabs.
constexpr PixelSize kPlace{296, 384};

struct Requests : PanelBench {
    explicit Requests(PixelSize size) : PanelBench(size) {
        draw = [this](const Ui& ui, const RunView& run) { draw_requests(ui, run, focus); };
    }
    void click_on(const RunView& run, std::string_view text) {
        const WrittenText* at = find(text);
        REQUIRE(at != nullptr);
        const Vec2 middle = at->rect.center();
        click(run, middle.x, middle.y);
    }
};

}  // namespace

TEST_CASE("all eight requests of the stock scene stand above the buttons", "[requests]") {
    PlayedRun played(scene_named("explore"));
    played.session.to_iteration(112);
    const RunView run = played.view();
    Requests panel(kPlace);
    panel.focus.request = request_named(run.now, "A").value();
    panel.frames(run, 2);
    const WrittenText *last = panel.find("H"), *below = panel.find("Priority of A");
    REQUIRE(last != nullptr);
    REQUIRE(below != nullptr);
    CHECK(last->rect.bottom() <= below->rect.y);
}

TEST_CASE("a priority goes up and down by one, of a request that lives", "[requests]") {
    PlayedRun played(scene_named("explore"));
    played.session.to_iteration(112);
    const RunView run = played.view();
    Requests panel(kPlace);
    panel.focus.request = request_named(run.now, "A").value();
    panel.frames(run, 2);
    panel.click_on(run, "+");
    CHECK(panel.asked() == std::vector<std::string>{"run.do priority A 1"});
    panel.click_on(run, "-");
    CHECK(panel.asked() == std::vector<std::string>{"run.do priority A -1"});
    // What was asked for is what the engine takes, and what the panel then shows.
    REQUIRE_FALSE(played.session.command(SetPriority{"A", 7}));
    panel.frames(played.view(), 2);
    CHECK(panel.find("7") != nullptr);
    REQUIRE_FALSE(played.session.command(StopRequest{"A"}));
    const RunView stopped = played.view();
    panel.frames(stopped, 2);
    panel.click_on(stopped, "+");
    CHECK(panel.asked().empty());
}
