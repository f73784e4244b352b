#pragma once
// A scene as it is played behind the window. The engine runs ahead, one iteration at a time, when
// the cursor comes to its end; everything on the screen is a function of the trace and the cursor,
// so going back is no different from going on.
//
// The engine may compute an iteration on a thread of its own. Meanwhile it touches nothing that can
// be seen here: what it did is published, all at once, by the caller's next settle().

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/loaded_model.hpp"
#include "app/session/run_cursor.hpp"
#include "core/base/background/background.hpp"
#include "core/engine/run/engine.hpp"
#include "core/lesson/scene/play.hpp"
#include "core/trace/judged_row.hpp"

namespace kv {

class RunSession : public RunCursor {
public:
    // `place` names the scene in refusals.
    RunSession(std::shared_ptr<const LoadedModel> model, Scene scene, const std::string& place);
    ~RunSession() override;
    RunSession(const RunSession&) = delete;
    RunSession& operator=(const RunSession&) = delete;

    const Scene& scene() const { return scene_; }
    const LoadedModel& model() const { return *model_; }
    std::shared_ptr<const LoadedModel> shared_model() const { return model_; }
    const Engine& engine() const;  // not while it is busy

    // What has been published.
    const PayloadLog& payloads() const { return payloads_; }
    // At the cursor: a command may have changed how things are stored on the way.
    const KvLayout& layout() const { return layout_; }
    const EngineSettings& settings() const { return settings_; }
    const std::map<std::string, std::string>& written_settings() const { return written_; }
    // The scales of ':tensor' codecs, (layers, 2), as the pool has them now.
    const std::vector<SharedScale>& shared_scales() const { return shared_scales_; }
    const std::deque<JudgedRow>& judged_rows() const { return judged_; }
    // What each token of a request saw, where a policy hides or drops some; null without one.
    const SeenLog* sight(SeqId request) const;
    const LaneShape& lanes() const { return lanes_; }
    const LaneShape& sight_lanes() const { return sight_lanes_; }  // that sight() has lists for
    KeyRotation key_rotation() const { return key_rotation_; }

    bool at_end() const { return moment() == trace_.size() && !can_run_ahead(); }

    // One step; the engine runs ahead where the trace has no more. False at the ends.
    bool forward(Granularity step);
    void to_iteration(std::uint32_t iteration);  // running ahead as far as needed
    void to_end();                               // of the scene

    // What the engine refused of the scene's own commands so far, in order.
    const std::vector<std::string>& refusals() const { return refusals_; }

    // One iteration more, on a thread of its own; `done` is called there at its end.
    bool can_run_ahead() const { return !busy() && !failed_ && !play_done_; }
    void start_ahead(std::function<void()> done);
    bool busy() const { return ahead_ != nullptr; }
    bool may_grow() const override { return busy() || can_run_ahead(); }
    // Waits at most that long; true when nothing is under way (any more). Throws what went wrong.
    bool settle(double seconds = 0);

    // A command now, at the end of the trace: the rest of the run is another one from here on. The
    // cursor has to be at the end of what was recorded; else branch first. A refusal, or nothing.
    std::optional<std::string> command(const EngineCommand& command);

    // A token as a person reads it; its id where the model has no words.
    const std::string& word(std::uint32_t token);

private:
    struct Written {
        std::uint64_t n;
        LaneId lane;
        BlockId block;
        Slot slot;
        std::size_t first, size;  // in fresh_bytes_
    };
    // What the tokens of a request saw from the first one on; of an earlier life of it, no more.
    struct FreshSight {
        SeqId request;
        std::uint32_t life;
        std::size_t first;
        SeenLog rows;
    };
    struct Sight {
        std::uint32_t life = 0;
        SeenLog rows;
    };
    EngineParts parts();
    void note_sight(SeqId request);
    bool run_ahead();
    void publish();
    bool may_grow_to(std::uint32_t iteration) const override;
    void cursor_moved() override;

    std::shared_ptr<const LoadedModel> model_;
    Scene scene_;
    // Filled by the engine, emptied by publish().
    std::vector<Written> fresh_writes_;
    std::vector<unsigned char> fresh_bytes_;
    std::vector<JudgedRow> fresh_rows_;
    std::vector<FreshSight> fresh_sight_;
    struct Noted {
        std::uint32_t life = 0;
        std::size_t rows = 0;
    };
    std::vector<Noted> noted_;     // by request
    std::uint32_t computing_ = 0;  // the iteration at hand
    Engine engine_;
    ScenePlay play_;
    std::unique_ptr<Background> ahead_;

    PayloadLog payloads_;
    KvLayout layout_;
    EngineSettings settings_;
    std::vector<SharedScale> shared_scales_;
    std::map<std::string, std::string> followed_;  // the settings that both were made from
    std::map<std::string, std::string> written_;
    std::deque<JudgedRow> judged_;
    std::uint64_t judged_bytes_ = 0;
    std::vector<Sight> sight_;  // by request
    LaneShape lanes_, sight_lanes_;
    KeyRotation key_rotation_ = KeyRotation::WhenStored;
    std::vector<std::string> refusals_;
    bool play_done_ = false, failed_ = false;
    std::map<std::uint32_t, std::string> words_;
};

}  // namespace kv
