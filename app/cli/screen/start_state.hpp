#pragma once
// The state that options of the command line ask for, checked before anything is opened.

#include <string>
#include <vector>

#include "app/frame/state/app_state.hpp"

namespace kv {

// Throws kv::Error (Usage) that names the option or the command.
AppState start_state(AppState state, const std::string& layout, const std::string& theme,
                     const std::vector<std::string>& commands);

// The layout or theme of that name. `as_written` is how a refusal quotes it: "--theme `pink`" on
// the command line, "`theme=pink` in the address" of a page. Throws kv::Error (Usage).
LayoutName required_layout(const std::string& name, const std::string& as_written);
ThemeName required_theme(const std::string& name, const std::string& as_written);

// Refuses what is no command before anything is opened for it. Throws kv::Error (Usage).
void require_commands(const std::vector<std::string>& commands);
void require_command(const std::string& text);  // the same of one that no option gave

// Carries the commands out in order, as if they had been typed. Throws kv::Error (Usage).
void carry_out(AppState& state, const std::vector<std::string>& commands);

}  // namespace kv
