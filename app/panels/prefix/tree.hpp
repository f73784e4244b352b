#pragma once
// The prefixes that can be found at a moment, as a tree: a node is a full block after everything
// before it, or, as a radix tree has it, a run of such blocks without a branch that the same
// requests hold. What a hash stands for is said once, when a block is published; what is there now
// is said by the snapshot. The forest follows a run by what differs from moment to moment, and
// makes only the rows that are asked for, so that a step over a large pool costs what it changed.
// Where that is much, following can be done in several goes. Pure.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "app/panels/view/block_holders.hpp"

namespace kv {

// What a hash stands for: the tokens of one block, after those of the parent. A content never
// changes, so the contents only grow along a run.
struct PrefixContent {
    std::optional<std::uint64_t> parent;
    std::uint64_t event = 0;  // that published it first
    std::uint32_t place = 0;  // among the blocks of that event
};

// Asked now and then whether there is time to go on; none: there always is.
using GoOn = std::function<bool()>;

class PrefixContents {
public:
    // False when something that was known turned out to go on from what was published only now.
    bool catch_up(const Trace& trace, const GoOn& go_on = {});
    bool has_read(const Trace& trace) const { return read_ == trace.size(); }
    const PrefixContent* find(std::uint64_t hash) const;

private:
    std::uint64_t read_ = 0;
    // Looked up only, so their order is nobody's business.
    std::unordered_map<std::uint64_t, PrefixContent> of_;
    std::unordered_set<std::uint64_t> unseen_parents_;
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
    std::uint64_t first = 0;            // position of its first token
    std::uint64_t n_tokens = 0;
    TokenIds tokens;  // as many of them as are read: kMostTokens, or those of a block
    PrefixPlace place = PrefixPlace::Device;
    std::vector<std::uint32_t> ids;  // blocks, or places of the tier, in order of the tokens
    std::uint32_t copies = 1;        // of its last block, on the device
    std::uint64_t hash = 0;          // of its last block
    std::vector<SeqId> holders;      // whose tables name its last block

    static constexpr std::size_t kMostTokens = 64;
};

class PrefixForest {
public:
    // False when nothing has moved since the last time. When time runs out the rest is left for
    // the next call; until `behind()` is false, the forest is that of no moment.
    bool follow(std::uint64_t run, const Trace& trace, const LaneAt& lane, std::uint64_t moment,
                const GoOn& go_on = {});
    bool behind() const { return behind_; }

    std::uint64_t size(PrefixMode mode) const { return rows_[static_cast<std::size_t>(mode)]; }
    // At most n rows from the given one on; depth first, siblings in the order in which they were
    // published. Rows far down cost more: what lies before them in the same tree is passed by.
    std::vector<PrefixRow> rows(PrefixMode mode, const Trace& trace, std::uint64_t from,
                                std::uint64_t n) const;

    // Blocks and places that a lookup can find.
    std::uint64_t on_device() const { return on_device_; }
    std::uint64_t below() const { return below_; }

private:
    friend class PrefixWalk;
    using Hash = std::uint64_t;
    struct Node {
        std::optional<Hash> parent;  // in the forest
        Hash root = 0;
        std::uint64_t event = 0;
        std::array<std::vector<std::uint32_t>, 3> at = {};  // blocks, host and file places, rising
        std::vector<Hash> children = {};                    // in the order of publishing
        bool begins = true;                                 // a row of the radix tree

        PrefixPlace place() const;
        bool is_held() const { return place() != PrefixPlace::GivenUp; }
    };
    using RootKey = std::pair<std::uint64_t, Hash>;  // when it was published
    using Rows = std::array<std::uint64_t, 2>;       // by PrefixMode

    void clear();
    void begin_blocks(const LaneAt& lane);
    bool follow_blocks(const GoOn& go_on);
    void follow_places(const SharedArray<PlaceView>& now, SharedArray<PlaceView>& before,
                       PrefixPlace where);
    void put(Hash hash, PrefixPlace where, std::uint32_t id);
    void take(Hash hash, PrefixPlace where, std::uint32_t id);
    bool make(Hash hash);
    void link(Hash hash, const PrefixContent& content);
    void drop_empty(Hash hash);
    void count(const Node& node, PrefixMode mode, int by);
    void settle();
    void settle_begin(Hash hash);
    bool begins(const Node& node) const;
    std::vector<SeqId> holders_of(const Node& node) const;

    PrefixContents contents_;
    BlockHolders holders_;
    std::optional<std::uint64_t> run_;
    std::uint64_t moment_ = 0;
    bool behind_ = false;

    // As they were the last time, and the state that is being followed: which blocks have another
    // hash or other holders there, and how many of those are done.
    SharedArray<BlockView> blocks_, to_blocks_;
    std::vector<std::uint32_t> rehashed_;
    std::vector<BlockId> reheld_;
    std::size_t n_rehashed_ = 0, n_reheld_ = 0;
    SharedArray<PlaceView> host_, file_;
    std::uint64_t on_device_ = 0, below_ = 0;

    std::unordered_map<Hash, Node> nodes_;  // looked up only
    std::map<RootKey, Rows> roots_;         // how many rows each tree has
    Rows rows_{};
    std::vector<Hash> touched_;  // whose begins may have changed
};

}  // namespace kv
