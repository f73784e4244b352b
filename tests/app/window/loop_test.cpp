// When the window draws, and how long it sleeps.

#include "app/cli/window/loop.hpp"

#include <imgui.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "tests/environment.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// Draws nothing, and something arrives when wake() says so.
class WokenSurface : public Surface {
public:
    void attach() override { null_->attach(); }
    void detach() override { null_->detach(); }
    PixelSize size() const override { return null_->size(); }
    void resize(PixelSize size) override { null_->resize(size); }
    bool wait_events(double) override { return std::exchange(arrived_, false); }
    void wake() override { arrived_ = true; }
    void begin_frame() override { null_->begin_frame(); }
    void present(Color background) override { null_->present(background); }
    Image read_pixels() override { return null_->read_pixels(); }
    std::string renderer() override { return null_->renderer(); }
    bool visible() const override { return !minimised; }

    bool minimised = false;

private:
    std::unique_ptr<Surface> null_ = open_null({1280, 720});
    bool arrived_ = false;
};

struct LoopedWindow {
    ScratchFolder home;
    EnvironmentVariable config{"XDG_CONFIG_HOME", home.path().string()};
    EnvironmentVariable state_home{"XDG_STATE_HOME", home.path().string()};
    WokenSurface* surface = new WokenSurface;
    Screen screen{std::unique_ptr<Surface>(surface), AppState(), Texts()};
    WindowLoop loop{screen};

    // Turns until the window would sleep for a second at least, or `most` is over.
    void settle(std::chrono::seconds most) {
        const auto end = std::chrono::steady_clock::now() + most;
        while (std::chrono::steady_clock::now() < end && !sleeps()) {
            loop.turn(0);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    void wait_for_end_of_note() {
        for (int i = 0; i < 3000 && screen.frame().state().notice; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            loop.turn(0);
        }
    }
    bool sleeps() const { return loop.pause() == Surface::kNoLimit || loop.pause() > 1; }
};

}  // namespace

TEST_CASE("while a note stands nothing is drawn until it goes", "[window][loop]") {
    LoopedWindow window;
    AppState& state = window.screen.frame().state();
    window.settle(std::chrono::seconds(30));
    REQUIRE(window.loop.pause() == Surface::kNoLimit);

    state.notice = Notice{.said = Said("message.copied"_t)};
    window.screen.surface().wake();
    window.loop.turn(0);
    window.settle(std::chrono::seconds(4));
    REQUIRE(state.notice);
    CHECK(window.sleeps());
    CHECK_FALSE(window.loop.turn(0));

    // Its end is due by itself, and the frame behind it is drawn as well.
    state.notice->leaves_at = ImGui::GetTime() + 0.2;
    window.screen.surface().wake();
    window.loop.turn(0);
    window.wait_for_end_of_note();
    CHECK_FALSE(state.notice);
    CHECK(window.loop.turn(0));

    state.notice = Notice{.said = Said("message.copied"_t), .refused = true};
    window.screen.surface().wake();
    window.loop.turn(0);
    window.settle(std::chrono::seconds(30));
    CHECK(state.notice);
    CHECK(window.loop.pause() == Surface::kNoLimit);
}

TEST_CASE("a minimised window sleeps, whatever is due in it", "[window][loop]") {
    LoopedWindow window;
    AppState& state = window.screen.frame().state();
    window.settle(std::chrono::seconds(30));
    state.notice = Notice{.said = Said("message.copied"_t)};
    window.screen.surface().wake();
    window.loop.turn(0);
    state.notice->leaves_at = ImGui::GetTime() + 0.1;
    window.loop.turn(0);
    REQUIRE(state.notice);
    window.surface->minimised = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    CHECK(window.loop.pause() == Surface::kNoLimit);
    CHECK_FALSE(window.loop.turn(0));
    window.surface->minimised = false;
    window.wait_for_end_of_note();
    CHECK_FALSE(state.notice);
}
