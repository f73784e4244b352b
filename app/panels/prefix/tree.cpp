#include "app/panels/prefix/tree.hpp"

#include <algorithm>
#include <utility>

#include "core/trace/event/event.hpp"

namespace kv {
namespace {

std::size_t at_of(PrefixPlace place) {
    return static_cast<std::size_t>(place);
}

std::optional<std::uint64_t> hash_at(const SharedArray<BlockView>& blocks, std::size_t i) {
    return i < blocks.size() ? blocks[i].hash : std::nullopt;
}

constexpr std::uint64_t kEventsAtOnce = 256;
constexpr std::size_t kBlocksAtOnce = 16;

}  // namespace

bool PrefixContents::catch_up(const Trace& trace, const GoOn& go_on) {
    bool all_had_parents = true;
    const auto take = [&](std::uint64_t n, const Event& event) {
        const auto* stored = std::get_if<BlockStored>(&event.what);
        if (stored == nullptr) return;
        std::optional<std::uint64_t> parent = stored->parent_block_hash;
        for (std::uint32_t i = 0; i < stored->block_hashes.size(); ++i) {
            const std::uint64_t hash = stored->block_hashes[i];
            if (of_.try_emplace(hash, PrefixContent{parent, n, i}).second) {
                if (parent && find(*parent) == nullptr) unseen_parents_.insert(*parent);
                if (unseen_parents_.erase(hash) > 0) all_had_parents = false;
            }
            parent = hash;
        }
    };
    while (read_ < trace.size() && (!go_on || go_on())) {
        const std::uint64_t end = std::min(trace.size(), read_ + kEventsAtOnce);
        trace.each(read_, end, take);
        read_ = end;
    }
    return all_had_parents;
}

const PrefixContent* PrefixContents::find(std::uint64_t hash) const {
    const auto found = of_.find(hash);
    return found == of_.end() ? nullptr : &found->second;
}

PrefixPlace PrefixForest::Node::place() const {
    for (const PrefixPlace place : {PrefixPlace::Device, PrefixPlace::Host, PrefixPlace::File})
        if (!at[at_of(place)].empty()) return place;
    return PrefixPlace::GivenUp;
}

bool PrefixForest::follow(std::uint64_t run, const Trace& trace, const LaneAt& lane,
                          std::uint64_t moment, const GoOn& go_on) {
    if (run_ != run) *this = {};
    const bool is_new = !run_;
    run_ = run;
    const bool as_it_was = contents_.catch_up(trace, go_on);
    if (as_it_was && !is_new && !behind_ && moment_ == moment) return false;
    if (!as_it_was) clear();
    behind_ = true;
    if (!contents_.has_read(trace)) return true;
    // What was begun is followed to its end first, since only whole states can be compared.
    if (!follow_blocks(go_on)) return true;
    begin_blocks(lane);
    if (!follow_blocks(go_on)) return true;
    follow_places(lane.now.host, host_, PrefixPlace::Host);
    follow_places(lane.now.file, file_, PrefixPlace::File);
    settle();
    moment_ = moment, behind_ = false;
    return true;
}

// Forgets all nodes, to build them anew: what went on from nothing may have got a parent.
void PrefixForest::clear() {
    blocks_ = {}, to_blocks_ = {}, host_ = {}, file_ = {};
    rehashed_.clear(), reheld_.clear();
    n_rehashed_ = n_reheld_ = 0;
    on_device_ = below_ = 0;
    nodes_.clear(), roots_.clear();
    rows_ = {};
}

void PrefixForest::begin_blocks(const LaneAt& lane) {
    rehashed_.clear(), reheld_.clear();
    n_rehashed_ = n_reheld_ = 0;
    holders_.follow(lane, reheld_);
    to_blocks_ = lane.blocks();
    SharedArray<BlockView>::each_difference(blocks_, to_blocks_, [&](std::size_t i) {
        if (hash_at(blocks_, i) != hash_at(to_blocks_, i))
            rehashed_.push_back(static_cast<std::uint32_t>(i));
    });
}

// A handful of blocks at a time, each settled with its neighbours. True when all are done.
bool PrefixForest::follow_blocks(const GoOn& go_on) {
    const auto goes_on = [&] { return !go_on || go_on(); };
    while (n_rehashed_ < rehashed_.size() && goes_on()) {
        const std::size_t end = std::min(rehashed_.size(), n_rehashed_ + kBlocksAtOnce);
        for (; n_rehashed_ < end; ++n_rehashed_) {
            const std::uint32_t id = rehashed_[n_rehashed_];
            if (const auto is = hash_at(to_blocks_, id))
                ++on_device_, put(*is, PrefixPlace::Device, id);
            if (const auto was = hash_at(blocks_, id))
                --on_device_, take(*was, PrefixPlace::Device, id);
        }
        settle();
    }
    if (n_rehashed_ < rehashed_.size()) return false;
    while (n_reheld_ < reheld_.size() && goes_on()) {
        const std::size_t end = std::min(reheld_.size(), n_reheld_ + kBlocksAtOnce);
        for (; n_reheld_ < end; ++n_reheld_)
            if (const auto hash = hash_at(to_blocks_, reheld_[n_reheld_].index()))
                touched_.push_back(*hash);
        settle();
    }
    if (n_reheld_ < reheld_.size()) return false;
    blocks_ = to_blocks_;
    return true;
}

void PrefixForest::follow_places(const SharedArray<PlaceView>& now, SharedArray<PlaceView>& before,
                                 PrefixPlace where) {
    const auto place_at = [](const SharedArray<PlaceView>& all, std::size_t i) {
        return i < all.size() ? all[i] : PlaceView{};
    };
    const auto found_by = [](const PlaceView& place) {
        return place.state == PlaceState::Held ? place.hash : std::nullopt;
    };
    SharedArray<PlaceView>::each_difference(before, now, [&](std::size_t i) {
        const PlaceView was = place_at(before, i), is = place_at(now, i);
        below_ += is.hash.has_value();
        below_ -= was.hash.has_value();
        if (found_by(was) == found_by(is)) return;
        const auto id = static_cast<std::uint32_t>(i);
        if (const auto hash = found_by(is)) put(*hash, where, id);
        if (const auto hash = found_by(was)) take(*hash, where, id);
    });
    before = now;
}

void PrefixForest::put(Hash hash, PrefixPlace where, std::uint32_t id) {
    if (!make(hash)) return;
    std::vector<std::uint32_t>& ids = nodes_.at(hash).at[at_of(where)];
    ids.insert(std::upper_bound(ids.begin(), ids.end(), id), id);
    touched_.push_back(hash);
}

void PrefixForest::take(Hash hash, PrefixPlace where, std::uint32_t id) {
    const auto found = nodes_.find(hash);
    if (found == nodes_.end()) return;  // it was never said what the hash stands for
    std::erase(found->second.at[at_of(where)], id);
    touched_.push_back(hash);
    drop_empty(hash);
}

// The node, and those that lead to it. False when nobody has said what the hash stands for.
bool PrefixForest::make(Hash hash) {
    std::vector<std::pair<Hash, const PrefixContent*>> missing;
    for (std::optional<Hash> at = hash; at && !nodes_.contains(*at);) {
        const PrefixContent* content = contents_.find(*at);
        if (content == nullptr) break;
        missing.push_back({*at, content});
        at = content->parent;
    }
    for (; !missing.empty(); missing.pop_back()) link(missing.back().first, *missing.back().second);
    return nodes_.contains(hash);
}

void PrefixForest::link(Hash hash, const PrefixContent& content) {
    const auto parent = content.parent ? nodes_.find(*content.parent) : nodes_.end();
    Node node{.parent = std::nullopt, .root = hash, .event = content.event};
    if (parent != nodes_.end()) {
        node.parent = parent->first, node.root = parent->second.root;
        std::vector<Hash>& siblings = parent->second.children;
        const auto after = std::upper_bound(
            siblings.begin(), siblings.end(), content.event,
            [&](std::uint64_t event, Hash other) { return event < nodes_.at(other).event; });
        siblings.insert(after, hash);
        touched_.push_back(parent->first);
    }
    const Node& made = nodes_.emplace(hash, std::move(node)).first->second;
    count(made, PrefixMode::Chain, 1), count(made, PrefixMode::Tree, 1);
    touched_.push_back(hash);
}

// What is nowhere and leads to nothing is no node any more, and so on upwards.
void PrefixForest::drop_empty(Hash hash) {
    for (std::optional<Hash> at = hash; at;) {
        const auto found = nodes_.find(*at);
        const Node& node = found->second;
        if (node.is_held() || !node.children.empty()) return;
        count(node, PrefixMode::Chain, -1);
        if (node.begins) count(node, PrefixMode::Tree, -1);
        const std::optional<Hash> parent = node.parent;
        if (parent) {
            std::erase(nodes_.at(*parent).children, *at);
            touched_.push_back(*parent);
        } else {
            roots_.erase({node.event, *at});
        }
        nodes_.erase(found);
        at = parent;
    }
}

void PrefixForest::count(const Node& node, PrefixMode mode, int by) {
    const Node& root = node.parent ? nodes_.at(node.root) : node;
    const std::size_t i = static_cast<std::size_t>(mode);
    const auto change = static_cast<std::uint64_t>(static_cast<std::int64_t>(by));
    roots_[{root.event, node.root}][i] += change;
    rows_[i] += change;
}

// Whether a row begins with a node depends on the node, its parent and its siblings.
void PrefixForest::settle() {
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    for (const Hash hash : touched_) {
        const auto found = nodes_.find(hash);
        if (found == nodes_.end()) continue;
        settle_begin(hash);
        for (const Hash child : found->second.children) settle_begin(child);
    }
    touched_.clear();
}

void PrefixForest::settle_begin(Hash hash) {
    Node& node = nodes_.at(hash);
    const bool is = begins(node);
    if (is != node.begins) count(node, PrefixMode::Tree, is ? 1 : -1);
    node.begins = is;
}

bool PrefixForest::begins(const Node& node) const {
    if (!node.parent) return true;
    const Node& parent = nodes_.at(*node.parent);
    return parent.children.size() != 1 || parent.place() != node.place() ||
           holders_of(parent) != holders_of(node);
}

std::vector<SeqId> PrefixForest::holders_of(const Node& node) const {
    std::vector<SeqId> all;
    for (const std::uint32_t block : node.at[at_of(PrefixPlace::Device)])
        for (const Holder& holder : holders_.of(BlockId(block))) all.push_back(holder.request);
    return all;
}

}  // namespace kv
