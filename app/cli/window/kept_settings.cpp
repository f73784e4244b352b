#include "app/cli/window/kept_settings.hpp"

#include <imgui.h>

#include <cmath>
#include <filesystem>
#include <iostream>

#include "app/frame/dock/memory.hpp"
#include "app/live/loading/seconds_now.hpp"
#include "app/shell/files.hpp"
#include "app/shell/xdg.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr double kQuietSeconds = 0.5;  // a window that is being resized changes all the time

std::filesystem::path settings_file() {
    return user_folders().config / "settings.json";
}

std::filesystem::path docks_file() {
    return user_folders().state / "docks.ini";
}

// The room for panels in logical pixels, by which the layouts are chosen.
Vec2 room_for_panels(Screen& screen) {
    const PixelSize size = screen.surface().size();
    const float unit = screen.surface().scale() * screen.frame().state().settings.text_scale;
    return {static_cast<float>(size.w) / unit, static_cast<float>(size.h) / unit};
}

void note_window_size(Screen& screen) {
    const PixelSize size = screen.surface().size();
    if (size.w <= 0 || screen.surface().fullscreen()) return;
    const auto logical = [scale = screen.surface().scale()](int pixels) {
        return static_cast<int>(std::lround(static_cast<float>(pixels) / scale));
    };
    screen.frame().state().settings.window = {logical(size.w), logical(size.h)};
}

}  // namespace

AppState remembered_state() {
    AppState state;
    ReadSettings read = read_settings(settings_file());
    state.settings = std::move(read.settings);
    state.layout = layout_named(state.settings.layout).value_or(LayoutName::Explore);
    if (read.complaint)
        state.notice = Notice{.said = Said::as_is(*read.complaint), .refused = true};
    return state;
}

void recall_moved_panels(Screen& screen) {
    try {
        if (std::filesystem::exists(docks_file()))
            recall_docks(read_file(docks_file(), 1 << 20), room_for_panels(screen));
    } catch (const Error& unreadable) {
        std::cerr << "kvarium: " << unreadable.what() << "\n";
    }
}

KeptSettings::KeptSettings(const Screen& screen)
    : written_(screen.frame().state().settings), seen_(written_), seen_since_(seconds_now()) {}

void KeptSettings::follow(Screen& screen) {
    note_window_size(screen);
    const Settings& now = screen.frame().state().settings;
    bool& moved = ImGui::GetIO().WantSaveIniSettings;
    if (now != seen_) seen_ = now, seen_since_ = seconds_now();
    if (failed_ || (seen_ == written_ && !moved) || seconds_now() < seen_since_ + kQuietSeconds)
        return;
    moved = false;
    try {
        write(screen);
    } catch (const std::exception& unwritable) {
        failed_ = true;
        screen.frame().state().notice = Notice{.said = said_of(unwritable), .refused = true};
    }
}

void KeptSettings::finish(Screen& screen) {
    note_window_size(screen);
    write(screen);
}

void KeptSettings::write(Screen& screen) {
    write_settings(settings_file(), screen.frame().state().settings);
    written_ = screen.frame().state().settings;
    std::filesystem::create_directories(docks_file().parent_path());
    save_file(docks_file(), remember_docks(room_for_panels(screen)));
}

}  // namespace kv
