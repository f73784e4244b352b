#pragma once
// The proof of a whole run: each of its steps is computed once more, and where a policy drops or
// hides tokens, once more behind that mask.

#include "core/engine/measure/prover.hpp"
#include "core/engine/run/engine.hpp"

namespace kv {

class RunProof {
public:
    using Open = std::function<std::unique_ptr<Backend>(const std::string& name, const PoolSpec&)>;
    // `open` makes the pools that the proof computes in: like that of the run, only as large as a
    // sequence.
    explicit RunProof(Open open) : open_(std::move(open)) {}
    RunProof(const RunProof&) = delete;  // the provers ask this one for their pools
    RunProof& operator=(const RunProof&) = delete;

    void follow(const Engine& engine) { running_ = &engine; }
    // The run has got another pool: one of another codec, such as a command asks for.
    void start_anew() { full_.start_anew(), masked_.start_anew(); }
    // What EngineParts::on_logits tells.
    void check(SeqId id, const SeenTokens& seen, std::span<const float> logits,
               std::uint32_t iteration);

    const Proof& full() const { return full_.proof(); }
    // Compared nothing without a policy: see has_dropped().
    const Proof& masked() const { return masked_.proof(); }
    bool has_dropped() const { return has_dropped_; }

private:
    std::unique_ptr<Backend> pool_for(std::uint32_t n_tokens) const;

    Open open_;
    const Engine* running_ = nullptr;  // whose settings may change on the way
    Prover full_{[this](std::uint32_t n_tokens) { return pool_for(n_tokens); }};
    Prover masked_{[this](std::uint32_t n_tokens) { return pool_for(n_tokens); }};
    bool has_dropped_ = false;
};

}  // namespace kv
