#include "app/panels/code/beats.hpp"

#include <algorithm>

#include "core/trace/event/event.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostBeats = 60;  // of a run: those nearest to its end
constexpr std::size_t kFewBeats = 24;

// The moment at which the iteration of that moment began.
std::uint64_t start_of_iteration(const Trace& trace, std::uint64_t moment) {
    const auto began = trace.find_back(moment, [](const Event& event) {
        return std::holds_alternative<IterationStarted>(event.what);
    });
    return began.value_or(0);
}

void keep_newest(std::vector<CodeBeat>& beats, std::size_t most) {
    if (beats.size() > most)
        beats.erase(beats.begin(), beats.end() - static_cast<std::ptrdiff_t>(most));
}

// Behind the reveal what the step did; before it what the run did last.
std::vector<CodeBeat> beats_of_step(const CodeSample& sample, const LessonView& lesson,
                                    const RunView& run) {
    const std::uint64_t end = run.trace.size(), opens = std::min(lesson.opens, end),
                        ends = std::min(lesson.ends, end);
    const bool moves = lesson.revealed && ends > opens;
    const std::uint64_t first = moves ? opens : start_of_iteration(run.trace, opens);
    std::vector<CodeBeat> beats = run_beats(sample, run, first, moves ? ends : opens);
    keep_newest(beats, kMostBeats);
    if (!beats.empty()) return beats;
    beats = run_beats(sample, run, 0, moves ? ends : opens);
    keep_newest(beats, kFewBeats);
    return beats;
}

// The walk of a token through a table is told when its answer may be known.
std::vector<CodeBeat> walk_beats(const ShownWalk& walk) {
    const auto n = [](std::uint32_t value) { return std::to_string(value); };
    return {{"entry", "entry = " + n(walk.position) + " // " + n(walk.block_size) + " = " +
                          n(walk.logical())},
            {"slot",
             "slot = " + n(walk.position) + " % " + n(walk.block_size) + " = " + n(walk.offset())},
            {"block", "block = table[" + n(walk.logical()) + "] = " + n(walk.physical())}};
}

}  // namespace

CodeBeats code_beats(const CodeSample& sample, const LessonView& lesson, const RunView* run) {
    const bool revealed = lesson.revealed || lesson.predictions.empty();
    if (lesson.shown.figure)
        if (auto beats = figure_beats(sample, lesson.shown, lesson.figure_key))
            return {std::move(*beats), false};
    if (sample.name == "translate" && lesson.shown.walk && revealed)
        return {walk_beats(*lesson.shown.walk), false};
    if (run == nullptr || !run->has_engine) return {};
    return {beats_of_step(sample, lesson, *run), true};
}

}  // namespace kv
