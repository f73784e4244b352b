// The real window, on a display made for the test: Xvfb, a screen in memory. Skips where it is
// missing.

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <optional>
#include <thread>

#include "core/base/error.hpp"
#include "tests/app/picture.hpp"
#include "tests/app/sample_scene.hpp"
#include "tests/environment.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using test::EnvironmentVariable;

namespace {

// A display of its own; the server picks a free number and tells it through the pipe.
class Xvfb {
public:
    Xvfb() {
        std::array<int, 2> pipe{};
        if (::pipe(pipe.data()) != 0) return;
        const std::string told = std::to_string(pipe[1]);
        // Without -noreset the server starts over when its last window closes, and is away
        // meanwhile.
        std::array<const char*, 10> arguments{"Xvfb",     "-displayfd",  told.c_str(), "-screen",
                                              "0",        "1280x720x24", "-nolisten",  "tcp",
                                              "-noreset", nullptr};
        posix_spawn_file_actions_t quiet;
        ::posix_spawn_file_actions_init(&quiet);
        ::posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", 1, 0);
        ::posix_spawn_file_actions_addclose(&quiet, pipe[0]);
        if (::posix_spawnp(&process_, "Xvfb", &quiet, nullptr, const_cast<char**>(arguments.data()),
                           environ) != 0)
            process_ = 0;
        ::posix_spawn_file_actions_destroy(&quiet);
        ::close(pipe[1]);
        if (process_ > 0) read_number(pipe[0]);
        ::close(pipe[0]);
    }
    Xvfb(const Xvfb&) = delete;
    Xvfb& operator=(const Xvfb&) = delete;
    ~Xvfb() {
        if (process_ <= 0) return;
        ::kill(process_, SIGTERM);
        ::waitpid(process_, nullptr, 0);
    }

    const std::optional<std::string>& display() const { return display_; }

private:
    void read_number(int from) {
        std::string number;
        char c = 0;
        while (::read(from, &c, 1) == 1 && c != '\n') number.push_back(c);
        if (!number.empty()) display_ = ":" + number;
    }

    pid_t process_ = 0;
    std::optional<std::string> display_;
};

double cpu_seconds() {
    return static_cast<double>(::clock()) / CLOCKS_PER_SEC;
}

// Events that opening the window made are still on their way for a moment.
void let_it_settle(Surface& surface) {
    for (int quiet = 0; quiet < 3;) quiet = surface.wait_events(0.05) ? 0 : quiet + 1;
}

}  // namespace

TEST_CASE("without a display the window is refused with what to use instead", "[window]") {
    const EnvironmentVariable display("DISPLAY", std::nullopt);
    try {
        open_window({});
        FAIL("a window opened without a display");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::Missing);
        const std::string sentence = error.what();
        CHECK_THAT(sentence, ContainsSubstring("No window: ") && ContainsSubstring("kvarium shot"));
        CHECK(sentence.find('\n') == std::string::npos);
    }
}

TEST_CASE("the window draws what the picture without a display shows", "[window][pixels]") {
    const Xvfb server;
    if (!server.display()) SKIP("Xvfb is not installed; the real window is not tested");
    const EnvironmentVariable display("DISPLAY", server.display());

    constexpr PixelSize kSize{800, 500};
    Image in_window;
    {
        const auto window = open_window({.title = "KVarium test", .size = kSize});
        Gui gui(*window);
        CHECK(window->scale() == 1.0f);
        REQUIRE(window->size() == kSize);
        draw_frames(*window, gui, ThemeName::Dark, 1.0f, draw_sample_scene);
        CHECK_FALSE(window->close_requested());
        in_window = window->read_pixels();
    }
    const auto headless = open_headless(kSize);
    Gui gui(*headless);
    draw_frames(*headless, gui, ThemeName::Dark, 1.0f, draw_sample_scene);
    const auto difference = compare(in_window, headless->read_pixels());
    INFO((difference ? difference->sentence : ""));
    CHECK_FALSE(difference);
}

TEST_CASE("the window follows a new size, fills the screen and comes back", "[window]") {
    const Xvfb server;
    if (!server.display()) SKIP("Xvfb is not installed; the real window is not tested");
    const EnvironmentVariable display("DISPLAY", server.display());
    const auto window = open_window({.size = {800, 500}});
    Gui gui(*window);
    const auto frame = [&] {
        draw_frames(*window, gui, ThemeName::Light, 1.0f, draw_sample_scene);
    };
    frame();

    window->resize({900, 600});
    let_it_settle(*window);
    frame();
    CHECK(window->size() == PixelSize{900, 600});
    CHECK(ImGui::GetIO().DisplaySize.x == 900);

    window->set_fullscreen(true);
    let_it_settle(*window);
    frame();
    CHECK(window->fullscreen());
    CHECK(window->size() == PixelSize{1280, 720});
    window->set_fullscreen(false);
    let_it_settle(*window);
    frame();
    CHECK_FALSE(window->fullscreen());
    CHECK(window->size() == PixelSize{900, 600});
}

TEST_CASE("a window larger than the desktop is made to fit", "[window]") {
    const Xvfb server;
    if (!server.display()) SKIP("Xvfb is not installed; the real window is not tested");
    const EnvironmentVariable display("DISPLAY", server.display());
    CHECK(open_window({.size = {5000, 4000}})->size() == PixelSize{1280, 720});
    CHECK(open_window({.size = {1, 1}})->size() == PixelSize{640, 360});
}

TEST_CASE("a waiting window sleeps, and another thread can wake it", "[window]") {
    const Xvfb server;
    if (!server.display()) SKIP("Xvfb is not installed; the real window is not tested");
    const EnvironmentVariable display("DISPLAY", server.display());
    const auto window = open_window({.size = {640, 360}});
    Gui gui(*window);
    draw_frames(*window, gui, ThemeName::Dark, 1.0f, draw_sample_scene);
    let_it_settle(*window);

    const double cpu = cpu_seconds();
    const auto start = std::chrono::steady_clock::now();
    CHECK_FALSE(window->wait_events(0.5));
    CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(450));
    CHECK(cpu_seconds() - cpu < 0.05);

    std::thread waker([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        window->wake();
    });
    CHECK(window->wait_events(Surface::kNoLimit));
    waker.join();
}
