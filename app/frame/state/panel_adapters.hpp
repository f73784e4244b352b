#pragma once
// What stands between the rows of panel_table.cpp and the panels: makes a row's names and words,
// and functions of the scene of a panel that call the panel with what it may see of it. Internal to
// that file.

#include <string_view>
#include <utility>

#include "app/frame/state/app_state.hpp"
#include "app/frame/state/panel_table.hpp"
#include "app/panels/attach/panels.hpp"
#include "app/panels/bill/panels.hpp"
#include "app/panels/code/code.hpp"
#include "app/panels/compare_runs/words.hpp"
#include "app/panels/compare_servers/panels.hpp"
#include "app/panels/compare_servers/words.hpp"
#include "app/panels/drafts/drafts.hpp"
#include "app/panels/figure/figure.hpp"
#include "app/panels/lesson/lesson.hpp"
#include "app/panels/race/race.hpp"
#include "app/panels/stage/stage.hpp"
#include "app/panels/tables/tables.hpp"
#include "app/panels/timeline/lanes.hpp"
#include "app/panels/token/attention/attention.hpp"
#include "app/panels/token/inspector/inspector.hpp"
#include "app/panels/view/facts.hpp"
#include "app/panels/whatif/whatif.hpp"

namespace kv {

// What a panel's name says; `words` where the texts of another panel serve.
struct PanelNames {
    std::string_view name;
    TextId title, help, leaves_out;
};
consteval PanelNames named(std::string_view name, std::string_view words) {
    return {name, text_id("panel.", words, ""), text_id("panel.", words, ".help"),
            text_id("panel.", words, ".leaves")};
}
consteval PanelNames named(std::string_view name) {
    return named(name, name);
}
constexpr PanelRow row(PanelId id, const PanelNames& names, PanelRow rest) {
    rest.id = id;
    rest.name = names.name;
    rest.title = names.title;
    rest.help = names.help;
    rest.leaves_out = names.leaves_out;
    return rest;
}

consteval PanelWords empty_words(std::string_view name, std::string_view title = ".empty") {
    return {text_id("panel.", name, title), text_id("panel.", name, ".why")};
}
consteval PanelWords missing_words(std::string_view name) {
    return {text_id("trace.", name, ".title"), text_id("trace.", name, ".why")};
}

// on_run<draw_attention, &RunState::focus> is a function that calls draw_attention(ui, run, focus):
// the members in the brackets are all that a panel gets of the window's state.
template <auto Draw, auto... Of>
void on_run(const PanelScene& s) {
    Draw(s.ui, *s.run, s.state.run.*Of...);
}
template <auto Draw, auto... Of>
void on_bill(const PanelScene& s) {
    Draw(s.ui, s.state.bill, s.state.bill_ui.*Of...);
}
template <auto Draw>
void on_servers(const PanelScene& s) {
    Draw(s.ui, s.state.attach);
}
template <auto Tables, auto... Of>
DataTables of_run(const PanelDataAsk& a) {
    return Tables(*a.run, a.state.run.*Of...);
}
template <auto Tables, auto... Of>
DataTables worded_of_run(const PanelDataAsk& a) {
    return Tables(*a.run, a.state.run.*Of..., a.text);
}
template <auto Tables>
DataTables worded_of_bill(const PanelDataAsk& a) {
    return Tables(a.state.bill, a.text);
}
template <auto Tables>
DataTables of_servers(const PanelDataAsk& a) {
    return Tables(a.state.attach);
}
template <BillSide Side>
void draw_side_of_bill(const PanelScene& s) {
    draw_side(s.ui, s.state.bill, Side, s.state.bill_ui.focus);
}
template <BillSide Side>
DataTables tables_of_bill(const PanelDataAsk& a) {
    return bill_tables(a.state.bill, Side);
}
template <TextId Words>
Text says(const PanelScene& s) {
    return Text(s.ui.text[Words]);
}

inline PairView pair_of(const PanelScene& s) {
    PairUi& own = s.state.run.pair;
    return {.left = *s.run, .right = *s.other, .own = own, .unfold = &own.unfold};
}
inline PairView pair_of(const PanelDataAsk& a) {
    follow_pair(a.state.run.pair, *a.run, *a.other, a.state.run.focus);
    return {.left = *a.run, .right = *a.other, .own = a.state.run.pair};
}
template <auto Draw>
void on_pair(const PanelScene& s) {
    Draw(s.ui, pair_of(s));
}
template <auto Tables, auto... Of>
DataTables of_pair(const PanelDataAsk& a) {
    return Tables(pair_of(a), a.state.run.*Of...);
}
template <CompareSide Side>
void draw_side_of_pair(const PanelScene& s) {
    draw_pair_side(s.ui, pair_of(s), Side, s.state.run.focus);
}
template <CompareSide Side>
DataTables tables_of_side(const PanelDataAsk& a) {
    return pair_side_tables(pair_of(a), Side, a.state.run.focus);
}

// "Left: Sliding window", where two runs stand beside each other.
inline TabWords name_of_side(const PanelScene& s, const RunView* side, TextId words) {
    if (s.run == nullptr || s.other == nullptr) return {};
    const SideTitle title = side_title(*side, s.ui.text);
    const Text tip = title.caption.empty() ? title.title : title.title + ": " + title.caption;
    return {fill(s.ui.text[words], {{"name", title.title}}), tip};
}

// "Left: tcp://localhost:5557, rank 0", where two servers do.
inline TabWords name_of_server(const PanelScene& s, const ServerView* side, TextId words) {
    if (!s.state.attach.compares()) return {};
    const Text name = name_of_server(*side, s.ui.text);
    return {fill(s.ui.text[words], {{"name", name}}), name};
}

inline PairView alone_of(const PanelScene& s) {
    return alone_view(s.state.run.pair, *s.run, s.state.run.focus);
}

// Summary and Memory show both sides of a bill.
inline DataTables both_sides(const PanelDataAsk& a) {
    DataTables both = bill_tables(a.state.bill, BillSide::Left);
    for (DataTable& table : bill_tables(a.state.bill, BillSide::Right)) {
        table.name += "_right";
        both.push_back(std::move(table));
    }
    return both;
}

inline void draw_open_lesson(const PanelScene& s) {
    if (s.lesson != nullptr)
        draw_lesson(s.ui, *s.lesson, s.state.run.focus);
    else
        draw_empty_words(s.ui, "panel.lesson.empty"_t, "panel.lesson.why"_t);
}

inline void draw_open_code(const PanelScene& s) {
    if (s.lesson != nullptr && has_code(*s.lesson))
        draw_code(s.ui, *s.lesson, s.run, s.state.run.code);
    else
        draw_empty_words(s.ui, "panel.code.empty"_t, "panel.code.why"_t);
}
inline DataTables tables_of_code(const PanelDataAsk& a) {
    return a.lesson == nullptr ? DataTables() : code_tables(*a.lesson, a.run);
}

inline void draw_open_figure(const PanelScene& s) {
    if (s.lesson != nullptr && has_figure(*s.lesson))
        draw_figure(s.ui, *s.lesson, s.state.run.figure);
    else
        draw_empty_words(s.ui, "panel.figure.empty"_t, "panel.figure.why"_t);
}
inline DataTables tables_of_figure(const PanelDataAsk& a) {
    return a.lesson == nullptr ? DataTables() : figure_tables(*a.lesson);
}

inline void draw_roofline_of_either(const PanelScene& s) {
    RunState& own = s.state.run;
    choose_roofline(s.ui, own.roofline);
    if (own.roofline == RooflineOf::Bill)
        draw_roofline(s.ui, s.state.bill);
    else
        draw_run_roofline(s.ui, *s.run, own.history);
}

// A record may begin after all requests came.
inline void draw_requests_there_are(const PanelScene& s) {
    if (!s.run->has_engine && s.run->trace.end().requests.empty())
        draw_missing_in_record(s.ui, *s.run, "trace.no_requests.title"_t,
                               "trace.no_requests.why"_t);
    else
        draw_requests(s.ui, *s.run, s.state.run.focus);
}

// A figure stands in place of the tank, and is steered in its place.
inline void draw_transport_of_run(const PanelScene& s) {
    if (s.lesson != nullptr && s.state.docks() == LayoutName::Figure && has_figure(*s.lesson))
        return draw_figure_transport(s.ui, *s.lesson);
    RunState& own = s.state.run;
    draw_transport(s.ui, *s.run, own.focus, own.playback, own.history);
}
// A figure of a recording has no run behind it.
inline void draw_transport_of_bill(const PanelScene& s) {
    if (s.lesson != nullptr && s.state.docks() == LayoutName::Figure && has_figure(*s.lesson))
        return draw_figure_transport(s.ui, *s.lesson);
    draw_transport_without_run(s.ui);
}
// Draws the Transport with a lane for the other run, which it has in Compare alone.
inline void draw_transport_of_pair(const PanelScene& s) {
    if (s.state.layout != LayoutName::Compare) return draw_transport_of_run(s);
    RunState& own = s.state.run;
    const Text name = name_of_request(s.run->now, own.focus.request);
    const TimelinePair lanes{*s.other, own.pair.right_history,
                             own.pair.difference.parting_of(name)};
    draw_transport(s.ui, *s.run, own.focus, own.playback, own.history, &lanes);
}

// In Compare Stage and log show both sides; elsewhere the one run.
inline void draw_stage_of_pair(const PanelScene& s) {
    if (s.state.layout != LayoutName::Compare)
        return on_run<draw_stage, &RunState::focus, &RunState::stage>(s);
    draw_pair_pools(s.ui, pair_of(s), s.state.run.focus);
}
inline void draw_events_of_pair(const PanelScene& s) {
    if (s.state.layout != LayoutName::Compare)
        return on_run<draw_events, &RunState::focus, &RunState::history, &RunState::events>(s);
    RunState& own = s.state.run;
    draw_pair_log(s.ui, pair_of(s), own.history, own.pair.log);
}
inline bool shows_both(const PanelScene& s) {
    return s.other != nullptr && s.state.layout == LayoutName::Compare;
}

inline void draw_settings_of_run(const PanelScene& s) {
    RunState& own = s.state.run;
    if (s.run->has_engine)
        draw_run_settings(s.ui, *s.run, own.focus, own.settings, own.has_gpu);
    else
        draw_recorded_settings(s.ui, *s.run);
}

inline DataTables xray_tables_of_run(const PanelDataAsk& a) {
    RunState& own = a.state.run;
    own.xray.follow(*a.run, own.focus, a.text);
    return xray_tables(*a.run, own.focus, own.xray.xray());
}

inline DataTables channels_tables_of_run(const PanelDataAsk& a) {
    ChannelsUi& own = a.state.run.channels;
    return channels_tables(own.follow(*a.run, a.state.run.focus), own.codec);
}

inline DataTables roofline_tables_of_either(const PanelDataAsk& a) {
    return a.state.run.roofline == RooflineOf::Bill
               ? bill_roofline_tables(a.state.bill, a.text)
               : run_roofline_tables(*a.run, a.state.run.history, a.text);
}

}  // namespace kv
