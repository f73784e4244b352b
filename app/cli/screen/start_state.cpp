#include "app/cli/screen/start_state.hpp"

#include "app/cli/terminal/suggest.hpp"
#include "app/frame/overlay/asked.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

std::vector<std::string> names_of_commands() {
    std::vector<std::string> names;
    for (const CommandRow& row : command_table()) names.emplace_back(row.name);
    return names;
}

// What to write instead of a text that is no command, or of a value that it cannot have.
std::string advice_for(const std::string& text) {
    const std::string name = text.substr(0, text.find(' '));
    if (const CommandRow* row = find_command(name)) {
        const auto value = asked_value(row->id);
        return value ? "it takes " + std::string(english(*value)) + "."
                     : "the palette (Ctrl+P) says what it takes.";
    }
    const auto near = nearest(name, names_of_commands());
    return near ? "did you mean " + *near + "?" : "the key sheet (?) and docs list the commands.";
}

Command command_of(const std::string& text, const char* option = "--command ") {
    std::string why;
    if (auto command = parse_command(text, why)) return *std::move(command);
    throw Error(ErrorCode::Usage, option + why + "; " + advice_for(text));
}

}  // namespace

LayoutName required_layout(const std::string& name, const std::string& as_written) {
    if (const auto named = layout_named(name)) return *named;
    throw Error(ErrorCode::Usage,
                as_written + " is not a layout; use learn, explore, present, compare or attach.");
}

ThemeName required_theme(const std::string& name, const std::string& as_written) {
    if (const auto named = theme_named(name)) return *named;
    throw Error(ErrorCode::Usage, as_written + " is not a theme; use dark, light or contrast.");
}

AppState start_state(AppState state, const std::string& layout, const std::string& theme,
                     const std::vector<std::string>& commands) {
    if (!layout.empty()) state.layout = required_layout(layout, "--layout `" + layout + "`");
    if (!theme.empty()) state.settings.theme = required_theme(theme, "--theme `" + theme + "`");
    carry_out(state, commands);
    return state;
}

void require_commands(const std::vector<std::string>& commands) {
    for (const std::string& text : commands) static_cast<void>(command_of(text));
}

void require_command(const std::string& text) {
    static_cast<void>(command_of(text, ""));
}

void carry_out(AppState& state, const std::vector<std::string>& commands) {
    for (const std::string& text : commands) apply(state, command_of(text));
}

}  // namespace kv
