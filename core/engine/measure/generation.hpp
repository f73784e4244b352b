#pragma once
// One request from its prompt to its last token, over one sequence of the pool: prefill in chunks,
// then a token a step. No scheduler and no sharing; what there is to see is the decoder and what it
// stores.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cost/keep.hpp"
#include "core/engine/run/request/sampler.hpp"
#include "core/engine/seam/backend.hpp"
#include "core/model/config/config.hpp"
#include "core/trace/event/words.hpp"

namespace kv {

struct GenerationRequest {
    std::vector<std::uint32_t> prompt;  // at least one token
    std::vector<std::uint32_t> forced;  // fed after the prompt as if the model had drawn them
    std::uint32_t max_new = 32;         // at least 1
    Sampling sampling;
    std::uint64_t stream = 0;  // of draws: the request's number among others
    std::vector<std::uint32_t> stop_tokens;
    std::uint32_t max_batch_tokens = 512;
    Keep keep = Keep::KeysAndValues;  // between steps; with less, the pool is working memory
    bool keep_logits = false;         // those that forced and new tokens were judged by
};

// Slots that the request stores: the last new token is drawn and never fed back.
std::uint64_t stored_slots(const GenerationRequest& request);

class Generation {
public:
    // The pool has room for stored_slots(); the blocks are taken in order of their ids.
    Generation(Backend& backend, const ModelConfig& config, GenerationRequest request);

    // One pass of the backend: a chunk of the prompt, or one token. False when all is done.
    bool advance();
    // Ends the request; for a stop text, which only the caller can see.
    void finish(Finish reason);

    const GenerationRequest& request() const { return request_; }
    const std::vector<std::uint32_t>& new_tokens() const { return new_tokens_; }
    std::optional<Finish> finished() const { return finished_; }

    std::uint32_t stored_tokens() const { return stored_; }
    std::uint32_t iterations() const { return iterations_; }
    std::uint32_t blocks() const;  // in use
    const BlockTables& tables() const { return tables_; }
    // The tokens with which the passes began that computed what is stored.
    const std::vector<std::uint32_t>& passes() const { return passes_; }
    // Null unless inputs are kept.
    const KeptInputs* kept_inputs() const { return kept_ ? &*kept_ : nullptr; }
    const Work& work() const { return work_; }            // of all passes
    const Work& last_work() const { return last_work_; }  // of the last one

    // Rows of vocab_size: forced tokens first, then the new ones. Empty unless asked for.
    const std::vector<std::vector<float>>& logits() const { return logits_; }
    const std::vector<double>& forced_nll() const { return forced_nll_; }
    // The logits of the pass just made, when it made any: what the next token is drawn from.
    const std::vector<float>& last_logits() const { return last_logits_; }
    std::vector<std::uint32_t> tokens_so_far() const;  // prompt, forced and new

private:
    void feed(std::uint32_t first, std::uint32_t count, bool last_of_step);
    // What the logits after the last fed token mean: a forced token's score, or a new token.
    void judge();

    Backend& backend_;
    GenerationRequest request_;
    BlockTables tables_;
    std::optional<KeptInputs> kept_;
    std::vector<std::uint32_t> new_tokens_;
    std::optional<Finish> finished_;
    std::vector<std::uint32_t> passes_;
    std::uint32_t stored_ = 0, iterations_ = 0;
    Work work_, last_work_;
    std::vector<float> last_logits_;
    std::vector<std::vector<float>> logits_;
    std::vector<double> forced_nll_;
};

}  // namespace kv
