// The panels of a watched server: what a person sees of it, in every state, theme and size.

#include <imgui.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <fstream>

#include "app/cli/screen/screen.hpp"
#include "core/base/numbers/text.hpp"
#include "tests/app/panels/attach/made_view.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::array kServerPanels{PanelId::AttachStrip, PanelId::AttachPool,   PanelId::AttachTree,
                                   PanelId::AttachLost,  PanelId::AttachCharts, PanelId::AttachAges,
                                   PanelId::AttachLog,   PanelId::AttachStream};

Screen screen_of(PixelSize size, std::shared_ptr<const ServerView> view,
                 std::unique_ptr<Surface> surface = {}) {
    AppState state;
    state.layout = LayoutName::Attach;
    state.attach.view = std::move(view);
    return Screen(surface ? std::move(surface) : open_null(size), std::move(state), Texts());
}

std::string words_of(Screen& screen) {
    for (int i = 0; i < 3; ++i) screen.draw(false);
    std::vector<WrittenText> written;
    screen.draw(false, 1, &written);
    std::string words;
    for (const WrittenText& one : written) words += one.text + "\n";
    return words;
}

std::shared_ptr<const ServerView> view_with(const std::function<void(ServerView&)>& change) {
    ServerView view = *made_view();
    change(view);
    return std::make_shared<const ServerView>(std::move(view));
}

}  // namespace

TEST_CASE("a watched server is drawn in every theme, size and scale", "[attach]") {
    const auto view = made_view();
    for (const PixelSize size : {PixelSize{1280, 720}, PixelSize{1920, 1080}, PixelSize{640, 360}})
        for (const float scale : {1.0f, 2.0f}) {
            Screen screen = screen_of(size, view);
            screen.frame().state().settings.text_scale = scale;
            for (const ThemeName theme : kThemeNames) {
                screen.frame().state().settings.theme = theme;
                for (int i = 0; i < 3; ++i) CHECK_NOTHROW(screen.draw(false));
            }
        }
}

TEST_CASE("each panel of a server stands alone", "[attach]") {
    Screen screen = screen_of({900, 600}, made_view());
    for (const PanelId panel : kServerPanels) {
        screen.frame().state().only_panel = panel;
        screen.frame().state().rebuild_docks = true;
        for (int i = 0; i < 3; ++i) CHECK_NOTHROW(screen.draw(false));
    }
}

// Connected, and no batch has come: an empty tank, and one whose blocks were never hit.
TEST_CASE("a server that has said little is drawn as well", "[attach]") {
    const auto nothing = view_with([](ServerView& v) {
        v.tank = {};
        v.events = 0;
    });
    const auto no_hits = view_with([](ServerView& v) {
        v.tank.hottest.clear();
        v.tank.lost.clear();
        v.tank.tracks.clear();
        v.tank.log.clear();
        v.tank.rates.clear();
    });
    for (const auto& view : {nothing, no_hits})
        for (const PixelSize size : {PixelSize{1920, 1080}, PixelSize{1280, 720}}) {
            Screen screen = screen_of(size, view);
            for (int i = 0; i < 4; ++i) CHECK_NOTHROW(screen.draw(false));
            for (const PanelId panel : kServerPanels) {
                screen.frame().state().only_panel = panel;
                screen.frame().state().rebuild_docks = true;
                for (int i = 0; i < 3; ++i) CHECK_NOTHROW(screen.draw(false));
            }
        }
}

TEST_CASE("the strip says how the connection is", "[attach]") {
    const auto said = [](const std::function<void(ServerView&)>& change) {
        Screen screen = screen_of({1920, 1080}, view_with(change));
        return words_of(screen);
    };
    const std::string live = said([](ServerView&) {});
    CHECK_THAT(live, ContainsSubstring("Live\n"));
    CHECK_THAT(live, ContainsSubstring("receiving for 9:59"));
    CHECK_THAT(live, ContainsSubstring("Sequence 599 at 9:59, live"));
    CHECK_THAT(said([](ServerView& v) { v.tank.ranks[0].rank.gap_open = true; }),
               ContainsSubstring("Gap\n"));
    CHECK_THAT(said([](ServerView& v) { v.tank.ranks[0].rank.missed = 3; }),
               ContainsSubstring("3 batches missed for good"));
    CHECK_THAT(said([](ServerView& v) {
                   v.tank.ranks[0].rank.began_in_the_middle = true;
                   v.tank.ranks[0].rank.removed_unknown = 1;
               }),
               ContainsSubstring("began in the middle, 1 unknown removed"));
    CHECK_THAT(said([](ServerView& v) { v.has_replay = false; }),
               ContainsSubstring("receiving for 9:59, no replay"));
    CHECK_THAT(said([](ServerView& v) {
                   v.live = false;
                   v.sequence = 550;
               }),
               ContainsSubstring("Paused at 550, 9:59, 49 behind"));
    CHECK_THAT(said([](ServerView& v) { v.phase = AttachPhase::Recorded; }),
               ContainsSubstring("Recorded\n"));
}

TEST_CASE("before a server has spoken there is the page that calls it", "[attach]") {
    Screen empty = screen_of({1280, 720}, nullptr);
    const std::string words = words_of(empty);
    CHECK_THAT(words, ContainsSubstring("Watch a running server"));
    CHECK_THAT(words, ContainsSubstring("Is never sent"));
    CHECK_THAT(words, ContainsSubstring("None yet."));
    Screen calling = screen_of({1280, 720}, view_with([](ServerView& v) {
                                   v.phase = AttachPhase::Connecting;
                                   v.tries = 1;
                                   v.next_try_s = 3;
                                   v.pause_s = 4;
                                   v.trouble = "127.0.0.1 refused port 5557.";
                               }));
    calling.frame().state().attach.made_at = 1e12;  // just now, whatever the clock says
    const std::string called = words_of(calling);
    CHECK_THAT(called, ContainsSubstring("Connecting, try 2 in 3 s"));
    CHECK_THAT(called, ContainsSubstring("127.0.0.1 refused port 5557."));
}

TEST_CASE("the numbers of the panels are those of the tank", "[attach]") {
    const auto view = made_view();
    const TankPicture& tank = view->tank;
    Screen screen = screen_of({1920, 1080}, view);
    const std::string words = words_of(screen);
    CHECK_THAT(words, ContainsSubstring(with_commas(tank.pool.blocks) + " of 2,048 blocks = " +
                                        with_commas(tank.pool.tokens) + " tokens"));
    REQUIRE_FALSE(tank.hottest.empty());
    CHECK_THAT(words, ContainsSubstring(with_commas(tank.hottest.front().hits)));
    CHECK_THAT(words, ContainsSubstring("vllm:kv_cache_usage_perc"));
    CHECK_THAT(words, ContainsSubstring("70.0 %"));  // hits over queries
    CHECK_THAT(words, ContainsSubstring("gap 236 to 239 asked again, received"));
    CHECK_THAT(words, ContainsSubstring("tokens hidden"));
}

TEST_CASE("an unknown pool size is said, and never guessed", "[attach]") {
    Screen screen = screen_of({1920, 1080}, view_with([](ServerView& v) {
                                  for (RankCard& card : v.tank.ranks) card.pool.reset();
                              }));
    CHECK_THAT(words_of(screen), ContainsSubstring("not known: give the metrics' address"));
}

TEST_CASE("commands of a server: wishes, refusals and the selection", "[attach]") {
    Screen screen = screen_of({1280, 720}, made_view());
    AppState& state = screen.frame().state();
    apply(state, {"attach.rank", std::uint64_t{1}});
    REQUIRE(state.attach.wishes.size() == 1);
    CHECK_THROWS_WITH(apply(state, {"attach.rank", std::uint64_t{9}}),
                      ContainsSubstring("has no rank 9. It has 0, 1"));
    apply(state, {"attach.select", std::uint64_t{2}});
    CHECK(state.attach.selected == 2);
    apply(state, {"attach.select", std::uint64_t{2}});
    CHECK(state.attach.selected == 0);
    CHECK_THROWS_WITH(apply(state, {"attach.order", std::string("size")}),
                      ContainsSubstring("prefix, last_use or stored"));
    AppState none;
    CHECK_THROWS_WITH(apply(none, {"attach.pause", {}}), ContainsSubstring("No server is watched"));
    CHECK_THROWS_WITH(apply(none, {"attach.open", {}}), ContainsSubstring("No address"));
    CHECK(none.layout == LayoutName::Explore);
    apply(none, {"attach.open", std::string("tcp://localhost:5557")});
    CHECK(none.layout == LayoutName::Attach);
    CHECK(none.attach.ask.address == "tcp://localhost:5557");
    apply(none, {"attach.open", std::string("tcp://h:1 replay=tcp://h:2 ranks=2 bind")});
    CHECK(none.attach.ask ==
          AttachAsk{.address = "tcp://h:1", .replay = "tcp://h:2", .ranks = 2, .bind = true});
    for (const char* wrong : {"tcp://h:1 ranks=0", "tcp://h:1 replay=", "h:1", "tcp://h:1 speed=2"})
        CHECK_THROWS_WITH(apply(none, {"attach.open", std::string(wrong)}),
                          ContainsSubstring("is not understood"));
    CHECK(none.attach.ask.ranks == 2);  // what was refused changed nothing
}

TEST_CASE("the keys that step a run step a server where it is shown", "[attach]") {
    const ScratchFolder folder;
    const std::string path = (folder.path() / "keys.jsonl").string();
    {
        std::ofstream out(path);
        for (int i = 0; i < 3; ++i)
            out << R"({"seq":)" << i << R"(,"ts":)" << i
                << R"(,"events":[{"type":"AllBlocksCleared"}]})" << '\n';
    }
    Screen screen = screen_of({1280, 720}, nullptr);
    AppState& state = screen.frame().state();
    apply(state, {"attach.file", path});
    screen.finish_run();
    REQUIRE(state.attach.view != nullptr);
    const auto press = [&](ImGuiKey key) {
        ImGui::GetIO().AddKeyEvent(key, true);
        screen.draw(true);
        ImGui::GetIO().AddKeyEvent(key, false);
        screen.draw(true);
        screen.draw(true);
    };
    screen.draw(true);
    CHECK(state.attach.view->sequence == 2);
    press(ImGuiKey_LeftArrow);
    CHECK(state.attach.view->sequence == 1);
    press(ImGuiKey_Home);
    press(ImGuiKey_RightArrow);
    press(ImGuiKey_RightArrow);  // the mark where it began, then the first batch
    CHECK(state.attach.view->sequence == 0);
    CHECK_FALSE(state.attach.view->live);
    press(ImGuiKey_End);
    CHECK(state.attach.view->sequence == 2);
    CHECK(state.attach.view->live);
    press(ImGuiKey_Space);
    CHECK_FALSE(state.attach.view->live);
}

// For looking: KVARIUM_LOOK names a folder.
TEST_CASE("pictures of a watched server", "[.][look]") {
    const char* folder = std::getenv("KVARIUM_LOOK");
    if (folder == nullptr) SKIP("KVARIUM_LOOK names no folder");
    for (const auto& [size, theme, name] :
         {std::tuple{PixelSize{1920, 1080}, ThemeName::Dark, "dark-1920"},
          std::tuple{PixelSize{1280, 720}, ThemeName::Light, "light-1280"}}) {
        for (const bool connect : {false, true}) {
            Screen screen = screen_of(size, connect ? nullptr : made_view(), open_headless(size));
            screen.frame().state().settings.theme = theme;
            screen.frame().state().attach.selected = connect ? 0 : 2;
            for (int i = 0; i < 5; ++i) screen.draw(false);
            write_png(
                std::string(folder) + "/" + (connect ? "connect-" : "attach-") + name + ".png",
                screen.surface().read_pixels());
        }
    }
}
