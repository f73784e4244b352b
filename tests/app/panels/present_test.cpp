#include "app/panels/present/present.hpp"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "app/panels/present/layout.hpp"
#include "app/panels/present/view.hpp"
#include "app/widgets/bare_window.hpp"
#include "core/cost/model/presets.hpp"
#include "tests/app/picture.hpp"

using namespace kv;
using Catch::Approx;

namespace {

BillView left_view_of(const BillInputs& in) {
    std::string why;
    auto view = view_bill(in, BillSide::Left, why);
    REQUIRE(view);
    return std::move(*view);
}

std::string values(const PresentEquation& equation) {
    std::string text;
    for (const PresentBox& box : equation.boxes) text += (text.empty() ? "" : " × ") + box.value;
    return text + " = " + equation.result;
}

}  // namespace

TEST_CASE("Present stands where the design has it at 1920 x 1080", "[present]") {
    const PresentPlan plan = layout_present({0, 0, 1920, 1080});
    CHECK(plan.unit == 1);
    CHECK(plan.title == Rect{48, 46, 1824, 40});  // below the bar
    CHECK(plan.equation == Rect{48, 100, 1824, 200});
    CHECK(plan.rule_y == 820);
    CHECK(plan.caption == Rect{48, 840, 1564, 72});
    CHECK(plan.buttons.right() == 1872);
    CHECK(plan.chart.right() == 1872);
    CHECK(plan.chart.bottom() < plan.rule_y);
    CHECK(plan.bars.right() < plan.chart.x);
}

TEST_CASE("Present is scaled by the smaller side and gives what is left to the middle",
          "[present]") {
    const PresentPlan small = layout_present({0, 0, 1280, 720});
    CHECK(small.unit == Approx(2.0 / 3));
    CHECK(small.title.x == 32);
    CHECK(small.rule_y == 547);
    const PresentPlan square = layout_present({0, 0, 1024, 768});
    CHECK(square.unit == Approx(1024.0 / 1920));
    CHECK(square.rule_y == 629);  // (820 + 360) x 1,024 / 1,920
    CHECK(square.chart.h > small.chart.h);
    const PresentPlan wide = layout_present({100, 50, 3000, 1080});
    CHECK(wide.unit == 1);
    CHECK(wide.title == Rect{148, 96, 2904, 40});
}

TEST_CASE("parts of Present never overlap", "[present]") {
    for (const Rect room : {Rect{0, 0, 1920, 1080}, Rect{0, 0, 1280, 720}, Rect{0, 0, 1024, 768},
                            Rect{0, 0, 3840, 1600}, Rect{0, 0, 800, 1200}}) {
        for (const float scale : {0.8f, 1.0f, 1.5f, 3.0f}) {
            const float bar = 40 * std::min(scale, 2.0f);
            const PresentPlan plan = layout_present(room, {scale, bar});
            INFO(room.w << "x" << room.h << " at " << scale);
            CHECK(plan.title.y >= room.y + bar);
            CHECK(plan.title.bottom() <= plan.equation.y);
            CHECK(plan.equation.bottom() <= plan.bars.y);
            CHECK(plan.bars.bottom() <= plan.rule_y);
            CHECK(plan.chart.bottom() <= plan.rule_y);
            CHECK(plan.rule_y <= plan.caption.y);
            CHECK(plan.caption.right() <= plan.page.x);
            CHECK(plan.prose.right() <= plan.buttons.x);
            CHECK(plan.buttons.bottom() <= room.bottom());
            CHECK(plan.prose.bottom() <= room.bottom());
        }
    }
}

TEST_CASE("the large sentence and its two companions are computed", "[present][C042]") {
    const Texts text;
    BillInputs in = default_bill();
    const PresentWords words = present_words(left_view_of(in), text);
    CHECK(words.model == "Llama 3 8B, GQA 8, BF16");
    CHECK(words.caption == "131,072 tokens need 16 GiB.");
    CHECK(words.prose[0] ==
          "Each token leaves 128 KiB behind: 8 keys and 8 values in each of 32 layers.");
    // 16,060,522,496 of weights, 5e9 of activations and reserve, 17,179,869,184 of cache; 80e9 in
    // all.
    CHECK(words.prose[1] ==
          "With weights and reserve: 35.61 GiB of 74.51 GiB, 38.89 GiB stay free.");
}

TEST_CASE("a model that does not fit says by how much", "[present][C058]") {
    const Texts text;
    BillInputs in = default_bill();
    set_model(in, BillSide::Left, "llama-2-70b");
    in.units = UnitSystem::Decimal;
    // 137.95 GB of weights, 5 GB, and 131,072 x 327,680 B = 42.95 GB: 185.90 GB on a card of 80 GB.
    CHECK(present_words(left_view_of(in), text).prose[1] ==
          "With weights and reserve: 185.9 GB on 80 GB, 105.9 GB too much.");
}

TEST_CASE("the sentence about a token fits the way the model stores it", "[present]") {
    const Texts text;
    BillInputs in = default_bill();
    set_kv_heads(in, BillSide::Left, 1);
    CHECK(present_words(left_view_of(in), text).prose[0] ==
          "Each token leaves 16 KiB behind: one key and one value in each of 32 layers.");
    set_model(in, BillSide::Left, "deepseek-v3");
    // 61 layers x (512 + 64) x 2 B = 70,272 B = 68.625 KiB.
    CHECK(present_words(left_view_of(in), text).prose[0] ==
          "Each token leaves 68.625 KiB behind: one latent vector in each of 61 layers.");
    set_model(in, BillSide::Left, "llama-3-8b");
    set_window(in, 1024);
    CHECK(present_words(left_view_of(in), text).prose[0] ==
          "Each token takes 128 KiB until it leaves the window; then a newer one takes its place.");
}

TEST_CASE("the boxes multiply to the result", "[present]") {
    const Texts text;
    BillInputs in = default_bill();
    CHECK(values(present_equation(left_view_of(in), text)) ==
          "2 × 32 × 8 × 128 × 2 B × 8,192 × 16 = 16 GiB");
    set_codec(in, BillSide::Left, Side::K, "int8");
    set_codec(in, BillSide::Left, Side::V, "int8");
    const PresentEquation scaled = present_equation(left_view_of(in), text);
    CHECK(values(scaled) == "2 × 32 × 8 × 128 × 1 B × 8,192 × 16 = 8 GiB");
    // One 2-byte scale per vector: 2 x 32 x 8 x 2 B x 131,072 = 128 MiB.
    CHECK(scaled.result_label == "and 128 MiB of scales");
}

TEST_CASE("what is no single product is shown by its price", "[present]") {
    const Texts text;
    BillInputs in = default_bill();
    set_codec(in, BillSide::Left, Side::V, "fp8_e4m3");
    CHECK(values(present_equation(left_view_of(in), text)) == "96 KiB × 8,192 × 16 = 12 GiB");
    set_codec(in, BillSide::Left, Side::V, "bf16");
    set_window(in, 1024);  // 1,024 x 128 KiB each
    CHECK(values(present_equation(left_view_of(in), text)) == "128 MiB × 16 = 2 GiB");
}

TEST_CASE("Next and Back walk through the known models", "[present]") {
    const PresentNeighbours first = present_neighbours("llama-2-7b");
    CHECK(!first.previous);
    CHECK(first.next == "llama-2-13b");
    CHECK(first.place == 1);
    CHECK(first.count == preset_names().size());
    const PresentNeighbours last = present_neighbours(preset_names().back());
    CHECK(!last.next);
    CHECK(last.place == last.count);
    const PresentNeighbours other = present_neighbours("my-own-model");
    CHECK(!other.place);
    CHECK(other.next == "llama-2-7b");
}

TEST_CASE("the buttons of Present go to the neighbouring models", "[present]") {
    const BillInputs in = default_bill();
    std::vector<std::string> commands;
    for (int tabs = 1; tabs <= 5; ++tabs) {  // whatever stands at that place of the Tab order
        const auto surface = open_null({1280, 720});
        Gui gui(*surface);
        const Texts texts;
        CommandSink sink;
        const Ui ui{palette(ThemeName::Light), gui.fonts(), texts, sink};
        const auto frame = [&](ImGuiKey key, bool down) {
            ImGui::GetIO().AddKeyEvent(key, down);
            gui.begin_frame();
            {
                const BareWindow window("###present", {0, 0, 1280, 720}, ui.colors.panel);
                draw_present(ui, in, {0, 0, 1280, 720});
            }
            gui.end_frame(ui.colors.app);
        };
        const auto press = [&](ImGuiKey key) {
            frame(key, false);
            frame(key, true);
            frame(key, false);
            frame(key, false);
        };
        for (int i = 0; i < tabs; ++i) press(ImGuiKey_Tab);
        press(ImGuiKey_Space);
        for (const Command& command : sink.take()) commands.push_back(print(command));
    }
    const auto pushed = [&](const char* command) {
        return std::find(commands.begin(), commands.end(), command) != commands.end();
    };
    CHECK(pushed("bill.model opt-13b"));
    CHECK(pushed("bill.model llama-3-70b"));
}

TEST_CASE("the memory of the card bends where it is full", "[present][C055][C062]") {
    BillInputs in = default_bill();
    const auto memory = present_memory(left_view_of(in));
    REQUIRE(memory);
    CHECK(memory->base == 21'060'522'496);
    CHECK(memory->capacity == 80'000'000'000);
    CHECK(memory->now_tokens == 131'072);
    CHECK(memory->tokens.back() == 262'144);
    CHECK(memory->used.front() == 21'060'522'496.0);
    CHECK(memory->used.back() == 21'060'522'496.0 + 34'359'738'368.0);
    CHECK(memory->tokens.size() == 2);  // straight, and inside the card
    CHECK(memory->shows_capacity);

    set_model(in, BillSide::Left, "llama-2-7b");
    const auto full = present_memory(left_view_of(in));
    REQUIRE(full);
    REQUIRE(full->tokens.size() == 3);
    // (80e9 - 5e9 - 13,476,831,232) / 524,288 B = 117,346.9 tokens.
    CHECK(full->tokens[1] == 117'346);
    CHECK(full->used[1] == Approx(80e9));
}

TEST_CASE("a card far above the picture is left out of it", "[present]") {
    BillInputs in = default_bill();
    set_model(in, BillSide::Left, "smollm2-135m");
    set_batch(in, 1);
    const auto memory = present_memory(left_view_of(in));
    REQUIRE(memory);
    CHECK(!memory->shows_capacity);
    CHECK(memory->axis.max() < 40e9);
}

TEST_CASE("Present draws every model, theme and size", "[present]") {
    BillInputs in = default_bill();
    for (const PixelSize size :
         {PixelSize{320, 200}, PixelSize{1280, 720}, PixelSize{1024, 1400}}) {
        const auto surface = open_null(size);
        Gui gui(*surface);
        for (const std::string_view name : preset_names()) {
            set_model(in, BillSide::Left, name);
            const ThemeName theme = kThemeNames[name.size() % kThemeNames.size()];
            draw_frames(*surface, gui, theme, 1, [&](const Ui& ui) {
                const Rect room{0, 0, static_cast<float>(size.w), static_cast<float>(size.h)};
                const BareWindow window("###present", room, ui.colors.panel);
                draw_present(ui, in, room);
            });
            CHECK(ImGui::GetDrawData()->TotalVtxCount > 0);
        }
    }
}
