#include "app/panels/race/race.hpp"

#include <cmath>

#include "app/panels/race/paint.hpp"
#include "app/widgets/message.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kRaceScrollbar = 14;

RaceWidths widths_of(const Ui& ui, const RaceUi& own, bool as_list) {
    const auto logical = [&](float pixels) { return std::ceil(pixels / ui.unit) + 1; };
    RaceWidths w;
    const TextStyle words = sized(type::body(ui), 15);
    w.title = logical(text_width(ui, type::lesson_title(ui), ui.text["race.title"_t]));
    w.choices = logical(race_choices_width(ui, own, as_list));
    w.transport = logical(race_transport_width(ui, own));
    w.legend = logical(race_legend_width(ui));
    w.measured = logical(race_measured_width(ui));
    if (!own.race) return w;
    w.subtitle = logical(text_width(ui, words, race_subtitle(ui.text, *own.race)));
    w.note = logical(text_width(ui, type::number_small(ui), lengths_words(ui.text, *own.race)));
    const Text prefix = prefix_words(ui.text, *own.race);
    w.sentence = logical(text_width(ui, words, race_sentence(ui.text, *own.race, own.iteration())) +
                         (prefix.empty() ? 0 : text_width(ui, words, prefix + " ")));
    return w;
}

RacePlan plan_of(const Ui& ui, const RaceUi& own, Vec2 room) {
    RacePlan plan = plan_race(room, widths_of(ui, own, false), all_allocators().size());
    // As lists the choices may share the title's row after all.
    if (!plan.short_choices) return plan;
    plan = plan_race(room, widths_of(ui, own, true), all_allocators().size());
    plan.short_choices = true;
    return plan;
}

void draw_message(const Ui& ui, const RaceUi& own) {
    if (own.progress) {
        const Text title =
            fill(ui.text["race.holding"_t], {{"n", fixed(std::floor(*own.progress * 100), 0)}});
        const std::array<std::string_view, 1> lines{ui.text["race.holding.why"_t]};
        if (message_centered(ui, "holding",
                             {.title = title, .lines = lines, .primary = ui.text["race.stop"_t]}) ==
            MessageAnswer::Primary)
            ui.out.push("race.stop");
    } else if (!own.refused.empty()) {
        const Text why = own.refused.in(ui.text);
        const std::array<std::string_view, 1> lines{why};
        if (message_centered(ui, "refused",
                             {.title = ui.text["race.refused"_t],
                              .lines = lines,
                              .primary = ui.text["race.other_file"_t],
                              .refusal = true}) == MessageAnswer::Primary)
            ui.out.push("race.workload");
    } else if (own.stopped) {
        const std::array<std::string_view, 1> lines{ui.text["race.stopped.why"_t]};
        if (message_centered(ui, "stopped",
                             {.title = ui.text["race.stopped"_t],
                              .lines = lines,
                              .primary = ui.text["race.again"_t]}) == MessageAnswer::Primary)
            ui.out.push("race.again");
    }
}

// The lane that is chosen stands out a little.
void light_chosen(const RaceFrame& frame) {
    const auto i = static_cast<std::size_t>(frame.own.chosen);
    const Painter p(frame.ui);
    fill(p, frame.px(frame.plan.lanes[i].whole), frame.ui.colors.hover_wash());
}

}  // namespace

void draw_race(const Ui& ui, RaceUi& own) {
    // Each tab of a dock is drawn once before it is known which of them is in front.
    if (ImGui::IsWindowAppearing()) return;
    own.wanted = true;
    const Flush flush;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const Vec2 logical{room.x / ui.unit, room.y / ui.unit};
    RacePlan plan = plan_of(ui, own, logical);
    const bool scrolled = plan.height > logical.y + 0.5f;
    if (scrolled) plan = plan_of(ui, own, {std::max(1.0f, logical.x - kRaceScrollbar), logical.y});
    ImGui::BeginChild(
        "race", {0, 0}, 0,
        scrolled ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const RaceFrame frame{ui, own, plan, {std::floor(at.x), std::floor(at.y)}};
    const bool shown = own.race && own.refused.empty() && !own.stopped;
    if (shown) light_chosen(frame);
    draw_race_head(frame);
    if (shown) {
        draw_race_strips(frame);
        draw_race_lanes(frame);
        draw_race_foot(frame);
        ImGui::SetCursorScreenPos({at.x, frame.origin.y + ui.px(plan.height) - 1});
        ImGui::Dummy({1, 1});
    } else {
        ImGui::SetCursorScreenPos({at.x, frame.origin.y + ui.px(plan.strip_head.y)});
        draw_message(ui, own);
        ImGui::Dummy({1, 1});
    }
    ImGui::EndChild();
}

}  // namespace kv
