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
    std::uint64_t in_tanks = end_.memory_bytes();
    for (const Chunk& chunk : chunks_)
        if (chunk.keyframe) in_tanks += chunk.keyframe->memory_bytes();
    chunks_.push_back({.first = size_});
    if (in_tanks <= budget_bytes_ / 2) chunks_.back().keyframe = end_;
}

void TankHistory::drop_oldest() {
    Chunk& oldest = chunks_[0];
    Chunk& next = chunks_[1];
    if (!next.keyframe) {
        next.keyframe = std::move(oldest.keyframe);
        replay(oldest, oldest.ends.size(), *next.keyframe);
    }
    kept_bytes_ -= bytes_of(oldest.bytes.size(), oldest.ends.size());
    chunks_.pop_front();
}

void TankHistory::replay(const Chunk& chunk, std::uint64_t n_entries, Tank& tank) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < n_entries; ++i) {
        const std::size_t end = chunk.ends[i];
        tank.apply(unpacked_entry(std::string_view(chunk.bytes).substr(begin, end - begin)));
        begin = end;
    }
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
    auto from = chunks_.begin();
    for (auto chunk = chunks_.begin(); chunk != chunks_.end() && chunk->first <= moment; ++chunk)
        if (chunk->keyframe) from = chunk;
    Tank tank = *from->keyframe;
    for (auto chunk = from; chunk != chunks_.end() && chunk->first < moment; ++chunk)
        replay(*chunk, std::min<std::uint64_t>(moment - chunk->first, chunk->ends.size()), tank);
    return tank;
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
