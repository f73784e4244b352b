#include "app/panels/timeline/lanes.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "app/panels/timeline/plan.hpp"
#include "app/panels/timeline/step_words.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kSideMarks = 24;    // left of two lanes, logical pixels
constexpr float kLowName = 14;      // of a tag on a thin lane
constexpr double kFutureBar = 0.3;  // of the hue: recorded, but after the cursor

// A drawing of one timeline: the plan, moved to where it stands.
class Drawing {
public:
    Drawing(const Ui& ui, const RunView& run, RunFocus& focus, const RunHistory& history,
            const Rect& room, const TimelinePair* pair)
        : ui_(ui),
          run_(run),
          focus_(focus),
          history_(history),
          room_(pair == nullptr ? room : beside_marks(ui, room)),
          pair_(pair),
          p_(ui),
          plan_(plan_timeline({.room = {room_.w, room_.h},
                               .unit = ui.unit,
                               .n_requests = pair == nullptr ? history.lanes().size() : 2,
                               .n_iterations = pair == nullptr
                                                   ? history.last_iteration()
                                                   : std::max(history.last_iteration(),
                                                              pair->history.last_iteration()),
                               .n_layers = run.layout.n_layers,
                               .two_sides = pair != nullptr})) {}

    void draw() {
        if (plan_.ticks) draw_ticks();
        if (pair_ == nullptr)
            draw_lanes();
        else
            draw_pair_lanes();
        if (plan_.marks) draw_marks();
        if (plan_.layers) draw_zoom();
        draw_playhead();
        draw_parting();
        draw_pointed();
        scrub();
    }

private:
    Rect at(Rect r) const { return {r.x + room_.x, r.y + room_.y, r.w, r.h}; }

    void draw_ticks() {
        const TextStyle style = aligned(type::tick_label(ui_), Align::Center);
        const float cell = plan_.x_of(2) - plan_.x_of(1), half = ui_.px(24);
        for (std::uint32_t i = 1; i <= plan_.n_iterations;
             i = i == 1 && plan_.tick_step > 1 ? plan_.tick_step : i + plan_.tick_step) {
            const float x = room_.x + plan_.x_of(i) + cell / 2;
            text_in(p_, style, {x - half, room_.y + plan_.ticks->y, 2 * half, plan_.ticks->h},
                    with_commas(i));
        }
    }

    // The lanes that fit: those of the newest requests, the focused one always among them.
    std::size_t first_lane() const {
        const std::size_t n = history_.lanes().size();
        if (n <= plan_.n_lanes) return 0;
        return std::min(focus_.request.index(), n - plan_.n_lanes);
    }

    void draw_lanes() {
        if (plan_.ticks && plan_.n_lanes < history_.lanes().size())
            draw_label(at(*plan_.ticks), fill(ui_.text["transport.lanes"_t],
                                              {{"shown", with_commas(plan_.n_lanes)},
                                               {"all", with_commas(history_.lanes().size())}}));
        for (std::size_t row = 0; row < plan_.n_lanes; ++row) {
            const std::size_t lane = first_lane() + row;
            const SeqId request(static_cast<std::uint32_t>(lane));
            const RequestTag tag = tag_of(run_.now, request);
            if (plan_.tall) draw_lane_head(row, tag);
            const Hue& hue = request_hue(ui_.colors, tag.index);
            const Color color = tag.finished ? ui_.colors.cached.ink : hue.ink;
            for (const RunSpan& span : history_.lanes()[lane]) draw_span(row, span, color);
        }
        if (!plan_.tall) draw_low_names();
    }

    // Draws names on the bars, where lanes are too thin for a column of names; the one in focus
    // first.
    void draw_low_names() {
        if (room_.h < ui_.px(kLowName)) return;
        List<LaneBar> bars;
        const auto add = [&](std::size_t row) {
            const std::vector<RunSpan>& spans = history_.lanes()[first_lane() + row];
            if (!spans.empty()) bars.push_back({row, spans.front().first, spans.back().last});
        };
        const std::size_t focus = focus_.request.index() - first_lane();
        if (focus < plan_.n_lanes) add(focus);
        for (std::size_t row = 0; row < plan_.n_lanes; ++row)
            if (row != focus) add(row);
        for (const LaneName& name :
             place_lane_names(plan_, bars, {ui_.px(kLowName), room_.h, ui_.px(2)})) {
            const Rect plate = at(snap(name.rect));
            fill(p_, plate, ui_.colors.panel, 2);
            draw_request_tag(
                p_, plate.center(), kLowName - 1,
                tag_of(run_.now, SeqId(static_cast<std::uint32_t>(first_lane() + name.row))));
        }
    }

    static Rect beside_marks(const Ui& ui, const Rect& room) {
        const float marks = ui.px(kSideMarks);
        return {room.x + marks, room.y, std::max(1.0f, room.w - marks), room.h};
    }

    // The request in focus on either side, one lane above the other.
    void draw_pair_lanes() {
        const Text name = name_of_request(run_.now, focus_.request);
        const auto draw = [&](std::size_t row, CompareSide side, const RunView& run,
                              const RunHistory& history) {
            const float y = std::round(room_.y + plan_.lane_middle(row));
            const float size = std::min(10.0f, plan_.pitch / ui_.unit);
            draw_side_mark(p_, {room_.x - ui_.px(kSideMarks) + ui_.px(8), y}, size, side,
                           ui_.colors.text);
            const auto request = request_named(run.trace.end(), name);
            if (!request || request->index() >= history.lanes().size()) return;
            const Color color = request_hue(ui_.colors, tag_index(name, *request)).ink;
            for (const RunSpan& span : history.lanes()[request->index()])
                draw_span(row, span, color);
        };
        if (plan_.n_lanes > 0) draw(0, CompareSide::Left, run_, history_);
        if (plan_.n_lanes > 1) draw(1, CompareSide::Right, pair_->other, pair_->history);
    }

    // Draws where the sides part first: a line over both lanes, and words beside it, clear of the
    // playhead.
    void draw_parting() {
        if (pair_ == nullptr || pair_->parting == nullptr || plan_.n_lanes == 0) return;
        const double step = plan_.x_of(2) - plan_.x_of(1);
        const float x = std::round(room_.x + plan_.x_of(pair_->parting->iteration) +
                                   static_cast<float>(step / 2));
        const Color ink = ui_.colors.loss.ink;
        const float top = room_.y + plan_.lane_middle(0) - plan_.pitch / 2;
        const float arm = std::min(ui_.px(5), plan_.pitch / 2);
        vline(p_, x, top, top + 2 * plan_.pitch, ink, 2);
        triangle(p_, {x, top}, std::min(9.0f, plan_.pitch / ui_.unit), Dir::Down, ink, true);

        const TextStyle style = colored(type::caption(ui_), ink);
        const char* words = ui_.text["pair.first_difference"_t];
        const float width = std::ceil(text_width(ui_, style, words)) + ui_.px(8);
        const float head = playhead().right();
        const bool is_here = x >= playhead().x && x <= head;
        float left = is_here ? head + ui_.px(4) : x + arm + ui_.px(2);
        if (left + width > room_.right())
            left = (is_here ? playhead().x : x - arm) - ui_.px(4) - width;
        if (plan_.pitch < ui_.px(12) || left < room_.x) return;
        const Rect plate = snap({left, top, width, plan_.pitch});
        fill(p_, plate, ui_.colors.panel);
        text_in(p_, aligned(style, Align::Center), plate, words);
    }

    void draw_lane_head(std::size_t row, const RequestTag& tag) {
        const float y = room_.y + plan_.lane_middle(row);
        hline(p_, room_.x + plan_.lanes.x, room_.x + plan_.lanes.right(), y, ui_.colors.line);
        draw_request_tag(p_, {room_.x + ui_.px(18), y}, std::min(16.0f, plan_.pitch / ui_.unit - 2),
                         tag);
    }

    // Cells of one iteration each where there is room for a gap, else one bar.
    void draw_span(std::size_t row, const RunSpan& span, Color color) {
        const Color future = mix(ui_.colors.panel, color, kFutureBar);
        const std::uint32_t now = run_.now.iteration;
        if ((plan_.tall || pair_ != nullptr) && plan_.x_of(2) - plan_.x_of(1) >= ui_.px(6)) {
            for (std::uint32_t i = span.first; i <= span.last; ++i) {
                Rect cell = at(plan_.lane(row, span.prefill, i, i));
                cell.w = std::max(1.0f, cell.w - ui_.px(1));
                fill(p_, cell, i <= now ? color : future);
            }
            return;
        }
        if (span.first <= now)
            fill(p_, at(plan_.lane(row, span.prefill, span.first, std::min(span.last, now))),
                 color);
        if (span.last > now)
            fill(p_, at(plan_.lane(row, span.prefill, std::max(span.first, now + 1), span.last)),
                 future);
    }

    void draw_label(const Rect& row, std::string_view label) {
        text_in(p_, aligned(type::caption(ui_), Align::Left),
                {room_.x, row.y, plan_.label_width - ui_.px(8), row.h}, label);
    }

    // One mark of a kind for each iteration, so that the row says what happened, not how often.
    void draw_marks() {
        const Rect row = at(*plan_.marks);
        draw_label(row, ui_.text["transport.blocks"_t]);
        const float cell = plan_.x_of(2) - plan_.x_of(1);
        float last_x = -1e9f;
        for (const RunMark& mark : history_.marks()) {
            const bool is_block = mark.mark != EventMark::Admit && mark.mark != EventMark::Finish;
            if (!is_block || mark.iteration == 0) continue;
            const float x = room_.x + plan_.x_of(mark.iteration) + cell / 2;
            if (x < last_x + ui_.px(10)) continue;
            last_x = x;
            const Color ink =
                mark.mark == EventMark::Evict ? ui_.colors.loss.ink : ui_.colors.text2;
            draw_event_mark(
                p_, {x, row.center().y}, 8, mark.mark,
                mark.event < run_.moment ? ink : mix(ui_.colors.panel, ink, kFutureBar));
        }
    }

    void draw_wedge(const Rect& from, float from_bottom, const Rect& to) {
        const Color wash = ui_.colors.hover_wash();
        const std::array points{ImVec2{from.x, from_bottom}, ImVec2{from.right(), from_bottom},
                                ImVec2{to.right(), to.y}, ImVec2{to.x, to.y}};
        p_.list.AddConvexPolyFilled(points.data(), 4, im(wash));
    }

    void draw_cell(const Rect& rect, std::string_view label, bool done, bool current,
                   bool inverted) {
        const Palette& c = ui_.colors;
        fill(p_, rect, current && inverted ? c.focus : done || current ? c.raised : c.inset, 2);
        if (current && !inverted)
            outline(p_, rect, c.focus, 2, 2);
        else if (!current)
            outline(p_, rect, c.line, 2);
        const Color ink = current ? (inverted ? c.app : c.text) : done ? c.text2 : c.text3;
        TextStyle style = aligned(colored(sized(type::body(ui_), 12), ink), Align::Center);
        if (current) style.font = ui_.fonts.semibold;
        text_in(p_, style, rect, label);
    }

    void draw_zoom() {
        const Rect layers = at(*plan_.layers), ops = at(*plan_.ops);
        draw_label(layers, ui_.text["transport.layer"_t]);
        draw_label(ops, ui_.text["transport.op"_t]);
        const auto layer_cells = zoom_cells(layers, run_.layout.n_layers, ui_.px(2));
        const auto op_cells = zoom_cells(ops, std::size(kLayerOps), ui_.px(2));
        const auto& operation = run_.now.operation;
        const bool in_layer = operation && operation->layer;
        const bool after =
            operation && (operation->op == Op::Logits || operation->op == Op::Sample);
        const std::uint32_t now_layer = in_layer ? operation->layer->value : 0;
        draw_wedge(playhead(), playhead().bottom(), layers);
        if (in_layer) draw_wedge(layer_cells[now_layer].rect, layers.bottom(), ops);
        for (const ZoomCell& cell : layer_cells)
            draw_cell(cell.rect, fill_in(ui_.text["transport.layer_n"_t], cell.index),
                      after || (in_layer && cell.index < now_layer),
                      in_layer && cell.index == now_layer, false);
        const auto* op = in_layer
                             ? std::find(std::begin(kLayerOps), std::end(kLayerOps), operation->op)
                             : std::end(kLayerOps);
        for (const ZoomCell& cell : op_cells) {
            const bool known = op != std::end(kLayerOps);
            const auto place = static_cast<std::uint32_t>(op - std::begin(kLayerOps));
            draw_cell(cell.rect, op_name(ui_.text, kLayerOps[cell.index]),
                      after || (known && cell.index < place), known && cell.index == place, true);
        }
    }

    static Text fill_in(const char* text, std::uint32_t n) {
        return kv::fill(text, {{"n", std::to_string(n)}});
    }

    Rect playhead() const {
        const std::uint32_t i = std::max(1u, run_.now.iteration);
        float left = plan_.x_of(i), right = plan_.x_of(i + 1.0);
        const float least = ui_.px(plan_.tall ? 4.0f : 16.0f);
        if (right - left < least) {
            const float middle = (left + right) / 2;
            left = middle - least / 2, right = middle + least / 2;
        }
        const float bottom = plan_.marks ? plan_.marks->bottom() : room_.h;
        return at(snap({left, 0, right - left, bottom}));
    }

    void draw_playhead() {
        if (plan_.n_lanes == 0 || run_.now.iteration == 0) return;
        outline(p_, playhead(), ui_.colors.focus, 2, 2);
    }

    // The step that a chart points at, with its number, where it does not cover the playhead's own.
    void draw_pointed() {
        const auto step = focus_.pointed.iteration;
        if (!step || *step == 0 || *step > plan_.n_iterations || plan_.n_lanes == 0) return;
        const float cell = plan_.x_of(2) - plan_.x_of(1);
        const float x = std::round(room_.x + plan_.x_of(*step) + cell / 2);
        const float bottom = plan_.marks ? plan_.marks->bottom() : room_.h;
        vline(p_, x, room_.y, room_.y + bottom, ui_.colors.text3);
        if (!plan_.ticks) return;
        const TextStyle style{ui_.fonts.mono_bold, 11, ui_.colors.text, Align::Center};
        const Text number = with_commas(*step);
        const float width = std::ceil(text_width(ui_, style, number)) + ui_.px(8);
        const Rect plate = snap({x - width / 2, room_.y + plan_.ticks->y, width, plan_.ticks->h});
        fill(p_, plate, ui_.colors.raised, 2);
        text_in(p_, style, plate, number);
    }

    // One item over all lanes: pressing or dragging goes to the iteration under the mouse.
    void scrub() {
        const float bottom = plan_.marks ? plan_.marks->bottom() : room_.h;
        ImGui::SetCursorScreenPos({room_.x + plan_.lanes.x, room_.y});
        const Hit hit = hit_item("timeline", {plan_.lanes.w, bottom});
        if (hit.focused) focus_ring(p_, hit.rect);
        if (!hit.hovered && !hit.held) return;
        const std::uint32_t iteration = plan_.iteration_at(ImGui::GetIO().MousePos.x - room_.x);
        focus_.next_pointed.iteration = iteration;
        // In each frame while the mouse is held, so that a drag takes the run along.
        if (hit.held && iteration != run_.now.iteration)
            ui_.out.push("run.goto", std::uint64_t{iteration});
        if (hit.hovered && ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal))
            ImGui::SetTooltip("%s", tip_of(iteration).c_str());
    }

    Text tip_of(std::uint32_t iteration) const {
        Text step = fill_in(ui_.text["transport.step_n"_t], iteration);
        if (pair_ == nullptr || pair_->parting == nullptr) return step;
        const TokenParting& parting = *pair_->parting;
        return step + "\n" +
               kv::fill(ui_.text["pair.parts_at"_t], {{"n", with_commas(parting.iteration)},
                                                      {"name", parting.request},
                                                      {"index", with_commas(parting.index)}});
    }

    const Ui& ui_;
    const RunView& run_;
    RunFocus& focus_;
    const RunHistory& history_;
    Rect room_;
    const TimelinePair* pair_;
    Painter p_;
    Timeline plan_;
};

}  // namespace

void draw_timeline(const Ui& ui, const RunView& run, RunFocus& focus, const RunHistory& history,
                   const Rect& room, const TimelinePair* pair) {
    Drawing(ui, run, focus, history, room, pair).draw();
}

}  // namespace kv
