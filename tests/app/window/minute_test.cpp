// The guided minute in the whole window: what its stops light, what they say of the run, and what
// keys and mouse do.

#include <imgui.h>
#include <imgui_internal.h>

#include <array>
#include <catch2/catch_test_macros.hpp>

#include "app/frame/dock/dock.hpp"
#include "app/frame/minute/plan.hpp"
#include "app/frame/minute/stops.hpp"
#include "app/panels/view/facts.hpp"
#include "core/base/error.hpp"
#include "tests/app/window_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

struct MinuteWindow : WindowBench {
    explicit MinuteWindow(PixelSize size = {1920, 1080}, float text_scale = 1)
        : WindowBench(size, still(text_scale)) {
        open("explore", 3);
        ask("minute.start");
    }
    static AppState still(float text_scale) {
        AppState state = with_text_scale(text_scale);
        state.settings.reduced_motion = true;
        return state;
    }

    MinuteUi& minute() { return state().minute; }
    void to_stop(std::uint32_t stop) {
        while (minute().stop < stop) ask("minute.next");
    }
    Rect card() {
        const ImGuiWindow* window = ImGui::FindWindowByName("###minute/card");
        REQUIRE(window != nullptr);
        return {window->Pos.x, window->Pos.y, window->Size.x, window->Size.y};
    }
    // All that the card says.
    std::string words() {
        std::vector<WrittenText> written;
        screen.draw(true, 1, &written);
        std::string all;
        for (const WrittenText& one : written)
            if (one.place.find("minute") != std::string::npos) all += one.text + " ";
        return all;
    }
};

bool says(const std::string& words, std::string_view what) {
    return words.find(what) != std::string::npos;
}

struct Size {
    PixelSize pixels;
    float text;
};
constexpr std::array kSizes{Size{{1280, 720}, 1}, Size{{1600, 900}, 1}, Size{{1920, 1080}, 1},
                            Size{{2560, 1440}, 1}, Size{{1920, 1080}, 2}};

}  // namespace

TEST_CASE("every stop lights its parts, and the card lies over none of them",
          "[minute][run_window][heavy]") {
    // Parts with a place of their own: two rows; a token and its slot; a row and a block; ...
    constexpr std::array<std::size_t, kMinuteStops> kParts{2, 2, 2, 2, 2, 3, 2, 0};
    for (const Size& size : kSizes) {
        MinuteWindow window(size.pixels, size.text);
        for (std::uint32_t stop = 1; stop <= kMinuteStops; ++stop) {
            INFO(size.pixels.w << " text " << size.text << " stop " << stop);
            window.to_stop(stop);
            REQUIRE(window.minute().stop == stop);
            // In a low window, or with text twice as large, the charts share a dock with the Stage.
            const bool hides_chart = (size.text > 1 || size.pixels.h < 800) && stop == 6;
            CHECK(window.minute().lit.size() == kParts[stop - 1] - (hides_chart ? 1 : 0));
            const Rect card = window.card();
            CHECK(card.x >= 0);
            CHECK(card.y >= 0);
            CHECK(card.right() <= static_cast<float>(size.pixels.w));
            CHECK(card.bottom() <= static_cast<float>(size.pixels.h));
            for (const Rect& lit : window.minute().lit) CHECK_FALSE(have_common_area(card, lit));
        }
    }
}

TEST_CASE("in a window of 1280 the panel of a stop comes to the front", "[minute][run_window]") {
    MinuteWindow window({1280, 720});
    CHECK_FALSE(panel_in_view(LayoutName::Explore, PanelId::Bytes));
    window.to_stop(4);
    CHECK(panel_in_view(LayoutName::Explore, PanelId::Bytes));
    window.to_stop(5);
    CHECK(panel_in_view(LayoutName::Explore, PanelId::Attention));
    window.to_stop(7);
    CHECK(panel_in_view(LayoutName::Explore, PanelId::Equation));
}

TEST_CASE("what a stop says is what the run holds", "[minute][run_window]") {
    MinuteWindow window;
    const KvLayout& layout = window.run().layout;
    CHECK(window.run().now.iteration == 1);
    // 23 tokens: <s>, 18 words, 4 marks
    CHECK(says(window.words(), "23"));
    CHECK(says(window.words(), "18 are words, 4 are marks"));
    window.to_stop(2);
    CHECK(says(window.words(), "barn"));
    CHECK(says(window.words(), std::to_string(bytes_per_token(layout))));
    window.to_stop(3);
    CHECK(window.run().now.iteration == 4);
    const Table& table = *window.run().lane().table(SeqId(0));
    REQUIRE(table.size() == 2);
    CHECK(table[0] == BlockId(6));
    CHECK(table[1] == BlockId(33));
    for (const char* part : {"16", "25", "33", "6", "10"}) CHECK(says(window.words(), part));
    window.to_stop(4);
    // token 25 lies in slot 9 of block 33
    const std::uint64_t address =
        layout.vector_offset(LayerId(0), Side::K, HeadId(0), BlockId(33), Slot(9));
    CHECK(address == 0x08640);
    CHECK(says(window.words(), "0x08640"));
    window.to_stop(5);
    const auto weights = window.run().attention->of(0, 0);
    CHECK(weights.size() == 26);
    CHECK(says(window.words(), "0.369"));
    CHECK(says(window.words(), "0.361"));
    window.to_stop(7);
    CHECK(window.run().now.iteration == 5);
    CHECK(says(window.words(), "2 × 4 × 2 × 16 × 2 B"));
    CHECK(says(window.words(), "512 B"));
    CHECK(says(window.words(), "4 times"));
}

TEST_CASE("Enter and Right go on, Left goes back, Esc leaves the run as it is",
          "[minute][run_window]") {
    MinuteWindow window;
    window.press(ImGuiKey_Enter);
    CHECK(window.minute().stop == 2);
    window.press(ImGuiKey_RightArrow);
    CHECK(window.minute().stop == 3);
    CHECK(window.run().now.iteration == 4);
    window.press(ImGuiKey_LeftArrow);
    CHECK(window.minute().stop == 2);
    CHECK(window.run().now.iteration == 1);
    window.press(ImGuiKey_B);  // no key of the run reaches it
    window.press(ImGuiKey_End);
    CHECK(window.state().layout == LayoutName::Explore);
    CHECK(window.run().now.iteration == 1);
    window.press(ImGuiKey_Escape);
    CHECK_FALSE(window.minute().open);
    CHECK(window.run().now.iteration == 1);
    CHECK(window.run().scene == "The first minute");
    window.press(ImGuiKey_RightArrow);  // and now it does
    CHECK(window.run().now.iteration == 2);
}

TEST_CASE("the sixth stop goes on once the step is made, by key or by the button",
          "[minute][run_window]") {
    for (const bool by_mouse : {false, true}) {
        MinuteWindow window;
        window.to_stop(6);
        CHECK(window.run().now.iteration == 4);
        if (by_mouse)
            window.click(window.minute().lit.front().center());
        else
            window.press(ImGuiKey_RightArrow);
        CHECK(window.minute().stop == 7);
        CHECK(window.run().now.iteration == 5);
        CHECK(window.run().now.requests[0].stored == 27);
        window.press(ImGuiKey_LeftArrow);
        CHECK(window.minute().stop == 6);  // and stays there
        CHECK(window.run().now.iteration == 4);
    }
}

TEST_CASE("a press on a lit part reaches the panel, one elsewhere does nothing",
          "[minute][run_window]") {
    MinuteWindow window;
    window.to_stop(4);
    CHECK_FALSE(window.state().run.focus.token);
    window.click(window.minute().lit.front().center());
    CHECK(window.state().run.focus.token == 25u);
    CHECK(window.minute().stop == 4);
    window.ask("select.none");
    window.ask("minute.back");
    const auto transport = panel_in_view(LayoutName::Explore, PanelId::Transport);
    REQUIRE(transport);
    const Vec2 back{transport->x + 40, transport->y + 24};  // a button that is covered
    const std::uint64_t before = window.run().moment;
    window.click(back);
    CHECK(window.minute().stop == 3);
    CHECK(window.run().moment == before);
    window.ask("minute.skip");
    window.click(back);
    CHECK(window.run().moment < before);
}

TEST_CASE("the last stop runs a sentence, and says what is wrong with one",
          "[minute][run_window]") {
    MinuteWindow window;
    window.to_stop(8);
    CHECK(window.minute().has_keyboard);
    window.press(ImGuiKey_Enter);
    CHECK(window.minute().open);
    CHECK(says(window.words(), "nothing to read"));
    ImGui::GetIO().AddInputCharactersUTF8("Tom likes plums.");
    for (int i = 0; i < 6; ++i) window.screen.draw(true);
    CHECK(window.minute().sentence == "Tom likes plums.");
    window.press(ImGuiKey_Enter);
    window.settle();
    CHECK_FALSE(window.minute().open);
    CHECK(window.run().scene == "Own sentence");
}

TEST_CASE("another layout or another scene ends the guided minute", "[minute][run_window][heavy]") {
    for (const char* words : {"layout.learn", "file.open_scene explore", "window.first_start"}) {
        MinuteWindow window;
        window.ask("minute.next");
        window.ask(words);
        CHECK_FALSE(window.minute().open);
        window.ask("minute.start");  // and Help begins it anew
        CHECK(window.minute().open);
        CHECK(window.minute().stop == 1);
    }
    MinuteWindow window;
    window.ask("minute.skip");
    CHECK_FALSE(window.minute().open);
    apply(window.state(), {"minute.next", {}});
    CHECK_THROWS_AS(window.screen.finish_run(), Error);
}
