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

consteval CommandRow row(const char* name, CommandOwner owner, MenuGroup group, ArgKind kind,
                         Chord key = {}, Chord second_key = {}) {
    return {.id = name,
            .name = name,
            .help = text_id("cmd.", name, ".help"),
            .owner = owner,
            .kind = kind,
            .group = group,
            .key = key,
            .second_key = second_key};
}

constexpr std::array kCommands = std::to_array<CommandRow>({
    row("file.open_scene", CommandOwner::Opener, MenuGroup::Open, ArgKind::Word, ctrl(ImGuiKey_O)),
    row("file.open_model", CommandOwner::Opener, MenuGroup::Open, ArgKind::Word),
    row("file.read_as", CommandOwner::Run, MenuGroup::None, ArgKind::Word),
    row("file.open_config", CommandOwner::Window, MenuGroup::Open, ArgKind::Word),
    row("file.save_scene", CommandOwner::Run, MenuGroup::Save, ArgKind::Word, ctrl(ImGuiKey_S)),
    row("app.quit", CommandOwner::Window, MenuGroup::Quit, ArgKind::None, ctrl(ImGuiKey_Q)),

    row("layout.learn", CommandOwner::Window, MenuGroup::Layouts, ArgKind::None,
        plain(ImGuiKey_F1)),
    row("layout.explore", CommandOwner::Window, MenuGroup::Layouts, ArgKind::None,
        plain(ImGuiKey_F2)),
    row("layout.present", CommandOwner::Window, MenuGroup::Layouts, ArgKind::None,
        plain(ImGuiKey_F3)),
    row("layout.compare", CommandOwner::Window, MenuGroup::Layouts, ArgKind::None,
        plain(ImGuiKey_F4)),
    row("layout.attach", CommandOwner::Window, MenuGroup::Layouts, ArgKind::None,
        plain(ImGuiKey_F6)),
    row("race.open", CommandOwner::Window, MenuGroup::Layouts, ArgKind::None),
    row("whatif.open", CommandOwner::Window, MenuGroup::Layouts, ArgKind::None),
    row("layout.reset", CommandOwner::Window, MenuGroup::Panels, ArgKind::None),
    row("theme.next", CommandOwner::Window, MenuGroup::Theme, ArgKind::None, plain(ImGuiKey_T)),
    row("theme", CommandOwner::Window, MenuGroup::None, ArgKind::Word),
    row("text.larger", CommandOwner::Window, MenuGroup::TextSize, ArgKind::None,
        ctrl(ImGuiKey_Equal), ctrl(ImGuiKey_KeypadAdd)),
    row("text.smaller", CommandOwner::Window, MenuGroup::TextSize, ArgKind::None,
        ctrl(ImGuiKey_Minus), ctrl(ImGuiKey_KeypadSubtract)),
    row("text.reset", CommandOwner::Window, MenuGroup::TextSize, ArgKind::None, ctrl(ImGuiKey_0),
        ctrl(ImGuiKey_Keypad0)),
    row("text.scale", CommandOwner::Window, MenuGroup::None, ArgKind::Decimal),
    row("motion.toggle", CommandOwner::Window, MenuGroup::Screen, ArgKind::None),
    row("window.fullscreen", CommandOwner::Window, MenuGroup::Screen, ArgKind::None,
        plain(ImGuiKey_F11)),
    row("panel.show", CommandOwner::Window, MenuGroup::None, ArgKind::Word),
    row("panel.next", CommandOwner::Window, MenuGroup::Panels, ArgKind::None, ctrl(ImGuiKey_F6)),
    row("panel.previous", CommandOwner::Window, MenuGroup::None, ArgKind::None,
        ctrl_shift(ImGuiKey_F6)),
    row("panel.leaves_out", CommandOwner::Window, MenuGroup::Panels, ArgKind::None,
        plain(ImGuiKey_F7)),

    row("run.play", CommandOwner::Selection, MenuGroup::Play, ArgKind::None, plain(ImGuiKey_Space)),
    row("run.forward", CommandOwner::Run, MenuGroup::Play, ArgKind::None,
        plain(ImGuiKey_RightArrow), plain(ImGuiKey_PageDown)),
    row("run.back", CommandOwner::Run, MenuGroup::Play, ArgKind::None, plain(ImGuiKey_LeftArrow),
        plain(ImGuiKey_PageUp)),
    row("run.finer_forward", CommandOwner::Run, MenuGroup::Go, ArgKind::None,
        shift(ImGuiKey_RightArrow)),
    row("run.finer_back", CommandOwner::Run, MenuGroup::Go, ArgKind::None,
        shift(ImGuiKey_LeftArrow)),
    row("run.first", CommandOwner::Run, MenuGroup::Go, ArgKind::None, plain(ImGuiKey_Home)),
    row("run.last", CommandOwner::Run, MenuGroup::Go, ArgKind::None, plain(ImGuiKey_End)),
    row("run.coarser", CommandOwner::Selection, MenuGroup::Go, ArgKind::None,
        plain(ImGuiKey_LeftBracket)),
    row("run.finer", CommandOwner::Selection, MenuGroup::Go, ArgKind::None,
        plain(ImGuiKey_RightBracket)),
    row("run.step", CommandOwner::Selection, MenuGroup::None, ArgKind::Word),
    row("run.speed", CommandOwner::Selection, MenuGroup::None, ArgKind::Decimal),
    row("run.goto", CommandOwner::Run, MenuGroup::Go, ArgKind::Whole),
    row("run.moment", CommandOwner::Run, MenuGroup::None, ArgKind::Whole),
    row("run.next_event", CommandOwner::Run, MenuGroup::Go, ArgKind::None, plain(ImGuiKey_N)),
    row("run.previous_event", CommandOwner::Run, MenuGroup::Go, ArgKind::None, shift(ImGuiKey_N)),
    row("run.until", CommandOwner::Run, MenuGroup::Go, ArgKind::Word),
    row("run.restart", CommandOwner::Run, MenuGroup::Run, ArgKind::None),
    row("run.cancel", CommandOwner::Opener, MenuGroup::Run, ArgKind::None),
    row("price.measure", CommandOwner::Run, MenuGroup::Check, ArgKind::None),
    row("price.cancel", CommandOwner::Run, MenuGroup::None, ArgKind::None),
    row("price.add", CommandOwner::Run, MenuGroup::Check, ArgKind::Word),
    row("price.text", CommandOwner::Selection, MenuGroup::None, ArgKind::Word),
    row("price.scale", CommandOwner::Selection, MenuGroup::None, ArgKind::Word),
    row("settings.more", CommandOwner::Selection, MenuGroup::None, ArgKind::None),
    row("price.picture", CommandOwner::Selection, MenuGroup::None, ArgKind::None),
    row("run.prove", CommandOwner::Run, MenuGroup::Check, ArgKind::None, plain(ImGuiKey_P)),
    row("run.add", CommandOwner::Run, MenuGroup::Change, ArgKind::Word, plain(ImGuiKey_A)),
    row("run.fork", CommandOwner::Run, MenuGroup::Change, ArgKind::Word),
    row("run.set", CommandOwner::Run, MenuGroup::Change, ArgKind::Word),
    row("run.do", CommandOwner::Run, MenuGroup::Change, ArgKind::Word),
    row("run.model", CommandOwner::Opener, MenuGroup::Change, ArgKind::Word),
    row("run.cache", CommandOwner::Run, MenuGroup::Change, ArgKind::None),
    row("run.undo_set", CommandOwner::Run, MenuGroup::Undo, ArgKind::None),
    row("run.redo_set", CommandOwner::Run, MenuGroup::Undo, ArgKind::None),
    row("run.branch", CommandOwner::Run, MenuGroup::Compare, ArgKind::Word, plain(ImGuiKey_B)),
    row("run.compare", CommandOwner::Run, MenuGroup::Compare, ArgKind::Word),
    row("run.next_difference", CommandOwner::Run, MenuGroup::Compare, ArgKind::None),
    row("run.difference_event", CommandOwner::Run, MenuGroup::Compare, ArgKind::None),
    row("run.swap_sides", CommandOwner::Run, MenuGroup::Compare, ArgKind::None),
    row("run.end_comparison", CommandOwner::Run, MenuGroup::Compare, ArgKind::None),

    row("present.leave", CommandOwner::Window, MenuGroup::Show, ArgKind::None),
    row("present.bar", CommandOwner::Window, MenuGroup::Show, ArgKind::None),
    row("present.freeze", CommandOwner::Selection, MenuGroup::Show, ArgKind::None),
    row("notes.window", CommandOwner::Window, MenuGroup::Show, ArgKind::None),

    row("focus.request", CommandOwner::Selection, MenuGroup::None, ArgKind::Word),
    row("focus.next", CommandOwner::Selection, MenuGroup::Check, ArgKind::None,
        plain(ImGuiKey_Tab)),
    row("focus.previous", CommandOwner::Selection, MenuGroup::Check, ArgKind::None,
        shift(ImGuiKey_Tab)),
    row("select.token", CommandOwner::Selection, MenuGroup::None, ArgKind::Whole),
    row("select.block", CommandOwner::Selection, MenuGroup::None, ArgKind::Whole),
    row("select.none", CommandOwner::Selection, MenuGroup::None, ArgKind::None),
    row("mark.tokens", CommandOwner::Selection, MenuGroup::None, ArgKind::Word),
    row("mark.none", CommandOwner::Selection, MenuGroup::None, ArgKind::None),
    row("select.layer", CommandOwner::Selection, MenuGroup::None, ArgKind::Whole),
    row("select.kv_head", CommandOwner::Selection, MenuGroup::None, ArgKind::Whole),
    row("select.query_head", CommandOwner::Selection, MenuGroup::None, ArgKind::Whole),
    row("select.dim", CommandOwner::Selection, MenuGroup::None, ArgKind::Whole),
    row("select.keys", CommandOwner::Selection, MenuGroup::None, ArgKind::None, plain(ImGuiKey_K)),
    row("select.values", CommandOwner::Selection, MenuGroup::None, ArgKind::None,
        plain(ImGuiKey_V)),
    row("select.follow", CommandOwner::Run, MenuGroup::Check, ArgKind::None, plain(ImGuiKey_F)),
    row("select.address", CommandOwner::Run, MenuGroup::Check, ArgKind::Word),

    row("lesson.continue", CommandOwner::Lesson, MenuGroup::Course, ArgKind::None),
    row("lesson.close", CommandOwner::Lesson, MenuGroup::Lesson, ArgKind::None),
    row("lesson.open", CommandOwner::Lesson, MenuGroup::Course, ArgKind::Word),
    row("lesson.museum", CommandOwner::Lesson, MenuGroup::Course, ArgKind::None),
    row("lesson.next", CommandOwner::Lesson, MenuGroup::Page, ArgKind::None),
    row("lesson.previous", CommandOwner::Lesson, MenuGroup::Page, ArgKind::None),
    row("lesson.reveal", CommandOwner::Lesson, MenuGroup::Page, ArgKind::None,
        plain(ImGuiKey_Enter)),
    row("lesson.go_on", CommandOwner::Lesson, MenuGroup::None, ArgKind::None),
    row("lesson.say", CommandOwner::Lesson, MenuGroup::None, ArgKind::Word),
    row("lesson.answer", CommandOwner::Lesson, MenuGroup::None, ArgKind::Word),
    row("lesson.go_back", CommandOwner::Lesson, MenuGroup::None, ArgKind::None),
    row("lesson.hint", CommandOwner::Lesson, MenuGroup::Page, ArgKind::OptionalWord,
        plain(ImGuiKey_H)),
    row("lesson.another", CommandOwner::Lesson, MenuGroup::None, ArgKind::Word),
    row("lesson.reload", CommandOwner::Lesson, MenuGroup::Lesson, ArgKind::None),

    row("task.open", CommandOwner::Lesson, MenuGroup::Task, ArgKind::OptionalWord),
    row("task.hint", CommandOwner::Lesson, MenuGroup::Task, ArgKind::None),
    row("task.reset", CommandOwner::Lesson, MenuGroup::Task, ArgKind::None),
    row("task.give_up", CommandOwner::Lesson, MenuGroup::Task, ArgKind::None),
    row("task.leave", CommandOwner::Lesson, MenuGroup::Task, ArgKind::None),

    row("figure.back", CommandOwner::Lesson, MenuGroup::None, ArgKind::None),
    row("figure.forward", CommandOwner::Lesson, MenuGroup::None, ArgKind::None),
    row("figure.play", CommandOwner::Lesson, MenuGroup::None, ArgKind::None),
    row("figure.first", CommandOwner::Lesson, MenuGroup::None, ArgKind::None),
    row("figure.last", CommandOwner::Lesson, MenuGroup::None, ArgKind::None),
    row("code.show", CommandOwner::Window, MenuGroup::Page, ArgKind::None, plain(ImGuiKey_C)),
    row("code.forward", CommandOwner::Selection, MenuGroup::None, ArgKind::None),
    row("code.back", CommandOwner::Selection, MenuGroup::None, ArgKind::None),

    row("bill.model", CommandOwner::Window, MenuGroup::BillLoad, ArgKind::Word, plain(ImGuiKey_M)),
    row("bill.kv_heads", CommandOwner::Window, MenuGroup::BillCache, ArgKind::Whole),
    row("bill.tokens", CommandOwner::Window, MenuGroup::BillLoad, ArgKind::Whole),
    row("bill.batch", CommandOwner::Window, MenuGroup::BillLoad, ArgKind::Whole),
    row("bill.k_codec", CommandOwner::Window, MenuGroup::BillCache, ArgKind::Word),
    row("bill.v_codec", CommandOwner::Window, MenuGroup::BillCache, ArgKind::Word),
    row("bill.block_size", CommandOwner::Window, MenuGroup::BillCache, ArgKind::Whole),
    row("bill.device", CommandOwner::Window, MenuGroup::BillLoad, ArgKind::Word),
    row("bill.cards", CommandOwner::Window, MenuGroup::BillLoad, ArgKind::Whole),
    row("bill.ranks", CommandOwner::Window, MenuGroup::BillLoad, ArgKind::Whole),
    row("bill.window", CommandOwner::Window, MenuGroup::BillCache, ArgKind::Whole),
    row("bill.units", CommandOwner::Window, MenuGroup::BillShown, ArgKind::None, plain(ImGuiKey_U)),
    row("bill.chart", CommandOwner::Window, MenuGroup::BillShown, ArgKind::None),
    row("bill.copy", CommandOwner::Window, MenuGroup::BillShown, ArgKind::None,
        ctrl_shift(ImGuiKey_C)),
    row("bill.undo", CommandOwner::Window, MenuGroup::BillUndo, ArgKind::None, ctrl(ImGuiKey_Z)),
    row("bill.redo", CommandOwner::Window, MenuGroup::BillUndo, ArgKind::None, ctrl(ImGuiKey_Y),
        ctrl_shift(ImGuiKey_Z)),
    row("other.model", CommandOwner::Window, MenuGroup::None, ArgKind::Word),
    row("other.kv_heads", CommandOwner::Window, MenuGroup::None, ArgKind::Whole),
    row("other.k_codec", CommandOwner::Window, MenuGroup::None, ArgKind::Word),
    row("other.v_codec", CommandOwner::Window, MenuGroup::None, ArgKind::Word),
    row("compare.swap", CommandOwner::Window, MenuGroup::BillShown, ArgKind::None),

    row("race.workload", CommandOwner::Race, MenuGroup::None, ArgKind::Word),
    row("race.fault", CommandOwner::Race, MenuGroup::None, ArgKind::Word),
    row("race.faults", CommandOwner::Race, MenuGroup::None, ArgKind::None),
    row("race.requests", CommandOwner::Race, MenuGroup::None, ArgKind::Whole),
    row("race.seed", CommandOwner::Race, MenuGroup::None, ArgKind::Whole),
    row("race.again", CommandOwner::Race, MenuGroup::None, ArgKind::None),
    row("race.stop", CommandOwner::Race, MenuGroup::None, ArgKind::None),
    row("race.play", CommandOwner::Race, MenuGroup::None, ArgKind::None),
    row("race.forward", CommandOwner::Race, MenuGroup::None, ArgKind::None),
    row("race.back", CommandOwner::Race, MenuGroup::None, ArgKind::None),
    row("race.finer_forward", CommandOwner::Race, MenuGroup::None, ArgKind::None),
    row("race.finer_back", CommandOwner::Race, MenuGroup::None, ArgKind::None),
    row("race.first", CommandOwner::Race, MenuGroup::None, ArgKind::None),
    row("race.last", CommandOwner::Race, MenuGroup::None, ArgKind::None),
    row("race.goto", CommandOwner::Race, MenuGroup::None, ArgKind::Whole),
    row("race.speed", CommandOwner::Race, MenuGroup::None, ArgKind::Whole),
    row("race.closer", CommandOwner::Race, MenuGroup::None, ArgKind::None),
    row("race.farther", CommandOwner::Race, MenuGroup::None, ArgKind::None),
    row("race.whole", CommandOwner::Race, MenuGroup::None, ArgKind::None),
    row("race.rule", CommandOwner::Race, MenuGroup::None, ArgKind::Word),
    row("whatif.file", CommandOwner::WhatIf, MenuGroup::Open, ArgKind::Word),
    row("whatif.today", CommandOwner::WhatIf, MenuGroup::None, ArgKind::Whole),
    row("whatif.codec", CommandOwner::WhatIf, MenuGroup::None, ArgKind::Word),
    row("whatif.host", CommandOwner::WhatIf, MenuGroup::None, ArgKind::Whole),
    row("whatif.model", CommandOwner::WhatIf, MenuGroup::None, ArgKind::Word),
    row("whatif.card", CommandOwner::WhatIf, MenuGroup::None, ArgKind::Word),
    row("whatif.share", CommandOwner::WhatIf, MenuGroup::None, ArgKind::Whole),
    row("whatif.link", CommandOwner::WhatIf, MenuGroup::None, ArgKind::Whole),
    row("whatif.view", CommandOwner::WhatIf, MenuGroup::None, ArgKind::Word),
    row("whatif.stop", CommandOwner::WhatIf, MenuGroup::None, ArgKind::None),

    row("attach.open", CommandOwner::Attach, MenuGroup::None, ArgKind::OptionalWord),
    row("attach.close", CommandOwner::Attach, MenuGroup::None, ArgKind::None),
    row("attach.file", CommandOwner::Attach, MenuGroup::Open, ArgKind::Word),
    row("attach.rank", CommandOwner::Attach, MenuGroup::None, ArgKind::Whole),
    row("attach.rank_beside", CommandOwner::Attach, MenuGroup::None, ArgKind::Whole),
    row("attach.group", CommandOwner::Attach, MenuGroup::None, ArgKind::Whole),
    row("attach.against", CommandOwner::Attach, MenuGroup::None, ArgKind::Word),
    row("attach.swap", CommandOwner::Attach, MenuGroup::None, ArgKind::None),
    row("attach.alone", CommandOwner::Attach, MenuGroup::None, ArgKind::None),
    row("attach.order", CommandOwner::Attach, MenuGroup::None, ArgKind::Word),
    row("attach.select", CommandOwner::Attach, MenuGroup::None, ArgKind::Whole),
    row("attach.step", CommandOwner::Attach, MenuGroup::None, ArgKind::Word),
    row("attach.pause", CommandOwner::Attach, MenuGroup::None, ArgKind::None),
    row("attach.back", CommandOwner::Attach, MenuGroup::None, ArgKind::None),
    row("attach.forward", CommandOwner::Attach, MenuGroup::None, ArgKind::None),
    row("attach.first", CommandOwner::Attach, MenuGroup::None, ArgKind::None),
    row("attach.live", CommandOwner::Attach, MenuGroup::None, ArgKind::None),
    row("attach.goto", CommandOwner::Attach, MenuGroup::None, ArgKind::Decimal),
    row("attach.record", CommandOwner::Attach, MenuGroup::None, ArgKind::Word),
    row("attach.stop_recording", CommandOwner::Attach, MenuGroup::None, ArgKind::None),
    row("attach.tokens", CommandOwner::Attach, MenuGroup::None, ArgKind::None),
    row("attach.tokenizer", CommandOwner::Attach, MenuGroup::None, ArgKind::Word),

    row("export.picture", CommandOwner::Export, MenuGroup::Export, ArgKind::OptionalWord,
        ctrl(ImGuiKey_E)),
    row("export.panel", CommandOwner::Export, MenuGroup::Export, ArgKind::Word,
        ctrl_shift(ImGuiKey_E)),
    row("export.drawing", CommandOwner::Export, MenuGroup::Export, ArgKind::OptionalWord),
    row("export.table", CommandOwner::Export, MenuGroup::Export, ArgKind::Word),
    row("export.copy", CommandOwner::Export, MenuGroup::Export, ArgKind::Word),
    row("export.film", CommandOwner::Export, MenuGroup::Export, ArgKind::Word),
    row("export.show", CommandOwner::Export, MenuGroup::Export, ArgKind::OptionalWord),
    row("export.stop", CommandOwner::Export, MenuGroup::None, ArgKind::None),

    row("help.open", CommandOwner::Window, MenuGroup::Help, ArgKind::None),
    row("help.keys", CommandOwner::Window, MenuGroup::Help, ArgKind::None, shift(ImGuiKey_Slash)),
    row("palette.open", CommandOwner::Window, MenuGroup::Help, ArgKind::None, ctrl(ImGuiKey_P)),
    row("help.about", CommandOwner::Window, MenuGroup::About, ArgKind::None),

    row("minute.start", CommandOwner::Opener, MenuGroup::Start, ArgKind::None),
    row("start.sentence", CommandOwner::Opener, MenuGroup::Start, ArgKind::Word),
    row("window.first_start", CommandOwner::Window, MenuGroup::Start, ArgKind::None),
    row("minute.next", CommandOwner::Opener, MenuGroup::None, ArgKind::None),
    row("minute.back", CommandOwner::Opener, MenuGroup::None, ArgKind::None),
    row("minute.skip", CommandOwner::Opener, MenuGroup::None, ArgKind::None),
    row("start.close", CommandOwner::Window, MenuGroup::None, ArgKind::None),
    row("start.write", CommandOwner::Window, MenuGroup::None, ArgKind::None),
    row("start.pause", CommandOwner::Window, MenuGroup::None, ArgKind::None),
    row("start.step", CommandOwner::Window, MenuGroup::None, ArgKind::Whole),

    row("question.save", CommandOwner::Window, MenuGroup::None, ArgKind::None),
    row("question.drop", CommandOwner::Window, MenuGroup::None, ArgKind::None),
    row("question.stay", CommandOwner::Window, MenuGroup::None, ArgKind::None),
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

std::uint64_t whole_argument(const Command& c, std::uint64_t least, std::uint64_t most) {
    const std::uint64_t n = whole_argument(c);
    if (n < least || n > most)
        throw Refused(
            "refused.number"_t,
            {{"n", with_commas(n)}, {"least", with_commas(least)}, {"most", with_commas(most)}});
    return n;
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
