#include "core/attach/picture/texels.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace kv {
namespace {

// A block by a moment and by where it stands in the order of the tree.
struct Dated {
    std::uint64_t moment = 0;
    std::uint32_t place = 0;
};

// The moment as a number that is the larger, the earlier the moment was.
std::uint64_t latest_first(double moment_s) {
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
    moment_s += 0.0;  // there is but one zero
    std::uint64_t bits = 0;
    std::memcpy(&bits, &moment_s, sizeof bits);
    return (bits & kSign) != 0 ? bits : ~(bits | kSign);
}

// Digit by digit, so that blocks of the same moment stay as they stood: of a million moments a
// comparison would take several times as long. Digits in which all agree, most of them, are passed.
void sort_by_moment(std::vector<Dated>& list) {
    constexpr unsigned kDigitBits = 11;
    constexpr std::uint64_t kDigit = (1U << kDigitBits) - 1;
    std::uint64_t differing = 0;
    for (const Dated& one : list) differing |= one.moment ^ list.front().moment;
    std::vector<Dated> sorted(list.size());
    for (unsigned shift = 0; shift < 64; shift += kDigitBits) {
        if ((differing >> shift & kDigit) == 0) continue;
        std::array<std::size_t, kDigit + 2> begin{};
        for (const Dated& one : list) ++begin[(one.moment >> shift & kDigit) + 1];
        for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
        for (const Dated& one : list) sorted[begin[one.moment >> shift & kDigit]++] = one;
        list.swap(sorted);
    }
}

// A chain without a number has that of the chain above it. Parents stand before their children.
void inherit_plates(const TreeChains& tree, std::vector<std::uint32_t>& plates) {
    for (std::size_t i = 0; i < plates.size(); ++i)
        if (plates[i] == 0 && tree.chains[i].parent != kNoChain)
            plates[i] = plates[tree.chains[i].parent];
}

std::uint32_t place_in_tree(const TreeChains& tree, const CachedBlock& block) {
    return static_cast<std::uint32_t>(tree.chains[block.chain].before + block.place);
}

// What a texel shows of a block.
struct Shown {
    double used_s = 0;
    ChainRef chain = kNoChain;
};

// `add` gets the place of each block, and what is shown of it.
template <class Add>
void add_by_tree(const TreeChains& tree, const Add& add) {
    for (const CachedBlock& block : tree.cached)
        add(place_in_tree(tree, block), Shown{block.used_s, block.chain});
}

// The same by last use or by storing, the latest first; of the same moment as in the tree.
template <class Add>
void add_by_moment(const Tank& tank, const TreeChains& tree, PoolOrder order, const Add& add) {
    const std::size_t n = tree.cached.size();
    std::vector<Shown> shown(n);
    std::vector<Dated> dated(n);
    for (const CachedBlock& block : tree.cached) {
        const std::uint32_t place = place_in_tree(tree, block);
        const double moment_s =
            order == PoolOrder::LastUse ? block.used_s : tank.tree().at(block.block).stored_s;
        shown[place] = {block.used_s, block.chain};
        dated[place] = {latest_first(moment_s), place};
    }
    sort_by_moment(dated);
    for (std::size_t i = 0; i < n; ++i) add(static_cast<std::uint32_t>(i), shown[dated[i].place]);
}

}  // namespace

void add_texels(const Tank& tank, const TreeChains& tree, std::vector<std::uint32_t> plates,
                const PictureAsk& ask, TankPool& out) {
    inherit_plates(tree, plates);
    const std::size_t n = tree.cached.size();
    const std::uint64_t most = std::max<std::uint64_t>(ask.most_texels, 1);
    out.blocks_per_texel = std::max<std::uint64_t>(1, (n + most - 1) / most);
    const auto blocks = static_cast<std::uint32_t>(out.blocks_per_texel);
    out.texels.assign((n + blocks - 1) / blocks,
                      {.age_s = std::numeric_limits<float>::max(), .plate = 0});
    // A texel is as young as the youngest of its blocks, and has the number of the first.
    const auto add = [&](std::uint32_t place, const Shown& block) {
        PoolTexel& texel = out.texels[place / blocks];
        texel.age_s = std::min(texel.age_s, tank.age_s(block.used_s));
        if (place % blocks == 0) texel.plate = plates[block.chain];
    };
    if (ask.order == PoolOrder::Prefix)
        add_by_tree(tree, add);
    else
        add_by_moment(tank, tree, ask.order, add);
}

}  // namespace kv
