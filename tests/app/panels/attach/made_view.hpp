#pragma once
// A watched server that was made up: two ranks, three families of prompts that grow and are cut for
// ten minutes, metrics every ten seconds, a gap that was received. The tank is a real one, so that
// all numbers of the picture agree.

#include <cmath>
#include <memory>

#include "app/panels/attach/view.hpp"

namespace kv::test {

inline ServerHash made_hash(std::uint64_t n) {
    ServerHash hash;
    for (int shift = 56; shift >= 0; shift -= 8)
        hash.bytes.push_back(static_cast<char>(n >> shift & 0xFF));
    return hash;
}

class MadeServer {
public:
    MadeServer() : tank_(TankSettings{.most_blocks = 1U << 14}) {
        mark(MarkKind::Began, 0, 0, 0);
        for (std::uint64_t i = 0; i < 600; ++i) step(i);
    }
    const Tank& tank() const { return tank_; }

private:
    static constexpr std::int64_t kBlock = 16;
    static constexpr std::uint64_t kChainBlocks = 24, kFamilies = 3, kPool = 2048;

    void mark(MarkKind kind, double at, std::uint64_t first, std::uint64_t last) {
        tank_.apply(StreamMark{kind, 0, first, last, at});
    }

    // A prompt: the blocks that its family shares, then some of its own.
    void step(std::uint64_t i) {
        const double at = static_cast<double>(i);
        ServerBatch batch{.time_s = at, .rank = 0, .events = {}};
        const std::uint64_t family = i * i % 7 % kFamilies, shared = 20 + 30 * family;
        const std::uint64_t before = 1'000'000 * (family + 1);
        if (!stored_[family]) {
            store(batch, before, shared, std::nullopt);
            stored_[family] = true;
        }
        const std::uint64_t own = before + 1000 * (1 + i);
        const std::uint64_t length = 4 + i % kChainBlocks;
        store(batch, own, length, before + shared - 1);
        held_.push_back({own, length});
        cached_ += length;
        for (; cached_ > kPool - 200 && first_ < held_.size(); ++first_)
            remove(batch, held_[first_]);
        tank_.apply(BatchEntry{.rank = 0, .sequence = i, .batch = batch});
        if (i % 3 == 0) {
            batch.rank = 1;
            tank_.apply(BatchEntry{.rank = 1, .sequence = i / 3, .batch = batch});
        }
        if (i == 240) mark(MarkKind::GapAsked, at, 236, 239);
        if (i == 241) mark(MarkKind::GapMended, at, 236, 239);
        if (i % 10 == 0) poll(at);
    }
    void store(ServerBatch& batch, std::uint64_t first, std::uint64_t n,
               std::optional<std::uint64_t> parent) {
        ServerStored event;
        for (std::uint64_t b = 0; b < n; ++b) event.hashes.push_back(made_hash(first + b));
        if (parent) event.parent = made_hash(*parent);
        event.tokens.assign(static_cast<std::size_t>(n) * kBlock, 7);
        event.block_size = kBlock;
        batch.events.emplace_back(event);
    }
    struct Held {
        std::uint64_t first, n;
    };
    void remove(ServerBatch& batch, const Held& held) {
        ServerRemoved event;
        for (std::uint64_t b = held.n; b-- > 0;) event.hashes.push_back(made_hash(held.first + b));
        batch.events.emplace_back(event);
        cached_ -= held.n;
    }
    void poll(double at) {
        const double wave = std::sin(at / 30), queries = 1600 * at;
        tank_.apply(SampleEntry{
            at,
            {{"vllm:cache_config_info", "engine=\"0\",num_gpu_blocks=\"2049\"", 1},
             {"vllm:kv_cache_usage_perc", "engine=\"0\"", 0.3 + 0.1 * wave},
             {"vllm:num_requests_running", "engine=\"0\"", std::floor(24 + 9 * wave)},
             {"vllm:num_requests_waiting", "engine=\"0\"", wave > 0.95 ? 2.0 : 0.0},
             {"vllm:prefix_cache_hits_total", "engine=\"0\"", std::floor(queries * 0.7)},
             {"vllm:prefix_cache_queries_total", "engine=\"0\"", queries}}});
    }

    Tank tank_;
    std::array<bool, kFamilies> stored_{};
    std::vector<Held> held_;
    std::size_t first_ = 0;
    std::uint64_t cached_ = 0;
};

inline std::shared_ptr<const ServerView> made_view(const PictureAsk& ask = {.ranks = {0}}) {
    const MadeServer made;
    ServerView view;
    view.phase = AttachPhase::Live;
    view.address = "tcp://localhost:5557";
    view.topic = "kv";
    view.has_replay = view.has_metrics = true;
    view.polled_s = 0.4;
    view.sequence = view.newest_sequence = 599;
    view.newest_s = made.tank().now_s();
    view.events = 2211;
    view.tank = tank_picture_of(made.tank(), ask, std::nullopt);
    view.kept_bytes = std::uint64_t{18} << 20;
    view.most_bytes = std::uint64_t{512} << 20;
    return std::make_shared<const ServerView>(std::move(view));
}

}  // namespace kv::test
