#pragma once
// The second window: notes for the speaker, beside the first window's picture for those who listen.
// It has its own Dear ImGui and its own OpenGL context; what it shows and what it is asked for are
// the first one's.

#include <memory>
#include <optional>
#include <string>

#include "app/cli/screen/screen.hpp"

namespace kv {

class NotesWindow {
public:
    bool is_open() const { return surface_ != nullptr; }
    // Throws kv::Error when the display offers no second window.
    void toggle(Screen& screen);
    // Events that arrived for it since the last call; closes it when its frame was asked to.
    bool take_events(Screen& screen);
    bool has_input_waiting() const { return gui_ && gui_->has_input_waiting(); }
    bool clock_has_moved() const;  // it shows another minute than it is
    // Called after the first window's frame, of which it shows the same moment.
    void draw(Screen& screen);

    // Called at the end as well, while the first window is still there to go on with.
    void close(Screen& screen);

private:
    std::unique_ptr<Surface> surface_;
    std::unique_ptr<Gui> gui_;
    std::optional<ThemeName> styled_theme_;
    float styled_unit_ = 0;
    std::string shown_clock_;
};

}  // namespace kv
