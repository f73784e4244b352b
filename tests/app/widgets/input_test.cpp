// Mouse and keyboard on the widgets, through ImGui's own event queue, without a display.
#include <catch2/catch_test_macros.hpp>

#include "app/widgets/chart/bars.hpp"
#include "app/widgets/chart/factors.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/fields.hpp"
#include "app/widgets/message.hpp"
#include "tests/app/picture.hpp"

using namespace kv;

namespace {

// A person in front of a small window. Press and release fall into different frames, as with real
// hands.
class Person {
public:
    explicit Person(std::function<void(const Ui&)> draw) : draw_(std::move(draw)) { frames(2); }

    void frames(int count = 1) {
        for (int i = 0; i < count; ++i) {
            gui_.begin_frame();
            draw_full_window([&](const Ui& ui) { draw_(ui); },
                             Ui{palette(ThemeName::Dark), gui_.fonts(), texts_, sink_});
            gui_.end_frame(palette(ThemeName::Dark).app);
        }
    }
    void move(Vec2 at) {
        ImGui::GetIO().AddMousePosEvent(at.x, at.y);
        frames(2);
    }
    void click(Vec2 at) {
        move(at);
        ImGui::GetIO().AddMouseButtonEvent(0, true);
        frames();
        ImGui::GetIO().AddMouseButtonEvent(0, false);
        frames(2);
    }
    void drag(Vec2 from, Vec2 to) {
        move(from);
        ImGui::GetIO().AddMouseButtonEvent(0, true);
        frames();
        move(to);
        ImGui::GetIO().AddMouseButtonEvent(0, false);
        frames(2);
    }
    void press(ImGuiKey key) {
        ImGui::GetIO().AddKeyEvent(key, true);
        frames(2);
        ImGui::GetIO().AddKeyEvent(key, false);
        frames(2);
    }
    void type(std::string_view text) {
        for (char c : text) {
            ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
            frames();
        }
    }

private:
    std::unique_ptr<Surface> surface_ = open_null({640, 480});
    Gui gui_{*surface_};
    Texts texts_;
    CommandSink sink_;
    std::function<void(const Ui&)> draw_;
};

Rect last_rect() {
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    return {a.x, a.y, b.x - a.x, b.y - a.y};
}

constexpr std::array<std::string_view, 3> kThree{"one", "two", "three"};

}  // namespace

TEST_CASE("a button answers to the mouse, to Enter and to Space, unless it is off", "[widgets]") {
    int pressed = 0, off = 0;
    Rect at, off_at;
    Person person([&](const Ui& ui) {
        pressed += button(ui, "go", "Go", {.key = "Enter"});
        at = last_rect();
        off += button(ui, "off", "Off", {.enabled = false});
        off_at = last_rect();
    });
    person.click(at.center());
    CHECK(pressed == 1);
    person.click(off_at.center());
    CHECK(off == 0);
    person.press(ImGuiKey_Tab);
    person.press(ImGuiKey_Enter);
    CHECK(pressed == 2);
    person.press(ImGuiKey_Space);
    CHECK(pressed == 3);
    CHECK(at.h == 32);
}

TEST_CASE("a segmented row is chosen from with the mouse and with arrows", "[widgets]") {
    std::size_t selected = 1;
    Rect at;
    Person person([&](const Ui& ui) {
        if (const auto next = segmented(ui, "row", kThree, selected, {.width = 300}))
            selected = *next;
        at = last_rect();
    });
    CHECK(at.w == 300);
    CHECK(at.h == 26);
    person.click({at.x + 20, at.center().y});
    CHECK(selected == 0);
    // One Tab stop, which is the selected option; the arrow moves, Enter chooses.
    person.press(ImGuiKey_Tab);
    person.press(ImGuiKey_RightArrow);
    CHECK(selected == 0);
    person.press(ImGuiKey_Enter);
    CHECK(selected == 1);
}

TEST_CASE("a drop-down opens, is walked with arrows, and Esc leaves it as it was", "[widgets]") {
    std::size_t selected = 1;
    Rect at;
    Person person([&](const Ui& ui) {
        if (const auto next = dropdown(ui, "list", kThree, selected, {.width = 200}))
            selected = *next;
        button(ui, "after", "After");
        at = {20, 20, 200, 26};
    });
    person.press(ImGuiKey_Tab);
    person.press(ImGuiKey_Enter);
    person.press(ImGuiKey_DownArrow);
    person.press(ImGuiKey_Enter);
    CHECK(selected == 2);
    person.press(ImGuiKey_Enter);
    person.press(ImGuiKey_UpArrow);
    person.press(ImGuiKey_Escape);
    CHECK(selected == 2);
    person.click(at.center());
    person.click({at.x + 40, at.bottom() + 4 + 4 + 13});  // first row: gap, padding, half a row
    CHECK(selected == 0);
}

TEST_CASE("a number field takes what is a number and refuses the rest by its rule", "[widgets]") {
    std::uint64_t value = 4096;
    FieldUi field;
    Rect at;
    const NumberLook look{
        .min = 1, .max = 8192, .step = 256, .width = 300, .refusal = "From 1 to 8,192."};
    Person person([&](const Ui& ui) {
        if (const auto next = number_field(ui, "n", field, value, look)) value = *next;
        at = last_rect();
        button(ui, "after", "After");
    });
    const auto type_over = [&](std::string_view text, ImGuiKey end) {
        person.click({at.x + 30, at.y + 13});
        ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
        person.press(ImGuiKey_A);
        ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
        person.frames();
        person.type(text);
        person.press(end);
    };
    type_over("2,048", ImGuiKey_Enter);
    CHECK(value == 2048);
    type_over("512", ImGuiKey_Tab);
    CHECK(value == 512);
    const float quiet_height = at.h;
    type_over("many", ImGuiKey_Enter);
    CHECK(value == 512);
    CHECK(field.refused == "many");
    CHECK(at.h > quiet_height);  // the rule is shown
    type_over("9000", ImGuiKey_Enter);
    CHECK(field.refused == "9000");
    type_over("7", ImGuiKey_Enter);
    CHECK(value == 7);
    CHECK_FALSE(field.refused);
    type_over("100", ImGuiKey_Escape);
    CHECK(value == 7);
    // The two step buttons at the right end; neither leaves the range.
    person.click({at.right() - 13, at.y + 13});
    CHECK(value == 263);
    person.click({at.right() - 26 - 4 - 13, at.y + 13});
    person.click({at.right() - 26 - 4 - 13, at.y + 13});
    CHECK(value == 1);
}

TEST_CASE("a slider follows the mouse in steps and the arrows step by step", "[widgets]") {
    double value = 128;
    Rect at;
    Person person([&](const Ui& ui) {
        if (const auto next =
                slider(ui, "s", value, {.min = 16, .max = 256, .step = 16, .width = 300}))
            value = *next;
        at = last_rect();
    });
    CHECK(at.h == 24);
    person.drag(at.center(), {at.right() + 50, at.center().y});
    CHECK(value == 256);
    person.click({at.x + 2, at.center().y});
    CHECK(value == 16);
    person.press(ImGuiKey_Tab);
    person.press(ImGuiKey_Enter);
    person.press(ImGuiKey_RightArrow);
    CHECK(value == 32);
}

TEST_CASE("a toggle flips by its words too", "[widgets]") {
    bool on = false;
    Rect at;
    Person person([&](const Ui& ui) {
        if (toggle(ui, "t", "Prefix sharing", on, {.caption = "full blocks only"})) on = !on;
        at = last_rect();
    });
    person.click({at.x + 80, at.center().y});
    CHECK(on);
    person.click({at.x + 10, at.center().y});
    CHECK_FALSE(on);
    person.press(ImGuiKey_Tab);
    person.press(ImGuiKey_Space);
    CHECK(on);
}

TEST_CASE("factors tell which one the mouse or the keyboard is on", "[widgets]") {
    constexpr std::array<Factor, 3> factors{{{"2", "K and V"}, {"4", "layers"}, {"403", "tokens"}}};
    FactorsHit hit;
    FactorPlan plan;
    Vec2 origin;
    Person person([&](const Ui& ui) {
        origin = {ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y};
        plan = measure_factors(ui, factors, ImGui::GetContentRegionAvail().x);
        hit = draw_factors(ui, "f", factors);
    });
    CHECK_FALSE(hit.hovered);
    person.move(origin + plan.boxes[1].box.center());
    CHECK(hit.hovered == 1);
    person.move({2, 2});
    CHECK_FALSE(hit.hovered);
    person.press(ImGuiKey_Tab);
    person.press(ImGuiKey_Tab);
    person.press(ImGuiKey_Tab);
    CHECK(hit.hovered == 2);
}

TEST_CASE("bars and stacks name the part under the mouse", "[widgets]") {
    constexpr std::array bars{Bar{"a", "1", 1}, Bar{"b", "2", 2}};
    std::optional<std::size_t> bar, part;
    Rect bars_at, stack_at;
    Person person([&](const Ui& ui) {
        bar = draw_bars(ui, "bars", bars);
        bars_at = last_rect();
        const std::array segments{Segment{1, SegmentFill::Solid, ui.colors.text},
                                  Segment{1, SegmentFill::Hatched, ui.colors.text}};
        part = draw_stack(ui, "stack", segments, {.capacity = 4});
        stack_at = last_rect();
    });
    person.move({bars_at.x + 5, bars_at.y + 17 + 8});
    CHECK(bar == 1);
    CHECK_FALSE(part);
    person.move({stack_at.x + stack_at.w * 0.3f, stack_at.center().y});
    CHECK(part == 1);
    person.move({stack_at.x + stack_at.w * 0.9f, stack_at.center().y});
    CHECK(part == 2);  // free room
}

TEST_CASE("a message says which of its buttons was pressed", "[widgets]") {
    MessageAnswer last = MessageAnswer::None;
    Rect card;
    Person person([&](const Ui& ui) {
        constexpr std::array<std::string_view, 1> lines{"One line."};
        const MessageAnswer now = message_centered(ui, "m", {"Title", lines, "tag", "Yes", "No"});
        card = last_rect();
        if (now != MessageAnswer::None) last = now;
    });
    const float y = card.bottom() - 14 - 16;  // padding and half a button
    person.click({card.x + 18 + 20, y});
    CHECK(last == MessageAnswer::Primary);
    person.click({card.x + 18 + 80, y});
    CHECK(last == MessageAnswer::Secondary);
}
