#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/bill/panels.hpp"
#include "app/panels/charts/paint.hpp"
#include "app/panels/charts/panels.hpp"
#include "app/panels/charts/without_run_layout.hpp"
#include "app/shell/drawn_parts.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kKeyLine = 24, kApart = 40, kLeastPlot = 0.42f;

// All charts of a panel, drawn and asked in one place.
class Charts {
public:
    Charts(const Ui& ui, const RunView& run, RunFocus& focus, const RunHistory& history,
           ChartsUi& own, bool mini)
        : ui_(ui), run_(run), focus_(focus), history_(history), own_(own), mini_(mini) {
        if (own_.run != run.id) own_.zoom.reset();
        if (own_.run != run.id || own_.unit != ui.unit) own_.label_room = {};
        own_.unit = ui.unit;
        own_.run = run.id;
        own_.series.catch_up(run, history);
        whole_ = whole_range(own_.series);
    }

    void draw() {
        const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
        origin_ = {std::floor(at.x), std::floor(at.y)};
        shown_ = shown_step(run_, own_.series, history_, pointed());
        const ChartsAsk ask{run_, own_.series, shown_, range(), mini_};
        const List<ChartKind> kinds = chart_kinds(run_, mini_);
        charts_.reserve(kinds.size()), plots_.reserve(kinds.size());
        for (const ChartKind kind : kinds) charts_.push_back(plan_chart(kind, ask, ui_.text));
        const bool keys = mini_ && room.y >= ui_.px(140);
        const float key_height = keys ? ui_.px(kKeyLine) : 0;
        const ChartGrid grid =
            layout_chart_grid({room.x, room.y - key_height}, charts_.size(), ui_.unit);
        measure_margins(grid.cells.front().w);
        for (std::size_t i = 0; i < charts_.size(); ++i) draw_chart(charts_[i], grid.cells[i]);
        if (keys)
            for (std::size_t i = 0; i < charts_.size(); ++i)
                draw_key_row(Painter(ui_), run_, shown_, charts_[i].kind,
                             {origin_.x + grid.cells[i].x, origin_.y + grid.height, grid.cells[i].w,
                              key_height});
        take_input({room.x, std::max(1.0f, std::min(room.y, grid.height))});
    }

private:
    StepRange range() const { return own_.zoom.value_or(whole_); }
    bool in_range(double step) const { return step >= range().first && step <= range().last; }
    std::optional<std::uint32_t> pointed() const {
        const auto step = focus_.pointed.iteration;
        return step && in_range(*step) && *step > 0 ? step : std::nullopt;
    }
    std::optional<std::uint32_t> now() const {
        const std::uint32_t step = run_.now.iteration;
        return in_range(step) ? std::optional(step) : std::nullopt;
    }

    // One width of ticks and of labels for all charts, so that the axes of a column stand in line.
    // Where the plot would become too narrow the labels go: the strong value stands in the head.
    void measure_margins(float cell) {
        for (const RunChart& chart : charts_) {
            for (const AxisMark& mark : chart.y_marks)
                tick_room_ = std::max(
                    tick_room_, std::ceil(text_width(ui_, type::tick_label(ui_), mark.label)));
            label_room_ = std::max(label_room_, labels_width(ui_, chart.labels));
        }
        float& room = own_.label_room[mini_ ? 1 : 0];
        label_room_ = room = std::max(room, label_room_ + ui_.px(12));
        const float plot = cell - tick_room_ - ui_.px(10) - label_room_;
        labelled_ = plot >= kLeastPlot * cell && plot >= ui_.px(70);
        if (!labelled_) label_room_ = ui_.px(10);
    }

    // The unit, or the value with it where no label has room: as much of it as fits beside the
    // title.
    Text head_of(const RunChart& chart, float width) const {
        const bool has_value = !labelled_ && !chart.labels.empty();
        const Text value = has_value ? strong_label(chart).value : Text();
        const Text with_unit =
            value.empty() || chart.of_value.empty() ? value : value + " " + chart.of_value;
        const std::array tries{has_value ? with_unit : chart.unit,
                               has_value ? value : chart.of_value};
        for (const Text& head : tries) {
            const std::array words{Run{type::section(ui_), chart.title},
                                   Run{type::caption(ui_), head, 10}};
            if (runs_width(ui_, words) <= width) return head;
        }
        return {};
    }

    void draw_chart(const RunChart& chart, const Rect& cell) {
        const List<ChartTick> y_ticks = ticks_of(chart.y_marks);
        const float width = cell.w - tick_room_ - ui_.px(10) - label_room_;
        const double per_step =
            static_cast<double>(width) / std::max(1e-9, range().last - range().first);
        const auto strong = pointed() ? pointed() : now();
        const auto marks = step_marks(range(), strong, per_step, ui_.px(kApart));
        const List<ChartTick> x_ticks = ticks_of(marks);

        const Text head = head_of(chart, cell.w);
        ChartSpec spec{.title = chart.title, .unit = head};
        spec.x = {.min = range().first, .max = range().last, .ticks = x_ticks, .grid = false};
        spec.y = {.min = 0, .max = chart.y_max, .ticks = y_ticks};
        spec.height = cell.h, spec.width = cell.w;
        spec.label_room = label_room_ / ui_.unit, spec.tick_room = tick_room_ / ui_.unit;
        if (const auto step = now()) spec.playhead = *step;
        ImGui::SetCursorScreenPos(im(origin_ + cell.min()));
        Chart drawn = begin_chart(ui_, chart.id, spec);
        if (!drawn) return;
        drawn.hover.reset();  // the crosshair stands at a step, in all charts at once
        plots_.push_back(drawn.plot);
        draw_curves(drawn, run_, own_.series, shown_at_cursor(), chart.kind, range());
        if (const auto step = pointed()) draw_crosshair(drawn, chart, *step);
        if (labelled_) draw_labels(drawn, chart);
        if (chart.kind == ChartKind::Read) tell_part(ui_, {PartKind::BytesRead}, drawn.whole);
        end_chart(drawn);
    }

    ChartStep shown_at_cursor() const {
        return pointed() ? shown_step(run_, own_.series, history_, std::nullopt) : shown_;
    }

    static const ChartLabel& strong_label(const RunChart& chart) {
        for (const ChartLabel& label : chart.labels)
            if (label.strong) return label;
        return chart.labels.front();
    }

    void draw_crosshair(const Chart& drawn, const RunChart& chart, std::uint32_t step) const {
        const Painter p(ui_);
        const float x = std::round(drawn.pixel(step, 0).x);
        vline(p, x, drawn.plot.y - ui_.px(8), drawn.plot.bottom(), ui_.colors.text3);
        for (const ChartLabel& label : chart.labels) {
            const std::array xs{static_cast<double>(step)}, ys{label.y};
            chart_markers(drawn, xs, ys, Marker::Circle, ui_.colors.text, 2.5f);
        }
    }

    void draw_labels(const Chart& drawn, const RunChart& chart) const {
        List<EndLabel> labels;
        for (const ChartLabel& label : chart.labels) {
            EndLabel end{.y = label.y,
                         .value = label.value,
                         .caption = label.caption,
                         .strong = label.strong,
                         .beside = label.beside};
            if (label.loss) end.color = ui_.colors.loss.ink;
            labels.push_back(end);
        }
        chart_end_labels(drawn, labels);
    }

    // One item over all charts: pointing sets the step for everybody, dragging zooms.
    void take_input(Vec2 size) {
        ImGui::SetCursorScreenPos(im(origin_));
        const Hit hit = hit_item("charts", size);
        const bool let_go = ImGui::IsItemDeactivated();
        if (hit.focused) {
            focus_ring(Painter(ui_), hit.rect);
            take_keys();
        }
        const ImGuiIO& io = ImGui::GetIO();
        const Vec2 mouse{io.MousePos.x, io.MousePos.y},
            from{io.MouseClickedPos[0].x, io.MouseClickedPos[0].y};
        if (hit.hovered && !hit.held)
            if (const Rect* plot = plot_at(mouse))
                focus_.next_pointed.iteration =
                    static_cast<std::uint32_t>(std::max(1.0, std::round(step_at(*plot, mouse.x))));
        const Rect* dragged = plot_at(from);
        if (dragged == nullptr || (!hit.held && !let_go)) return;
        const bool far = std::abs(mouse.x - from.x) >= ui_.px(5);
        if (hit.held && far) draw_span(from.x, mouse.x, *dragged);
        if (let_go && far)
            own_.zoom = zoom_between(step_at(*dragged, from.x), step_at(*dragged, mouse.x), whole_);
        if (hit.held && ImGui::IsMouseDoubleClicked(0)) own_.zoom.reset();
    }

    // + and - around the cursor, 0 for all.
    void take_keys() {
        if (ImGui::GetIO().KeyCtrl) return;  // the size of text
        const double middle =
            in_range(run_.now.iteration) ? run_.now.iteration : (range().first + range().last) / 2;
        const double half = (range().last - range().first) / 2;
        const auto zoom = [&](double factor) {
            own_.zoom = zoom_between(middle - half * factor, middle + half * factor, whole_);
        };
        if (ImGui::IsKeyPressed(ImGuiKey_Equal) || ImGui::IsKeyPressed(ImGuiKey_KeypadAdd))
            zoom(0.5);
        if (ImGui::IsKeyPressed(ImGuiKey_Minus) || ImGui::IsKeyPressed(ImGuiKey_KeypadSubtract))
            zoom(2);
        if (ImGui::IsKeyPressed(ImGuiKey_0)) own_.zoom.reset();
    }

    const Rect* plot_at(Vec2 p) const {
        for (const Rect& plot : plots_)
            if (plot.inset(-ui_.px(6)).contains(p)) return &plot;
        return nullptr;
    }

    double step_at(const Rect& plot, float x) const {
        const double share = std::clamp(static_cast<double>((x - plot.x) / plot.w), 0.0, 1.0);
        return range().first + share * (range().last - range().first);
    }

    void draw_span(float a, float b, const Rect& dragged) const {
        const Painter p(ui_);
        const float left = std::clamp(std::min(a, b), dragged.x, dragged.right()),
                    right = std::clamp(std::max(a, b), dragged.x, dragged.right());
        for (const Rect& plot : plots_)
            fill(p, snap({plot.x + left - dragged.x, plot.y, right - left, plot.h}),
                 with_alpha(ui_.colors.text, 40));
    }

    const Ui& ui_;
    const RunView& run_;
    RunFocus& focus_;
    const RunHistory& history_;
    ChartsUi& own_;
    bool mini_;
    StepRange whole_;
    ChartStep shown_;
    List<RunChart> charts_;
    List<Rect> plots_;
    Vec2 origin_;
    float tick_room_ = 0, label_room_ = 0;
    bool labelled_ = true;
};

bool has_curves(const RunView& run) {
    return run.samples.size() >= 2;
}

}  // namespace

void draw_charts(const Ui& ui, const RunView& run, RunFocus& focus, const RunHistory& history,
                 ChartsUi& own) {
    if (!has_curves(run)) return draw_charts_before_steps(ui);
    const TightSpacing tight;
    Charts(ui, run, focus, history, own, false).draw();
}

void draw_mini_charts(const Ui& ui, const RunView& run, RunFocus& focus, const RunHistory& history,
                      ChartsUi& own) {
    if (!has_curves(run)) return draw_mini_charts_before_steps(ui);
    const TightSpacing tight;
    Charts(ui, run, focus, history, own, true).draw();
}

}  // namespace kv
