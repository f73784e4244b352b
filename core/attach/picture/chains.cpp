#include "core/attach/picture/chains.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kv {
namespace {

std::vector<Beneath> count_beneath(const BlockTree& tree, const std::vector<bool>& is_asked) {
    std::vector<Beneath> all(tree.places());
    const std::vector<BlockRef>& arrivals = tree.arrivals();
    for (auto at = arrivals.rbegin(); at != arrivals.rend(); ++at) {
        if (*at == kNoBlock) continue;
        const TankBlock& b = tree.at(*at);
        if (!is_asked[b.shelf]) continue;
        Beneath& own = all[*at];
        own.cached += b.cached() ? 1 : 0;
        if (b.parent == kNoBlock || own.cached == 0) continue;
        Beneath& parent = all[b.parent];
        parent.cached += own.cached;
        ++parent.branches;
    }
    return all;
}

// Where a block belongs: in a chain, or, with nothing cached after it, beneath one of its blocks.
struct Home {
    ChainRef chain = kNoChain;
    bool at_end = false;  // the last block of the chain, or beneath it
};

// What was remembered beneath the last block of a chain counts as its hits; beneath an earlier one,
// as hits of the chains above alone.
void put_into_chains(const BlockTree& tree, TreeChains& out) {
    std::vector<Home> homes(tree.places());
    std::vector<std::uint64_t> hits_before_end;
    out.cached.reserve(tree.places() - tree.remembered());
    for (const BlockRef block : tree.arrivals()) {
        if (block == kNoBlock) continue;
        const TankBlock& b = tree.at(block);
        const Beneath beneath = out.beneath[block];
        Home home = b.parent == kNoBlock ? Home() : homes[b.parent];
        if (beneath.cached > 0) {
            if (home.chain == kNoChain || home.at_end) {
                out.chains.push_back({.first = block,
                                      .parent = home.chain,
                                      .width_top = beneath.cached,
                                      .used_s = b.used_s});
                hits_before_end.push_back(0);
                home.chain = static_cast<ChainRef>(out.chains.size() - 1);
            }
            home.at_end = beneath.ends_chain();
            TreeChain& chain = out.chains[home.chain];
            chain.last = block;
            chain.width_bottom = beneath.cached;
            chain.to_token += b.tokens;
            chain.again += b.again;
            if (b.cached())
                out.cached.push_back(
                    {b.used_s, block, home.chain, static_cast<std::uint32_t>(chain.cached++)});
        }
        homes[block] = home;
        if (home.chain == kNoChain) continue;
        TreeChain& chain = out.chains[home.chain];
        (home.at_end ? chain.hits : hits_before_end[home.chain]) += b.hits;
        chain.used_s = std::max(chain.used_s, b.used_s);
    }
    for (std::size_t i = out.chains.size(); i-- > 0;) {
        const TreeChain& chain = out.chains[i];
        if (chain.parent == kNoChain) continue;
        TreeChain& parent = out.chains[chain.parent];
        parent.hits += chain.hits + hits_before_end[i];
        parent.used_s = std::max(parent.used_s, chain.used_s);
    }
}

struct Sibling {
    std::uint64_t width = 0;
    double stored_s = 0;
    ChainRef chain = kNoChain;
};

// Siblings of the same size stand as they were stored. Two roots may have the same hash, on two
// shelves.
void sort_largest_first(std::vector<Sibling>& list, const BlockTree& tree,
                        const std::vector<TreeChain>& chains) {
    std::sort(list.begin(), list.end(), [&](const Sibling& a, const Sibling& b) {
        if (a.width != b.width) return a.width > b.width;
        if (a.stored_s != b.stored_s) return a.stored_s < b.stored_s;
        const BlockRef one = chains[a.chain].first, other = chains[b.chain].first;
        const ServerHash hash = tree.hash(one), other_hash = tree.hash(other);
        return hash == other_hash ? tree.at(one).shelf < tree.at(other).shelf : hash < other_hash;
    });
}

// Chains by parent: those without one, then those of each.
struct Families {
    std::vector<ChainRef> members;
    std::vector<std::size_t> ends;  // of the roots, of the children of chain 0, ...
};

Families families_of(const std::vector<TreeChain>& chains) {
    const auto family = [](const TreeChain& chain) {
        return chain.parent == kNoChain ? std::size_t{0} : chain.parent + std::size_t{1};
    };
    Families out{std::vector<ChainRef>(chains.size()), std::vector<std::size_t>(chains.size() + 1)};
    for (const TreeChain& chain : chains) ++out.ends[family(chain)];
    std::partial_sum(out.ends.begin(), out.ends.end(), out.ends.begin());
    std::vector<std::size_t> next = out.ends;
    for (std::size_t i = chains.size(); i-- > 0;)
        out.members[--next[family(chains[i])]] = static_cast<ChainRef>(i);
    return out;
}

// Where each chain stands, beginning with the roots; a parent's number is below its children's.
void place_chains(const BlockTree& tree, std::vector<TreeChain>& chains) {
    const Families families = families_of(chains);
    std::vector<Sibling> siblings;
    std::size_t begin = 0;
    for (std::size_t family = 0; family < families.ends.size(); ++family) {
        siblings.clear();
        for (; begin < families.ends[family]; ++begin) {
            const TreeChain& chain = chains[families.members[begin]];
            siblings.push_back(
                {chain.width_top, tree.at(chain.first).stored_s, families.members[begin]});
        }
        sort_largest_first(siblings, tree, chains);
        const TreeChain none;
        const TreeChain& above = family == 0 ? none : chains[family - 1];
        std::uint64_t left = above.left, before = above.before + above.cached;
        for (const Sibling& sibling : siblings) {
            TreeChain& chain = chains[sibling.chain];
            chain.left = left;
            chain.before = before;
            chain.from_token = above.to_token;
            chain.to_token += above.to_token;
            left += chain.width_top;
            before += chain.width_top;
        }
    }
}

}  // namespace

TreeChains chains_of(const BlockTree& tree, const std::vector<ShelfRef>& shelves) {
    std::vector<bool> is_asked(std::numeric_limits<ShelfRef>::max() + std::size_t{1});
    for (const ShelfRef shelf : shelves) is_asked[shelf] = true;
    TreeChains out;
    out.beneath = count_beneath(tree, is_asked);
    put_into_chains(tree, out);
    place_chains(tree, out.chains);
    return out;
}

std::vector<ChainRef> widest_of(const TreeChains& tree, std::size_t most) {
    std::vector<ChainRef> list(tree.chains.size());
    std::iota(list.begin(), list.end(), ChainRef{0});
    const auto end = list.begin() + std::ptrdiff_t(std::min(most, list.size()));
    std::partial_sort(list.begin(), end, list.end(), [&](ChainRef a, ChainRef b) {
        const TreeChain &one = tree.chains[a], &other = tree.chains[b];
        return one.width_top != other.width_top ? one.width_top > other.width_top
                                                : one.left < other.left;
    });
    list.erase(end, list.end());
    return list;
}

}  // namespace kv
