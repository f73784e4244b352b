#include "app/panels/stage/stage.hpp"

#include <algorithm>

#include "app/panels/stage/input.hpp"
#include "app/panels/stage/paint.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::uint64_t kMostFaded = 16'384;  // blocks; drawing more of them twice takes too long
constexpr float kLeastAboveTries = 260;       // logical pixels of the picture itself
constexpr float kSpill = 16;  // logical pixels of a panel's padding that the lines may use

std::uint32_t longest_of(const LaneAt& lane, std::span<const SeqId> requests) {
    std::uint32_t longest = 0;
    for (const SeqId id : requests) longest = std::max(longest, rows_of(lane, id));
    return longest;
}

StageNeeds needs_of(const Ui& ui, const RunView& run, const RunFocus& focus, const StageUi& own,
                    std::span<const SeqId> others, bool has_draft) {
    const Snapshot& now = run.now;
    const LaneAt lane = run.lane();
    const std::uint32_t bs = std::max(1u, now.block_size);
    const auto count = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
    return {.unit = ui.unit,
            .spill = ui.px(kSpill),
            .block_size = bs,
            .n_rows = rows_of(lane, focus.request),
            .anchor = inspected_row(lane, focus),
            .scroll = own.row_scroll,
            .n_others = count(others.size()),
            .longest_other = longest_of(lane, others),
            .n_blocks = count(lane.blocks().size()),
            .n_host = count(now.host.size()),
            .has_words = !own.words.words().empty() || has_draft,
            .has_pieces = own.words.has_pieces(),
            .has_draft = has_draft,
            .n_drafter = now.drafter ? now.drafter->n_blocks : 0};
}

// Ends scrolling where there are no more rows, so that turning back has an effect at once.
void clamp_scroll(StageUi& own, const StageNeeds& needs, const StagePlan& plan) {
    if (plan.shown.end - plan.shown.begin >= needs.n_rows) own.row_scroll = 0;
    const auto rows = static_cast<std::int64_t>(needs.n_rows);
    own.row_scroll = std::clamp(own.row_scroll, -rows, rows);
    if (own.row_scroll < 0 && plan.shown.above == 0) ++own.row_scroll;
    if (own.row_scroll > 0 && plan.shown.below == 0) --own.row_scroll;
}

bool has_room_for_ids(const Ui& ui, const LaneAt& lane, const StagePlan& plan) {
    if (!plan.learn || lane.blocks().empty()) return false;
    const TextStyle style{ui.fonts.mono, 12, ui.colors.text};
    const Text widest = with_commas(lane.blocks().size());
    return text_width(ui, style, widest) + ui.px(4) <= plan.strip_block_pitch;
}

std::uint64_t count_visible(const PoolGrid& grid) {
    const PoolGrid::Visible seen = grid.visible();
    return std::uint64_t{seen.last_row - seen.first_row} * (seen.last_column - seen.first_column);
}

// Begins a fade where blocks are drawn in another class than a frame ago. Only zooming fades: a
// pool or a panel of another size is another picture.
void follow_fade(const Ui& ui, StageUi& own, BlockClass look, std::uint64_t n_seen) {
    LookFade& fade = own.fade;
    const double now = ImGui::GetTime();
    const bool zooms = own.pool.zoom != fade.zoom;
    if (fade.seen && *fade.seen != look && zooms && !ui.reduced_motion && n_seen <= kMostFaded)
        fade.from = fade.seen, fade.since = now;
    if (fade_left(now - fade.since) == 0) fade.from.reset();
    fade.seen = look, fade.zoom = own.pool.zoom;
    own.is_moving = fade.from.has_value();
}

// Where everything stands in this frame.
struct PlannedStage {
    StagePlan plan;
    PoolGrid fit;  // the whole pool; what is shown of it may be zoomed
    std::optional<PoolGrid> host;
};

// The pool keeps its columns until it, or the room around it, is another.
PlannedStage plan_of(const Ui& ui, std::uint64_t run, StageNeeds needs, StageUi& own,
                     const Rect& room) {
    PoolColumns& kept = own.columns;
    const bool known = kept.run == run && kept.n_blocks == needs.n_blocks &&
                       kept.room == Vec2{room.w, room.h} && kept.unit == ui.unit;
    needs.columns = known ? kept.columns : 0;
    const StagePlan plan = plan_stage({std::floor(room.w), std::floor(room.h)}, needs);
    clamp_scroll(own, needs, plan);
    const auto at = [&](const Rect& r) { return Rect{r.x + room.x, r.y + room.y, r.w, r.h}; };
    const PoolGrid fit = fit_pool(at(plan.pool), needs.n_blocks, ui.unit, needs.columns);
    if (!known && needs.n_blocks > 0)
        kept = {run, needs.n_blocks, fit.columns, {room.w, room.h}, ui.unit};
    std::optional<PoolGrid> host;
    if (plan.host) host = fit_pool(at(*plan.host), needs.n_host, ui.unit);
    return {plan, fit, host};
}

void paint_all(const StagePicture& s) {
    paint_headline(s);
    paint_sentences(s);
    // Around blocks with words the lines run in gutters, below all else; of smaller ones at most
    // one is drawn (kLinesFrom in pool.cpp), and stands out over them.
    const bool lines_below = s.grid.look >= BlockClass::Label;
    if (lines_below) paint_lines(s);
    paint_strips(s);
    paint_pool_head(s);
    paint_rows(s);
    paint_pieces(s);
    paint_draft_line(s);
    paint_draft_box(s);
    paint_pool(s);
    if (!lines_below) paint_lines(s);
    paint_host(s);
    paint_drafter(s);
    paint_pool_bar(s);
}

}  // namespace

void draw_stage(const Ui& ui, const RunView& run, RunFocus& focus, StageUi& own) {
    own.facts.follow(run);
    own.words.follow(run);
    if (own.seen != focus.request) own.row_scroll = 0, own.seen = focus.request;
    const List<SeqId> others = other_requests(run.now, focus.request);
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    ImVec2 room = ImGui::GetContentRegionAvail();
    const Vec2 origin{std::floor(cursor.x), std::floor(cursor.y)};
    const List<TryStep> tries = try_next(run, ui.text);
    const float foot = tries.empty() ? 0 : try_next_height(ui);
    const bool tries_fit = foot > 0 && room.y - foot >= ui.px(kLeastAboveTries);
    if (tries_fit) room.y -= foot;
    const std::optional<DraftShown>& draft = own.draft.follow(run, focus.request);
    const auto [plan, fit, host] =
        plan_of(ui, run.id, needs_of(ui, run, focus, own, others, draft.has_value()), own,
                {origin.x, origin.y, room.x, room.y});
    const StagePicture s{.ui = ui,
                         .run = run,
                         .focus = focus,
                         .own = own,
                         .plan = plan,
                         .origin = origin,
                         .grid = zoomed(fit, own.pool.zoom, own.pool.pan, ui.unit),
                         .host = host,
                         .others = others,
                         .strip_ids = has_room_for_ids(ui, run.lane(), plan),
                         .draft = draft ? &*draft : nullptr};
    follow_fade(ui, own, s.grid.look, count_visible(s.grid));
    const Hit hit = hit_item("stage", {room.x, room.y});
    const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImGui::PushClipRect({from.x, cursor.y - ui.px(9)}, {from.x + size.x, from.y + size.y}, false);
    paint_all(s);
    if (hit.focused) focus_ring(Painter(ui), hit.rect.inset(ui.px(1)));
    ImGui::PopClipRect();
    steer_stage(s, hit, fit, focus);
    if (tries_fit)
        draw_try_next(ui, tries, {origin.x, origin.y + std::floor(room.y), room.x, foot});
}

}  // namespace kv
