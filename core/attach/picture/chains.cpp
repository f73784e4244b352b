#include "core/attach/picture/chains.hpp"

#include <queue>

namespace kv {
namespace {

// A chain that is not followed yet.
struct Start {
    BlockRef first;
    std::uint64_t width, left, from_token;
};

// The widest first; of the same width the one that stands left.
struct Narrower {
    bool operator()(const Start& a, const Start& b) const {
        return a.width != b.width ? a.width < b.width : a.left > b.left;
    }
};
using Starts = std::priority_queue<Start, std::vector<Start>, Narrower>;

void add_all(Starts& starts, const TreeOrder& order, const std::vector<BlockRef>& blocks,
             std::uint64_t left, std::uint64_t from_token) {
    for (const BlockRef block : blocks) {
        starts.push({block, order.beneath[block], left, from_token});
        left += order.beneath[block];
    }
}

}  // namespace

TreeChains chains_of(const BlockTree& tree, const TreeOrder& order, std::size_t most) {
    TreeChains out;
    Starts starts;
    std::vector<BlockRef> children;
    add_all(starts, order, order.roots, 0, 0);
    while (!starts.empty() && out.chains.size() < most) {
        const Start start = starts.top();
        starts.pop();
        TreeChain chain{start.first, start.first, start.left, start.from_token, start.from_token};
        for (;;) {
            const TankBlock& b = tree.at(chain.last);
            chain.to_token += b.tokens;
            chain.again += b.again;
            order.children(tree, chain.last, children);
            if (children.size() != 1) break;
            chain.last = children.front();
        }
        out.chains.push_back(chain);
        add_all(starts, order, children, chain.left, chain.to_token);
    }
    for (; !starts.empty(); starts.pop()) out.left_out += starts.top().width;
    return out;
}

}  // namespace kv
