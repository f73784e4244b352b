// What the mouse and the keyboard do on the strips, which are one canvas with their axis.

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/panels/race/paint.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kScrubFrom = 3;  // logical pixels; below it is a click
constexpr double kTimeZoom = 1.25;

class StripInput {
public:
    StripInput(const RaceFrame& frame, const Hit& hit)
        : frame_(frame), ui_(frame.ui), own_(frame.own), hit_(hit) {}

    void use() {
        if (hit_.focused) keys();
        if (hit_.hovered) wheel();
        drag();
        if (hit_.hovered && !own_.scrubbing) tip();
    }

private:
    Rect strip(std::size_t i) const { return frame_.px(frame_.plan.lanes[i].strip); }
    std::optional<std::size_t> lane_at(Vec2 at) const {
        for (std::size_t i = 0; i < frame_.plan.lanes.size(); ++i)
            if (strip(i).contains(at)) return i;
        return std::nullopt;
    }
    static Vec2 mouse() {
        const ImVec2 at = ImGui::GetMousePos();
        return {at.x, at.y};
    }
    double iteration(Vec2 at) const {
        const Rect room = strip(0);
        return iteration_at(own_.shown(), std::clamp(at.x - room.x, 0.0f, room.w), room.w);
    }
    void go(Vec2 to) const {
        ui_.out.push("race.goto", static_cast<std::uint64_t>(std::max(0.0, iteration(to))));
    }

    void wheel() {
        ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
        const float turned = ImGui::GetIO().MouseWheel;
        if (turned == 0) return;
        const double factor = math::pow(kTimeZoom, static_cast<double>(turned));
        own_.time = zoomed(own_.shown(), factor, iteration(mouse()), own_.longest());
    }
    // A press that moves scrubs; one that stays tells the rule. On the axis it goes there at once.
    void drag() {
        if (hit_.hovered && ImGui::IsMouseClicked(0)) {
            own_.pressed_at = mouse();
            own_.scrubbing = !lane_at(mouse());
        }
        if (!own_.pressed_at) return;
        if (ImGui::IsMouseReleased(0)) {
            const auto lane = lane_at(*own_.pressed_at);
            if (!own_.scrubbing && lane) tell(*lane);
            own_.pressed_at.reset(), own_.scrubbing = false;
            return;
        }
        if (!ImGui::IsMouseDown(0)) return own_.pressed_at.reset();
        const Vec2 moved = mouse() - *own_.pressed_at;
        if (std::abs(moved.x) >= ui_.px(kScrubFrom)) own_.scrubbing = true;
        if (own_.scrubbing) go(mouse());
    }
    void tell(std::size_t lane) const {
        ui_.out.push("race.rule", std::string(name_of(frame_.lane(lane).result.allocator)));
    }

    void keys() {
        const auto pressed = [id = ImGui::GetID("strips")](ImGuiKey key) {
            ImGui::SetKeyOwner(key, id);
            return ImGui::IsKeyPressed(key, ImGuiInputFlags_Repeat, id);
        };
        const Arrows arrows = keep_arrows("strips");
        const bool fine = ImGui::GetIO().KeyShift;
        if (arrows.right > 0) ui_.out.push(fine ? CommandId("race.finer_forward") : "race.forward");
        if (arrows.right < 0) ui_.out.push(fine ? CommandId("race.finer_back") : "race.back");
        if (arrows.down != 0) choose(arrows.down);
        if (pressed(ImGuiKey_Space)) ui_.out.push("race.play");
        if (pressed(ImGuiKey_Home)) ui_.out.push("race.first");
        if (pressed(ImGuiKey_End)) ui_.out.push("race.last");
        if (ImGui::GetIO().KeyCtrl) return;
        if (ImGui::IsKeyPressed(ImGuiKey_Equal)) ui_.out.push("race.closer");
        if (ImGui::IsKeyPressed(ImGuiKey_Minus)) ui_.out.push("race.farther");
        if (ImGui::IsKeyPressed(ImGuiKey_Enter, false)) tell(static_cast<std::size_t>(own_.chosen));
    }
    void choose(int down) {
        const int n = static_cast<int>(frame_.plan.lanes.size());
        const int to = std::clamp(static_cast<int>(own_.chosen) + down, 0, n - 1);
        own_.chosen = frame_.lane(static_cast<std::size_t>(to)).result.allocator;
    }

    void tip() const {
        const auto i = lane_at(mouse());
        if (!i || ImGui::IsMouseDown(0) || !ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal))
            return;
        const auto at = static_cast<u64>(iteration(mouse()));
        const RaceRecord& lane = frame_.lane(*i);
        const RaceMoment moment = lane.at(at);
        Text words = fill(ui_.text["race.tip"_t], {{"n", with_commas(at)},
                                                   {"running", with_commas(moment.running)},
                                                   {"waiting", with_commas(moment.waiting)}});
        for (const SlotKind kind : kSlotKinds) {
            const u64 n = slots_of(moment.use, kind);
            const double share = static_cast<double>(n) / static_cast<double>(lane.pool);
            if (n > 0)
                words += "\n" +
                         fill(ui_.text["race.tip.slots"_t], {{"kind", ui_.text[name_of(kind)]},
                                                             {"n", with_commas(n)},
                                                             {"share", percent(ui_.text, share)}});
        }
        ImGui::SetTooltip("%s", words.c_str());
    }

    const RaceFrame& frame_;
    const Ui& ui_;
    RaceUi& own_;
    const Hit& hit_;
};

}  // namespace

void use_race_strips(const RaceFrame& frame, const Hit& hit) {
    StripInput(frame, hit).use();
}

}  // namespace kv
