#pragma once
// Everything the window remembers between two frames, as plain data: settings, the bill, what is
// remembered of a run, and the small state of each overlay. What a person asks for is a command,
// and apply() carries it out. Drawing reads the state; it writes only what a panel or an overlay
// remembers of its own (its caches, what is typed into it, that it is closed). The owner of the run
// (app/live) writes what the run has become.

#include <optional>
#include <string>
#include <vector>

#include "app/frame/state/layout.hpp"
#include "app/frame/state/minute_ui.hpp"
#include "app/frame/state/run_state.hpp"
#include "app/frame/state/start_ui.hpp"
#include "app/panels/attach/ui.hpp"
#include "app/panels/bill/bill.hpp"
#include "app/panels/bill/ui.hpp"
#include "app/panels/present/bar.hpp"
#include "app/panels/race/ui.hpp"
#include "app/panels/whatif/ui.hpp"
#include "app/shell/settings.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/undo_history.hpp"

namespace kv {

struct PaletteUi {
    bool open = false;
    bool just_opened = false;
    std::string query = {};
    std::size_t chosen = 0;
    std::string pending = {};  // a command that waits for its value
    bool to_end = false;       // the field's cursor goes behind what stands in it
};

enum class HelpTab : std::uint8_t { Start, Panels, Keys, About };
struct HelpUi {
    bool open = false;
    bool just_opened = false;
    HelpTab tab = HelpTab::Start;
};

// What the About page lists; filled once by whoever opened the surface.
struct AboutLine {
    std::string label, value;
};

// One sentence for the person, in words only where it is drawn: a refusal stays until it is closed,
// a note goes after the seconds that it takes to read, which pause while the mouse is on it.
struct Notice {
    Said said;
    bool refused = false;
    bool until_it_comes = false;  // it announces a request, whose coming ends it
    std::string file = {};        // that was written, and can be shown in its folder
    // By ImGui::GetTime(), known once it was drawn; infinite for one that stays.
    std::optional<double> leaves_at = {};
};

struct AppState {
    // Written out in app_state.cpp: left implicit, each file that uses one compiles them again.
    AppState();
    AppState(AppState&&) noexcept;
    AppState& operator=(AppState&&) noexcept;
    ~AppState();

    Settings settings;
    LayoutName layout = LayoutName::Explore;
    std::optional<PanelId> only_panel;  // a picture of one panel instead of a layout
    // The picture of a lesson's page in Present without words, keys and bar, so many pixels high:
    // what stands on a slide.
    std::optional<float> only_picture;
    // A page around the picture has the program's name and the layouts, so that the bar has not.
    bool layouts_outside = false;
    BillInputs bill = default_bill();
    // Every change of the bill goes this way, so that it can be taken back.
    void change_bill(BillInputs changed);
    UndoHistory<BillInputs> bill_undo;
    BillUi bill_ui;
    RunState run;
    RaceUi race;
    WhatIfUi whatif;
    AttachUi attach;
    // Whose docks are drawn: the race and a weighed recording lie over those of Explore, a figure,
    // a page or a recording over those of Learn, and before a server has said anything there is the
    // page that calls it. Two servers are compared before two runs.
    LayoutName docks() const {
        if (layout == LayoutName::Learn && run.lesson.figure) return LayoutName::Figure;
        if (layout == LayoutName::Learn && run.lesson.page) return LayoutName::Page;
        if (layout == LayoutName::Learn && run.lesson.recording) return LayoutName::Recorded;
        if (layout == LayoutName::Explore && whatif.spread) return LayoutName::WhatIf;
        if (layout == LayoutName::Attach && !attach.shows_server()) return LayoutName::Connect;
        if (layout == LayoutName::Attach && attach.view->groups().size() > 1)
            return LayoutName::Groups;
        if (layout == LayoutName::Compare && attach.compares()) return LayoutName::Servers;
        return layout == LayoutName::Explore && race.spread ? LayoutName::Race : layout;
    }

    float task_strip = 0;  // how much of the docks' room a task takes, logical pixels

    PaletteUi palette;
    HelpUi help;
    StartUi start;
    MinuteUi minute;
    PresentBarUi present_bar;
    LayoutName before_present = LayoutName::Explore;  // where its way out leads
    std::optional<Notice> notice;
    bool asks_first = false;  // before own work goes; a person is there to answer
    std::optional<DropQuestion> question;
    std::vector<AboutLine> about;

    // Wishes that the next frame carries out.
    bool rebuild_docks = false;
    List<PanelId> bring_to_front;  // of one dock the first comes to the front
    bool show_leaves_out = false;
    int panel_step = 0;  // +1: the keyboard moves to the next panel, -1: to the one before
    bool quit = false;
    bool toggle_fullscreen = false;
    bool toggle_notes_window = false;
    std::vector<Command> exports;  // commands in order, which WindowExports carries out
    Said film;                     // what the making of a film is at; empty: none is made
    bool copy_bill = false;
};

// The docks that a window of that size would show, in logical pixels.
LayoutNode current_tree(const AppState& state, Vec2 window);
List<DockPlace> planned_docks(const AppState& state, Vec2 window);

// Carries out one command. Throws kv::Error for what is refused, state unchanged.
void apply(AppState& state, const Command& command);
// apply(), with the refusal shown in the window; false when the command was refused.
bool apply_or_explain(AppState& state, const Command& command);

}  // namespace kv
