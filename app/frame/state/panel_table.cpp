// The rows of the table. One of them, read aloud:
//
//   row(PanelId::Attention, named("attention"),
//       {.empty = empty_words("attention"),
//        .draw_run = on_run<draw_attention, &RunState::focus>,
//        .run_tables = of_run<attention_tables, &RunState::focus>,
//        .missing_in_record = missing_words("attention")}),
//
// named              its name in commands and scripts; title, help and what it leaves out are the
//                    texts panel.attention, panel.attention.help and panel.attention.leaves
// empty_words        while nothing runs it says panel.attention.empty and panel.attention.why; what
//                    needs no run has draw_without_run in that place
// draw_run           while something runs draw_attention(ui, run, focus) draws it
// run_tables         attention_tables(run, focus) writes the same as data
// missing_in_record  of a record, a run without an engine, it says trace.attention.title and .why

#include "app/frame/state/panel_table.hpp"

#include <algorithm>
#include <array>

#include "app/frame/state/panel_adapters.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

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
                 draw_settings(s.ui, s.state.bill, s.state.bill_undo, s.state.bill_ui.focus);
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
