#include "app/panels/present/page/sides.hpp"

#include <array>
#include <cmath>

#include "app/panels/present/paint.hpp"
#include "app/panels/present/run/picture.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/tags.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kSidesDivide = 64, kName = 44, kCounts = 36, kBelow = 12, kSideMarkSize = 26;
constexpr float kLeastChip = 60;  // narrower chips hold no word: then the pool stands alone

// What the side is called: by its change, else by its scene.
Text name_of(const RunView& run) {
    return run.scene.empty() && run.change != nullptr ? Text(run.change->value) : Text(run.scene);
}

void draw_side(const Ui& ui, const RunView& run, const RunFocus& focus, StageUi& own,
               const SidesPlan::Side& side, CompareSide mark) {
    const Painter p(ui);
    const float wide = ui.px(kSideMarkSize + 14);
    draw_side_mark(p, {side.name.x + ui.px(kSideMarkSize) / 2, side.name.center().y}, kSideMarkSize,
                   mark, ui.colors.text);
    const TextStyle name{ui.fonts.bold, 30, ui.colors.text};
    const Rect name_room{side.name.x + wide, side.name.y, side.name.w - wide, side.name.h};
    text_in(p, fitting(ui, name, name_of(run), name_room.w), name_room, name_of(run));
    const PoolCounts pool = count_pool(run.now);
    const Text counts =
        fill(ui.text["lesson.page.side"_t], {{"running", with_commas(run.now.running.size())},
                                             {"waiting", with_commas(run.now.waiting.size())},
                                             {"used", with_commas(pool.used)},
                                             {"blocks", with_commas(pool.blocks)}});
    text_in(p, fitting(ui, {ui.fonts.regular, 24, ui.colors.text2}, counts, side.counts.w),
            side.counts, counts);
    PresentRunNeeds needs = run_picture_needs(run, focus);
    RunPicturePlan plan = plan_run_picture(side.picture, side.picture.w, ui.unit, needs);
    needs.with_rows = is_known(run.now, focus.request) && !plan.columns.empty() &&
                      plan.columns[0].stage.chip_pitch >= ui.px(kLeastChip);
    if (!needs.with_rows) plan = plan_run_picture(side.picture, side.picture.w, ui.unit, needs);
    draw_run_picture(ui, run, focus, own, plan);
}

}  // namespace

SidesPlan plan_sides(const Rect& room, float unit) {
    const auto px = [unit](float design) { return std::round(design * unit); };
    const float gap = px(kSidesDivide), half = std::floor((room.w - gap) / 2);
    const auto side = [&](float x) {
        SidesPlan::Side s;
        s.name = {x, room.y, half, px(kName)};
        s.counts = {x, s.name.bottom(), half, px(kCounts)};
        const float y = s.counts.bottom() + px(kBelow);
        s.picture = {x, y, half, std::max(1.0f, room.bottom() - y)};
        return s;
    };
    SidesPlan plan{side(room.x), side(room.right() - half), 0};
    plan.divide_x = std::round(room.x + half + gap / 2);
    return plan;
}

void draw_sides(const Ui& ui, const SidesInput& in, const Rect& room) {
    const SidesPlan plan = plan_sides(room, ui.unit);
    vline(Painter(ui), plan.divide_x, room.y, room.bottom(), ui.colors.line, 2);
    draw_side(ui, in.left, in.focus, in.left_ui, plan.left, CompareSide::Left);
    draw_side(ui, in.right, in.focus, in.right_ui, plan.right, CompareSide::Right);
}

}  // namespace kv
