#pragma once
// One picture of every widget in its states, drawn from state that is given. sheet_test.cpp draws
// it in all themes and sizes; looking at it is how the look is judged.

#include <array>
#include <cmath>

#include "app/widgets/chart/bars.hpp"
#include "app/widgets/chart/chart.hpp"
#include "app/widgets/chart/factors.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/fields.hpp"
#include "app/widgets/message.hpp"
#include "app/widgets/rows.hpp"
#include "app/widgets/tags.hpp"

namespace kv::sheet {

using Words = std::span<const std::string_view>;

// What the person asked for in this frame, so that a test can click and see.
struct Answers {
    bool pressed = false, flipped = false, linked = false;
    std::optional<std::size_t> chosen, dropped;
    std::optional<std::uint64_t> number;
    std::optional<double> slid;
    FactorsHit factors;
    MessageAnswer message = MessageAnswer::None;
};

inline void same_line(const Ui& ui, float gap = 8) {
    ImGui::SameLine(0, ui.px(gap));
}

inline void transport(const Ui& ui, Answers& out) {
    section_head(ui, "Transport", "words and keys, no icons");
    out.pressed |= button(ui, "back", "Back", {.key = "Left"});
    same_line(ui);
    button(ui, "play", "Play", {.primary = true, .key = "Space"});
    same_line(ui);
    button(ui, "forward", "Forward", {.key = "Right"});
    same_line(ui, 20);
    constexpr std::array<std::string_view, 4> steps{"Op", "Layer", "Token", "Request"};
    segmented(ui, "step", steps, 1, {.dense = false});
    same_line(ui, 20);
    constexpr std::array<std::string_view, 4> speeds{"0.5", "1", "2", "4"};
    segmented(ui, "speed", speeds, 1, {.dense = false});
}

// The states that only a mouse or a key brings about, painted as the controls paint them.
inline void painted_state(const Ui& ui, std::string_view label, Hit hit, bool on, bool primary) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    hit.rect = {at.x, at.y, ui.px(97), control_height(ui, false)};
    const Painter p(ui);
    const ControlPaint paint = control_paint(ui.colors, hit, on, primary);
    draw_control(p, hit, paint);
    text_in(p, {ui.fonts.medium, 13, paint.ink, Align::Center}, hit.rect, label);
    ImGui::Dummy({hit.rect.w, hit.rect.h});
    same_line(ui, 14);
}

inline void control_states(const Ui& ui) {
    section_head(ui, "Control states");
    painted_state(ui, "Rest", {}, false, false);
    painted_state(ui, "Hover", {.hovered = true}, false, false);
    painted_state(ui, "Focus", {.focused = true}, false, false);
    painted_state(ui, "Pressed", {}, true, false);
    painted_state(ui, "Primary", {}, false, true);
    painted_state(ui, "Disabled", {.enabled = false}, false, false);
    ImGui::NewLine();
}

inline void badges(const Ui& ui) {
    section_head(ui, "Badges");
    const TextStyle text = colored(type::body(ui), ui.colors.text);
    const TextStyle value = sized(type::number_strong(ui), 13);
    const std::array proof{Run{text, "max |logit difference|"}, Run{value, "= 0", 6}};
    badge(ui, "proof", "Proved", proof);
    same_line(ui, 12);
    const std::array lossy{Run{text, "max |logit difference|"}, Run{value, "5.21", 6}};
    badge(ui, "lossy", "Lossy", lossy, {.loss = true});
    same_line(ui, 12);
    const std::array open{Run{text, "nothing has run"}};
    badge(ui, "open", "Not checked", open, {.quiet = true});
}

inline void objects(const Ui& ui) {
    section_head(ui, "Objects");
    const Painter p(ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    constexpr std::array<std::string_view, 5> words{"rest", "hover", "selected", "focus", "linked"};
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Rect r{at.x + ui.px(5 + 124 * static_cast<float>(i)), at.y + ui.px(8), ui.px(40),
                     ui.px(40)};
        const Hue& hue = request_hue(ui.colors, 0);
        fill(p, r, ui.colors.wash_of(hue), 3);
        outline(p, r, hue.ink, 3);
        draw_request_tag(p, {r.right() - ui.px(11), r.y + ui.px(11)}, 12, {0});
        if (i == 1) hover_ring(p, r);
        if (i == 2) brackets(p, r, ui.colors.focus);
        if (i == 3) focus_ring(p, r, 3);
        if (i == 4) linked_ring(p, r);
        text_in(p, type::body(ui), {r.right() + ui.px(12), r.y, ui.px(60), r.h}, words[i]);
    }
    ImGui::Dummy({ui.px(560), ui.px(56)});
}

inline void settings(const Ui& ui, Answers& out) {
    constexpr float gap = 7;
    control_head(ui, "Attention", "512 B per token");
    constexpr std::array<std::string_view, 3> attention{"MHA 8", "GQA 2", "MQA 1"};
    const float width = ImGui::GetContentRegionAvail().x;
    out.chosen = segmented(ui, "attention", attention, 1, {.width = width});
    space(ui, gap);
    control_head(ui, "K stored as", "256 B");
    constexpr std::array<std::string_view, 4> types{"BF16", "FP8", "INT8", "INT4"};
    segmented(ui, "k", types, 0, {.width = width});
    space(ui, gap);
    control_head(ui, "V stored as", "off");
    segmented(ui, "v", types, 3, {.enabled = false, .width = width});
    space(ui, gap);
    control_head(ui, "Payload");
    constexpr std::array<std::string_view, 2> payload{"K", "V"};
    const std::array hues{ui.colors.k, ui.colors.v};
    segmented(ui, "payload", payload, 1, {.hues = hues});
    space(ui, gap);
    control_head(ui, "Token eviction", "lossy");
    constexpr std::array<std::string_view, 3> policies{"Keep all", "Sinks + window", "SnapKV"};
    out.dropped = dropdown(ui, "policy", policies, 1);
    space(ui, 5);
    out.slid = slider(ui, "window", 128, {.min = 16, .max = 256, .step = 16});
    slider(ui, "off", 0.25, {.enabled = false});
    space(ui, gap);
    out.flipped = toggle(ui, "share", "Prefix sharing", true, {.caption = "full blocks only"});
    toggle(ui, "offload", "Offload to host", false, {.caption = "least recently used"});
    toggle(ui, "none", "No host memory", true, {.enabled = false});
    checkbox(ui, "log", "Log every op", true);
    checkbox(ui, "log2", "Log nothing", false, {.caption = "quiet"});
    out.linked = link(ui, "leaves", "Leaves out");
    space(ui, gap);
    const float half = std::floor((width - ui.px(8)) / 2);
    button(ui, "restart", "Restart", {.width = half});
    same_line(ui);
    button(ui, "branch", "Branch here", {.primary = true, .width = half});
    space(ui, 8);
    button(ui, "lock", "Lock scrubbers", {.dense = true, .on = true});
    same_line(ui);
    button(ui, "off2", "Not now", {.enabled = false, .dense = true});
}

inline void fields(const Ui& ui, Answers& out, FieldUi& good, FieldUi& bad) {
    space(ui, 16);
    section_head(ui, "Fields");
    control_head(ui, "Tokens");
    out.number = number_field(ui, "tokens", good, 4096, {.min = 1, .max = 131072, .step = 256});
    space(ui, 7);
    control_head(ui, "Page size");
    number_field(ui, "page", bad, 16,
                 {.min = 1, .max = 1024, .refusal = "A whole number from 1 to 1,024. 16 stays."});
    space(ui, 7);
    text_field(ui, "config", "", {.hint = "config.json"});
}

inline void equation(const Ui& ui, Answers& out) {
    paragraph(ui, type::body(ui), 20, "Bytes held by live tokens");
    space(ui, 8);
    constexpr std::array<Factor, 6> factors{{{"2", "K and V"},
                                             {"4", "layers"},
                                             {"2", "KV heads"},
                                             {"16", "head dim"},
                                             {"2 B", "per value"},
                                             {"403", "tokens"}}};
    out.factors = draw_factors(ui, "factors", factors, {.selected = 2});
    space(ui, 5);
    value_row(ui, "= live", "206,336 B", {.strong = true, .label_color = ui.colors.text2});
    value_row(ui, "measured in the pool", "206,336 B");
    value_row(ui, "+ 17 holes, 28 empty slots", "23,040 B", {.value_color = ui.colors.loss.ink});
    value_row(ui, "= allocated: 28 × 8,192", "229,376 B", {.total = true});
    rule(ui);
    paragraph(ui, colored(type::body(ui), ui.colors.text3), 20, "Same 403 tokens with");
    constexpr std::array bars{Bar{"MHA 8", "825,344 B", 825344},
                              Bar{"GQA 2", "206,336 B", 206336, true},
                              Bar{"MQA 1", "103,168 B", 103168}};
    draw_bars(ui, "bars", bars);
    space(ui, 12);
    const std::array reference{Bar{.label = "barn", .value = "0.02", .amount = 0.02, .tick = 0.86},
                               Bar{.label = "a token with a long name",
                                   .value = "0.68",
                                   .amount = 0.68,
                                   .color = ui.colors.loss.fill,
                                   .tick = 0.05}};
    draw_bars(ui, "reference", reference);
}

inline void stacks(const Ui& ui) {
    section_head(ui, "One card", "80 GB", "72.3 of 80");
    const std::array fits{Segment{40, SegmentFill::Solid, ui.colors.text2, "weights"},
                          Segment{20, SegmentFill::Solid, ui.colors.k.fill, "KV"},
                          Segment{10, SegmentFill::Hatched, ui.colors.cached.ink},
                          Segment{0.01, SegmentFill::Solid, ui.colors.loss.fill},
                          Segment{5, SegmentFill::Dashed, ui.colors.edge}};
    draw_stack(ui, "fits", fits, {.capacity = 80});
    space(ui, 8);
    const std::array over{Segment{140, SegmentFill::Solid, ui.colors.text2, "weights"},
                          Segment{43, SegmentFill::Solid, ui.colors.k.fill, "KV"}};
    draw_stack(ui, "over", over, {.capacity = 80, .capacity_label = "80 GB"});
    space(ui, 4);
    const std::array key{
        KeyEntry{SegmentFill::Solid, ui.colors.text2, "Weights", "140 GB"},
        KeyEntry{SegmentFill::Solid, ui.colors.k.fill, "KV", "43 GB"},
        KeyEntry{SegmentFill::Hatched, ui.colors.loss.fill, "Does not fit", "103 GB"},
        KeyEntry{SegmentFill::Dashed, ui.colors.edge, "Cached", "8 blocks"},
        KeyEntry{SegmentFill::Empty, ui.colors.line, "Free", "0 B"}};
    draw_key(ui, key);
}

inline void signs(const Ui& ui) {
    section_head(ui, "Requests", "letter + shape + hue; after C the hues repeat with a new shape");
    const Painter p(ui);
    ImVec2 at = ImGui::GetCursorScreenPos();
    const auto place = [&](float x) { return Vec2{at.x + ui.px(x), at.y + ui.px(15)}; };
    for (std::size_t i = 0; i < 10; ++i)
        draw_request_tag(p, place(11 + 38 * static_cast<float>(i)), 22, {i});
    draw_request_tag(p, place(391), 22, {23, true});
    draw_request_tag(p, place(429), 22, {7, false, true});
    draw_letter_tag(p, place(480), 22, "K", ui.colors.k);
    draw_letter_tag(p, place(508), 22, "V", ui.colors.v);
    draw_side_mark(p, place(550), 14, CompareSide::Left, ui.colors.text);
    draw_side_mark(p, place(576), 14, CompareSide::Right, ui.colors.text);
    for (std::size_t i = 0; i < 3; ++i)
        draw_request_tag(p, place(610 + 24 * static_cast<float>(i)), 16, {3 * i});
    ImGui::Dummy({ui.px(560), ui.px(30)});
    section_head(ui, "Events", "marks on the timeline and in the log");
    at = ImGui::GetCursorScreenPos();
    constexpr std::array<std::string_view, kEventMarks> names{
        "admit", "allocate", "free", "share", "copy", "fork", "evict", "offload", "back", "finish"};
    for (std::size_t i = 0; i < kEventMarks; ++i) {
        const float x = 70 * static_cast<float>(i);
        draw_event_mark(p, place(x + 7), 14, static_cast<EventMark>(i));
        text_in(p, type::caption(ui), {at.x + ui.px(x + 20), at.y, ui.px(50), ui.px(30)}, names[i]);
    }
    ImGui::Dummy({ui.px(700), ui.px(30)});
}

inline void strokes(const Ui& ui) {
    section_head(ui, "Lines and marks");
    const Painter p(ui);
    const Palette& c = ui.colors;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const auto cell = [&](float x) { return Rect{at.x + ui.px(x), at.y, ui.px(44), ui.px(28)}; };
    dashed_outline(p, cell(0), c.edge, 3);
    hatch(p, cell(56), c.edge);
    outline(p, cell(56), c.edge, 0);
    outline(p, cell(112), c.text, 3, 2);
    tick_mark(p, cell(160).center(), 12, c.text);
    cross_mark(p, cell(184).center(), 12, c.loss.ink);
    chevron(p, cell(208).center(), 12, Dir::Down, c.text2);
    chevron(p, cell(232).center(), 12, Dir::Right, c.text2);
    arrow(p, {cell(268).x, cell(268).center().y}, {cell(300).x, cell(300).center().y}, c.text2);
    const Rect box = cell(320);
    const std::array route{Vec2{box.x, box.y}, Vec2{box.x + ui.px(60), box.y},
                           Vec2{box.x + ui.px(60), box.bottom()},
                           Vec2{box.x + ui.px(110), box.bottom()}};
    const std::array across{Vec2{box.x, box.center().y}, Vec2{box.x + ui.px(110), box.center().y}};
    connector(p, route, {c.request[0].ink, c.panel});
    connector(p, across, {c.focus, c.panel, 2.5f});
    dashed_line(p, {box.x + ui.px(130), box.y}, {box.x + ui.px(200), box.bottom()}, c.text3);
    draw_key_cap(p, {box.x + ui.px(220), box.center().y}, "Enter");
    const TextStyle cut = colored(type::body(ui), c.text);
    text_in(p, cut, {box.x + ui.px(280), box.y, ui.px(90), box.h}, "a label that is too long");
    ImGui::Dummy({ui.px(600), ui.px(34)});
}

inline void messages(const Ui& ui, Answers& out) {
    section_head(ui, "Messages", "say what happened, why, and what to do next");
    constexpr std::array<std::string_view, 2> empty{"Token 0 has no earlier token to look back at.",
                                                    "Step forward to process the prompt."};
    out.message = message_card(
        ui, "empty", {"No attention yet", empty, "empty panel", "Forward", {}, false}, ui.px(380));
    same_line(ui, 12);
    constexpr std::array<std::string_view, 1> full{
        "All other blocks belong to running requests; none can go. Finish a request, add blocks, "
        "or "
        "turn on offload."};
    message_card(ui, "full",
                 {"H waits: 5 blocks needed, 1 free", full, "domain refusal", "Add 16 blocks",
                  "Offload", true},
                 ui.px(420));
}

inline void memory_chart(const Ui& ui) {
    constexpr std::array<double, 8> xs{1, 8, 16, 40, 41, 60, 90, 112};
    constexpr std::array<double, 8> live{20, 70, 150, 230, 130, 150, 120, 201.5};
    constexpr std::array<double, 8> alloc{30, 80, 160, 250, 160, 165, 150, 224};
    constexpr std::array<double, 8> cached{30, 80, 160, 250, 260, 290, 330, 376}, none{};
    constexpr std::array<ChartTick, 4> y{{{0, "0"}, {128, "128"}, {256, "256"}, {384, "384"}}};
    constexpr std::array<ChartTick, 3> x{{{1, "1"}, {56, "56"}, {112, "112", true}}};
    const Palette& c = ui.colors;
    const ChartSpec spec{.title = "Memory",
                         .unit = "KiB",
                         .x = {.min = 1, .max = 112, .ticks = x, .grid = false},
                         .y = {.min = 0, .max = 384, .ticks = y},
                         .height = ui.px(170),
                         .width = ui.px(270),
                         .playhead = 112};
    if (const Chart chart = begin_chart(ui, "memory", spec)) {
        chart_area(chart, xs, alloc, cached, mix(c.panel, c.text, 0.16));
        chart_area(chart, xs, live, alloc, c.loss.fill);
        chart_area(chart, xs, none, live, mix(c.panel, c.text, 0.5));
        chart_line(chart, xs, alloc, {.color = c.text});
        const std::array ends{EndLabel{376, "376", "with cached"},
                              EndLabel{224, "224", "alloc", true, true},
                              EndLabel{201.5, "201.5", "live"}};
        chart_end_labels(chart, ends);
        chart_note(chart, 56, 60, {0, 0}, {ui.fonts.medium, 12, c.on_fill, Align::Center}, "live");
        end_chart(chart);
    }
}

inline void evicted_chart(const Ui& ui) {
    constexpr std::array<double, 4> lx{1, 20, 70, 112}, ly{0.5, 1.5, 2.5, 2};
    constexpr std::array<ChartTick, 3> y{{{0, "0"}, {2, "2"}, {4, "4"}}};
    constexpr std::array<ChartTick, 3> x{{{1, "1"}, {56, "56"}, {112, "112", true}}};
    const ChartSpec spec{.title = "Evicted tokens",
                         .unit = "per step",
                         .x = {.min = 1, .max = 112, .ticks = x, .grid = false},
                         .y = {.min = 0, .max = 4, .ticks = y},
                         .height = ui.px(170),
                         .width = ui.px(270),
                         .playhead = 112};
    if (const Chart chart = begin_chart(ui, "evicted", spec)) {
        chart_line(chart, lx, ly, {.color = ui.colors.text2, .steps = true});
        chart_markers(chart, lx, ly, Marker::Ring, ui.colors.text, 3);
        const std::array ends{EndLabel{2, "1", "131 in all", true}};
        chart_end_labels(chart, ends);
        end_chart(chart);
    }
}

inline void roofline(const Ui& ui) {
    constexpr std::array<ChartTick, 3> y{{{10, "10"}, {100, "100"}, {1000, "1,000"}}};
    constexpr std::array<ChartTick, 8> x{
        {{1, "1"}, {2}, {4, "4"}, {8, "8"}, {16}, {32, "32"}, {64}, {128, "128"}}};
    constexpr std::array<double, 3> roof_x{0.5, 12.7, 256}, roof_y{20.5, 520, 520};
    constexpr std::array<double, 2> l2_x{0.5, 1.1}, l2_y{232, 510};
    constexpr std::array<double, 3> ring_x{1, 4, 8}, ring_y{41, 164, 328};
    const ChartSpec spec{.x = {.min = 0.5, .max = 256, .log = true, .ticks = x},
                         .y = {.min = 10, .max = 1000, .log = true, .ticks = y},
                         .x_label = "FLOP per byte of KV read",
                         .y_label = "GFLOP/s",
                         .height = ui.px(250),
                         .width = ui.px(364),
                         .label_room = 0,
                         .frame = true};
    if (const Chart chart = begin_chart(ui, "roofline", spec)) {
        const Palette& c = ui.colors;
        chart_line(chart, l2_x, l2_y, {.color = c.text3, .dash = LineDash::Dashed});
        chart_line(chart, roof_x, roof_y, {.color = c.text, .width = 2});
        chart_markers(chart, ring_x, ring_y, Marker::Ring, c.text2, 5);
        constexpr std::array<double, 1> now_x{4}, now_y{236}, pre_x{128}, pre_y{412};
        chart_markers(chart, now_x, now_y, Marker::Square, c.focus, 5);
        chart_markers(chart, pre_x, pre_y, Marker::Triangle, c.text2, 5);
        const TextStyle word = type::body(ui);
        chart_note(chart, 1, 41, {9, 8}, word, "MHA");
        chart_note(chart, 4, 164, {11, 2}, type::strong(ui), "GQA");
        chart_note(chart, 4, 236, {-10, -6},
                   aligned(sized(type::number_strong(ui), 13), Align::Right), "now 236");
        chart_note(chart, 20, 520, {0, -11}, word, "compute 520");
        end_chart(chart);
    }
}

inline void empty_chart(const Ui& ui) {
    constexpr std::array<ChartTick, 2> y{{{0, "0"}, {1, "1"}}};
    const ChartSpec spec{.title = "Nothing yet",
                         .unit = "axes only",
                         .y = {.ticks = y},
                         .height = ui.px(120),
                         .width = ui.px(270)};
    if (const Chart chart = begin_chart(ui, "nothing", spec)) end_chart(chart);
}

template <class Draw>
void column(const Ui& ui, const char* id, float x, float y, float w, float h, Draw draw) {
    ImGui::SetCursorPos({ui.px(x), ui.px(y)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{ui.px(8), ui.px(4)});
    ImGui::BeginChild(id, {ui.px(w), ui.px(h)},
                      ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding,
                      ImGuiWindowFlags_NoScrollbar);
    ImGui::PopStyleVar();
    draw();
    ImGui::EndChild();
}

inline constexpr Vec2 kSheetSize{1160, 900};  // logical pixels

inline Answers draw_widget_sheet(const Ui& ui, FieldUi& good, FieldUi& bad) {
    Answers out;
    column(ui, "left", 16, 16, 280, 868, [&] {
        settings(ui, out);
        fields(ui, out, good, bad);
    });
    column(ui, "top", 312, 16, 840, 380, [&] {
        transport(ui, out);
        space(ui, 12);
        control_states(ui);
        space(ui, 12);
        objects(ui);
        space(ui, 4);
        signs(ui);
    });
    column(ui, "strokes", 312, 392, 832, 70, [&] { strokes(ui); });
    column(ui, "equation", 304, 474, 364, 360, [&] { equation(ui, out); });
    column(ui, "stacks", 692, 474, 452, 160, [&] { stacks(ui); });
    column(ui, "memory", 692, 640, 452, 200, [&] { memory_chart(ui); });
    return out;
}

inline constexpr Vec2 kSecondSheetSize{1000, 548};

inline Answers draw_second_sheet(const Ui& ui) {
    Answers out;
    column(ui, "roofline", 16, 16, 380, 260, [&] { roofline(ui); });
    column(ui, "evicted", 410, 16, 290, 190, [&] { evicted_chart(ui); });
    column(ui, "nothing", 704, 16, 290, 160, [&] { empty_chart(ui); });
    column(ui, "messages", 16, 290, 968, 250, [&] {
        messages(ui, out);
        space(ui, 12);
        badges(ui);
    });
    return out;
}

}  // namespace kv::sheet
