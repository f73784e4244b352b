#pragma once
// A backend that counts the work of a batch and does none of it: for generations whose counters are
// wanted and not their text. Its logits are zeros, so a greedy run draws token 0.

#include "core/base/error.hpp"
#include "core/engine/pool/backend.hpp"
#include "core/engine/work/count_work.hpp"

namespace kv {

class CountingBackend final : public PoolBackend {
public:
    CountingBackend(const ModelConfig& config, const Weights& weights, const PoolSpec& pool)
        : PoolBackend(config, pool), config_(config), weights_(weights) {}

    std::string_view name() const override { return "counting"; }
    ForwardResult forward(const Batch& batch, TapSink*) override {
        ForwardResult result;
        for (const SequenceWork& work : batch.sequences)
            result.logits.resize(result.logits.size() +
                                 work.logit_rows.size() * config_.vocab_size);
        result.work = count_work(config_, weights_, layout(), batch);
        return result;
    }

private:
    const ModelConfig& config_;
    const Weights& weights_;
};

}  // namespace kv
