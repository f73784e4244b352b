// What keys say to the page: digits are its doors, Space stops its picture, any letter begins a
// sentence, Esc lets go of the field and then of the page.

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>

#include "app/frame/start/paint.hpp"
#include "app/frame/top_bar/menus.hpp"

namespace kv {
namespace {

bool something_lies_over(const AppState& state) {
    return state.palette.open || state.help.open ||
           ImGui::GetCurrentContext()->OpenPopupStack.Size > 0;
}

bool digit_pressed(int digit) {
    return ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_0 + digit), false) ||
           ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_Keypad0 + digit), false);
}

bool is_letter(ImWchar c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0xC0;
}

// The first letter takes the keyboard into the field, which has it a frame or two later; what is
// typed until then is not lost.
void take_letters(StartUi& own) {
    if (own.has_keyboard) return;
    for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
        if (c < ' ' || (!own.in_field && !is_letter(c))) continue;
        std::array<char, 5> utf8{};
        ImTextCharToUtf8(utf8.data(), c);
        own.sentence += utf8.data();
        own.in_field = own.takes_keyboard = own.to_end = true;
        own.problem = {};
    }
}

// Dear ImGui would press with it what has the keyboard.
bool space_pressed() {
    const ImGuiID owner = ImHashStr("kvarium/start");
    ImGui::SetKeyOwner(ImGuiKey_Space, owner);
    return ImGui::IsKeyPressed(ImGuiKey_Space, 0, owner);
}

}  // namespace

bool reaches_start(const CommandRow& command) {
    const auto menu = menu_of(command);
    const bool of_window =
        menu == MenuTitle::File || menu == MenuTitle::View || menu == MenuTitle::Help;
    return of_window && !command.name.starts_with("panel.");
}

void read_start_keys(const StartPage& page) {
    StartUi& own = page.own();
    CommandSink& out = page.ui.out;
    if (page.scene.popup_was_open || something_lies_over(page.scene.state)) return;
    const bool escape = ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    take_letters(own);
    if (own.in_field) {
        if (escape && own.has_keyboard) own.in_field = false;
        return;
    }
    if (escape && !page.scene.state.notice) out.push("start.close");
    if (digit_pressed(1)) out.push("minute.start");
    if (digit_pressed(2)) out.push("lesson.open", first_lesson(page.scene.lesson));
    if (digit_pressed(3)) out.push("start.write");
    if (space_pressed()) out.push("start.pause");
}

}  // namespace kv
