#pragma once
// What a server's cache holds, as far as its events tell: shelves of blocks by rank, group and
// medium, and what was counted on the way. A value: apply() is the only thing that changes it, so
// any moment is a copy of an earlier one and the entries since. Its memory is bounded whatever
// comes; what had to be left out is counted.
//
// A use of a block is its being stored, or a block's being stored beneath it: a hit that stores
// nothing is not announced. A server that reports in full announces hit blocks again. A hit of a
// prefix is an event that stores beneath its end, unless that is a request that writes on.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/attach/tank/ages.hpp"
#include "core/attach/tank/block_tree.hpp"
#include "core/attach/tank/entry.hpp"
#include "core/attach/tank/uses.hpp"

namespace kv {

struct TankSettings {
    static constexpr std::uint64_t kFewestBlocks = 1024, kMostBlocks = 16'777'216;
    std::uint32_t most_blocks = 1U << 21U;  // cached and remembered
    bool keep_tokens = false;               // else only how many there are
    bool full_reports = false;              // kv_cache_report_mode: full
};

struct Shelf {
    ShelfName name = {};
    std::int64_t block_size = 0;  // the largest that was announced; 0: only placeholders were
    std::string layer_kind = {};
    std::optional<std::int64_t> window = {};
    std::uint64_t blocks = 0;        // copies included
    std::uint64_t distinct = 0;      // contents
    std::uint64_t tokens = 0;        // that they hold, of those that were told
    std::uint64_t placeholders = 0;  // stored without their tokens
};

struct RateBin {
    static constexpr double kSeconds = 5;
    std::int64_t number = 0;  // its start is number x 5 s on the server's clock
    std::uint64_t stored = 0, removed = 0, tokens_again = 0;  // blocks, blocks, tokens
};

struct RankTank {
    std::int64_t rank = 0;
    std::optional<std::uint64_t> first_sequence = {}, last_sequence = {};
    bool began_in_the_middle = false;  // since it last began
    bool in_doubt = false;             // blocks were stored or removed that we do not know of
    bool gap_open = false;             // batches are missing, and were asked for again
    std::uint64_t gaps_asked = 0, missed = 0, restarts = 0;  // gaps; batches that never came
    std::uint64_t batches = 0;
    std::uint64_t stored_events = 0, removed_events = 0, cleared_events = 0, unknown_events = 0;
    std::uint64_t blocks_stored = 0, blocks_removed = 0;
    std::uint64_t removed_unknown = 0;                 // blocks that we never saw stored
    std::uint64_t passed_over = 0;                     // blocks for which the tank had no room
    std::uint64_t blocks_again = 0, tokens_again = 0;  // stored again after a removal
    AgeHistogram lifetimes = {};                       // from stored to removed
    AgeHistogram idle = {};                            // from the last use to removed
    AgeHistogram found = {}, too_late = {};            // gaps between uses of the same block
    std::deque<RateBin> rates = {};                    // oldest first
    std::uint64_t rates_dropped = 0;

    bool exact() const { return !gap_open && !in_doubt; }
};

enum class TankLogKind : std::uint8_t { Stored, Removed, Cleared, Unknown };
struct TankLogRow {
    TankLogKind kind = TankLogKind::Stored;
    std::int64_t rank = 0;
    std::uint64_t sequence = 0;
    double time_s = 0;
    std::uint64_t blocks = 0;
    ShelfName shelf = {};
    std::uint64_t ends_at = 0;  // tokens from the start, of the last block
    bool parent_known = true;
    std::optional<double> lived_s = {}, idle_s = {};  // of the first block that was removed
    std::string kind_word = {};                       // of an unknown event
    std::vector<std::uint32_t> token_ids = {};        // of the first block, where tokens are kept
    std::string words = {};                           // of them, from whoever can read them
};

// The values of one metric, poll by poll.
struct MetricTrack {
    std::string name = {}, labels = {};
    std::deque<std::pair<double, double>> points = {};  // moment, value
};

class Tank {
public:
    explicit Tank(const TankSettings& settings);

    void apply(const TankEntry& entry);

    const TankSettings& settings() const { return settings_; }
    double now_s() const { return now_s_; }      // the newest moment of the server's clock
    double start_s() const { return start_s_; }  // the first one
    float age_s(double moment_s) const;          // how long ago it was; 0 for what is to come
    const std::vector<Shelf>& shelves() const { return shelves_; }  // in the order they came
    const std::map<std::int64_t, RankTank>& ranks() const { return ranks_; }
    const BlockTree& tree() const { return tree_; }
    std::vector<ServerHash> cached(ShelfRef shelf) const;           // contents, sorted
    const std::deque<TankLogRow>& log() const { return log_; }      // newest last
    const std::deque<StreamMark>& marks() const { return marks_; }  // newest last
    const std::map<std::string, std::uint64_t>& unknown() const { return unknown_; }  // by kind
    const SampleEntry& newest_samples() const { return samples_; }
    const std::map<std::pair<std::string, std::string>, MetricTrack>& tracks() const {
        return tracks_;
    }
    bool negative_hashes() const { return negative_hashes_; }
    std::uint64_t memory_bytes() const;

private:
    struct EventOrigin {  // the batch that an event is of
        RankTank& rank;
        std::uint64_t sequence;
    };
    void apply_batch(const BatchEntry& entry);
    void apply_mark(const StreamMark& mark);
    void apply_samples(const SampleEntry& entry);
    void apply_event(EventOrigin at, const ServerStored& event);
    void apply_event(EventOrigin at, const ServerRemoved& event);
    void apply_event(EventOrigin at, const ServerCleared& event);
    void apply_event(EventOrigin at, const ServerUnknown& event);

    RankTank* rank(std::int64_t number);                   // none when there are too many
    std::optional<ShelfRef> shelf(const ShelfName& name);  // likewise
    bool is_report(ShelfRef shelf, const ServerStored& event) const;
    void take_report(RankTank& rank, ShelfRef shelf, const ServerStored& event);
    std::optional<BlockRef> use_parent(RankTank& rank, ShelfRef shelf, const ServerStored& event);
    void store_chain(EventOrigin at, ShelfRef shelf, const ServerStored& event, BlockRef parent,
                     TankLogRow& row);
    void learn_tokens(BlockRef block, BlockRef parent, const ServerStored& event, std::size_t i);
    BlockRef store(EventOrigin at, ShelfRef shelf, const ServerHash& hash, BlockRef parent);
    void store_again(EventOrigin at, BlockRef block);
    void begin_life(TankBlock& block);
    void remove(EventOrigin at, BlockRef block, TankLogRow& row);
    void clear(std::int64_t rank);
    void set_clock(double time_s);
    RateBin& bin(RankTank& rank) const;
    TankLogRow& log(EventOrigin at, TankLogKind kind);

    TankSettings settings_;
    BlockTree tree_;
    std::vector<Shelf> shelves_;
    std::map<ShelfName, ShelfRef> shelf_of_;
    std::map<std::int64_t, RankTank> ranks_;
    std::deque<TankLogRow> log_;
    std::deque<StreamMark> marks_;
    std::map<std::string, std::uint64_t> unknown_;
    SampleEntry samples_;
    std::map<std::pair<std::string, std::string>, MetricTrack> tracks_;
    ChainUses chain_uses_;
    double now_s_ = 0, start_s_ = 0;
    bool started_ = false, negative_hashes_ = false;
};

}  // namespace kv
