// How well both sides predict the answer of a full cache that was told to them, or else what the
// left one says, as far as both read the same text: a table of means, and the negative
// log-likelihood of each token.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/charts/plan.hpp"
#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/compare_runs/words.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/chart/bars_layout.hpp"
#include "app/widgets/chart/chart.hpp"
#include "app/widgets/chart/ticks.hpp"
#include "app/widgets/message.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

// The columns of the table.
constexpr std::size_t kInFull = 0, kOfLeft = 1, kOfRight = 2, kQualityColumns = 3;

// A row of the table: a value of the full cache and of both sides.
struct ComparedRow {
    Text label;
    std::array<Text, kQualityColumns> values = {};
    std::array<double, kQualityColumns> amounts = {};  // for the bars, of the largest one
    std::optional<std::size_t> worst = std::nullopt;   // the column of who lost more, where one did
};

// The side of the two that is further from the full cache.
std::optional<std::size_t> further_from_full(const ComparedRow& row) {
    const double left = std::abs(row.amounts[kOfLeft] - row.amounts[kInFull]),
                 right = std::abs(row.amounts[kOfRight] - row.amounts[kInFull]);
    // What does not differ in the digits that are shown does not differ.
    if (row.values[kOfLeft] == row.values[kOfRight]) return std::nullopt;
    return left > right ? kOfLeft : kOfRight;
}

ComparedRow row_of_numbers(const Ui& ui, TextId label,
                           const std::array<double, kQualityColumns>& numbers, bool known) {
    ComparedRow row{.label = ui.text[label]};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        row.values[i] = known ? fixed(numbers[i], 3) : ui.text["pair.unknown"_t];
        row.amounts[i] = known ? numbers[i] : 0;
    }
    return row;
}

// What everything that is stored would take if nothing was dropped, as the side has it that takes
// more for a token: of one request, for several may share.
std::optional<std::uint64_t> bytes_in_full(const PairView& pair) {
    std::optional<std::uint64_t> stored;
    for (std::size_t i = 0; i < pair.left.now.requests.size(); ++i) {
        if (pair.left.now.requests[i].stored == 0) continue;
        if (stored) return std::nullopt;
        stored = pair.left.now.requests[i].stored;
    }
    return stored.value_or(0) *
           std::max(bytes_per_token(pair.left.layout), bytes_per_token(pair.right.layout));
}

ComparedRow row_of_bytes(const Ui& ui, const PairView& pair) {
    const auto live = [](const RunView& run) {
        return count_pool(run.now).live_slots * slot_bytes(run);
    };
    const std::array<std::optional<std::uint64_t>, kQualityColumns> bytes{
        bytes_in_full(pair), live(pair.left), live(pair.right)};
    ComparedRow row{
        .label = fill(ui.text["pair.live_kv"_t], {{"n", with_commas(pair.left.now.iteration)}})};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        row.amounts[i] = static_cast<double>(bytes[i].value_or(0));
        const AxisUnit unit = unit_for_bytes(row.amounts[i]);
        row.values[i] = bytes[i] ? in_unit(row.amounts[i], unit) + " " + Text(unit.name)
                                 : ui.text["pair.unknown"_t];
    }
    return row;
}

List<ComparedRow> rows_of(const Ui& ui, const PairView& pair) {
    const Judgement& all = pair.own.difference.judgement();
    const std::uint64_t n = all.tokens.size();
    const BesideFull full = all.full.value_or(BesideFull{});
    const bool known = all.full.has_value();
    const Text unknown = ui.text["pair.unknown"_t];
    ComparedRow nll = row_of_numbers(ui, "pair.nll"_t, {full.nll, all.left, all.right}, true);
    if (!known) nll.values[kInFull] = unknown;
    ComparedRow agree{.label = ui.text["pair.top1"_t]};
    const std::array<std::uint64_t, kQualityColumns> same{n, full.agree[0], full.agree[1]};
    for (std::size_t i = 0; i < same.size(); ++i) {
        agree.values[i] = known ? fill(ui.text["pair.of"_t],
                                       {{"n", with_commas(same[i])}, {"all", with_commas(n)}})
                                : unknown;
        agree.amounts[i] = known ? static_cast<double>(same[i]) : 0;
    }
    ComparedRow lost = row_of_numbers(ui, "pair.lost"_t, {0, full.lost[0], full.lost[1]}, known);
    if (!full.knows_lost_right) lost.values[kOfRight] = unknown;
    List<ComparedRow> rows{nll, row_of_numbers(ui, "pair.kl"_t, {0, full.kl[0], full.kl[1]}, known),
                           agree, lost};
    // Another model is another model, not a loss.
    if (known && full.knows_lost_right)
        for (ComparedRow& row : rows) row.worst = further_from_full(row);
    rows.push_back(row_of_bytes(ui, pair));
    return rows;
}

void paint_head(const Painter& p, const PairView& pair,
                const std::array<Rect, kQualityColumns>& columns) {
    constexpr std::size_t kLetters = 8;
    const std::array<Text, 2> sides = side_words(pair, p.ui.text, kLetters);
    const std::array<std::string_view, kQualityColumns> names{p.ui.text["pair.full"_t], sides[0],
                                                              sides[1]};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const Rect& c = columns[i];
        const TextStyle style = aligned(type::body(p.ui), Align::Right);
        const float end = c.right() - text_width(p.ui, style, names[i]);
        const float y = std::floor(c.center().y);
        text_in(p, style, c, names[i]);
        if (i == kInFull)
            dashed_line(p, {end - p.ui.px(22), y}, {end - p.ui.px(6), y}, p.ui.colors.text2);
        else
            draw_side_mark(p, {end - p.ui.px(12), y}, 9,
                           i == kOfLeft ? CompareSide::Left : CompareSide::Right, p.ui.colors.text);
    }
}

struct CellLook {
    double share;
    bool lost_more;
};
void paint_value(const Painter& p, const Rect& cell, std::string_view value, CellLook look) {
    const Ui& ui = p.ui;
    const float bar_h = ui.px(3);
    const TextStyle style = aligned(type::number_strong(ui), Align::Right);
    text_in(p, look.lost_more ? colored(style, ui.colors.loss.ink) : style,
            {cell.x, cell.y, cell.w, cell.h - ui.px(6)}, value);
    const Rect track{cell.x, cell.bottom() - ui.px(9), cell.w, bar_h};
    fill(p, track, ui.colors.inset);
    fill(p, {track.x, track.y, bar_length(look.share, 1, track.w), bar_h},
         look.lost_more ? ui.colors.loss.fill : ui.colors.text2);
}

void paint_table(const Painter& p, const PairView& pair, const Rect& room) {
    const List<ComparedRow> rows = rows_of(p.ui, pair);
    const Ui& ui = p.ui;
    const float head = ui.px(24), gap = ui.px(18);
    const float pitch =
        std::min(ui.px(42), std::floor((room.h - head) / static_cast<float>(rows.size())));
    const float column = std::min(ui.px(84), std::floor((room.w - 2 * gap) * 0.21f));
    const auto cell = [&](std::size_t i, float y, float h) {
        const float x =
            room.right() - column - static_cast<float>(kQualityColumns - 1 - i) * (column + gap);
        return Rect{std::floor(x), y, column, h};
    };
    paint_head(
        p, pair,
        {cell(kInFull, room.y, head), cell(kOfLeft, room.y, head), cell(kOfRight, room.y, head)});
    float y = room.y + head;
    for (const ComparedRow& row : rows) {
        hline(p, room.x, room.right(), y, ui.colors.line);
        text_in(p, type::body(ui),
                {room.x, y, cell(kInFull, y, pitch).x - room.x - ui.px(8), pitch}, row.label);
        const double most = *std::max_element(row.amounts.begin(), row.amounts.end());
        for (std::size_t i = 0; i < row.values.size(); ++i)
            paint_value(
                p, cell(i, y, pitch), row.values[i],
                {.share = most > 0 ? row.amounts[i] / most : 0, .lost_more = row.worst == i});
        y += pitch;
    }
}

// ---- The chart.

struct TokenTicks {
    List<Text> labels;
    List<ChartTick> ticks;
};
TokenTicks token_ticks(const Ui& ui, const PairView& pair, float width) {
    const auto& tokens = pair.own.difference.judgement().tokens;
    TokenTicks out;
    const std::size_t most = std::max<std::size_t>(1, static_cast<std::size_t>(width / ui.px(48)));
    const std::size_t step = (tokens.size() + most - 1) / most;
    for (std::size_t i = 0; i < tokens.size(); i += step)
        out.labels.push_back(tokens.size() <= most ? spoken_word(pair.left, tokens[i].token)
                                                   : Text(with_commas(tokens[i].index)));
    for (std::size_t i = 0, k = 0; i < tokens.size(); i += step, ++k)
        out.ticks.push_back({static_cast<double>(i), out.labels[k]});
    return out;
}

void draw_likelihoods(const Ui& ui, const PairView& pair, const Rect& room) {
    const Judgement& all = pair.own.difference.judgement();
    List<double> xs, left, right, full;
    double top = 0.1, apart = 0;
    std::size_t worst = 0;
    for (const JudgedToken& t : all.tokens) {
        top = std::max({top, t.left, t.right});
        if (std::abs(t.left - t.right) > apart)
            apart = std::abs(t.left - t.right), worst = xs.size();
        xs.push_back(static_cast<double>(xs.size()));
        left.push_back(t.left), right.push_back(t.right);
        if (all.full) full.push_back(t.full->nll), top = std::max(top, t.full->nll);
    }
    const List<double> at = round_ticks(top, 4);
    List<Text> labels;
    const double step = at.size() > 1 ? at[1] : 1;
    const bool whole = step == std::floor(step);
    for (const double y : at) labels.push_back(fixed(y, whole ? 0 : step >= 0.1 ? 1 : 2));
    List<ChartTick> y_ticks;
    for (std::size_t i = 0; i < at.size(); ++i) y_ticks.push_back({at[i], labels[i]});
    const TokenTicks x = token_ticks(ui, pair, room.w);
    ImGui::SetCursorScreenPos(im(room.min()));
    const ChartSpec spec{
        .title = ui.text[all.told ? "pair.chart.told"_t : "pair.chart"_t],
        .unit = ui.text["pair.nats"_t],
        .x = {.min = -0.5, .max = xs.back() + 0.5, .ticks = x.ticks, .grid = false},
        .y = {.max = at.back() * 1.06, .ticks = y_ticks},
        .height = room.h,
        .width = room.w,
        .label_room = 8};
    const Chart chart = begin_chart(ui, "likelihood", spec);
    if (!chart) return;
    if (all.full) chart_line(chart, xs, full, {.color = ui.colors.text2, .dash = LineDash::Dashed});
    chart_line(chart, xs, left, {.color = ui.colors.text3, .width = 1});
    chart_line(chart, xs, right, {.color = ui.colors.text3, .width = 1});
    chart_markers(chart, xs, left, Marker::Square, ui.colors.text2);
    chart_markers(chart, xs, right, Marker::Circle, ui.colors.text);
    // Says, where the sides are furthest apart, what the side that is worse off gave the token.
    constexpr double kWorthSaying = 0.5;
    if (apart > kWorthSaying) {
        const JudgedToken& t = all.tokens[worst];
        const double nll = std::max(t.left, t.right);
        const Text word = spoken_word(pair.left, t.token), p = significant(math::exp(-nll), 2);
        const bool at_end = worst * 2 > xs.size();
        const std::array at_x{xs[worst]}, at_y{nll};
        chart_markers(chart, at_x, at_y, t.left > t.right ? Marker::Square : Marker::Circle,
                      ui.colors.loss.fill);
        chart_note(chart, xs[worst], nll, {at_end ? -10.0f : 10.0f, -9},
                   aligned(colored(type::number_small(ui), ui.colors.loss.ink),
                           at_end ? Align::Right : Align::Left),
                   fill(ui.text["pair.chart.p"_t], {{"word", word}, {"p", p}}));
    }
    end_chart(chart);
}

}  // namespace

Text quality_caption(const Ui& ui, const PairView& pair, const RunFocus& focus) {
    const Judgement& all = pair.own.difference.judgement();
    const std::size_t n = all.tokens.size();
    if (n == 0) return {};
    const TextId words = all.n_forced > 0 ? "pair.quality.told.forced"_t
                         : all.told       ? "pair.quality.told"_t
                                          : "pair.quality.caption"_t;
    return fill(ui.text[words], {{"n", with_commas(n)},
                                 {"forced", with_commas(all.n_forced)},
                                 {"name", name_of_request(pair.left.now, focus.request)}});
}

void draw_pair_quality(const Ui& ui, const PairView& pair) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    if (pair.own.difference.judgement().tokens.empty()) {
        const bool waits = !pair.right.recorded_all;
        const std::array<std::string_view, 1> lines{
            ui.text[waits ? "pair.quality.wait"_t : "pair.quality.none"_t]};
        message_centered(ui, "no quality",
                         {.title = ui.text["panel.quality.empty"_t], .lines = lines});
        return;
    }
    const bool wide = room.x >= ui.px(720);
    const float table = wide ? std::min(ui.px(430), std::floor(room.x * 0.5f)) : room.x;
    paint_table(Painter(ui), pair, {at.x, at.y, table, room.y});
    const float gap = ui.px(40);
    if (wide && room.y > ui.px(100))
        draw_likelihoods(ui, pair, {at.x + table + gap, at.y, room.x - table - gap, room.y});
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({room.x, room.y});
}

}  // namespace kv
