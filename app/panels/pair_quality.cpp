// How well both sides predict what the left one says, as far as both read the same text: a table of
// means, and the negative log-likelihood of each token.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/pair.hpp"
#include "app/panels/pair_words.hpp"
#include "app/panels/run_facts.hpp"
#include "app/widgets/bars_layout.hpp"
#include "app/widgets/chart.hpp"
#include "app/widgets/chart_ticks.hpp"
#include "app/widgets/message.hpp"
#include "core/base/text.hpp"
#include "core/base/units.hpp"

namespace kv {
namespace {

struct QualityRow {
    std::string label;
    std::array<std::string, 2> values;
    std::array<double, 2> amounts{};  // for the bars, of the larger one
    bool one = false;                 // one value for both sides
};

std::vector<QualityRow> rows_of(const Ui& ui, const PairView& pair) {
    const Judgement& all = pair.own.pair.judgement();
    const std::uint64_t n = all.tokens.size();
    const auto live = [](const RunView& run) {
        return count_pool(run.now).live_slots * slot_bytes(run);
    };
    const std::uint64_t left = live(pair.left), right = live(pair.right);
    return {
        {ui.text["pair.nll"_t], {fixed(all.left, 3), fixed(all.right, 3)}, {all.left, all.right}},
        {ui.text["pair.kl"_t], {fixed(all.kl, 3), ""}, {}, true},
        {ui.text["pair.top1"_t],
         {fill(ui.text["pair.of"_t], {{"n", with_commas(all.agree)}, {"all", with_commas(n)}}), ""},
         {},
         true},
        {fill(ui.text["pair.live_kv"_t], {{"n", with_commas(pair.left.now.iteration)}}),
         {bytes_binary(left), bytes_binary(right)},
         {static_cast<double>(left), static_cast<double>(right)}}};
}

void paint_head(const Painter& p, const std::array<Rect, 2>& columns) {
    constexpr std::array kNames{"pair.left"_t, "pair.right"_t};
    constexpr std::array kSides{CompareSide::Left, CompareSide::Right};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const Rect& c = columns[i];
        const TextStyle style = aligned(type::body(p.ui), Align::Right);
        const float w = text_width(p.ui, style, p.ui.text[kNames[i]]);
        text_in(p, style, c, p.ui.text[kNames[i]]);
        draw_side_mark(p, {c.right() - w - p.ui.px(12), std::floor(c.center().y)}, 9, kSides[i],
                       p.ui.colors.text);
    }
}

void paint_value(const Painter& p, const Rect& cell, const std::string& value, double share) {
    const Ui& ui = p.ui;
    const float bar_h = ui.px(3);
    text_in(p, aligned(type::number_strong(ui), Align::Right),
            {cell.x, cell.y, cell.w, cell.h - ui.px(6)}, value);
    if (share < 0) return;
    const Rect track{cell.x, cell.bottom() - ui.px(9), cell.w, bar_h};
    fill(p, track, ui.colors.inset);
    fill(p, {track.x, track.y, bar_length(share, 1, track.w), bar_h}, ui.colors.text2);
}

// The height that was used.
void paint_table(const Painter& p, const Rect& room, const std::vector<QualityRow>& rows) {
    const Ui& ui = p.ui;
    const float head = ui.px(24), gap = ui.px(24);
    const float pitch =
        std::min(ui.px(42), std::floor((room.h - head) / static_cast<float>(rows.size())));
    const float column = std::min(ui.px(92), std::floor((room.w - gap) * 0.27f));
    const auto cell = [&](std::size_t i, float y, float h) {
        const float x = room.right() - column * static_cast<float>(2 - i) - (i == 0 ? gap : 0.0f);
        return Rect{std::floor(x), y, column, h};
    };
    paint_head(p, {cell(0, room.y, head), cell(1, room.y, head)});
    float y = room.y + head;
    for (const QualityRow& row : rows) {
        hline(p, room.x, room.right(), y, ui.colors.line);
        const Rect left = cell(0, y, pitch), right = cell(1, y, pitch);
        text_in(p, type::body(ui), {room.x, y, left.x - room.x - ui.px(8), pitch}, row.label);
        const double most = std::max(row.amounts[0], row.amounts[1]);
        if (row.one) {
            paint_value(p, {left.x, y, right.right() - left.x, pitch}, row.values[0], -1);
        } else {
            paint_value(p, left, row.values[0], most > 0 ? row.amounts[0] / most : 0);
            paint_value(p, right, row.values[1], most > 0 ? row.amounts[1] / most : 0);
        }
        y += pitch;
    }
}

// ---- The chart.

struct TokenTicks {
    std::vector<std::string> labels;
    std::vector<ChartTick> ticks;
};
TokenTicks token_ticks(const Ui& ui, const PairView& pair, float width) {
    const auto& tokens = pair.own.pair.judgement().tokens;
    TokenTicks out;
    const std::size_t most = std::max<std::size_t>(1, static_cast<std::size_t>(width / ui.px(48)));
    const std::size_t step = (tokens.size() + most - 1) / most;
    for (std::size_t i = 0; i < tokens.size(); i += step)
        out.labels.push_back(tokens.size() <= most ? spoken_word(pair.left, tokens[i].token)
                                                   : with_commas(tokens[i].index));
    for (std::size_t i = 0, k = 0; i < tokens.size(); i += step, ++k)
        out.ticks.push_back({static_cast<double>(i), out.labels[k]});
    return out;
}

void draw_likelihoods(const Ui& ui, const PairView& pair, const Rect& room) {
    const Judgement& all = pair.own.pair.judgement();
    std::vector<double> xs, left, right;
    double top = 0.1, apart = 0;
    std::size_t worst = 0;
    for (const JudgedToken& t : all.tokens) {
        top = std::max({top, t.left, t.right});
        if (std::abs(t.left - t.right) > apart)
            apart = std::abs(t.left - t.right), worst = xs.size();
        xs.push_back(static_cast<double>(xs.size()));
        left.push_back(t.left), right.push_back(t.right);
    }
    const std::vector<double> at = round_ticks(top, 4);
    std::vector<std::string> labels;
    const double step = at.size() > 1 ? at[1] : 1;
    const bool whole = step == std::floor(step);
    for (const double y : at) labels.push_back(fixed(y, whole ? 0 : step >= 0.1 ? 1 : 2));
    std::vector<ChartTick> y_ticks;
    for (std::size_t i = 0; i < at.size(); ++i) y_ticks.push_back({at[i], labels[i]});
    const TokenTicks x = token_ticks(ui, pair, room.w);
    ImGui::SetCursorScreenPos(im(room.min()));
    const ChartSpec spec{
        .title = ui.text["pair.chart"_t],
        .unit = ui.text["pair.nats"_t],
        .x = {.min = -0.5, .max = xs.back() + 0.5, .ticks = x.ticks, .grid = false},
        .y = {.max = at.back() * 1.06, .ticks = y_ticks},
        .height = room.h,
        .width = room.w,
        .label_room = 8};
    const Chart chart = begin_chart(ui, "likelihood", spec);
    if (!chart) return;
    chart_line(chart, xs, left, {.color = ui.colors.text3, .width = 1});
    chart_line(chart, xs, right, {.color = ui.colors.text3, .width = 1});
    chart_markers(chart, xs, left, Marker::Square, ui.colors.text2);
    chart_markers(chart, xs, right, Marker::Circle, ui.colors.text);
    // Where the sides are furthest apart, what the one that is worse off gave the token.
    constexpr double kWorthSaying = 0.5;
    if (apart > kWorthSaying) {
        const JudgedToken& t = all.tokens[worst];
        const double nll = std::max(t.left, t.right);
        const std::string word = spoken_word(pair.left, t.token),
                          p = significant(std::exp(-nll), 2);
        const bool at_end = worst * 2 > xs.size();
        chart_note(chart, xs[worst], nll, {at_end ? -10.0f : 10.0f, 0},
                   aligned(colored(type::number_small(ui), ui.colors.loss.ink),
                           at_end ? Align::Right : Align::Left),
                   fill(ui.text["pair.chart.p"_t], {{"word", word}, {"p", p}}));
    }
    end_chart(chart);
}

}  // namespace

std::string table_caption(const Ui& ui, const RunView& run) {
    const auto layer = run.lanes.layer_of(run.lane);
    const auto head = run.lanes.head_of(run.lane);
    if (!layer) return {};
    return fill(
        ui.text[head ? "policy.table"_t : "policy.table.layer"_t],
        {{"layer", with_commas(layer->value)}, {"head", with_commas(head ? head->value : 0)}});
}

std::string quality_caption(const Ui& ui, const PairView& pair, const RunFocus& focus) {
    const std::size_t n = pair.own.pair.judgement().tokens.size();
    if (n == 0) return {};
    return fill(ui.text[n == 1 ? "pair.quality.token"_t : "pair.quality.caption"_t],
                {{"n", with_commas(n)}, {"name", name_of_request(pair.left.now, focus.request)}});
}

void draw_pair_quality(const Ui& ui, const PairView& pair) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    if (pair.own.pair.judgement().tokens.empty()) {
        const bool waits = !pair.right.recorded_all;
        const std::array<std::string_view, 1> lines{
            ui.text[waits ? "pair.quality.wait"_t : "pair.quality.none"_t]};
        message_centered(ui, "no quality",
                         {.title = ui.text["panel.quality.empty"_t], .lines = lines});
        return;
    }
    const bool wide = room.x >= ui.px(720);
    const float table = wide ? std::min(ui.px(430), std::floor(room.x * 0.42f)) : room.x;
    paint_table(Painter(ui), {at.x, at.y, table, room.y}, rows_of(ui, pair));
    const float gap = ui.px(40);
    if (wide && room.y > ui.px(100))
        draw_likelihoods(ui, pair, {at.x + table + gap, at.y, room.x - table - gap, room.y});
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({room.x, room.y});
}

}  // namespace kv
