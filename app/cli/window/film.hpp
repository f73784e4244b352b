#pragma once
// A film made in the window: its steps are shown one after the other, each is kept as a picture,
// and at the end ffmpeg packs them while the window goes on.

#include <optional>

#include "app/cli/screen/screen.hpp"
#include "app/cli/shot/film.hpp"
#include "app/export/film.hpp"
#include "app/live/scene/picture_note.hpp"

namespace kv {

class WindowFilm {
public:
    WindowFilm(Screen& screen, FilmAsk ask, StepSpan steps);

    // Called once per frame; true when the film is there. Throws kv::Error.
    bool go_on(Screen& screen);
    // The cursor stands where it stood before.
    void leave(Screen& screen) const;
    const std::filesystem::path& target() const { return target_; }

private:
    void ask_for(Screen& screen, std::uint32_t step);
    void take(Screen& screen);

    std::filesystem::path target_;
    FilmMaker maker_;
    StepSpan steps_;
    std::uint32_t step_;
    std::uint64_t moment_before_;
    int quiet_frames_ = 0;  // in which nothing was under way
    bool all_taken_ = false;
};

}  // namespace kv
