#include "app/frame/top_bar/menus.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

using namespace kv;

namespace {
std::string key_of(const char* name) {
    return key_text(find_command(name)->key);
}
}  // namespace

TEST_CASE("every group of commands stands once, under one title", "[menus]") {
    std::set<MenuGroup> seen;
    for (const MenuPart& part : menu_parts())
        if (part.group != MenuGroup::None) CHECK(seen.insert(part.group).second);
    for (const CommandRow& command : command_table()) {
        INFO(command.name);
        CHECK(menu_of(command).has_value() == (command.group != MenuGroup::None));
    }
}

TEST_CASE("a menu opens with no more lines than can be read at a glance", "[menus]") {
    constexpr std::size_t kGlance = 16;
    for (const MenuHead& head : menu_heads()) {
        INFO(head.id);
        CHECK(menu_lines(head.title) >= 3);
        CHECK(menu_lines(head.title) <= kGlance);
    }
}

TEST_CASE("Quit is the last of File, and the keys of files are those of other programs",
          "[menus]") {
    const auto parts = menu_parts();
    const auto last = std::find_if(parts.rbegin(), parts.rend(), [](const MenuPart& part) {
        return part.title == MenuTitle::File;
    });
    CHECK(last->group == MenuGroup::Quit);
    CHECK(std::count_if(command_table().begin(), command_table().end(),
                        [](const CommandRow& row) { return row.group == MenuGroup::Quit; }) == 1);
    CHECK(key_of("file.open_scene") == "Ctrl+O");
    CHECK(key_of("file.save_scene") == "Ctrl+S");
    CHECK(key_of("export.picture") == "Ctrl+E");
    CHECK(key_of("app.quit") == "Ctrl+Q");
    CHECK(menu_key(*find_command("run.undo_set")) == "Ctrl+Z");
    CHECK(menu_key(*find_command("run.redo_set")) == "Ctrl+Y");
}
