#include "app/panels/prefix_tree.hpp"

#include <algorithm>
#include <utility>

namespace kv {
namespace {

struct Node {
    const PrefixContent* content = nullptr;
    PrefixPlace place = PrefixPlace::GivenUp;
    std::uint32_t id = 0, copies = 0;
    std::vector<SeqId> holders;
    std::vector<std::uint64_t> children;
};

// All that is held, and what leads to it.
class Forest {
public:
    Forest(const PrefixContents& contents, const Snapshot& now, const BlockHolders& holders)
        : contents_(contents) {
        if (!now.lanes.empty())
            now.lanes[0].blocks.each([&](std::size_t i, const BlockView& block) {
                if (block.hash) add_block(*block.hash, static_cast<std::uint32_t>(i), holders);
            });
        add_places(now.host, PrefixPlace::Host);
        add_places(now.file, PrefixPlace::File);
        for (auto& [hash, node] : nodes_) sort(node.children);
        sort(roots_);
    }

    const Node& at(std::uint64_t hash) const { return nodes_.at(hash); }
    const std::vector<std::uint64_t>& roots() const { return roots_; }

private:
    void add_block(std::uint64_t hash, std::uint32_t block, const BlockHolders& holders) {
        Node* node = node_of(hash);
        if (node == nullptr) return;
        ++node->copies;
        for (const Holder& holder : holders.of(BlockId(block)))
            node->holders.push_back(holder.request);
        if (node->place == PrefixPlace::Device) return;
        node->place = PrefixPlace::Device, node->id = block;
    }
    void add_places(const SharedArray<PlaceView>& places, PrefixPlace where) {
        places.each([&](std::size_t i, const PlaceView& place) {
            if (!place.hash || place.state != PlaceState::Held) return;
            Node* node = node_of(*place.hash);
            if (node == nullptr || node->place != PrefixPlace::GivenUp) return;
            node->place = where, node->id = static_cast<std::uint32_t>(i);
        });
    }
    Node* node_of(std::uint64_t hash) {
        const PrefixContent* content = contents_.find(hash);
        if (content == nullptr) return nullptr;
        const auto [found, is_new] = nodes_.try_emplace(hash);
        for (auto at = found; at->second.content == nullptr;) {
            at->second.content = content;
            const std::uint64_t child = at->first;
            if (!content->parent || contents_.find(*content->parent) == nullptr) {
                roots_.push_back(child);
                break;
            }
            at = nodes_.try_emplace(*content->parent).first;
            at->second.children.push_back(child);
            content = contents_.find(at->first);
        }
        return &found->second;
    }
    void sort(std::vector<std::uint64_t>& hashes) const {
        std::sort(hashes.begin(), hashes.end(), [&](std::uint64_t a, std::uint64_t b) {
            return at(a).content->event < at(b).content->event;
        });
    }

    const PrefixContents& contents_;
    std::map<std::uint64_t, Node> nodes_;
    std::vector<std::uint64_t> roots_;
};

class Rows {
public:
    Rows(const Forest& forest, PrefixMode mode) : forest_(forest), mode_(mode) {}

    std::vector<PrefixRow> all() {
        for (const std::uint64_t root : forest_.roots()) visit({root, {}});
        return std::move(rows_);
    }

private:
    // A stack instead of a recursion: a long context is a deep tree.
    struct Task {
        std::uint64_t hash;
        PrefixRow row;  // its place in the tree
    };
    void visit(Task root) {
        std::vector<Task> tasks{std::move(root)};
        while (!tasks.empty()) {
            Task task = std::move(tasks.back());
            tasks.pop_back();
            const Node& last = finish(task);
            const PrefixRow& row = rows_.emplace_back(std::move(task.row));
            const bool branches = last.children.size() > 1;
            for (std::size_t i = last.children.size(); i-- > 0;) {
                PrefixRow child;
                child.column = row.column + (branches ? 1 : 0);
                child.branches = branches, child.goes_on = !branches;
                child.first = row.first + static_cast<std::uint32_t>(row.tokens.size());
                child.passes = row.passes;
                if (branches && i + 1 < last.children.size()) child.passes.push_back(row.column);
                tasks.push_back({last.children[i], std::move(child)});
            }
        }
    }
    // The row's content: one block, or all that follow without a difference.
    const Node& finish(Task& task) {
        const Node* node = &forest_.at(task.hash);
        PrefixRow& row = task.row;
        row.place = node->place, row.holders = node->holders;
        for (std::uint64_t hash = task.hash;;) {
            row.hash = hash, row.copies = node->copies;
            if (node->place != PrefixPlace::GivenUp) row.ids.push_back(node->id);
            row.tokens.insert(row.tokens.end(), node->content->tokens.begin(),
                              node->content->tokens.end());
            if (mode_ == PrefixMode::Chain || node->children.size() != 1) return *node;
            const Node& next = forest_.at(node->children[0]);
            if (next.place != node->place || next.holders != node->holders) return *node;
            hash = node->children[0], node = &next;
        }
    }

    const Forest& forest_;
    PrefixMode mode_;
    std::vector<PrefixRow> rows_;
};

}  // namespace

void PrefixContents::catch_up(std::uint64_t run, const Trace& trace) {
    if (run != run_ || trace.size() < read_) *this = {};
    run_ = run;
    trace.each(read_, trace.size(), [this](std::uint64_t n, const Event& event) {
        const auto* stored = std::get_if<BlockStored>(&event.what);
        if (stored == nullptr) return;
        std::optional<std::uint64_t> parent = stored->parent_block_hash;
        for (std::size_t i = 0; i < stored->block_hashes.size(); ++i) {
            const auto begin =
                stored->token_ids.begin() + static_cast<std::ptrdiff_t>(i * stored->block_size);
            const auto end = begin + static_cast<std::ptrdiff_t>(stored->block_size);
            of_.try_emplace(stored->block_hashes[i], PrefixContent{parent, {begin, end}, n});
            parent = stored->block_hashes[i];
        }
    });
    read_ = trace.size();
}

const PrefixContent* PrefixContents::find(std::uint64_t hash) const {
    const auto found = of_.find(hash);
    return found == of_.end() ? nullptr : &found->second;
}

std::vector<PrefixRow> prefix_rows(const PrefixContents& contents, const Snapshot& now,
                                   const BlockHolders& holders, PrefixMode mode) {
    return Rows(Forest(contents, now, holders), mode).all();
}

}  // namespace kv
