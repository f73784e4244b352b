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

struct Placed {
    double used_s = 0;
    ChainRef chain = kNoChain;
};

}  // namespace

void add_texels(const Tank& tank, const TreeChains& tree, std::vector<std::uint32_t> plates,
                const PictureAsk& ask, TankPool& out) {
    for (std::size_t i = 0; i < plates.size(); ++i)
        if (plates[i] == 0 && tree.chains[i].parent != kNoChain)
            plates[i] = plates[tree.chains[i].parent];

    const std::size_t n = tree.cached.size();
    const std::uint64_t most = std::max<std::uint64_t>(ask.most_texels, 1);
    out.blocks_per_texel = std::max<std::uint64_t>(1, (n + most - 1) / most);
    const auto blocks = static_cast<std::uint32_t>(out.blocks_per_texel);
    out.texels.assign((n + blocks - 1) / blocks, {std::numeric_limits<float>::max(), 0});
    const auto add = [&](std::uint32_t place, double used_s, ChainRef chain) {
        PoolTexel& texel = out.texels[place / blocks];
        texel.age_s = std::min(texel.age_s, tank.age_s(used_s));
        if (place % blocks == 0) texel.plate = plates[chain];
    };
    const auto place_of = [&](const CachedBlock& block) {
        return static_cast<std::uint32_t>(tree.chains[block.chain].before + block.place);
    };
    if (ask.order == PoolOrder::Prefix) {
        for (const CachedBlock& block : tree.cached)
            add(place_of(block), block.used_s, block.chain);
        return;
    }
    std::vector<Placed> placed(n);
    std::vector<Dated> dated(n);
    for (const CachedBlock& block : tree.cached) {
        const std::uint32_t place = place_of(block);
        const double moment_s =
            ask.order == PoolOrder::LastUse ? block.used_s : tank.tree().at(block.block).stored_s;
        placed[place] = {block.used_s, block.chain};
        dated[place] = {latest_first(moment_s), place};
    }
    sort_by_moment(dated);
    for (std::size_t i = 0; i < n; ++i) {
        const Placed& block = placed[dated[i].place];
        add(static_cast<std::uint32_t>(i), block.used_s, block.chain);
    }
}

}  // namespace kv
