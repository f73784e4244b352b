#include "app/panels/stage/input.hpp"

#include <imgui_internal.h>

#include <algorithm>

#include "core/base/numbers/elementary.hpp"

namespace kv {
namespace {

constexpr float kWheelZoom = 1.25f;
constexpr float kDragFrom = 4;  // logical pixels; below it is a click

Vec2 mouse() {
    const ImVec2 at = ImGui::GetIO().MousePos;
    return {at.x, at.y};
}

void select(const StagePicture& s, const StageHit& at) {
    CommandSink& out = s.ui.out;
    const auto focus_on = [&](SeqId request) {
        if (request != s.focus.request)
            out.push("focus.request", s.now().requests[request.index()].name);
    };
    if (at.token) {
        focus_on(at.token->request);
        out.push("select.token", std::uint64_t{at.token->position});
    } else if (at.block) {
        out.push("select.block", std::uint64_t{at.block->value});
    }
    s.own.was_clicked = at.token || at.block;
}

void zoom(const StagePicture& s, const PoolGrid& fit, float steps) {
    s.own.pool = zoom_at(fit, s.own.pool, mouse(), static_cast<float>(math::pow(kWheelZoom, steps)),
                         s.ui.unit);
}

void turn_wheel(const StagePicture& s, const PoolGrid& fit, const StageHit& at) {
    const float wheel = ImGui::GetIO().MouseWheel;
    if (wheel == 0) return;
    if (at.in_pool) zoom(s, fit, wheel);
    if (at.in_rows) s.own.row_scroll -= wheel > 0 ? 1 : -1;
}

// A press on the pool that moves is a pan; one that stays is a click.
void drag(const StagePicture& s, const StageHit& at) {
    if (ImGui::IsMouseClicked(0)) {
        s.own.panning = false;
        s.own.pressed_at = at.in_pool ? std::optional(mouse()) : std::nullopt;
        s.own.pan_at_press = s.grid.pan;
    }
    if (!s.own.pressed_at || !ImGui::IsMouseDown(0)) return;
    const Vec2 moved = mouse() - *s.own.pressed_at;
    if (math::hypot(moved.x, moved.y) >= s.ui.px(kDragFrom)) s.own.panning = true;
    if (s.own.panning) s.own.pool.pan = s.own.pan_at_press - moved;
}

// Keeps the arrow keys while the keyboard is here, so that Dear ImGui does not move between
// controls by them.
void hold_arrows(ImGuiID owner) {
    for (const ImGuiKey key :
         {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow})
        ImGui::SetKeyOwner(key, owner);
}

bool pressed(ImGuiKey key) {
    return ImGui::IsKeyPressed(key, true);
}

void move_selection(const StagePicture& s, std::int64_t by) {
    const auto now = s.inspected();
    const SeqId request = s.focus.request;
    if (request.index() >= s.now().requests.size()) return;
    const auto n = static_cast<std::int64_t>(s.now().requests[request.index()].tokens.size());
    if (n == 0) return;
    const std::int64_t to = std::clamp<std::int64_t>(std::int64_t{now.value_or(0)} + by, 0, n - 1);
    s.ui.out.push("select.token", static_cast<std::uint64_t>(to));
}

void use_keys(const StagePicture& s, const PoolGrid& fit) {
    hold_arrows(ImGui::GetID("stage"));
    const std::int64_t row = s.now().block_size;
    if (pressed(ImGuiKey_LeftArrow)) move_selection(s, -1);
    if (pressed(ImGuiKey_RightArrow)) move_selection(s, 1);
    if (pressed(ImGuiKey_UpArrow)) move_selection(s, -row);
    if (pressed(ImGuiKey_DownArrow)) move_selection(s, row);
    if (ImGui::GetIO().KeyCtrl) return;
    const Vec2 middle = s.grid.area.center();
    const auto step = [&](float factor) {
        s.own.pool = zoom_at(fit, s.own.pool, middle, factor, s.ui.unit);
    };
    if (pressed(ImGuiKey_Equal) || pressed(ImGuiKey_KeypadAdd)) step(kWheelZoom);
    if (pressed(ImGuiKey_Minus) || pressed(ImGuiKey_KeypadSubtract)) step(1 / kWheelZoom);
    if (pressed(ImGuiKey_0) || pressed(ImGuiKey_Keypad0)) s.own.pool = {};
}

}  // namespace

void steer_stage(const StagePicture& s, const Hit& hit, const PoolGrid& fit, RunFocus& focus) {
    const StageHit at =
        hit.hovered || hit.held
            ? stage_hit({s.lane(), s.plan, s.origin, s.grid, s.host, s.focus.request, s.others},
                        mouse())
            : StageHit{};
    if (hit.hovered || hit.held) {
        drag(s, at);
        if (!s.own.panning) {
            focus.next_pointed.token = at.token;
            focus.next_pointed.block = at.block;
            explain_stage(s, at);
        }
        turn_wheel(s, fit, at);
    }
    const bool by_mouse = ImGui::IsMouseReleased(0);
    if (hit.hovered && at.tag && ImGui::IsMouseDoubleClicked(0) && *at.tag != s.focus.request)
        s.ui.out.push("focus.request", s.now().requests[at.tag->index()].name);
    if (hit.pressed && by_mouse && !s.own.panning) select(s, at);
    if (!ImGui::IsMouseDown(0)) s.own.panning = false, s.own.pressed_at.reset();
    if (hit.focused) use_keys(s, fit);
}

}  // namespace kv
