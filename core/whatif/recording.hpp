#pragma once
// What was asked of a server's cache, in order, however it was written down: a recording of its
// events, or a public trace of prompts. Block ids, reference counts and the pool are not in it, so
// that it can be replayed with any of them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/numbers/checked.hpp"
#include "core/whatif/chains.hpp"

namespace kv {

// A request: it looks for the full blocks of its prompt, computes those that are not there, and
// stores them, and after them the blocks that its answer fills. All these blocks are one chain.
struct BlockAsk {
    ChainId last;              // the last block of the chain, which names it
    std::uint32_t n_blocks;    // the chain has so many blocks, of prompt and answer
    std::uint32_t n_asked;     // so many of these, from the first on, are the prompt's
    std::uint32_t n_stored;    // so many of the prompt's the server stored, as its events say
    u64 asked_tokens;          // of the prompt; in whole blocks where nothing else is known
    u64 most_hit_tokens;       // so many may be found: the prompt's last token is always computed
    double time_s;             // it came so long after the first request
    bool after_clear = false;  // all that was cached was forgotten before it
};

// One engine has one pool, and so has one rank of a server.
struct AskStream {
    std::int64_t rank = 0;
    std::vector<BlockAsk> asks;
};

// What the server counted itself, in tokens.
struct ServerCounters {
    std::optional<u64> queries, hits, pool_blocks;
    friend bool operator==(const ServerCounters&, const ServerCounters&) = default;
};

enum class RecordingKind { ServerEvents, PublicTrace };

struct Recording {
    RecordingKind kind = RecordingKind::ServerEvents;
    std::string format;  // of a public trace: its name
    std::uint32_t block_size = 0;
    BlockChains chains;
    std::vector<std::uint32_t> tokens;  // block_size for each node; empty when they were left out
    std::vector<AskStream> streams;

    double seconds = 0;  // from the first request to the last thing that happened
    u64 batches = 0, stored = 0, removed = 0, cleared = 0, restarts = 0;
    std::vector<u64> unblocked;  // tokens of prompts without a block: asked for, never found
    u64 most_cached = 0;         // blocks of one rank that could be found at once
    // What was passed over: no_tokens, other_media, other_groups, other_sizes, stored_before,
    // unknown_removals, second_parent, unreadable_lines, and "event NAME" of unknown kinds.
    std::map<std::string, u64> passed_over;
    ServerCounters server;

    bool has_tokens() const { return !tokens.empty(); }
    u64 unblocked_tokens() const {
        u64 n = 0;
        for (const u64 prompt : unblocked) n += prompt;
        return n;
    }
    u64 n_asks() const {
        u64 n = 0;
        for (const AskStream& stream : streams) n += stream.asks.size();
        return n;
    }
    u64 n_blocks() const {  // references, over all requests
        u64 n = 0;
        for (const AskStream& stream : streams)
            for (const BlockAsk& ask : stream.asks) n += ask.n_blocks;
        return n;
    }
};

}  // namespace kv
