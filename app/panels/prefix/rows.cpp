// The rows of the prefixes that are asked for, out of the forest.

#include <utility>

#include "app/panels/prefix/tree.hpp"
#include "core/trace/event/event.hpp"

namespace kv {

// One tree from its root, row by row.
class PrefixWalk {
public:
    PrefixWalk(const PrefixForest& forest, PrefixMode mode, const Trace& trace,
               std::uint64_t block_size)
        : forest_(forest), mode_(mode), trace_(trace), block_size_(block_size) {}

    void walk(std::uint64_t root, std::uint64_t skip, std::uint64_t n,
              std::vector<PrefixRow>& rows) {
        tasks_.push_back({root, {}});
        while (!tasks_.empty() && rows.size() < n) {
            Task task = std::move(tasks_.back());
            tasks_.pop_back();
            const bool is_asked = skip == 0;
            if (!is_asked) --skip;
            const PrefixForest::Node& last = finish(task, is_asked);
            push_children(task.row, last);
            if (is_asked) rows.push_back(std::move(task.row));
        }
    }

private:
    // A stack instead of a recursion: a long context is a deep tree.
    struct Task {
        std::uint64_t hash;
        PrefixRow row;  // its place in the tree
    };

    void push_children(const PrefixRow& row, const PrefixForest::Node& last) {
        const bool branches = last.children.size() > 1;
        for (std::size_t i = last.children.size(); i-- > 0;) {
            PrefixRow child;
            child.column = row.column + (branches ? 1 : 0);
            child.branches = branches, child.goes_on = !branches;
            child.first = row.first + row.n_tokens;
            child.passes = row.passes;
            if (branches && i + 1 < last.children.size()) child.passes.push_back(row.column);
            tasks_.push_back({last.children[i], std::move(child)});
        }
    }

    // The row's content: one block, or all that follow without a difference.
    const PrefixForest::Node& finish(Task& task, bool is_asked) const {
        PrefixRow& row = task.row;
        for (std::uint64_t hash = task.hash;;) {
            const PrefixForest::Node& node = forest_.nodes_.at(hash);
            row.hash = hash;
            row.n_tokens += block_size_;
            if (is_asked) add(row, node, hash);
            const bool goes_on = mode_ == PrefixMode::Tree && node.children.size() == 1 &&
                                 !forest_.nodes_.at(node.children[0]).begins;
            if (!goes_on) return is_asked ? (close(row, node), node) : node;
            hash = node.children[0];
        }
    }
    void add(PrefixRow& row, const PrefixForest::Node& node, std::uint64_t hash) const {
        row.place = node.place();
        if (row.place != PrefixPlace::GivenUp)
            row.ids.push_back(node.at[static_cast<std::size_t>(row.place)].front());
        if (row.tokens.size() >= PrefixRow::kMostTokens) return;
        const PrefixContent& content = *forest_.contents_.find(hash);
        const Event event = trace_.event(content.event);
        const auto& stored = std::get<BlockStored>(event.what);
        const std::uint64_t first = std::uint64_t{content.place} * stored.block_size;
        if (first + stored.block_size > stored.token_ids.size()) return;  // a server kept them back
        const auto begin = stored.token_ids.begin() + static_cast<std::ptrdiff_t>(first);
        row.tokens.insert(row.tokens.end(), begin, begin + stored.block_size);
    }
    void close(PrefixRow& row, const PrefixForest::Node& last) const {
        row.copies = static_cast<std::uint32_t>(
            last.at[static_cast<std::size_t>(PrefixPlace::Device)].size());
        row.holders = forest_.holders_of(last);
    }

    const PrefixForest& forest_;
    PrefixMode mode_;
    const Trace& trace_;
    std::uint64_t block_size_;
    std::vector<Task> tasks_;
};

std::vector<PrefixRow> PrefixForest::rows(PrefixMode mode, const Trace& trace, std::uint64_t from,
                                          std::uint64_t n) const {
    std::vector<PrefixRow> rows;
    const std::uint64_t block_size = trace.end().block_size;
    for (const auto& [root, tree] : roots_) {
        const std::uint64_t in_it = tree[static_cast<std::size_t>(mode)];
        if (rows.empty() && from >= in_it) {
            from -= in_it;
            continue;
        }
        if (rows.size() >= n) break;
        PrefixWalk(*this, mode, trace, block_size).walk(root.second, from, n, rows);
        from = 0;
    }
    return rows;
}

}  // namespace kv
