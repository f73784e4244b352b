// Under the strips: what the patterns mean, how the race plays, and who is ahead.

#include <algorithm>

#include "app/panels/race/paint.hpp"
#include "app/widgets/controls.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::array<u64, 3> kRaceSpeeds{10, 100, 1000};
constexpr float kKindMark = 14, kKindGap = 24;

float legend_kind(const Painter& p, float x, const Rect& room, SlotKind kind, bool paint) {
    const Ui& ui = p.ui;
    const std::array<Run, 2> runs{{{sized(type::strong(ui), 12), ui.text[name_of(kind)]},
                                   {type::caption(ui), ui.text[meaning_of(kind)], 8}}};
    const float mark = ui.px(kKindMark), gap = ui.px(8), w = runs_width(ui, runs);
    if (paint) {
        const Rect box{x, std::floor(room.center().y - mark / 2), mark, mark};
        fill_kind(p, box, kind);
        outline(p, box, ui.colors.edge);
        runs_in(p, runs, {x + mark + gap, room.y, w, room.h});
    }
    return mark + gap + std::ceil(w) + ui.px(kKindGap);
}

void draw_kinds(const RaceFrame& frame, const Painter& p) {
    const Ui& ui = p.ui;
    const Rect room = frame.px(frame.plan.legend);
    if (frame.plan.legend.w > 0) {
        float x = room.x;
        for (const SlotKind kind : kSlotKinds) x += legend_kind(p, x, room, kind, true);
    }
    if (frame.plan.measured.w <= 0) return;
    const Rect at = frame.px(frame.plan.measured);
    vline(p, at.x, at.center().y - ui.px(6), at.center().y + ui.px(6), ui.colors.focus, 2);
    text_in(p, type::caption(ui), {at.x + ui.px(12), at.y, 0, at.h}, ui.text["race.measured"_t]);
}

struct FootButtons {
    ButtonLook back{.key = "Left"}, play{.primary = true, .key = "Space"}, forward{.key = "Right"};
};

constexpr std::array<std::string_view, kRaceSpeeds.size()> kSpeedNames{"10", "100", "1,000"};
constexpr SegmentedLook kSpeedLook{.dense = false, .mono = true};

void draw_playing(const RaceFrame& frame, const Painter& p) {
    const Ui& ui = p.ui;
    const RaceUi& own = frame.own;
    const Rect room = frame.px(frame.plan.transport);
    const float gap = ui.px(8), h = room.h;
    FootButtons look;
    const bool keys = race_transport_width(ui, own) <= room.w + 1;
    if (!keys) look = {{}, {.primary = true}, {}};
    look.back.enabled = own.iteration() > 0;
    look.forward.enabled = own.iteration() < own.longest();
    float x = room.x;
    const auto next = [&](const char* id, TextId label, const ButtonLook& with, CommandId command) {
        ImGui::SetCursorScreenPos({x, room.y});
        if (button(ui, id, ui.text[label], with)) ui.out.push(command);
        x += button_width(ui, ui.text[label], with) + gap;
    };
    next("back", "race.back"_t, look.back, "race.back");
    next("play", own.playing ? "race.pause"_t : "race.play"_t, look.play, "race.play");
    next("forward", "race.forward"_t, look.forward, "race.forward");
    x += gap;
    if (keys) {
        text_in(p, type::body(ui), {x, room.y, 0, h}, ui.text["race.speed"_t]);
        x += text_width(ui, type::body(ui), ui.text["race.speed"_t]) + gap;
    }
    const float speeds = segmented_width(ui, kSpeedNames, kSpeedLook);
    if (x + speeds > room.right() + 1) return;
    ImGui::SetCursorScreenPos({x, room.y});
    const auto found = std::find(kRaceSpeeds.begin(), kRaceSpeeds.end(), own.speed);
    if (const auto i = segmented(ui, "speed", kSpeedNames,
                                 static_cast<std::size_t>(found - kRaceSpeeds.begin()), kSpeedLook))
        ui.out.push("race.speed", std::uint64_t{kRaceSpeeds[*i]});
    x += speeds + gap;
    if (keys) text_in(p, type::body(ui), {x, room.y, 0, h}, ui.text["race.speed.unit"_t]);
}

}  // namespace

float race_legend_width(const Ui& ui) {
    const Painter p(ui);
    float width = 0;
    for (const SlotKind kind : kSlotKinds) width += legend_kind(p, 0, {}, kind, false);
    return width;
}

float race_measured_width(const Ui& ui) {
    return ui.px(12) + std::ceil(text_width(ui, type::caption(ui), ui.text["race.measured"_t]));
}

float race_transport_width(const Ui& ui, const RaceUi&) {
    const float gap = ui.px(8);
    const FootButtons look;
    const float play = std::max(button_width(ui, ui.text["race.play"_t], look.play),
                                button_width(ui, ui.text["race.pause"_t], look.play));
    return button_width(ui, ui.text["race.back"_t], look.back) + play +
           button_width(ui, ui.text["race.forward"_t], look.forward) + 6 * gap +
           text_width(ui, type::body(ui), ui.text["race.speed"_t]) +
           segmented_width(ui, kSpeedNames, kSpeedLook) +
           std::ceil(text_width(ui, type::body(ui), ui.text["race.speed.unit"_t]));
}

void draw_race_foot(const RaceFrame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    draw_kinds(frame, p);
    const float y = frame.origin.y + ui.px(frame.plan.rule_y);
    const float width = ImGui::GetWindowWidth();
    hline(p, ImGui::GetWindowPos().x, ImGui::GetWindowPos().x + width, y, ui.colors.line);
    draw_playing(frame, p);
    const Text prefix = prefix_words(ui.text, frame.race());
    const Text sentence = race_sentence(ui.text, frame.race(), frame.own.iteration());
    const bool one_row = frame.plan.sentence.y == frame.plan.transport.y;
    text_in(p,
            aligned(colored(sized(type::body(ui), frame.plan.rules ? 15 : 13), ui.colors.text),
                    one_row ? Align::Right : Align::Left),
            frame.px(frame.plan.sentence), prefix.empty() ? sentence : prefix + " " + sentence);
}

}  // namespace kv
