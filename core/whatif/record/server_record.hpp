#pragma once
// What a server's events say about what was asked of it. Events name no requests, so these are
// made out: an event goes on with the request whose last block is its parent, when it comes in the
// same batch, or soon enough after it and with contents that are new; any other event begins a
// request, whose prompt is the chain above it and what it stores. Blocks that come one by one after
// a prompt are filled by the answer, and no prompt asks for them.
//
// What is stored beneath a block while it is cached was computed once more: the request found no
// more than what lies above it, whatever the pool.
//
// What events do not say: a request that found all of its prompt and filled no block (unless the
// server announces hits again), and the tokens behind a request's last full block.

#include <map>
#include <string>
#include <unordered_map>

#include "core/trace/server/batch.hpp"
#include "core/whatif/recording.hpp"

namespace kv {

// A request makes at least so many tokens a second while it runs.
inline constexpr double kSlowestTokensPerSecond = 10;

class ServerRecord {
public:
    // Batches come in the order of the file. `sequence`: the number of the batch, where known.
    void take(const ServerBatch& batch, std::optional<u64> sequence);
    // A counter of /metrics; its name has labels behind it where several engines answer.
    void take_counter(std::string_view name, double value);
    void pass_over(const std::string& what) { ++recording_.passed_over[what]; }

    bool has_batches() const { return recording_.batches > 0; }
    Recording finish();

private:
    struct Running {
        std::size_t ask;
        u64 batch;
        double time_s;
        bool answers;  // blocks came one by one: its prompt is done
    };
    struct Rank {
        AskStream stream;
        std::unordered_map<std::string, std::uint32_t> known;  // by hash: its ChainId
        std::unordered_map<std::uint32_t, Running> running;    // by last block
        std::map<std::uint32_t, std::uint32_t> cached;         // how many copies
        std::optional<u64> last_sequence;
        bool cleared = false;  // and nothing asked since
    };

    struct Stored {
        ChainId last;         // the event's last block
        std::uint32_t n_new;  // blocks that were not there before
        u64 found_at_most;    // tokens that the request can have found
    };

    static bool is_cached(const Rank& rank, const ServerHash& hash);
    bool is_ours(const ServerStored& event);
    void take(Rank& rank, const ServerEvent& event);
    void take(Rank& rank, const ServerStored& event, double time_s);
    Stored store(Rank& rank, const ServerStored& event);
    void take(Rank& rank, const ServerRemoved& event);
    void forget_all(Rank& rank);
    ChainId block_of(Rank& rank, const ServerHash& hash, std::optional<ChainId> parent,
                     const ServerStored* event, std::size_t place);
    Running* goes_on(Rank& rank, const ServerStored& event, double time_s, bool is_new);

    Recording recording_;
    std::map<std::int64_t, Rank> ranks_;
    std::optional<double> first_s_;
    double last_s_ = 0;
    bool all_tokens_ = true;
    std::optional<std::int64_t> group_;
    // What was counted, by engine: the labels behind a name say which.
    struct Counter {
        double first, last;
        double before = 0;  // by the servers that ended: each new one counts from 0
    };
    using Counters = std::map<std::string, Counter>;
    Counters queries_, hits_;
    bool from_the_start_ = false;
};

}  // namespace kv
