#pragma once
// What a window draws of a tank, made once for many frames and bounded by pixels, never by the
// cache: texels of the pool, bars of the prefix tree, rows of the hottest prefixes. Who makes it
// (a thread that receives) and who draws it (the frame) share nothing else.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/attach/tank/tank.hpp"

namespace kv {

enum class PoolOrder : std::uint8_t { Prefix, LastUse, Stored };

struct PictureAsk {
    std::vector<std::int64_t> ranks = {};    // of these; empty: of all
    std::optional<std::int64_t> group = {};  // none: of all
    std::string medium = "GPU";              // the one whose blocks are drawn
    PoolOrder order = PoolOrder::Prefix;
    std::uint32_t most_texels = 264 * 99;
    std::uint32_t most_bars = 2000, most_rows = 24;
    std::optional<ServerHash> selected = {};  // a prefix that gets a row whatever its rank
};

// One block, or several that lie side by side where there are more blocks than texels.
struct PoolTexel {
    float age_s = 0;          // since the last use, the shortest of its blocks
    std::uint32_t plate = 0;  // the numbered prefix that it belongs to; 0: none
};

struct TankPool {
    std::vector<PoolTexel> texels = {};
    std::uint64_t blocks = 0;            // copies included
    std::uint64_t blocks_per_texel = 1;  // one texel stands for so many
    std::uint64_t tokens = 0;
};

// Blocks that follow each other without a branch. The left edges of parent and first child agree;
// the largest subtree stands left. Widths are cached blocks at and beneath. Where there are more
// chains than bars, the children of a bar that are left stand side by side and are one bar
// together.
struct TreeBar {
    std::uint64_t left = 0, width_top = 0, width_bottom = 0;
    std::uint64_t from_token = 0, to_token = 0;  // depth, from the start of the prompt
    std::uint64_t chains = 1;                    // that it stands for
    float age_s = 0;                             // of its newest use; of several the mean
    std::uint32_t plate = 0;
    bool rootless = false;                      // what came before it is not known: drawn hatched
    std::vector<std::uint32_t> token_ids = {};  // its first ones, where tokens are kept
    std::string words = {};                     // of them, from whoever can read them
};

struct TankTree {
    std::vector<TreeBar> bars = {};      // parents before children
    std::uint64_t width = 0, depth = 0;  // cached blocks; tokens
    std::uint64_t left_out = 0;          // cached blocks of chains without a bar of their own
};

struct TankPrefixRow {
    std::uint32_t plate = 0;  // 1 for the hottest
    ServerHash hash = {};     // of its last block
    std::int64_t rank = 0, group = 0;
    std::uint64_t tokens = 0, from_start = 0;  // its own; up to its end
    std::uint64_t hits = 0, blocks_beneath = 0;
    std::uint64_t again = 0;                    // blocks that were stored again after a removal
    double last_use_s = 0;                      // ago
    std::vector<std::uint32_t> token_ids = {};  // its first ones, where tokens are kept
    std::string words = {};                     // of them, from whoever can read them
};

struct ShelfCard {
    Shelf shelf = {};
    std::uint64_t empty = 0;  // blocks of the pool without a full block in them, when it is known
};

struct RankCard {
    RankTank rank = {};                      // without its rates, which stand in the picture
    std::optional<double> usage = {};        // sampled, of the server
    std::optional<std::uint64_t> pool = {};  // blocks, from cache_config_info or as given
    std::uint64_t cached = 0;                // blocks of the asked medium
};

struct TankPicture {
    // Written out in tank_picture.cpp: left implicit, each file that uses one compiles them again.
    TankPicture();
    TankPicture(const TankPicture&);
    TankPicture(TankPicture&&) noexcept;
    TankPicture& operator=(const TankPicture&);
    TankPicture& operator=(TankPicture&&) noexcept;
    ~TankPicture();

    double now_s = 0, start_s = 0, samples_s = 0;  // moments of the server's and of our clock
    std::vector<RankCard> ranks = {};
    std::vector<ShelfCard> shelves = {};
    TankPool pool = {};
    TankTree tree = {};
    std::vector<TankPrefixRow> hottest = {}, lost = {};  // lost: stored again after a removal
    AgeHistogram lifetimes = {}, idle = {}, found = {}, too_late = {};
    std::vector<RateBin> rates = {};       // of the asked ranks together, oldest first
    std::vector<StreamMark> marks = {};    // newest last
    std::vector<TankLogRow> log = {};      // newest first
    std::vector<MetricTrack> tracks = {};  // by name and labels
    std::uint64_t unknown_events = 0;
    std::uint64_t memory_bytes = 0, forgotten_blocks = 0, passed_over = 0;
    bool exact = true;  // no gap is open, none was lost, and it began at the start
};

// A larger pool is a mistyped one.
inline constexpr std::uint64_t kMostPoolBlocks = 1'000'000'000;

TankPicture tank_picture_of(const Tank& tank, const PictureAsk& ask,
                            std::optional<std::uint64_t> pool_blocks);

}  // namespace kv
