#include "core/cache/prefix/index.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/planted.hpp"

namespace kv {
namespace {

// Spreads every bit over all others (the finalizer of SplitMix64, by Sebastiano Vigna).
std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

std::uint64_t text_hash(const std::string& text) {
    std::uint64_t hash = mixed(text.size() + 1);
    for (const char c : text) hash = mixed(hash ^ static_cast<unsigned char>(c));
    return hash;
}

}  // namespace

// The constants only spread bits.
std::uint64_t chain_hash(std::uint64_t parent, std::span<const std::uint32_t> tokens) {
    std::uint64_t hash = parent ^ 0x9E3779B97F4A7C15u;
    for (const std::uint32_t token : tokens) {
        hash = (hash ^ token) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    return mixed(hash);
}

PrefixIndex::PrefixIndex(std::uint32_t block_size, std::uint32_t n_blocks, std::string space,
                         PrefixHash hash_of)
    : block_size_(block_size), space_(std::move(space)), hash_(hash_of), links_(n_blocks) {
    KV_ASSERT(block_size_ > 0);
}

std::uint64_t PrefixIndex::root_hash(const std::string& salt) const {
    return mixed(mixed(text_hash(space_)) ^ text_hash(salt));
}

void PrefixIndex::rename(std::string space) {
    KV_ASSERT(n_nodes_ == 0);
    space_ = std::move(space);
    for (const auto& [salt, root] : roots_) nodes_[root.index()].hash = root_hash(salt);
}

PrefixId PrefixIndex::root(const std::string& salt) {
    if (const auto known = roots_.find(salt); known != roots_.end()) return known->second;
    const std::uint32_t id = new_node();
    nodes_[id].hash = root_hash(salt);
    nodes_[id].root = true;
    roots_.emplace(salt, PrefixId(id));
    return PrefixId(id);
}

std::optional<PrefixId> PrefixIndex::parent(PrefixId node) const {
    if (is_root(node)) return std::nullopt;
    return PrefixId(nodes_[node.index()].parent);
}

std::span<const std::uint32_t> PrefixIndex::tokens(PrefixId node) const {
    return {tokens_.data() + node.index() * block_size_, block_size_};
}

std::uint64_t PrefixIndex::key(PrefixId parent, std::span<const std::uint32_t> tokens) const {
    if (planted(PlantedBug::ParentNotInKey)) return hash_(0, tokens);
    return hash_(nodes_[parent.index()].hash, tokens);
}

bool PrefixIndex::is_child(const Node& node, PrefixId parent) {
    if (planted(PlantedBug::ParentNotInKey)) return true;
    return node.parent == parent.value;
}

std::optional<PrefixId> PrefixIndex::find(PrefixId parent,
                                          std::span<const std::uint32_t> tokens) const {
    KV_ASSERT(tokens.size() == block_size_);
    const std::uint64_t hash = key(parent, tokens);
    return buckets_.find<PrefixId>(hash, [&](std::uint32_t id) {
        const Node& node = nodes_[id];
        if (node.hash != hash || !is_child(node, parent)) return false;
        return std::equal(tokens.begin(), tokens.end(),
                          tokens_.data() + id * std::size_t{block_size_});
    });
}

PrefixId PrefixIndex::find_or_add(PrefixId parent, std::span<const std::uint32_t> tokens) {
    if (const auto known = find(parent, tokens)) return *known;
    const std::uint32_t id = new_node();
    Node& node = nodes_[id];
    node.hash = key(parent, tokens);
    node.parent = parent.value;
    ++nodes_[parent.index()].children;
    std::copy(tokens.begin(), tokens.end(),
              tokens_.begin() + static_cast<std::ptrdiff_t>(id) * block_size_);
    ++n_nodes_;
    buckets_.make_room(n_nodes_, node_hash());
    buckets_.put(id, node_hash());
    return PrefixId(id);
}

std::uint32_t& PrefixIndex::link_behind(Node& node, std::uint32_t block) {
    return block == kNone ? node.first_copy : links_[block].next;
}

void PrefixIndex::add_copy(PrefixId node, BlockId block) {
    Link& link = links_[block.index()];
    KV_ASSERT(link.node == kNone && !is_root(node));
    link = {node.value, kNone};
    Node& n = nodes_[node.index()];
    link_behind(n, n.last_copy) = block.value;
    n.last_copy = block.value;
}

void PrefixIndex::drop_copy(BlockId block) {
    Link& link = links_[block.index()];
    KV_ASSERT(link.node != kNone);
    Node& n = nodes_[link.node];
    std::uint32_t before = kNone;
    for (std::uint32_t b = n.first_copy; b != block.value; b = links_[b].next) before = b;
    link_behind(n, before) = link.next;
    if (n.last_copy == block.value) n.last_copy = before;
    const std::uint32_t node = link.node;
    link = {};
    drop_if_idle(node);
}

std::optional<BlockId> PrefixIndex::copy(PrefixId node) const {
    const std::uint32_t first = nodes_[node.index()].first_copy;
    if (first == kNone) return std::nullopt;
    return BlockId(first);
}

std::optional<PrefixId> PrefixIndex::node_of(BlockId block) const {
    const std::uint32_t node = links_[block.index()].node;
    if (node == kNone) return std::nullopt;
    return PrefixId(node);
}

bool PrefixIndex::is_only_copy(BlockId block) const {
    const Node& node = nodes_[links_[block.index()].node];
    return node.first_copy == block.value && node.last_copy == block.value;
}

void PrefixIndex::set_place(PrefixId node, std::uint32_t place) {
    nodes_[node.index()].place = place;
}

void PrefixIndex::drop_place(PrefixId node) {
    nodes_[node.index()].place = kNone;
    drop_if_idle(node.value);
}

std::optional<std::uint32_t> PrefixIndex::place(PrefixId node) const {
    const std::uint32_t place = nodes_[node.index()].place;
    if (place == kNone) return std::nullopt;
    return place;
}

void PrefixIndex::clear() {
    for (std::uint32_t b = 0; b < links_.size(); ++b)
        if (links_[b].node != kNone) drop_copy(BlockId(b));
    for (std::uint32_t n = 0; n < nodes_.size(); ++n)
        if (nodes_[n].used && nodes_[n].place != kNone) drop_place(PrefixId(n));
}

// A content that nobody holds is forgotten, unless a longer one still leads through it.
void PrefixIndex::drop_if_idle(std::uint32_t id) {
    while (true) {
        Node& node = nodes_[id];
        if (node.root || node.children > 0 || node.first_copy != kNone || node.place != kNone)
            return;
        buckets_.take_out(id, node_hash());
        const std::uint32_t parent = node.parent;
        node = {};
        unused_.push_back(id);
        --n_nodes_;
        --nodes_[parent].children;
        id = parent;
    }
}

std::uint32_t PrefixIndex::new_node() {
    std::uint32_t id = 0;
    if (unused_.empty()) {
        id = static_cast<std::uint32_t>(nodes_.size());
        nodes_.emplace_back();
        tokens_.resize(nodes_.size() * block_size_);
    } else {
        id = unused_.back();
        unused_.pop_back();
    }
    nodes_[id].used = true;
    return id;
}

std::uint32_t PrefixIndex::n_places() const {
    return static_cast<std::uint32_t>(
        std::count_if(nodes_.begin(), nodes_.end(),
                      [](const Node& node) { return node.used && node.place != kNone; }));
}

// Every block that names a content is in the chain of that content's copies, and in no other.
void PrefixIndex::check_copies(std::vector<const char*>& wrong) const {
    std::vector<bool> seen(links_.size());
    for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
        std::uint32_t last = kNone;
        for (std::uint32_t b = nodes_[id].first_copy; b != kNone; last = b, b = links_[b].next) {
            if (links_[b].node != id || seen[b]) {
                wrong.push_back("a copy belongs to another content");
                return;
            }
            seen[b] = true;
        }
        if (last != nodes_[id].last_copy) wrong.push_back("the copies end at another block");
    }
    for (std::uint32_t b = 0; b < links_.size(); ++b)
        if ((links_[b].node != kNone) != seen[b])
            wrong.push_back("a block names a content that does not know it");
}

std::vector<const char*> PrefixIndex::check() const {
    std::vector<const char*> wrong;
    check_copies(wrong);
    std::vector<std::uint32_t> children(nodes_.size());
    std::uint32_t count = 0;
    for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
        const Node& node = nodes_[id];
        if (!node.used || node.root) continue;
        ++count;
        ++children[node.parent];
        if (node.hash != hash_(nodes_[node.parent].hash, tokens(PrefixId(id))))
            wrong.push_back("a hash is not that of its parent and tokens");
        if (find(PrefixId(node.parent), tokens(PrefixId(id))) != PrefixId(id))
            wrong.push_back("a content is not found, or twice");
    }
    for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
        const Node& node = nodes_[id];
        if (!node.used) continue;
        if (node.children != children[id]) wrong.push_back("a content counts its children wrongly");
        if (!node.root && node.children == 0 && node.first_copy == kNone && node.place == kNone)
            wrong.push_back("a content is kept that nobody holds");
    }
    if (count != n_nodes_) wrong.push_back("the number of contents is wrong");
    return wrong;
}

}  // namespace kv
