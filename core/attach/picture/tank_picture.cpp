#include "core/attach/picture/tank_picture.hpp"

#include <algorithm>
#include <map>

#include "core/attach/picture/chains.hpp"
#include "core/attach/picture/labels.hpp"
#include "core/attach/picture/texels.hpp"

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

// The first tokens of a chain, where they are kept.
std::vector<std::uint32_t> first_tokens(const BlockTree& tree, const TreeChains& chains,
                                        const TreeChain& chain, std::size_t most) {
    std::vector<std::uint32_t> out;
    for (BlockRef at = chain.first; out.size() < most;) {
        const auto& ids = tree.tokens(at);
        const std::size_t n = std::min(ids.size(), most - out.size());
        out.insert(out.end(), ids.begin(), ids.begin() + std::ptrdiff_t(n));
        if (ids.empty() || at == chain.last) break;
        at = tree.at(at).first_child;
        while (chains.beneath[at].cached == 0) at = tree.at(at).next;
    }
    return out;
}

TankPrefixRow row_of(const Tank& tank, const TreeChains& chains, ChainRef ref) {
    const TreeChain& chain = chains.chains[ref];
    const ShelfName& name = tank.shelves()[tank.tree().at(chain.last).shelf].name;
    return {.hash = tank.tree().hash(chain.last),
            .rank = name.rank,
            .group = name.group,
            .tokens = chain.to_token - chain.from_token,
            .from_start = chain.to_token,
            .hits = chain.hits,
            .blocks_beneath = chain.width_top,
            .again = chain.again,
            .last_use_s = tank.age_s(chain.used_s),
            .token_ids = first_tokens(tank.tree(), chains, chain, kTokensOfRow)};
}

// The chains with the most of something first; equal ones as they stand in the list.
std::vector<ChainRef> most_first(const TreeChains& chains, std::vector<ChainRef> list,
                                 std::size_t most, std::uint64_t TreeChain::*measure) {
    const auto of = [&](ChainRef chain) { return chains.chains[chain].*measure; };
    list.erase(std::remove_if(list.begin(), list.end(), [&](ChainRef c) { return of(c) == 0; }),
               list.end());
    std::stable_sort(list.begin(), list.end(),
                     [&](ChainRef a, ChainRef b) { return of(a) > of(b); });
    if (list.size() > most) list.resize(most);
    return list;
}

// By chain, from 1 for the hottest.
std::vector<std::uint32_t> add_rows(const Tank& tank, const PictureAsk& ask,
                                    const TreeChains& chains, const std::vector<ChainRef>& drawn,
                                    TankPicture& out) {
    std::vector<std::uint32_t> plates(chains.chains.size(), 0);
    for (const ChainRef chain : most_first(chains, drawn, ask.most_rows, &TreeChain::hits)) {
        out.hottest.push_back(row_of(tank, chains, chain));
        if (out.hottest.size() > kMostPlates) continue;
        plates[chain] = out.hottest.back().plate = static_cast<std::uint32_t>(out.hottest.size());
    }
    const auto has_row = [&](const ServerHash& hash) {
        return std::any_of(out.hottest.begin(), out.hottest.end(),
                           [&](const TankPrefixRow& row) { return row.hash == hash; });
    };
    if (ask.selected && !has_row(*ask.selected)) {
        const auto chosen = std::find_if(drawn.begin(), drawn.end(), [&](ChainRef chain) {
            return tank.tree().hash(chains.chains[chain].last) == *ask.selected;
        });
        if (chosen != drawn.end()) out.hottest.push_back(row_of(tank, chains, *chosen));
    }
    for (const ChainRef chain : most_first(chains, drawn, ask.most_rows, &TreeChain::again)) {
        out.lost.push_back(row_of(tank, chains, chain));
        out.lost.back().plate = plates[chain];
    }
    return plates;
}

void add_bars(const Tank& tank, const TreeChains& chains, const std::vector<ChainRef>& drawn,
              const std::vector<std::uint32_t>& plates, TankTree& out) {
    out.width = out.left_out = chains.cached.size();
    for (const ChainRef ref : drawn) {
        const TreeChain& chain = chains.chains[ref];
        out.bars.push_back({.left = chain.left,
                            .width_top = chain.width_top,
                            .width_bottom = chain.width_bottom,
                            .from_token = chain.from_token,
                            .to_token = chain.to_token,
                            .age_s = tank.age_s(chain.used_s),
                            .plate = plates[ref],
                            .rootless = tank.tree().at(chain.first).rootless,
                            .token_ids = first_tokens(tank.tree(), chains, chain, kTokensOfBar)});
        out.depth = std::max(out.depth, chain.to_token);
        out.left_out -= chain.cached;
    }
}

// What has no bar of its own: the children of each bar together. The widest siblings stand left, so
// those that are left have nobody between them. Their age is the mean: the newest one would make
// many old ones look new.
void add_crowds(const Tank& tank, const TreeChains& chains, const std::vector<ChainRef>& drawn,
                TankTree& out) {
    struct Crowd {
        TreeBar bar;
        double ages_s = 0;
    };
    std::vector<bool> is_drawn(chains.chains.size());
    for (const ChainRef chain : drawn) is_drawn[chain] = true;
    std::map<ChainRef, Crowd> crowds;  // by parent
    for (std::size_t i = 0; i < chains.chains.size(); ++i) {
        const TreeChain& chain = chains.chains[i];
        if (is_drawn[i] || (chain.parent != kNoChain && !is_drawn[chain.parent])) continue;
        const auto [found, is_new] = crowds.try_emplace(chain.parent);
        TreeBar& bar = found->second.bar;
        if (is_new) bar.left = chain.left, bar.from_token = chain.from_token, bar.chains = 0;
        bar.left = std::min(bar.left, chain.left);
        bar.width_top += chain.width_top, bar.width_bottom += chain.width_bottom;
        bar.to_token = std::max(bar.to_token, chain.to_token);
        found->second.ages_s += tank.age_s(chain.used_s);
        ++bar.chains;
    }
    const auto n_drawn = std::ptrdiff_t(out.bars.size());
    for (auto& [parent, crowd] : crowds) {
        crowd.bar.age_s = static_cast<float>(crowd.ages_s / static_cast<double>(crowd.bar.chains));
        out.depth = std::max(out.depth, crowd.bar.to_token);
        out.bars.push_back(std::move(crowd.bar));
    }
    std::sort(out.bars.begin() + n_drawn, out.bars.end(), [](const TreeBar& a, const TreeBar& b) {
        return a.from_token != b.from_token ? a.from_token < b.from_token : a.left < b.left;
    });
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
    TankPicture out;
    out.now_s = tank.now_s(), out.start_s = tank.start_s();
    out.samples_s = tank.newest_samples().time_s;
    const std::vector<ShelfRef> shelves = shelves_asked_for(tank, ask);
    const TreeChains chains = chains_of(tank.tree(), shelves);
    const std::vector<ChainRef> drawn = widest_of(chains, ask.most_bars);
    const auto plates = add_rows(tank, ask, chains, drawn, out);
    add_bars(tank, chains, drawn, plates, out.tree);
    add_crowds(tank, chains, drawn, out.tree);
    add_texels(tank, chains, plates, ask, out.pool);
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

TankPicture::TankPicture() = default;
TankPicture::TankPicture(const TankPicture&) = default;
TankPicture::TankPicture(TankPicture&&) noexcept = default;
TankPicture& TankPicture::operator=(const TankPicture&) = default;
TankPicture& TankPicture::operator=(TankPicture&&) noexcept = default;
TankPicture::~TankPicture() = default;

}  // namespace kv
