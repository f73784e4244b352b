#pragma once
// Tokens that wait in full precision until there are enough of them to code together (KIVI): which
// rows of the backend each request has for them, and which blocks get codes when tokens leave.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/cache/codec/kivi.hpp"
#include "core/engine/run/memory/run_pool.hpp"

namespace kv {

struct BlockRecoded;

class Residuals {
public:
    explicit Residuals(RunPool& pool) : pool_(pool) {}

    // The rows of a request; none if it has stored nothing, or if no codec has a residual.
    std::optional<Residual> find(SeqId id) const;
    // Gives a request the lowest row set that nobody has; tokens before `first`, stored already,
    // were coded when they came.
    Residual open(SeqId id, std::uint32_t first);
    void close(SeqId id);

    // What leaves the residual when tokens [first, end) are stored.
    struct Coded {
        std::uint32_t k_end = 0, v_end = 0;  // tokens before these have codes
        std::vector<BlockRecoded> blocks;
    };
    Coded coded(SeqId id, std::uint32_t first, std::uint32_t end) const;
    // How long a draft may be: its tokens take rows of the residual, and when none of them is
    // accepted, they must have overwritten no token that still waits.
    std::uint32_t most_ahead(SeqId id) const;
    // How many tokens' keys, or values, wait, over all requests.
    std::uint64_t waiting(Side side) const;

private:
    bool waits(Side side) const;

    RunPool& pool_;
    std::map<std::uint32_t, Residual> rows_;  // by SeqId
};

}  // namespace kv
