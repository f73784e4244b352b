#pragma once
// One row of Settings: a label and the values that a setting may take. Choosing one leaves the
// command that sets it.

#include <optional>
#include <string_view>

#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

// What a setting takes, or what is shown of it; the words are kept by somebody else.
using SettingWords = List<std::string_view>;

struct SettingChoices {
    const char* setting;
    SettingWords values, labels;
};
// The place of the value now; one that is none of the usual ones is put beside them.
std::size_t chosen_of(const RunView& run, SettingChoices& choices);

struct RowPlace {
    std::string_view label = {};  // empty: the values alone
    std::optional<Color> ink = {};
    float label_width = 0;  // pixels
};
// The values beside a label; the one that was pressed. `pointed` becomes the one under the mouse or
// the keyboard.
std::optional<std::size_t> choice_row(const Ui& ui, const char* id, const RowPlace& place,
                                      const SettingWords& labels, std::size_t chosen,
                                      std::optional<std::size_t>& pointed);

// The command that sets it: `run.set block_size 8`.
void push_setting(const Ui& ui, std::string_view setting, std::string_view value);

}  // namespace kv
