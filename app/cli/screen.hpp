#pragma once
// A surface, its Dear ImGui and a frame, tied together: what the window, the screenshots and the
// start-up bench have in common.

#include <memory>

#include "app/frame/frame.hpp"
#include "app/shell/gui.hpp"
#include "app/shell/surface.hpp"

namespace kv {

class Screen {
public:
    Screen(std::unique_ptr<Surface> surface, AppState state, Texts texts);

    // One frame from events to pixels. `extra_scale` multiplies the display's own scale.
    void draw(bool read_keys, float extra_scale = 1.0f,
              std::vector<WrittenText>* written = nullptr);

    Surface& surface() { return *surface_; }
    Frame& frame() { return frame_; }
    const Frame& frame() const { return frame_; }

private:
    void follow_style(float unit);

    std::unique_ptr<Surface> surface_;
    Gui gui_;
    Frame frame_;
    std::optional<ThemeName> styled_theme_;
    float styled_unit_ = 0;
};

// English, or the file that is named, or the stretched pseudo-language for "pseudo".
Texts texts_for(const std::string& language);

// Libraries, renderer and folders for the About page and --version. The GPU's line is asked for
// separately, after the first frame, since a driver may take its time.
std::vector<AboutLine> about_lines(const Texts& text, const std::string& renderer);

}  // namespace kv
