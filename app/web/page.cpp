// The page: what its script asks of the program. Every function takes and gives texts of its own
// format or JSON; what it gives stays there until the same function is called again.

#include <emscripten/emscripten.h>

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/program/program.hpp"
#include "app/cli/screen/start_state.hpp"
#include "app/cli/window/loop.hpp"
#include "app/cli/window/window.hpp"
#include "app/export/table_text.hpp"
#include "app/frame/panel_data.hpp"
#include "app/web/ask.hpp"
#include "app/web/reader.hpp"
#include "core/base/background/background.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

// Seconds: 5 ms of the 8 that a frame can spare, since work gives way a little later than it is
// asked to.
constexpr double kSlice = 0.005;

// Opening would blame an option of the command line, which a page does not have.
WindowOptions with_known_names(const WindowOptions& asked) {
    if (!asked.layout.empty())
        required_layout(asked.layout, "`layout=" + asked.layout + "` in the address");
    if (!asked.theme.empty())
        required_theme(asked.theme, "`theme=" + asked.theme + "` in the address");
    return asked;
}

struct Picture {
    explicit Picture(const PageAsk& ask)
        : screen(open_screen(with_known_names(ask.window))), loop(*screen) {
        screen->frame().state().attach.can_connect = false;
        screen->frame().state().layouts_outside = true;
        if (ask.only) screen->frame().state().only_panel = table_named(*ask.only).panel;
    }
    std::unique_ptr<Screen> screen;
    WindowLoop loop;
};
std::unique_ptr<Picture> the_picture;  // none before it was opened, or where there is no WebGL

Screen& screen() {
    if (!the_picture)
        throw Error(ErrorCode::Missing,
                    "There is no picture on this page; kvarium.cli answers all the same.");
    return *the_picture->screen;
}

// The answer, or in its place what went wrong, after a mark that no answer begins with.
template <class F>
const char* said(std::string& kept, F answer) {
    constexpr const char* kWrong = "\x01";
    try {
        kept = answer();
    } catch (const std::exception& wrong) {
        kept = kWrong + std::string(wrong.what());
    }
    return kept.c_str();
}

}  // namespace
}  // namespace kv

extern "C" {
// Runs a line of words, a JSON list; what it writes goes to the standard streams.
EMSCRIPTEN_KEEPALIVE int kv_cli(const char* words) {
    return kv::run_program(kv::words_of(words));
}

// Opens the picture with what the address asks for, an object of JSON.
EMSCRIPTEN_KEEPALIVE const char* kv_open_picture(const char* ask) {
    static std::string kept;
    return kv::said(kept, [&] {
        kv::the_picture = std::make_unique<kv::Picture>(kv::page_ask(ask));
        return std::string();
    });
}

// One turn of the loop. Seconds until the next one: 0 with the next frame, less than 0 when nothing
// is due before something happens.
EMSCRIPTEN_KEEPALIVE double kv_turn() {
    if (!kv::the_picture) return -1;
    kv::the_picture->loop.turn(0);
    kv::the_picture->screen->frame().state().quit = false;  // a page is closed by its browser
    return kv::the_picture->loop.pause();
}

// A slice of background work; 1 when something was done.
EMSCRIPTEN_KEEPALIVE int kv_work() {
    return kv::work_between_frames(kv::kSlice) ? 1 : 0;
}
// Whether some background work has begun and is not done.
EMSCRIPTEN_KEEPALIVE int kv_has_work() {
    return kv::work_between_frames(0) ? 1 : 0;  // no time: nothing is done
}

// A command as the palette takes it.
EMSCRIPTEN_KEEPALIVE const char* kv_do(const char* command) {
    static std::string kept;
    return kv::said(kept, [&] {
        kv::Screen& on = kv::screen();
        kv::require_command(command);
        kv::carry_out(on.frame().state(), {command});
        on.surface().wake();
        return std::string();
    });
}

// The scene that shows the present view again.
EMSCRIPTEN_KEEPALIVE const char* kv_scene() {
    static std::string kept;
    return kv::said(kept, [] {
        kv::Screen& on = kv::screen();
        const auto scene = on.run().scene_as_shown(on.frame().state());
        return scene ? kv::scene_text(*scene) : std::string();
    });
}

// What a link to what is shown has to say, and whether it leaves a comparison out: JSON.
EMSCRIPTEN_KEEPALIVE const char* kv_link() {
    static std::string kept;
    return kv::said(kept, [] {
        kv::Screen& on = kv::screen();
        return kv::link_words(on.run(), on.frame().state());
    });
}

// A panel as data: JSON, as its export has it.
EMSCRIPTEN_KEEPALIVE const char* kv_table(const char* name) {
    static std::string kept;
    return kv::said(kept, [&] {
        const kv::TableName wanted = kv::table_named(name);
        const kv::PanelData panel = kv::screen().data_of(wanted.panel);
        return kv::panel_with_table(panel, kv::table_of_panel(panel, wanted.table));
    });
}

// A table of a panel as the CSV of its export.
EMSCRIPTEN_KEEPALIVE const char* kv_csv(const char* name) {
    static std::string kept;
    return kv::said(kept, [&] {
        const kv::TableName wanted = kv::table_named(name);
        const kv::PanelData panel = kv::screen().data_of(wanted.panel);
        return kv::table_csv(kv::table_of_panel(panel, wanted.table));
    });
}

// What never changes: the words of the page and the commands.
EMSCRIPTEN_KEEPALIVE const char* kv_words() {
    static std::string kept;
    return kv::said(kept, [] { return kv::reader_words(kv::screen()); });
}

// What the reader beside the picture says now, with this table of the panel in focus, "stage/pool",
// or its first.
EMSCRIPTEN_KEEPALIVE const char* kv_reader(const char* table) {
    static std::string kept;
    return kv::said(kept, [&] { return kv::reader_now(kv::screen(), table); });
}
}
