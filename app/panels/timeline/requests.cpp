#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/timeline/panels.hpp"
#include "app/panels/view/facts.hpp"
#include "app/panels/view/sentence.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/edge_list.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kRequestRow = 34, kColumn = 47;
constexpr int kColumns = 4;
constexpr float kFootGap = 6, kStepButton = 30, kStepValue = 44;
constexpr float kTallEnough = 260;  // logical height from which the priority has a line
constexpr float kFirstFrom = 300;   // logical width from which the last column has room

// What a row says in numbers.
struct RequestColumns {
    float width;  // of each
    int shown;
    float all() const { return width * static_cast<float>(shown); }
};
RequestColumns request_columns(const Ui& ui) {
    const float room = ImGui::GetContentRegionAvail().x;
    const int shown = room < ui.px(kFirstFrom) ? kColumns - 1 : kColumns;
    return {std::min(ui.px(kColumn), std::floor(room / static_cast<float>(shown + 2))), shown};
}

void draw_columns(const Ui& ui, const Painter& p, const RequestColumns& columns) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ui.px(22);
    const TextStyle style = type::caption(ui);
    constexpr std::array kNumbers{"requests.stored"_t, "requests.blocks"_t, "requests.reused"_t,
                                  "requests.first"_t};
    static_assert(kNumbers.size() == kColumns);
    text_in(p, style, {at.x + ui.px(36), at.y, width - columns.all() - ui.px(36), height},
            ui.text["requests.state"_t]);
    for (int i = 0; i < columns.shown; ++i)
        text_in(p, aligned(style, Align::Right),
                {at.x + width - columns.width * static_cast<float>(columns.shown - i), at.y,
                 columns.width, height},
                ui.text[kNumbers[static_cast<std::size_t>(i)]]);
    ImGui::Dummy({width, height});
}

void draw_numbers(const Ui& ui, const Painter& p, const RunView& run, SeqId id, const Rect& r,
                  const RequestColumns& columns) {
    const RequestView& request = run.now.requests[id.index()];
    if (request.state == RequestState::Waiting) {
        text_in(p, aligned(type::number_small(ui), Align::Right), r,
                fill(ui.text["requests.queued"_t], {{"n", with_commas(request.tokens.size())}}));
        return;
    }
    std::array<Text, kColumns> values{with_commas(request.stored - dropped_in(run.lane(), id)),
                                      with_commas(blocks_held(run.lane(), id)),
                                      with_commas(request.cached_prompt), "–"};
    if (const auto steps = steps_to_first_token(request)) values.back() = with_commas(*steps);
    for (int i = 0; i < columns.shown; ++i) {
        const Text& value = values[static_cast<std::size_t>(i)];
        const bool is_quiet = value == "0" || value == "–";
        text_in(p,
                aligned(colored(type::number(ui), is_quiet ? ui.colors.text3 : ui.colors.text),
                        Align::Right),
                {r.right() - columns.width * static_cast<float>(columns.shown - i), r.y,
                 columns.width, r.h},
                value);
    }
}

void draw_row(const Ui& ui, const RunView& run, const RunFocus& focus, SeqId id, const EdgeRow& row,
              const RequestColumns& columns) {
    const Painter p(ui);
    const Hit& hit = row.hit;
    const Rect& r = hit.rect;
    const Rect& wash = row.wash;
    const bool on = focus.request == id;
    const bool pointed = focus.pointed.token && focus.pointed.token->request == id;
    if (on || hit.hovered || pointed) fill(p, wash, ui.colors.hover_wash());
    if (on) fill(p, {wash.x, r.y, ui.px(3), r.h}, ui.colors.focus);
    hline(p, wash.x, wash.right(), r.bottom() - ui.line(), ui.colors.line);
    draw_request_tag(p, {r.x + ui.px(10), r.center().y}, 18, tag_of(run.now, id));
    const bool waits = run.now.requests[id.index()].state == RequestState::Waiting;
    const float numbers = waits ? ui.px(74) : columns.all();
    const Rect words{r.x + ui.px(36), r.y, std::max(1.0f, r.w - ui.px(36) - numbers), r.h};
    text_in(p, colored(type::body(ui), waits ? ui.colors.text2 : ui.colors.text), words,
            request_state_words(ui.text, run.now, id));
    draw_numbers(ui, p, run, id, r, columns);
    if (hit.focused) focus_ring(p, r);
    if (hit.pressed) ui.out.push("focus.request", run.now.requests[id.index()].name);
}

void draw_buttons(const Ui& ui, const RunView& run, const RunFocus& focus) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float gap = ui.px(8), width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
    const auto place = [&](int i) {
        ImGui::SetCursorScreenPos({at.x + (width + gap) * static_cast<float>(i), at.y});
    };
    place(0);
    if (button(ui, "add", ui.text["requests.add"_t], {.dense = true, .width = width}))
        ui.out.push("run.add");
    const bool lives = focus.request.index() < run.now.requests.size() &&
                       !run.now.requests[focus.request.index()].finish;
    const Text name = name_of_request(run.now, focus.request);
    place(1);
    if (button(ui, "fork", ui.text["requests.fork"_t],
               {.enabled = lives && is_running(run.now, focus.request),
                .dense = true,
                .width = width}))
        ui.out.push("run.fork", name);
    place(2);
    if (button(ui, "stop", ui.text["requests.stop"_t],
               {.enabled = lives, .dense = true, .width = width}))
        ui.out.push("run.do", "stop " + name);
}

// "Priority of A   - 0 +": the lowest is taken out first when blocks run out.
void draw_priority(const Ui& ui, const RunView& run, const RunFocus& focus) {
    const RequestView& request = run.now.requests[focus.request.index()];
    const Text name = name_of_request(run.now, focus.request);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = control_height(ui, true), wide = ui.px(kStepButton),
                right = at.x + ImGui::GetContentRegionAvail().x;
    const auto step = [&](const char* id, std::string_view label, float x, int by) {
        ImGui::SetCursorScreenPos({x, at.y});
        if (button(ui, id, label,
                   {.enabled = !request.finish.has_value(), .dense = true, .width = wide}))
            ui.out.push("run.do", "priority " + name + " " + std::to_string(request.priority + by));
    };
    step("lower", "-", right - 2 * wide - ui.px(kStepValue), -1);
    step("higher", "+", right - wide, 1);
    const Painter p(ui);
    text_in(p, aligned(type::number(ui), Align::Center),
            {right - wide - ui.px(kStepValue), at.y, ui.px(kStepValue), height},
            std::to_string(request.priority));
    text_in(p, type::body(ui),
            {at.x, at.y, right - at.x - 2 * wide - ui.px(kStepValue + 8), height},
            fill(ui.text["requests.priority"_t], {{"name", name}}));
    ImGui::SetCursorScreenPos({at.x, at.y + height + ui.px(kFootGap)});
}

}  // namespace

Text request_state_words(const Texts& text, const Snapshot& now, SeqId id) {
    const RequestView& r = now.requests[id.index()];
    switch (r.state) {
        case RequestState::Waiting: {
            if (!r.waits) return text["stage.state.waiting"_t];
            const auto name = [&](SeqId other) { return name_of_request(now, other); };
            return fill(text["requests.waits"_t], {{"why", reason_in(text, *r.waits, name)}});
        }
        case RequestState::Running: {
            const std::uint32_t prompt = r.n_prompt;
            if (r.stored < prompt && r.n_new == 0)
                return fill(text["requests.prefill"_t],
                            {{"done", with_commas(r.stored)}, {"all", with_commas(prompt)}});
            return r.parent ? fill(text["requests.fork_of"_t],
                                   {{"name", name_of_request(now, *r.parent)}})
                            : Text(text["requests.decode"_t]);
        }
        case RequestState::Preempted:
            return text[r.swapped ? "requests.swapped"_t : "requests.preempted"_t];
        case RequestState::Paused:
            return text["requests.paused"_t];
        case RequestState::Refused:
            return text["requests.refused"_t];
        case RequestState::Finished:
            break;
    }
    return text["requests.finished"_t];
}

Text requests_caption(const Ui& ui, const RunView& run) {
    return fill(ui.text["requests.caption"_t],
                {{"run", with_commas(run.now.running.size())},
                 {"wait", with_commas(run.now.waiting.size() + run.now.paused.size())}});
}

void draw_requests(const Ui& ui, const RunView& run, RunFocus& focus) {
    const Flush flush;
    const RequestColumns columns = request_columns(ui);
    draw_columns(ui, Painter(ui), columns);
    rule(ui, RuleSpan::Window, 0, 0);
    // A record of a run takes no new requests.
    const bool known = focus.request.index() < run.now.requests.size();
    const bool has_priority =
        run.has_engine && known && ImGui::GetContentRegionAvail().y >= ui.px(kTallEnough);
    const float line = control_height(ui, true);
    const float buttons = run.has_engine ? line + ui.px(10) : 0;
    const float foot = buttons + (has_priority ? line + ui.px(kFootGap) : 0);
    if (run.now.requests.empty()) {
        space(ui, 8);
        paragraph(ui, type::caption(ui), 17, ui.text["requests.none"_t]);
    }
    const float room = std::max(ui.px(kRequestRow), ImGui::GetContentRegionAvail().y - foot);
    const List<SeqId> order = requests_in_order(run.now);
    edge_list(ui, "rows", room, order.size(), kRequestRow, [&](std::size_t i, const EdgeRow& row) {
        draw_row(ui, run, focus, order[i], row, columns);
    });
    space(ui, 10);
    if (has_priority) draw_priority(ui, run, focus);
    if (run.has_engine) draw_buttons(ui, run, focus);
}

}  // namespace kv
