#include "app/frame/frame.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "app/frame/dock/dock.hpp"
#include "app/frame/keys.hpp"
#include "app/frame/minute/minute.hpp"
#include "app/frame/overlay/overlays.hpp"
#include "app/frame/present.hpp"
#include "app/frame/start/start.hpp"
#include "app/frame/task/strip.hpp"
#include "app/frame/top_bar/top_bar.hpp"
#include "app/panels/bill/panels.hpp"

namespace kv {

Frame::Frame(AppState state, Texts texts) : state_(std::move(state)), texts_(std::move(texts)) {}

void Frame::apply_commands() {
    for (const Command& command : out_.take()) apply_or_explain(state_, command);
}

Ui Frame::ui_of(const FrameInput& in, const Fonts& fonts) {
    return {.colors = palette(state_.settings.theme),
            .fonts = fonts,
            .text = texts_,
            .out = out_,
            .unit = in.display_scale * state_.settings.text_scale,
            .reduced_motion = state_.settings.reduced_motion,
            .written = in.written,
            .parts = shows_minute(state_) ? &parts_ : nullptr};
}

void Frame::draw_notes_window(const FrameInput& in, const Fonts& fonts) {
    const Ui ui = ui_of(in, fonts);
    if (in.read_keys) read_notes_keys(state_, out_);
    ImGui::PushFont(fonts.regular, ui.px(13));
    const ImVec2 pixels = ImGui::GetMainViewport()->Size;
    draw_notes_page(ui, state_.run.notes,
                    {.run = in.run,
                     .focus = state_.run.focus,
                     .lesson = in.lesson,
                     .frozen = state_.run.frozen,
                     .clock = in.clock},
                    {0, 0, pixels.x, pixels.y});
    ImGui::PopFont();
}

void Frame::draw(const FrameInput& in, const Fonts& fonts) {
    apply_commands();
    state_.bill_ui.focus.new_frame();
    state_.run.focus.new_frame();
    state_.run.figure.is_moving = false;
    state_.run.code.is_moving = false;
    parts_.clear();

    const Ui ui = ui_of(in, fonts);
    // What was typed on the page of the start does not steer panels: the keys are the run's.
    if (std::exchange(start_was_open_, state_.start.open) && !state_.start.open)
        ImGui::SetNavCursorVisible(false);
    if (in.read_keys) read_keys(state_, popup_was_open_, out_);
    state_.run.code.is_drawn = false;  // what keys mean went by the frame before

    ImGui::PushFont(fonts.regular, ui.px(13));
    draw_layout(ui, in);
    draw_guided_minute(ui, in);
    draw_palette(ui, state_);
    draw_help(ui, state_);
    draw_question(ui, state_);
    if (in.show_notice) draw_notice(ui, state_);
    if (std::exchange(state_.copy_bill, false)) {
        ImGui::SetClipboardText(bill_as_text(state_.bill, texts_).c_str());
        state_.notice = Notice{.said = Said("message.copied"_t)};
    }
    ImGui::PopFont();
    popup_was_open_ = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

// The colour of panels, so that none of them has to fill itself.
Color Frame::background() const {
    const Palette& colors = palette(state_.settings.theme);
    const bool whole_picture =
        state_.layout == LayoutName::Present && !state_.only_panel && !state_.start.open;
    return whole_picture ? colors.app : colors.panel;
}

// Planned once for a window of that size.
const LayoutNode& Frame::tree_of(Vec2 window) {
    const TreeKey key{state_.docks(), state_.only_panel, window, state_.run.lesson.open,
                      state_.run.lesson.panels};
    if (!tree_ || tree_key_ != key) tree_ = current_tree(state_, window);
    tree_key_ = key;
    return *tree_;
}

// The start page stands in place of the panels, and the bar names the run that it shows.
void Frame::draw_start_page(const Ui& ui, const FrameInput& in) {
    const StartView nothing;
    const StartView& view = in.start == nullptr ? nothing : *in.start;
    draw_top_bar(ui, state_, view.run == nullptr ? in.run : view.run);
    draw_start({ui, state_, view, in.lesson, in.read_keys, popup_was_open_});
}

// The minute lies over the panels, and is drawn once they have told where their parts are.
void Frame::draw_guided_minute(const Ui& ui, const FrameInput& in) {
    if (!shows_minute(state_) || in.run == nullptr) return;
    draw_minute({ui, state_, *in.run, parts_, in.lesson, in.read_keys, popup_was_open_});
}

void Frame::draw_layout(const Ui& ui, const FrameInput& in) {
    if (state_.start.open && !state_.only_panel) return draw_start_page(ui, in);
    const ImVec2 pixels = ImGui::GetMainViewport()->Size;
    const bool whole_picture = state_.layout == LayoutName::Present && !state_.only_panel;
    if (whole_picture) {
        const Rect room{0, 0, pixels.x, pixels.y};
        if (state_.run.preparing)
            draw_preparing_page(ui, *state_.run.preparing);
        else
            draw_present_layout(ui, state_, {in.run, in.other, in.lesson, in.display_scale},
                                frozen_, room);
        last_layout_ = LayoutName::Present;
        return;
    }
    if (!state_.only_panel) draw_top_bar(ui, state_, in.run);

    const LayoutNode& tree = tree_of({pixels.x / ui.unit, pixels.y / ui.unit});
    const float gap = ui.px(kGap);
    const float strip = task_strip_height(ui, state_, in.lesson, pixels.x - 2 * gap);
    if (strip > 0)
        draw_task_strip(ui, *in.lesson, {gap, ui.px(kTopBar) + gap, pixels.x - 2 * gap, strip});
    state_.task_strip = strip > 0 ? strip / ui.unit + kGap : 0;
    const float top = state_.only_panel ? 0 : ui.px(kTopBar) + gap + (strip > 0 ? strip + gap : 0);
    const Rect area = state_.only_panel ? Rect{0, 0, pixels.x, pixels.y}
                                        : Rect{gap, top, std::max(1.0f, pixels.x - 2 * gap),
                                               std::max(1.0f, pixels.y - top - gap)};
    const LayoutName docks = state_.docks();
    frames_in_docks_ =
        docks == last_layout_ && state_.bring_to_front.empty() ? frames_in_docks_ + 1 : 0;
    const bool changed = is_built_otherwise(docks, tree, {pixels.x / ui.unit, pixels.y / ui.unit});
    // Handed on by reference: a std::function of its own would ask for memory in every frame.
    const PanelScene scene{ui, state_, in.run, in.other, in.lesson};
    const auto words = [&](PanelId panel) { return tab_words(scene, panel); };
    const auto caption = [&](PanelId panel) { return panel_caption(scene, panel); };
    const auto draw = [&](PanelId panel) {
        draw_panel(scene, panel);
        follow_spread_tab(panel);
    };
    List<PanelId> asked = std::exchange(state_.bring_to_front, {});
    if (state_.layouts_outside && hides_picture(tree, PanelId::Lesson))
        std::erase(asked, PanelId::Lesson);
    const DockRequest request{.layout = docks,
                              .tree = tree,
                              .area = area,
                              .rebuild = std::exchange(state_.rebuild_docks, false) || changed,
                              .bring_to_front = std::move(asked),
                              .panel_step = std::exchange(state_.panel_step, 0),
                              .words = std::ref(words),
                              .caption = std::ref(caption),
                              .show_leaves_out = std::exchange(state_.show_leaves_out, false)};
    draw_docks(ui, request, std::ref(draw));
    follow_click();
    last_layout_ = docks;
}

// Each layout has docks of its own, which stay while another one is shown. At first they are those
// without a lesson: the ones that are recalled from the last start.
bool Frame::is_built_otherwise(LayoutName docks, const LayoutNode& tree, Vec2 window) {
    std::optional<LayoutNode>& built = built_[static_cast<std::size_t>(docks)];
    if (!built) built = layout_tree(docks, window);
    const bool other = !same_structure(tree, *built);
    if (other) built = tree;
    return other;
}

// A click on the Stage inspects: where no panel in view says what was clicked, the Inspector of
// this layout comes to the front.
void Frame::follow_click() {
    if (!std::exchange(state_.run.stage.was_clicked, false) || state_.only_panel) return;
    constexpr std::array kShowToken{PanelId::Inspector, PanelId::Bytes};
    const LayoutName docks = state_.docks();
    const bool is_shown = std::any_of(kShowToken.begin(), kShowToken.end(), [&](PanelId panel) {
        return panel_in_view(docks, panel).has_value();
    });
    if (!is_shown && window_of(docks, PanelId::Inspector) != nullptr)
        state_.bring_to_front = {PanelId::Inspector};
}

// The race or a weighed recording in front of its dock spreads over the window; a panel that comes
// before it there brings Explore back. Right after such a change Dear ImGui may draw what was in
// front before.
void Frame::follow_spread_tab(PanelId drawn) {
    constexpr int kSettled = 3;  // frames
    if (state_.only_panel || frames_in_docks_ < kSettled) return;
    const bool spread = spread_panel(state_.docks()).has_value();
    const bool comes = state_.docks() == LayoutName::Explore &&
                       (drawn == PanelId::Race || drawn == PanelId::WhatIf);
    const bool goes = spread && (drawn == PanelId::Stage || drawn == PanelId::Charts);
    if (comes || goes) out_.push("panel.show", std::string(row_of(drawn).name));
}

LayoutNode current_tree(const AppState& state, Vec2 window) {
    if (state.only_panel) return single_dock(*state.only_panel);
    return state.run.lesson.open
               ? layout_with_lesson(state.docks(), window, state.run.lesson.panels)
               : layout_tree(state.docks(), window);
}

List<DockPlace> planned_docks(const AppState& state, Vec2 window) {
    if (state.only_panel)
        return place_docks(single_dock(*state.only_panel), {0, 0, window.x, window.y});
    if (state.layout == LayoutName::Present) return {};
    Rect area = dock_area(window);
    area.y += state.task_strip, area.h -= state.task_strip;
    return place_docks(current_tree(state, window), area);
}

}  // namespace kv
