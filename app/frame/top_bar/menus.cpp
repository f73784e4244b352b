#include "app/frame/top_bar/menus.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>

#include "core/cost/model/presets.hpp"

namespace kv {
namespace {

constexpr std::array kHeads =
    std::to_array<MenuHead>({{MenuTitle::File, "menu.file"_t, "###menu/file"},
                             {MenuTitle::View, "menu.view"_t, "###menu/view"},
                             {MenuTitle::Run, "menu.run"_t, "###menu/run"},
                             {MenuTitle::Lessons, "menu.lessons"_t, "###menu/lessons"},
                             {MenuTitle::Bill, "menu.bill"_t, "###menu/bill"},
                             {MenuTitle::Help, "menu.help"_t, "###menu/help"}});

constexpr MenuPart in_line(MenuTitle title, MenuGroup group) {
    return {.title = title, .group = group};
}
constexpr MenuPart after_line(MenuTitle title, MenuGroup group) {
    return {.title = title, .group = group, .line_before = true};
}
constexpr MenuPart to_side(MenuTitle title, MenuGroup group, TextId label) {
    return {.title = title, .group = group, .to_the_side = true, .label = label};
}

constexpr std::array kParts = std::to_array<MenuPart>({
    in_line(MenuTitle::File, MenuGroup::Open),
    after_line(MenuTitle::File, MenuGroup::Save),
    to_side(MenuTitle::File, MenuGroup::Export, "menu.export"_t),
    after_line(MenuTitle::File, MenuGroup::Quit),

    in_line(MenuTitle::View, MenuGroup::Layouts),
    to_side(MenuTitle::View, MenuGroup::Show, "menu.show"_t),
    after_line(MenuTitle::View, MenuGroup::Panels),
    to_side(MenuTitle::View, MenuGroup::None, "menu.panels"_t),
    after_line(MenuTitle::View, MenuGroup::Screen),
    to_side(MenuTitle::View, MenuGroup::Theme, "menu.theme"_t),
    to_side(MenuTitle::View, MenuGroup::TextSize, "menu.text"_t),

    in_line(MenuTitle::Run, MenuGroup::Play),
    to_side(MenuTitle::Run, MenuGroup::Go, "menu.go"_t),
    after_line(MenuTitle::Run, MenuGroup::Change),
    after_line(MenuTitle::Run, MenuGroup::Undo),
    to_side(MenuTitle::Run, MenuGroup::Compare, "menu.compare"_t),
    to_side(MenuTitle::Run, MenuGroup::Check, "menu.check"_t),
    after_line(MenuTitle::Run, MenuGroup::Run),

    in_line(MenuTitle::Lessons, MenuGroup::Course),
    after_line(MenuTitle::Lessons, MenuGroup::Page),
    after_line(MenuTitle::Lessons, MenuGroup::Task),
    after_line(MenuTitle::Lessons, MenuGroup::Lesson),

    in_line(MenuTitle::Bill, MenuGroup::BillLoad),
    to_side(MenuTitle::Bill, MenuGroup::BillCache, "menu.bill_cache"_t),
    after_line(MenuTitle::Bill, MenuGroup::BillShown),
    after_line(MenuTitle::Bill, MenuGroup::BillUndo),

    in_line(MenuTitle::Help, MenuGroup::Help),
    after_line(MenuTitle::Help, MenuGroup::Start),
    after_line(MenuTitle::Help, MenuGroup::About),
});

bool has_effect(const CommandRow& command, const UndoHistory<BillInputs>& history) {
    if (command.id == "bill.undo") return history.can_undo();
    if (command.id == "bill.redo") return history.can_redo();
    return true;
}

void command_item(const Ui& ui, const AppState& state, const CommandRow& command) {
    const bool asks = asks_for_value(command.kind);
    const std::string label = std::string(ui.text[command.id.label()]) + (asks ? "…" : "") + "###" +
                              std::string(command.name);
    if (ImGui::MenuItem(label.c_str(), menu_key(command).c_str(), false,
                        has_effect(command, state.bill_undo)))
        ui.out.push(command.id);
}

void value_item(const Ui& ui, CommandId command, const std::string& value, const std::string& label,
                bool on) {
    if (ImGui::MenuItem((label + "###" + value).c_str(), nullptr, on)) ui.out.push(command, value);
}

void theme_items(const Ui& ui, const AppState& state) {
    constexpr std::array kLabels{"theme.dark"_t, "theme.light"_t, "theme.contrast"_t};
    for (ThemeName theme : kThemeNames)
        value_item(ui, "theme", std::string(name_of(theme)),
                   ui.text[kLabels[static_cast<std::size_t>(theme)]],
                   state.settings.theme == theme);
    ImGui::Separator();
}

void panel_items(const Ui& ui) {
    for (const PanelRow& panel : panel_table())
        if (panel.id != PanelId::MiniCharts)
            value_item(ui, "panel.show", std::string(panel.name), ui.text[panel.title], false);
}

void model_items(const Ui& ui, const AppState& state) {
    if (!ImGui::BeginMenu(ui.text["menu.model"_t])) return;
    for (std::string_view name : preset_names())
        value_item(ui, "bill.model", std::string(name), preset_title(name),
                   state.bill.left.shape.name == name);
    ImGui::EndMenu();
}

// Values that are chosen from a list, beside the commands of a group.
void listed_values(const Ui& ui, const AppState& state, const MenuPart& part) {
    if (part.group == MenuGroup::Theme) theme_items(ui, state);
    if (part.group == MenuGroup::BillLoad) model_items(ui, state);
    if (part.group == MenuGroup::None) panel_items(ui);
}

// A list of them stands in its place.
bool is_item(const CommandRow& command, MenuGroup group) {
    return group != MenuGroup::None && command.group == group && command.id != "bill.model";
}

void draw_part(const Ui& ui, const AppState& state, const MenuPart& part) {
    listed_values(ui, state, part);
    for (const CommandRow& command : command_table())
        if (is_item(command, part.group)) command_item(ui, state, command);
}

}  // namespace

std::span<const MenuHead> menu_heads() {
    return kHeads;
}

std::span<const MenuPart> menu_parts() {
    return kParts;
}

std::optional<MenuTitle> menu_of(const CommandRow& command) {
    if (command.group == MenuGroup::None) return std::nullopt;
    const auto part = std::find_if(kParts.begin(), kParts.end(),
                                   [&](const MenuPart& p) { return p.group == command.group; });
    if (part == kParts.end()) return std::nullopt;
    return part->title;
}

std::size_t menu_lines(MenuTitle title) {
    std::size_t lines = 0;
    for (const MenuPart& part : kParts) {
        if (part.title != title) continue;
        if (part.to_the_side || part.group == MenuGroup::BillLoad) ++lines;
        if (part.to_the_side) continue;
        for (const CommandRow& command : command_table()) lines += is_item(command, part.group);
    }
    return lines;
}

std::string menu_key(const CommandRow& command) {
    const bool undo = command.id == "run.undo_set", redo = command.id == "run.redo_set";
    if (undo) return key_text(row_of("bill.undo").key);
    if (redo) return key_text(row_of("bill.redo").key);
    return key_text(command.key);
}

void draw_menu(const Ui& ui, const AppState& state, MenuTitle title) {
    for (const MenuPart& part : kParts) {
        if (part.title != title) continue;
        if (part.line_before) ImGui::Separator();
        if (!part.to_the_side) {
            draw_part(ui, state, part);
        } else if (ImGui::BeginMenu(ui.text[part.label])) {
            draw_part(ui, state, part);
            ImGui::EndMenu();
        }
    }
}

}  // namespace kv
