#include "app/shell/commands.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/error.hpp"
#include "core/base/files/utf8.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr Chord plain(int key) {
    return {.key = key};
}
constexpr Chord ctrl(int key) {
    return {.key = key, .ctrl = true};
}
constexpr Chord shift(int key) {
    return {.key = key, .shift = true};
}
constexpr Chord ctrl_shift(int key) {
    return {.key = key, .ctrl = true, .shift = true};
}

consteval CommandRow row(const char* name, CommandOwner owner, Menu menu, ArgKind kind,
                         Chord key = {}, Chord second_key = {}) {
    return {.id = name,
            .name = name,
            .help = text_id("cmd.", name, ".help"),
            .owner = owner,
            .kind = kind,
            .menu = menu,
            .key = key,
            .second_key = second_key};
}

constexpr std::array kCommands = std::to_array<CommandRow>({
    row("file.open_config", CommandOwner::Window, Menu::File, ArgKind::Word, ctrl(ImGuiKey_O)),
    row("app.quit", CommandOwner::Window, Menu::File, ArgKind::None, ctrl(ImGuiKey_Q)),

    row("layout.learn", CommandOwner::Window, Menu::View, ArgKind::None, plain(ImGuiKey_F1)),
    row("layout.explore", CommandOwner::Window, Menu::View, ArgKind::None, plain(ImGuiKey_F2)),
    row("layout.present", CommandOwner::Window, Menu::View, ArgKind::None, plain(ImGuiKey_F3)),
    row("layout.compare", CommandOwner::Window, Menu::View, ArgKind::None, plain(ImGuiKey_F4)),
    row("layout.reset", CommandOwner::Window, Menu::View, ArgKind::None),
    row("theme.next", CommandOwner::Window, Menu::View, ArgKind::None, plain(ImGuiKey_T)),
    row("theme", CommandOwner::Window, Menu::None, ArgKind::Word),
    row("text.larger", CommandOwner::Window, Menu::View, ArgKind::None, ctrl(ImGuiKey_Equal),
        ctrl(ImGuiKey_KeypadAdd)),
    row("text.smaller", CommandOwner::Window, Menu::View, ArgKind::None, ctrl(ImGuiKey_Minus),
        ctrl(ImGuiKey_KeypadSubtract)),
    row("text.reset", CommandOwner::Window, Menu::View, ArgKind::None, ctrl(ImGuiKey_0),
        ctrl(ImGuiKey_Keypad0)),
    row("text.scale", CommandOwner::Window, Menu::None, ArgKind::Decimal),
    row("motion.toggle", CommandOwner::Window, Menu::View, ArgKind::None),
    row("window.fullscreen", CommandOwner::Window, Menu::View, ArgKind::None, plain(ImGuiKey_F11)),
    row("panel.show", CommandOwner::Window, Menu::None, ArgKind::Word),
    row("panel.next", CommandOwner::Window, Menu::View, ArgKind::None, plain(ImGuiKey_F6)),
    row("panel.previous", CommandOwner::Window, Menu::View, ArgKind::None, shift(ImGuiKey_F6)),
    row("panel.leaves_out", CommandOwner::Window, Menu::View, ArgKind::None, plain(ImGuiKey_F7)),

    row("file.open_scene", CommandOwner::Opener, Menu::File, ArgKind::Word),
    row("file.save_scene", CommandOwner::Run, Menu::File, ArgKind::Word),
    row("file.open_model", CommandOwner::Opener, Menu::File, ArgKind::Word),

    row("run.play", CommandOwner::Selection, Menu::Run, ArgKind::None, plain(ImGuiKey_Space)),
    row("run.forward", CommandOwner::Run, Menu::Run, ArgKind::None, plain(ImGuiKey_RightArrow),
        plain(ImGuiKey_PageDown)),
    row("run.back", CommandOwner::Run, Menu::Run, ArgKind::None, plain(ImGuiKey_LeftArrow),
        plain(ImGuiKey_PageUp)),
    row("run.finer_forward", CommandOwner::Run, Menu::Run, ArgKind::None,
        shift(ImGuiKey_RightArrow)),
    row("run.finer_back", CommandOwner::Run, Menu::Run, ArgKind::None, shift(ImGuiKey_LeftArrow)),
    row("run.first", CommandOwner::Run, Menu::Run, ArgKind::None, plain(ImGuiKey_Home)),
    row("run.last", CommandOwner::Run, Menu::Run, ArgKind::None, plain(ImGuiKey_End)),
    row("run.coarser", CommandOwner::Selection, Menu::Run, ArgKind::None,
        plain(ImGuiKey_LeftBracket)),
    row("run.finer", CommandOwner::Selection, Menu::Run, ArgKind::None,
        plain(ImGuiKey_RightBracket)),
    row("run.step", CommandOwner::Selection, Menu::None, ArgKind::Word),
    row("run.speed", CommandOwner::Selection, Menu::None, ArgKind::Decimal),
    row("run.goto", CommandOwner::Run, Menu::Run, ArgKind::Whole),
    row("run.moment", CommandOwner::Run, Menu::None, ArgKind::Whole),
    row("run.next_event", CommandOwner::Run, Menu::Run, ArgKind::None, plain(ImGuiKey_N)),
    row("run.previous_event", CommandOwner::Run, Menu::Run, ArgKind::None, shift(ImGuiKey_N)),
    row("run.until", CommandOwner::Run, Menu::Run, ArgKind::Word),
    row("run.cancel", CommandOwner::Opener, Menu::Run, ArgKind::None),
    row("run.restart", CommandOwner::Run, Menu::Run, ArgKind::None),
    row("price.measure", CommandOwner::Run, Menu::Run, ArgKind::None),
    row("price.cancel", CommandOwner::Run, Menu::None, ArgKind::None),
    row("price.add", CommandOwner::Run, Menu::Run, ArgKind::Word),
    row("price.text", CommandOwner::Selection, Menu::None, ArgKind::Word),
    row("price.scale", CommandOwner::Selection, Menu::None, ArgKind::Word),
    row("settings.more", CommandOwner::Selection, Menu::None, ArgKind::None),
    row("price.picture", CommandOwner::Selection, Menu::None, ArgKind::None),
    row("run.prove", CommandOwner::Run, Menu::Run, ArgKind::None, plain(ImGuiKey_P)),
    row("run.model", CommandOwner::Opener, Menu::Run, ArgKind::Word),
    row("run.set", CommandOwner::Run, Menu::Run, ArgKind::Word),
    row("run.cache", CommandOwner::Run, Menu::Run, ArgKind::None),
    row("run.undo_set", CommandOwner::Run, Menu::Run, ArgKind::None),
    row("run.redo_set", CommandOwner::Run, Menu::Run, ArgKind::None),
    row("run.do", CommandOwner::Run, Menu::Run, ArgKind::Word),
    row("run.add", CommandOwner::Run, Menu::Run, ArgKind::Word, plain(ImGuiKey_A)),
    row("run.fork", CommandOwner::Run, Menu::Run, ArgKind::Word),
    row("run.branch", CommandOwner::Run, Menu::Run, ArgKind::Word, plain(ImGuiKey_B)),
    row("run.compare", CommandOwner::Run, Menu::Run, ArgKind::Word),
    row("run.next_difference", CommandOwner::Run, Menu::Run, ArgKind::None),
    row("run.difference_event", CommandOwner::Run, Menu::Run, ArgKind::None),
    row("run.swap_sides", CommandOwner::Run, Menu::Run, ArgKind::None),
    row("run.end_comparison", CommandOwner::Run, Menu::Run, ArgKind::None),

    row("present.leave", CommandOwner::Window, Menu::View, ArgKind::None),
    row("present.bar", CommandOwner::Window, Menu::View, ArgKind::None),
    row("present.freeze", CommandOwner::Selection, Menu::View, ArgKind::None),
    row("notes.window", CommandOwner::Window, Menu::View, ArgKind::None),

    row("focus.request", CommandOwner::Selection, Menu::None, ArgKind::Word),
    row("focus.next", CommandOwner::Selection, Menu::Run, ArgKind::None, plain(ImGuiKey_Tab)),
    row("focus.previous", CommandOwner::Selection, Menu::Run, ArgKind::None, shift(ImGuiKey_Tab)),
    row("select.token", CommandOwner::Selection, Menu::None, ArgKind::Whole),
    row("select.block", CommandOwner::Selection, Menu::None, ArgKind::Whole),
    row("select.none", CommandOwner::Selection, Menu::None, ArgKind::None),
    row("mark.tokens", CommandOwner::Selection, Menu::None, ArgKind::Word),
    row("mark.none", CommandOwner::Selection, Menu::None, ArgKind::None),
    row("select.layer", CommandOwner::Selection, Menu::None, ArgKind::Whole),
    row("select.kv_head", CommandOwner::Selection, Menu::None, ArgKind::Whole),
    row("select.query_head", CommandOwner::Selection, Menu::None, ArgKind::Whole),
    row("select.dim", CommandOwner::Selection, Menu::None, ArgKind::Whole),
    row("select.keys", CommandOwner::Selection, Menu::None, ArgKind::None, plain(ImGuiKey_K)),
    row("select.values", CommandOwner::Selection, Menu::None, ArgKind::None, plain(ImGuiKey_V)),
    row("select.follow", CommandOwner::Run, Menu::Run, ArgKind::None, plain(ImGuiKey_F)),
    row("select.address", CommandOwner::Run, Menu::Run, ArgKind::Word),

    row("lesson.continue", CommandOwner::Lesson, Menu::Lessons, ArgKind::None),
    row("lesson.close", CommandOwner::Lesson, Menu::Lessons, ArgKind::None),
    row("lesson.open", CommandOwner::Lesson, Menu::Lessons, ArgKind::Word),
    row("lesson.museum", CommandOwner::Lesson, Menu::Lessons, ArgKind::None),
    row("lesson.next", CommandOwner::Lesson, Menu::Lessons, ArgKind::None),
    row("lesson.previous", CommandOwner::Lesson, Menu::Lessons, ArgKind::None),
    row("lesson.reveal", CommandOwner::Lesson, Menu::Lessons, ArgKind::None, plain(ImGuiKey_Enter)),
    row("lesson.go_on", CommandOwner::Lesson, Menu::None, ArgKind::None),
    row("lesson.say", CommandOwner::Lesson, Menu::None, ArgKind::Word),
    row("lesson.answer", CommandOwner::Lesson, Menu::None, ArgKind::Word),
    row("lesson.go_back", CommandOwner::Lesson, Menu::None, ArgKind::None),
    row("lesson.hint", CommandOwner::Lesson, Menu::Lessons, ArgKind::OptionalWord,
        plain(ImGuiKey_H)),
    row("lesson.another", CommandOwner::Lesson, Menu::None, ArgKind::Word),
    row("lesson.reload", CommandOwner::Lesson, Menu::Lessons, ArgKind::None),

    row("bill.model", CommandOwner::Window, Menu::Bill, ArgKind::Word, plain(ImGuiKey_M)),
    row("bill.kv_heads", CommandOwner::Window, Menu::Bill, ArgKind::Whole),
    row("bill.tokens", CommandOwner::Window, Menu::Bill, ArgKind::Whole),
    row("bill.batch", CommandOwner::Window, Menu::Bill, ArgKind::Whole),
    row("bill.k_codec", CommandOwner::Window, Menu::Bill, ArgKind::Word),
    row("bill.v_codec", CommandOwner::Window, Menu::Bill, ArgKind::Word),
    row("bill.block_size", CommandOwner::Window, Menu::Bill, ArgKind::Whole),
    row("bill.device", CommandOwner::Window, Menu::Bill, ArgKind::Word),
    row("bill.cards", CommandOwner::Window, Menu::Bill, ArgKind::Whole),
    row("bill.window", CommandOwner::Window, Menu::Bill, ArgKind::Whole),
    row("bill.units", CommandOwner::Window, Menu::Bill, ArgKind::None, plain(ImGuiKey_U)),
    row("bill.copy", CommandOwner::Window, Menu::Bill, ArgKind::None, ctrl_shift(ImGuiKey_C)),
    row("bill.undo", CommandOwner::Window, Menu::Bill, ArgKind::None, ctrl(ImGuiKey_Z)),
    row("bill.redo", CommandOwner::Window, Menu::Bill, ArgKind::None, ctrl(ImGuiKey_Y),
        ctrl_shift(ImGuiKey_Z)),
    row("other.model", CommandOwner::Window, Menu::None, ArgKind::Word),
    row("other.kv_heads", CommandOwner::Window, Menu::None, ArgKind::Whole),
    row("other.k_codec", CommandOwner::Window, Menu::None, ArgKind::Word),
    row("other.v_codec", CommandOwner::Window, Menu::None, ArgKind::Word),
    row("compare.swap", CommandOwner::Window, Menu::Bill, ArgKind::None),

    row("race.open", CommandOwner::Window, Menu::View, ArgKind::None),
    row("race.workload", CommandOwner::Race, Menu::None, ArgKind::Word),
    row("race.fault", CommandOwner::Race, Menu::None, ArgKind::Word),
    row("race.faults", CommandOwner::Race, Menu::None, ArgKind::None),
    row("race.requests", CommandOwner::Race, Menu::None, ArgKind::Whole),
    row("race.seed", CommandOwner::Race, Menu::None, ArgKind::Whole),
    row("race.again", CommandOwner::Race, Menu::None, ArgKind::None),
    row("race.stop", CommandOwner::Race, Menu::None, ArgKind::None),
    row("race.play", CommandOwner::Race, Menu::None, ArgKind::None),
    row("race.forward", CommandOwner::Race, Menu::None, ArgKind::None),
    row("race.back", CommandOwner::Race, Menu::None, ArgKind::None),
    row("race.finer_forward", CommandOwner::Race, Menu::None, ArgKind::None),
    row("race.finer_back", CommandOwner::Race, Menu::None, ArgKind::None),
    row("race.first", CommandOwner::Race, Menu::None, ArgKind::None),
    row("race.last", CommandOwner::Race, Menu::None, ArgKind::None),
    row("race.goto", CommandOwner::Race, Menu::None, ArgKind::Whole),
    row("race.speed", CommandOwner::Race, Menu::None, ArgKind::Whole),
    row("race.closer", CommandOwner::Race, Menu::None, ArgKind::None),
    row("race.farther", CommandOwner::Race, Menu::None, ArgKind::None),
    row("race.whole", CommandOwner::Race, Menu::None, ArgKind::None),
    row("race.rule", CommandOwner::Race, Menu::None, ArgKind::Word),

    row("export.picture", CommandOwner::Export, Menu::Export, ArgKind::OptionalWord,
        ctrl(ImGuiKey_S)),
    row("export.drawing", CommandOwner::Export, Menu::Export, ArgKind::OptionalWord,
        ctrl_shift(ImGuiKey_S)),
    row("export.panel", CommandOwner::Export, Menu::Export, ArgKind::Word, ctrl(ImGuiKey_E)),
    row("export.table", CommandOwner::Export, Menu::Export, ArgKind::Word, ctrl_shift(ImGuiKey_E)),
    row("export.copy", CommandOwner::Export, Menu::Export, ArgKind::Word),
    row("export.film", CommandOwner::Export, Menu::Export, ArgKind::Word),
    row("export.show", CommandOwner::Export, Menu::Export, ArgKind::OptionalWord),
    row("export.stop", CommandOwner::Export, Menu::None, ArgKind::None),

    row("palette.open", CommandOwner::Window, Menu::Help, ArgKind::None, ctrl(ImGuiKey_P)),
    row("help.keys", CommandOwner::Window, Menu::Help, ArgKind::None, shift(ImGuiKey_Slash)),
    row("help.open", CommandOwner::Window, Menu::Help, ArgKind::None),
    row("help.about", CommandOwner::Window, Menu::Help, ArgKind::None),

    row("window.first_start", CommandOwner::Window, Menu::Help, ArgKind::None),
    row("minute.start", CommandOwner::Opener, Menu::Help, ArgKind::None),
    row("minute.next", CommandOwner::Opener, Menu::None, ArgKind::None),
    row("minute.back", CommandOwner::Opener, Menu::None, ArgKind::None),
    row("minute.skip", CommandOwner::Opener, Menu::None, ArgKind::None),
    row("start.sentence", CommandOwner::Opener, Menu::Help, ArgKind::Word),
    row("start.close", CommandOwner::Window, Menu::None, ArgKind::None),
    row("start.write", CommandOwner::Window, Menu::None, ArgKind::None),
    row("start.pause", CommandOwner::Window, Menu::None, ArgKind::None),
    row("start.step", CommandOwner::Window, Menu::None, ArgKind::Whole),
});

std::string key_name(int key) {
    switch (key) {
        case ImGuiKey_Equal:
            return "+";
        case ImGuiKey_Minus:
            return "-";
        case ImGuiKey_Slash:
            return "/";
        default:
            return ImGui::GetKeyName(static_cast<ImGuiKey>(key));
    }
}

// The argument's text as the table's kind reads it; empty with a reason when it does not fit.
std::optional<Argument> read_argument(const CommandRow& info, std::string_view text, Said& why) {
    std::string broken;
    switch (info.kind) {
        case ArgKind::None:
            if (text.empty()) return Argument{};
            why = Said("refused.command.no_value"_t, {{"name", info.name}});
            return std::nullopt;
        case ArgKind::Whole:
            if (const auto n =
                    parse_whole(text, 0, std::numeric_limits<std::uint64_t>::max(), broken))
                return Argument{*n};
            why = Said("refused.command.value"_t, {{"name", info.name}, {"why", broken}});
            return std::nullopt;
        case ArgKind::Decimal: {
            const auto x = parse_decimal(text, broken);
            // Between these a number prints without an exponent, so that it can be read again.
            if (x && (*x == 0.0 || (*x >= 1e-6 && *x <= 1e6))) return Argument{*x};
            why = x ? Said("refused.command.range"_t, {{"name", info.name}})
                    : Said("refused.command.value"_t, {{"name", info.name}, {"why", broken}});
            return std::nullopt;
        }
        case ArgKind::OptionalWord:
            return text.empty() ? Argument{} : Argument{std::string(text)};
        case ArgKind::Word:
            if (!text.empty()) return Argument{std::string(text)};
            why = Said("refused.command.needs_value"_t, {{"name", info.name}});
            return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

std::span<const CommandRow> command_table() {
    return kCommands;
}

const CommandRow& row_of(CommandId id) {
    const auto it = std::find_if(kCommands.begin(), kCommands.end(),
                                 [id](const CommandRow& c) { return c.id == id; });
    KV_ASSERT(it != kCommands.end());
    return *it;
}

const CommandRow* find_command(std::string_view name) {
    const auto it = std::find_if(kCommands.begin(), kCommands.end(),
                                 [name](const CommandRow& c) { return c.name == name; });
    return it == kCommands.end() ? nullptr : &*it;
}

std::string print(const Command& command) {
    std::string text(row_of(command.id).name);
    if (const auto* whole = std::get_if<std::uint64_t>(&command.argument))
        text += " " + std::to_string(*whole);
    else if (const auto* decimal = std::get_if<double>(&command.argument))
        text += " " + round_trip(*decimal);
    else if (const auto* word = std::get_if<std::string>(&command.argument))
        text += " " + *word;
    return text;
}

std::optional<Command> parse_command(std::string_view text, Said& why) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view name = text.substr(0, space);
    if (valid_utf8_prefix(text) != text.size()) {
        why = Said("refused.command.bytes"_t, {{"name", shown(text)}});
        return std::nullopt;
    }
    const CommandRow* info = find_command(name);
    if (info == nullptr) {
        why = Said("refused.command.unknown"_t, {{"name", shown(name)}});
        return std::nullopt;
    }
    const std::string_view rest = space < text.size() ? text.substr(space + 1) : std::string_view{};
    auto argument = read_argument(*info, rest, why);
    if (!argument) return std::nullopt;
    return Command{info->id, std::move(*argument)};
}

std::optional<Command> parse_command(std::string_view text, std::string& why) {
    Said sentence;
    auto command = parse_command(text, sentence);
    if (command) return command;
    why = sentence.english();
    why.pop_back();
    return std::nullopt;
}

std::string key_text(const Chord& chord) {
    if (chord.key == 0) return {};
    if (chord == shift(ImGuiKey_Slash)) return "?";
    std::string text;
    if (chord.ctrl) text += "Ctrl+";
    if (chord.shift) text += "Shift+";
    return text + key_name(chord.key);
}

void CommandSink::push(CommandId id, Argument argument) {
    commands_.push_back({id, std::move(argument)});
}

std::vector<Command> CommandSink::take() {
    return std::exchange(commands_, {});
}

}  // namespace kv
