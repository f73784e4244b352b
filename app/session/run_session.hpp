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

// What each token of a request saw, where a policy hid or dropped some.
struct SeenInPool {
    SeenLog seen;
    LaneShape lanes;  // that it has lists for
    KeyRotation key_rotation = KeyRotation::WhenStored;
};

class RunSession : public RunCursor {
public:
    // A pool of the run, up to the next one.
    struct Pool {
        std::uint64_t from;  // the event that tells of it
        std::string backend;
        PoolSpec spec;
        KvLayout layout;
        LaneShape lanes;
        // Of ':tensor' codecs, (layers, 2), as it had them in the end: one that is taken stays.
        std::vector<SharedScale> shared_scales;
    };

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
    const KvLayout& layout() const { return pool().layout; }
    const PoolSpec& pool_spec() const { return pool().spec; }
    const LaneShape& lanes() const { return pool().lanes; }
    const EngineSettings& settings() const { return settings_; }
    const std::map<std::string, std::string>& written_settings() const;
    const std::vector<SharedScale>& shared_scales() const { return pool().shared_scales; }
    const std::deque<JudgedRow>& judged_rows() const { return judged_; }
    const std::vector<Pool>& pools() const { return pools_; }  // in order
    std::size_t pool_at(std::uint64_t moment) const;           // which of them
    // Which of them computed the step at the cursor, or the last one: behind a step, commands may
    // have made another one already.
    std::size_t pool_of_step() const;
    // In that pool, or in its last one where the request was over before; null without a policy.
    const SeenInPool* sight(SeqId request, std::size_t pool) const;

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
    struct SightInPool {
        std::size_t pool;  // in pools_
        SeenInPool sight;
    };
    // What the tokens of a request saw from the first one on; of an earlier life of it, no more.
    struct FreshSight {
        SeqId request;
        std::size_t first;
        SightInPool rows;
    };
    EngineParts parts();
    void note_pool(const std::string& backend, const PoolSpec& spec, const KvLayout& layout);
    void note_sight(SeqId request);
    void publish_pools();
    void publish_sights();
    const Pool& pool() const { return pools_[pool_]; }
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
    std::vector<Pool> made_pools_;  // all of them
    struct Noted {
        std::size_t pool = 0;
        std::uint32_t life = 0;
        std::size_t rows = 0;
    };
    std::vector<Noted> noted_;     // by request
    std::uint32_t computing_ = 0;  // the iteration at hand
    Engine engine_;
    ScenePlay play_;
    std::unique_ptr<Background> ahead_;

    PayloadLog payloads_;
    std::vector<Pool> pools_;
    std::size_t pool_ = 0;  // that of the cursor
    EngineSettings settings_;
    std::map<std::string, std::string> followed_;    // what settings_ was made from
    std::map<std::string, std::string> begun_with_;  // as a scene writes them
    std::deque<JudgedRow> judged_;
    std::uint64_t judged_bytes_ = 0;
    std::vector<std::vector<SightInPool>> sights_;  // by request
    std::vector<std::string> refusals_;
    bool play_done_ = false, failed_ = false;
    std::map<std::uint32_t, std::string> words_;
};

}  // namespace kv
