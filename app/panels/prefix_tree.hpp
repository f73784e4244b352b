#pragma once
// The prefixes that can be found at a moment, as a tree: a node is a full block after everything
// before it, or, as a radix tree has it, a run of such blocks without a branch that the same
// requests hold. What a hash stands for is said once, when a block is published; what is there now
// is said by the snapshot. Pure.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "app/panels/block_holders.hpp"

namespace kv {

// What a hash stands for: its tokens, after those of the parent. A content never changes, so the
// contents only grow along a run.
struct PrefixContent {
    std::optional<std::uint64_t> parent;
    TokenIds tokens;
    std::uint64_t event = 0;  // that published it first
};

class PrefixContents {
public:
    void catch_up(std::uint64_t run, const Trace& trace);
    const PrefixContent* find(std::uint64_t hash) const;

private:
    std::uint64_t run_ = 0, read_ = 0;
    std::map<std::uint64_t, PrefixContent> of_;
};

enum class PrefixMode : std::uint8_t { Chain, Tree };

// Where a node is: on the device, in a lower tier, or nowhere while something still goes on from
// it.
enum class PrefixPlace : std::uint8_t { Device, Host, File, GivenUp };

struct PrefixRow {
    std::uint32_t column = 0;           // how many branchings lie above it
    bool branches = false;              // one of several that go on from its parent
    bool goes_on = false;               // the only one that does; a root is neither
    std::vector<std::uint32_t> passes;  // columns whose line goes by to a row below
    std::uint32_t first = 0;            // position of its first token
    TokenIds tokens;
    PrefixPlace place = PrefixPlace::Device;
    std::vector<std::uint32_t> ids;  // blocks, or places of the tier, in order of the tokens
    std::uint32_t copies = 1;        // of its last block, on the device
    std::uint64_t hash = 0;          // of its last block
    std::vector<SeqId> holders;      // whose tables name its last block
};

// Depth first; siblings in the order in which they were published.
std::vector<PrefixRow> prefix_rows(const PrefixContents& contents, const Snapshot& now,
                                   const BlockHolders& holders, PrefixMode mode);

}  // namespace kv
