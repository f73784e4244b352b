#pragma once
// A run made of events alone: requests hold half of a pool of a hundred thousand blocks, and one
// block in a hundred changes hands at each step. What the window's rows draw.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "app/panels/view/run.hpp"
#include "core/trace/event/event.hpp"

namespace kv::bench {

class LargePool {
public:
    static constexpr std::uint32_t kBlocks = 100'000, kHolders = 64;

    LargePool();
    // Every request but the first, which is in focus, lets its last blocks go, or takes them again.
    void step();
    RunView view() const;

private:
    static constexpr std::uint32_t kOfEach = kBlocks / 2 / kHolders,
                                   kMoved = kBlocks / 100 / (kHolders - 1);
    void tell(EventBody what, std::optional<SeqId> request = std::nullopt);

    std::uint32_t iteration_ = 1;
    bool holding_ = true;
    Trace trace_;
    MetricSeries series_;
    KvLayout layout_;
    ModelConfig config_{};
    PayloadLog payloads_{0};
    std::map<std::string, std::string> settings_;
    std::string word_ = "word";
};

}  // namespace kv::bench
