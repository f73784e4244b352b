#include "core/whatif/record/public_trace.hpp"

#include <unordered_map>

#include "core/base/shown.hpp"
#include "core/sim/traces/reader.hpp"

namespace kv {
namespace {

class TraceChains {
public:
    explicit TraceChains(Recording& recording) : recording_(recording) {}

    void ask(const TraceRow& row) {
        std::optional<ChainId> at;
        for (const u64 hash : row.hash_ids) at = block(at, hash);
        if (!at) {
            recording_.unblocked.push_back(row.prompt);
            return;
        }
        if (!first_ns_) first_ns_ = row.arrival_ns;
        const u64 ns = row.arrival_ns - std::min(row.arrival_ns, *first_ns_);
        const double time_s = static_cast<double>(ns) * 1e-9;
        recording_.seconds = std::max(recording_.seconds, time_s);
        const auto n = static_cast<std::uint32_t>(row.hash_ids.size());
        recording_.streams.front().asks.push_back(
            {*at, n, n, 0, row.prompt, row.prompt - 1, time_s});
    }

private:
    // A hash stands for its block and all before it, so beneath another parent it is another block.
    ChainId block(std::optional<ChainId> parent, u64 hash) {
        auto& below = known_[hash];
        for (const ChainId id : below)
            if (recording_.chains.parent(id) == parent) return id;
        if (!below.empty()) ++recording_.passed_over["second_parent"];
        below.push_back(recording_.chains.add(parent));
        return below.back();
    }

    Recording& recording_;
    std::unordered_map<u64, std::vector<ChainId>> known_;
    std::optional<u64> first_ns_;
};

}  // namespace

std::optional<Recording> read_public_trace(const std::string& path, std::optional<u64> limit,
                                           const WhatIfProgress& progress) {
    Recording recording;
    recording.kind = RecordingKind::PublicTrace;
    recording.streams.emplace_back();
    TraceChains chains(recording);
    const auto file =
        read_trace(path, limit, progress, [&](TraceFormat format, const TraceRow& row) {
            recording.block_size = static_cast<std::uint32_t>(tokens_per_hash(format).value_or(0));
            if (recording.block_size > 0) chains.ask(row);
        });
    if (!file) return std::nullopt;
    recording.format = name_of(file->format);
    if (recording.streams.front().asks.empty())
        throw Error{
            ErrorCode::World,
            shown(path) + ": a trace of " + recording.format +
                " whose prompts have no hashes of blocks, so it does not say what is asked "
                "for twice; give a recording of events, a Mooncake or a Qwen-Bailian trace."};
    return recording;
}

}  // namespace kv
