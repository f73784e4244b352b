#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <span>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/charts/panels.hpp"
#include "app/panels/charts/roofline_plan.hpp"
#include "app/widgets/chart/chart.hpp"
#include "app/widgets/controls.hpp"

namespace kv {
namespace {

// The words in the picture, none over another: each has several places, and takes the first free
// one. Where all are taken it is left out; the sentences below say the same.
class Notes {
public:
    Notes(const Chart& chart, const Ui& ui) : chart_(chart), ui_(ui) {}

    struct Place {
        Vec2 offset;  // logical, from the point
        Align align;
    };
    void put(double x, double y, const TextStyle& style, std::string_view text,
             std::initializer_list<Place> places) {
        for (const Place& place : places) {
            const Rect box = box_of(x, y, style, text, place);
            const bool is_free = std::none_of(taken_.begin(), taken_.end(), [&](const Rect& other) {
                return overlap(box, other);
            });
            if (!is_free || is_crossed(box) || box.x < chart_.plot.x ||
                box.right() > chart_.plot.right() || box.y < chart_.plot.y ||
                box.bottom() > chart_.plot.bottom())
                continue;
            taken_.push_back(box);
            return chart_note(chart_, x, y, place.offset, aligned(style, place.align), text);
        }
    }
    void keep_free(double x, double y, float logical_radius) {
        const Vec2 at = chart_.pixel(x, y);
        const float r = ui_.px(logical_radius);
        taken_.push_back({at.x - r, at.y - r, 2 * r, 2 * r});
    }

    // A line of the picture, from its left end to its right one.
    void keep_off(std::span<const double> xs, std::span<const double> ys) {
        for (std::size_t i = 0; i < xs.size(); ++i) line_.push_back(chart_.pixel(xs[i], ys[i]));
    }

private:
    bool is_crossed(const Rect& box) const {
        for (std::size_t i = 0; i + 1 < line_.size(); ++i) {
            const Vec2 a = line_[i], b = line_[i + 1];
            const float left = std::max(box.x, a.x), right = std::min(box.right(), b.x);
            if (left >= right) continue;
            const auto y_at = [&](float x) { return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x); };
            const auto [top, bottom] = std::minmax({y_at(left), y_at(right)});
            if (top < box.bottom() && bottom > box.y) return true;
        }
        return false;
    }
    static bool overlap(const Rect& a, const Rect& b) {
        return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
    }
    Rect box_of(double x, double y, const TextStyle& style, std::string_view text,
                const Place& place) const {
        const Vec2 at = chart_.pixel(x, y);
        const float w = text_width(ui_, style, text), h = ui_.px(style.size);
        const float left = at.x + ui_.px(place.offset.x) - (place.align == Align::Right ? w : 0);
        return {left, at.y + ui_.px(place.offset.y) - h / 2, w, h};
    }

    const Chart& chart_;
    const Ui& ui_;
    List<Rect> taken_;
    List<Vec2> line_;
};

void draw_roofs(const Chart& chart, const Ui& ui, const RunRoofline& plan, Notes& notes) {
    if (plan.peak <= 0) return;
    const std::array<double, 3> xs{plan.min_x, plan.ridge, plan.max_x};
    const std::array<double, 3> ys{plan.min_x * plan.bandwidth, plan.peak, plan.peak};
    chart_line(chart, xs, ys, {ui.colors.text, 2.2f});
    notes.keep_off(xs, ys);
}

void name_roofs(const Ui& ui, const RunRoofline& plan, Notes& notes) {
    if (plan.peak <= 0) return;
    const TextStyle quiet = colored(type::caption(ui), ui.colors.text2);
    notes.put(plan.max_x, plan.peak, quiet, plan.compute,
              {{{-6, -11}, Align::Right}, {{-6, 12}, Align::Right}});
    notes.put(plan.max_x, plan.min_y, quiet, plan.memory,
              {{{-6, -10}, Align::Right}, {{-6, -26}, Align::Right}, {{-6, -42}, Align::Right}});
}

// Rings on the slope; where no roof is known only the intensity is, so they are lines upwards.
void draw_rings(const Chart& chart, const Ui& ui, const RunRoofline& plan, Notes& notes) {
    for (const RoofPoint& ring : plan.rings) {
        const Color color = ring.current ? ui.colors.focus : ui.colors.text2;
        const TextStyle style = ring.current ? sized(type::strong(ui), 12)
                                             : colored(type::caption(ui), ui.colors.text2);
        if (ring.flops <= 0) {
            const std::array xs{ring.intensity, ring.intensity}, ys{plan.min_y, plan.max_y};
            chart_line(chart, xs, ys, {ui.colors.text3, 1.0f, LineDash::Dashed});
            const float y = ring.label_above ? 12.0f : 28.0f;
            notes.put(ring.intensity, plan.max_y, style, ring.label,
                      {{{5, y}, Align::Left},
                       {{-5, y}, Align::Right},
                       {{5, y + 16}, Align::Left},
                       {{-5, y + 16}, Align::Right}});
            continue;
        }
        const std::array x{ring.intensity}, y{ring.flops};
        chart_markers(chart, x, y, Marker::Ring, color, 4.5f);
        const Notes::Place above{{-9, -7}, Align::Right}, below{{11, 5}, Align::Left};
        notes.put(ring.intensity, ring.flops, style, ring.label,
                  {ring.label_above ? above : below,
                   ring.label_above ? below : above,
                   {{11, 19}, Align::Left},
                   {{-9, -21}, Align::Right},
                   {{11, 33}, Align::Left}});
    }
}

void draw_done(const Chart& chart, const Ui& ui, const RunRoofline& plan, const RoofPoint& point,
               Marker marker, Notes& notes) {
    // Without times the mark stands on the axis: only how much is done for each byte is known.
    const double at = point.flops > 0 ? point.flops : plan.min_y;
    const Color color = point.current ? ui.colors.focus : ui.colors.text2;
    const std::array x{point.intensity}, y{at};
    chart_markers(chart, x, y, marker, color, 5);
    const TextStyle style{point.current ? ui.fonts.mono_bold : ui.fonts.mono, 12, color,
                          Align::Left};
    // Decode stands left of prefill: its words go to the left, those of prefill to the right.
    const Notes::Place left{{-10, -10}, Align::Right}, right{{10, -10}, Align::Left};
    const bool leftwards = marker == Marker::Square;
    notes.put(point.intensity, at, style, point.label,
              {leftwards ? left : right,
               leftwards ? right : left,
               {{10, -26}, Align::Left},
               {{-10, -26}, Align::Right},
               {{10, 12}, Align::Left},
               {{-10, 12}, Align::Right},
               {{10, 26}, Align::Left},
               {{-10, 26}, Align::Right}});
}

}  // namespace

void choose_roofline(const Ui& ui, RooflineOf& of) {
    const std::array<std::string_view, 2> options{ui.text["roofline.of_run"_t],
                                                  ui.text["roofline.of_bill"_t]};
    // The switch stands at the right, in the line of the chart's unit.
    constexpr float kUnitLine = 12;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x;
    ImGui::SetCursorScreenPos({std::floor(right - segmented_width(ui, options)), at.y});
    if (const auto chosen = segmented(ui, "of", options, static_cast<std::size_t>(of)))
        of = static_cast<RooflineOf>(*chosen);
    ImGui::SetCursorScreenPos({at.x, at.y + ui.px(kUnitLine)});
}

void draw_run_roofline(const Ui& ui, const RunView& run, const RunHistory& history) {
    const TightSpacing tight;
    const RunRoofline plan = plan_run_roofline(run, attention_now(run, history), ui.text);
    const float width = room_width();
    const bool named = width >= ui.px(kRoofNamesFrom);
    const List<ChartTick> x_ticks = ticks_of(plan.x_marks), y_ticks = ticks_of(plan.y_marks);
    const float words = wrapped_height(ui, type::body(ui), kRoofLine, width, plan.sentence) +
                        wrapped_height(ui, type::caption(ui), kRoofLine, width, plan.state);
    ChartSpec spec;
    spec.x = {.min = plan.min_x, .max = plan.max_x, .log = true, .ticks = x_ticks};
    spec.y = {.min = plan.min_y, .max = plan.max_y, .log = true, .ticks = y_ticks};
    spec.x_label = ui.text["roofline.x"_t];
    spec.y_label = plan.unit;
    spec.label_room = 4;
    spec.frame = true;
    spec.height = std::max(ui.px(130), ImGui::GetContentRegionAvail().y - words - ui.px(4));
    if (const Chart chart = begin_chart(ui, "run_roofline", spec)) {
        Notes notes(chart, ui);
        draw_roofs(chart, ui, plan, notes);
        for (const RoofPoint& ring : plan.rings)
            if (ring.flops > 0) notes.keep_free(ring.intensity, ring.flops, 5);
        for (const auto& point : {plan.prefill, plan.decode})
            if (point)
                notes.keep_free(point->intensity, point->flops > 0 ? point->flops : plan.min_y, 5);
        // The measured points first: they are what the picture is about.
        if (plan.decode) draw_done(chart, ui, plan, *plan.decode, Marker::Square, notes);
        if (plan.prefill) draw_done(chart, ui, plan, *plan.prefill, Marker::Triangle, notes);
        draw_rings(chart, ui, plan, notes);
        if (named) name_roofs(ui, plan, notes);
        end_chart(chart);
    }
    space(ui, 4);
    if (!named && plan.peak > 0)
        paragraph(ui, type::caption(ui), kRoofLine, plan.memory + ", " + plan.compute);
    paragraph(ui, type::body(ui), kRoofLine, plan.sentence);
    paragraph(ui, type::caption(ui), kRoofLine, plan.state);
}

}  // namespace kv
