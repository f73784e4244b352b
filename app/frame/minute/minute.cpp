#include "app/frame/minute/minute.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/frame/dock/dock.hpp"
#include "app/frame/minute/card.hpp"
#include "core/base/numbers/elementary.hpp"

namespace kv {
namespace {

constexpr double kCovered = 0.64;
constexpr float kDisc = 14;  // radius, logical pixels
constexpr const char *kCover = "###minute/cover", *kCard = "###minute/card";

// A part of the stop that is in sight and stays uncovered.
struct LitRect {
    Rect rect;
    std::uint32_t disc = 0;
    List<Vec2> way = {};  // a line is drawn over the cover
};

Rect whole_window() {
    const ImVec2 pixels = ImGui::GetMainViewport()->Size;
    return {0, 0, pixels.x, pixels.y};
}

Rect around(const Rect& a, const Rect& b) {
    const float x = std::min(a.x, b.x), y = std::min(a.y, b.y);
    return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

std::optional<Rect> found(const DrawnParts& parts, const List<PartName>& names) {
    std::optional<Rect> all;
    for (const PartName& name : names)
        if (const DrawnPart* part = parts.find(name))
            all = all ? around(*all, part->rect) : part->rect;
    return all;
}

std::uint32_t first_lesson_of(const MinuteScene& scene) {
    return scene.lesson == nullptr || scene.lesson->shelf.empty()
               ? 1
               : scene.lesson->shelf.front().number;
}

StopPlan stop_of(const MinuteScene& scene) {
    return plan_stop(scene.state.minute.stop, {.run = scene.run,
                                               .focus = scene.state.run.focus,
                                               .text = scene.ui.text,
                                               .first_lesson = first_lesson_of(scene)});
}

List<LitRect> lit_of(const MinuteScene& scene, const StopPlan& stop) {
    List<LitRect> lit;
    for (const LitPart& part : stop.lit) {
        const DrawnPart* line = part.names.front().kind == PartKind::Line
                                    ? scene.parts.find(part.names.front())
                                    : nullptr;
        if (line != nullptr) {
            lit.push_back({line->rect, part.disc, line->way});
            continue;
        }
        auto rect = found(scene.parts, part.names);
        const bool may_miss = part.disc == 0;
        if (!rect && !may_miss) rect = panel_in_view(scene.state.layout, part.panel);
        if (rect) lit.push_back({snap(*rect), part.disc});
    }
    return lit;
}

// What is not in sight has no number in the text either.
void keep_seen_numbers(StopPlan& stop, const List<LitRect>& lit) {
    for (StopItem& item : stop.items) {
        const bool seen = std::any_of(lit.begin(), lit.end(),
                                      [&](const LitRect& one) { return one.disc == item.disc; });
        if (!seen) item.disc = 0;
    }
}

// The number of a part stands at its left, where there is room; else above it.
Rect disc_of(const Ui& ui, const LitRect& part) {
    const float r = ui.px(kDisc), off = ui.px(20);
    const float left = part.rect.x - off;
    const Vec2 at =
        left - r >= 0 ? Vec2{left, part.rect.center().y} : Vec2{part.rect.x + r, part.rect.y - off};
    return {at.x - r, at.y - r, 2 * r, 2 * r};
}

// What the card keeps clear of: the parts with their brackets and discs, and the lines.
List<Rect> kept_clear(const Ui& ui, const List<LitRect>& lit) {
    List<Rect> clear;
    for (const LitRect& one : lit)
        for (std::size_t i = 1; i < one.way.size(); ++i) {
            const Vec2 a = one.way[i - 1], b = one.way[i];
            clear.push_back(Rect{std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x),
                                 std::abs(a.y - b.y)}
                                .inset(-ui.px(3)));
        }
    for (const LitRect& one : lit)
        if (one.way.empty())
            clear.push_back(one.disc > 0 ? around(one.rect.inset(-ui.px(4)), disc_of(ui, one))
                                         : one.rect.inset(-ui.px(4)));
    return clear;
}

void paint_cover(const Painter& p, const List<LitRect>& lit) {
    const Ui& ui = p.ui;
    const Color veil =
        with_alpha(ui.colors.inset, static_cast<std::uint8_t>(std::lround(255 * kCovered)));
    List<Rect> holes;
    for (const LitRect& one : lit)
        if (one.way.empty()) holes.push_back(one.rect.inset(-ui.px(2)));
    for (const Rect& piece : cover_around(whole_window(), holes)) fill(p, piece, veil);
    for (const LitRect& one : lit)
        if (!one.way.empty())
            connector(p, one.way,
                      {.color = ui.colors.focus,
                       .halo = mix(ui.colors.panel, ui.colors.inset, kCovered),
                       .width = 2.5f,
                       .head = false});
    for (const LitRect& one : lit) {
        if (!one.way.empty()) continue;
        brackets(p, one.rect.inset(-ui.px(2)), ui.colors.focus);
        if (one.disc > 0) paint_disc(p, disc_of(ui, one).center(), kDisc, one.disc);
    }
}

void paint_plate(const Painter& p, const CardPlan& plan) {
    const Ui& ui = p.ui;
    fill(p, plan.box, ui.colors.raised, 6);
    outline(p, plan.box, ui.colors.text, 6, 1.5f);
    if (!plan.pointer) return;
    const CardPlan::Pointer& at = *plan.pointer;
    const Vec2 middle{(at.from.x + at.to.x) / 2, (at.from.y + at.to.y) / 2};
    // A little into the card, over its edge.
    const float share =
        ui.px(2) / std::max(1.0f, math::hypot(at.tip.x - middle.x, at.tip.y - middle.y));
    const Vec2 in{(middle.x - at.tip.x) * share, (middle.y - at.tip.y) * share};
    const std::array<ImVec2, 5> shape{im(at.from + in), im(at.from), im(at.tip), im(at.to),
                                      im(at.to + in)};
    p.list.AddConvexPolyFilled(shape.data(), static_cast<int>(shape.size()), im(ui.colors.raised));
    stroke(p, at.from, at.tip, ui.colors.text, 1.5f);
    stroke(p, at.tip, at.to, ui.colors.text, 1.5f);
}

// Raises a window over the panels and below all that opens over the picture.
void raise(ImGuiWindow* window) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    ImGuiWindow* popup = g.OpenPopupStack.Size > 0 ? g.OpenPopupStack[0].Window : nullptr;
    if (popup != nullptr)
        ImGui::BringWindowToDisplayBehind(window, popup);
    else
        ImGui::BringWindowToDisplayFront(window);
}

constexpr ImGuiWindowFlags kBare =
    ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
    ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus;

// A press on a lit part is for the panel below; one elsewhere does nothing.
bool lets_mouse_through(const MinuteUi& own) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    const ImVec2 mouse = g.IO.MousePos;
    if (g.ActiveId != 0 && g.ActiveIdWindow != ImGui::FindWindowByName(kCard)) return true;
    return std::any_of(own.lit.begin(), own.lit.end(), [&](const Rect& lit) {
        return lit.contains({mouse.x, mouse.y});
    });
}

void begin_bare(const char* id, const Rect& box, ImGuiWindowFlags flags) {
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.w, box.h});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::Begin(id, nullptr, kBare | flags);
    ImGui::PopStyleVar(2);
    raise(ImGui::GetCurrentWindow());
}

// The stop that asks for a step goes on when that was made, however it was asked for.
void follow_step(const MinuteCard& card) {
    MinuteUi& own = card.own();
    if (!card.asks_for_step()) return;
    const bool made = card.scene.run.now.iteration >= look_of(own.stop + 1).iteration;
    if (!made)
        own.waits_for_step = true;
    else if (std::exchange(own.waits_for_step, false))
        card.ui().out.push("minute.next");
}

}  // namespace

bool shows_minute(const AppState& state) {
    return state.minute.open && !state.start.open && !state.only_panel && !state.run.preparing &&
           state.layout == LayoutName::Explore;
}

void draw_minute(const MinuteScene& scene) {
    const Ui& ui = scene.ui;
    MinuteUi& own = scene.state.minute;
    MinuteCard card{scene, stop_of(scene), first_lesson_of(scene)};
    const List<LitRect> lit = lit_of(scene, card.stop);
    keep_seen_numbers(card.stop, lit);
    const CardPlan plan =
        plan_card({.area = whole_window(),
                   .lit = kept_clear(ui, lit),
                   .unit = ui.unit,
                   .height_of = [&card](float width) { return card_height(card, width); }});

    const ImGuiWindowFlags through = lets_mouse_through(own) ? ImGuiWindowFlags_NoMouseInputs : 0;
    begin_bare(kCover, whole_window(),
               ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing | through);
    const Painter p(ui);
    paint_cover(p, lit);
    paint_plate(p, plan);
    ImGui::End();

    // In a window with very large text the card is scrolled.
    const bool scrolls = card_height(card, plan.box.w) > plan.box.h + 1;
    begin_bare(kCard, plan.box, scrolls ? 0 : ImGuiWindowFlags_NoScrollbar);
    // First the keys: what has the keyboard is what had it when they were pressed.
    if (scene.read_keys) read_minute_keys(card);
    draw_card(card, {plan.box.x, plan.box.y - ImGui::GetScrollY(), plan.box.w, plan.box.h});
    ImGui::End();

    ImGuiWindow* notice = ImGui::FindWindowByName("###notice");
    if (notice != nullptr && notice->WasActive) raise(notice);

    own.lit.clear();
    for (const LitRect& one : lit)
        if (one.way.empty()) own.lit.push_back(one.rect);
    follow_step(card);
}

}  // namespace kv
