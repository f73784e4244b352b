#pragma once
// Owns the ImGui and ImPlot contexts, the fonts and the style of one surface, from construction to
// destruction. Every size given to ImGui is in pixels: PushFont(ui.fonts.bold, ui.px(26)), the same
// number that AddText takes; the global font scales stay 1.

#include "app/shell/surface/surface.hpp"
#include "app/shell/theme.hpp"
#include "app/shell/ui.hpp"

struct ImGuiContext;
struct ImPlotContext;

namespace kv {

class Gui {
public:
    explicit Gui(Surface& surface);  // the surface outlives the Gui
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    const Fonts& fonts() const { return fonts_; }

    // To be called between frames only. Always begins from scratch, so any order of changes gives
    // the same style.
    void set_style(const Palette& palette, float unit);

    // Where two windows are open, the one that is meant outside its frames: Dear ImGui, ImPlot and
    // OpenGL have one current context each.
    void make_current();
    void begin_frame();
    void end_frame(Color background);
    // Dear ImGui takes what came quickly in small portions, a frame each: a key that goes up after
    // it went down, a letter after a click. Whether some of it still waits for its frame.
    bool has_input_waiting() const;

private:
    Surface& surface_;
    ImGuiContext* context_;
    ImPlotContext* plot_context_;
    Fonts fonts_;
};

}  // namespace kv
