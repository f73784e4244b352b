// Two watched servers side by side: one axis of time, the words of what differs, and what a person
// sees and presses in every theme and size.

#include <imgui.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/cli/screen/screen.hpp"
#include "app/panels/compare_servers/axis.hpp"
#include "app/panels/compare_servers/words.hpp"
#include "tests/app/panels/attach/made_view.hpp"
#include "tests/places.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::array kPairPanels{
    PanelId::Servers,       PanelId::ServersLeft, PanelId::ServersRight, PanelId::ServersNumbers,
    PanelId::ServersCharts, PanelId::ServersAges, PanelId::ServersStream};

ServerView watched(double start_s, double newest_s) {
    ServerView view;
    view.phase = AttachPhase::Recorded;
    view.events = 1;
    view.tank.start_s = start_s;
    view.tank.now_s = view.newest_s = newest_s;
    return view;
}

std::shared_ptr<const ServerView> rank_one() {
    ServerView view = *made_view({.ranks = {1}});
    view.rank = 1;
    return std::make_shared<const ServerView>(std::move(view));
}

AppState compared() {
    AppState state;
    state.layout = LayoutName::Compare;
    state.attach.view = made_view();
    state.attach.other = rank_one();
    return state;
}

std::string words_on(Screen& screen) {
    for (int i = 0; i < 3; ++i) screen.draw(false);
    std::vector<WrittenText> written;
    screen.draw(false, 1, &written);
    std::string words;
    for (const WrittenText& one : written) words += one.text + "\n";
    return words;
}

std::string sentence_of(const ServerView& left, const ServerView& right) {
    std::string words;
    for (const SentencePiece& piece : servers_sentence(left, right, Texts()))
        words += std::string(piece.text);
    return words;
}

const std::string kRecording = kv::test::source_dir() + "/tests/golden/recordings/two_ranks.jsonl";

}  // namespace

TEST_CASE("two servers have one clock where both were watched, else each its own start",
          "[attach][servers]") {
    const PairAxis one = pair_axis(watched(1000, 1600), watched(1300, 2000));
    CHECK(one.one_clock);
    CHECK(one.right_later_s == 0);
    CHECK(one.zero_s == 1000);
    CHECK(one.left.from_s == 1000);
    CHECK(one.left.to_s == 2000);
    CHECK(one.right.from_s == 1000);

    const PairAxis own = pair_axis(watched(1000, 1600), watched(90'000, 90'900));
    CHECK_FALSE(own.one_clock);
    CHECK(own.right_later_s == 89'000);
    CHECK(own.left.from_s == 1000);
    CHECK(own.left.to_s == 1900);
    CHECK(own.right.from_s == 90'000);
    CHECK(own.right.to_s == 90'900);
    // The same place for what lies as far behind each start.
    CHECK(own.left.x_of(1300, 900) == own.right.x_of(90'300, 900));

    ServerView silent;
    const PairAxis alone = pair_axis(watched(1000, 1600), silent);
    CHECK(alone.zero_s == 1000);
    CHECK(alone.left.to_s == 1600);
}

TEST_CASE("what differs is said of what is known of both", "[attach][servers]") {
    ServerView left = *made_view(), right = *rank_one();
    const TankFacts a = facts_of(left), b = facts_of(right);
    REQUIRE(a.cached != b.cached);
    CHECK(a.hit_rate);
    CHECK_FALSE(b.hit_rate);  // the metrics speak of engine 0 alone
    const std::string said = sentence_of(left, right);
    CHECK_THAT(said, ContainsSubstring("Cached blocks: "));
    CHECK_THAT(said, !ContainsSubstring("Prefix hits"));
    CHECK_THAT(said, ContainsSubstring("Needed again and still there: "));
    CHECK_THAT(said, ContainsSubstring("Median lifetime: "));

    CHECK_THAT(sentence_of(left, left), ContainsSubstring(" % on both sides."));
    CHECK_THAT(sentence_of(left, left), ContainsSubstring("Prefix hits, last minute: 70.0 % on"));
    right.tank.exact = false;
    CHECK_THAT(sentence_of(left, right), ContainsSubstring(" left, about "));
    right.events = 0;
    CHECK(sentence_of(left, right) == "The right one has said nothing yet.");
    left.events = 0;
    CHECK(sentence_of(left, right) == "Neither of both has said anything yet.");
}

TEST_CASE("the numbers have the marks of where they come from", "[attach][servers]") {
    const ServerView left = *made_view();
    ServerView right = left;
    right.tank.exact = false;
    right.tank.ranks[0].cached -= 100;
    const auto rows = servers_rows(left, right, Texts());
    REQUIRE(rows.size() == 10);
    CHECK(rows[0].what == "Blocks cached");
    CHECK(rows[0].apart == "100 less");
    CHECK(rows[0].left_from == NumberSource::Exact);
    CHECK(rows[0].right_from == NumberSource::ExactInGap);
    CHECK(rows[3].what == "Prefix hit rate, last minute");
    CHECK(rows[3].left == "70.0 %");
    CHECK(rows[3].right_from == NumberSource::Sampled);
    CHECK(rows[3].apart == "the same");
    const auto unknown = servers_rows(left, *rank_one(), Texts());
    CHECK(unknown[3].right == "not known");
    CHECK_FALSE(unknown[3].is_known);
}

TEST_CASE("two servers are drawn in every theme, size and scale", "[attach][servers]") {
    for (const PixelSize size : {PixelSize{1280, 720}, PixelSize{1920, 1080}, PixelSize{640, 360}})
        for (const float scale : {1.0f, 2.0f}) {
            Screen screen(open_null(size), compared(), Texts());
            screen.frame().state().settings.text_scale = scale;
            for (const ThemeName theme : kThemeNames) {
                screen.frame().state().settings.theme = theme;
                for (int i = 0; i < 3; ++i) CHECK_NOTHROW(screen.draw(false));
            }
        }
}

// One that is still called, one that has said nothing, and none at all.
TEST_CASE("each panel of two servers stands alone, whatever is known", "[attach][servers]") {
    ServerView called;
    called.address = "tcp://localhost:5558";
    called.trouble = "127.0.0.1 refused port 5558.";
    const auto silent = std::make_shared<const ServerView>(std::move(called));
    for (const auto& [left, right] :
         {std::pair{made_view(), rank_one()}, std::pair{made_view(), silent},
          std::pair{silent, made_view()}, std::pair{silent, silent},
          std::pair{made_view(), std::shared_ptr<const ServerView>()}}) {
        AppState state = compared();
        state.attach.view = left, state.attach.other = right;
        Screen screen(open_null({900, 600}), std::move(state), Texts());
        for (const PanelId panel : kPairPanels) {
            screen.frame().state().only_panel = panel;
            screen.frame().state().rebuild_docks = true;
            for (int i = 0; i < 3; ++i) CHECK_NOTHROW(screen.draw(false));
        }
    }
}

TEST_CASE("Compare says what differs between two ranks, and proves nothing", "[attach][servers]") {
    Screen screen(open_null({1920, 1080}), compared(), Texts());
    const std::string words = words_on(screen);
    CHECK_THAT(words, ContainsSubstring("Not our run"));
    CHECK_THAT(words, ContainsSubstring("tcp://localhost:5557, rank 1"));
    CHECK_THAT(words, ContainsSubstring("one clock for both"));
    CHECK_THAT(words, ContainsSubstring("Swap sides"));
    CHECK_THAT(words, ContainsSubstring("Needed again and still there"));
}

TEST_CASE("cards of ranks and groups do what they say", "[attach][servers]") {
    AppState begun;
    begun.layout = LayoutName::Attach;
    Screen screen(open_null({1920, 1080}), std::move(begun), Texts());
    AppState& state = screen.frame().state();
    apply(state, {"attach.file", kRecording});
    screen.finish_run();
    REQUIRE(state.docks() == LayoutName::Groups);
    const std::string words = words_on(screen);
    CHECK_THAT(words, ContainsSubstring("2 groups of layers"));
    CHECK_THAT(words, ContainsSubstring("full_attention, blocks of 16"));
    CHECK_THAT(words, ContainsSubstring("sliding_window 64, blocks of 16"));
    CHECK_THAT(words, ContainsSubstring("Compare ranks"));

    const auto at_words = [&](const std::string& what) {
        std::vector<WrittenText> written;
        screen.draw(false, 1, &written);
        for (const WrittenText& one : written)
            if (one.text == what) return one;
        FAIL("not on screen: " << what);
        return WrittenText{};
    };
    const auto press = [&](const std::string& what) {
        const WrittenText at = at_words(what);
        ImGuiIO& io = ImGui::GetIO();
        io.AddMousePosEvent(at.rect.x + 2, at.rect.center().y);
        screen.draw(true);
        io.AddMouseButtonEvent(0, true);
        screen.draw(true);
        io.AddMouseButtonEvent(0, false);
        for (int i = 0; i < 3; ++i) screen.draw(true);
    };
    press("group 1");
    CHECK(state.attach.view->group == 1);
    CHECK_THAT(words_on(screen), ContainsSubstring("What rank 0 remembers, group 1"));
    press("group 1");
    CHECK_FALSE(state.attach.view->group);

    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, true);
    press("rank 1");
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, false);
    REQUIRE(state.docks() == LayoutName::Servers);
    CHECK(state.attach.other->rank == 1);
    press("Swap sides");
    CHECK(state.attach.view->rank == 1);
    const auto tap = [&](ImGuiKey key) {
        ImGui::GetIO().AddKeyEvent(key, true);
        screen.draw(true);
        ImGui::GetIO().AddKeyEvent(key, false);
        for (int i = 0; i < 3; ++i) screen.draw(true);
    };
    const double before = state.attach.view->tank.now_s;
    tap(ImGuiKey_LeftArrow);
    CHECK(state.attach.view->tank.now_s <= before);
    CHECK_FALSE(state.attach.view->live);
    CHECK_FALSE(state.attach.other->live);
    press("End comparison");
    CHECK(state.attach.other == nullptr);
}

TEST_CASE("every rank has a card, or is among those that a button counts", "[attach][servers]") {
    const auto words_of = [](std::size_t n_ranks, std::int64_t shown) {
        ServerView view = *made_view();
        const RankCard one = view.tank.ranks.front();
        view.tank.ranks.assign(n_ranks, one);
        for (std::size_t i = 0; i < n_ranks; ++i)
            view.tank.ranks[i].rank.rank = static_cast<std::int64_t>(i);
        view.rank = shown;
        AppState state;
        state.layout = LayoutName::Attach;
        state.attach.view = std::make_shared<const ServerView>(std::move(view));
        Screen screen(open_null({1280, 720}), std::move(state), Texts());
        return words_on(screen);
    };
    const std::string two = words_of(2, 1);
    CHECK_THAT(two, ContainsSubstring("rank 0\n"));
    CHECK_THAT(two, ContainsSubstring("rank 1\n"));
    CHECK_THAT(two, !ContainsSubstring("+"));

    const std::string nine = words_of(9, 6);
    std::size_t cards = 0;
    for (std::size_t i = 0; i < 9; ++i)
        cards += nine.find("rank " + std::to_string(i) + "\n") != std::string::npos;
    CHECK_THAT(nine, ContainsSubstring("rank 6\n"));
    CHECK(cards < 9);
    CHECK_THAT(nine, ContainsSubstring("+" + std::to_string(9 - cards) + " rank"));
}
