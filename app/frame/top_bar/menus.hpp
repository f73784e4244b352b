#pragma once
// The menus, from the command table: which groups of commands stand under which title, which of
// them open to the side, and what is apart by a line. Nothing here draws but draw_menu().

#include <span>
#include <string>

#include "app/frame/state/app_state.hpp"
#include "app/shell/ui.hpp"

namespace kv {

enum class MenuTitle : std::uint8_t { File, View, Run, Lessons, Bill, Help };
struct MenuHead {
    MenuTitle title;
    TextId label;
    const char* id;
};
std::span<const MenuHead> menu_heads();

// Part of a menu, from its top on.
struct MenuPart {
    MenuTitle title;
    MenuGroup group;
    bool to_the_side = false;
    TextId label = {};  // of what opens to the side
    bool line_before = false;
};
std::span<const MenuPart> menu_parts();

// The menu of a command; none for one that stands in no menu.
std::optional<MenuTitle> menu_of(const CommandRow& command);

// Lines of a menu as it opens: commands, and what opens to the side.
std::size_t menu_lines(MenuTitle title);

// "Undo" of a run shares its keys with that of the bill.
std::string menu_key(const CommandRow& command);

void draw_menu(const Ui& ui, const AppState& state, MenuTitle title);

}  // namespace kv
