#pragma once
// What a cache is to be like: its sizes and its rules, by the words that scenes and commands use.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cache/prefix/radix_state.hpp"

namespace kv {

// Off: nothing is looked up and nothing published. FullBlocksOnly: full blocks are shared and never
// written again (vLLM's engine). CopyOnWrite: a fork shares the partly filled block as well, and
// the first to write into it makes itself a copy (vLLM's paper).
enum class Sharing : std::uint8_t { Off, FullBlocksOnly, CopyOnWrite };
std::string_view name_of(Sharing sharing);
std::optional<Sharing> sharing_named(std::string_view name);

// TailReverse: freed blocks go to the tail of the free list, the last of a table first (vLLM until
// May 2026). UnhashedFirst: those that can never be found again go to the head, to be used at once
// (vLLM since its change 42656). A block that a policy has emptied goes to the tail in both: its
// request goes on, and takes another one next.
enum class FreeOrder : std::uint8_t { TailReverse, UnhashedFirst };
std::string_view name_of(FreeOrder order);
std::optional<FreeOrder> free_order_named(std::string_view name);

// Which cached block is given up when a block is needed. Chain: the one idle longest, as the free
// list has them (vLLM). Radix: a leaf of the tree of prefixes, by the order of the tree (SGLang),
// after every block that nobody can find.
enum class PrefixRule : std::uint8_t { Chain, Radix };
std::string_view name_of(PrefixRule rule);
std::optional<PrefixRule> prefix_rule_named(std::string_view name);

struct CacheSpec {
    std::uint32_t n_blocks = 0, block_size = 16;
    std::uint32_t n_lanes = 1;             // tables per request; each lane has a pool of its own
    std::uint32_t n_host = 0, n_file = 0;  // places of the tiers below
    std::uint64_t block_bytes = 0;         // of a block of a lane
    Sharing sharing = Sharing::FullBlocksOnly;
    FreeOrder free_order = FreeOrder::UnhashedFirst;
    std::vector<std::uint32_t> free_list;  // ids that are handed out first
    PrefixRule prefix_rule = PrefixRule::Chain;
    RadixRule radix_order;
    // The newest tokens wait to be coded (KIVI): a block can be found once its bytes are final, and
    // a prefix ends where a group of tokens does.
    bool has_residual = false;
    bool keep_cold = false;  // idle cached blocks move to the host tier when taken
    // Blocks that end behind this token are never published: what they hold depends on what a
    // policy hid from its queries.
    std::uint32_t publish_upto = std::numeric_limits<std::uint32_t>::max();
    std::string space;  // see PrefixIndex

    // Entries of a block table that has room for so many slots.
    std::uint32_t entries_for(std::uint32_t slots) const;
};

}  // namespace kv
