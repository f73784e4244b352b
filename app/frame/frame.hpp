#pragma once
// One frame of the whole window: the commands of the last frame, then the keys, then the pictures.
// Needs a current Dear ImGui context and knows no surface, so the window, the screenshots and the
// tests share it.

#include "app/frame/frozen_picture.hpp"
#include "app/frame/start/view.hpp"
#include "app/frame/state/app_state.hpp"
#include "app/panels/lesson/view.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/drawn_parts.hpp"
#include "app/shell/ui.hpp"

namespace kv {

struct FrameInput {
    float display_scale = 1.0f;  // pixels per logical pixel of the display
    bool read_keys = true;       // false in pictures
    bool show_notice = true;     // false in pictures of the window
    std::vector<WrittenText>* written = nullptr;
    const RunView* run = nullptr;    // null: nothing runs, and the panels say so
    const RunView* other = nullptr;  // the other future, after a branch
    const LessonView* lesson = nullptr;
    const StartView* start = nullptr;  // of the page of the first start
    std::string clock = {};            // "14:05", for the speaker
};

class Frame {
public:
    Frame(AppState state, Texts texts);

    // Carries out the commands of the last frame. draw() does it too; whoever owns the run does it
    // first, so that what was asked for is shown in the very next picture.
    void apply_commands();
    void draw(const FrameInput& in, const Fonts& fonts);
    Color background() const;  // what the window is cleared in
    // What the second window shows, in its own Dear ImGui context; its commands and its keys are
    // those of the first one.
    void draw_notes_window(const FrameInput& in, const Fonts& fonts);

    AppState& state() { return state_; }
    const AppState& state() const { return state_; }
    const Texts& texts() const { return texts_; }
    // Something was asked for in this frame and waits for the next one.
    bool has_pending_work() const { return !out_.empty(); }

private:
    Ui ui_of(const FrameInput& in, const Fonts& fonts);
    const LayoutNode& tree_of(Vec2 window);
    void draw_layout(const Ui& ui, const FrameInput& in);
    void draw_start_page(const Ui& ui, const FrameInput& in);
    bool is_built_otherwise(LayoutName docks, const LayoutNode& tree, Vec2 window);
    void follow_click();
    void follow_spread_tab(PanelId drawn);
    void draw_guided_minute(const Ui& ui, const FrameInput& in);

    AppState state_;
    Texts texts_;
    CommandSink out_;
    DrawnParts parts_;  // of this frame, while somebody points at them
    FrozenPicture frozen_;
    bool popup_was_open_ = false;  // at the end of the last frame
    struct TreeKey {
        LayoutName layout;
        std::optional<PanelId> only_panel;
        Vec2 window;
        bool lesson;
        List<PanelId> named;  // by its step
        friend bool operator==(const TreeKey&, const TreeKey&) = default;
    };
    std::optional<TreeKey> tree_key_;
    std::optional<LayoutNode> tree_;
    std::array<std::optional<LayoutNode>, kAllLayouts> built_;  // the docks of each layout
    LayoutName last_layout_ = LayoutName::Explore;
    bool start_was_open_ = false;
    int frames_in_docks_ = 0;  // since other docks, or another panel in front, were asked for
};

}  // namespace kv
