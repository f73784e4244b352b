#include <algorithm>

#include "app/frame/task/strip.hpp"

namespace kv {

TaskStripPlan plan_task_strip(const TaskStripNeeds& needs) {
    constexpr float kPad = 14, kTop = 10, kColumnGap = 24, kRow = 10, kLeastTask = 300,
                    kMostTask = 620,
                    kLeastConditions = 320;  // logical pixels
    const auto px = [&](float logical) { return logical * needs.unit; };
    const float inner = std::max(1.0f, needs.width - 2 * px(kPad)), top = px(kTop);
    const float beside = inner - needs.buttons - px(kColumnGap);
    TaskStripPlan plan;
    if (beside - px(kColumnGap) >= px(kLeastTask + kLeastConditions)) {
        const float task = std::clamp(beside * 0.46f, px(kLeastTask), px(kMostTask));
        const float conditions = beside - task - px(kColumnGap);
        const float high = std::max(
            {needs.task_height(task), needs.conditions_height(conditions), needs.button_height});
        plan.task = {px(kPad), top, task, high};
        plan.conditions = {px(kPad) + task + px(kColumnGap), top, conditions, high};
        plan.buttons = {px(kPad) + inner - needs.buttons, top, needs.buttons, needs.button_height};
        plan.height = high + 2 * top;
        return plan;
    }
    const float task = needs.task_height(inner), conditions = needs.conditions_height(inner);
    plan.task = {px(kPad), top, inner, task};
    plan.conditions = {px(kPad), top + task + px(kRow), inner, conditions};
    plan.buttons = {px(kPad), plan.conditions.bottom() + px(kRow), inner, needs.button_height};
    plan.height = plan.buttons.bottom() + top;
    return plan;
}

}  // namespace kv
