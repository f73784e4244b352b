#pragma once
// What a person can ask of the window. One table names every command, its words, its key and the
// kind of its argument; menus, keys, the palette, the key sheet, scripts and tests all read that
// table. parse(print(c)) == c for every command. A key may mean another command where something
// else is in front: app/frame/key_meaning.cpp.
//
// The way of a command: whoever draws or reads keys pushes it into a CommandSink; at the start of
// the next frame apply() of app/frame/apply.cpp carries it out, or leaves it to its CommandOwner.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/shell/texts/said.hpp"
#include "app/shell/texts/texts.hpp"

namespace kv {

// A key with its modifiers; the number is ImGuiKey, kept out of here so that tests need no imgui.h.
struct Chord {
    int key = 0;  // 0: none
    bool ctrl = false, shift = false;
    friend bool operator==(const Chord&, const Chord&) = default;
};

// An optional word may be left out, and then nobody is asked for it.
enum class ArgKind : std::uint8_t { None, Whole, Decimal, Word, OptionalWord };
inline bool asks_for_value(ArgKind kind) {
    return kind != ArgKind::None && kind != ArgKind::OptionalWord;
}
using Argument = std::variant<std::monostate, std::uint64_t, double, std::string>;

// Which command: a literal such as "run.play" is one, and does not compile when there is none of
// that name. Its label in the table of words ("cmd.run.play") is what makes it one.
class CommandId {
public:
    consteval CommandId(const char* name) : label_(text_id("cmd.", name, "")) {}
    constexpr TextId label() const { return label_; }
    friend constexpr bool operator==(CommandId, CommandId) = default;

private:
    TextId label_;
};

struct Command {
    CommandId id;
    Argument argument;
    friend bool operator==(const Command&, const Command&) = default;
};
// The argument of a command that always has one of that kind.
inline std::uint64_t whole_argument(const Command& c) {
    return std::get<std::uint64_t>(c.argument);
}
// The same, between two bounds; throws Refused beyond them.
std::uint64_t whole_argument(const Command& c, std::uint64_t least, std::uint64_t most);
inline const std::string& word_argument(const Command& c) {
    return std::get<std::string>(c.argument);
}

// Who carries a command out. apply() carries out those of Window, Selection, Race and WhatIf at
// once, by changing AppState, and of Attach what concerns the window alone. All others it adds to
// the list named here, where the owner finds them.
enum class CommandOwner : std::uint8_t {
    Window,
    Selection,  // needs a run: what is looked at in it
    Run,        // needs a run: LiveRun, from state.run.wishes (app/live/wishes.cpp)
    Opener,     // LiveRun in the same way, whether or not there is a run yet
    Lesson,     // LessonDesk, from the same list (app/live/lessons/desk.cpp)
    Export,     // WindowExports, from state.exports (app/cli/window/exports.cpp)
    Race,       // ask_race() in app/frame/race.hpp
    WhatIf,     // ask_whatif() in app/frame/whatif.hpp
    Attach      // what concerns the connection: ServersDesk, from state.attach.wishes
};

// Where a command stands in the menus: a few that belong together. Which menu has which groups, and
// which of them open to the side, stands in app/frame/top_bar/menus.cpp.
enum class MenuGroup : std::uint8_t {
    None,
    Open,
    Save,
    Export,
    Quit,
    Layouts,
    Panels,
    Show,
    Theme,
    TextSize,
    Screen,
    Play,
    Go,
    Change,
    Undo,
    Compare,
    Check,
    Run,
    Course,
    Page,
    Task,
    Lesson,
    BillCache,
    BillLoad,
    BillShown,
    BillUndo,
    Help,
    Start,
    About
};

struct CommandRow {
    CommandId id;
    std::string_view name;  // "layout.explore"
    TextId help;
    CommandOwner owner = CommandOwner::Window;
    ArgKind kind = ArgKind::None;
    MenuGroup group = MenuGroup::None;
    Chord key = {};
    Chord second_key = {};
};
std::span<const CommandRow> command_table();
const CommandRow& row_of(CommandId id);
const CommandRow* find_command(std::string_view name);

std::string print(const Command& command);  // "bill.tokens 4096"
std::optional<Command> parse_command(std::string_view text, Said& why);
// For the command line: the English words without their full stop, since its sentence goes on.
std::optional<Command> parse_command(std::string_view text, std::string& why);
std::string key_text(const Chord& chord);  // "Ctrl+P", "F2", "?"

// Where drawing code leaves what the person asked for; the frame applies it at the next frame's
// start.
class CommandSink {
public:
    void push(CommandId id, Argument argument = {});
    std::vector<Command> take();
    bool empty() const { return commands_.empty(); }

private:
    std::vector<Command> commands_;
};

}  // namespace kv
