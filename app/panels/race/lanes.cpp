// What stands beside each strip: the allocator with its rule, what runs and waits at the playhead.

#include <algorithm>

#include "app/panels/race/paint.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

struct LaneWords {
    std::string_view name;
    std::string done;
    Text of, trouble;
    std::string running;
    Text waiting;
};

LaneWords words_of(const RaceFrame& frame, std::size_t i) {
    const Texts& text = frame.ui.text;
    const RaceRecord& lane = frame.lane(i);
    const u64 at = frame.own.iteration();
    const RaceMoment now = lane.at(at);
    const Text waiting = now.waiting > 0
                             ? fill(text["race.wait"_t], {{"n", with_commas(now.waiting)}})
                             : Text(text["race.wait.none"_t]);
    return {name_of(lane.result.allocator),
            with_commas(now.counters.finished),
            fill(text["race.done"_t], {{"n", with_commas(frame.race().requests)}}),
            trouble_words(text, lane, at),
            with_commas(now.running),
            waiting};
}

void draw_done(const Painter& p, const Rect& room, const LaneWords& words) {
    const Ui& ui = p.ui;
    const std::array<Run, 2> runs{
        {{sized(type::number_strong(ui), 12), words.done}, {type::body(ui), words.of, 5}}};
    runs_in(p, runs, room);
}

// A short name needs no more than it is; one in two lines is wrapped.
void draw_name_column(const RaceFrame& frame, const Painter& p, std::size_t i) {
    const Ui& ui = p.ui;
    const Rect room = frame.px(frame.plan.lanes[i].name);
    const LaneWords words = words_of(frame, i);
    const bool rules = frame.plan.rules;
    const TextStyle name = sized(type::object_title(ui), rules ? 20 : 15);
    const float row = ui.px(rules ? 24 : 20);
    float y = room.y + ui.px(rules ? 6 : 0);
    text_in(p, name, {room.x, y, room.w, row}, words.name);
    y += row + ui.px(rules ? 4 : 0);
    if (rules) {
        const Text rule = rule_of(ui.text, short_rule(frame.lane(i).result.allocator),
                                  frame.race().settings.pool);
        const float width = std::min(room.w, ui.px(150));
        y += wrapped_at(p, sized(type::body(ui), 12), 16, {room.x, y, width, 0}, rule) + ui.px(6);
    }
    if (y + ui.px(16) <= room.bottom()) draw_done(p, {room.x, y, room.w, ui.px(18)}, words);
    y += ui.px(18);
    if (words.trouble.empty() || y + ui.px(14) > room.bottom() + 1) return;
    const TextStyle loss = colored(type::caption(ui), ui.colors.loss.ink);
    text_in(p, loss, {room.x, y, room.w, ui.px(16)}, words.trouble);
}

void draw_running(const RaceFrame& frame, const Painter& p, std::size_t i) {
    const Ui& ui = p.ui;
    const Rect room = frame.px(frame.plan.lanes[i].running);
    const LaneWords words = words_of(frame, i);
    const bool large = frame.plan.rules;
    TextStyle number = aligned(type::number_strong(ui), Align::Center);
    number.size = large ? 40 : 22;
    const float h = ui.px(large ? 48 : 26), below = ui.px(18);
    const float y = std::max(room.y, std::floor(room.center().y - (h + below) / 2));
    text_in(p, number, {room.x, y, room.w, h}, words.running);
    const TextStyle quiet =
        aligned(colored(type::number_small(ui), ui.colors.text3), Align::Center);
    text_in(p, quiet, {room.x, y + h, room.w, below}, words.waiting);
}

// "paged  51 run, 101 wait   248 of 400 done", in the line above a strip.
void draw_line_above(const RaceFrame& frame, const Painter& p, std::size_t i) {
    const Ui& ui = p.ui;
    const Rect room = frame.px(frame.plan.lanes[i].name);
    const LaneWords words = words_of(frame, i);
    const TextStyle number = sized(type::number_strong(ui), 13);
    std::vector<Run> runs{{type::strong(ui), words.name},
                          {number, words.running, 12},
                          {type::caption(ui), ui.text["race.running"_t], 5},
                          {type::caption(ui), words.waiting, 10},
                          {sized(number, 12), words.done, 14},
                          {type::caption(ui), words.of, 5}};
    while (runs.size() > 3 && runs_width(ui, runs) > room.w) runs.pop_back();
    runs_in(p, runs, room);
}

void draw_heads(const RaceFrame& frame, const Painter& p) {
    const Ui& ui = p.ui;
    const RaceTime time = frame.own.shown();
    const Rect over = frame.px(frame.plan.strip_head);
    const TextStyle quiet = type::caption(ui);
    const Text size = fill(ui.text["race.height"_t], {{"slots", with_commas(frame.lane(0).pool)},
                                                      {"n", with_commas(time.count)}});
    const float pale_width = text_width(ui, quiet, ui.text["race.pale"_t]);
    const bool both = text_width(ui, quiet, size) + pale_width + ui.px(20) <= over.w;
    text_in(p, quiet, both ? Rect{over.x, over.y, over.w - pale_width, over.h} : over, size);
    if (both) text_in(p, aligned(quiet, Align::Right), over, ui.text["race.pale"_t]);
    if (!frame.plan.names_above)
        text_in(p, aligned(quiet, Align::Center), frame.px(frame.plan.running_head),
                ui.text["race.running"_t]);
    if (frame.plan.bar_head.w > 0)
        text_in(p, quiet, frame.px(frame.plan.bar_head), ui.text["race.where"_t]);
}

// The rule of the chosen allocator, where it was asked for.
void draw_rule(const RaceFrame& frame) {
    const Ui& ui = frame.ui;
    RaceUi& own = frame.own;
    const auto i = static_cast<std::size_t>(own.chosen);
    const Rect strip = frame.px(frame.plan.lanes[i].strip);
    if (std::exchange(own.tell_rule, false)) ImGui::OpenPopup("rule");
    ImGui::SetNextWindowPos({strip.x + ui.px(8), strip.center().y}, ImGuiCond_Appearing);
    ImGui::SetNextWindowSize({ui.px(420), 0});
    if (!ImGui::BeginPopup("rule")) return;
    const RaceResult& result = frame.lane(i).result;
    paragraph(ui, sized(type::object_title(ui), 17), 24, name_of(result.allocator));
    space(ui, 4);
    paragraph(ui, colored(type::body(ui), ui.colors.text), 20,
              rule_of(ui.text, long_rule(result.allocator), frame.race().settings.pool));
    space(ui, 8);
    paragraph(ui, type::body(ui), 19, counts_of(ui.text, result));
    ImGui::EndPopup();
}

}  // namespace

void draw_race_lanes(const RaceFrame& frame) {
    const Painter p(frame.ui);
    draw_heads(frame, p);
    for (std::size_t i = 0; i < frame.plan.lanes.size(); ++i) {
        if (frame.plan.names_above) {
            draw_line_above(frame, p, i);
            continue;
        }
        draw_name_column(frame, p, i);
        draw_running(frame, p, i);
        if (frame.plan.lanes[i].bar.w > 0) draw_race_bar(frame, i);
    }
    draw_rule(frame);
}

}  // namespace kv
