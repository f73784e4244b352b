#include "app/panels/whatif/whatif.hpp"

#include <array>
#include <cmath>

#include "app/panels/whatif/paint.hpp"
#include "app/widgets/hit.hpp"
#include "app/widgets/message.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kScrollbarRoom = 14;

Text weighing_words(const Ui& ui, double progress) {
    return fill(ui.text["whatif.weighing"_t], {{"n", fixed(std::floor(progress * 100), 0)}});
}

// What stands there while nothing was weighed yet, or not what was asked for.
void draw_instead(const Ui& ui, const WhatIfUi& own) {
    if (own.progress) {
        const Text title = weighing_words(ui, *own.progress);
        const std::array<std::string_view, 1> lines{ui.text["whatif.weighing.why"_t]};
        if (message_centered(
                ui, "weighing",
                {.title = title, .lines = lines, .primary = ui.text["whatif.stop"_t]}) ==
            MessageAnswer::Primary)
            ui.out.push("whatif.stop");
        return;
    }
    const bool is_refused = !own.refused.empty();
    const Text why = is_refused ? own.refused.in(ui.text) : Text(ui.text["panel.whatif.why"_t]);
    const std::array<std::string_view, 1> lines{why};
    const TextId title = is_refused ? "whatif.refused"_t : "panel.whatif.empty"_t;
    const TextId next = is_refused ? "whatif.other"_t : "cmd.whatif.file"_t;
    if (message_centered(ui, "none",
                         {.title = ui.text[title],
                          .lines = lines,
                          .primary = ui.text[next],
                          .refusal = is_refused}) == MessageAnswer::Primary)
        ui.out.push("whatif.file");
}

// While another recording is weighed, says over the last one how far that is.
void draw_progress(const WhatIfFrame& frame) {
    if (!frame.own.progress) return;
    const Painter p(frame.ui);
    const Rect strip = frame.px(frame.plan.answer);
    const float w = strip.w * static_cast<float>(*frame.own.progress);
    fill(p, snap({strip.x, strip.bottom() - frame.ui.px(3), w, frame.ui.px(3)}),
         frame.ui.colors.focus);
}

}  // namespace

void draw_whatif(const Ui& ui, WhatIfUi& own) {
    // Each tab of a dock is drawn once before it is known which of them is in front.
    if (ImGui::IsWindowAppearing()) return;
    const Flush flush;
    if (!own.weighed || !own.refused.empty()) return draw_instead(ui, own);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const Vec2 logical{room.x / ui.unit, room.y / ui.unit};
    WhatIfPlan plan;
    const auto plan_for = [&](Vec2 size) {
        plan = plan_whatif(size);
        plan = plan_whatif(size, whatif_answer_lines({ui, own, *own.weighed, plan, {}}));
    };
    plan_for(logical);
    const bool scrolled = plan.height > logical.y + 0.5f;
    if (scrolled) plan_for({std::max(1.0f, logical.x - kScrollbarRoom), logical.y});
    ImGui::BeginChild(
        "whatif", {0, 0}, ImGuiChildFlags_NavFlattened,
        scrolled ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const WhatIfFrame frame{ui, own, *own.weighed, plan, {std::floor(at.x), std::floor(at.y)}};
    draw_whatif_answer(frame);
    draw_whatif_curve(frame);
    draw_whatif_again(frame);
    draw_whatif_first_token(frame);
    draw_whatif_points(frame);
    draw_whatif_assumptions(frame);
    draw_progress(frame);
    ImGui::SetCursorScreenPos({at.x, frame.origin.y + ui.px(plan.height) - 1});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
}

}  // namespace kv
