#pragma once
// The whole run: requests arrive, the scheduler plans, the cache makes room, the backend computes,
// tokens are drawn, and everything that happened is in the trace. advance() is one iteration. The
// picture of a run is a function of the trace alone; observe() describes the engine itself in the
// same words, so that a test can hold one against the other.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cache/cache.hpp"
#include "core/engine/policy/token_keeper.hpp"
#include "core/engine/run/drafting/drafts.hpp"
#include "core/engine/run/evicting/evictor.hpp"
#include "core/engine/run/evicting/keepers.hpp"
#include "core/engine/run/inputs.hpp"
#include "core/engine/run/memory/parts.hpp"
#include "core/engine/run/memory/residuals.hpp"
#include "core/engine/run/memory/run_pool.hpp"
#include "core/engine/run/request/request.hpp"
#include "core/engine/run/scheduler.hpp"
#include "core/engine/settings/command.hpp"
#include "core/engine/settings/settings.hpp"
#include "core/trace/trace.hpp"

namespace kv {

// What the cache holds at a moment, in numbers.
struct Held {
    std::uint32_t used = 0, cached = 0, free = 0, host_used = 0;
    std::uint32_t n_lanes = 1;          // that blocks and slots are counted in
    std::uint64_t live_slots = 0;       // counted as they were filled and dropped
    std::uint64_t distinct_tokens = 0;  // counted from the requests' tables, in each lane
    // Tokens that wait to be coded, and what the rows take that they wait in.
    std::uint64_t residual_k = 0, residual_v = 0, residual_bytes = 0;
    std::uint64_t box_bytes = 0;  // bounds of blocks in use, where a policy chooses by them
    std::string state_hash;
};

class Engine {
public:
    Engine(EngineParts parts, const EngineSettings& settings);
    ~Engine();

    // Requests are numbered in the order in which they are submitted; names are unique.
    void submit(RequestSpec spec);
    // Commands take effect between iterations. A refusal is a sentence, and nothing has changed.
    std::optional<std::string> apply(const EngineCommand& command);

    bool done() const;
    std::uint32_t iteration() const { return iteration_; }
    // The number of the iteration that advance() would do: the clock jumps to the next arrival when
    // nothing runs or waits.
    std::uint32_t next_iteration() const;
    void advance();
    // The clock moves on to that iteration, as it does when nobody asks for anything.
    void skip_to(std::uint32_t iteration);

    const Trace& trace() const { return recorder_.trace(); }
    const PayloadLog& payloads() const { return recorder_.payloads(); }
    Snapshot observe() const;
    std::vector<Violation> check() const { return cache().check(); }

    const EngineSettings& settings() const { return settings_; }
    const ModelConfig& config() const { return parts_.config; }
    const Backend& backend() const { return pool_.backend(); }
    const Cache& cache() const { return pool_.cache(); }
    const std::vector<Request>& requests() const { return requests_; }
    LaneShape lanes() const { return pool_.lanes(); }
    // What a record of sight has a list for: as lanes(), or each query head that chooses.
    LaneShape sight_lanes() const { return keepers_.sight_lanes(); }
    // What the policy of the run knows about a request; null without one.
    const TokenKeeper* keeper(SeqId id) const { return keepers_.find(id); }
    // At which positions keys stand for the queries, for proofs and for the window. Keys that are
    // shifted in place stand at their position in the cache, where a proof rotates them as it
    // reads.
    KeyRotation key_rotation() const {
        return keepers_.shifts_keys() ? KeyRotation::ByCachePosition : keepers_.key_rotation();
    }
    const Work& work() const { return work_; }            // of all iterations
    const Work& last_work() const { return last_work_; }  // of the last one
    Held held() const;
    // What was held after the last iteration in which a request held blocks, before any of them was
    // given back.
    const Held& last_held() const { return last_held_; }
    // A hash of tables, lists, index and the bytes of all filled slots.
    std::string state_hash() const;

private:
    friend class CommandApply;

    void make_pool();
    void new_pass_book();
    // The pool goes over to another codec with all that it holds.
    void recode(const std::string& setting, EngineSettings changed, const Reason& by);

    // The engine's own steps of advance(), in order; between arrive() and compute() come
    // Scheduler::plan() and Drafts::propose().
    void begin_iteration(std::uint32_t iteration);
    void arrive(RequestSpec spec);
    // What the backend is asked and answers: logits, row after row.
    struct Pass {
        std::vector<SequenceInputs> inputs;
        std::vector<float> logits;
    };
    Pass compute(const std::vector<Planned>& plan);
    void store(const std::vector<Planned>& plan);
    void draw(const std::vector<Planned>& plan, const Pass& pass);
    void keep_nothing(const std::vector<Planned>& plan);
    void release_ended();

    Request& request(SeqId id) { return requests_[id.index()]; }
    std::optional<SeqId> named(const std::string& name) const;
    void fork(SeqId id, SeqId parent);
    void refuse(SeqId id, const Reason& reason);
    void forget_stored(SeqId id);
    Residual residual_of(const Planned& step);
    void note_pass(const Planned& step);
    void note_reads(const Planned& step, const HeadReads& reads);
    SeenTokens seen_by(SeqId id) const;
    // What a request draws from its rows of logits.
    struct Next {
        const Planned* step;
        const SequenceInputs* inputs;
        std::span<const float> rows;
        DraftVerdict verdict;  // of a request without a draft: its one token
    };
    // Of a step without a draft: a verdict on no proposals that holds its token, forced or drawn.
    DraftVerdict one_token(SeqId id, std::span<const float> logits);
    std::uint32_t next_token(SeqId id, std::span<const float> logits) const;
    std::optional<Finish> add_text_and_see_end(Request& r, std::uint32_t token, std::size_t n_new);
    void tell_stored(const Planned& step);
    // What is different with a draft, in judge_draft.cpp.
    DraftVerdict verdict_of(const Planned& step, std::span<const float> rows);
    void take_draft(const Next& next);
    void store_row(const Next& next, std::uint32_t row);
    void take_token(SeqId id, std::span<const float> logits, const DrawnToken& drawn);
    void end(SeqId id, Finish finish, const Reason& reason);
    void keep_tables(SeqId id);

    EngineParts parts_;
    EngineSettings settings_;
    Recorder recorder_;
    EventWriter log_;
    std::vector<Request> requests_;
    RunPool pool_;
    Residuals residuals_;
    Keepers keepers_;
    Drafts drafts_;
    Evictor evictor_;
    std::optional<PassBook> passes_;  // where it matters how tokens were cut into passes
    // Ordered by arrival, then as they were submitted.
    std::vector<RequestSpec> to_come_;
    Scheduler scheduler_;
    std::vector<SeqId> ended_;  // in this iteration, with their blocks still held
    std::uint32_t iteration_ = 0, last_started_ = 0;
    double model_us_ = 0;  // what the clock of the time model says
    Work work_, last_work_;
    Held last_held_;
};

}  // namespace kv
