// What the window remembers is on the disk while it is still open.

#include "app/cli/window/kept_settings.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <thread>

#include "app/shell/files.hpp"
#include "tests/environment.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using test::EnvironmentVariable;
using test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

struct SettingsWindow {
    ScratchFolder home;
    EnvironmentVariable config{"XDG_CONFIG_HOME", home.path().string()};
    EnvironmentVariable state{"XDG_STATE_HOME", home.path().string()};
    Screen screen{open_null({1280, 720}), AppState(), Texts()};
    KeptSettings kept{screen};

    fs::path file() const { return home.path() / "kvarium" / "settings.json"; }
    std::string text() const { return fs::exists(file()) ? read_file(file(), 1 << 16) : ""; }
    void wait() {
        for (int i = 0; i < 4; ++i) {
            kept.follow(screen);
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
    }
};

}  // namespace

TEST_CASE("a setting is on the disk soon after it has changed", "[window][settings]") {
    SettingsWindow window;
    window.screen.draw(false);
    window.wait();
    window.screen.frame().state().settings.theme = ThemeName::Light;
    window.kept.follow(window.screen);
    CHECK(window.text().find("light") == std::string::npos);  // it may change again at once
    window.wait();
    CHECK_THAT(window.text(), ContainsSubstring("\"theme\": \"light\""));
    CHECK_THAT(window.text(), ContainsSubstring("\"window_width\": 1280"));
}

TEST_CASE("settings that cannot be kept are told of once, and the window goes on",
          "[window][settings]") {
    SettingsWindow window;
    save_file(window.home.path() / "kvarium", "a file where a folder belongs");
    AppState& state = window.screen.frame().state();
    state.settings.theme = ThemeName::Light;
    window.wait();
    REQUIRE(state.notice);
    CHECK(state.notice->refused);
    CHECK_THAT(state.notice->said.english(), ContainsSubstring("settings.json"));
    state.notice.reset();
    state.settings.theme = ThemeName::Dark;
    window.wait();
    CHECK_FALSE(state.notice);
}
