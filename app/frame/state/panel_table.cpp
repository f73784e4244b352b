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

consteval PanelWords words(std::string_view name, std::string_view title = ".empty") {
    return {text_id("panel.", name, title), text_id("panel.", name, ".why")};
}
consteval PanelWords missing(std::string_view name) {
    return {text_id("trace.", name, ".title"), text_id("trace.", name, ".why")};
}

PairView pair_of(const PanelScene& s) {
    PairUi& own = s.state.run.pair;
    return {*s.run, *s.other, own, &own.unfold};
}
PairView pair_of(const PanelDataAsk& a) {
    follow_pair(a.state.run.pair, *a.run, *a.other, a.state.run.focus);
    return {*a.run, *a.other, a.state.run.pair};
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
DataTables left_side(const PanelDataAsk& a) {
    return bill_tables(a.state.bill, BillSide::Left);
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
    const TimelinePair lanes{*s.other, own.pair.right_history, own.pair.pair.parting_of(name)};
    draw_transport(s.ui, *s.run, own.focus, own.playback, own.history, &lanes);
}

// In Compare Stage and log show both sides; elsewhere the one run.
void draw_stage_of_run(const PanelScene& s) {
    draw_stage(s.ui, *s.run, s.state.run.focus, s.state.run.stage);
}
void draw_stage_of_pair(const PanelScene& s) {
    if (s.state.layout != LayoutName::Compare) return draw_stage_of_run(s);
    draw_pair_pools(s.ui, pair_of(s), s.state.run.focus);
}
void draw_events_of_run(const PanelScene& s) {
    RunState& own = s.state.run;
    draw_events(s.ui, *s.run, own.focus, own.history, own.events);
}
void draw_events_of_pair(const PanelScene& s) {
    if (s.state.layout != LayoutName::Compare) return draw_events_of_run(s);
    RunState& own = s.state.run;
    draw_pair_log(s.ui, pair_of(s), own.history, own.pair.log);
}
bool shows_both(const PanelScene& s) {
    return s.other != nullptr && s.state.layout == LayoutName::Compare;
}

void draw_charts_of_run(const PanelScene& s) {
    RunState& own = s.state.run;
    draw_charts(s.ui, *s.run, own.focus, own.history, own.charts);
}
void draw_mini_charts_of_run(const PanelScene& s) {
    RunState& own = s.state.run;
    draw_mini_charts(s.ui, *s.run, own.focus, own.history, own.charts);
}
DataTables charts_tables_of_run(const PanelDataAsk& a) {
    return charts_tables(*a.run, a.state.run.history);
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

Text caption_of_tables(const PanelScene& s) {
    return table_caption(s.ui, *s.run);
}

constexpr std::array kPanels = std::to_array<PanelRow>({
    row(PanelId::Lesson, named("lesson"),
        {.draw_bill = draw_open_lesson, .draw_run = draw_open_lesson}),
    row(PanelId::Code, named("code"),
        {.draw_bill = draw_open_code,
         .bill_tables = tables_of_code,
         .draw_run = draw_open_code,
         .run_tables = tables_of_code}),
    row(PanelId::Glossary, named("glossary"),
        {.draw_bill = [](const PanelScene& s) { draw_glossary(s.ui, s.state.bill_ui.focus); },
         .bill_tables = [](const PanelDataAsk& a) { return glossary_tables(a.text); }}),
    row(PanelId::Notes, named("notes"),
        {.empty = words("notes"),
         .draw_run = [](const PanelScene& s) { draw_notes(s.ui, s.state.run.notes, s.lesson); }}),
    row(PanelId::Figure, named("figure"),
        {.draw_bill = draw_open_figure,
         .bill_tables = tables_of_figure,
         .draw_run = draw_open_figure,
         .run_tables = tables_of_figure}),
    row(PanelId::Stage, named("stage"),
        {.empty = words("stage"),
         .draw_run = draw_stage_of_run,
         .run_tables =
             [](const PanelDataAsk& a) { return stage_tables(*a.run, a.state.run.focus); },
         .draw_pair = draw_stage_of_pair,
         .caption =
             [](const PanelScene& s) {
                 if (shows_both(s)) return Text(s.ui.text["pair.one_axis"_t]);
                 return s.run->lanes.n_lanes() > 1 ? table_caption(s.ui, *s.run)
                                                   : Text(s.ui.text["stage.caption"_t]);
             }}),
    row(PanelId::Calculator, named("calculator"),
        {.draw_bill =
             [](const PanelScene& s) {
                 draw_calculator(s.ui, s.state.bill, s.state.bill_ui.focus,
                                 s.state.bill_ui.calculator);
             },
         .bill_tables = left_side}),
    row(PanelId::Inspector, named("inspector"),
        {.empty = words("inspector"),
         .draw_run = [](const PanelScene& s) { draw_inspector(s.ui, *s.run, s.state.run.focus); },
         .run_tables =
             [](const PanelDataAsk& a) {
                 return inspector_tables(*a.run, a.state.run.focus, a.text);
             },
         .missing_in_record = missing("bytes")}),
    row(PanelId::Attention, named("attention"),
        {.empty = words("attention"),
         .draw_run = [](const PanelScene& s) { draw_attention(s.ui, *s.run, s.state.run.focus); },
         .run_tables =
             [](const PanelDataAsk& a) { return attention_tables(*a.run, a.state.run.focus); },
         .missing_in_record = missing("attention")}),
    row(PanelId::Equation, named("equation"),
        {.draw_bill =
             [](const PanelScene& s) { draw_equation(s.ui, s.state.bill, s.state.bill_ui.focus); },
         .bill_tables = left_side,
         .draw_run =
             [](const PanelScene& s) { draw_run_equation(s.ui, *s.run, s.state.run.focus); },
         .run_tables = [](const PanelDataAsk& a) { return run_equation_tables(*a.run, a.text); },
         .missing_in_record = missing("equation")}),
    row(PanelId::Charts, named("charts"),
        {.draw_bill = [](const PanelScene& s) { draw_charts_without_run(s.ui); },
         .draw_run = draw_charts_of_run,
         .run_tables = charts_tables_of_run,
         .caption = [](const PanelScene& s) { return Text(s.ui.text["charts.caption"_t]); }}),
    row(PanelId::MiniCharts, named("mini_charts", "charts"),
        {.draw_bill = [](const PanelScene& s) { draw_mini_charts_without_run(s.ui); },
         .draw_run = draw_mini_charts_of_run,
         .run_tables = charts_tables_of_run}),
    row(PanelId::Settings, named("settings"),
        {.draw_bill =
             [](const PanelScene& s) {
                 draw_settings(s.ui, s.state.bill, s.state.history(), s.state.bill_ui.focus);
             },
         .bill_tables = left_side,
         .draw_run = draw_settings_of_run,
         .run_tables = [](const PanelDataAsk& a) { return run_settings_tables(*a.run); }}),
    row(PanelId::Requests, named("requests"),
        {.draw_bill = [](const PanelScene& s) { draw_requests_without_run(s.ui, s.state.bill); },
         .draw_run = draw_requests_there_are,
         .run_tables = [](const PanelDataAsk& a) { return requests_tables(*a.run, a.text); },
         .caption = [](const PanelScene& s) { return requests_caption(s.ui, *s.run); }}),
    row(PanelId::Prefix, named("prefix"),
        {.empty = words("prefix"),
         .draw_run =
             [](const PanelScene& s) {
                 draw_prefix(s.ui, *s.run, s.state.run.focus, s.state.run.prefix);
             },
         .run_tables =
             [](const PanelDataAsk& a) { return prefix_tables(*a.run, a.state.run.prefix.mode); },
         .caption = [](const PanelScene& s) { return prefix_caption(s.ui, s.state.run.prefix); }}),
    row(PanelId::Xray, named("xray"),
        {.empty = words("xray"),
         .draw_run =
             [](const PanelScene& s) {
                 draw_xray(s.ui, *s.run, s.state.run.focus, s.state.run.xray);
             },
         .run_tables = xray_tables_of_run,
         .caption = caption_of_tables}),
    row(PanelId::Bytes, named("bytes"),
        {.empty = words("bytes"),
         .draw_run =
             [](const PanelScene& s) {
                 draw_bytes(s.ui, *s.run, s.state.run.focus, s.state.run.bytes);
             },
         .run_tables =
             [](const PanelDataAsk& a) {
                 return bytes_tables(*a.run, a.state.run.focus, a.state.run.bytes.preview, a.text);
             },
         .missing_in_record = missing("bytes")}),
    row(PanelId::Channels, named("channels"),
        {.empty = words("channels"),
         .draw_run =
             [](const PanelScene& s) {
                 draw_channels(s.ui, *s.run, s.state.run.focus, s.state.run.channels);
             },
         .run_tables = channels_tables_of_run,
         .missing_in_record = missing("bytes")}),
    row(PanelId::Roofline, named("roofline"),
        {.draw_bill = [](const PanelScene& s) { draw_roofline(s.ui, s.state.bill); },
         .bill_tables =
             [](const PanelDataAsk& a) { return bill_roofline_tables(a.state.bill, a.text); },
         .draw_run = draw_roofline_of_either,
         .run_tables = roofline_tables_of_either,
         .missing_in_record = missing("roofline")}),
    row(PanelId::Price, named("price"),
        {.empty = PanelWords{"price.none"_t, "panel.price.why"_t},
         .draw_run = [](const PanelScene& s) { draw_price(s.ui, *s.run, s.state.run.price); },
         .run_tables =
             [](const PanelDataAsk& a) { return price_tables(*a.run, a.state.run.price.text); },
         .missing_in_record = missing("price"),
         .caption =
             [](const PanelScene& s) { return price_caption(s.ui, *s.run, s.state.run.price); }}),
    row(PanelId::Drafts, named("drafts"),
        {.empty = words("drafts"),
         .draw_run =
             [](const PanelScene& s) {
                 draw_drafts(s.ui, *s.run, s.state.run.focus, s.state.run.history, s.state.bill);
             },
         .run_tables =
             [](const PanelDataAsk& a) {
                 return drafts_tables(*a.run, a.state.run.focus, a.state.run.history, a.state.bill);
             }}),
    row(PanelId::Race, named("race"),
        {.draw_bill = [](const PanelScene& s) { draw_race(s.ui, s.state.race); },
         .bill_tables = [](const PanelDataAsk& a) { return race_tables(a.state.race); },
         .caption = [](const PanelScene& s) { return Text(s.ui.text["race.caption"_t]); },
         .by_itself = true}),
    row(PanelId::WhatIf, named("whatif"),
        {.draw_bill = [](const PanelScene& s) { draw_whatif(s.ui, s.state.whatif); },
         .bill_tables = [](const PanelDataAsk& a) { return whatif_tables(a.state.whatif, a.text); },
         .by_itself = true}),
    row(PanelId::Events, named("events"),
        {.empty = words("events"),
         .draw_run = draw_events_of_run,
         .run_tables =
             [](const PanelDataAsk& a) {
                 return events_tables(*a.run, a.state.run.history, a.state.run.events, a.text);
             },
         .draw_pair = draw_events_of_pair,
         .caption =
             [](const PanelScene& s) {
                 return shows_both(s) ? pair_log_caption(s.ui, s.state.run.pair.log)
                                      : events_caption(s.ui, s.state.run.events);
             }}),
    row(PanelId::Transport, named("transport"),
        {.draw_bill = draw_transport_of_bill,
         .draw_run = draw_transport_of_run,
         .run_tables =
             [](const PanelDataAsk& a) { return transport_tables(*a.run, a.state.run.history); },
         .draw_pair = draw_transport_of_pair}),
    row(PanelId::Summary, named("summary"),
        {.draw_bill = [](const PanelScene& s) { draw_summary(s.ui, s.state.bill); },
         .bill_tables = both_sides,
         .draw_run = [](const PanelScene& s) { draw_alone_summary(s.ui, *s.run); },
         .draw_pair = [](const PanelScene& s) { draw_pair_summary(s.ui, pair_of(s)); },
         .pair_tables = [](const PanelDataAsk& a) { return pair_summary_tables(pair_of(a)); }}),
    row(PanelId::Left, named("left"),
        {.draw_bill =
             [](const PanelScene& s) {
                 draw_side(s.ui, s.state.bill, BillSide::Left, s.state.bill_ui.focus);
             },
         .bill_tables = left_side,
         .draw_run =
             [](const PanelScene& s) {
                 draw_pair_side(s.ui, alone_of(s), CompareSide::Left, s.state.run.focus);
             },
         .run_tables =
             [](const PanelDataAsk& a) { return stage_tables(*a.run, a.state.run.focus); },
         .draw_pair =
             [](const PanelScene& s) {
                 draw_pair_side(s.ui, pair_of(s), CompareSide::Left, s.state.run.focus);
             },
         .pair_tables =
             [](const PanelDataAsk& a) {
                 return pair_side_tables(pair_of(a), CompareSide::Left, a.state.run.focus);
             },
         .words_of_tab =
             [](const PanelScene& s) { return name_of_side(s, s.run, "panel.left.of"_t); },
         .caption =
             [](const PanelScene& s) { return side_caption(s.ui, *s.run, s.state.run.focus); }}),
    row(PanelId::Right, named("right"),
        {.draw_bill =
             [](const PanelScene& s) {
                 draw_side(s.ui, s.state.bill, BillSide::Right, s.state.bill_ui.focus);
             },
         .bill_tables =
             [](const PanelDataAsk& a) { return bill_tables(a.state.bill, BillSide::Right); },
         .draw_run = [](const PanelScene& s) { draw_choices(s.ui, *s.run, s.state.run.focus); },
         .draw_pair =
             [](const PanelScene& s) {
                 draw_pair_side(s.ui, pair_of(s), CompareSide::Right, s.state.run.focus);
             },
         .pair_tables =
             [](const PanelDataAsk& a) {
                 return pair_side_tables(pair_of(a), CompareSide::Right, a.state.run.focus);
             },
         .words_of_tab =
             [](const PanelScene& s) { return name_of_side(s, s.other, "panel.right.of"_t); },
         .caption =
             [](const PanelScene& s) {
                 return s.other == nullptr ? Text()
                                           : side_caption(s.ui, *s.other, s.state.run.focus);
             }}),
    row(PanelId::Quality, named("quality"),
        {.empty = words("quality"),
         .draw_run = [](const PanelScene& s) { draw_alone_message(s.ui, *s.run); },
         .draw_pair = [](const PanelScene& s) { draw_pair_quality(s.ui, pair_of(s)); },
         .pair_tables =
             [](const PanelDataAsk& a) {
                 return pair_quality_tables(pair_of(a), a.state.run.focus);
             },
         .caption =
             [](const PanelScene& s) {
                 return s.other == nullptr ? Text()
                                           : quality_caption(s.ui, pair_of(s), s.state.run.focus);
             }}),
    row(PanelId::Memory, named("memory"),
        {.draw_bill = [](const PanelScene& s) { draw_memory(s.ui, s.state.bill); },
         .bill_tables = both_sides,
         .draw_run = [](const PanelScene& s) { draw_pair_memory(s.ui, alone_of(s)); },
         .draw_pair = [](const PanelScene& s) { draw_pair_memory(s.ui, pair_of(s)); },
         .pair_tables = [](const PanelDataAsk& a) { return pair_memory_tables(pair_of(a)); },
         .caption =
             [](const PanelScene& s) {
                 return s.other == nullptr ? Text() : Text(s.ui.text["pair.one_axis"_t]);
             }}),
    row(PanelId::Attach, named("attach"),
        {.draw_bill = [](const PanelScene& s) { draw_attach_page(s.ui, s.state.attach); },
         .by_itself = true}),
    row(PanelId::AttachServer, named("attach_server"),
        {.draw_bill = [](const PanelScene& s) { draw_attach_server(s.ui, s.state.attach); },
         .by_itself = true}),
    row(PanelId::AttachWire, named("attach_wire"),
        {.draw_bill = [](const PanelScene& s) { draw_attach_wire(s.ui, s.state.attach); },
         .by_itself = true}),
    row(PanelId::AttachStrip, named("attach_strip"),
        {.draw_bill = [](const PanelScene& s) { draw_attach_strip(s.ui, s.state.attach); },
         .bill_tables = [](const PanelDataAsk& a) { return attach_strip_tables(a.state.attach); },
         .by_itself = true}),
    row(PanelId::AttachPool, named("attach_pool"),
        {.draw_bill = [](const PanelScene& s) { draw_attach_pool(s.ui, s.state.attach); },
         .bill_tables = [](const PanelDataAsk& a) { return attach_pool_tables(a.state.attach); },
         .by_itself = true}),
    row(PanelId::AttachTree, named("attach_tree"),
        {.draw_bill = [](const PanelScene& s) { draw_attach_tree(s.ui, s.state.attach); },
         .bill_tables = [](const PanelDataAsk& a) { return attach_tree_tables(a.state.attach); },
         .by_itself = true}),
    row(PanelId::AttachLost, named("attach_lost"),
        {.draw_bill = [](const PanelScene& s) { draw_attach_lost(s.ui, s.state.attach); },
         .bill_tables = [](const PanelDataAsk& a) { return attach_lost_tables(a.state.attach); },
         .by_itself = true}),
    row(PanelId::AttachCharts, named("attach_charts"),
        {.draw_bill = [](const PanelScene& s) { draw_attach_charts(s.ui, s.state.attach); },
         .bill_tables = [](const PanelDataAsk& a) { return attach_charts_tables(a.state.attach); },
         .by_itself = true}),
    row(PanelId::AttachAges, named("attach_ages"),
        {.draw_bill = [](const PanelScene& s) { draw_attach_ages(s.ui, s.state.attach); },
         .bill_tables = [](const PanelDataAsk& a) { return attach_ages_tables(a.state.attach); },
         .by_itself = true}),
    row(PanelId::AttachLog, named("attach_log"),
        {.draw_bill = [](const PanelScene& s) { draw_attach_log(s.ui, s.state.attach); },
         .bill_tables = [](const PanelDataAsk& a) { return attach_log_tables(a.state.attach); },
         .by_itself = true}),
    row(PanelId::AttachStream, named("attach_stream"),
        {.draw_bill = [](const PanelScene& s) { draw_attach_stream(s.ui, s.state.attach); },
         .bill_tables = [](const PanelDataAsk& a) { return attach_stream_tables(a.state.attach); },
         .by_itself = true}),
    row(PanelId::Servers, named("servers"),
        {.draw_bill = [](const PanelScene& s) { draw_servers_summary(s.ui, s.state.attach); },
         .bill_tables = [](const PanelDataAsk& a) { return servers_tables(a.state.attach); },
         .by_itself = true}),
    row(PanelId::ServersLeft, named("servers_left"),
        {.draw_bill =
             [](const PanelScene& s) {
                 draw_servers_side(s.ui, s.state.attach, CompareSide::Left);
             },
         .bill_tables = [](const PanelDataAsk& a) { return attach_pool_tables(a.state.attach); },
         .words_of_tab =
             [](const PanelScene& s) {
                 return name_of_server(s, s.state.attach.view.get(), "panel.servers.of_left"_t);
             },
         .by_itself = true}),
    row(PanelId::ServersRight, named("servers_right"),
        {.draw_bill =
             [](const PanelScene& s) {
                 draw_servers_side(s.ui, s.state.attach, CompareSide::Right);
             },
         .bill_tables = [](const PanelDataAsk& a) { return other_pool_tables(a.state.attach); },
         .words_of_tab =
             [](const PanelScene& s) {
                 return name_of_server(s, s.state.attach.other.get(), "panel.servers.of_right"_t);
             },
         .by_itself = true}),
    row(PanelId::ServersNumbers, named("servers_numbers"),
        {.draw_bill = [](const PanelScene& s) { draw_servers_numbers(s.ui, s.state.attach); },
         .bill_tables = [](const PanelDataAsk& a) { return servers_tables(a.state.attach); },
         .by_itself = true}),
    row(PanelId::ServersCharts, named("servers_charts"),
        {.draw_bill = [](const PanelScene& s) { draw_servers_charts(s.ui, s.state.attach); },
         .bill_tables = [](const PanelDataAsk& a) { return servers_chart_tables(a.state.attach); },
         .caption = [](const PanelScene& s) { return servers_clock_caption(s.ui, s.state.attach); },
         .by_itself = true}),
    row(PanelId::ServersAges, named("servers_ages"),
        {.draw_bill = [](const PanelScene& s) { draw_servers_ages(s.ui, s.state.attach); },
         .bill_tables = [](const PanelDataAsk& a) { return servers_ages_tables(a.state.attach); },
         .by_itself = true}),
    row(PanelId::ServersStream, named("servers_stream"),
        {.draw_bill = [](const PanelScene& s) { draw_servers_stream(s.ui, s.state.attach); },
         .by_itself = true}),
    row(PanelId::Help, named("help"), {}),  // an overlay, not a docked panel
});

bool lacks_engine(const PanelRow& row, const RunView& run) {
    return row.missing_in_record && !run.has_engine;
}

void draw_without_run(const PanelRow& row, const PanelScene& scene) {
    if (row.draw_bill != nullptr)
        row.draw_bill(scene);
    else if (row.empty)
        draw_without_run(scene.ui, row.empty->title, row.empty->why);
}

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

namespace {

// Whether the panel waits while a run is prepared: it shows the picture of the run, or steers it.
bool waits_for_run(const PanelScene& scene, PanelId panel) {
    using enum PanelId;
    return scene.state.run.preparing &&
           (panel == Stage || panel == Transport || panel == Left || panel == Right);
}

bool waits_for_side(const PanelScene& scene, PanelId panel) {
    return panel == PanelId::Right && scene.state.run.preparing_side.has_value();
}

}  // namespace

void draw_panel(const PanelScene& scene, PanelId panel) {
    const PanelRow& row = row_of(panel);
    if (waits_for_run(scene, panel))
        return panel == PanelId::Transport
                   ? draw_preparing_row(scene.ui, *scene.state.run.preparing)
                   : draw_preparing(scene.ui, *scene.state.run.preparing);
    if (scene.run == nullptr) return draw_without_run(row, scene);
    if (waits_for_side(scene, panel))
        return draw_preparing(scene.ui, *scene.state.run.preparing_side);
    const RunView& run = *scene.run;
    RunState& own = scene.state.run;
    own.history.catch_up(run);
    own.events.rows.follow(own.history, own.events.hidden, run.moment);
    if (scene.other != nullptr && row.draw_pair != nullptr) {
        follow_pair(own.pair, run, *scene.other, own.focus);
        row.draw_pair(scene);
    } else if (lacks_engine(row, run)) {
        draw_missing_in_record(scene.ui, run, row.missing_in_record->title,
                               row.missing_in_record->why);
    } else if (row.draw_run != nullptr) {
        row.draw_run(scene);
    } else {
        draw_without_run(row, scene);
    }
}

TabWords tab_words(const PanelScene& scene, PanelId panel) {
    const PanelRow& row = row_of(panel);
    TabWords name;
    if (row.words_of_tab != nullptr) name = row.words_of_tab(scene);
    if (name.title.empty()) name.title = scene.ui.text[row.title];
    return name;
}

Text panel_caption(const PanelScene& scene, PanelId panel) {
    const PanelRow& row = row_of(panel);
    const bool has_words = row.caption != nullptr && (scene.run != nullptr || row.by_itself);
    return has_words ? row.caption(scene) : Text();
}

DataTables panel_tables(const PanelDataAsk& ask, PanelId panel) {
    const PanelRow& row = row_of(panel);
    if (ask.run != nullptr && ask.other != nullptr && row.pair_tables != nullptr)
        return row.pair_tables(ask);
    if (ask.run != nullptr && row.run_tables != nullptr) {
        if (lacks_engine(row, *ask.run)) return {};
        ask.state.run.history.catch_up(*ask.run);
        return row.run_tables(ask);
    }
    return row.bill_tables == nullptr ? DataTables() : row.bill_tables(ask);
}

}  // namespace kv
