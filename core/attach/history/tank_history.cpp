#include "core/attach/history/tank_history.hpp"

#include <algorithm>

#include "core/attach/history/entry_pack.hpp"

namespace kv {
namespace {

// Half of the budget is for entries, half for whole tanks; any moment is at most one part in
// sixteen of the past away from where a tank may stand.
constexpr std::uint64_t kChunks = 16, kSmallestChunk = 4096;
constexpr std::uint64_t kBytesBesideAnEntry = sizeof(std::size_t) + sizeof(double);

std::uint64_t bytes_of(std::size_t n_bytes, std::size_t n_entries) {
    return n_bytes + n_entries * kBytesBesideAnEntry;
}

// Nobody who did not ask for tokens keeps them, not even in the past.
void leave_tokens_out(TankEntry& entry) {
    auto* batch = std::get_if<BatchEntry>(&entry);
    if (batch == nullptr) return;
    for (ServerEvent& event : batch->batch.events)
        if (auto* stored = std::get_if<ServerStored>(&event)) stored->tokens.clear();
}

}  // namespace

TankHistory::TankHistory(const TankSettings& settings, std::uint64_t budget_bytes)
    : budget_bytes_(budget_bytes), end_(settings) {
    chunks_.push_back({.keyframe = end_});
}

void TankHistory::add(TankEntry entry) {
    if (!end_.settings().keep_tokens) leave_tokens_out(entry);
    end_.apply(entry);
    Chunk& chunk = chunks_.back();
    const std::string bytes = packed(entry);
    chunk.bytes += bytes;
    chunk.ends.push_back(chunk.bytes.size());
    chunk.times_s.push_back(end_.now_s());
    ++size_;
    kept_bytes_ += bytes_of(bytes.size(), 1);
    if (bytes_of(chunk.bytes.size(), chunk.ends.size()) >=
        std::max(kSmallestChunk, budget_bytes_ / 2 / kChunks))
        open_chunk();
    while (kept_bytes_ > budget_bytes_ / 2 && chunks_.size() > 1) drop_oldest();
}

void TankHistory::open_chunk() {
    // `end_` stands for the copy of it that would be kept. The live tank itself is outside of the
    // budget: `most_blocks` bounds it.
    std::uint64_t in_tanks = end_.memory_bytes();
    for (const Chunk& chunk : chunks_)
        if (chunk.keyframe) in_tanks += chunk.keyframe->memory_bytes();
    Chunk& full = chunks_.back();
    full.bytes.shrink_to_fit();
    full.ends.shrink_to_fit();
    full.times_s.shrink_to_fit();
    chunks_.push_back({.first = size_});
    if (in_tanks <= budget_bytes_ / 2) chunks_.back().keyframe = end_;
}

// Where the next chunk has a keyframe, the moments from there on need nothing of the oldest chunk,
// which goes at once. Where it has none, the oldest chunk's tank takes up its entries, one a call,
// so that nobody waits while many are applied.
void TankHistory::drop_oldest() {
    Chunk& oldest = chunks_[0];
    Chunk& next = chunks_[1];
    if (!next.keyframe && oldest.gone < oldest.ends.size()) {
        const std::string_view bytes = oldest.entry(oldest.gone);
        oldest.keyframe->apply(unpacked_entry(bytes));
        kept_bytes_ -= bytes_of(bytes.size(), 1);
        ++oldest.gone;
        return;
    }
    if (!next.keyframe) next.keyframe = std::move(oldest.keyframe);
    for (std::size_t i = oldest.gone; i < oldest.ends.size(); ++i)
        kept_bytes_ -= bytes_of(oldest.entry(i).size(), 1);
    chunks_.pop_front();
}

std::uint64_t TankHistory::first() const {
    return chunks_.front().keyframe_at();
}

std::size_t TankHistory::chunk_of(std::uint64_t moment) const {
    const auto after =
        std::upper_bound(chunks_.begin() + 1, chunks_.end(), moment,
                         [](std::uint64_t m, const Chunk& chunk) { return m < chunk.first; });
    return static_cast<std::size_t>(after - chunks_.begin()) - 1;
}

Tank TankHistory::at(std::uint64_t moment) const {
    moment = std::clamp(moment, first(), size_);
    if (moment == size_) return end_;
    std::optional<TankJourney> journey;
    travel(journey, moment, size_);
    return std::move(journey->tank);
}

bool TankHistory::travel(std::optional<TankJourney>& journey, std::uint64_t moment,
                         std::size_t n_entries) const {
    moment = std::clamp(moment, first(), size_);
    const Chunk* from = nullptr;  // the last one with a keyframe that lies before
    for (const Chunk& chunk : chunks_)
        if (chunk.keyframe && chunk.keyframe_at() <= moment) from = &chunk;
    if (!journey || journey->moment > moment || journey->moment < from->keyframe_at())
        journey.emplace(TankJourney{*from->keyframe, from->keyframe_at()});
    for (std::size_t at = chunk_of(journey->moment); journey->moment < moment; ++at) {
        const Chunk& chunk = chunks_[at];
        for (std::uint64_t i = journey->moment - chunk.first; i < chunk.ends.size(); ++i) {
            if (journey->moment == moment) return true;
            if (n_entries-- == 0) return false;
            journey->tank.apply(unpacked_entry(chunk.entry(i)));
            ++journey->moment;
        }
    }
    return true;
}

double TankHistory::time_of(std::uint64_t moment) const {
    moment = std::clamp(moment, first(), size_);
    const std::size_t at = chunk_of(moment);
    const Chunk& chunk = chunks_[at];
    if (moment > chunk.first) return chunk.times_s[moment - chunk.first - 1];
    return at > 0 ? chunks_[at - 1].times_s.back() : chunk.keyframe->now_s();
}

std::uint64_t TankHistory::moment_at(double time_s) const {
    std::uint64_t moment = first();
    for (const Chunk& chunk : chunks_) {
        const auto later = std::upper_bound(chunk.times_s.begin(), chunk.times_s.end(), time_s);
        moment = std::max<std::uint64_t>(
            moment, chunk.first + static_cast<std::uint64_t>(later - chunk.times_s.begin()));
        if (later != chunk.times_s.end()) break;
    }
    return moment;
}

}  // namespace kv
