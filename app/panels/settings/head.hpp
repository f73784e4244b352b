#pragma once
// The head of a group of Settings: a small picture, its name, and what follows from the choice.
// Reserved before its controls, and painted after them, since they may change what is shown.

#include <string_view>

#include "app/shell/ui.hpp"

namespace kv {

struct SettingHead {
    Rect picture, name, consequence;
};
// `ruled`: with a line above it.
SettingHead reserve_setting_head(const Ui& ui, bool ruled);
void paint_setting_head(const Ui& ui, const SettingHead& head, std::string_view name,
                        std::string_view consequence);

}  // namespace kv
