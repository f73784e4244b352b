#include "app/frame/keys.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>

#include "app/frame/key_meaning.hpp"
#include "app/frame/minute/minute.hpp"
#include "app/frame/start/start.hpp"

namespace kv {
namespace {

// Owns the keys of the run: Dear ImGui shows a key to its owner alone.
ImGuiID run_owner() {
    return ImHashStr("kvarium/run");
}

// Whether a modifier was held in this frame. In a slow one it may go up together with the letter
// that it was held for.
bool was_held(ImGuiKey modifier) {
    const ImGuiKeyData& key = *ImGui::GetKeyData(modifier);
    return key.Down || key.DownDurationPrev >= 0;
}

bool pressed(const Chord& chord) {
    if (chord.key == 0) return false;
    const ImGuiIO& io = ImGui::GetIO();
    // "+" is Shift+= on many keyboards, so Shift does not tell it from "=".
    const bool shift = was_held(ImGuiMod_Shift), ctrl = was_held(ImGuiMod_Ctrl);
    const bool shift_fits = shift == chord.shift || chord.key == ImGuiKey_Equal;
    // Held down, a key steps on; the themes would flash.
    const ImGuiInputFlags repeat = chord.key != ImGuiKey_T ? ImGuiInputFlags_Repeat : 0;
    // A key that a canvas keeps for itself says nothing to the rest of the window.
    return ctrl == chord.ctrl && shift_fits && !io.KeyAlt && !io.KeySuper &&
           ImGui::IsKeyPressed(static_cast<ImGuiKey>(chord.key), repeat, run_owner());
}

Chord plain(int key) {
    return {.key = key};
}

bool is_function_key(int key) {
    return key >= ImGuiKey_F1 && key <= ImGuiKey_F12;
}

// The key that prints "?" differs between keyboards; the character does not.
bool typed_question_mark() {
    const auto& typed = ImGui::GetIO().InputQueueCharacters;
    return std::find(typed.begin(), typed.end(), ImWchar('?')) != typed.end();
}

// Keys that step through a run, and that Dear ImGui would take to move between controls.
constexpr std::array kSharedKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Space,
                                 ImGuiKey_Home,      ImGuiKey_End,        ImGuiKey_PageUp,
                                 ImGuiKey_PageDown,  ImGuiKey_Tab};

bool is_shared(int key) {
    return std::find(kSharedKeys.begin(), kSharedKeys.end(), key) != kSharedKeys.end();
}

bool keyboard_is_in_panels() {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    return g.IO.NavActive && g.NavCursorVisible;
}

// Palette, help, question, menus and lists have the keyboard as long as they are open.
bool overlay_is_open(const AppState& state) {
    return state.palette.open || state.help.open || state.question ||
           ImGui::GetCurrentContext()->OpenPopupStack.Size > 0;
}
bool something_is_open(const AppState& state) {
    return state.start.open || shows_minute(state) || overlay_is_open(state);
}

// What concerns the window as a whole is heard whatever lies over the picture.
bool reaches_overlay(const AppState& state, const CommandRow& command) {
    if (command.group == MenuGroup::TextSize || command.id == "window.fullscreen") return true;
    if (state.question) return false;
    return command.id == "app.quit" || command.id == "palette.open" || command.id == "help.keys";
}

// A field undoes its own letters.
bool edits_field(CommandId command) {
    return ImGui::GetIO().WantTextInput && (command == "bill.undo" || command == "bill.redo");
}

// The shared keys belong to the run until the person moves the keyboard into the panels (Ctrl+F6),
// and again after Esc. Whoever has them, the other does not see them.
bool run_has_shared_keys(const AppState& state) {
    return (state.run.exists || race_in_view(state) || shows_servers(state.docks())) &&
           !ImGui::GetIO().WantTextInput && !keyboard_is_in_panels() && !something_is_open(state);
}

void take_shared_keys() {
    for (const ImGuiKey key : kSharedKeys) ImGui::SetKeyOwner(key, run_owner());
}

// In front of an audience there is no field to type into: digits are put together to the answer.
void type_answer(const LessonKeys& lesson, CommandSink& out) {
    std::string typed = lesson.typed;
    for (int digit = 0; digit <= 9; ++digit)
        if (pressed(plain(ImGuiKey_0 + digit)) || pressed(plain(ImGuiKey_Keypad0 + digit)))
            typed += static_cast<char>('0' + digit);
    if (pressed(plain(ImGuiKey_Period)) || pressed(plain(ImGuiKey_KeypadDecimal))) typed += '.';
    if (pressed(plain(ImGuiKey_Backspace)) && !typed.empty()) typed.pop_back();
    if (typed != lesson.typed)
        out.push("lesson.say", std::to_string(lesson.types_to) + " " + typed);
}

// A digit is the number of a choice while a lesson asks, else that of a layer.
void read_digits(const AppState& state, CommandSink& out) {
    const bool is_present = state.layout == LayoutName::Present;
    if (is_present && state.run.lesson.types_to > 0) return type_answer(state.run.lesson, out);
    for (std::uint64_t digit = 1; digit <= 9; ++digit) {
        if (!pressed(plain(static_cast<int>(ImGuiKey_0 + digit))) &&
            !pressed(plain(static_cast<int>(ImGuiKey_Keypad0 + digit))))
            continue;
        if (state.run.lesson.asks)
            out.push("lesson.say", std::to_string(digit));
        else if (state.run.exists && digit < state.run.bounds.n_layers)
            out.push("select.layer", digit);
    }
}

// Asks all that is under way to stop; false where nothing is.
bool stop_work(const AppState& state, CommandSink& out) {
    bool stops = false;
    const auto stop = [&](bool is_under_way, CommandId command) {
        if (!is_under_way) return;
        out.push(command);
        stops = true;
    };
    stop(state.run.loading || state.run.preparing, "run.cancel");
    stop(state.run.measuring, "price.cancel");
    stop(state.race.progress.has_value(), "race.stop");
    stop(state.whatif.is_weighing(), "whatif.stop");
    stop(!state.film.empty(), "export.stop");
    return stops;
}

// Esc lets go of one thing at a time: of what lies over the picture, of what is under way, of the
// keyboard in the panels, and of the selection last.
void read_escape(const AppState& state, bool popup_was_open, CommandSink& out) {
    if (!ImGui::IsKeyPressed(ImGuiKey_Escape, false)) return;
    if (popup_was_open || something_is_open(state)) return;
    const bool lets_go_of_panels = keyboard_is_in_panels() || ImGui::GetIO().WantTextInput;
    ImGui::SetNavCursorVisible(false);
    const bool stops_work = stop_work(state, out);
    if (lets_go_of_panels || stops_work || state.notice) return;  // Esc also takes a notice away
    // Out of Present lead two: the first one shows the bar, and with it the way out.
    if (state.layout == LayoutName::Present && !state.only_panel)
        return out.push(state.present_bar.shown ? CommandId("present.leave")
                                                : CommandId("present.bar"));
    if (state.run.exists) out.push("select.none");
}

// Who has the keyboard in this frame.
struct Keyboard {
    bool steps;     // the run has the keys that step through it
    bool covered;   // the start page or the first minute lies over the picture
    bool overlaid;  // palette, help, a question, a menu or a list does
    bool typing;    // letters go into a field
};

bool is_hit(const CommandRow& command) {
    if (command.id == "help.keys") return typed_question_mark();
    return pressed(command.key) || pressed(command.second_key);
}

// Whether a key means its command now: whatever lies over the picture keeps most of them.
bool is_heard(const AppState& state, const CommandRow& command, const Keyboard& now) {
    if (now.covered && !reaches_start(command)) return false;
    if (now.overlaid && !reaches_overlay(state, command)) return false;
    if (edits_field(command.id)) return false;
    // Enter presses what has the keyboard; only when nothing has, it reveals.
    if (command.id == "lesson.reveal" && !(now.steps && state.run.lesson.may_reveal)) return false;
    if (command.id == "lesson.hint" && !state.run.lesson.may_hint) return false;
    if (leaves_page(state, command.id)) return false;
    const bool is_moving = is_shared(command.key.key) || is_shared(command.second_key.key);
    if (is_moving && !now.steps) return false;
    // A sentence begins with any letter; a question mark still asks.
    const bool asks = command.id == "help.keys" && now.covered && !state.start.in_field &&
                      !state.minute.has_keyboard;
    const bool plain_letter = !asks && !command.key.ctrl && !is_function_key(command.key.key);
    return !(now.typing && plain_letter);
}

}  // namespace

// The same key steps a run, a race or a lesson: which one is meant here says meaning_of().
void read_keys(const AppState& state, bool popup_was_open, CommandSink& out) {
    const bool steps = run_has_shared_keys(state);
    if (steps) take_shared_keys();
    read_escape(state, popup_was_open, out);
    const bool covered = state.start.open || shows_minute(state);
    const Keyboard now{.steps = steps,
                       .covered = covered,
                       .overlaid = popup_was_open || overlay_is_open(state),
                       .typing = ImGui::GetIO().WantTextInput || state.palette.open || covered};
    if (!now.typing && !now.overlaid) read_digits(state, out);
    for (const CommandRow& command : command_table())
        if (is_hit(command) && is_heard(state, command, now))
            out.push(meaning_of(state, command.id, pressed(command.second_key)));
}

void read_notes_keys(const AppState& state, CommandSink& out) {
    if (!state.run.exists && !state.run.lesson.open) return;
    const bool typing = ImGui::GetIO().WantTextInput;
    const auto turns = [typing](ImGuiKey page, ImGuiKey arrow) {
        return ImGui::IsKeyPressed(page) || (!typing && ImGui::IsKeyPressed(arrow));
    };
    const bool lesson = state.run.lesson.open;
    if (turns(ImGuiKey_PageDown, ImGuiKey_RightArrow))
        out.push(lesson ? CommandId("lesson.go_on") : CommandId("run.forward"));
    if (turns(ImGuiKey_PageUp, ImGuiKey_LeftArrow))
        out.push(lesson ? CommandId("lesson.go_back") : CommandId("run.back"));
    if (typing) return;
    read_digits(state, out);
    if (state.run.lesson.may_reveal && ImGui::IsKeyPressed(ImGuiKey_Enter, false))
        out.push("lesson.reveal");
}

}  // namespace kv
