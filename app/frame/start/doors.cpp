// The three doors: a picture, a title, what lies behind it, and its key.

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>

#include "app/frame/start/paint.hpp"
#include "app/widgets/controls.hpp"

namespace kv {
namespace {

struct Door {
    const char* id;
    const char* key;
    Text title, words;
};

std::array<Door, 3> doors_of(const StartPage& page) {
    const Ui& ui = page.ui;
    return {{{"###show", "1", ui.text["start.show"_t], ui.text["start.show.why"_t]},
             {"###learn", "2", ui.text["start.learn"_t], lesson_words(ui, page.scene.lesson)},
             {"###own", "3", ui.text["start.own"_t], ui.text["start.own.why"_t]}}};
}

void go_through(const StartPage& page, std::size_t door) {
    CommandSink& out = page.ui.out;
    if (door == 0) out.push("minute.start");
    if (door == 1) out.push("lesson.open", first_lesson(page.scene.lesson));
    if (door == 2) out.push("start.write");
}

// Puts the keyboard on the first door at first, so that Enter goes through it.
void take_keyboard() {
    ImGui::SetFocusID(ImGui::GetItemID(), ImGui::GetCurrentWindow());
    ImGui::SetNavCursorVisible(true);
}

void paint_key(const Painter& p, const Rect& box, const char* key) {
    const Ui& ui = p.ui;
    outline(p, box, ui.colors.edge, 3);
    text_in(p, {ui.fonts.mono, 14, ui.colors.text2, Align::Center}, box, key);
}

// A box for each stop of the guided minute.
void paint_stops(const Painter& p, const Rect& door) {
    constexpr int kStops = 8;
    const Ui& ui = p.ui;
    const float side = ui.px(10), pitch = ui.px(14);
    const float y = door.bottom() - ui.px(26);
    float x = door.right() - ui.px(20) - pitch * (kStops - 1) - side;
    for (int i = 0; i < kStops; ++i, x += pitch) {
        const Rect box{std::round(x), y, side, side};
        if (i == 0)
            fill(p, box, ui.colors.text, 2);
        else
            outline(p, box, ui.colors.edge, 2);
    }
}

void draw_door(const StartPage& page, const Door& door, std::size_t i) {
    const Ui& ui = page.ui;
    const Painter p(ui);
    const DoorPlan& plan = page.plan.doors[i];
    const Rect box = page.at(plan.box);
    ImGui::SetCursorScreenPos({box.x, box.y});
    // The field and its button lie on the third one.
    ImGui::SetNextItemAllowOverlap();
    const Hit hit = hit_item(door.id, {box.w, box.h});
    if (i == 0 && page.own().just_opened) take_keyboard();
    fill(p, box, hit.hovered ? mix(ui.colors.raised, ui.colors.text, 0.05) : ui.colors.raised, 4);
    outline(p, box, hit.hovered ? ui.colors.text : ui.colors.edge, 4);
    if (hit.focused) focus_ring(p, box, 4);
    if (plan.thumb) paint_thumb(p, page.at(*plan.thumb), i);
    text_in(p, {ui.fonts.bold, page.plan.door_title, ui.colors.text}, page.at(plan.title),
            door.title);
    wrapped_at(p, {ui.fonts.regular, page.plan.door_words, ui.colors.text2},
               start_pitch(StartText::Show, page.plan.door_words), page.at(plan.words), door.words);
    paint_key(p, page.at(plan.key), door.key);
    const bool beside_words = page.plan.arrangement == StartArrangement::Beside;
    const bool has_room = plan.box.bottom() - plan.words.bottom() > (beside_words ? 10.0f : 34.0f);
    if (i == 0 && has_room) paint_stops(p, box);
    if (hit.pressed) go_through(page, i);
}

// ---- The pictures on the doors: a pool with the block that the tour is about, a page of a lesson,
// a word in pieces and the block that it fills.

void small_blocks(const Painter& p, const Rect& box) {
    const Ui& ui = p.ui;
    const float side = std::round(box.h * 0.2f), pitch = std::round(box.w * 0.2f);
    const float x = box.x + std::round((box.w - 3 * pitch - side) / 2),
                y = box.y + std::round((box.h - 2 * (side + ui.px(4)) - side) / 2);
    for (int i = 0; i < 12; ++i) {
        const Rect cell{x + static_cast<float>(i % 4) * pitch,
                        y + static_cast<float>(i / 4) * (side + ui.px(4)), side, side};
        if (i != 6) {
            outline(p, cell, ui.colors.line, 2);
            continue;
        }
        fill(p, cell, ui.colors.wash_of(ui.colors.request[0]), 2);
        fill(p, cell.inset(ui.px(3)), ui.colors.request[0].fill, 1);
        outline(p, cell, ui.colors.request[0].ink, 2);
        brackets(p, cell, ui.colors.focus);
    }
}

void small_lesson(const Painter& p, const Rect& box) {
    const Ui& ui = p.ui;
    const float left = box.x + std::round(box.w * 0.12f), line = std::round(box.h * 0.13f);
    const auto bar = [&](float y, float share, Color color) {
        fill(p, {left, std::round(box.y + box.h * y), std::round(box.w * share), ui.px(3)}, color,
             1);
    };
    bar(0.18f, 0.46f, ui.colors.text);
    bar(0.34f, 0.38f, ui.colors.text3);
    bar(0.48f, 0.30f, ui.colors.text3);
    for (int i = 0; i < 4; ++i) {
        const float x = box.right() - std::round(box.w * 0.36f) + static_cast<float>(i) * ui.px(7);
        const Rect slot{x, box.y + line, ui.px(5), std::round(box.h * 0.42f)};
        if (i < 3)
            fill(p, slot, ui.colors.request[0].fill);
        else
            outline(p, slot, ui.colors.edge);
    }
    for (int i = 0; i < 3; ++i) {
        const float w = std::round(box.w * 0.22f);
        const Rect choice{left + static_cast<float>(i) * (w + ui.px(5)),
                          box.bottom() - line - std::round(box.h * 0.14f), w,
                          std::round(box.h * 0.16f)};
        if (i == 1)
            fill(p, choice, ui.colors.text, 2);
        else
            outline(p, choice, ui.colors.edge, 2);
    }
}

void small_sentence(const Painter& p, const Rect& box) {
    const Ui& ui = p.ui;
    constexpr std::array kPieces{0.14f, 0.14f, 0.28f};
    float x = box.x + std::round(box.w * 0.14f);
    const float y = box.y + std::round(box.h * 0.2f), h = std::round(box.h * 0.22f);
    for (const float share : kPieces) {
        const Rect piece{x, y, std::round(box.w * share), h};
        fill(p, piece, mix(ui.colors.raised, ui.colors.text, 0.12), 2);
        fill(p, {piece.x, piece.bottom() + ui.px(1), piece.w, ui.px(2)}, ui.colors.request[0].fill);
        x += piece.w + ui.px(4);
    }
    const float middle = std::round(box.center().x);
    arrow(p, {middle, y + h + ui.px(6)}, {middle, y + h + ui.px(14)}, ui.colors.request[0].ink);
    const Rect block{box.x + std::round(box.w * 0.3f), box.bottom() - std::round(box.h * 0.34f),
                     std::round(box.w * 0.4f), std::round(box.h * 0.24f)};
    fill(p, block, ui.colors.wash_of(ui.colors.request[0]), 2);
    outline(p, block, ui.colors.request[0].ink, 2);
    fill(p,
         {block.x + ui.px(3), block.y + ui.px(3), std::round(block.w * 0.4f), block.h - ui.px(6)},
         ui.colors.request[0].fill);
}

}  // namespace

void paint_thumb(const Painter& p, const Rect& box, std::size_t door) {
    fill(p, box, p.ui.colors.inset, 3);
    outline(p, box, p.ui.colors.line, 3);
    if (door == 0) small_blocks(p, box);
    if (door == 1) small_lesson(p, box);
    if (door == 2) small_sentence(p, box);
}

void draw_doors(const StartPage& page) {
    const std::array<Door, 3> doors = doors_of(page);
    for (std::size_t i = 0; i < doors.size(); ++i) draw_door(page, doors[i], i);
    draw_field(page);
}

}  // namespace kv
