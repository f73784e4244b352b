#include "app/cli/window/film.hpp"

#include "app/cli/screen/picture_file.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

// After the cursor has moved, what it shows may be computed elsewhere first.
constexpr int kQuietFrames = 4;

const RunView& run_of(Screen& screen) {
    const RunView* run = screen.run().view();
    if (run == nullptr) throw Refused("refused.film.no_run"_t);
    return *run;
}

}  // namespace

WindowFilm::WindowFilm(Screen& screen, FilmAsk ask, StepSpan steps)
    : target_(ask.target),
      maker_(std::move(ask)),
      steps_(steps),
      step_(steps.first),
      moment_before_(run_of(screen).moment) {
    screen.frame().state().run.playback.playing = false;
    ask_for(screen, step_);
}

void WindowFilm::ask_for(Screen& screen, std::uint32_t step) {
    AppState& state = screen.frame().state();
    state.run.wishes.push_back({"run.goto", std::uint64_t{step}});
    state.film =
        Said("export.film.step"_t, {{"n", with_commas(step)}, {"last", with_commas(steps_.last)}});
    quiet_frames_ = 0;
}

void WindowFilm::take(Screen& screen) {
    const std::uint32_t at = run_of(screen).now.iteration;
    if (at < step_ && step_ == steps_.first)
        throw Refused("refused.film.ends"_t, {{"n", with_commas(at)}});
    if (at >= step_) {
        const PictureNote note = note_of_window(screen);
        maker_.add(screen.picture(), texts_of(note));
    }
    all_taken_ = at < step_ || step_ == steps_.last;
    if (!all_taken_) return ask_for(screen, ++step_);
    screen.frame().state().film =
        Said("export.film.packing"_t, {{"n", with_commas(maker_.size())}});
}

bool WindowFilm::go_on(Screen& screen) {
    if (all_taken_) return maker_.pack();
    quiet_frames_ = screen.run().under_way() ? 0 : quiet_frames_ + 1;
    if (quiet_frames_ >= kQuietFrames) take(screen);
    return false;
}

void WindowFilm::leave(Screen& screen) const {
    AppState& state = screen.frame().state();
    state.run.wishes.push_back({"run.moment", moment_before_});
    state.film = {};
}

}  // namespace kv
