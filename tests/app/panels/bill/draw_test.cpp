// The panels of the bill on the null surface: every theme, scale and size draws, the mouse and the
// keyboard do what they say, and pointing at a factor in one panel lights it in the others.
#include <imgui.h>

#include <catch2/catch_test_macros.hpp>

#include "app/panels/bill/panels.hpp"
#include "app/shell/surface/gui.hpp"
#include "tests/app/panels/bill/sample.hpp"

using namespace kv;
using namespace kv::test;

namespace {

enum class BillPanel { Calculator, Equation, Settings, Roofline };

// One panel in a window of its own, driven like a person drives it.
class BillBench {
public:
    BillBench(PixelSize size, ThemeName theme, float unit)
        : surface_(open_null(size)), gui_(*surface_), colors_(palette(theme)), unit_(unit) {
        gui_.set_style(colors_, unit);
        ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    }

    void frame(BillPanel shown, const BillInputs& bill) {
        surface_->wait_events(0.0);
        gui_.begin_frame();
        state.focus.new_frame();
        const Ui ui{colors_, gui_.fonts(), texts, sink, unit_, true};
        const ImGuiViewport& viewport = *ImGui::GetMainViewport();
        ImGui::SetNextWindowPos(viewport.Pos);
        ImGui::SetNextWindowSize(viewport.Size);
        ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
        draw(ui, shown, bill);
        ImGui::End();
        gui_.end_frame(colors_.app);
    }

    void frames(BillPanel shown, const BillInputs& bill, int count) {
        for (int i = 0; i < count; ++i) frame(shown, bill);
    }

    void click(BillPanel shown, const BillInputs& bill, float x, float y) {
        ImGuiIO& io = ImGui::GetIO();
        io.AddMousePosEvent(x, y);
        frames(shown, bill, 2);
        io.AddMouseButtonEvent(0, true);
        frame(shown, bill);
        io.AddMouseButtonEvent(0, false);
        frames(shown, bill, 2);
    }

    void press(BillPanel shown, const BillInputs& bill, ImGuiKey key) {
        ImGui::GetIO().AddKeyEvent(key, true);
        frame(shown, bill);
        ImGui::GetIO().AddKeyEvent(key, false);
        frames(shown, bill, 2);
    }

    BillUi state;
    UndoHistory<BillInputs> history;
    Texts texts;
    CommandSink sink;

private:
    void draw(const Ui& ui, BillPanel shown, const BillInputs& bill) {
        switch (shown) {
            case BillPanel::Calculator:
                return draw_calculator(ui, bill, state.focus, state.calculator);
            case BillPanel::Equation:
                return draw_equation(ui, bill, state.focus);
            case BillPanel::Settings:
                return draw_settings(ui, bill, history, state.focus);
            case BillPanel::Roofline:
                return draw_roofline(ui, bill);
        }
    }

    std::unique_ptr<Surface> surface_;
    Gui gui_;
    const Palette& colors_;
    float unit_;
};

constexpr std::array kBillPanels{BillPanel::Calculator, BillPanel::Equation, BillPanel::Settings,
                                 BillPanel::Roofline};

std::vector<BillInputs> unlike_bills() {
    BillInputs kivi = bill_of("llama-2-7b", 1001, 3);
    kivi.left.codecs = {codec_of("int4:kivi"), codec_of("int8")};
    BillInputs windowed = bill_of("llama-2-13b", 100'000, 64);
    set_window(windowed, 4096);
    BillInputs small = bill_of("smollm2-135m", 1, 1);
    small.units = UnitSystem::Decimal;
    BillInputs shared = bill_of("llama-3.3-70b", 131'072, 16);
    set_cards(shared, 16);
    set_ranks(shared, 16);
    shared.chart = BillChart::Fit;
    BillInputs staged = bill_of("gemma-4-26b-a4b", 65'536, 4);
    set_cards(staged, 4);
    set_ranks(staged, 2);
    BillInputs nothing_fits = bill_of("llama-3.1-405b", 8192, 1);
    nothing_fits.chart = BillChart::Fit;
    BillInputs hybrid = bill_of("falcon-h1-7b", 4096, 64);
    hybrid.chart = BillChart::Fit;
    return {default_bill(),
            shared,
            staged,
            nothing_fits,
            hybrid,
            bill_of("kimi-linear-48b-a3b", 1'000'000, 1),
            bill_of("llama-2-70b", 32'768, 1),
            bill_of("deepseek-v3", 163'840, 128),
            bill_of("gpt-3", 16'777'216, 1'048'576),  // refused: too large to count
            kivi,
            windowed,
            small};
}

}  // namespace

TEST_CASE("every panel of the bill draws in every theme, scale and size", "[bill][draw]") {
    for (const ThemeName theme : kThemeNames) {
        for (const float unit : {0.8f, 1.0f, 2.0f, 3.0f}) {
            for (const PixelSize size : {PixelSize{1000, 744}, {388, 264}, {200, 120}}) {
                BillBench bench(size, theme, unit);
                bench.state.calculator.unfolded = "kv_bytes/bytes_per_token";
                for (const BillPanel shown : kBillPanels)
                    CHECK_NOTHROW(bench.frames(shown, default_bill(), 2));
            }
        }
    }
}

TEST_CASE("every panel of the bill draws any bill", "[bill][draw]") {
    BillBench bench({832, 532}, ThemeName::Light, 1);
    bench.texts.pseudo();
    for (const BillInputs& bill : unlike_bills())
        for (const BillPanel shown : kBillPanels) CHECK_NOTHROW(bench.frames(shown, bill, 2));
    CHECK(bench.sink.empty());  // drawing alone asks for nothing
}

TEST_CASE("a click on a line of the bill keeps it open, and another one closes it",
          "[bill][draw]") {
    BillBench bench({832, 532}, ThemeName::Dark, 1);
    const BillInputs bill = default_bill();
    bench.frames(BillPanel::Calculator, bill, 2);
    std::vector<std::string> opened;
    for (int line = 0; line < 9; ++line) {
        const float y = 40 + 22 * static_cast<float>(line);
        bench.click(BillPanel::Calculator, bill, 500, y);
        if (!bench.state.calculator.unfolded) continue;
        opened.push_back(*bench.state.calculator.unfolded);
        bench.click(BillPanel::Calculator, bill, 500, y);
        CHECK_FALSE(bench.state.calculator.unfolded);
    }
    REQUIRE(opened.size() >= 7);
    CHECK(opened[0] == "bytes_per_token");
    CHECK(opened[3] == "kv_bytes");
    CHECK(bench.sink.empty());
}

TEST_CASE("the keyboard reaches a line of the bill and opens it", "[bill][draw]") {
    BillBench bench({832, 532}, ThemeName::Dark, 1);
    const BillInputs bill = default_bill();
    bench.frames(BillPanel::Calculator, bill, 2);
    for (int i = 0; i < 60 && !bench.state.calculator.unfolded; ++i) {
        bench.press(BillPanel::Calculator, bill, ImGuiKey_Tab);
        if (bench.state.focus.result || bench.state.focus.next_result)
            bench.press(BillPanel::Calculator, bill, ImGuiKey_Enter);
    }
    CHECK(bench.state.calculator.unfolded == "bytes_per_token");
}

TEST_CASE("the switches ask for what they show", "[bill][draw]") {
    BillBench bench({296, 492}, ThemeName::Dark, 1);
    const BillInputs bill = default_bill();
    const auto clicked_through = [&] {
        std::vector<std::string> asked;
        for (int y = 30; y < 480; y += 13)
            bench.click(BillPanel::Settings, bill, 30, static_cast<float>(y));
        for (const Command& command : bench.sink.take()) {
            const std::string text = print(command);
            if (asked.empty() || asked.back() != text) asked.push_back(text);
        }
        return asked;
    };
    // The first option of every row that is not chosen already, from top to bottom.
    const std::vector<std::string> switches{"bill.kv_heads 32", "bill.block_size 4",
                                            "bill.window 4096"};
    CHECK(clicked_through() == switches);  // with no past, Undo is dead
    bench.history.remember(bill);
    std::vector<std::string> with_undo = switches;
    with_undo.emplace_back("bill.undo");
    CHECK(clicked_through() == with_undo);
}

TEST_CASE("pointing at a box of the equation is told to all panels", "[bill][draw]") {
    BillBench bench({388, 340}, ThemeName::Dark, 1);
    const BillInputs bill = default_bill();
    std::vector<BillFactor> pointed;
    for (int x = 24; x < 380; x += 12) {
        ImGui::GetIO().AddMousePosEvent(static_cast<float>(x), 60);
        bench.frames(BillPanel::Equation, bill, 2);
        const auto factor = bench.state.focus.next_factor;
        if (factor && (pointed.empty() || pointed.back() != *factor)) pointed.push_back(*factor);
    }
    using enum BillFactor;
    CHECK(pointed == std::vector<BillFactor>{Sides, Layers, KvHeads, HeadDim});
}

TEST_CASE("pointing at a switch is told to all panels as well", "[bill][draw]") {
    BillBench bench({296, 492}, ThemeName::Dark, 1);
    ImGui::GetIO().AddMousePosEvent(100, 50);
    bench.frames(BillPanel::Settings, default_bill(), 2);
    CHECK(bench.state.focus.next_factor == BillFactor::KvHeads);
    ImGui::GetIO().AddMousePosEvent(100, 110);
    bench.frames(BillPanel::Settings, default_bill(), 2);
    CHECK(bench.state.focus.next_factor == BillFactor::ValueBytes);
}
