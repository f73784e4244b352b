// Before and after of an event.

#include <algorithm>
#include <cmath>

#include "app/panels/present/page/paint.hpp"
#include "app/panels/present/paint.hpp"
#include "app/panels/view/facts.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kLeastWord = 15;

struct SidePicture {
    const Painter& p;
    const Ui& ui;
    const EventSide& side;
    const EventStory& story;
    const Snapshot& now;

    Hue hue(SeqId request) const { return request_hue(ui.colors, tag_of(now, request).index); }
};

void paint_frame(const SidePicture& s, const Rect& box, BlockState state, bool is_shared,
                 const Hue& hue) {
    const Palette& colors = s.ui.colors;
    if (state == BlockState::Used && !is_shared) {
        fill(s.p, box, colors.wash_of(hue), 3);
        return outline(s.p, box, hue.ink, 3, 2);
    }
    if (state == BlockState::Used) {
        fill(s.p, box, colors.pressed_wash(), 3);
        outline(s.p, box, colors.shared, 3, 2);
        return outline(s.p, box.inset(s.ui.px(5)), colors.shared, 2, 2);
    }
    fill(s.p, box, colors.inset, 3);
    if (state == BlockState::Cached)
        dashed_outline(s.p, box, colors.cached.ink, 3, 2);
    else
        outline(s.p, box, colors.edge, 3);
}

void paint_row(const SidePicture& s, const EventRow& row) {
    const Ui& ui = s.ui;
    const Palette& colors = ui.colors;
    draw_request_tag(s.p, row.tag.center(), row.tag.h / ui.unit, tag_of(s.now, row.request));
    for (const EventEntry& entry : row.entries) {
        const Text index = Text(entry.gap_before ? "… " : "") + with_commas(entry.index);
        const TextStyle place{ui.fonts.mono, 24, colors.text2, Align::Center};
        text_in(s.p, fitting(ui, place, index, entry.index_box.w), entry.index_box, index);
        if (!entry.block) {
            dashed_outline(s.p, entry.box, colors.text3, 3, 2);
            text_in(s.p, {ui.fonts.mono_bold, 36, colors.text3, Align::Center}, entry.box, "–");
            continue;
        }
        paint_frame(s, entry.box, BlockState::Used, entry.is_shared, s.hue(row.request));
        const TextStyle number{ui.fonts.mono_bold, 36, colors.text, Align::Center};
        text_in(s.p, fitting(ui, number, with_commas(entry.block->value), entry.box.w), entry.box,
                with_commas(entry.block->value));
        if (entry.is_changed) brackets(s.p, entry.box.inset(-ui.px(4)), colors.focus);
    }
}

TextStyle word_style(const SidePicture& s, const EventSlot& slot, Color ink) {
    const TextStyle style{s.ui.fonts.semibold, 30, ink, Align::Center};
    return fitting(s.ui, style, slot.word, slot.box.w - s.ui.px(6));
}

// All words of a block are written, or none.
bool has_room_for_words(const SidePicture& s, const EventCard& card) {
    return std::all_of(card.slots.begin(), card.slots.end(), [&](const EventSlot& slot) {
        const float size = word_style(s, slot, {}).size;
        return slot.word.empty() || (size >= kLeastWord && size <= slot.box.h / s.ui.unit);
    });
}

void paint_slot(const SidePicture& s, const EventSlot& slot, Color color, bool with_word) {
    const Ui& ui = s.ui;
    const Palette& colors = ui.colors;
    Color ink = colors.on_fill;
    switch (slot.look) {
        case SlotLook::Empty:
            return outline(s.p, slot.box, mix(colors.panel, colors.text, 0.3), 0, 1.4f);
        case SlotLook::Cached:
            outline(s.p, slot.box, colors.cached.ink, 0, 1.4f);
            return fill(s.p,
                        snap({slot.box.center().x - ui.px(4), slot.box.center().y - ui.px(4),
                              ui.px(8), ui.px(8)}),
                        colors.cached.ink);
        case SlotLook::Dead:
            outline(s.p, slot.box, mix(colors.panel, color, 0.6), 0, 1.4f);
            cross_mark(s.p, slot.box.center(),
                       std::min(40.0f, std::min(slot.box.w, slot.box.h) / ui.unit * 0.6f),
                       colors.loss.ink, 3);
            ink = colors.text3;
            break;
        case SlotLook::Filled:
            fill(s.p, slot.box, color);
            if (const auto edge = needed_outline(colors, color)) outline(s.p, slot.box, *edge);
            if (relative_luminance(color) < 0.2) ink = colors.panel;
            break;
        case SlotLook::Written:
            fill(s.p, slot.box, colors.focus);
            ink = colors.is_light() ? colors.panel : colors.on_fill;
            break;
    }
    if (slot.look != SlotLook::Dead && with_word)
        text_in(s.p, word_style(s, slot, ink), slot.box, slot.word);
}

// "reference count 2 -> 1", the old one struck.
void paint_count(const SidePicture& s, const EventCard& card) {
    const Ui& ui = s.ui;
    const Palette& colors = ui.colors;
    const TextStyle words{ui.fonts.regular, 24, colors.text2},
        number{ui.fonts.mono_bold, 42, colors.text};
    const Text label = ui.text["present.event.count"_t], now = with_commas(card.ref_count);
    float x = card.count.x;
    const Rect& line = card.count;
    text_in(s.p, words, {x, line.y, 0, line.h}, label);
    x += text_width(ui, words, label) + ui.px(16);
    if (card.was) {
        const TextStyle old = colored(sized(number, 34), colors.text3);
        const Text was = with_commas(*card.was);
        const float w = text_width(ui, old, was), middle = line.center().y;
        text_in(s.p, old, {x, line.y, 0, line.h}, was);
        stroke(s.p, {x - ui.px(4), middle}, {x + w + ui.px(4), middle}, colors.text3, 3);
        x += w + ui.px(16);
        arrow(s.p, {x, middle}, {x + ui.px(40), middle}, colors.text2, 2.6f);
        x += ui.px(56);
    }
    text_in(s.p, number, {x, line.y, 0, line.h}, now);
    x += text_width(ui, number, now) + ui.px(36);
    const Text filled =
        fill(ui.text["present.event.filled"_t],
             {{"n", with_commas(card.filled)}, {"size", with_commas(card.slots.size())}});
    if (x + text_width(ui, words, filled) <= line.right())
        text_in(s.p, words, {x, line.y, 0, line.h}, filled);
}

void paint_card(const SidePicture& s, const EventCard& card) {
    const Ui& ui = s.ui;
    const bool is_shared = card.holders.size() > 1;
    const Hue hue = card.holders.empty() ? ui.colors.cached : s.hue(card.holders.front());
    paint_frame(s, card.box, card.state, is_shared, hue);
    text_in(s.p, {ui.fonts.mono_bold, 36, ui.colors.text}, card.head,
            with_commas(card.block.value));
    const float tag = std::min(42.0f, card.head.h / ui.unit - 8);
    float x = card.head.right() - ui.px(tag) / 2;
    for (auto holder = card.holders.rbegin(); holder != card.holders.rend(); ++holder) {
        draw_request_tag(s.p, {x, card.head.center().y}, tag, tag_of(s.now, *holder));
        x -= ui.px(tag + 4);
    }
    const bool with_words = has_room_for_words(s, card);
    for (const EventSlot& slot : card.slots)
        paint_slot(s, slot, is_shared ? ui.colors.shared : hue.fill, with_words);
    if (card.is_new) brackets(s.p, card.box.inset(-ui.px(4)), ui.colors.focus);
    paint_count(s, card);
}

void paint_side(const SidePicture& s, std::string_view label) {
    const Ui& ui = s.ui;
    text_in(s.p, {ui.fonts.bold, 30, ui.colors.text}, s.side.label, label);
    for (const bool strong : {false, true})
        for (const EventConnector& line : s.side.lines)
            if (line.strong == strong) {
                const Color color = strong ? ui.colors.focus : s.hue(line.request).ink;
                connector(s.p, line.points,
                          {.color = color,
                           .halo = ui.colors.panel,
                           .width = strong ? 4.0f : 2.6f,
                           .radius = 8,
                           .head = false});
                const Vec2 end = line.points.back();
                triangle(s.p, {end.x, end.y - ui.px(8)}, 16, Dir::Down, color, true);
            }
    for (const EventRow& row : s.side.rows) paint_row(s, row);
    for (const EventCard& card : s.side.cards) paint_card(s, card);
}

void paint_copy(const Painter& p, const Rect& room, std::uint32_t slots) {
    const Ui& ui = p.ui;
    const float middle = room.center().y, pitch = ui.px(24);
    const auto n = static_cast<float>(std::clamp(slots, 1u, 3u));
    const Text word = ui.text["present.event.copy"_t];
    text_in(p,
            fitting(ui, {ui.fonts.semibold, 24, ui.colors.text, Align::Center}, word,
                    room.w - ui.px(8)),
            {room.x, middle - ui.px(72), room.w, ui.px(40)}, word);
    for (float i = 0; i < n; ++i) {
        const float y = std::round(middle - ui.px(20) + i * pitch);
        arrow(p, {room.x + ui.px(14), y}, {room.right() - ui.px(14), y}, ui.colors.focus, 3);
    }
}

}  // namespace

void paint_event(const Ui& ui, const EventPicturePlan& plan, const EventStory& story,
                 const EventMoments& moments) {
    const Ui own = scaled(ui, plan.unit);
    const Painter p(own);
    const float top = plan.before.label.y,
                bottom = plan.before.cards.empty() ? top : plan.before.cards[0].count.bottom();
    vline(p, plan.divide_x, top, bottom, own.colors.line, 2);
    paint_side({p, own, plan.before, story, moments.before}, own.text["present.event.before"_t]);
    paint_side({p, own, plan.after, story, moments.after}, own.text["present.event.after"_t]);
    if (plan.copy) paint_copy(p, *plan.copy, story.copy->slots);
}

}  // namespace kv
