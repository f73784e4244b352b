#include "core/attach/picture/order.hpp"

#include <algorithm>

namespace kv {
namespace {

// Siblings of the same size stand in the order in which they were stored.
void sort_largest_first(std::vector<BlockRef>& blocks, const TreeOrder& order,
                        const BlockTree& tree) {
    if (blocks.size() < 2) return;
    std::sort(blocks.begin(), blocks.end(), [&](BlockRef a, BlockRef b) {
        if (order.beneath[a] != order.beneath[b]) return order.beneath[a] > order.beneath[b];
        if (tree.at(a).stored_s != tree.at(b).stored_s)
            return tree.at(a).stored_s < tree.at(b).stored_s;
        return tree.hash(a) < tree.hash(b);
    });
}

std::vector<BlockRef> siblings(const BlockTree& tree, BlockRef first) {
    std::vector<BlockRef> list;
    for (BlockRef at = first; at != kNoBlock; at = tree.at(at).next) list.push_back(at);
    return list;
}

// Everything, in some order that has parents before children.
std::vector<BlockRef> downwards(const BlockTree& tree, const std::vector<BlockRef>& roots) {
    std::vector<BlockRef> order = roots;
    // NOLINTNEXTLINE(modernize-loop-convert): the list grows meanwhile
    for (std::size_t i = 0; i < order.size(); ++i)
        for (BlockRef at = tree.at(order[i]).first_child; at != kNoBlock; at = tree.at(at).next)
            order.push_back(at);
    return order;
}

void add_up(TreeOrder& order, const BlockTree& tree, const std::vector<BlockRef>& all) {
    order.beneath.assign(tree.places(), 0);
    order.hits.assign(tree.places(), 0);
    order.used_s.assign(tree.places(), 0);
    for (const BlockRef block : all) {
        const TankBlock& b = tree.at(block);
        order.beneath[block] = b.cached() ? 1 : 0;
        order.hits[block] = b.hits;
        order.used_s[block] = b.used_s;
    }
    for (auto at = all.rbegin(); at != all.rend(); ++at) {
        const BlockRef parent = tree.at(*at).parent;
        if (parent == kNoBlock) continue;
        order.beneath[parent] += order.beneath[*at];
        order.hits[parent] += order.hits[*at];
        order.used_s[parent] = std::max(order.used_s[parent], order.used_s[*at]);
    }
}

}  // namespace

void TreeOrder::children(const BlockTree& tree, BlockRef block, std::vector<BlockRef>& out) const {
    out.clear();
    for (BlockRef at = tree.at(block).first_child; at != kNoBlock; at = tree.at(at).next)
        if (beneath[at] > 0) out.push_back(at);
    sort_largest_first(out, *this, tree);
}

TreeOrder tree_order_of(const BlockTree& tree, const std::vector<ShelfRef>& shelves) {
    TreeOrder order;
    for (const ShelfRef shelf : shelves) {
        const std::vector<BlockRef> of_shelf = siblings(tree, tree.first_root(shelf));
        order.roots.insert(order.roots.end(), of_shelf.begin(), of_shelf.end());
    }
    add_up(order, tree, downwards(tree, order.roots));
    order.roots.erase(std::remove_if(order.roots.begin(), order.roots.end(),
                                     [&](BlockRef root) { return order.beneath[root] == 0; }),
                      order.roots.end());
    sort_largest_first(order.roots, order, tree);

    std::vector<BlockRef> open(order.roots.rbegin(), order.roots.rend());
    std::vector<BlockRef> list;
    while (!open.empty()) {
        const BlockRef block = open.back();
        open.pop_back();
        order.preorder.push_back(block);
        order.children(tree, block, list);
        open.insert(open.end(), list.rbegin(), list.rend());
    }
    return order;
}

}  // namespace kv
