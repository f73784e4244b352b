// How often a warm frame asks for memory: what is there may shrink, and does not grow unnoticed.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/frame/frame.hpp"
#include "app/shell/gui.hpp"
#include "app/shell/surface.hpp"
#include "bench/allocations.hpp"
#include "bench/large_pool.hpp"

using namespace kv;
using namespace kv::bench;

namespace {

class Explore {
public:
    Explore() : surface_(open_null({1920, 1080})), gui_(*surface_), frame_(state(), Texts()) {
        gui_.set_style(palette(ThemeName::Dark), 1);
    }
    // How often building the frame asked for memory.
    std::uint64_t draw(const RunView& run) {
        gui_.begin_frame();
        const std::uint64_t before = allocations();
        frame_.draw({.read_keys = false, .run = &run}, gui_.fonts());
        const std::uint64_t asked = allocations() - before;
        gui_.end_frame(palette(ThemeName::Dark).app);
        return asked;
    }

private:
    static AppState state() {
        AppState state;
        state.layout = LayoutName::Explore;
        state.settings.reduced_motion = true;
        return state;
    }
    std::unique_ptr<Surface> surface_;
    Gui gui_;
    Frame frame_;
};

constexpr int kWarmUp = 12, kFrames = 20;

}  // namespace

TEST_CASE("a warm frame over a large pool asks for memory no more often than it did", "[bench]") {
    constexpr std::uint64_t kStill = 410, kMoving = 540;
    LargePool pool;
    Explore window;
    for (int i = 0; i < kWarmUp; ++i) window.draw(pool.view());
    std::uint64_t still = 0, moving = 0;
    for (int i = 0; i < kFrames; ++i) still = std::max(still, window.draw(pool.view()));
    for (int i = 0; i < kWarmUp + kFrames; ++i) {
        pool.step();
        const std::uint64_t asked = window.draw(pool.view());
        if (i >= kWarmUp) moving = std::max(moving, asked);
    }
    INFO(still << " in a frame like the one before, " << moving << " after a step");
    CHECK(still <= kStill);
    CHECK(moving <= kMoving);
}
