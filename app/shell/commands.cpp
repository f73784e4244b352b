#include "app/shell/commands.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"

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

consteval CommandInfo row(std::string_view name, Menu menu, ArgKind kind, Chord key = {},
                          Chord second_key = {}) {
    return {.name = name,
            .label = text_id("cmd.", name, ""),
            .help = text_id("cmd.", name, ".help"),
            .kind = kind,
            .menu = menu,
            .key = key,
            .second_key = second_key};
}

constexpr std::array kCommands = std::to_array<CommandInfo>({
    row("file.open_config", Menu::File, ArgKind::Word, ctrl(ImGuiKey_O)),
    row("app.quit", Menu::File, ArgKind::None, ctrl(ImGuiKey_Q)),

    row("layout.learn", Menu::View, ArgKind::None, plain(ImGuiKey_F1)),
    row("layout.explore", Menu::View, ArgKind::None, plain(ImGuiKey_F2)),
    row("layout.present", Menu::View, ArgKind::None, plain(ImGuiKey_F3)),
    row("layout.compare", Menu::View, ArgKind::None, plain(ImGuiKey_F4)),
    row("layout.reset", Menu::View, ArgKind::None),
    row("theme.next", Menu::View, ArgKind::None, plain(ImGuiKey_T)),
    row("theme", Menu::None, ArgKind::Word),
    row("text.larger", Menu::View, ArgKind::None, ctrl(ImGuiKey_Equal), ctrl(ImGuiKey_KeypadAdd)),
    row("text.smaller", Menu::View, ArgKind::None, ctrl(ImGuiKey_Minus),
        ctrl(ImGuiKey_KeypadSubtract)),
    row("text.reset", Menu::View, ArgKind::None, ctrl(ImGuiKey_0), ctrl(ImGuiKey_Keypad0)),
    row("text.scale", Menu::None, ArgKind::Decimal),
    row("motion.toggle", Menu::View, ArgKind::None),
    row("window.fullscreen", Menu::View, ArgKind::None, plain(ImGuiKey_F11)),
    row("window.first_start", Menu::View, ArgKind::None),
    row("panel.show", Menu::None, ArgKind::Word),
    row("panel.next", Menu::View, ArgKind::None, plain(ImGuiKey_F6)),
    row("panel.previous", Menu::View, ArgKind::None, shift(ImGuiKey_F6)),
    row("panel.leaves_out", Menu::View, ArgKind::None, plain(ImGuiKey_F7)),

    row("file.open_scene", Menu::File, ArgKind::Word),
    row("file.save_scene", Menu::File, ArgKind::Word),
    row("file.open_model", Menu::File, ArgKind::Word),

    row("run.play", Menu::Run, ArgKind::None, plain(ImGuiKey_Space)),
    row("run.forward", Menu::Run, ArgKind::None, plain(ImGuiKey_RightArrow),
        plain(ImGuiKey_PageDown)),
    row("run.back", Menu::Run, ArgKind::None, plain(ImGuiKey_LeftArrow), plain(ImGuiKey_PageUp)),
    row("run.finer_forward", Menu::Run, ArgKind::None, shift(ImGuiKey_RightArrow)),
    row("run.finer_back", Menu::Run, ArgKind::None, shift(ImGuiKey_LeftArrow)),
    row("run.first", Menu::Run, ArgKind::None, plain(ImGuiKey_Home)),
    row("run.last", Menu::Run, ArgKind::None, plain(ImGuiKey_End)),
    row("run.coarser", Menu::Run, ArgKind::None, plain(ImGuiKey_LeftBracket)),
    row("run.finer", Menu::Run, ArgKind::None, plain(ImGuiKey_RightBracket)),
    row("run.step", Menu::None, ArgKind::Word),
    row("run.speed", Menu::None, ArgKind::Decimal),
    row("run.goto", Menu::Run, ArgKind::Whole),
    row("run.moment", Menu::None, ArgKind::Whole),
    row("run.next_event", Menu::Run, ArgKind::None, plain(ImGuiKey_N)),
    row("run.previous_event", Menu::Run, ArgKind::None, shift(ImGuiKey_N)),
    row("run.until", Menu::Run, ArgKind::Word),
    row("run.cancel", Menu::Run, ArgKind::None),
    row("run.restart", Menu::Run, ArgKind::None),
    row("price.measure", Menu::Run, ArgKind::None),
    row("price.cancel", Menu::None, ArgKind::None),
    row("price.add", Menu::Run, ArgKind::Word),
    row("price.text", Menu::None, ArgKind::Word),
    row("price.scale", Menu::None, ArgKind::Word),
    row("price.picture", Menu::None, ArgKind::None),
    row("run.prove", Menu::Run, ArgKind::None, plain(ImGuiKey_P)),
    row("run.model", Menu::Run, ArgKind::Word),
    row("run.set", Menu::Run, ArgKind::Word),
    row("run.undo_set", Menu::Run, ArgKind::None),
    row("run.redo_set", Menu::Run, ArgKind::None),
    row("run.do", Menu::Run, ArgKind::Word),
    row("run.add", Menu::Run, ArgKind::Word, plain(ImGuiKey_A)),
    row("run.fork", Menu::Run, ArgKind::Word),
    row("run.branch", Menu::Run, ArgKind::Word, plain(ImGuiKey_B)),
    row("run.compare", Menu::Run, ArgKind::Word),
    row("run.next_difference", Menu::Run, ArgKind::None),
    row("run.difference_event", Menu::Run, ArgKind::None),
    row("run.swap_sides", Menu::Run, ArgKind::None),
    row("run.end_comparison", Menu::Run, ArgKind::None),

    row("present.freeze", Menu::View, ArgKind::None),
    row("notes.window", Menu::View, ArgKind::None),

    row("focus.request", Menu::None, ArgKind::Word),
    row("focus.next", Menu::Run, ArgKind::None, plain(ImGuiKey_Tab)),
    row("focus.previous", Menu::Run, ArgKind::None, shift(ImGuiKey_Tab)),
    row("select.token", Menu::None, ArgKind::Whole),
    row("select.block", Menu::None, ArgKind::Whole),
    row("select.none", Menu::None, ArgKind::None),
    row("mark.tokens", Menu::None, ArgKind::Word),
    row("mark.none", Menu::None, ArgKind::None),
    row("select.layer", Menu::None, ArgKind::Whole),
    row("select.kv_head", Menu::None, ArgKind::Whole),
    row("select.query_head", Menu::None, ArgKind::Whole),
    row("select.dim", Menu::None, ArgKind::Whole),
    row("select.keys", Menu::None, ArgKind::None, plain(ImGuiKey_K)),
    row("select.values", Menu::None, ArgKind::None, plain(ImGuiKey_V)),
    row("select.follow", Menu::Run, ArgKind::None, plain(ImGuiKey_F)),
    row("select.address", Menu::Run, ArgKind::Word),

    row("lesson.continue", Menu::Lessons, ArgKind::None),
    row("lesson.close", Menu::Lessons, ArgKind::None),
    row("lesson.open", Menu::Lessons, ArgKind::Word),
    row("lesson.museum", Menu::Lessons, ArgKind::None),
    row("lesson.next", Menu::Lessons, ArgKind::None),
    row("lesson.previous", Menu::Lessons, ArgKind::None),
    row("lesson.reveal", Menu::Lessons, ArgKind::None, plain(ImGuiKey_Enter)),
    row("lesson.go_on", Menu::None, ArgKind::None),
    row("lesson.say", Menu::None, ArgKind::Word),
    row("lesson.answer", Menu::None, ArgKind::Word),
    row("lesson.hint", Menu::None, ArgKind::Word),
    row("lesson.another", Menu::None, ArgKind::Word),
    row("lesson.reload", Menu::Lessons, ArgKind::None),

    row("bill.model", Menu::Bill, ArgKind::Word, plain(ImGuiKey_M)),
    row("bill.kv_heads", Menu::Bill, ArgKind::Whole),
    row("bill.tokens", Menu::Bill, ArgKind::Whole),
    row("bill.batch", Menu::Bill, ArgKind::Whole),
    row("bill.k_codec", Menu::Bill, ArgKind::Word),
    row("bill.v_codec", Menu::Bill, ArgKind::Word),
    row("bill.block_size", Menu::Bill, ArgKind::Whole),
    row("bill.device", Menu::Bill, ArgKind::Word),
    row("bill.cards", Menu::Bill, ArgKind::Whole),
    row("bill.window", Menu::Bill, ArgKind::Whole),
    row("bill.units", Menu::Bill, ArgKind::None, plain(ImGuiKey_U)),
    row("bill.copy", Menu::Bill, ArgKind::None, ctrl_shift(ImGuiKey_C)),
    row("bill.undo", Menu::Bill, ArgKind::None, ctrl(ImGuiKey_Z)),
    row("bill.redo", Menu::Bill, ArgKind::None, ctrl(ImGuiKey_Y), ctrl_shift(ImGuiKey_Z)),
    row("other.model", Menu::None, ArgKind::Word),
    row("other.kv_heads", Menu::None, ArgKind::Whole),
    row("other.k_codec", Menu::None, ArgKind::Word),
    row("other.v_codec", Menu::None, ArgKind::Word),
    row("compare.swap", Menu::Bill, ArgKind::None),

    row("export.picture", Menu::Export, ArgKind::OptionalWord, ctrl(ImGuiKey_S)),
    row("export.drawing", Menu::Export, ArgKind::OptionalWord, ctrl_shift(ImGuiKey_S)),
    row("export.panel", Menu::Export, ArgKind::Word, ctrl(ImGuiKey_E)),
    row("export.table", Menu::Export, ArgKind::Word, ctrl_shift(ImGuiKey_E)),
    row("export.copy", Menu::Export, ArgKind::Word),
    row("export.film", Menu::Export, ArgKind::Word),
    row("export.stop", Menu::None, ArgKind::None),

    row("palette.open", Menu::Help, ArgKind::None, ctrl(ImGuiKey_P)),
    row("help.keys", Menu::Help, ArgKind::None, shift(ImGuiKey_Slash)),
    row("help.open", Menu::Help, ArgKind::None),
    row("help.about", Menu::Help, ArgKind::None),
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
std::optional<Argument> read_argument(const CommandInfo& info, std::string_view text,
                                      std::string& why) {
    switch (info.kind) {
        case ArgKind::None:
            if (text.empty()) return Argument{};
            why = "takes no value";
            return std::nullopt;
        case ArgKind::Whole:
            if (const auto n = parse_whole(text, 0, std::numeric_limits<std::uint64_t>::max(), why))
                return Argument{*n};
            return std::nullopt;
        case ArgKind::Decimal: {
            const auto x = parse_decimal(text, why);
            if (!x) return std::nullopt;
            // Between these a number prints without an exponent, so that it can be read again.
            if (*x == 0.0 || (*x >= 1e-6 && *x <= 1e6)) return Argument{*x};
            why = "is outside 0.000001 to 1,000,000";
            return std::nullopt;
        }
        case ArgKind::OptionalWord:
            return text.empty() ? Argument{} : Argument{std::string(text)};
        case ArgKind::Word:
            if (!text.empty()) return Argument{std::string(text)};
            why = "needs a value";
            return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

std::span<const CommandInfo> command_table() {
    return kCommands;
}

const CommandInfo* find_command(std::string_view name) {
    const auto it = std::find_if(kCommands.begin(), kCommands.end(),
                                 [name](const CommandInfo& c) { return c.name == name; });
    return it == kCommands.end() ? nullptr : &*it;
}

std::string print(const Command& command) {
    std::string text(command.name);
    if (const auto* whole = std::get_if<std::uint64_t>(&command.argument))
        text += " " + std::to_string(*whole);
    else if (const auto* decimal = std::get_if<double>(&command.argument))
        text += " " + round_trip(*decimal);
    else if (const auto* word = std::get_if<std::string>(&command.argument))
        text += " " + *word;
    return text;
}

std::optional<Command> parse_command(std::string_view text, std::string& why) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view name = text.substr(0, space);
    const CommandInfo* info = find_command(name);
    if (info == nullptr) {
        why = "`" + std::string(name) + "` is not a command";
        return std::nullopt;
    }
    const std::string_view rest = space < text.size() ? text.substr(space + 1) : std::string_view{};
    auto argument = read_argument(*info, rest, why);
    if (!argument) {
        why = "`" + std::string(name) + "`: " + why;
        return std::nullopt;
    }
    return Command{info->name, std::move(*argument)};
}

std::string key_text(const Chord& chord) {
    if (chord.key == 0) return {};
    if (chord == shift(ImGuiKey_Slash)) return "?";
    std::string text;
    if (chord.ctrl) text += "Ctrl+";
    if (chord.shift) text += "Shift+";
    return text + key_name(chord.key);
}

void CommandSink::push(std::string_view name, Argument argument) {
    const CommandInfo* info = find_command(name);
    KV_ASSERT(info != nullptr);
    commands_.push_back({info->name, std::move(argument)});
}

std::vector<Command> CommandSink::take() {
    return std::exchange(commands_, {});
}

}  // namespace kv
