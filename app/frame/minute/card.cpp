#include "app/frame/minute/card.hpp"

#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/widgets/controls.hpp"
#include "app/widgets/prose.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kPad = 28, kTop = 22, kHead = 24, kTitle = 46, kPitch = 25, kBetween = 13,
                kIndent = 36, kBarsAbove = 22, kBars = 6, kButtonsAbove = 28, kFoot = 26,
                kField = 38, kFieldAbove = 14;  // logical pixels

bool has_discs(const MinuteCard& card) {
    return std::any_of(card.stop.items.begin(), card.stop.items.end(),
                       [](const StopItem& item) { return item.disc > 0; });
}

List<ProsePiece> prose_of(const Ui& ui, const StopItem& item) {
    const TextStyle words{ui.fonts.regular, 17, ui.colors.text2};
    const TextStyle value{ui.fonts.bold, 17, ui.colors.text};
    List<ProsePiece> prose;
    for (const SentencePiece& piece : item.words)
        prose.push_back({piece.text, piece.is_value ? value : words});
    return prose;
}

float text_width_of(const MinuteCard& card, float width) {
    const Ui& ui = card.ui();
    return width - 2 * ui.px(kPad) - (has_discs(card) ? ui.px(kIndent) : 0);
}

float title_height(const MinuteCard& card, float width) {
    const Ui& ui = card.ui();
    return wrapped_height(ui, type::lesson_title(ui), 32, width - 2 * ui.px(kPad),
                          ui.text[card.stop.title]) +
           ui.px(kTitle - 32);
}

float problem_height(const MinuteCard& card, float width) {
    const Ui& ui = card.ui();
    if (card.own().problem.empty()) return 0;
    return ui.px(6) + wrapped_height(ui, type::body(ui), 19, width - 2 * ui.px(kPad),
                                     card.own().problem.in(ui.text));
}

void draw_head(const MinuteCard& card, const Rect& line) {
    const Ui& ui = card.ui();
    const Painter p(ui);
    text_in(p, type::caption(ui), line, ui.text["minute.name"_t]);
    const List<SentencePiece> of =
        pieces(ui.text["minute.of"_t],
               {{"stop", with_commas(card.own().stop)}, {"stops", with_commas(kMinuteStops)}});
    List<Run> runs;
    for (const SentencePiece& piece : of)
        runs.push_back({sized(piece.is_value && runs.empty() ? type::number_strong(ui)
                                                             : type::number_small(ui),
                              13),
                        piece.text});
    runs_in(p, runs, line, Align::Right);
}

// Done, the one at hand, to come.
void paint_bars(const MinuteCard& card, const Rect& line) {
    const Ui& ui = card.ui();
    const Painter p(ui);
    const float gap = ui.px(8), n = static_cast<float>(kMinuteStops);
    const float w = (line.w - (n - 1) * gap) / n;
    for (std::uint32_t i = 1; i <= kMinuteStops; ++i) {
        const bool now = i == card.own().stop;
        const bool to_come = i > card.own().stop;
        // Where hairlines are as light as text, their height tells them apart.
        const bool thin = to_come && ui.colors.line == ui.colors.edge;
        const float h = ui.px(now    ? 6.0f
                              : thin ? 1.0f
                                     : 4.0f),
                    x = line.x + static_cast<float>(i - 1) * (w + gap);
        const Rect bar = snap({x, line.center().y - h / 2, w, h});
        fill(p, bar, now ? ui.colors.focus : to_come ? ui.colors.line : ui.colors.text3, 1);
    }
}

void draw_field(const MinuteCard& card, const Rect& box) {
    const Ui& ui = card.ui();
    const Painter p(ui);
    MinuteUi& own = card.own();
    fill(p, box, ui.colors.inset, 4);
    outline(p, box, own.problem.empty() ? ui.colors.edge : ui.colors.loss.ink, 4);
    ImGui::SetCursorScreenPos({box.x, box.y});
    ImGui::SetNextItemWidth(box.w);
    const float pixels = ui.px(16);
    if (std::exchange(own.takes_keyboard, false) && card.scene.read_keys)
        ImGui::SetKeyboardFocusHere();
    ImGui::PushFont(ui.fonts.regular, pixels);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2{ui.px(12), std::max(0.0f, (box.h - pixels) / 2)});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
    for (const ImGuiCol part :
         {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_NavCursor})
        ImGui::PushStyleColor(part, IM_COL32_BLACK_TRANS);
    ImGui::PushStyleColor(ImGuiCol_Text, im(ui.colors.text));
    ImGui::PushStyleColor(ImGuiCol_TextDisabled, im(ui.colors.text3));
    const std::string before = own.sentence;
    const bool had_keyboard = own.has_keyboard;
    ImGui::InputTextWithHint("###sentence", ui.text["start.example.1"_t], &own.sentence);
    ImGui::PopStyleColor(6);
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
    own.has_keyboard = ImGui::IsItemActive();
    // Dear ImGui takes back what was typed when Esc leaves a field.
    if (had_keyboard && !own.has_keyboard && ImGui::IsKeyPressed(ImGuiKey_Escape, false))
        own.sentence = before;
    if (own.sentence != before) own.problem = {};
    if (own.has_keyboard || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible))
        focus_ring(p, box, 4);
}

Text lesson_label(const MinuteCard& card) {
    return fill(card.ui().text["minute.lesson"_t], {{"number", with_commas(card.first_lesson)}});
}

// Skip at the left; Next, Back and the lesson from the right. Without their keys where those would
// not fit.
void draw_buttons(const MinuteCard& card, const Rect& line) {
    const Ui& ui = card.ui();
    const float gap = ui.px(10);
    const char* leave = ui.text[card.is_last() ? "minute.close"_t : "minute.skip"_t];
    const char* label = ui.text[card.is_last()         ? "minute.run"_t
                                : card.asks_for_step() ? "minute.forward"_t
                                                       : "minute.next"_t];
    const Text lesson = lesson_label(card);
    ButtonLook skip{.key = "Esc"},
        next{.primary = true, .key = card.asks_for_step() ? "Right" : "Enter"},
        back{.enabled = card.own().stop > 1, .key = "Left"};
    const auto back_w = [&] { return button_width(ui, ui.text["minute.back"_t], back); };
    const float all = button_width(ui, leave, skip) + button_width(ui, label, next) + back_w() +
                      (card.is_last() ? button_width(ui, lesson) + gap : 0) + 2 * gap;
    if (all > line.w) skip.key = next.key = back.key = {};

    ImGui::SetCursorScreenPos({line.x, line.y});
    if (button(ui, "###skip", leave, skip)) ui.out.push("minute.skip");
    float x = line.right() - button_width(ui, label, next);
    ImGui::SetCursorScreenPos({x, line.y});
    if (button(ui, "###next", label, next)) go_on(card);
    x -= gap + back_w();
    ImGui::SetCursorScreenPos({x, line.y});
    if (button(ui, "###back", ui.text["minute.back"_t], back)) ui.out.push("minute.back");
    if (!card.is_last()) return;
    ImGui::SetCursorScreenPos({x - gap - button_width(ui, lesson), line.y});
    if (button(ui, "###lesson", lesson))
        ui.out.push("lesson.open", std::to_string(card.first_lesson));
}

}  // namespace

void paint_disc(const Painter& p, Vec2 center, float radius, std::uint32_t number) {
    const Ui& ui = p.ui;
    const float r = ui.px(radius);
    const Vec2 at{std::round(center.x), std::round(center.y)};
    p.list.AddCircleFilled(im(at), r, im(ui.colors.focus));
    text_in(p, {ui.fonts.bold, radius + 2, ui.colors.panel, Align::Center},
            {at.x - r, at.y - r, 2 * r, 2 * r}, with_commas(number));
}

float card_height(const MinuteCard& card, float width) {
    const Ui& ui = card.ui();
    float height = ui.px(kTop) + ui.px(kHead) + title_height(card, width);
    for (std::size_t i = 0; i < card.stop.items.size(); ++i)
        height +=
            (i > 0 ? ui.px(kBetween) : 0) + flowing_height(ui, prose_of(ui, card.stop.items[i]),
                                                           kPitch, text_width_of(card, width));
    if (card.is_last()) height += ui.px(kFieldAbove) + ui.px(kField) + problem_height(card, width);
    return height + ui.px(kBarsAbove) + ui.px(kBars) + ui.px(kButtonsAbove) +
           control_height(ui, false) + ui.px(kFoot);
}

void draw_card(const MinuteCard& card, const Rect& box) {
    const Ui& ui = card.ui();
    const Painter p(ui);
    const float x = box.x + ui.px(kPad), w = box.w - 2 * ui.px(kPad);
    float y = box.y + ui.px(kTop);
    draw_head(card, {x, y, w, ui.px(kHead)});
    y += ui.px(kHead);
    wrapped_at(p, type::lesson_title(ui), 32, {x, y + ui.px(5), w, 0}, ui.text[card.stop.title]);
    y += title_height(card, box.w);
    const float indent = has_discs(card) ? ui.px(kIndent) : 0;
    for (std::size_t i = 0; i < card.stop.items.size(); ++i) {
        const StopItem& item = card.stop.items[i];
        if (i > 0) y += ui.px(kBetween);
        if (item.disc > 0) paint_disc(p, {x + ui.px(12), y + ui.px(kPitch) / 2}, 12, item.disc);
        ImGui::SetCursorScreenPos({x + indent, y});
        const List<ProsePiece> prose = prose_of(ui, item);
        flowing_prose(ui, PartId(i).c_str(), prose, kPitch, w - indent);
        y += flowing_height(ui, prose, kPitch, w - indent);
    }
    if (card.is_last()) {
        y += ui.px(kFieldAbove);
        draw_field(card, {x, y, w, ui.px(kField)});
        y += ui.px(kField);
        if (!card.own().problem.empty())
            wrapped_at(p, colored(type::body(ui), ui.colors.loss.ink), 19, {x, y + ui.px(6), w, 0},
                       card.own().problem.in(ui.text));
        y += problem_height(card, box.w);
    }
    y += ui.px(kBarsAbove);
    paint_bars(card, {x, y, w, ui.px(kBars)});
    y += ui.px(kBars) + ui.px(kButtonsAbove);
    draw_buttons(card, {x, y, w, control_height(ui, false)});
    ImGui::SetCursorScreenPos({x, y + control_height(ui, false)});
    ImGui::Dummy({1, ui.px(kFoot)});
}

}  // namespace kv
