#include "app/frame/state/panel_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "app/frame/state/app_state.hpp"
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
#include "core/base/error.hpp"

namespace kv {
namespace {

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

PairView pair_of(const PanelScene& s) {
    PairUi& own = s.state.run.pair;
    return {.left = *s.run, .right = *s.other, .own = own, .unfold = &own.unfold};
}
PairView pair_of(const PanelDataAsk& a) {
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
TabWords name_of_side(const PanelScene& s, const RunView* side, TextId words) {
    if (s.run == nullptr || s.other == nullptr) return {};
    const SideTitle title = side_title(*side, s.ui.text);
    const Text tip = title.caption.empty() ? title.title : title.title + ": " + title.caption;
    return {fill(s.ui.text[words], {{"name", title.title}}), tip};
}

// "Left: tcp://localhost:5557, rank 0", where two servers do.
TabWords name_of_server(const PanelScene& s, const ServerView* side, TextId words) {
    if (!s.state.attach.compares()) return {};
    const Text name = name_of_server(*side, s.ui.text);
    return {fill(s.ui.text[words], {{"name", name}}), name};
}

PairView alone_of(const PanelScene& s) {
    return alone_view(s.state.run.pair, *s.run, s.state.run.focus);
}

// Summary and Memory show both sides of a bill.
DataTables both_sides(const PanelDataAsk& a) {
    DataTables both = bill_tables(a.state.bill, BillSide::Left);
    for (DataTable& table : bill_tables(a.state.bill, BillSide::Right)) {
        table.name += "_right";
        both.push_back(std::move(table));
    }
    return both;
}

void draw_open_lesson(const PanelScene& s) {
    if (s.lesson != nullptr)
        draw_lesson(s.ui, *s.lesson, s.state.run.focus);
    else
        draw_without_run(s.ui, "panel.lesson.empty"_t, "panel.lesson.why"_t);
}

void draw_open_code(const PanelScene& s) {
    if (s.lesson != nullptr && has_code(*s.lesson))
        draw_code(s.ui, *s.lesson, s.run, s.state.run.code);
    else
        draw_without_run(s.ui, "panel.code.empty"_t, "panel.code.why"_t);
}
DataTables tables_of_code(const PanelDataAsk& a) {
    return a.lesson == nullptr ? DataTables() : code_tables(*a.lesson, a.run);
}

void draw_open_figure(const PanelScene& s) {
    if (s.lesson != nullptr && has_figure(*s.lesson))
        draw_figure(s.ui, *s.lesson, s.state.run.figure);
    else
        draw_without_run(s.ui, "panel.figure.empty"_t, "panel.figure.why"_t);
}
DataTables tables_of_figure(const PanelDataAsk& a) {
    return a.lesson == nullptr ? DataTables() : figure_tables(*a.lesson);
}

void draw_roofline_of_either(const PanelScene& s) {
    RunState& own = s.state.run;
    choose_roofline(s.ui, own.roofline);
    if (own.roofline == RooflineOf::Bill)
        draw_roofline(s.ui, s.state.bill);
    else
        draw_run_roofline(s.ui, *s.run, own.history);
}

// A record may begin after all requests came.
void draw_requests_there_are(const PanelScene& s) {
    if (!s.run->has_engine && s.run->trace.end().requests.empty())
        draw_missing_in_record(s.ui, *s.run, "trace.no_requests.title"_t,
                               "trace.no_requests.why"_t);
    else
        draw_requests(s.ui, *s.run, s.state.run.focus);
}

// A figure stands in place of the tank, and is steered in its place.
void draw_transport_of_run(const PanelScene& s) {
    if (s.lesson != nullptr && s.state.docks() == LayoutName::Figure && has_figure(*s.lesson))
        return draw_figure_transport(s.ui, *s.lesson);
    RunState& own = s.state.run;
    draw_transport(s.ui, *s.run, own.focus, own.playback, own.history);
}
// A figure of a recording has no run behind it.
void draw_transport_of_bill(const PanelScene& s) {
    if (s.lesson != nullptr && s.state.docks() == LayoutName::Figure && has_figure(*s.lesson))
        return draw_figure_transport(s.ui, *s.lesson);
    draw_transport_without_run(s.ui);
}
// Draws the Transport with a lane for the other run, which it has in Compare alone.
void draw_transport_of_pair(const PanelScene& s) {
    if (s.state.layout != LayoutName::Compare) return draw_transport_of_run(s);
    RunState& own = s.state.run;
    const Text name = name_of_request(s.run->now, own.focus.request);
    const TimelinePair lanes{*s.other, own.pair.right_history,
                             own.pair.difference.parting_of(name)};
    draw_transport(s.ui, *s.run, own.focus, own.playback, own.history, &lanes);
}

// In Compare Stage and log show both sides; elsewhere the one run.
void draw_stage_of_pair(const PanelScene& s) {
    if (s.state.layout != LayoutName::Compare)
        return on_run<draw_stage, &RunState::focus, &RunState::stage>(s);
    draw_pair_pools(s.ui, pair_of(s), s.state.run.focus);
}
void draw_events_of_pair(const PanelScene& s) {
    if (s.state.layout != LayoutName::Compare)
        return on_run<draw_events, &RunState::focus, &RunState::history, &RunState::events>(s);
    RunState& own = s.state.run;
    draw_pair_log(s.ui, pair_of(s), own.history, own.pair.log);
}
bool shows_both(const PanelScene& s) {
    return s.other != nullptr && s.state.layout == LayoutName::Compare;
}

void draw_settings_of_run(const PanelScene& s) {
    RunState& own = s.state.run;
    if (s.run->has_engine)
        draw_run_settings(s.ui, *s.run, own.focus, own.settings, own.has_gpu);
    else
        draw_recorded_settings(s.ui, *s.run);
}

DataTables xray_tables_of_run(const PanelDataAsk& a) {
    RunState& own = a.state.run;
    own.xray.follow(*a.run, own.focus, a.text);
    return xray_tables(*a.run, own.focus, own.xray.xray());
}

DataTables channels_tables_of_run(const PanelDataAsk& a) {
    ChannelsUi& own = a.state.run.channels;
    return channels_tables(own.follow(*a.run, a.state.run.focus), own.codec);
}

DataTables roofline_tables_of_either(const PanelDataAsk& a) {
    return a.state.run.roofline == RooflineOf::Bill
               ? bill_roofline_tables(a.state.bill, a.text)
               : run_roofline_tables(*a.run, a.state.run.history, a.text);
}

constexpr std::array kPanels = std::to_array<PanelRow>({
    row(PanelId::Lesson, named("lesson"),
        {.draw_without_run = draw_open_lesson, .draw_run = draw_open_lesson}),
    row(PanelId::Code, named("code"),
        {.draw_without_run = draw_open_code,
         .tables_without_run = tables_of_code,
         .draw_run = draw_open_code,
         .run_tables = tables_of_code}),
    row(PanelId::Glossary, named("glossary"),
        {.draw_without_run =
             [](const PanelScene& s) { draw_glossary(s.ui, s.state.bill_ui.focus); },
         .tables_without_run = [](const PanelDataAsk& a) { return glossary_tables(a.text); }}),
    row(PanelId::Notes, named("notes"),
        {.empty = empty_words("notes"),
         .draw_run = [](const PanelScene& s) { draw_notes(s.ui, s.state.run.notes, s.lesson); }}),
    row(PanelId::Figure, named("figure"),
        {.draw_without_run = draw_open_figure,
         .tables_without_run = tables_of_figure,
         .draw_run = draw_open_figure,
         .run_tables = tables_of_figure}),
    row(PanelId::Stage, named("stage"),
        {.empty = empty_words("stage"),
         .draw_run = on_run<draw_stage, &RunState::focus, &RunState::stage>,
         .run_tables = of_run<stage_tables, &RunState::focus>,
         .draw_pair = draw_stage_of_pair,
         .caption =
             [](const PanelScene& s) {
                 if (shows_both(s)) return Text(s.ui.text["pair.one_axis"_t]);
                 return s.run->lanes.n_lanes() > 1 ? table_caption(*s.run, s.ui.text)
                                                   : Text(s.ui.text["stage.caption"_t]);
             }}),
    row(PanelId::Calculator, named("calculator"),
        {.draw_without_run = on_bill<draw_calculator, &BillUi::focus, &BillUi::calculator>,
         .tables_without_run = tables_of_bill<BillSide::Left>}),
    row(PanelId::Inspector, named("inspector"),
        {.empty = empty_words("inspector"),
         .draw_run = on_run<draw_inspector, &RunState::focus>,
         .run_tables = worded_of_run<inspector_tables, &RunState::focus>,
         .missing_in_record = missing_words("bytes")}),
    row(PanelId::Attention, named("attention"),
        {.empty = empty_words("attention"),
         .draw_run = on_run<draw_attention, &RunState::focus>,
         .run_tables = of_run<attention_tables, &RunState::focus>,
         .missing_in_record = missing_words("attention")}),
    row(PanelId::Equation, named("equation"),
        {.draw_without_run = on_bill<draw_equation, &BillUi::focus>,
         .tables_without_run = tables_of_bill<BillSide::Left>,
         .draw_run = on_run<draw_run_equation, &RunState::focus>,
         .run_tables = worded_of_run<run_equation_tables>,
         .missing_in_record = missing_words("equation")}),
    row(PanelId::Charts, named("charts"),
        {.draw_without_run = [](const PanelScene& s) { draw_charts_without_run(s.ui); },
         .draw_run = on_run<draw_charts, &RunState::focus, &RunState::history, &RunState::charts>,
         .run_tables = of_run<charts_tables, &RunState::history>,
         .caption = says<"charts.caption"_t>}),
    row(PanelId::MiniCharts, named("mini_charts", "charts"),
        {.draw_without_run = [](const PanelScene& s) { draw_mini_charts_without_run(s.ui); },
         .draw_run =
             on_run<draw_mini_charts, &RunState::focus, &RunState::history, &RunState::charts>,
         .run_tables = of_run<charts_tables, &RunState::history>}),
    row(PanelId::Settings, named("settings"),
        {.draw_without_run =
             [](const PanelScene& s) {
                 draw_settings(s.ui, s.state.bill, s.state.bill_history, s.state.bill_ui.focus);
             },
         .tables_without_run = tables_of_bill<BillSide::Left>,
         .draw_run = draw_settings_of_run,
         .run_tables = of_run<run_settings_tables>}),
    row(PanelId::Requests, named("requests"),
        {.draw_without_run = on_bill<draw_requests_without_run>,
         .draw_run = draw_requests_there_are,
         .run_tables = worded_of_run<requests_tables>,
         .caption = [](const PanelScene& s) { return requests_caption(s.ui, *s.run); }}),
    row(PanelId::Prefix, named("prefix"),
        {.empty = empty_words("prefix"),
         .draw_run = on_run<draw_prefix, &RunState::focus, &RunState::prefix>,
         .run_tables =
             [](const PanelDataAsk& a) { return prefix_tables(*a.run, a.state.run.prefix.mode); },
         .caption = [](const PanelScene& s) { return prefix_caption(s.ui, s.state.run.prefix); }}),
    row(PanelId::Xray, named("xray"),
        {.empty = empty_words("xray"),
         .draw_run = on_run<draw_xray, &RunState::focus, &RunState::xray>,
         .run_tables = xray_tables_of_run,
         .caption = [](const PanelScene& s) { return table_caption(*s.run, s.ui.text); }}),
    row(PanelId::Bytes, named("bytes"),
        {.empty = empty_words("bytes"),
         .draw_run = on_run<draw_bytes, &RunState::focus, &RunState::bytes>,
         .run_tables =
             [](const PanelDataAsk& a) {
                 return bytes_tables(*a.run, a.state.run.focus, a.state.run.bytes.preview, a.text);
             },
         .missing_in_record = missing_words("bytes")}),
    row(PanelId::Channels, named("channels"),
        {.empty = empty_words("channels"),
         .draw_run = on_run<draw_channels, &RunState::focus, &RunState::channels>,
         .run_tables = channels_tables_of_run,
         .missing_in_record = missing_words("bytes")}),
    row(PanelId::Roofline, named("roofline"),
        {.draw_without_run = on_bill<draw_roofline>,
         .tables_without_run = worded_of_bill<bill_roofline_tables>,
         .draw_run = draw_roofline_of_either,
         .run_tables = roofline_tables_of_either,
         .missing_in_record = missing_words("roofline")}),
    row(PanelId::Price, named("price"),
        {.empty = PanelWords{"price.none"_t, "panel.price.why"_t},
         .draw_run = on_run<draw_price, &RunState::price>,
         .run_tables =
             [](const PanelDataAsk& a) { return price_tables(*a.run, a.state.run.price.text); },
         .missing_in_record = missing_words("price"),
         .caption =
             [](const PanelScene& s) { return price_caption(s.ui, *s.run, s.state.run.price); }}),
    row(PanelId::Drafts, named("drafts"),
        {.empty = empty_words("drafts"),
         .draw_run =
             [](const PanelScene& s) {
                 draw_drafts(s.ui, *s.run, s.state.run.focus, s.state.run.history, s.state.bill);
             },
         .run_tables =
             [](const PanelDataAsk& a) {
                 return drafts_tables(*a.run, a.state.run.focus, a.state.run.history, a.state.bill);
             }}),
    row(PanelId::Race, named("race"),
        {.draw_without_run = [](const PanelScene& s) { draw_race(s.ui, s.state.race); },
         .tables_without_run = [](const PanelDataAsk& a) { return race_tables(a.state.race); },
         .caption = says<"race.caption"_t>,
         .captioned_without_run = true}),
    row(PanelId::WhatIf, named("whatif"),
        {.draw_without_run = [](const PanelScene& s) { draw_whatif(s.ui, s.state.whatif); },
         .tables_without_run =
             [](const PanelDataAsk& a) { return whatif_tables(a.state.whatif, a.text); },
         .captioned_without_run = true}),
    row(PanelId::Events, named("events"),
        {.empty = empty_words("events"),
         .draw_run = on_run<draw_events, &RunState::focus, &RunState::history, &RunState::events>,
         .run_tables = worded_of_run<events_tables, &RunState::history, &RunState::events>,
         .draw_pair = draw_events_of_pair,
         .caption =
             [](const PanelScene& s) {
                 return shows_both(s) ? pair_log_caption(s.ui, s.state.run.pair.log)
                                      : events_caption(s.ui, s.state.run.events);
             }}),
    row(PanelId::Transport, named("transport"),
        {.draw_without_run = draw_transport_of_bill,
         .draw_run = draw_transport_of_run,
         .run_tables = of_run<transport_tables, &RunState::history>,
         .draw_pair = draw_transport_of_pair}),
    row(PanelId::Summary, named("summary"),
        {.draw_without_run = on_bill<draw_summary>,
         .tables_without_run = both_sides,
         .draw_run = on_run<draw_alone_summary>,
         .draw_pair = on_pair<draw_pair_summary>,
         .pair_tables = of_pair<pair_summary_tables>}),
    row(PanelId::Left, named("left"),
        {.draw_without_run = draw_side_of_bill<BillSide::Left>,
         .tables_without_run = tables_of_bill<BillSide::Left>,
         .draw_run =
             [](const PanelScene& s) {
                 draw_pair_side(s.ui, alone_of(s), CompareSide::Left, s.state.run.focus);
             },
         .run_tables = of_run<stage_tables, &RunState::focus>,
         .draw_pair = draw_side_of_pair<CompareSide::Left>,
         .pair_tables = tables_of_side<CompareSide::Left>,
         .words_of_tab =
             [](const PanelScene& s) { return name_of_side(s, s.run, "panel.left.of"_t); },
         .caption =
             [](const PanelScene& s) {
                 return side_caption(*s.run, s.state.run.focus, s.ui.text);
             }}),
    row(PanelId::Right, named("right"),
        {.draw_without_run = draw_side_of_bill<BillSide::Right>,
         .tables_without_run = tables_of_bill<BillSide::Right>,
         .draw_run = on_run<draw_alone_choices, &RunState::focus>,
         .draw_pair = draw_side_of_pair<CompareSide::Right>,
         .pair_tables = tables_of_side<CompareSide::Right>,
         .words_of_tab =
             [](const PanelScene& s) { return name_of_side(s, s.other, "panel.right.of"_t); },
         .caption =
             [](const PanelScene& s) {
                 return s.other == nullptr ? Text()
                                           : side_caption(*s.other, s.state.run.focus, s.ui.text);
             }}),
    row(PanelId::Quality, named("quality"),
        {.empty = empty_words("quality"),
         .draw_run = on_run<draw_alone_message>,
         .draw_pair = on_pair<draw_pair_quality>,
         .pair_tables = of_pair<pair_quality_tables, &RunState::focus>,
         .caption =
             [](const PanelScene& s) {
                 return s.other == nullptr ? Text()
                                           : quality_caption(s.ui, pair_of(s), s.state.run.focus);
             }}),
    row(PanelId::Memory, named("memory"),
        {.draw_without_run = on_bill<draw_memory>,
         .tables_without_run = both_sides,
         .draw_run = [](const PanelScene& s) { draw_pair_memory(s.ui, alone_of(s)); },
         .draw_pair = on_pair<draw_pair_memory>,
         .pair_tables = of_pair<pair_memory_tables>,
         .caption =
             [](const PanelScene& s) {
                 return s.other == nullptr ? Text() : Text(s.ui.text["pair.one_axis"_t]);
             }}),
    row(PanelId::Attach, named("attach"),
        {.draw_without_run = on_servers<draw_attach_page>, .captioned_without_run = true}),
    row(PanelId::AttachServer, named("attach_server"),
        {.draw_without_run = on_servers<draw_attach_server>, .captioned_without_run = true}),
    row(PanelId::AttachWire, named("attach_wire"),
        {.draw_without_run = on_servers<draw_attach_wire>, .captioned_without_run = true}),
    row(PanelId::AttachStrip, named("attach_strip"),
        {.draw_without_run = on_servers<draw_attach_strip>,
         .tables_without_run = of_servers<attach_strip_tables>,
         .captioned_without_run = true}),
    row(PanelId::AttachPool, named("attach_pool"),
        {.draw_without_run = on_servers<draw_attach_pool>,
         .tables_without_run = of_servers<attach_pool_tables>,
         .captioned_without_run = true}),
    row(PanelId::AttachTree, named("attach_tree"),
        {.draw_without_run = on_servers<draw_attach_tree>,
         .tables_without_run = of_servers<attach_tree_tables>,
         .captioned_without_run = true}),
    row(PanelId::AttachLost, named("attach_lost"),
        {.draw_without_run = on_servers<draw_attach_lost>,
         .tables_without_run = of_servers<attach_lost_tables>,
         .captioned_without_run = true}),
    row(PanelId::AttachCharts, named("attach_charts"),
        {.draw_without_run = on_servers<draw_attach_charts>,
         .tables_without_run = of_servers<attach_charts_tables>,
         .captioned_without_run = true}),
    row(PanelId::AttachAges, named("attach_ages"),
        {.draw_without_run = on_servers<draw_attach_ages>,
         .tables_without_run = of_servers<attach_ages_tables>,
         .captioned_without_run = true}),
    row(PanelId::AttachLog, named("attach_log"),
        {.draw_without_run = on_servers<draw_attach_log>,
         .tables_without_run = of_servers<attach_log_tables>,
         .captioned_without_run = true}),
    row(PanelId::AttachStream, named("attach_stream"),
        {.draw_without_run = on_servers<draw_attach_stream>,
         .tables_without_run = of_servers<attach_stream_tables>,
         .captioned_without_run = true}),
    row(PanelId::Servers, named("servers"),
        {.draw_without_run = on_servers<draw_servers_summary>,
         .tables_without_run = of_servers<servers_tables>,
         .captioned_without_run = true}),
    row(PanelId::ServersLeft, named("servers_left"),
        {.draw_without_run =
             [](const PanelScene& s) {
                 draw_servers_side(s.ui, s.state.attach, CompareSide::Left);
             },
         .tables_without_run = of_servers<attach_pool_tables>,
         .words_of_tab =
             [](const PanelScene& s) {
                 return name_of_server(s, s.state.attach.view.get(), "panel.servers.of_left"_t);
             },
         .captioned_without_run = true}),
    row(PanelId::ServersRight, named("servers_right"),
        {.draw_without_run =
             [](const PanelScene& s) {
                 draw_servers_side(s.ui, s.state.attach, CompareSide::Right);
             },
         .tables_without_run = of_servers<other_pool_tables>,
         .words_of_tab =
             [](const PanelScene& s) {
                 return name_of_server(s, s.state.attach.other.get(), "panel.servers.of_right"_t);
             },
         .captioned_without_run = true}),
    row(PanelId::ServersNumbers, named("servers_numbers"),
        {.draw_without_run = on_servers<draw_servers_numbers>,
         .tables_without_run = of_servers<servers_tables>,
         .captioned_without_run = true}),
    row(PanelId::ServersCharts, named("servers_charts"),
        {.draw_without_run = [](const PanelScene& s) { draw_servers_charts(s.ui, s.state.attach); },
         .tables_without_run = of_servers<servers_chart_tables>,
         .caption = [](const PanelScene& s) { return servers_clock_caption(s.ui, s.state.attach); },
         .captioned_without_run = true}),
    row(PanelId::ServersAges, named("servers_ages"),
        {.draw_without_run = on_servers<draw_servers_ages>,
         .tables_without_run = of_servers<servers_ages_tables>,
         .captioned_without_run = true}),
    row(PanelId::ServersStream, named("servers_stream"),
        {.draw_without_run = on_servers<draw_servers_stream>, .captioned_without_run = true}),
    row(PanelId::Help, named("help"), {}),  // an overlay, not a docked panel
});

}  // namespace

std::span<const PanelRow> panel_table() {
    return kPanels;
}

const PanelRow& row_of(PanelId id) {
    const PanelRow& row = kPanels[static_cast<std::size_t>(id)];
    KV_ASSERT(row.id == id);
    return row;
}

const PanelRow* find_panel(std::string_view name) {
    const auto it = std::find_if(kPanels.begin(), kPanels.end(),
                                 [name](const PanelRow& p) { return p.name == name; });
    return it == kPanels.end() ? nullptr : &*it;
}

}  // namespace kv
