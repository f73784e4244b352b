#include <algorithm>

#include "app/panels/timeline/panels.hpp"
#include "app/panels/timeline/sentences.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/edge_list.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

constexpr float kToggle = 26, kToggleGap = 6, kEventRow = 40, kWhyLine = 16;
constexpr float kWide = 420;  // logical width of a panel in which most reasons fit into a line
// What stands before the sentence: the number of the step, its mark and the request's tag.
constexpr float kEventStep = 30, kEventMark = 16, kEventTag = 40, kEventSentence = 58;

// How many lines of a row its reason may take. One number for all rows, so that they can be counted
// instead of measured.
int why_lines(const Ui& ui, float width) {
    return width < ui.px(kWide) ? 2 : 1;
}

constexpr std::array kMarkNames{"mark.admit"_t,  "mark.allocate"_t, "mark.free"_t,
                                "mark.share"_t,  "mark.copy"_t,     "mark.fork"_t,
                                "mark.evict"_t,  "mark.offload"_t,  "mark.bring_back"_t,
                                "mark.finish"_t, "mark.draft"_t};

// One toggle per kind of event; they wrap when the panel is narrow.
void draw_toggles(const Ui& ui, const Painter& p, EventsUi& own) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float size = ui.px(kToggle), step = size + ui.px(kToggleGap);
    const float room = ImGui::GetContentRegionAvail().x;
    const auto columns =
        static_cast<std::size_t>(std::max(1.0f, (room + ui.px(kToggleGap)) / step));
    for (std::size_t i = 0; i < kEventMarks; ++i) {
        const std::size_t column = i % columns, row = i / columns;
        ImGui::SetCursorScreenPos(
            {at.x + step * static_cast<float>(column), at.y + step * static_cast<float>(row)});
        const Hit hit = hit_item(PartId(i).c_str(), {size, size});
        const bool on = !own.hidden[i];
        fill(p, hit.rect, on ? ui.colors.raised : ui.colors.inset, 4);
        outline(p, hit.rect,
                hit.hovered ? ui.colors.text
                : on        ? ui.colors.edge
                            : ui.colors.line,
                4);
        const auto mark = static_cast<EventMark>(i);
        if (on)
            draw_event_mark(p, hit.rect.center(), 14, mark);
        else
            draw_event_mark(p, hit.rect.center(), 14, mark, ui.colors.text3);
        if (hit.focused) focus_ring(p, hit.rect);
        if (hit.pressed) own.hidden[i] = on;
        if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal))
            ImGui::SetTooltip("%s", ui.text[kMarkNames[i]]);
    }
    const std::size_t rows = (kEventMarks + columns - 1) / columns;
    ImGui::SetCursorScreenPos({at.x, at.y + step * static_cast<float>(rows) - ui.px(kToggleGap)});
    ImGui::Dummy({1, 1});
}

void select(const Ui& ui, const RunView& run, const Event& event, std::uint64_t number) {
    ui.out.push("run.moment", number + 1);
    if (event.request) ui.out.push("focus.request", name_of_request(run.now, *event.request));
    if (const auto* e = std::get_if<BlockAllocated>(&event.what))
        ui.out.push("select.block", std::uint64_t{e->block.value});
    if (const auto* e = std::get_if<BlockFreed>(&event.what))
        ui.out.push("select.block", std::uint64_t{e->block.value});
    if (const auto* e = std::get_if<BlockCopied>(&event.what))
        ui.out.push("select.block", std::uint64_t{e->to.value});
}

std::optional<BlockId> block_of(const Event& event) {
    if (const auto* e = std::get_if<BlockAllocated>(&event.what)) return e->block;
    if (const auto* e = std::get_if<BlockShared>(&event.what)) return e->block;
    if (const auto* e = std::get_if<BlockFreed>(&event.what)) return e->block;
    if (const auto* e = std::get_if<BlockCopied>(&event.what)) return e->to;
    if (const auto* e = std::get_if<BlockRecoded>(&event.what)) return e->block;
    return std::nullopt;
}

// The reason in as many lines as there are; what is left of it ends in "…" with all of it as a
// tooltip.
void paint_why(const Painter& p, const Rect& at, int lines, std::string_view why) {
    const Ui& ui = p.ui;
    const TextStyle style = type::caption(ui);
    Rect line{at.x, at.y, at.w, ui.px(18)};
    for (; lines > 1 && text_width(ui, style, why) > at.w; --lines) {
        std::size_t end = 0;  // of the longest beginning of whole words that fits
        for (std::size_t space = why.find(' '); space != std::string_view::npos;
             space = why.find(' ', space + 1)) {
            if (text_width(ui, style, why.substr(0, space)) > at.w) break;
            end = space;
        }
        if (end == 0) break;
        text_in(p, style, line, why.substr(0, end));
        why.remove_prefix(end + 1);
        line.y += ui.px(kWhyLine);
    }
    text_in(p, style, line, why);
}

// The width of the column of steps, in which the last one fits.
float width_of_steps(const Ui& ui, const RunHistory& history) {
    return std::max(
        ui.px(kEventStep),
        std::ceil(text_width(ui, type::number_small(ui), with_commas(history.last_iteration()))));
}

void draw_row(const Ui& ui, const RunView& run, RunFocus& focus, const RunMark& mark,
              float steps_width, const EdgeRow& row) {
    const Painter p(ui);
    const Event event = run.trace.event(mark.event);
    const Hit& hit = row.hit;
    const Rect& r = hit.rect;
    const bool current = mark.iteration == run.now.iteration;
    if (hit.hovered || current) fill(p, row.wash, ui.colors.hover_wash());
    if (hit.focused) focus_ring(p, r);
    const float top = r.y + ui.px(2), line = ui.px(20);
    text_in(p, aligned(type::number_small(ui), Align::Right), {r.x, top, steps_width, line},
            with_commas(mark.iteration));
    const float after = r.x + steps_width;
    draw_event_mark(p, {after + ui.px(kEventMark), top + line / 2}, 12, mark.mark);
    if (event.request)
        draw_request_tag(p, {after + ui.px(kEventTag), top + line / 2}, 16,
                         tag_of(run.now, *event.request));
    const EventSentence words = sentence_of(ui.text, run.now, event);
    const float x = after + ui.px(kEventSentence), room = std::max(1.0f, r.right() - x);
    text_in(p, colored(type::body(ui), ui.colors.text), {x, top, room, line}, words.what);
    paint_why(p, {x, top + line - ui.px(2), room, r.h}, why_lines(ui, r.w), words.why);
    if (hit.hovered) {
        focus.next_pointed.iteration = mark.iteration;
        focus.next_pointed.block = block_of(event);
    }
    if (hit.pressed) select(ui, run, event, mark.event);
}

}  // namespace

Text events_caption(const Ui& ui, const EventsUi& own) {
    return fill(ui.text["events.caption"_t],
                {{"shown", with_commas(own.rows.size())}, {"all", with_commas(own.rows.all())}});
}

void draw_events(const Ui& ui, const RunView& run, RunFocus& focus, const RunHistory& history,
                 EventsUi& own) {
    const Flush flush;
    draw_toggles(ui, Painter(ui), own);
    rule(ui, RuleSpan::Window, 8, 0);
    own.rows.follow(history, own.hidden, run.moment);
    if (own.rows.size() == 0) {
        space(ui, 12);
        return paragraph(ui, type::caption(ui), 17, ui.text["events.none"_t]);
    }
    const int lines = why_lines(ui, ImGui::GetContentRegionAvail().x);
    const float steps_width = width_of_steps(ui, history);
    const float height = kEventRow + kWhyLine * static_cast<float>(lines - 1);
    edge_list(ui, "rows", 0, own.rows.size(), height, [&](std::size_t i, const EdgeRow& row) {
        draw_row(ui, run, focus, own.rows.newest(history, i), steps_width, row);
    });
}

}  // namespace kv
