// What Esc asks for while something is under way.

#include "app/frame/keys.hpp"

#include <imgui.h>

#include <catch2/catch_test_macros.hpp>

#include "app/cli/screen/screen.hpp"

using namespace kv;

namespace {

// The commands that Esc pushes in such a state, over a window in which nothing else is open.
std::vector<Command> asked_by_escape(const AppState& state) {
    Screen screen(open_null({1280, 720}), {}, Texts());
    screen.draw(true);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, true);
    screen.draw(true);
    CommandSink out;
    read_keys(state, false, out);
    return out.take();
}

std::vector<Command> only(CommandId id) {
    return {{id, {}}};
}

AppState with_run() {
    AppState state;
    state.run.exists = true;
    return state;
}

}  // namespace

TEST_CASE("Esc stops what is under way, and keeps the selection meanwhile", "[keys]") {
    CHECK(asked_by_escape(with_run()) == only("select.none"));

    AppState loading = with_run(), preparing = with_run(), measuring = with_run();
    loading.run.loading = true;
    preparing.run.preparing = Preparing{};
    measuring.run.measuring = true;
    CHECK(asked_by_escape(loading) == only("run.cancel"));
    CHECK(asked_by_escape(preparing) == only("run.cancel"));
    CHECK(asked_by_escape(measuring) == only("price.cancel"));

    AppState racing = with_run(), weighing = with_run(), filming = with_run();
    racing.race.progress = 0.5;
    weighing.whatif.progress = 0.5;
    filming.film = Said("layout.learn"_t);  // any words: empty is no film
    CHECK(asked_by_escape(racing) == only("race.stop"));
    CHECK(asked_by_escape(weighing) == only("whatif.stop"));
    CHECK(asked_by_escape(filming) == only("export.stop"));
}

TEST_CASE("Esc takes a notice away before the selection", "[keys]") {
    AppState state = with_run();
    state.notice = Notice{};
    CHECK(asked_by_escape(state).empty());
}
