// What keys say to the guided minute: Enter and Right go on, Left goes back, Esc leaves it. At its
// last stop letters and arrows are the field's as long as that has the keyboard.

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

#include "app/frame/minute/card.hpp"

namespace kv {
namespace {

// Dear ImGui would move the keyboard with them, or press with them what has it.
bool taken(ImGuiKey key, ImGuiInputFlags flags = 0) {
    const ImGuiID owner = ImHashStr("kvarium/minute");
    ImGui::SetKeyOwner(key, owner);
    return ImGui::IsKeyPressed(key, flags, owner);
}

// A button of the card that was walked to is pressed by itself.
bool card_has_keyboard() {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    return g.IO.NavVisible && g.NavId != 0 && g.NavWindow == g.CurrentWindow;
}

bool is_blank(const std::string& text) {
    return text.find_first_not_of(" \t\n") == std::string::npos;
}

}  // namespace

void go_on(const MinuteCard& card) {
    CommandSink& out = card.ui().out;
    MinuteUi& own = card.own();
    if (card.asks_for_step()) return out.push("run.forward");
    if (!card.is_last()) return out.push("minute.next");
    own.takes_keyboard = true;  // Enter took it from the field
    if (is_blank(own.sentence))
        own.problem = Said("refused.sentence.empty"_t);
    else
        out.push("start.sentence", own.sentence);
}

void read_minute_keys(const MinuteCard& card) {
    const AppState& state = card.scene.state;
    CommandSink& out = card.ui().out;
    if (card.scene.popup_was_open || state.palette.open || state.help.open ||
        ImGui::GetCurrentContext()->OpenPopupStack.Size > 0)
        return;
    const bool types = card.own().has_keyboard;
    const bool enter = ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
                       ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
    if (types) {
        if (enter) go_on(card);
        return;  // Esc takes the keyboard from the field
    }
    if (ImGui::IsKeyPressed(ImGuiKey_Escape, false) && !state.notice) {
        ImGui::SetNavCursorVisible(false);  // the keys are the run's again
        out.push("minute.skip");
    }
    if (!card_has_keyboard() && (taken(ImGuiKey_Enter) || taken(ImGuiKey_KeypadEnter))) go_on(card);
    const bool right = taken(ImGuiKey_RightArrow), left = taken(ImGuiKey_LeftArrow);
    if (right && !card.is_last()) go_on(card);
    if (left && card.own().stop > 1) out.push("minute.back");
}

}  // namespace kv
