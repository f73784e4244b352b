// A large pool as single texels: what is put step by step is what is put at once, and a step puts
// no more than it changed.
#include <imgui.h>

#include <catch2/catch_test_macros.hpp>

#include "app/panels/stage/stage.hpp"
#include "app/shell/surface/gui.hpp"
#include "core/trace/event/event.hpp"
#include "tests/app/run_bench.hpp"
#include "tests/base/dice.hpp"

using namespace kv;
using namespace kv::test;

namespace {

constexpr std::uint32_t kBlocks = 40'000;

class TexelWindow {
public:
    explicit TexelWindow(std::unique_ptr<Surface> surface)
        : surface_(std::move(surface)), gui_(*surface_) {
        gui_.set_style(palette(ThemeName::Dark), 1);
    }
    Image draw(const RunView& run, StageUi& own, const RunFocus& focus = {}) {
        // Textures are on their way for a frame.
        for (int i = 0; i < 2; ++i) frame(run, own, focus);
        return surface_->read_pixels();
    }

private:
    void frame(const RunView& run, StageUi& own, RunFocus focus) {
        gui_.begin_frame();
        const Ui ui{palette(ThemeName::Dark), gui_.fonts(), texts_, sink_, 1, true};
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(ImGui::GetMainViewport()->Size);
        ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
        draw_stage(ui, run, focus, own);
        ImGui::End();
        gui_.end_frame(palette(ThemeName::Dark).app);
    }

    std::unique_ptr<Surface> surface_;
    Gui gui_;
    Texts texts_;
    CommandSink sink_;
};

// Requests that hold, share, fill and give back blocks of a large pool at random.
class RandomSteps {
public:
    explicit RandomSteps(std::uint64_t seed) : told(kBlocks, 4), dice_(seed, 0) {
        for (std::uint32_t i = 0; i < 8; ++i) {
            std::vector<std::uint32_t> blocks;
            for (std::uint32_t k = 0; k < 40; ++k) blocks.push_back(i * 40 + k);
            told.add(200, 80, blocks);
        }
    }
    void step() {
        for (int i = 0; i < 5; ++i) {
            const SeqId id(dice_.below(8));
            const RequestView& r = told.trace.end().requests[id.index()];
            const auto entry = static_cast<std::uint32_t>(r.tables[0].size());
            const std::uint32_t block = 400 + next_++;
            told.tell(BlockAllocated{LaneId(0), BlockId(block), entry}, id);
            const SeqId other((id.value + 1) % 8);
            const auto its = static_cast<std::uint32_t>(
                told.trace.end().requests[other.index()].tables[0].size());
            if (dice_.below(3) == 0) told.tell(BlockShared{LaneId(0), BlockId(block), its}, other);
            if (dice_.below(3) == 0)
                told.tell(BlockFreed{LaneId(0), BlockId(block), entry, false}, id);
        }
    }
    ToldRun told;

private:
    Dice dice_;
    std::uint32_t next_ = 0;
};

}  // namespace

TEST_CASE("texels that are put step by step are those that are put at once", "[stage][texels]") {
    auto surface = open_headless({900, 600});
    TexelWindow window(std::move(surface));
    RandomSteps steps(5);
    StageUi kept;
    for (int i = 0; i < 12; ++i) {
        steps.step();
        const Image by_steps = window.draw(steps.told.view(), kept);
        StageUi fresh;
        const Image at_once = window.draw(steps.told.view(), fresh);
        REQUIRE(by_steps == at_once);
    }
}

TEST_CASE("a step puts the texels that it changed and no others", "[stage][texels]") {
    TexelWindow window(open_null({900, 600}));
    RandomSteps steps(6);
    StageUi own;
    window.draw(steps.told.view(), own);
    const std::uint64_t whole = own.texels.blocks_put();
    CHECK(whole > 10'000);  // all that are seen
    window.draw(steps.told.view(), own);
    CHECK(own.texels.blocks_put() == whole);  // nothing happened
    steps.step();
    window.draw(steps.told.view(), own);
    const std::uint64_t put = own.texels.blocks_put() - whole;
    CHECK(put >= 5);
    CHECK(put <= 40);
    RunFocus focus;
    focus.request = SeqId(3);
    window.draw(steps.told.view(), own, focus);
    CHECK(own.texels.blocks_put() > whole + 10'000);  // other hues
}
