// Row `ui_leap_1m`: a record of a pool of a million blocks in the window. A file of events is
// opened, its cursor steps, goes back and leaps; the longest frame is what a person waits for, and
// it is to stay below a twentieth of a second.

#include <algorithm>
#include <string>

#include "app/cli/screen/screen.hpp"
#include "app/cli/screen/start_state.hpp"
#include "bench/child.hpp"
#include "bench/cpu/model.hpp"
#include "bench/row.hpp"
#include "bench/scratch_folder.hpp"
#include "core/base/error.hpp"

namespace kv::bench {
namespace {

constexpr double kPatienceMs = 50;
constexpr std::chrono::seconds kToWrite{120}, kToRead{120};

void write_record(const Programs& programs, const std::string& file) {
    Child sim({programs.kvarium, "sim", "--allocators", "paged", "--workload", "arxiv-like",
               "--pool", "16000000", "--requests", "600", "--events", file, "--out",
               file + ".report"});
    if (sim.wait(kToWrite) != 0)
        throw Error{ErrorCode::World, "kvarium sim did not write the record of a large pool."};
}

AppState explore() {
    AppState state;
    state.layout = LayoutName::Explore;
    state.settings.reduced_motion = true;
    return state;
}

class Record {
public:
    explicit Record(const std::string& file)
        : screen_(open_null({1920, 1080}), explore(), texts_for("")) {
        screen_.draw(false);
        screen_.open_scene(file, {});
    }
    double frame_ms() {
        return 1e3 * seconds_of([&] { screen_.draw(false); });
    }
    // The longest frame until the cursor stands where the command leads it.
    double frame_ms(const std::string& command, std::uint32_t step) {
        carry_out(screen_.frame().state(), {command});
        double longest = frame_ms();
        while (screen_.run().under_way()) longest = std::max(longest, frame_ms());
        if (screen_.run().view()->now.iteration != step)
            throw Error{ErrorCode::Check, command + " does not lead to step " +
                                              std::to_string(step) +
                                              "; a time would mean nothing."};
        return longest;
    }
    // The longest frame until the record is there and has been shown.
    double open_ms() {
        double longest = 0;
        const auto begin = Clock::now();
        while (screen_.run().view() == nullptr) {
            longest = std::max(longest, frame_ms());
            if (Clock::now() - begin > kToRead)
                throw Error{ErrorCode::World, "The record of a large pool could not be opened."};
        }
        return std::max(longest, frame_ms());
    }
    // The longest frame until the tree of what can be found is there.
    double prefixes_ms() {
        RunState& state = screen_.frame().state().run;
        state.prefix.patience = 0.01;  // as the window has it
        carry_out(screen_.frame().state(), {"panel.show prefix"});
        double longest = frame_ms();
        // Dear ImGui measures a window for a frame before it fills it.
        do longest = std::max(longest, frame_ms());
        while (state.prefix.behind());
        return longest;
    }
    std::uint32_t last_step() { return screen_.run().view()->trace.end().iteration; }

private:
    Screen screen_;
};

}  // namespace

Result measure_ui_leap(const Programs& programs, std::size_t samples) {
    const ScratchFolder scratch;
    const std::string file = scratch.file("large.jsonl");
    write_record(programs, file);
    Record record(file);
    Result result;
    result.row = "ui_leap_1m";
    result.what = "the longest frame over a pool of a million blocks, as a share of 50 ms";
    const auto add = [&result](const std::string& name, std::vector<double> ms) {
        result.figures.push_back({name, "ms", spread_of(std::move(ms))});
    };
    add("opened", {record.open_ms()});
    add("prefixes shown", {record.prefixes_ms()});
    std::vector<double> still, on, back, far;
    const std::uint32_t last = record.last_step();
    for (std::size_t i = 0; i < samples; ++i) {
        // Stations all over the record, never in its order, and most of them where its prompts are.
        const std::size_t at = (i * 8 + 5) % samples;
        const auto step = static_cast<std::uint32_t>(1 + at * at * (last - 2) / samples / samples);
        far.push_back(record.frame_ms("run.goto " + std::to_string(step), step));
        still.push_back(record.frame_ms());
        on.push_back(record.frame_ms("run.forward", step + 1));
        back.push_back(record.frame_ms("run.back", step));
    }
    add("nothing moved", still);
    add("a step on", on);
    add("a step back", back);
    add("a leap", far);
    double longest = 0;
    for (const Figure& figure : result.figures) longest = std::max(longest, figure.spread.max);
    result.ratio = longest / kPatienceMs;
    result.goal = 1;
    return result;
}

}  // namespace kv::bench
