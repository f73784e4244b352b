#include "tests/attach/slow_picture.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace kv::test {
namespace {

// A chain that was not followed yet.
struct Start {
    BlockRef first;
    std::uint64_t left, from_token;
};

// Blocks without a branch between them.
struct Chain {
    std::vector<BlockRef> blocks;
    std::uint64_t left = 0, from_token = 0, to_token = 0, again = 0;
    std::uint32_t plate = 0;
};

class SlowTree {
public:
    SlowTree(const Tank& tank, const PictureAsk& ask) : tank_(tank), ask_(ask) {
        for (ShelfRef shelf = 0; shelf < tank.shelves().size(); ++shelf)
            if (is_asked(tank.shelves()[shelf].name))
                for (BlockRef at = tree().first_root(shelf); at != kNoBlock;
                     at = tree().at(at).next)
                    if (cached(at) > 0) roots_.push_back(at);
        sort_largest_first(roots_);
    }

    TankPicture picture() {
        TankPicture out;
        follow_widest(out.tree.left_out);
        add_rows(out);
        for (const BlockRef root : roots_) out.tree.width += cached(root);
        for (const Chain& chain : chains_) {
            out.tree.bars.push_back({.left = chain.left,
                                     .width_top = cached(chain.blocks.front()),
                                     .width_bottom = cached(chain.blocks.back()),
                                     .from_token = chain.from_token,
                                     .to_token = chain.to_token,
                                     .age_s = age(used_s(chain.blocks.front())),
                                     .plate = chain.plate,
                                     .rootless = tree().at(chain.blocks.front()).rootless,
                                     .token_ids = first_tokens(chain, 12)});
            out.tree.depth = std::max(out.tree.depth, chain.to_token);
        }
        add_crowds(out.tree);
        add_texels(out.pool);
        return out;
    }

private:
    const BlockTree& tree() const { return tank_.tree(); }
    bool is_asked(const ShelfName& name) const {
        const bool rank =
            ask_.ranks.empty() || std::count(ask_.ranks.begin(), ask_.ranks.end(), name.rank) > 0;
        return rank && name.group == ask_.group.value_or(name.group) && name.medium == ask_.medium;
    }
    float age(double moment_s) const {
        return static_cast<float>(std::max(0.0, tank_.now_s() - moment_s));
    }
    std::vector<BlockRef> all_children(BlockRef block) const {
        std::vector<BlockRef> list;
        for (BlockRef at = tree().at(block).first_child; at != kNoBlock; at = tree().at(at).next)
            list.push_back(at);
        return list;
    }
    // Of a block and all after it.
    std::uint64_t cached(BlockRef block) const {
        std::uint64_t sum = tree().at(block).cached() ? 1 : 0;
        for (const BlockRef child : all_children(block)) sum += cached(child);
        return sum;
    }
    std::uint64_t hits(BlockRef block) const {
        std::uint64_t sum = tree().at(block).hits;
        for (const BlockRef child : all_children(block)) sum += hits(child);
        return sum;
    }
    double used_s(BlockRef block) const {
        double newest = tree().at(block).used_s;
        for (const BlockRef child : all_children(block)) newest = std::max(newest, used_s(child));
        return newest;
    }
    void sort_largest_first(std::vector<BlockRef>& list) const {
        std::sort(list.begin(), list.end(), [&](BlockRef a, BlockRef b) {
            if (cached(a) != cached(b)) return cached(a) > cached(b);
            if (tree().at(a).stored_s != tree().at(b).stored_s)
                return tree().at(a).stored_s < tree().at(b).stored_s;
            if (tree().hash(a) != tree().hash(b)) return tree().hash(a) < tree().hash(b);
            return tree().at(a).shelf < tree().at(b).shelf;
        });
    }
    // Those with a cached block, the largest first.
    std::vector<BlockRef> children(BlockRef block) const {
        std::vector<BlockRef> list = all_children(block);
        list.erase(std::remove_if(list.begin(), list.end(),
                                  [&](BlockRef child) { return cached(child) == 0; }),
                   list.end());
        sort_largest_first(list);
        return list;
    }

    // Always the widest one that has not been followed; of the same width the one that stands left.
    void follow_widest(std::uint64_t& left_out) {
        std::vector<Start> open;
        const auto add_all = [&](const std::vector<BlockRef>& list, std::uint64_t left,
                                 std::uint64_t from_token) {
            for (const BlockRef block : list) {
                open.push_back({block, left, from_token});
                left += cached(block);
            }
        };
        add_all(roots_, 0, 0);
        while (!open.empty() && chains_.size() < ask_.most_bars) {
            const auto widest =
                std::min_element(open.begin(), open.end(), [&](const Start& a, const Start& b) {
                    const std::uint64_t one = cached(a.first), other = cached(b.first);
                    return one != other ? one > other : a.left < b.left;
                });
            const Start start = *widest;
            open.erase(widest);
            Chain chain{{start.first}, start.left, start.from_token, start.from_token};
            std::vector<BlockRef> next;
            for (;;) {
                const TankBlock& b = tree().at(chain.blocks.back());
                chain.to_token += b.tokens;
                chain.again += b.again;
                next = children(chain.blocks.back());
                if (next.size() != 1) break;
                chain.blocks.push_back(next.front());
            }
            add_all(next, chain.left, chain.to_token);
            chains_.push_back(std::move(chain));
        }
        for (const Start& start : open) left_out += cached(start.first);
        left_ = std::move(open);
    }

    // What was not followed, by where it begins: siblings begin at the end of the same parent.
    void add_crowds(TankTree& out) const {
        std::map<std::pair<std::uint64_t, BlockRef>, std::vector<Start>> families;
        for (const Start& start : left_)
            families[{start.from_token, tree().at(start.first).parent}].push_back(start);
        std::vector<TreeBar> crowds;
        for (const auto& [key, family] : families) {
            TreeBar bar{.left = ~std::uint64_t{0}, .from_token = key.first};
            bar.chains = family.size();
            double ages_s = 0;
            for (const Start& start : family) {
                BlockRef last = start.first;
                std::uint64_t to_token = start.from_token + tree().at(last).tokens;
                for (auto next = children(last); next.size() == 1; next = children(last)) {
                    last = next.front();
                    to_token += tree().at(last).tokens;
                }
                bar.left = std::min(bar.left, start.left);
                bar.width_top += cached(start.first), bar.width_bottom += cached(last);
                bar.to_token = std::max(bar.to_token, to_token);
                ages_s += age(used_s(start.first));
            }
            bar.age_s = static_cast<float>(ages_s / static_cast<double>(family.size()));
            out.depth = std::max(out.depth, bar.to_token);
            crowds.push_back(bar);
        }
        std::sort(crowds.begin(), crowds.end(), [](const TreeBar& a, const TreeBar& b) {
            return std::pair(a.from_token, a.left) < std::pair(b.from_token, b.left);
        });
        out.bars.insert(out.bars.end(), crowds.begin(), crowds.end());
    }

    std::vector<std::uint32_t> first_tokens(const Chain& chain, std::size_t most) const {
        std::vector<std::uint32_t> out;
        for (const BlockRef block : chain.blocks) {
            if (tree().tokens(block).empty()) break;
            for (const std::uint32_t id : tree().tokens(block))
                if (out.size() < most) out.push_back(id);
        }
        return out;
    }
    TankPrefixRow row_of(const Chain& chain) const {
        const BlockRef last = chain.blocks.back(), first = chain.blocks.front();
        const ShelfName& name = tank_.shelves()[tree().at(last).shelf].name;
        return {.plate = chain.plate,
                .hash = tree().hash(last),
                .rank = name.rank,
                .group = name.group,
                .tokens = chain.to_token - chain.from_token,
                .from_start = chain.to_token,
                .hits = hits(last),
                .blocks_beneath = cached(first),
                .again = chain.again,
                .last_use_s = age(used_s(first)),
                .token_ids = first_tokens(chain, 48)};
    }
    void add_rows(TankPicture& out) {
        const auto most_first = [&](const std::function<std::uint64_t(const Chain&)>& measure) {
            std::vector<Chain*> list;
            for (Chain& chain : chains_)
                if (measure(chain) > 0) list.push_back(&chain);
            std::stable_sort(list.begin(), list.end(), [&](const Chain* a, const Chain* b) {
                return measure(*a) > measure(*b);
            });
            list.resize(std::min<std::size_t>(list.size(), ask_.most_rows));
            return list;
        };
        std::uint32_t plate = 0;
        for (Chain* chain : most_first([&](const Chain& c) { return hits(c.blocks.back()); })) {
            if (plate < 6) chain->plate = ++plate;
            out.hottest.push_back(row_of(*chain));
        }
        for (const Chain* chain : most_first([](const Chain& c) { return c.again; }))
            out.lost.push_back(row_of(*chain));
        for (const Chain& chain : chains_) {
            const bool there =
                std::any_of(out.hottest.begin(), out.hottest.end(),
                            [&](const auto& row) { return row.hash == ask_.selected; });
            if (tree().hash(chain.blocks.back()) == ask_.selected && !there)
                out.hottest.push_back(row_of(chain));
        }
    }

    struct Place {
        BlockRef block;
        std::uint32_t plate;
    };
    void add_places(std::vector<Place>& out, BlockRef block, std::uint32_t plate) const {
        for (const Chain& chain : chains_)
            if (chain.blocks.front() == block && chain.plate > 0) plate = chain.plate;
        if (tree().at(block).cached()) out.push_back({block, plate});
        for (const BlockRef child : children(block)) add_places(out, child, plate);
    }
    void add_texels(TankPool& out) const {
        std::vector<Place> places;
        for (const BlockRef root : roots_) add_places(places, root, 0);
        const auto newest_first = [&](double TankBlock::*moment) {
            std::stable_sort(places.begin(), places.end(), [&](const Place& a, const Place& b) {
                return tree().at(a.block).*moment > tree().at(b.block).*moment;
            });
        };
        if (ask_.order == PoolOrder::LastUse) newest_first(&TankBlock::used_s);
        if (ask_.order == PoolOrder::Stored) newest_first(&TankBlock::stored_s);
        const std::size_t most = std::max<std::size_t>(ask_.most_texels, 1);
        out.blocks_per_texel = std::max<std::size_t>(1, (places.size() + most - 1) / most);
        for (std::size_t i = 0; i < places.size(); ++i) {
            const float own = age(tree().at(places[i].block).used_s);
            if (i % out.blocks_per_texel == 0) out.texels.push_back({own, places[i].plate});
            out.texels.back().age_s = std::min(out.texels.back().age_s, own);
        }
    }

    const Tank& tank_;
    const PictureAsk& ask_;
    std::vector<BlockRef> roots_;
    std::vector<Chain> chains_;
    std::vector<Start> left_;  // when there were bars enough
};

}  // namespace

TankPicture slow_picture(const Tank& tank, const PictureAsk& ask) {
    return SlowTree(tank, ask).picture();
}

}  // namespace kv::test
