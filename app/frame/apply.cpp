// Where every command comes first. The window's own (CommandOwner::Window) change the state at
// once, by a row of kHandlers, or of bill_change.cpp where they change the bill; apply(), at the
// end of this file, hands all others to their owners. A test pushes every command of
// app/shell/commands.cpp through it. apply() is declared in app/frame/state/app_state.hpp, beside
// the state that it changes.

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "app/frame/attach.hpp"
#include "app/frame/bill_change.hpp"
#include "app/frame/overlay/path_rows.hpp"
#include "app/frame/question.hpp"
#include "app/frame/race.hpp"
#include "app/frame/select.hpp"
#include "app/frame/state/app_state.hpp"
#include "app/frame/whatif.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/model/shape.hpp"
#include "core/model/config/config.hpp"
#include "core/model/config/priced_config.hpp"

namespace kv {
namespace {

constexpr double kSmallestText = 0.8, kLargestText = 3.0;
constexpr std::array kTextSteps{0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0};

void set_text_scale(AppState& state, double scale) {
    if (!(scale >= kSmallestText && scale <= kLargestText))
        throw Refused("refused.text_scale"_t, {{"n", round_trip(scale)}});
    state.settings.text_scale = static_cast<float>(scale);
    state.rebuild_docks = true;
}

void larger_text(AppState& state, const Command&) {
    const auto next = std::find_if(kTextSteps.begin(), kTextSteps.end(), [&](double step) {
        return step > static_cast<double>(state.settings.text_scale) + 1e-3;
    });
    if (next != kTextSteps.end()) set_text_scale(state, *next);
}

void smaller_text(AppState& state, const Command&) {
    const auto next = std::find_if(kTextSteps.rbegin(), kTextSteps.rend(), [&](double step) {
        return step < static_cast<double>(state.settings.text_scale) - 1e-3;
    });
    if (next != kTextSteps.rend()) set_text_scale(state, *next);
}

void set_theme(AppState& state, const Command& c) {
    const auto theme = theme_named(word_argument(c));
    if (!theme) throw Refused("refused.theme"_t, {{"word", word_argument(c)}});
    state.settings.theme = *theme;
}

void next_theme(AppState& state, const Command&) {
    const auto now = static_cast<std::size_t>(state.settings.theme);
    state.settings.theme = kThemeNames[(now + 1) % kThemeNames.size()];
}

void open_start(AppState& state, const Command&) {
    const std::string sentence = state.start.sentence;
    state.start = {.open = true, .just_opened = true, .sentence = sentence};
}
void close_start(AppState& state, const Command&) {
    state.start.open = false;
    state.settings.first_start_done = true;
}
void write_sentence(AppState& state, const Command&) {
    state.start.takes_keyboard = state.start.in_field = state.start.to_end = true;
}
void pause_picture(AppState& state, const Command&) {
    state.start.playing = !state.start.playing;
    state.start.chosen = false;
}
void step_picture(AppState& state, const Command& c) {
    state.start.step = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(whole_argument(c), 1, std::numeric_limits<std::uint32_t>::max()));
    state.start.playing = false, state.start.chosen = true, state.start.way = 1;
}

// The page of the first start stands over a run; who asks for anything of the run sees that run.
// A sentence closes it by itself, once it is known that it can be read.
bool leaves_start(const CommandRow& row) {
    if (row.id == "start.sentence" || row.id == "run.cancel") return false;
    if (row.owner != CommandOwner::Window) return row.owner != CommandOwner::Export;
    return row.name.starts_with("layout.") || row.name.starts_with("panel.");
}

// The race or a weighed recording lies over Explore until another panel of it is asked for.
void spread_in_explore(AppState& state, std::optional<PanelId> panel) {
    const bool race = panel == PanelId::Race, whatif = panel == PanelId::WhatIf;
    const bool ends = (state.race.spread && !race) || (state.whatif.spread && !whatif);
    if (ends) state.bring_to_front = {PanelId::Stage};
    state.race.spread = race;
    state.whatif.spread = whatif;
    if (race) state.race.wanted = true;
}

// The guided minute is about the run that it began.
bool leaves_minute(const CommandRow& row) {
    if (row.name.starts_with("minute.") || row.id == "start.sentence" || row.id == "run.cancel")
        return false;
    return row.owner == CommandOwner::Opener || row.owner == CommandOwner::Lesson ||
           row.name.starts_with("layout.") || row.id == "window.first_start";
}

void keep_layout(AppState& state) {
    state.settings.layout = name_of(host_of(state.layout));
}

template <LayoutName layout>
void set_layout(AppState& state, const Command&) {
    if (layout == LayoutName::Present && state.layout != layout) {
        state.before_present = state.layout;
        state.present_bar = {};
    }
    if (layout == LayoutName::Explore) spread_in_explore(state, {});
    // Learn is where lessons are, whatever appears beside them.
    if (layout == LayoutName::Learn && state.layout != layout && state.bring_to_front.empty())
        state.bring_to_front = {PanelId::Lesson};
    state.layout = layout;
    keep_layout(state);
}

// A frozen picture is of this showing of Present alone.
void leave_present(AppState& state, const Command&) {
    if (state.layout != LayoutName::Present) return;
    const bool knows_way = state.before_present != LayoutName::Present;
    state.layout = knows_way               ? state.before_present
                   : state.run.lesson.open ? LayoutName::Learn
                                           : LayoutName::Explore;
    keep_layout(state);
    state.run.frozen = false;
}

bool contains(const LayoutNode& node, PanelId panel) {
    const auto& tabs = node.dock.tabs;
    return std::find(tabs.begin(), tabs.end(), panel) != tabs.end() ||
           std::any_of(node.children.begin(), node.children.end(),
                       [panel](const LayoutNode& child) { return contains(child, panel); });
}
bool shows(LayoutName layout, PanelId panel) {
    constexpr Vec2 kAnySize{1920, 1080};  // a layout has the same panels at every size
    return contains(layout_tree(layout, kAnySize), panel);
}

void show_panel(AppState& state, const Command& c) {
    const PanelRow* panel = find_panel(word_argument(c));
    if (panel == nullptr) throw Refused("refused.panel"_t, {{"word", word_argument(c)}});
    if (panel->id == PanelId::Help) {
        state.help = {.open = true, .just_opened = true, .tab = HelpTab::Start};
        return;
    }
    // A panel that this layout lacks is shown in the first layout that has it.
    if (!shows(state.layout, panel->id) && !shows(state.docks(), panel->id))
        for (LayoutName layout :
             {LayoutName::Explore, LayoutName::Learn, LayoutName::Compare, LayoutName::Figure,
              LayoutName::Attach, LayoutName::Connect, LayoutName::Servers})
            if (shows(layout, panel->id)) {
                // Without a step that has a figure, the panel says so in the place of one.
                state.layout = layout == LayoutName::Figure ? layout : host_of(layout);
                keep_layout(state);
                break;
            }
    if (state.layout == LayoutName::Explore) spread_in_explore(state, panel->id);
    state.bring_to_front = {panel->id};
}

// Puts code in front of the words of the lesson; asked for once more, it puts the words back.
void show_code(AppState& state, const Command&) {
    CodeUi& code = state.run.code;
    if (state.layout == LayoutName::Present) {
        code.presented = !code.presented;
    } else if (state.run.lesson.open && !spread_panel(state.docks())) {
        state.bring_to_front = {code.is_drawn ? PanelId::Lesson : PanelId::Code};
    } else {
        show_panel(state, {"panel.show", std::string("code")});
    }
}

void open_race(AppState& state, const Command&) {
    show_panel(state, {"panel.show", std::string("race")});
}

void open_whatif(AppState& state, const Command&) {
    show_panel(state, {"panel.show", std::string("whatif")});
}

template <int step>
void move_panel(AppState& state, const Command&) {
    state.panel_step = step;
}

template <HelpTab tab>
void open_help(AppState& state, const Command&) {
    state.palette.open = false;
    state.help = {.open = true, .just_opened = true, .tab = tab};
}

// One thing at a time lies over the picture.
void open_palette(AppState& state, std::string pending) {
    state.palette = {.open = true, .just_opened = true, .pending = std::move(pending)};
    state.help.open = false;
    if (state.palette.pending != "file.save_scene") return;
    state.palette.query = new_scene_path();
    state.palette.to_end = true;
}

template <class Change>
void change_copy_of_bill(AppState& state, Change change) {
    BillInputs changed = state.bill;
    change(changed);
    state.change_bill(std::move(changed));
}

void undo_bill(AppState& state, const Command&) {
    if (auto before = state.bill_undo.back(state.bill)) state.bill = *std::move(before);
}
void redo_bill(AppState& state, const Command&) {
    if (auto behind = state.bill_undo.forward(state.bill)) state.bill = *std::move(behind);
}

// A family that is priced alone is read for its price. The panels of the bill speak of keys and
// values; a model that keeps states and nothing else is priced by the command line.
ModelShape shape_in_file(const std::string& path) {
    if (is_runnable_config(path)) return shape_of(read_model_config(path));
    ModelShape shape = read_priced_config(path).shape;
    if (!is_latent(shape.cache) && count_head_layers(shape.cache) == 0)
        throw Refused("refused.config.states"_t, {{"path", path}}, ErrorCode::World);
    return shape;
}

void open_config(AppState& state, const Command& c) {
    const ModelShape shape = shape_in_file(word_argument(c));
    change_copy_of_bill(state, [&](BillInputs& in) { set_shape(in, BillSide::Left, shape); });
}

struct Handler {
    CommandId id;
    void (*run)(AppState&, const Command&);
};

constexpr std::array kHandlers = std::to_array<Handler>({
    {"file.open_config", open_config},
    {"app.quit", [](AppState& s, const Command&) { s.quit = true; }},

    {"layout.learn", set_layout<LayoutName::Learn>},
    {"layout.explore", set_layout<LayoutName::Explore>},
    {"layout.present", set_layout<LayoutName::Present>},
    {"layout.compare", set_layout<LayoutName::Compare>},
    {"layout.attach", set_layout<LayoutName::Attach>},
    {"layout.reset", [](AppState& s, const Command&) { s.rebuild_docks = true; }},
    {"theme", set_theme},
    {"theme.next", next_theme},
    {"text.larger", larger_text},
    {"text.smaller", smaller_text},
    {"text.reset", [](AppState& s, const Command&) { set_text_scale(s, 1.0); }},
    {"text.scale",
     [](AppState& s, const Command& c) { set_text_scale(s, std::get<double>(c.argument)); }},
    {"motion.toggle",
     [](AppState& s, const Command&) { s.settings.reduced_motion = !s.settings.reduced_motion; }},
    {"window.fullscreen", [](AppState& s, const Command&) { s.toggle_fullscreen = true; }},
    {"present.leave", leave_present},
    {"present.bar", [](AppState& s, const Command&) { s.present_bar.called = true; }},
    {"notes.window", [](AppState& s, const Command&) { s.toggle_notes_window = true; }},
    {"window.first_start", open_start},
    {"start.close", close_start},
    {"start.write", write_sentence},
    {"start.pause", pause_picture},
    {"start.step", step_picture},
    {"panel.show", show_panel},
    {"code.show", show_code},
    {"race.open", open_race},
    {"whatif.open", open_whatif},
    {"panel.next", move_panel<1>},
    {"panel.previous", move_panel<-1>},
    {"panel.leaves_out", [](AppState& s, const Command&) { s.show_leaves_out = true; }},

    {"bill.copy", [](AppState& s, const Command&) { s.copy_bill = true; }},
    {"bill.undo", undo_bill},
    {"bill.redo", redo_bill},

    {"question.save", save_first},
    {"question.drop", drop_work},
    {"question.stay", stay},

    {"palette.open", [](AppState& s, const Command&) { open_palette(s, {}); }},
    {"help.keys", open_help<HelpTab::Keys>},
    {"help.open", open_help<HelpTab::Start>},
    {"help.about", open_help<HelpTab::About>},
});

// A command that needs a value and has none asks for it in the palette.
bool needs_value(const Command& c) {
    return asks_for_value(row_of(c.id).kind) && std::holds_alternative<std::monostate>(c.argument);
}

void apply_to_window(AppState& state, const Command& command) {
    if (const BillChange change = bill_change(command.id))
        return change_copy_of_bill(state, [&](BillInputs& in) { change(in, command); });
    const auto handler = std::find_if(kHandlers.begin(), kHandlers.end(),
                                      [&](const Handler& h) { return h.id == command.id; });
    KV_ASSERT(handler != kHandlers.end());
    handler->run(state, command);
}

void require_run(const AppState& state) {
    if (!state.run.exists) throw Refused("refused.no_run.step"_t);
}

void hand_to_owner(AppState& state, const Command& command) {
    switch (row_of(command.id).owner) {
        case CommandOwner::Window:
            return apply_to_window(state, command);
        case CommandOwner::Race:
            return ask_race(state.race, command);
        case CommandOwner::WhatIf:
            ask_whatif(state.whatif, command);
            if (command.id == CommandId("whatif.file") && !state.only_panel)
                open_whatif(state, command);
            return;
        case CommandOwner::Attach:
            ask_attach(state.attach, command);
            if (opens_attach(command)) set_layout<LayoutName::Attach>(state, command);
            if (compares_servers(command)) set_layout<LayoutName::Compare>(state, command);
            return;
        case CommandOwner::Selection:
            require_run(state);
            return select(state.run, command);
        case CommandOwner::Run:
            require_run(state);
            state.run.wishes.push_back(command);
            return;
        case CommandOwner::Opener:
        case CommandOwner::Lesson:
            state.run.wishes.push_back(command);
            return;
        case CommandOwner::Export:
            state.exports.push_back(command);
            return;
    }
}

}  // namespace

void apply(AppState& state, const Command& command) {
    const CommandRow& row = row_of(command.id);
    if (needs_value(command)) {
        return open_palette(state, std::string(row.name));
    }
    if (asks_first(state, command)) return;
    hand_to_owner(state, command);
    // What was refused has left nothing.
    if (state.start.open && leaves_start(row)) close_start(state, command);
    if (state.minute.open && leaves_minute(row)) state.minute.open = false;
}

bool apply_or_explain(AppState& state, const Command& command) {
    try {
        apply(state, command);
        return true;
    } catch (const Error& refused) {
        state.notice = Notice{.said = said_of(refused), .refused = true};
        return false;
    }
}

}  // namespace kv
