#include "core/attach/tank/tank.hpp"

#include <algorithm>
#include <cmath>

#include "core/attach/tank/reports.hpp"

namespace kv {
namespace {

// Bounds that no honest server reaches.
constexpr std::size_t kMostRanks = 256, kMostShelves = 1024, kMostKinds = 64;
constexpr std::size_t kMostLogRows = 256, kMostMarks = 4096, kTokensOfLogRow = 16;
constexpr std::size_t kMostBins = 8640;                       // of a rank: twelve hours
constexpr std::size_t kMostTracks = 256, kMostPoints = 3600;  // an hour of polls
constexpr const char* kOtherKinds = "others";

// The end of a chain that grows within this time is its own request that writes on, and no hit.
constexpr double kWritesOn_s = 5;

constexpr double kLatest_s = 1e11;  // of a clock; what is not in seconds is no clock

template <class T>
void keep_newest(std::deque<T>& list, std::size_t most) {
    while (list.size() > most) list.pop_front();
}

// Whether each block's own tokens can be told: a server leaves blocks out of a window's group
// without leaving out their tokens.
bool aligned(const ServerStored& event) {
    if (event.block_size <= 0) return false;
    const auto size = static_cast<std::uint64_t>(event.block_size);
    return (event.tokens.size() + size - 1) / size == event.hashes.size();
}

// Tokens of block i that were sent; the last block of an event may be a partial one.
std::uint64_t tokens_given(const ServerStored& event, std::size_t i) {
    const auto size = static_cast<std::uint64_t>(event.block_size);
    return std::min<std::uint64_t>(size, event.tokens.size() - i * size);
}

// How many block i holds. A recording may have left the tokens out; full blocks then.
std::uint64_t tokens_of(const ServerStored& event, std::size_t i) {
    if (event.block_size <= 0) return 0;
    return aligned(event) ? tokens_given(event, i) : static_cast<std::uint64_t>(event.block_size);
}

// Sizes are held in 32 bits; a larger one is a lie.
std::uint32_t small(std::uint64_t n) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, 0xFFFFFFFFU));
}

// The shelf takes over what the event says of it: its layers, their window, the size of its blocks.
void note_on_shelf(Shelf& on, const ServerStored& event) {
    on.block_size = std::max(on.block_size, event.block_size);
    if (event.block_size <= 0) on.placeholders += event.hashes.size();
    if (!event.layer_kind.empty()) on.layer_kind = event.layer_kind;
    if (event.window) on.window = event.window;
}

std::vector<std::uint32_t> first_of(const std::vector<std::uint32_t>& tokens) {
    const std::size_t n = std::min(tokens.size(), kTokensOfLogRow);
    return {tokens.begin(), tokens.begin() + std::ptrdiff_t(n)};
}

}  // namespace

Tank::Tank(const TankSettings& settings)
    : settings_(settings), tree_(settings.most_blocks, settings.keep_tokens) {}

void Tank::apply(const TankEntry& entry) {
    if (const auto* batch = std::get_if<BatchEntry>(&entry)) apply_batch(*batch);
    if (const auto* mark = std::get_if<StreamMark>(&entry)) apply_mark(*mark);
    if (const auto* samples = std::get_if<SampleEntry>(&entry)) apply_samples(*samples);
}

// A clock that goes back stands still.
void Tank::set_clock(double time_s) {
    if (!(std::abs(time_s) < kLatest_s)) return;
    if (!started_) start_s_ = now_s_ = time_s;
    started_ = true;
    now_s_ = std::max(now_s_, time_s);
}

float Tank::age_s(double moment_s) const {
    return static_cast<float>(std::max(0.0, now_s_ - moment_s));
}

RankTank* Tank::rank(std::int64_t number) {
    const auto found = ranks_.find(number);
    if (found != ranks_.end()) return &found->second;
    if (ranks_.size() >= kMostRanks) return nullptr;
    RankTank& made = ranks_[number];
    made.rank = number;
    return &made;
}

std::optional<ShelfRef> Tank::shelf(const ShelfName& name) {
    const auto found = shelf_of_.find(name);
    if (found != shelf_of_.end()) return found->second;
    if (shelves_.size() >= kMostShelves) return std::nullopt;
    const auto made = static_cast<ShelfRef>(shelves_.size());
    shelves_.push_back({.name = name});
    shelf_of_[name] = made;
    return made;
}

RateBin& Tank::bin(RankTank& rank) const {
    const auto number = static_cast<std::int64_t>(std::floor(now_s_ / RateBin::kSeconds));
    if (rank.rates.empty() || rank.rates.back().number < number)
        rank.rates.push_back({.number = number});
    if (rank.rates.size() > kMostBins) rank.rates.pop_front(), ++rank.rates_dropped;
    return rank.rates.back();
}

TankLogRow& Tank::log(EventOrigin at, TankLogKind kind) {
    log_.push_back({.kind = kind, .rank = at.rank.rank, .sequence = at.sequence, .time_s = now_s_});
    keep_newest(log_, kMostLogRows);
    return log_.back();
}

void Tank::apply_batch(const BatchEntry& entry) {
    set_clock(entry.batch.time_s);
    negative_hashes_ = negative_hashes_ || entry.negative_hashes;
    RankTank* of = rank(entry.rank);
    if (of == nullptr) return;
    ++of->batches;
    if (!of->first_sequence) of->first_sequence = entry.sequence;
    of->last_sequence = entry.sequence;
    const EventOrigin at{*of, entry.sequence};
    for (const ServerEvent& event : entry.batch.events)
        std::visit([&](const auto& e) { apply_event(at, e); }, event);
}

void Tank::apply_event(EventOrigin at, const ServerStored& event) {
    ++at.rank.stored_events;
    TankLogRow& row = log(at, TankLogKind::Stored);
    row.shelf = {at.rank.rank, event.group, event.medium};
    row.blocks = event.hashes.size();
    const auto place = shelf(row.shelf);
    if (!place) {
        at.rank.passed_over += event.hashes.size();
        return;
    }
    note_on_shelf(shelves_[*place], event);
    if (is_report(*place, event)) return take_report(at.rank, *place, event);
    const auto parent = use_parent(at.rank, *place, event);
    row.parent_known = !event.parent || parent;
    store_chain(at, *place, event, parent.value_or(kNoBlock), row);
}

bool Tank::is_report(ShelfRef shelf, const ServerStored& event) const {
    return settings_.full_reports &&
           announces_a_hit(tree_, shelves_, event, shelves_[shelf].name.rank);
}

// A report of a window's group names blocks before the window too, which may be long gone.
void Tank::take_report(RankTank& rank, ShelfRef shelf, const ServerStored& event) {
    for (const ServerHash& hash : event.hashes) {
        const auto found = tree_.find(shelf, hash);
        if (!found || !tree_.at(*found).cached()) continue;
        use_block(tree_.at(*found), now_s_, &rank.found);
        ++tree_.at(*found).hits;
    }
}

// The block that the event stores beneath, if it is known, and its chain are used. That is a hit
// unless the request that wrote the block writes on.
std::optional<BlockRef> Tank::use_parent(RankTank& rank, ShelfRef shelf,
                                         const ServerStored& event) {
    const auto parent = event.parent ? tree_.find(shelf, *event.parent) : std::nullopt;
    if (!parent) return std::nullopt;
    TankBlock& end = tree_.at(*parent);
    const bool writes_on = end.first_child == kNoBlock && now_s_ - end.used_s < kWritesOn_s;
    if (!writes_on) ++end.hits;
    chain_uses_.use(tree_, *parent, now_s_, writes_on ? nullptr : &rank.found);
    return parent;
}

// Stores the blocks of the event, each beneath the one before it, until there is no room.
void Tank::store_chain(EventOrigin at, ShelfRef shelf, const ServerStored& event, BlockRef parent,
                       TankLogRow& row) {
    for (std::size_t i = 0; i < event.hashes.size(); ++i) {
        const BlockRef block = store(at, shelf, event.hashes[i], parent);
        if (block == kNoBlock) {
            at.rank.passed_over += event.hashes.size() - i;
            return;
        }
        TankBlock& b = tree_.at(block);
        if (b.tokens == 0) {
            b.rootless = i == 0 && !row.parent_known;
            learn_tokens(block, parent, event, i);
        }
        if (i == 0) row.token_ids = first_of(tree_.tokens(block));
        row.ends_at = b.depth;
        parent = block;
    }
}

// Block i of the event is told its tokens for the first time: how many, how deep, and which.
void Tank::learn_tokens(BlockRef block, BlockRef parent, const ServerStored& event, std::size_t i) {
    TankBlock& b = tree_.at(block);
    const std::uint64_t tokens = small(tokens_of(event, i));
    b.tokens = static_cast<std::uint32_t>(tokens);
    shelves_[b.shelf].tokens += tokens * b.copies;
    const std::uint64_t above = parent == kNoBlock ? 0 : tree_.at(parent).depth;
    b.depth = small(above + tokens);
    if (!aligned(event) || tokens == 0) return;
    const std::size_t first = i * static_cast<std::size_t>(event.block_size);
    tree_.set_tokens(block, &event.tokens[first], tokens_given(event, i));
}

// The block, or none when there is no room for it.
BlockRef Tank::store(EventOrigin at, ShelfRef shelf, const ServerHash& hash, BlockRef parent) {
    auto found = tree_.find(shelf, hash);
    if (found) {
        store_again(at, *found);
    } else {
        found = tree_.add(shelf, hash, parent);
        if (!found) return kNoBlock;
        TankBlock& b = tree_.at(*found);
        begin_life(b);
        ++shelves_[shelf].distinct;
        ++shelves_[shelf].blocks;
        ++at.rank.blocks_stored;
        ++bin(at.rank).stored;
    }
    return *found;
}

void Tank::begin_life(TankBlock& block) {
    block.copies = 1;
    block.stored_s = block.used_s = now_s_;
    // Its chain has been used as lately as its parent's.
    block.walked_s = block.parent == kNoBlock ? now_s_ : tree_.at(block.parent).walked_s;
}

void Tank::store_again(EventOrigin at, BlockRef block) {
    TankBlock& b = tree_.at(block);
    Shelf& on = shelves_[b.shelf];
    if (b.cached()) {
        use_block(b, now_s_, &at.rank.found);
        ++b.hits;
        ++b.copies;
    } else {
        at.rank.too_late.add(now_s_ - b.used_s);
        tree_.revive(block);
        begin_life(b);
        ++b.again;
        ++on.distinct;
        ++at.rank.blocks_again;
        at.rank.tokens_again += b.tokens;
        bin(at.rank).tokens_again += b.tokens;
    }
    ++on.blocks;
    on.tokens += b.tokens;
    ++at.rank.blocks_stored;
    ++bin(at.rank).stored;
}

void Tank::apply_event(EventOrigin at, const ServerRemoved& event) {
    ++at.rank.removed_events;
    TankLogRow& row = log(at, TankLogKind::Removed);
    row.shelf = {at.rank.rank, event.group, event.medium};
    row.blocks = event.hashes.size();
    const auto place = shelf_of_.find(row.shelf);
    for (const ServerHash& hash : event.hashes) {
        const auto found =
            place == shelf_of_.end() ? std::nullopt : tree_.find(place->second, hash);
        if (found && tree_.at(*found).cached())
            remove(at, *found, row);
        else
            ++at.rank.removed_unknown;
    }
}

void Tank::remove(EventOrigin at, BlockRef block, TankLogRow& row) {
    TankBlock& b = tree_.at(block);
    Shelf& on = shelves_[b.shelf];
    --on.blocks;
    on.tokens -= b.tokens;
    --b.copies;
    ++at.rank.blocks_removed;
    ++bin(at.rank).removed;
    if (b.cached()) return;
    --on.distinct;
    const double lived = now_s_ - b.stored_s, idle = now_s_ - b.used_s;
    at.rank.lifetimes.add(lived);
    at.rank.idle.add(idle);
    if (!row.lived_s) {
        row.lived_s = lived;
        row.idle_s = idle;
        row.ends_at = b.depth;
        row.token_ids = first_of(tree_.tokens(block));
    }
    tree_.retire(block);
}

void Tank::apply_event(EventOrigin at, const ServerCleared&) {
    ++at.rank.cleared_events;
    log(at, TankLogKind::Cleared);
    clear(at.rank.rank);
    at.rank.in_doubt = false;  // that nothing is cached is known, whatever was before
}

void Tank::clear(std::int64_t rank) {
    for (const auto& [name, place] : shelf_of_) {
        if (name.rank != rank) continue;
        Shelf& on = shelves_[place];
        if (tree_.first_root(place) != kNoBlock) tree_.clear(place);
        on.blocks = on.distinct = on.tokens = 0;
    }
}

void Tank::apply_event(EventOrigin at, const ServerUnknown& event) {
    ++at.rank.unknown_events;
    log(at, TankLogKind::Unknown).kind_word = event.kind;
    const bool room = unknown_.size() < kMostKinds || unknown_.count(event.kind) > 0;
    ++unknown_[room ? event.kind : std::string(kOtherKinds)];
}

void Tank::apply_mark(const StreamMark& mark) {
    marks_.push_back(mark);
    keep_newest(marks_, kMostMarks);
    // A connection says nothing of a rank until a batch comes over it.
    if (mark.kind == MarkKind::Connected || mark.kind == MarkKind::Disconnected ||
        mark.kind == MarkKind::TryFailed)
        return;
    RankTank* of = rank(mark.rank);
    if (of == nullptr) return;
    switch (mark.kind) {
        case MarkKind::Began:
            of->began_in_the_middle = of->in_doubt = false;
            break;
        case MarkKind::BeganInTheMiddle:
            of->began_in_the_middle = of->in_doubt = true;
            break;
        case MarkKind::GapAsked:
            of->gap_open = true, ++of->gaps_asked;
            break;
        case MarkKind::GapMended:
            of->gap_open = false;
            break;
        case MarkKind::GapLost:
            of->gap_open = false;
            of->in_doubt = true;
            of->missed += mark.last - mark.first + 1;
            break;
        case MarkKind::Restarted:
            ++of->restarts;
            of->gap_open = of->began_in_the_middle = of->in_doubt = false;
            of->first_sequence.reset();
            of->last_sequence.reset();
            clear(mark.rank);
            break;
        case MarkKind::Connected:
        case MarkKind::Disconnected:
        case MarkKind::TryFailed:
            break;
    }
}

void Tank::apply_samples(const SampleEntry& entry) {
    samples_ = entry;
    for (const MetricSample& sample : entry.samples) {
        // A histogram's bars are read at its newest poll; their past would be most of the memory.
        if (sample.labels.find("le=") != std::string::npos) continue;
        const std::pair<std::string, std::string> key{sample.name, sample.labels};
        if (tracks_.size() >= kMostTracks && tracks_.count(key) == 0) continue;
        MetricTrack& track = tracks_[key];
        track.name = sample.name;
        track.labels = sample.labels;
        track.points.emplace_back(entry.time_s, sample.value);
        keep_newest(track.points, kMostPoints);
    }
}

std::vector<ServerHash> Tank::cached(ShelfRef shelf) const {
    std::vector<ServerHash> hashes;
    tree_.each([&](BlockRef block, const TankBlock& b) {
        if (b.shelf == shelf && b.cached()) hashes.push_back(tree_.hash(block));
    });
    std::sort(hashes.begin(), hashes.end());
    return hashes;
}

std::uint64_t Tank::memory_bytes() const {
    std::uint64_t bytes = tree_.memory_bytes();
    for (const auto& [number, of] : ranks_) bytes += sizeof of + of.rates.size() * sizeof(RateBin);
    for (const auto& [key, track] : tracks_)
        bytes += sizeof track + track.points.size() * sizeof(std::pair<double, double>);
    return bytes + log_.size() * sizeof(TankLogRow) + marks_.size() * sizeof(StreamMark);
}

}  // namespace kv
