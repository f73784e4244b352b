#include "app/frame/keys.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

namespace kv {
namespace {

bool pressed(const Chord& chord) {
    if (chord.key == 0) return false;
    const ImGuiIO& io = ImGui::GetIO();
    // "+" is Shift+= on many keyboards, so Shift does not tell it from "=".
    const bool shift_fits = io.KeyShift == chord.shift || chord.key == ImGuiKey_Equal;
    const ImGuiInputFlags repeat = chord.key != ImGuiKey_T ? ImGuiInputFlags_Repeat : 0;
    // A key that a canvas keeps for itself says nothing to the rest of the window.
    return io.KeyCtrl == chord.ctrl && shift_fits && !io.KeyAlt && !io.KeySuper &&
           ImGui::IsKeyPressed(static_cast<ImGuiKey>(chord.key), repeat, ImGuiKeyOwner_NoOwner);
}

bool is_function_key(int key) {
    return key >= ImGuiKey_F1 && key <= ImGuiKey_F12;
}

// The key that prints "?" differs between keyboards; the character does not.
bool typed_question_mark() {
    const auto& typed = ImGui::GetIO().InputQueueCharacters;
    return std::find(typed.begin(), typed.end(), ImWchar('?')) != typed.end();
}

}  // namespace

void read_keys(const AppState& state, CommandSink& out) {
    const bool typing = ImGui::GetIO().WantTextInput || state.palette.open;
    for (const CommandInfo& command : command_table()) {
        const bool is_question_mark = command.name == "help.keys";
        const bool hit = is_question_mark ? typed_question_mark()
                                          : pressed(command.key) || pressed(command.second_key);
        const bool plain_letter = !command.key.ctrl && !is_function_key(command.key.key);
        if (hit && !(typing && plain_letter)) out.push(command.name);
    }
}

}  // namespace kv
