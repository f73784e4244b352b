#pragma once
// What opens over the picture: the palette, the help with the key sheet, the question before own
// work is dropped, and the one line that says what was refused or saved. Each draws from its small
// struct in AppState.

#include "app/frame/state/app_state.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_palette(const Ui& ui, AppState& state);
void draw_help(const Ui& ui, AppState& state);
void draw_question(const Ui& ui, AppState& state);
void draw_notice(const Ui& ui, AppState& state);

// How long a notice of so many letters stands; nothing for one that stays until it is closed.
std::optional<float> seconds_of(const Notice& notice, std::size_t letters);

// What the palette lists for a query: commands, or the values that a pending command offers.
struct PaletteRow {
    std::string label, detail, key;
    std::string command;       // for parse_command()
    bool lacks_value = false;  // of the command, which is asked for first
    std::string query = {};    // or what stands in the field from then on: the way into a folder
};
std::vector<PaletteRow> palette_rows(const Texts& text, const PaletteUi& palette,
                                     const Settings& settings = {});

}  // namespace kv
