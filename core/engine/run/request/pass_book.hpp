#pragma once
// Which passes computed what a request has stored. In exact prefill a token's bytes depend on the
// pass that it came with, because the pass attends to its own tokens before they are coded; who
// wants to compute them once more has to cut where the run has cut. A block that is found again
// brings the cuts of whoever computed it.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/base/ids.hpp"

namespace kv {

// All tokens that led to a row of logits, and where each pass that stored them began: rising, from
// 0 on. No passes: how they were cut changes nothing.
struct SeenTokens {
    std::span<const std::uint32_t> tokens, passes;
    bool recoded = false;  // stored in another codec first: no computation gives the same
};

class PassBook {
public:
    explicit PassBook(std::uint32_t block_size) : block_size_(block_size) {}

    // For each entry of a table, the hash by which its block can be found; none: it cannot.
    using Hashes = std::vector<std::optional<std::uint64_t>>;

    // A pass is about to store the tokens [first, first + count). What lies before them and is not
    // the request's own comes from found blocks.
    void add(SeqId id, std::uint32_t first, std::uint32_t count, const Hashes& hashes);
    // `shared` tokens of the parent are the child's as well.
    void fork(SeqId child, SeqId parent, std::uint32_t shared);
    void forget(SeqId id);  // its blocks are gone
    std::span<const std::uint32_t> passes(SeqId id) const;

private:
    struct Book {
        std::vector<std::uint32_t> starts;
        std::uint32_t stored = 0;
    };

    std::uint32_t block_size_;
    std::map<std::uint32_t, Book> books_;                          // by SeqId
    std::map<std::uint64_t, std::vector<std::uint32_t>> by_hash_;  // starts inside a block
};

}  // namespace kv
