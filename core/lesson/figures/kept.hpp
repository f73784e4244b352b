#pragma once
// Facts of figures about tokens that a policy keeps: where a head looks with several caches, which
// score decides, and what the end of a prompt looked at.

#include <cstdint>
#include <string>
#include <vector>

namespace kv {

// The weights that one query head of the last token gives to all tokens, with several caches.
struct SinkFacts {
    struct Strip {
        bool everything = false;  // nothing is dropped
        std::uint32_t sinks = 0, recent = 0;
        std::vector<double> weights;  // by token; 0 where it is gone
        std::vector<bool> kept;       // by token: the query sees it
        double loss = 0;              // on many texts
        std::string loss_said;
        // Tokens with a weight of at least a hundredth, the last token's own left out.
        std::uint32_t looked_at() const;
    };
    std::uint32_t layer = 0, head = 0;
    std::vector<std::string> words;  // by token
    std::vector<Strip> strips;
    std::uint32_t open = 0;   // so many strips are drawn before the reveal
    std::uint64_t texts = 0;  // of the losses
    std::string spread;       // how far such a mean can be trusted
};

// Tokens with the score of each; the heaviest stay, and the newest whatever their score.
struct HeavyFacts {
    std::vector<double> scores;
    std::uint32_t keep = 0, newest = 0;
    std::vector<std::uint32_t> dropped;  // by the rule, behind the reveal
};

// The end of a prompt looks back once, and what it looks at stays.
struct ObservedFacts {
    std::uint32_t layer = 0, kv_head = 0;
    std::vector<std::string> words;    // of the prompt, by position
    std::uint32_t window = 0;          // the last tokens of the prompt
    std::vector<double> scores;        // of those before the window
    std::vector<bool> kept;            // by position, behind the prompt
    std::uint32_t first = 0, end = 0;  // the tokens that the question is about
    std::uint32_t n_kept() const;
};

// What a query head knows of each block before it reads any: a bound of its scores. The blocks with
// the highest bounds are read.
struct BoundsFacts {
    struct Block {
        double bound = 0, best = 0;  // of q k over the root of the width
        bool read = false;
    };
    std::uint32_t layer = 0, head = 0, block_size = 0, n_tokens = 0;
    std::vector<Block> blocks;
};

// The first tokens of a text and the newest ones: by their place in the text, and in the cache.
struct RanksFacts {
    std::uint32_t sinks = 0;           // tokens 0 to sinks - 1
    std::uint32_t first = 0, end = 0;  // and those from first on; `end` is the next query
    std::uint32_t kept() const { return sinks + (end - first); }
};

}  // namespace kv
