#pragma once
// What a request asks for, and how far it has come.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/run/request/sampler.hpp"
#include "core/engine/run/request/stop_watcher.hpp"
#include "core/trace/event/reason.hpp"
#include "core/trace/event/words.hpp"
#include "core/trace/snapshot.hpp"

namespace kv {

struct RequestSpec {
    std::string name;
    std::uint32_t arrive = 0;  // it is in the queue before iteration arrive + 1
    std::vector<std::uint32_t> prompt;
    std::vector<std::uint32_t> forced;  // fed after the prompt as if the model had drawn them
    std::uint32_t max_new = 32;         // at least 1
    Sampling sampling;
    std::vector<std::string> stop_texts;
    std::int32_t priority = 0;  // who is taken out first when blocks run out: the lowest
    std::optional<std::string> fork_of;
    std::string salt;
};

// Tokens that are stored at its longest: the last new token is drawn and never fed back.
std::uint64_t most_stored(const RequestSpec& spec, std::size_t inherited = 0);

struct Request {
    RequestSpec spec;
    RequestState state = RequestState::Waiting;
    std::vector<std::uint32_t> prompt;  // of a fork: its parent's tokens, then its own
    std::optional<SeqId> parent;
    std::uint32_t forced_fed = 0;
    std::vector<std::uint32_t> new_tokens;
    std::uint32_t scheduled = 0;      // tokens of the iteration at hand
    std::uint32_t cached_prompt = 0;  // tokens found at the first admission
    std::uint32_t preemptions = 0;
    // Some of what it has stored was first stored in another codec, or coded earlier than its own
    // run would have: nothing recomputes that.
    bool recoded = false;
    std::optional<Finish> finish;
    std::optional<Reason> waits;
    std::uint32_t arrived = 0;  // iterations
    std::optional<std::uint32_t> admitted, first_token, ended;

    StopWatcher text;                        // as it grows
    std::string words;                       // all of it, once the request has ended
    std::vector<std::vector<float>> logits;  // forced tokens' first, then new ones'; if asked for
    std::vector<double> forced_nll;
    // Where its steps ended, in tokens. A request that dropped tokens is taken through the same
    // steps again when it lost its blocks.
    std::vector<std::uint32_t> steps;
    bool repeats_steps = false;
    // Tokens of a step at most, where the policy makes a small pool enough for a long request.
    std::optional<std::uint32_t> most_per_step;
    // Tables as they stood when it ended, before its blocks were given back; by lane.
    std::vector<std::vector<std::optional<BlockId>>> tables;
    std::vector<std::vector<std::uint32_t>> kept;  // positions; empty when nothing was dropped
    std::uint32_t stored = 0;
    double arrived_us = 0, first_token_us = 0, last_token_us = 0;  // of the engine's clock
};

// All tokens that the request has read or made so far.
std::vector<std::uint32_t> tokens_of(const Request& request);

// Tokens of a request that an iteration computes.
struct Planned {
    SeqId request;
    std::uint32_t first, count;
    std::uint32_t ahead = 0;  // tokens of a draft behind them, which the same pass checks

    std::uint32_t rows() const { return count + ahead; }
    bool has_no_draft() const { return ahead == 0; }
};

}  // namespace kv
