// Row `idle`: what a window costs while nobody touches it. The real window on a virtual display;
// after it has settled, its processor time and how often its threads woke up, over some seconds. A
// window that redraws by the clock wakes 60 times a second; one that sleeps hardly at all.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "bench/child.hpp"
#include "bench/row.hpp"
#include "bench/scratch_folder.hpp"
#include "core/base/error.hpp"

namespace kv::bench {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::seconds kSettle{5};
constexpr std::chrono::seconds kWatch{10};

struct Effort {
    double cpu_seconds = 0;
    double wake_ups = 0;
};

// Of a process since its start; /proc/PID/stat counts user and system time in ticks, as its 14th
// and 15th field, counted from behind the program's name, which may hold blanks.
double cpu_seconds(const fs::path& process) {
    std::ifstream file(process / "stat");
    std::string text(std::istreambuf_iterator<char>(file), {});
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    std::string skipped;
    for (int field = 3; field < 14; ++field) fields >> skipped;
    double user = 0, system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double wake_ups(const fs::path& process) {
    double total = 0;
    for (const fs::directory_entry& thread : fs::directory_iterator(process / "task")) {
        std::ifstream file(thread.path() / "status");
        for (std::string name; file >> name;) {
            double count = 0;
            if (name == "voluntary_ctxt_switches:" && file >> count) total += count;
        }
    }
    return total;
}

Effort effort_of(pid_t id) {
    const fs::path process = "/proc/" + std::to_string(id);
    return {cpu_seconds(process), wake_ups(process)};
}

bool installed(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (::access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
    }
    return false;
}

}  // namespace

Result measure_idle(const Programs& programs, std::size_t samples) {
    if (!installed("Xvfb")) {
        Result result;
        result.row = "idle";
        result.skipped = "Xvfb is not installed (Debian package xvfb)";
        return result;
    }
    Child display({"Xvfb", "-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"});
    const auto number = display.line(std::chrono::seconds(20));
    if (!number) throw Error{ErrorCode::World, "Xvfb did not open a display."};
    const ScratchFolder scratch;
    Child window({programs.kvarium}, scratch.variables(":" + *number));
    std::this_thread::sleep_for(kSettle);

    std::vector<double> percent, wakes, display_percent;
    const double seconds = static_cast<double>(kWatch.count()) / static_cast<double>(samples);
    for (std::size_t i = 0; i < samples; ++i) {
        const Effort before = effort_of(window.id());
        const double display_before = effort_of(display.id()).cpu_seconds;
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        const Effort after = effort_of(window.id());
        percent.push_back(100 * (after.cpu_seconds - before.cpu_seconds) / seconds);
        wakes.push_back((after.wake_ups - before.wake_ups) / seconds);
        display_percent.push_back(100 * (effort_of(display.id()).cpu_seconds - display_before) /
                                  seconds);
    }
    if (!window.running())
        throw Error{ErrorCode::World, "The window closed by itself. Run kvarium alone to see why."};
    return {.row = "idle",
            .what = "the window left alone on a virtual display, per second",
            .figures = {{"processor", "%", spread_of(percent)},
                        {"wake-ups", "/s", spread_of(wakes)},
                        {"display server", "%", spread_of(display_percent)}},
            .ratio = {},
            .goal = {},
            .noise = {},
            .done_by = {},
            .skipped = {}};
}

}  // namespace kv::bench
