#include "core/attach/picture/tank_picture.hpp"

#include <algorithm>
#include <limits>

#include "core/attach/picture/chains.hpp"
#include "core/attach/picture/labels.hpp"
#include "core/attach/picture/order.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostPlates = 6;
constexpr std::size_t kTokensOfRow = 48, kTokensOfBar = 12;

bool asked_for(const PictureAsk& ask, std::int64_t rank) {
    return ask.ranks.empty() ||
           std::find(ask.ranks.begin(), ask.ranks.end(), rank) != ask.ranks.end();
}

std::vector<ShelfRef> shelves_asked_for(const Tank& tank, const PictureAsk& ask) {
    std::vector<ShelfRef> list;
    for (std::size_t place = 0; place < tank.shelves().size(); ++place) {
        const ShelfName& name = tank.shelves()[place].name;
        if (asked_for(ask, name.rank) && name.group == ask.group.value_or(name.group) &&
            name.medium == ask.medium)
            list.push_back(static_cast<ShelfRef>(place));
    }
    return list;
}

float age(const Tank& tank, double moment_s) {
    return static_cast<float>(std::max(0.0, tank.now_s() - moment_s));
}

// The first tokens of a chain, where they are kept.
std::vector<std::uint32_t> first_tokens(const BlockTree& tree, const TreeOrder& order,
                                        const TreeChain& chain, std::size_t most) {
    std::vector<std::uint32_t> out;
    std::vector<BlockRef> children;
    for (BlockRef at = chain.first; out.size() < most;) {
        const auto& ids = tree.tokens(at);
        const std::size_t n = std::min(ids.size(), most - out.size());
        out.insert(out.end(), ids.begin(), ids.begin() + std::ptrdiff_t(n));
        if (ids.empty() || at == chain.last) break;
        order.children(tree, at, children);
        if (children.empty()) break;
        at = children.front();
    }
    return out;
}

TankPrefixRow row_of(const Tank& tank, const TreeOrder& order, const TreeChain& chain) {
    const BlockTree& tree = tank.tree();
    const TankBlock& last = tree.at(chain.last);
    const ShelfName& name = tank.shelves()[last.shelf].name;
    return {.hash = tree.hash(chain.last),
            .rank = name.rank,
            .group = name.group,
            .tokens = chain.to_token - chain.from_token,
            .from_start = chain.to_token,
            .hits = order.hits[chain.last],
            .blocks_beneath = order.beneath[chain.first],
            .again = chain.again,
            .last_use_s = age(tank, order.used_s[chain.first]),
            .token_ids = first_tokens(tree, order, chain, kTokensOfRow)};
}

// The chains with the most of something first; equal ones as they stand in the tree.
template <class Measure>
std::vector<std::size_t> most_first(const std::vector<TreeChain>& chains, std::size_t most,
                                    const Measure& measure) {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < chains.size(); ++i)
        if (measure(chains[i]) > 0) list.push_back(i);
    std::stable_sort(list.begin(), list.end(), [&](std::size_t a, std::size_t b) {
        return measure(chains[a]) > measure(chains[b]);
    });
    if (list.size() > most) list.resize(most);
    return list;
}

// By chain, from 1 for the hottest.
std::vector<std::uint32_t> add_rows(const Tank& tank, const PictureAsk& ask, const TreeOrder& order,
                                    const std::vector<TreeChain>& chains, TankPicture& out) {
    std::vector<std::uint32_t> plates(chains.size(), 0);
    const auto hottest = most_first(chains, ask.most_rows,
                                    [&](const TreeChain& chain) { return order.hits[chain.last]; });
    for (const std::size_t i : hottest) {
        out.hottest.push_back(row_of(tank, order, chains[i]));
        if (out.hottest.size() > kMostPlates) continue;
        plates[i] = out.hottest.back().plate = static_cast<std::uint32_t>(out.hottest.size());
    }
    for (const TreeChain& chain : chains) {
        const bool chosen = ask.selected && tank.tree().hash(chain.last) == *ask.selected;
        const bool there = std::any_of(out.hottest.begin(), out.hottest.end(), [&](const auto& r) {
            return ask.selected && r.hash == *ask.selected;
        });
        if (chosen && !there) out.hottest.push_back(row_of(tank, order, chain));
    }
    for (const std::size_t i :
         most_first(chains, ask.most_rows, [](const TreeChain& chain) { return chain.again; })) {
        out.lost.push_back(row_of(tank, order, chains[i]));
        out.lost.back().plate = plates[i];
    }
    return plates;
}

void add_bars(const Tank& tank, const TreeOrder& order, const TreeChains& chains,
              const std::vector<std::uint32_t>& plates, TankTree& out) {
    for (std::size_t i = 0; i < chains.chains.size(); ++i) {
        const TreeChain& chain = chains.chains[i];
        out.bars.push_back({.left = chain.left,
                            .width_top = order.beneath[chain.first],
                            .width_bottom = order.beneath[chain.last],
                            .from_token = chain.from_token,
                            .to_token = chain.to_token,
                            .age_s = age(tank, order.used_s[chain.first]),
                            .plate = plates[i],
                            .rootless = tank.tree().at(chain.first).rootless,
                            .token_ids = first_tokens(tank.tree(), order, chain, kTokensOfBar)});
        out.depth = std::max(out.depth, chain.to_token);
    }
    for (const BlockRef root : order.roots) out.width += order.beneath[root];
    out.left_out = chains.left_out;
}

// By BlockRef: the plate of the nearest chain above that has one.
std::vector<std::uint32_t> plates_of_blocks(const Tank& tank, const TreeOrder& order,
                                            const TreeChains& chains,
                                            const std::vector<std::uint32_t>& plates) {
    std::vector<std::uint32_t> out(tank.tree().places(), 0);
    for (std::size_t i = 0; i < plates.size(); ++i)
        if (plates[i] > 0) out[chains.chains[i].first] = plates[i];
    for (const BlockRef block : order.preorder) {
        const BlockRef parent = tank.tree().at(block).parent;
        if (out[block] == 0 && parent != kNoBlock) out[block] = out[parent];
    }
    return out;
}

std::vector<BlockRef> cached_in_order(const Tank& tank, const TreeOrder& order, PoolOrder by) {
    std::vector<BlockRef> blocks;
    for (const BlockRef block : order.preorder)
        if (tank.tree().at(block).cached()) blocks.push_back(block);
    const auto newest_first = [&](double TankBlock::*moment) {
        std::stable_sort(blocks.begin(), blocks.end(), [&](BlockRef a, BlockRef b) {
            return tank.tree().at(a).*moment > tank.tree().at(b).*moment;
        });
    };
    if (by == PoolOrder::LastUse) newest_first(&TankBlock::used_s);
    if (by == PoolOrder::Stored) newest_first(&TankBlock::stored_s);
    return blocks;
}

void add_texels(const Tank& tank, const PictureAsk& ask, const std::vector<BlockRef>& blocks,
                const std::vector<std::uint32_t>& plates, TankPool& out) {
    const std::uint64_t most = std::max<std::uint64_t>(ask.most_texels, 1);
    out.blocks_per_texel = std::max<std::uint64_t>(1, (blocks.size() + most - 1) / most);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const TankBlock& b = tank.tree().at(blocks[i]);
        const PoolTexel texel{age(tank, b.used_s), plates[blocks[i]]};
        if (i % out.blocks_per_texel == 0) {
            out.texels.push_back(texel);
        } else if (texel.age_s < out.texels.back().age_s) {
            out.texels.back().age_s = texel.age_s;
        }
    }
}

// The rates of several ranks side by side in one row of bars.
std::vector<RateBin> rates_of(const Tank& tank, const PictureAsk& ask) {
    std::map<std::int64_t, RateBin> bins;
    for (const auto& [number, rank] : tank.ranks()) {
        if (!asked_for(ask, number)) continue;
        for (const RateBin& bin : rank.rates) {
            RateBin& sum = bins[bin.number];
            sum.number = bin.number;
            sum.stored += bin.stored;
            sum.removed += bin.removed;
            sum.tokens_again += bin.tokens_again;
        }
    }
    std::vector<RateBin> out;
    out.reserve(bins.size());
    for (const auto& [number, bin] : bins) out.push_back(bin);
    return out;
}

void add_counts(const Tank& tank, const PictureAsk& ask, std::optional<std::uint64_t> pool_blocks,
                TankPicture& out) {
    for (const auto& [number, rank] : tank.ranks()) {
        RankCard card{.rank = rank,
                      .usage = server_usage_of(tank.newest_samples().samples, number),
                      .pool = pool_blocks};
        if (!card.pool) card.pool = server_pool_of(tank.newest_samples().samples, number);
        card.rank.rates.clear();
        for (const Shelf& shelf : tank.shelves())
            if (shelf.name.rank == number && shelf.name.medium == ask.medium)
                card.cached += shelf.blocks;
        out.ranks.push_back(std::move(card));
        if (!asked_for(ask, number)) continue;
        out.lifetimes.add(rank.lifetimes);
        out.idle.add(rank.idle);
        out.found.add(rank.found);
        out.too_late.add(rank.too_late);
        out.unknown_events += rank.unknown_events;
        out.passed_over += rank.passed_over;
        out.exact = out.exact && rank.exact();
    }
    for (const Shelf& shelf : tank.shelves()) {
        const auto card = std::find_if(out.ranks.begin(), out.ranks.end(), [&](const RankCard& c) {
            return c.rank.rank == shelf.name.rank;
        });
        const std::uint64_t pool = card == out.ranks.end() ? 0 : card->pool.value_or(shelf.blocks);
        const bool on_device = shelf.name.medium == ask.medium;
        out.shelves.push_back({shelf, on_device && pool > shelf.blocks ? pool - shelf.blocks : 0});
    }
}

}  // namespace

TankPicture tank_picture_of(const Tank& tank, const PictureAsk& ask,
                            std::optional<std::uint64_t> pool_blocks) {
    TankPicture out{.now_s = tank.now_s(),
                    .start_s = tank.start_s(),
                    .samples_s = tank.newest_samples().time_s};
    const std::vector<ShelfRef> shelves = shelves_asked_for(tank, ask);
    const TreeOrder order = tree_order_of(tank.tree(), shelves);
    const TreeChains chains = chains_of(tank.tree(), order, ask.most_bars);
    const auto plates = add_rows(tank, ask, order, chains.chains, out);
    add_bars(tank, order, chains, plates, out.tree);
    add_texels(tank, ask, cached_in_order(tank, order, ask.order),
               plates_of_blocks(tank, order, chains, plates), out.pool);
    for (const ShelfRef shelf : shelves) {
        out.pool.blocks += tank.shelves()[shelf].blocks;
        out.pool.tokens += tank.shelves()[shelf].tokens;
    }
    out.rates = rates_of(tank, ask);
    add_counts(tank, ask, pool_blocks, out);
    out.marks.assign(tank.marks().begin(), tank.marks().end());
    out.log.assign(tank.log().rbegin(), tank.log().rend());
    for (const auto& [key, track] : tank.tracks()) out.tracks.push_back(track);
    out.memory_bytes = tank.memory_bytes();
    out.forgotten_blocks = tank.tree().forgotten();
    return out;
}

}  // namespace kv
