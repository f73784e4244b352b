#pragma once
// The whole run: requests arrive, the scheduler plans, the cache makes room, the backend computes,
// tokens are drawn, and everything that happened is in the trace. advance() is one iteration. The
// picture of a run is a function of the trace alone; observe() describes the engine itself in the
// same words, so that a test can hold one against the other.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cache/cache.hpp"
#include "core/engine/policy/token_keeper.hpp"
#include "core/engine/pool/mover.hpp"
#include "core/engine/run/pass_book.hpp"
#include "core/engine/run/recorder.hpp"
#include "core/engine/run/request.hpp"
#include "core/engine/run/scheduler.hpp"
#include "core/engine/seam/backend.hpp"
#include "core/engine/settings/command.hpp"
#include "core/engine/settings/settings.hpp"
#include "core/model/config/config.hpp"
#include "core/model/tokenizer/tokenizer.hpp"
#include "core/trace/trace.hpp"

namespace kv {

// Makes the backend of a run, with that pool; called again when a setting changes the pool.
using BackendMaker =
    std::function<std::unique_ptr<Backend>(const std::string& name, const PoolSpec&)>;

struct EngineParts {
    const ModelConfig& config;
    BackendMaker make_backend;
    const Tokenizer* tokenizer = nullptr;  // for stop texts and for requests given as text
    std::string model_id = {};             // what may not share blocks with other models
    bool keep_logits = false;
    std::uint64_t payload_bytes = 64u << 20;  // for the bytes of past moments; 0 keeps none
    BytesWritten on_bytes = {};               // told of them as well, or instead
    std::optional<unsigned char> poison_fresh_blocks = {};
    bool keep_seen = false;  // what each query saw, for who wants to compute it once more
    // Each row of logits that a token is drawn from or judged by, with all tokens that led to it.
    std::function<void(SeqId, const SeenTokens& seen, std::span<const float> logits)> on_logits =
        {};
    std::function<double()> clock_us = {};  // the time that is measured; steady by default
};

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
    std::vector<Violation> check() const { return cache_->check(); }

    const EngineSettings& settings() const { return settings_; }
    const ModelConfig& config() const { return parts_.config; }
    const Backend& backend() const { return *backend_; }
    const Cache& cache() const { return *cache_; }
    const std::vector<Request>& requests() const { return requests_; }
    LaneShape lanes() const { return lanes_; }
    // What a record of sight has a list for: as lanes(), or each query head that chooses.
    LaneShape sight_lanes() const;
    // What the policy of the run knows about a request; null without one.
    const TokenKeeper* keeper(SeqId id) const { return keepers_[id.index()].get(); }
    // To which positions keys are rotated, and when. Keys that are shifted in place stand at their
    // rank as well.
    KeyRotation key_rotation() const;
    const Work& work() const { return work_; }            // of all iterations
    const Work& last_work() const { return last_work_; }  // of the last one
    Held held() const;
    // After the last iteration in which a request held blocks, before any of them was given back.
    const Held& last_held() const { return last_held_; }
    // hash.cpp: tables, lists, index and the bytes of all filled slots.
    std::string state_hash() const;

private:
    friend class CommandApply;

    void make_pool();
    // The pool goes over to another codec with all that it holds; see recode.hpp.
    void recode(const std::string& setting, EngineSettings changed, const Reason& by);
    std::string space() const;
    void use_backend(std::unique_ptr<Backend> backend);
    PoolSpec pool_spec() const;
    CacheSpec cache_spec() const;
    void tell(const Reason& reason, EventBody what);
    void tell(SeqId id, const Reason& reason, EventBody what);

    Request& request(SeqId id) { return requests_[id.index()]; }
    std::optional<SeqId> named(const std::string& name) const;
    void arrive(RequestSpec spec);
    void fork(SeqId id, SeqId parent);
    void forget_passes(SeqId id);
    void refuse(SeqId id, const Reason& reason);
    std::vector<std::uint32_t> tokens_of(SeqId id) const;  // all that it has read or made so far
    std::uint64_t blocks_at_longest(const Request& r) const;

    // What a policy needs: evict.cpp.
    bool has_policy() const;
    TokenKeeper& keeper_of(SeqId id);
    VisibleKeys look_of(const Planned& step);
    // read.cpp: a policy that chooses what is read.
    HeadReads reads_of(const Planned& step);
    void note_reads(const Planned& step, const HeadReads& reads);
    ForwardResult run_pass(const Batch& batch, const std::vector<Planned>& plan);
    std::vector<float> read_stored(SeqId id, Side side, LayerId layer, HeadId head,
                                   std::uint32_t position) const;
    void make_space(SeqId id);
    void drop(SeqId id, const TokensDropped& what);
    // shift.cpp: stored keys that are rotated on in place.
    bool shifts_keys() const { return positions_of(settings_) == KeyPositions::Shift; }
    void shift_keys(SeqId id, const std::vector<std::uint32_t>& dropped);
    std::vector<std::uint32_t> ranks_of(const Planned& step);
    void drop_after_step(const Planned& step);
    void compact(SeqId id);
    void plan_steps(Request& r) const;
    std::uint64_t blocks_with_policy(std::uint32_t per_step) const;
    void note_end(Request& r, SeqId id);
    void compute(const std::vector<Planned>& plan);
    Residual residual_of(SeqId id, std::uint32_t first);
    void tell_coded(const Planned& p);
    void note_passes(const std::vector<Planned>& plan);
    SeenTokens seen_by(SeqId id) const;
    void take_results(const std::vector<Planned>& plan, std::span<const float> logits);
    std::uint32_t next_token(SeqId id, std::span<const float> logits) const;
    void take_token(SeqId id, std::span<const float> logits, std::uint32_t token);
    std::uint64_t distinct_stored_tokens() const;
    void end(SeqId id, Finish finish, const Reason& reason);
    void release_ended();

    EngineParts parts_;
    EngineSettings settings_;
    EvictionSpec eviction_;
    LaneShape lanes_;
    Recorder recorder_;
    TransferModel transfers_;
    std::unique_ptr<Backend> backend_;
    std::unique_ptr<PoolMover> mover_;
    std::unique_ptr<Cache> cache_;
    std::optional<PassBook> passes_;  // where it matters how tokens were cut into passes
    std::vector<Request> requests_;
    std::vector<std::unique_ptr<TokenKeeper>> keepers_;  // by request
    // By arrival, then in the order in which they were submitted.
    std::vector<RequestSpec> to_come_;
    Scheduler scheduler_;
    std::vector<SeqId> ended_;  // in this iteration, with their blocks still held
    std::uint32_t iteration_ = 0, last_started_ = 0;
    double model_us_ = 0;
    Work work_, last_work_;
    Held last_held_;
};

}  // namespace kv
