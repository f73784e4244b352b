#include "app/frame/start/plan.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

constexpr float kPanelTop = 48, kPanelEdge = 4;  // below the top bar; around the panel
constexpr float kLeastPicture = 190;             // of its height, below which it is left out
constexpr float kComfort = 26, kEscape = 20;     // heights
constexpr float kItemGap = 26, kLeastItemGap = 8, kRowGap = 10;  // of the comfort settings

float between(float a, float b, float share) {
    return a + (b - a) * std::clamp(share, 0.0f, 1.0f);
}

// ---- The inside of a door.

struct DoorLook {
    float pad = 20, title = 22, words = 15, pitch = 22, field = 18, field_h = 48, run_w = 120;
    float gap = 20;  // between doors
    std::optional<Vec2> thumb = Vec2{104, 72};
    float least = 112;
};

float title_height(const DoorLook& look) {
    return std::round(look.title * 1.36f);
}

class Doors {
public:
    Doors(StartPlan& plan, const StartNeeds& needs, const DoorLook& look)
        : plan_(plan), needs_(needs), look_(look) {
        plan.door_title = look.title, plan.door_words = look.words, plan.door_pitch = look.pitch;
        plan.field_size = look.field;
    }

    // Places a text in that width and returns its height.
    float place(std::size_t i, float x, float y, float w) {
        DoorPlan& door = plan_.doors[i];
        const float key_w = 34, pad = look_.pad;
        const float left = x + pad + (look_.thumb ? look_.thumb->x + pad + 4 : 0);
        const float right = x + w - pad;
        door.thumb.reset();  // an arrangement that did not fit may have had one
        if (look_.thumb) door.thumb = Rect{x + pad, y + pad, look_.thumb->x, look_.thumb->y};
        door.title = {left, y + pad - 4, right - key_w - 8 - left, title_height(look_)};
        door.key = {right - key_w, y + pad - 2, key_w, 24};
        // Under the key there is room for words in a narrow door only.
        const float words_w = (w < 500 ? right : right - key_w - 24) - left;
        const float words_h = needs_.height_of(kWords[i], look_.words, words_w);
        door.words = {left, door.title.bottom() + 4, words_w, words_h};
        float bottom = std::max(door.words.bottom(), door.thumb ? door.thumb->bottom() : 0);
        if (i == 2) bottom = place_field(x + pad, bottom + std::round(pad * 0.7f), w - 2 * pad);
        door.box = {x, y, w, std::max(i == 2 ? 0 : look_.least, bottom + pad - 2 - y)};
        return door.box.h;
    }

private:
    static constexpr std::array kWords{StartText::Show, StartText::Learn, StartText::Own};

    float place_field(float x, float y, float w) {
        plan_.field = {x, y, w - look_.run_w - 12, look_.field_h};
        plan_.run = {x + w - look_.run_w, y, look_.run_w, look_.field_h};
        // A line for how to type, and one for the words that the model knows.
        const float hint =
            needs_.height_of(StartText::Hint, 13, w) + start_pitch(StartText::Hint, 13);
        plan_.hint = {x, plan_.field.bottom() + 8, w, hint};
        return plan_.hint.bottom() - 4;
    }

    StartPlan& plan_;
    const StartNeeds& needs_;
    DoorLook look_;
};

// Places as many comfort settings in a row as there is room for; returns where they end.
float place_comfort(StartPlan& plan, const StartNeeds& needs, float x, float y, float w) {
    const float all = needs.comfort[0] + needs.comfort[1] + needs.comfort[2];
    const float gap = std::clamp(std::floor((w - all) / 2), kLeastItemGap, kItemGap);
    float at = x;
    for (std::size_t i = 0; i < plan.comfort.size(); ++i) {
        if (at > x && at + needs.comfort[i] > x + w) at = x, y += kComfort + kRowGap;
        plan.comfort[i] = {at, y, std::min(needs.comfort[i], w), kComfort};
        at += needs.comfort[i] + gap;
    }
    return y + kComfort;
}

float title_of(StartPlan& plan, const StartNeeds& needs, float x, float y, float w) {
    plan.title = {x, y, w, needs.height_of(StartText::Title, plan.title_size, w)};
    return plan.title.bottom();
}
float why_of(StartPlan& plan, const StartNeeds& needs, float x, float y, float w) {
    plan.why_pitch = start_pitch(StartText::Why, plan.why_size);
    plan.why = {x, y, w, needs.height_of(StartText::Why, plan.why_size, w)};
    return plan.why.bottom();
}

// ---- The three arrangements.

// Room that is left over goes into the gaps up to what the design gives them, then above the rule.
void place_beside(StartPlan& plan, const StartNeeds& needs) {
    const float share = (needs.window.x - kBesideFrom) / (1920 - kBesideFrom);
    const float over = std::max(0.0f, needs.window.x - 1920);
    const float x = std::round(between(40, 112, share) + over * 0.3f);
    const float w = std::round(between(660, 700, share) + over * 0.1f);
    plan.title_size = std::floor(46 * std::min(1.0f, w / 660));
    plan.why_size = std::floor(20 * std::min(1.0f, w / 690));
    DoorLook look;
    if (plan.panel.h < 900) look.gap = 12, look.thumb = Vec2{88, 60}, look.least = 96;
    const float title_h = needs.height_of(StartText::Title, plan.title_size, w),
                why_h = needs.height_of(StartText::Why, plan.why_size, w);
    float doors_h = 2 * look.gap;
    Doors doors(plan, needs, look);
    for (std::size_t i = 0; i < 3; ++i) doors_h += doors.place(i, x, 0, w);

    const float comfort_h = place_comfort(plan, needs, x, 0, w);
    const float fixed = title_h + why_h + doors_h + kEscape + comfort_h;
    constexpr std::array kLeast{18.0f, 6.0f, 20.0f, 12.0f, 14.0f, 12.0f, 14.0f};
    constexpr std::array kIdeal{66.0f, 10.0f, 61.0f, 29.0f, 58.0f, 24.0f, 50.0f};
    float least = fixed, ideal = fixed;
    for (const float gap : kLeast) least += gap;
    for (const float gap : kIdeal) ideal += gap;
    const float t = (plan.panel.h - least) / (ideal - least);
    const float spare = std::max(0.0f, plan.panel.h - ideal);
    const auto gap = [&](std::size_t i) { return std::round(between(kLeast[i], kIdeal[i], t)); };

    float y = plan.panel.y + gap(0) + std::round(spare * 0.3f);
    y = title_of(plan, needs, x, y, w) + gap(1);
    y = why_of(plan, needs, x, y, w) + gap(2);
    for (std::size_t i = 0; i < 3; ++i) y += doors.place(i, x, y, w) + (i < 2 ? look.gap : 0);
    plan.escape = {x, y + gap(3), w, kEscape};
    plan.rule = plan.escape.bottom() + gap(4) + std::round(spare * 0.7f);
    const float end = place_comfort(plan, needs, x, plan.rule + gap(5), w) + gap(6);
    plan.height = end - plan.panel.y;

    const float left = x + w + std::round(between(72, 124, share));
    const float right = needs.window.x - std::round(between(56, 116, share) + over * 0.3f);
    plan.divider = std::round((x + w + left) / 2) - 6;
    const float top = plan.title.y - 12;
    // Its buttons stand in one line with the comfort settings.
    const float bottom = plan.comfort[0].bottom() + 4;
    plan.picture = Rect{left, top, right - left, bottom - top};
}

// Sentences, picture, three doors side by side. False where the picture would be too low.
bool place_under(StartPlan& plan, const StartNeeds& needs) {
    const float x = 48, w = needs.window.x - 2 * x;
    const bool low = needs.window.y < 840;
    plan.title_size = low ? 36 : 44;
    plan.why_size = low ? 16 : 18;
    DoorLook look{.pad = 14,
                  .title = 18,
                  .words = 13,
                  .pitch = 18,
                  .field = 15,
                  .field_h = 34,
                  .run_w = 72,
                  .gap = 16,
                  .thumb = Vec2{72, 50},
                  .least = 90};
    float y = plan.panel.y + (low ? 14 : 26);
    y = title_of(plan, needs, x, y, w) + 4;
    y = why_of(plan, needs, x, y, w) + 14;
    // The third one has a field, in which a sentence can be read.
    const float narrow = std::floor((w - 2 * look.gap) * 0.27f);
    const std::array<float, 3> door_w{narrow, narrow, w - 2 * (narrow + look.gap)};
    Doors doors(plan, needs, look);
    float door_h = 0;
    for (std::size_t i = 0; i < 3; ++i) door_h = std::max(door_h, doors.place(i, x, 0, door_w[i]));
    const float foot = place_comfort(plan, needs, x, 0, w);
    const float below = 16 + door_h + 10 + kEscape + 8 + 10 + foot + 12;
    const float room = plan.panel.bottom() - y - below;
    if (room < kLeastPicture) return false;
    plan.picture = Rect{x, y, w, room};
    y += room + 16;
    float left = x;
    for (std::size_t i = 0; i < 3; ++i) {
        doors.place(i, left, y, door_w[i]);
        plan.doors[i].box.h = door_h;
        left += door_w[i] + look.gap;
    }
    plan.escape = {x, y + door_h + 10, w, kEscape};
    plan.rule = plan.escape.bottom() + 8;
    plan.height = place_comfort(plan, needs, x, plan.rule + 10, w) + 12 - plan.panel.y;
    return true;
}

void place_alone(StartPlan& plan, const StartNeeds& needs) {
    plan.picture.reset();
    const bool tiny = needs.window.x < 900 || needs.window.y < 560;
    const float x = tiny ? 20 : 48;
    const float w = std::min(760.0f, needs.window.x - 2 * x - (tiny ? 12 : 0));
    plan.title_size = tiny ? 22 : 38;
    plan.why_size = tiny ? 14 : 17;
    DoorLook look;
    if (tiny)
        look = {.pad = 12,
                .title = 16,
                .words = 13,
                .pitch = 18,
                .field = 14,
                .field_h = 32,
                .run_w = 64,
                .gap = 10,
                .thumb = {},
                .least = 0};
    else
        look = {.pad = 16,
                .title = 19,
                .words = 14,
                .pitch = 20,
                .field = 16,
                .field_h = 38,
                .run_w = 90,
                .gap = 14,
                .thumb = Vec2{84, 58},
                .least = 90};
    float y = plan.panel.y + (tiny ? 12 : 24);
    y = title_of(plan, needs, x, y, w) + (tiny ? 2.0f : 6.0f);
    y = why_of(plan, needs, x, y, w) + (tiny ? 12.0f : 20.0f);
    Doors doors(plan, needs, look);
    for (std::size_t i = 0; i < 3; ++i) y += doors.place(i, x, y, w) + (i < 2 ? look.gap : 0);
    const float escape_h = std::max(kEscape, needs.height_of(StartText::Escape, 13, w));
    plan.escape = {x, y + 12, w, escape_h};
    plan.rule = plan.escape.bottom() + 12;
    plan.height = place_comfort(plan, needs, x, plan.rule + 12, w) + 14 - plan.panel.y;
}

}  // namespace

float start_pitch(StartText text, float size) {
    switch (text) {
        case StartText::Title:
            return std::round(size * 1.24f);
        case StartText::Why:
            return std::round(size * 1.55f);
        default:
            return std::round(size * (size >= 15 ? 1.47f : 1.38f));
    }
}

StartPlan plan_start(const StartNeeds& needs) {
    StartPlan plan;
    plan.panel = {kPanelEdge, kPanelTop, needs.window.x - 2 * kPanelEdge,
                  std::max(1.0f, needs.window.y - kPanelTop - kPanelEdge)};
    if (needs.window.x >= kBesideFrom) {
        plan.arrangement = StartArrangement::Beside;
        place_beside(plan, needs);
    } else if (needs.window.x >= kPictureFrom && place_under(plan, needs)) {
        plan.arrangement = StartArrangement::Under;
    } else {
        plan.arrangement = StartArrangement::Alone;
        place_alone(plan, needs);
    }
    return plan;
}

}  // namespace kv
