// Rows `startup` and `picture`: how long from starting the program until its first frame is drawn,
// or the first in which every panel is filled, without a display, against a program that does
// nothing but draw one empty Dear ImGui window. Nearly all of either is the driver; the ratio is
// what our own start costs. The bare window is measured twice (figures 2 and 3): the ratio is to
// the median of both together, the noise the one to the other.

#include "bench/child.hpp"
#include "bench/row.hpp"
#include "core/base/error.hpp"

namespace kv::bench {
namespace {

constexpr std::chrono::seconds kPatience{30};
constexpr std::string_view kAnnouncement = "first frame: ";
constexpr int kWarmUps = 2;  // the first start reads the program and the driver from the disk

struct Start {
    double ms = 0;
    double cpu_ms = 0;  // to the end of the program
    std::string renderer;
};

// Both programs print one line when their first frame is done.
Start time_start(const std::vector<std::string>& arguments) {
    Child child(arguments);
    const auto line = child.line(kPatience);
    const std::chrono::duration<double, std::milli> took = Clock::now() - child.started();
    const auto code = child.wait(kPatience);
    if (line && code == 0 && line->compare(0, kAnnouncement.size(), kAnnouncement) == 0) {
        return {took.count(), child.cpu_ms(), line->substr(kAnnouncement.size())};
    }
    throw Error{
        code == static_cast<int>(ErrorCode::Missing) ? ErrorCode::Missing : ErrorCode::World,
        arguments.front() + " did not draw its first frame. Run it alone to see why."};
}

Result measure_start(const std::string& option, const Programs& programs, std::size_t samples) {
    const std::vector<std::string> ours{programs.kvarium, "bench", option};
    const std::vector<std::string> bare{programs.bare_window};
    std::string renderer;
    for (int i = 0; i < kWarmUps; ++i) {
        renderer = time_start(ours).renderer;
        time_start(bare);
    }
    std::vector<double> ours_ms, bare_ms, again_ms, ours_cpu, bare_cpu;
    for (std::size_t i = 0; i < samples; ++i) {
        const Start kvarium = time_start(ours), window = time_start(bare);
        ours_ms.push_back(kvarium.ms);
        ours_cpu.push_back(kvarium.cpu_ms);
        bare_ms.push_back(window.ms);
        bare_cpu.push_back(window.cpu_ms);
        again_ms.push_back(time_start(bare).ms);
    }
    Result result{.row = {},
                  .what = {},
                  .figures = {{"kvarium", "ms", spread_of(ours_ms)},
                              {"bare window", "ms", spread_of(bare_ms)},
                              {"bare window again", "ms", spread_of(again_ms)},
                              {"kvarium, processor", "ms", spread_of(ours_cpu)},
                              {"bare, processor", "ms", spread_of(bare_cpu)}},
                  .ratio = {},
                  .goal = {},
                  .noise = {},
                  .done_by = renderer,
                  .skipped = {}};
    result.noise = result.figures[2].spread.median / result.figures[1].spread.median;
    // Both halves of the bare window together: twice the samples, half the luck.
    bare_ms.insert(bare_ms.end(), again_ms.begin(), again_ms.end());
    result.ratio = result.figures[0].spread.median / spread_of(bare_ms).median;
    return result;
}

}  // namespace

Result measure_startup(const Programs& programs, std::size_t samples) {
    Result result = measure_start("--first-frame", programs, samples);
    result.row = "startup";
    result.what = "start of the program to the end of its first frame, no display";
    result.goal = 1.15;
    return result;
}

Result measure_picture(const Programs& programs, std::size_t samples) {
    Result result = measure_start("--first-picture", programs, samples);
    result.row = "picture";
    result.what = "start of the program to its first frame with every panel filled, no display";
    return result;
}

}  // namespace kv::bench
