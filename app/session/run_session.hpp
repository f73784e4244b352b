#pragma once
// A scene as it is played behind the window. The engine runs ahead, one iteration at a time, when
// the cursor comes to its end; everything on the screen is a function of the trace and the cursor,
// so going back is no different from going on.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/session/loaded_model.hpp"
#include "core/engine/engine.hpp"
#include "core/lesson/scene_play.hpp"
#include "core/trace/metrics.hpp"

namespace kv {

class RunSession {
public:
    // `place` names the scene in refusals.
    RunSession(std::shared_ptr<const LoadedModel> model, Scene scene, const std::string& place);

    const Scene& scene() const { return scene_; }
    const LoadedModel& model() const { return *model_; }
    const Engine& engine() const { return engine_; }
    const Trace& trace() const { return engine_.trace(); }

    // The cursor, and the state at it.
    std::uint64_t moment() const { return moment_; }
    const Snapshot& now() const { return now_; }
    bool at_start() const { return moment_ == 0; }
    bool at_end() const { return moment_ == trace().size() && play_.done(); }

    // One step; the engine runs ahead where the trace has no more. False at the ends.
    bool forward(Granularity step);
    bool back(Granularity step);
    void to_moment(std::uint64_t moment);        // of the trace as it is
    void to_iteration(std::uint32_t iteration);  // running ahead as far as needed
    void to_end();                               // of the scene
    // To just after the next event, or back to just after the one before, that is wanted.
    bool to_next(const Trace::Wanted& wanted);
    bool to_previous(const Trace::Wanted& wanted);

    // A command now, at the end of the trace: the rest of the run is another one from here on. The
    // cursor has to be at the end of what was recorded; else branch first. A refusal, or nothing.
    std::optional<std::string> command(const EngineCommand& command);

    // A token as a person reads it; its id where the model has no words.
    const std::string& word(std::uint32_t token);
    const MetricSeries& series();  // up to the end of the trace

private:
    bool run_ahead();
    bool trace_ends_a_step() const;
    void go(std::uint64_t moment);

    std::shared_ptr<const LoadedModel> model_;
    Scene scene_;
    Engine engine_;
    ScenePlay play_;
    std::uint64_t moment_ = 0;
    Snapshot now_;
    std::map<std::uint32_t, std::string> words_;
    MetricSeries series_;
};

}  // namespace kv
