#include <algorithm>
#include <array>
#include <string>

#include "app/panels/bill/panels.hpp"
#include "app/panels/charts/without_run_layout.hpp"
#include "app/widgets/chart/chart.hpp"
#include "app/widgets/message.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kRoomForColumns = 220;  // logical height; below it the message needs all of it

struct EmptyChart {
    const char* id;
    TextId title, unit;
    bool is_share;  // its axis is known before any run: 0 to 100 %
};
constexpr std::array kCharts = std::to_array<EmptyChart>({
    {"memory", "charts.memory"_t, "charts.memory.unit"_t, false},
    {"utilisation", "charts.utilisation"_t, "charts.utilisation.unit"_t, true},
    {"prefix", "charts.prefix"_t, "charts.prefix.unit"_t, true},
    {"computed", "charts.computed"_t, "charts.computed.unit"_t, false},
    {"read", "charts.read"_t, "charts.read.unit"_t, false},
    {"offloaded", "charts.offloaded"_t, "charts.offloaded.unit"_t, false},
});
constexpr std::array kMiniCharts{kCharts[0], kCharts[4]};

void draw_axes(const Ui& ui, const EmptyChart& chart, const Rect& cell, Vec2 origin,
               float tick_room) {
    const std::array ticks{ChartTick{0, chart.is_share ? "0%" : "0"}, ChartTick{0.5, ""},
                           ChartTick{1, chart.is_share ? "100%" : ""}};
    constexpr std::array kFirstStep{ChartTick{0, "1"}};
    ImGui::SetCursorScreenPos(im(origin + cell.min()));
    const std::array head{Run{type::section(ui), ui.text[chart.title]},
                          Run{type::caption(ui), ui.text[chart.unit], 10}};
    const bool has_room = runs_width(ui, head) <= cell.w;
    const ChartSpec spec{.title = head[0].text,
                         .unit = has_room ? head[1].text : std::string_view{},
                         .x = {.ticks = kFirstStep, .grid = false},
                         .y = {.ticks = ticks},
                         .height = cell.h,
                         .width = cell.w,
                         .label_room = 8,
                         .tick_room = tick_room};
    if (const Chart axes = begin_chart(ui, chart.id, spec)) end_chart(axes);
}

void draw_empty_charts(const Ui& ui, std::span<const EmptyChart> charts, TextId why) {
    const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float sentence = wrapped_height(ui, type::caption(ui), 17, room.x, ui.text[why]);
    const float gap = ui.px(8);
    const ChartGrid grid =
        layout_chart_grid({room.x, room.y - sentence - gap}, charts.size(), ui.unit);
    // One width for all, so that the axes of a column stand in line.
    const bool has_shares = std::any_of(charts.begin(), charts.end(),
                                        [](const EmptyChart& chart) { return chart.is_share; });
    for (std::size_t i = 0; i < charts.size(); ++i)
        draw_axes(ui, charts[i], grid.cells[i], {origin.x, origin.y}, has_shares ? 36 : 12);

    const float y = origin.y + grid.height + gap;
    ImGui::SetCursorScreenPos({origin.x, y});
    paragraph(ui, type::caption(ui), 17, ui.text[why]);
}

void draw_sentence(const Painter& p, const Rect& room) {
    const Ui& ui = p.ui;
    const std::array runs{Run{type::section(ui), ui.text["panel.transport.empty"_t]},
                          Run{type::body(ui), ui.text["panel.transport.why"_t], 12}};
    if (runs_width(ui, runs) <= room.w)
        runs_in(p, runs, room);
    else
        text_in(p, type::body(ui), room, ui.text["panel.transport.why"_t]);
}

void draw_track(const Painter& p, const Rect& track) {
    fill(p, track, p.ui.colors.inset);
    outline(p, track, p.ui.colors.line);
}

// Left of a track.
void draw_label(const Painter& p, const Rect& track, float width, TextId label) {
    text_in(p, type::caption(p.ui), {track.x - width, track.y, width - p.ui.px(8), track.h},
            p.ui.text[label]);
}

Rect at(Rect r, ImVec2 origin) {
    return snap({r.x + origin.x, r.y + origin.y, r.w, r.h});
}

void open_calculator(const Ui& ui, MessageAnswer answer) {
    if (answer == MessageAnswer::Secondary) ui.out.push("panel.show", std::string("calculator"));
}

void draw_empty(const Ui& ui, std::string_view title, std::string_view why) {
    const std::array lines{why};
    open_calculator(
        ui, message_centered(
                ui, "empty",
                {.title = title, .lines = lines, .secondary = ui.text["empty.calculator"_t]}));
}

// The columns of the list of requests, so that one sees what will stand here.
void draw_request_columns(const Ui& ui) {
    const Painter p(ui);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ui.px(22);
    const float column = std::min(ui.px(56), width / 5);
    const TextStyle style = type::caption(ui);
    text_in(p, style, {origin.x, origin.y, width - 3 * column, height},
            ui.text["requests.state"_t]);
    constexpr std::array kNumbers{"requests.stored"_t, "requests.blocks"_t, "requests.reused"_t};
    for (std::size_t i = 0; i < kNumbers.size(); ++i)
        text_in(p, aligned(style, Align::Right),
                {origin.x + width - column * static_cast<float>(kNumbers.size() - i), origin.y,
                 column, height},
                ui.text[kNumbers[i]]);
    ImGui::Dummy({width, height});
}

}  // namespace

void draw_charts_without_run(const Ui& ui) {
    draw_empty_charts(ui, kCharts, "charts.why"_t);
}

void draw_charts_before_steps(const Ui& ui) {
    draw_empty_charts(ui, kCharts, "charts.begin"_t);
}

void draw_mini_charts_without_run(const Ui& ui) {
    draw_empty_charts(ui, kMiniCharts, "charts.why"_t);
}

void draw_mini_charts_before_steps(const Ui& ui) {
    draw_empty_charts(ui, kMiniCharts, "charts.begin"_t);
}

void draw_transport_without_run(const Ui& ui) {
    const Painter p(ui);
    const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const EmptyTransport plan = layout_empty_transport({room.x, room.y}, ui.unit);
    draw_sentence(p, at(plan.sentence, origin));
    if (!plan.blocks) return draw_track(p, at(plan.lanes.front(), origin));
    for (const Rect& lane : plan.lanes)
        hline(p, origin.x + lane.x, origin.x + lane.right(), origin.y + lane.y, ui.colors.line);
    draw_track(p, at(*plan.layer, origin));
    draw_track(p, at(*plan.op, origin));
    draw_label(p, at(*plan.blocks, origin), plan.label_width, "transport.blocks"_t);
    draw_label(p, at(*plan.layer, origin), plan.label_width, "transport.layer"_t);
    draw_label(p, at(*plan.op, origin), plan.label_width, "transport.op"_t);
}

void draw_requests_without_run(const Ui& ui, const BillInputs& bill) {
    if (ImGui::GetContentRegionAvail().y >= ui.px(kRoomForColumns)) {
        draw_request_columns(ui);
        rule(ui, RuleSpan::Window, 0, 8);
    }
    const std::string n = with_commas(bill.batch), tokens = with_commas(bill.tokens);
    const std::string batch = bill.batch == 1 ? Text(ui.text["requests.one"_t])
                                              : fill(ui.text["requests.many"_t], {{"n", n}});
    draw_empty(ui, ui.text["panel.requests.empty"_t],
               fill(ui.text["panel.requests.why"_t], {{"batch", batch}, {"tokens", tokens}}));
}

void draw_empty_words(const Ui& ui, TextId title, TextId why) {
    draw_empty(ui, ui.text[title], ui.text[why]);
}

}  // namespace kv
