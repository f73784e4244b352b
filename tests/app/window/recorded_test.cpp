// The window over a file of events: every panel draws at every size, says what it has not, and
// names no byte.
#include <imgui.h>

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <random>

#include "app/panels/view/facts.hpp"
#include "core/trace/files/json.hpp"
#include "tests/app/seen.hpp"
#include "tests/app/window_bench.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// The events of a shipped scene, in a file that lives as long as this.
class SceneRecording {
public:
    explicit SceneRecording(const std::string& scene) {
        WindowBench played({640, 360});
        played.open(scene);
        std::ofstream(path(), std::ios::binary) << trace_json(played.run().trace);
    }
    std::string path() const { return (folder_.path() / "run.jsonl").string(); }

private:
    ScratchFolder folder_;
};

struct RecordedWindow : WindowBench {
    RecordedWindow(const std::string& path, PixelSize size) : WindowBench(size) { open(path); }
    std::vector<WrittenText> explored() {
        ask("layout.explore");
        return written();
    }
};

}  // namespace

TEST_CASE("every layout and size draws a recorded run", "[recorded][heavy]") {
    const SceneRecording recording("explore");
    for (const PixelSize size : {PixelSize{1280, 720}, {1920, 1080}, {640, 360}, {3840, 2160}}) {
        RecordedWindow window(recording.path(), size);
        for (const char* layout :
             {"layout.learn", "layout.explore", "layout.present", "layout.compare"}) {
            INFO(layout << " " << size.w);
            window.ask(layout);
            for (const char* step : {"run.first", "run.goto 1", "run.goto 60", "run.last"}) {
                window.ask(step);
                window.written();
                check_finite();
            }
        }
    }
}

TEST_CASE("what a file of events does not have is said, not drawn", "[recorded]") {
    const SceneRecording recording("learn");
    RecordedWindow window(recording.path(), {1920, 1080});
    const std::vector<WrittenText> written = window.explored();
    CHECK(says(written, "No attention in this file"));
    CHECK(says(written, "No bytes in this file"));
    CHECK(says(written, "The price of a token is not in this file"));
    CHECK(says(written, "Recorded"));
    CHECK(says(written, "run.jsonl"));
    // The pool is counted in slots; the only bytes are those that the engine counted as read.
    CHECK(says(written, "slots"));
    for (const WrittenText& text : written) {
        if (text.place.find("stage") == std::string::npos) continue;
        INFO(text.place << ": " << text.text);
        CHECK(text.text.find("KiB") == std::string::npos);
    }
    CHECK_FALSE(says(written, "Not checked"));
}

TEST_CASE("panels that read bytes or weights have no tables of a record", "[recorded]") {
    const SceneRecording recording("learn");
    RecordedWindow window(recording.path(), {1280, 720});
    const Texts texts;
    const PanelDataAsk ask{texts, window.state(), window.screen.run().view()};
    for (const PanelId panel :
         {PanelId::Bytes, PanelId::Inspector, PanelId::Channels, PanelId::Attention, PanelId::Price,
          PanelId::Equation, PanelId::Roofline}) {
        INFO(row_of(panel).name);
        CHECK(panel_tables(ask, panel).empty());
    }
    CHECK_FALSE(panel_tables(ask, PanelId::Stage).empty());
    CHECK_FALSE(panel_tables(ask, PanelId::Events).empty());
}

TEST_CASE("the settings of a recorded run can be read, not changed", "[recorded]") {
    const SceneRecording recording("first");
    RecordedWindow window(recording.path(), {1920, 1080});
    const std::vector<WrittenText> written = window.explored();
    CHECK(says(written, "block_size"));
    CHECK(says(written, "48blocks"));
    std::string why;
    apply_or_explain(window.state(), *parse_command("run.set block_size 8", why));
    window.screen.draw(true);
    REQUIRE(window.state().notice);
    CHECK(window.state().notice->refused);
}

TEST_CASE("keys and mouse do no harm to a recorded run", "[recorded]") {
    const SceneRecording recording("paper-figure-8");
    RecordedWindow window(recording.path(), {1280, 720});
    std::mt19937 random(5);
    const auto below = [&](std::uint32_t n) { return static_cast<int>(random() % n); };
    for (int i = 0; i < 3'000; ++i) {
        ImGuiIO& io = ImGui::GetIO();
        const auto key = static_cast<ImGuiKey>(ImGuiKey_Tab + below(100));
        io.AddMousePosEvent(static_cast<float>(below(1280)), static_cast<float>(below(720)));
        io.AddMouseButtonEvent(0, below(2) == 0);
        io.AddMouseWheelEvent(0, static_cast<float>(below(3) - 1));
        io.AddKeyEvent(key, true);
        window.screen.draw(true);
        io.AddKeyEvent(key, false);
        window.state().quit = false;
        const RunView* run = window.screen.run().view();
        REQUIRE(run != nullptr);
        if (run->has_engine) continue;  // the keys opened a scene
        REQUIRE(run->moment <= run->trace.size());
    }
}

TEST_CASE("the notes page says what the audience reads, and holds the notes", "[notes]") {
    for (const PixelSize size : {PixelSize{760, 620}, {200, 150}, {1, 1}, {2000, 1500}}) {
        const auto surface = open_null(size);
        Gui gui(*surface);
        gui.set_style(palette(ThemeName::Light), 1);
        Frame frame({}, Texts());
        frame.state().run.notes.text = "Say why the pool is shared.";
        const SceneRecording recording("first");
        LiveRun run({[&](const std::string&) { return recording.path(); },
                     [](const std::string& model) { return model; }},
                    {});
        run.open_scene("it");
        run.finish(frame.state());
        std::vector<WrittenText> written;
        for (int i = 0; i < 2; ++i) {
            written.clear();
            surface->wait_events(0);
            gui.begin_frame();
            frame.draw_notes_window({.written = &written, .run = run.view()}, gui.fonts());
            gui.end_frame(palette(ThemeName::Light).app);
        }
        if (size.w != 760) continue;
        CHECK(says(written, "run.jsonl"));
        CHECK(says(written, "On the large screen"));
        CHECK(says(written, "step"));
    }
}
