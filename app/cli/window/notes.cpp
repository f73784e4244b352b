#include "app/cli/window/notes.hpp"

#include <array>
#include <ctime>

namespace kv {
namespace {

constexpr PixelSize kSize{760, 620};  // logical

std::string clock_now() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    if (localtime_r(&now, &local) == nullptr) return {};
    std::array<char, 8> text{};
    std::strftime(text.data(), text.size(), "%H:%M", &local);
    return text.data();
}

}  // namespace

bool NotesWindow::clock_has_moved() const {
    return is_open() && clock_now() != shown_clock_;
}

void NotesWindow::toggle(Screen& screen) {
    if (is_open()) return close(screen);
    const Texts& text = screen.frame().texts();
    surface_ = open_window({.title = text["notes.window.title"_t], .size = kSize, .beside = true});
    gui_ = std::make_unique<Gui>(*surface_);
    styled_theme_.reset();
    screen.make_current();
}

void NotesWindow::close(Screen& screen) {
    if (!is_open()) return;
    gui_.reset();
    surface_.reset();
    screen.make_current();
}

bool NotesWindow::take_events(Screen& screen) {
    if (!is_open()) return false;
    const bool arrived = surface_->wait_events(0);
    if (surface_->close_requested()) close(screen);
    return arrived;
}

void NotesWindow::draw(Screen& screen) {
    if (!is_open()) return;
    Frame& frame = screen.frame();
    const ThemeName theme = frame.state().settings.theme;
    const float unit = surface_->scale() * frame.state().settings.text_scale;
    if (styled_theme_ != theme || styled_unit_ != unit) gui_->set_style(palette(theme), unit);
    styled_theme_ = theme, styled_unit_ = unit;
    gui_->begin_frame();
    shown_clock_ = clock_now();
    frame.draw_notes_window({.display_scale = surface_->scale(),
                             .run = screen.run().view(),
                             .other = screen.run().other_view(),
                             .lesson = &screen.run().lesson(),
                             .clock = shown_clock_},
                            gui_->fonts());
    gui_->end_frame(palette(theme).app);
    screen.make_current();
}

}  // namespace kv
