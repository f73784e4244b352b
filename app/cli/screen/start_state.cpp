#include "app/cli/screen/start_state.hpp"

#include "core/base/error.hpp"

namespace kv {

AppState start_state(AppState state, const std::string& layout, const std::string& theme,
                     const std::vector<std::string>& commands) {
    if (!layout.empty()) {
        const auto named = layout_named(layout);
        if (!named)
            throw Error(ErrorCode::Usage,
                        "--layout `" + layout +
                            "` is not a layout; use learn, explore, present or compare.");
        state.layout = *named;
    }
    if (!theme.empty()) {
        const auto named = theme_named(theme);
        if (!named)
            throw Error(ErrorCode::Usage,
                        "--theme `" + theme + "` is not a theme; use dark, light or contrast.");
        state.settings.theme = *named;
    }
    carry_out(state, commands);
    return state;
}

void carry_out(AppState& state, const std::vector<std::string>& commands) {
    for (const std::string& text : commands) {
        std::string why;
        const auto command = parse_command(text, why);
        if (!command)
            throw Error(ErrorCode::Usage,
                        "--command " + why + "; the key sheet (?) and docs list the commands.");
        apply(state, *command);
    }
}

}  // namespace kv
