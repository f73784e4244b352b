#pragma once
// What an expression of a lesson is worth at a step. A step has a run, sometimes a second one
// beside it, and two moments of each: where it opens, and where it ends once the reader has pressed
// the key. Names are read at the moment at hand, settings too, since a command may change them:
//
//   iteration running waiting requests block_size where the run is
//   pool.used .free .cached .blocks .live .dead .next .free_list .host .file
//   A.stored .blocks .table .tokens .prompt .new .text .state .finish .cached .waits .kept .holes
//   counters.prefix_hits ...    work.positions_projected ...  last.score_pairs ...
//   bytes.per_token .per_block .live .allocated .pool
//   model.n_layers ...          settings.evict ...     step_time: of the last iteration, modelled
//
// and a few functions look at the run itself:
//
//   before(e) after(e) at(n, e) other(e)          e at another moment, or in the other run
//   series(e, first, last) always(e) first(e)     e after several iterations
//   block(id) events("BlockCopied") reason("BlockCopied") proof() quality(...) edited(...)
//   without("A", "nothing") coarse("A", 4) masked("A", "none", layer)
//   attention(request, layer, head) key(request, token, layer, kv_head, decimals=) address(...)
//
// A step may stand in a recording of a server instead, whose names are in recording_names.hpp;
// before(e), after(e) and at(time, e) are known there as well.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/lesson/language/expression.hpp"
#include "core/lesson/language/recording_names.hpp"
#include "core/lesson/language/run.hpp"
#include "core/trace/snapshot.hpp"

namespace kv {

// A run, or a recording in its place, with the two moments of a step in it.
struct StepOfRun {
    const LessonRun* run = nullptr;
    std::uint64_t opens = 0, ends = 0;
    const LessonRecording* recording = nullptr;
    const RecordingAsk* asked = nullptr;  // of it, while a task is judged
};

struct StepRuns {
    StepOfRun main, other;  // no run: the step has none
};

class Evaluator {
public:
    enum class Moment { Opens, Ends };
    Evaluator(const StepRuns& step, Moment moment);

    // Throws ExpressionRefusal.
    LessonValue value(const Expression& e) const;
    bool has_run() const { return side().run != nullptr; }
    const LessonRecording* recording() const { return side().recording; }
    // The state that names are read from.
    const Snapshot& now() const { return now_; }
    const LessonRun& run() const { return *side().run; }
    // The state where the step opens; the one at hand may be where it ends.
    Snapshot opened() const { return run().trace().at(side().opens); }
    // The step's run and the one beside it, with their moments.
    const StepRuns& step() const { return step_; }
    // The events of the step: from the first number on, up to the second.
    std::pair<std::uint64_t, std::uint64_t> events() const { return {side().opens, side().ends}; }

private:
    friend class RunFunctions;
    Evaluator(const StepRuns& step, bool other, std::uint64_t moment);
    const StepOfRun& side() const { return other_ ? step_.other : step_.main; }
    Evaluator at_moment(std::uint64_t moment) const { return {step_, other_, moment}; }
    // After the iteration that is over at the moment at hand.
    std::uint32_t iteration() const;

    LessonValue call(const Expression& e) const;
    LessonValue name(const Expression& e) const;
    LessonValue member(const Expression& e) const;
    LessonValue element(const Expression& e) const;
    LessonValue unary(const Expression& e) const;
    LessonValue binary(const Expression& e) const;

    StepRuns step_;
    bool other_ = false;
    std::uint64_t moment_ = 0;
    Snapshot now_;
};

// The facts of a run by name; nothing when there is none of that name. run_names.cpp
std::optional<LessonValue> run_name(const LessonRun& run, const Snapshot& now,
                                    std::uint32_t iteration, std::string_view name);
// A member of a model's shape: "n_layers", "weight_bytes".
std::optional<LessonValue> shape_member(const ModelShape& shape, std::string_view name);

}  // namespace kv
