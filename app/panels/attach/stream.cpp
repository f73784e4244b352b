// What steers the picture, and the stream it was made from: rates of stored and removed blocks, and
// a lane with what happened to the connection.

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/attach/panels.hpp"
#include "app/panels/attach/parts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kLabelW = 70, kRateW = 70, kClockH = 20, kLaneH = 22;
constexpr std::array kStepNames{"batch", "second", "minute"};

float draw_stream_buttons(const Ui& ui, const ServerView& s, Rect row, bool caps) {
    float x = row.x;
    const auto put = [&](const char* id, TextId label, CommandId command, std::string_view key,
                         bool enabled, bool primary) {
        const ButtonLook look{
            .primary = primary, .enabled = enabled, .key = caps ? key : std::string_view{}};
        ImGui::SetCursorScreenPos({x, row.y});
        if (button(ui, id, ui.text[label], look)) ui.out.push(command);
        x += button_width(ui, ui.text[label], look) + ui.px(8);
    };
    const bool can_pause = s.live && s.phase == AttachPhase::Live;
    put("back", "run.back"_t, "attach.back", "Left", s.events > 0 && s.tank.now_s > s.kept_from_s,
        false);
    put("pause", can_pause ? "run.pause"_t : "attach.go_on"_t, "attach.pause", "Space",
        s.events > 0 && s.phase == AttachPhase::Live, can_pause);
    put("forward", "run.forward"_t, "attach.forward", "Right", !s.live, false);
    put("to_live", s.phase == AttachPhase::Recorded ? "attach.to_end"_t : "attach.to_live"_t,
        "attach.live", "End", !s.live, false);
    return x + ui.px(8);
}

float draw_step_choice_of(const Ui& ui, const AttachUi& own, float x, float y, float right) {
    const Texts& t = ui.text;
    const std::array<std::string_view, 3> names{t["attach.step.batch"_t], t["attach.step.second"_t],
                                                t["attach.step.minute"_t]};
    const SegmentedLook look{.dense = false};
    const float w = segmented_width(ui, names, look);
    if (x + w > right) return x;
    ImGui::SetCursorScreenPos({x, y});
    if (const auto chosen = segmented(ui, "step", names, static_cast<std::size_t>(own.step), look))
        ui.out.push("attach.step", std::string(kStepNames[*chosen]));
    return x + w + ui.px(16);
}

// The left end of what stands at the right: whether this is recorded.
float draw_recording(const Ui& ui, const Painter& p, const ServerView& s, const Rect& row) {
    if (s.phase != AttachPhase::Live) return row.right();
    const bool records = !s.recording.empty();
    const Text label(ui.text[records ? "attach.record.stop"_t : "attach.record"_t]);
    const float w = button_width(ui, label, {});
    float x = row.right() - w;
    ImGui::SetCursorScreenPos({x, row.y});
    if (button(ui, "record", label))
        ui.out.push(records ? CommandId("attach.stop_recording") : CommandId("attach.record"));
    const Text kept(ui.text[s.shows_tokens ? "attach.record.tokens"_t : "attach.record.hashes"_t]);
    const TextStyle quiet = type::caption(ui), strong = sized(type::number_strong(ui), 12);
    const std::array runs{Run{quiet, ui.text["attach.record.to"_t]}, Run{strong, s.recording, 6},
                          Run{quiet, kept, 8}};
    if (records) {
        x -= runs_width(ui, runs) + ui.px(12);
        runs_in(p, runs, {x, row.y, runs_width(ui, runs), row.h});
    } else {
        const float text_w = text_width(ui, quiet, kept);
        x -= text_w + ui.px(12);
        text_in(p, quiet, {x, row.y, text_w, row.h}, kept);
    }
    return x - ui.px(12);
}

}  // namespace

void draw_stream_row(const Ui& ui, const AttachUi& own, const Rect& row) {
    static const ServerView kNothing;
    const ServerView& s = own.view ? *own.view : kNothing;
    const Painter p(ui);
    constexpr float kWideRow = 860;
    float x = draw_stream_buttons(ui, s, row, row.w >= ui.px(kWideRow));
    const float right = draw_recording(ui, p, s, row);
    x = draw_step_choice_of(ui, own, x, row.y, right - ui.px(160));
    const Text moment =
        own.travels ? Text(ui.text["attach.moment.travels"_t]) : moment_sentence(ui.text, s);
    const Rect rest{x, row.y, std::max(1.0f, right - x), row.h};
    const Text kept = s.most_bytes == 0 ? Text()
                                        : fill(ui.text["attach.kept"_t],
                                               {{"n", with_commas(s.kept_bytes >> 20)},
                                                {"of", with_commas(s.most_bytes >> 20)}});
    const std::array runs{Run{type::body(ui), moment}, Run{type::caption(ui), kept, 16}};
    if (!kept.empty() && runs_width(ui, runs) <= rest.w)
        runs_in(p, runs, rest);
    else
        text_in(p, type::body(ui), rest, moment);
}

void draw_stream_axis(const Painter& p, const StreamSpan& span, double start_s, const Rect& axis) {
    const Ui& ui = p.ui;
    constexpr std::array<double, 9> kSteps{10, 30, 60, 300, 600, 1800, 3600, 4 * 3600, 24 * 3600};
    double step = kSteps.back();
    for (const double s : kSteps)
        if (span.x_of(span.from_s + s, axis.w) >= ui.px(120)) {
            step = s;
            break;
        }
    const long long last = static_cast<long long>(std::floor((span.to_s - start_s) / step));
    for (long long tick = static_cast<long long>(std::ceil((span.from_s - start_s) / step));
         tick <= last; ++tick) {
        const double at = start_s + static_cast<double>(tick) * step;
        const float x = axis.x + span.x_of(at, axis.w);
        const Text label = clock_of(at - start_s);
        const float w = text_width(ui, type::tick_label(ui), label);
        text_in(p, type::tick_label(ui),
                {std::min(std::max(axis.x, x - w / 2), axis.right() - w), axis.y, 0, axis.h},
                label);
    }
}

namespace {

void draw_rates(const Painter& p, const ServerView& s, const StreamSpan& span, const Rect& room) {
    const Ui& ui = p.ui;
    const List<StreamBar> bars = plan_stream(s.tank.rates, span, room.w);
    double most = 1;
    for (const StreamBar& bar : bars) most = std::max({most, bar.stored_per_s, bar.removed_per_s});
    const float middle = std::round(room.center().y), half = std::floor(room.h / 2) - 2;
    hline(p, room.x, room.right(), middle, ui.colors.edge);
    for (const StreamBar& bar : bars) {
        const float x = std::round(room.x + bar.x), w = std::max(1.0f, std::round(bar.w) - 1);
        if (x + w > room.right()) break;
        const float up = std::round(half * static_cast<float>(bar.stored_per_s / most)),
                    down = std::round(half * static_cast<float>(bar.removed_per_s / most));
        fill(p, {x, middle - up, w, up}, ui.colors.cached.ink);
        fill(p, {x, middle + 1, w, down}, ui.colors.cached.fill);
    }
    const TextStyle style = type::tick_label(ui);
    const Text rate = fill(ui.text["attach.rate"_t],
                           {{"n", with_commas(static_cast<std::uint64_t>(std::ceil(most)))}});
    text_in(p, style, {room.right() + ui.px(8), room.y - ui.px(2), 0, ui.px(16)}, rate);
}

void draw_mark(const Painter& p, Vec2 at, MarkKind kind) {
    const Ui& ui = p.ui;
    const Color text = ui.colors.text, loss = ui.colors.loss.ink;
    const auto posts = [&](Color color) {
        for (const float dx : {-3.0f, 3.0f})
            vline(p, at.x + ui.px(dx), at.y - ui.px(5), at.y + ui.px(5), color, 1.6f);
    };
    switch (kind) {
        case MarkKind::Connected:
            return p.list.AddCircleFilled(im(at), ui.px(3), im(text));
        case MarkKind::Disconnected:
        case MarkKind::TryFailed:
            return cross_mark(p, at, 9, text, 1.6f);
        case MarkKind::Began:
        case MarkKind::BeganInTheMiddle:
            return triangle(p, at, 10, Dir::Right, text, kind == MarkKind::Began);
        case MarkKind::GapAsked:
            return posts(loss);
        case MarkKind::GapMended:
            posts(text);
            return tick_mark(p, at, 6, text, 1.4f);
        case MarkKind::GapLost:
            posts(loss);
            return cross_mark(p, at, 6, loss, 1.4f);
        case MarkKind::Restarted:
            return p.list.AddCircle(im(at), ui.px(5), im(text), 0, ui.px(1.6f));
    }
}

}  // namespace

// Words stand behind their mark where there is room before the next one, else before it; of marks
// that lie on one another the last one has them.
void draw_stream_lane(const Painter& p, std::span<const StreamMark> marks, const StreamSpan& span,
                      const Rect& lane) {
    const Ui& ui = p.ui;
    const float gap = ui.px(8), least = ui.px(12);
    const auto x_of = [&](std::size_t i) {
        return lane.x + std::clamp(span.x_of(marks[i].time_s, lane.w), 0.0f, lane.w);
    };
    hline(p, lane.x, lane.right(), std::round(lane.center().y), ui.colors.edge);
    float free_from = lane.x;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const float x = x_of(i), next = i + 1 < marks.size() ? x_of(i + 1) : lane.right() + least;
        const Text words = mark_words(ui.text, marks[i]);
        const float w = text_width(ui, type::caption(ui), words) + 2 * gap;
        const bool fits_behind = x + w <= std::min(next - least, lane.right());
        const bool fits_before = next - x >= least && x - w >= free_from;
        if (fits_behind || fits_before) {
            const float left = fits_behind ? x + gap : x - w;
            fill(p, snap({left, lane.y, w - gap, lane.h}), ui.colors.panel);
            text_in(p, type::caption(ui), {left + ui.px(4), lane.y, 0, lane.h}, words);
        }
        free_from = fits_behind ? x + w : x + least;
    }
    for (std::size_t i = 0; i < marks.size(); ++i)
        draw_mark(p, {std::round(x_of(i)), std::round(lane.center().y)}, marks[i].kind);
}

namespace {

// A press or a drag on the stream goes to that time.
void use_stream(const Ui& ui, const ServerView& s, const StreamSpan& span, const Rect& plot) {
    ImGui::SetCursorScreenPos({plot.x, plot.y});
    const Hit hit = hit_item("stream", {plot.w, plot.h});
    if (hit.focused) focus_ring(Painter(ui), plot);
    if (!hit.held || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
    const double at = span.at(std::clamp(ImGui::GetMousePos().x - plot.x, 0.0f, plot.w), plot.w);
    if (s.events > 0)
        ui.out.push("attach.goto", std::floor(std::max(0.0, at - s.tank.start_s) * 10) / 10);
}

}  // namespace

void draw_attach_stream(const Ui& ui, AttachUi& own) {
    const Flush flush;
    static const ServerView kNothing;
    const ServerView& s = own.view ? *own.view : kNothing;
    const Painter p(ui);
    const Rect room = panel_room();
    const Rect row{room.x, room.y, room.w, control_height(ui, false)};
    draw_stream_row(ui, own, row);

    const float top = row.bottom() + ui.px(6);
    const Rect plot{room.x + ui.px(kLabelW), top, std::max(1.0f, room.w - ui.px(kLabelW + kRateW)),
                    room.bottom() - top};
    const StreamSpan span = stream_span(s);
    const bool low = plot.h < ui.px(80);
    const Rect lane{plot.x, plot.bottom() - ui.px(kLaneH), plot.w, ui.px(kLaneH)};
    text_in(p, type::caption(ui), {room.x, lane.y, ui.px(kLabelW - 10), lane.h},
            ui.text["attach.stream"_t]);
    if (!low) {
        const Rect rates{plot.x, top + ui.px(kClockH), plot.w,
                         plot.h - ui.px(kClockH + kLaneH + 4)};
        draw_stream_axis(p, span, s.tank.start_s, {plot.x, top, plot.w, ui.px(kClockH)});
        draw_rates(p, s, span, rates);
        const float half = rates.h / 2;
        text_in(p, type::caption(ui), {room.x, rates.y, ui.px(kLabelW - 10), half},
                ui.text["attach.stored"_t]);
        text_in(p, type::caption(ui), {room.x, rates.y + half, ui.px(kLabelW - 10), half},
                ui.text["attach.removed"_t]);
    }
    draw_stream_lane(p, s.tank.marks, span, lane);
    if (s.events > 0) {
        const float at = plot.x + std::clamp(span.x_of(s.tank.now_s, plot.w), 0.0f, plot.w);
        vline(p, std::round(at) - 1, top, plot.bottom(), ui.colors.focus, 2);
    }
    use_stream(ui, s, span, plot);
    ImGui::SetCursorScreenPos({room.x, room.y});
    ImGui::Dummy({room.w, room.h});
}

}  // namespace kv
