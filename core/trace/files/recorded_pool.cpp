#include "core/trace/files/recorded_pool.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/server/hash.hpp"
#include "core/trace/trace.hpp"

namespace kv {
namespace {

struct MediumWord {
    std::string_view word;
    Medium medium;
};
constexpr std::array<MediumWord, 12> kMediumWords{{{"GPU", Medium::Device},
                                                   {"gpu", Medium::Device},
                                                   {"device", Medium::Device},
                                                   {"CPU", Medium::Host},
                                                   {"cpu", Medium::Host},
                                                   {"host", Medium::Host},
                                                   {"CPU_PINNED", Medium::Host},
                                                   {"DISK", Medium::File},
                                                   {"disk", Medium::File},
                                                   {"STORAGE", Medium::File},
                                                   {"FS", Medium::File},
                                                   {"file", Medium::File}}};

bool are_token_ids(const std::vector<std::int64_t>& tokens) {
    return std::all_of(tokens.begin(), tokens.end(), [](std::int64_t token) {
        return token >= 0 && token <= std::numeric_limits<std::uint32_t>::max();
    });
}

Hashes bits_of(const std::vector<ServerHash>& hashes) {
    Hashes bits;
    bits.reserve(hashes.size());
    for (const ServerHash& hash : hashes) bits.push_back(low_bits(hash));
    return bits;
}

std::optional<EventRefusal> cannot(std::string rule) {
    return EventRefusal{"", std::move(rule)};
}

}  // namespace

std::uint32_t RecordedPool::Ids::take(std::uint64_t hash, std::uint32_t slots) {
    std::uint32_t id = next_;
    if (free_.empty()) {
        most_ = std::max(most_, ++next_);
    } else {
        id = free_.top();
        free_.pop();
    }
    of_[hash].push_back(id);
    slots_.resize(std::max<std::size_t>(slots_.size(), most_));
    slots_[id] = slots;
    return id;
}

std::optional<std::uint32_t> RecordedPool::Ids::give_back(std::uint64_t hash) {
    const auto found = of_.find(hash);
    if (found == of_.end()) return std::nullopt;
    const std::uint32_t id = found->second.front();
    found->second.pop_front();
    if (found->second.empty()) of_.erase(found);
    free_.push(id);
    return id;
}

std::optional<std::uint32_t> RecordedPool::Ids::newest(std::uint64_t hash) const {
    const auto found = of_.find(hash);
    if (found == of_.end()) return std::nullopt;
    return found->second.back();
}

std::vector<std::uint32_t> RecordedPool::Ids::all() const {
    std::vector<std::uint32_t> ids;
    for (const auto& [hash, copies] : of_) ids.insert(ids.end(), copies.begin(), copies.end());
    std::sort(ids.begin(), ids.end());
    return ids;
}

void RecordedPool::Ids::clear() {
    of_.clear();
    free_ = {};
    next_ = 0;
}

void RecordedPool::store(std::uint32_t iteration, const ServerStored& event) {
    if (event.hashes.empty()) return;  // a group whose layers keep none of these blocks
    const auto medium = medium_of(event.medium, event.hashes.size());
    if (!medium) return;
    BlockStored stored = converted(event);
    stored.medium = *medium;
    if (*medium == Medium::Device)
        store_here(iteration, std::move(stored));
    else
        keep_below(iteration, std::move(stored));
}

void RecordedPool::remove(std::uint32_t iteration, const ServerRemoved& event) {
    const auto medium = medium_of(event.medium, 0);
    if (!medium) return;
    BlockRemoved removed;
    removed.medium = *medium;
    const Hashes hashes = bits_of(event.hashes);
    if (*medium != Medium::Device) {
        removed.block_hashes = hashes;
        return drop_below(iteration, std::move(removed));
    }
    for (const std::uint64_t hash : hashes) {
        const auto block = device_.give_back(hash);
        if (!block) {
            ++counts_.removed_unknown;
            continue;
        }
        removed.block_hashes.push_back(hash);
        removed.blocks.push_back(*block);
    }
    counts_.removed += removed.blocks.size();
    if (!removed.blocks.empty()) add(iteration, std::move(removed));
}

void RecordedPool::clear(std::uint32_t iteration) {
    device_.clear();
    add(iteration, AllBlocksCleared{});
}

void RecordedPool::restart(std::uint32_t iteration) {
    clear(iteration);
    for (const std::uint32_t place : host_.all())
        add(iteration, TierPlaceFreed{Medium::Host, place});
    host_.clear();
}

// The tiers that a trace has room for. Two media that would lie in one of them are not mixed: the
// one that came first has it, and the other is counted.
std::optional<Medium> RecordedPool::medium_of(const std::string& word, u64 n_blocks) {
    for (const MediumWord& known : kMediumWords) {
        if (known.word != word) continue;
        if (known.medium == Medium::Device) return known.medium;
        std::string& owner = known.medium == Medium::Host ? host_word_ : file_word_;
        if (owner.empty()) owner = word;
        if (owner == word) return known.medium;
    }
    count_of(counts_.other_media, word) += n_blocks;
    return std::nullopt;
}

// A group that keeps some of its blocks only names those and sends the tokens of all, so nobody can
// say which belong to which: then they are left out.
BlockStored RecordedPool::converted(const ServerStored& event) {
    BlockStored stored;
    stored.block_hashes = bits_of(event.hashes);
    if (event.parent) stored.parent_block_hash = low_bits(*event.parent);
    constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
    stored.block_size = static_cast<std::uint32_t>(std::min(event.block_size, kMost));
    const bool fits = event.tokens.size() == event.hashes.size() * u64{stored.block_size};
    if (fits && are_token_ids(event.tokens))
        stored.token_ids.assign(event.tokens.begin(), event.tokens.end());
    else if (!event.tokens.empty())
        counts_.without_tokens += event.hashes.size();
    return stored;
}

// Where hits are announced, a run from the beginning of a prompt begins with those that are here.
// One whose end is here is a hit as a whole: a window's group names blocks that left the window
// too.
void RecordedPool::leave_hits_out(BlockStored& stored) {
    Hashes& hashes = stored.block_hashes;
    const auto is_here = [&](std::uint64_t hash) { return device_.newest(hash).has_value(); };
    const bool is_hit = !hashes.empty() && is_here(hashes.back());
    const auto first_new =
        is_hit ? hashes.end() : std::find_if_not(hashes.begin(), hashes.end(), is_here);
    const auto n_hits = static_cast<std::size_t>(first_new - hashes.begin());
    if (n_hits == 0) return;
    counts_.announced_again += n_hits;
    stored.parent_block_hash = hashes[n_hits - 1];
    hashes.erase(hashes.begin(), first_new);
    TokenIds& tokens = stored.token_ids;
    if (tokens.empty()) return;
    const auto n_tokens = static_cast<std::ptrdiff_t>(n_hits * stored.block_size);
    tokens.erase(tokens.begin(), tokens.begin() + n_tokens);
}

void RecordedPool::store_here(std::uint32_t iteration, BlockStored stored) {
    if (hits_ == ReportedHits::Announced && !stored.parent_block_hash) leave_hits_out(stored);
    if (stored.block_hashes.empty()) return;
    block_size_ = std::max(block_size_, stored.block_size);
    counts_.stored += stored.block_hashes.size();
    stored_by_size_[stored.block_size] += stored.block_hashes.size();
    for (const std::uint64_t hash : stored.block_hashes)
        stored.blocks.push_back(device_.take(hash, stored.block_size));
    add(iteration, std::move(stored));
}

// A content that the device holds is seen to move down. One that it does not hold any more has no
// place in the picture; it is counted.
void RecordedPool::keep_below(std::uint32_t iteration, BlockStored stored) {
    counts_.below += stored.block_hashes.size();
    size_below_ = std::max(size_below_, stored.block_size);
    for (const std::uint64_t hash : stored.block_hashes) {
        const auto block = device_.newest(hash);
        if (!block) {
            ++counts_.below_unseen;
            continue;
        }
        const std::uint32_t slots = device_.slots_of(*block);
        const std::uint32_t place = ids_in(stored.medium).take(hash, slots);
        add(iteration, TransferStarted{.from = Medium::Device,
                                       .to = stored.medium,
                                       .from_id = *block,
                                       .to_id = place,
                                       .hash = hash,
                                       .slots = slots});
        add(iteration,
            TransferFinished{
                .from = Medium::Device, .to = stored.medium, .from_id = *block, .to_id = place});
    }
    add(iteration, std::move(stored));
}

void RecordedPool::drop_below(std::uint32_t iteration, BlockRemoved removed) {
    for (const std::uint64_t hash : removed.block_hashes) {
        const auto place = ids_in(removed.medium).give_back(hash);
        if (place)
            add(iteration, TierPlaceFreed{removed.medium, *place});
        else
            ++counts_.removed_unknown;
    }
    add(iteration, std::move(removed));
}

RecordedBlocks RecordedPool::counts() const {
    RecordedBlocks counts = counts_;
    for (const auto& [size, n] : stored_by_size_)
        if (size > 0 && size < block_size_) counts.partial += n;
    return counts;
}

std::uint32_t RecordedPool::block_size() const {
    return std::max(1U, block_size_ > 0 ? block_size_ : size_below_);
}

bool RecordedPool::overflows() const {
    return device_.most() > kMostRecordedBlocks || host_.most() > kMostRecordedBlocks ||
           file_.most() > kMostRecordedBlocks;
}

void RecordedPool::add(std::uint32_t iteration, EventBody what) {
    pack({iteration, std::nullopt, {Why::Recorded}, std::move(what)}, events_);
}

std::optional<EventRefusal> RecordedPool::write(Trace& trace, std::optional<std::uint32_t> n_blocks,
                                                const std::vector<double>& us_of_iteration) const {
    const std::uint32_t needed = std::max(1U, device_.most());
    const std::uint32_t given = n_blocks.value_or(needed);
    if (given < needed)
        return cannot("stores " + with_commas(needed) +
                      " blocks at the same time and the pool has " + with_commas(given));
    if (given > kMostRecordedBlocks)
        return cannot("cannot be shown in a pool of more than " + with_commas(kMostRecordedBlocks) +
                      " blocks");
    const std::uint32_t block_size = this->block_size();
    if (block_size > kLargestRecordedBlock)
        return cannot("stores blocks of " + with_commas(block_size) +
                      " tokens, and those that can be shown have " +
                      with_commas(kLargestRecordedBlock) + " at most");
    const auto append = [&](std::uint32_t iteration, EventBody what) {
        trace.append({iteration, std::nullopt, {Why::Recorded}, std::move(what)});
    };
    append(0, PoolMade{.n_blocks = given,
                       .block_size = block_size,
                       .n_host = host_.most(),
                       .n_file = file_.most()});
    std::size_t at = 0;
    std::optional<Event> next;
    const auto read = [&] {
        next = at < events_.size() ? std::optional(unpack(events_, at)) : std::nullopt;
    };
    read();
    for (std::uint32_t iteration = 1; iteration <= us_of_iteration.size(); ++iteration) {
        append(iteration, IterationStarted{});
        for (; next && next->iteration == iteration; read()) {
            // A server that sent no size has blocks of the pool's.
            if (auto* stored = std::get_if<BlockStored>(&next->what); stored && !stored->block_size)
                stored->block_size = block_size;
            trace.append(*next);
        }
        append(iteration, IterationFinished{.us = us_of_iteration[iteration - 1]});
    }
    return std::nullopt;
}

}  // namespace kv
