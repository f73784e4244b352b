#include "app/widgets/message.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

constexpr float kPad = 18, kTop = 15, kTitle = 20, kAfterTitle = 5, kPitch = 19, kBeforeButtons = 8,
                kBottom = 14, kWidest = 460;

float lines_height(const Ui& ui, const Message& m, float width) {
    float height = 0;
    for (const std::string_view line : m.lines)
        height += wrapped_height(ui, type::body(ui), kPitch, width, line);
    return height;
}

bool has_buttons(const Message& m) {
    return !m.primary.empty() || !m.secondary.empty();
}

float draw_words(const Painter& p, const Message& m, const Rect& inner) {
    const Ui& ui = p.ui;
    const float tag_w = std::ceil(text_width(ui, type::caption(ui), m.tag));
    const Rect head{inner.x, inner.y, inner.w, ui.px(kTitle)};
    const float title_w = inner.w - (tag_w > 0 ? tag_w + ui.px(12) : 0);
    text_in(p, sized(type::section(ui), 15), {head.x, head.y, title_w, head.h}, m.title);
    if (tag_w > 0)
        text_in(p, aligned(type::caption(ui), Align::Right),
                {head.right() - tag_w, head.y, tag_w, head.h}, m.tag);
    float y = head.bottom() + ui.px(kAfterTitle);
    for (const std::string_view line : m.lines)
        y += wrapped_at(p, type::body(ui), kPitch, {inner.x, y, inner.w, 0}, line);
    return y;
}

}  // namespace

float message_height(const Ui& ui, const Message& message, float width) {
    const float inner = width - 2 * ui.px(kPad);
    const float buttons =
        has_buttons(message) ? ui.px(kBeforeButtons) + control_height(ui, false) : 0;
    return ui.px(kTop) + ui.px(kTitle) + ui.px(kAfterTitle) + lines_height(ui, message, inner) +
           buttons + ui.px(kBottom);
}

MessageAnswer message_card(const Ui& ui, const char* id, const Message& message, float width) {
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    const float w = std::floor(width > 0 ? width : ImGui::GetContentRegionAvail().x);
    const Rect card{std::floor(cursor.x), std::floor(cursor.y), w, message_height(ui, message, w)};
    const Painter p(ui);
    fill(p, card, ui.colors.inset);
    outline(p, card, message.refusal ? ui.colors.loss.ink : ui.colors.line);
    const float pad = ui.px(kPad), top = ui.px(kTop);
    const float y = draw_words(p, message, {card.x + pad, card.y + top, w - 2 * pad, 0});

    MessageAnswer answer = MessageAnswer::None;
    const Flush flush;
    ImGui::PushID(id);
    ImGui::BeginGroup();
    // Placed one by one: SameLine() would take the height of a line that the card itself stands in.
    Vec2 at{card.x + pad, y + ui.px(kBeforeButtons)};
    ImGui::SetCursorScreenPos(im(at));
    if (!message.primary.empty()) {
        if (button(ui, "primary", message.primary, {.primary = true}))
            answer = MessageAnswer::Primary;
        at.x += button_width(ui, message.primary) + ui.px(8);
    }
    ImGui::SetCursorScreenPos(im(at));
    if (!message.secondary.empty() && button(ui, "secondary", message.secondary))
        answer = MessageAnswer::Secondary;
    ImGui::SetCursorScreenPos(im(card.min()));
    ImGui::Dummy({card.w, card.h});
    ImGui::EndGroup();
    ImGui::PopID();
    return answer;
}

MessageAnswer message_centered(const Ui& ui, const char* id, const Message& message) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float w = std::floor(std::min(room.x, ui.px(kWidest)));
    const float h = message_height(ui, message, w);
    ImGui::SetCursorScreenPos(
        {std::floor(at.x + (room.x - w) / 2), std::floor(at.y + std::max(0.0f, (room.y - h) / 2))});
    return message_card(ui, id, message, w);
}

}  // namespace kv
