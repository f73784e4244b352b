#include "bench/cpu/attention_cache.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "core/base/kv_head.hpp"
#include "core/base/random.hpp"
#include "core/engine/cpu/kernels/of_path.hpp"

namespace kv::bench {
namespace {

PoolSpec spec_of(std::uint32_t depth, std::uint32_t block_size, const Codec& codec) {
    PoolSpec spec = pool_of(depth, block_size);
    spec.k = spec.v = codec;
    return spec;
}

}  // namespace

AttentionCache::AttentionCache(const ModelConfig& config, std::uint32_t depth,
                               std::uint32_t block_size, const Codec& codec,
                               cpu::ThreadPool& threads)
    : config_(config),
      threads_(threads),
      spec_(spec_of(depth, block_size, codec)),
      pool_(layout_of(config, spec_), spec_.k, spec_.v),
      attention_(config, pool_, spec_, cpu::kernels_of_path(best_cpu_path())),
      q_(config.n_heads * config.head_dim),
      attention_output_(q_.size()),
      depth_(depth) {
    tables_.tables.resize(1);
    // An odd stride visits every block of the power of two that follows, out of order.
    std::uint32_t round = 1;
    while (round < spec_.n_blocks) round *= 2;
    for (std::uint32_t i = 0; i < round; ++i)
        if (const std::uint32_t b = i * 37 % round; b < spec_.n_blocks)
            tables_.tables[0].push_back(BlockId(b));
    fill();
}

AttentionCache::Took AttentionCache::attend() {
    const SequenceWork work{{}, {}, {}, &tables_, {}};
    const cpu::Query query{&work, depth_ - 1, q_.data(), attention_output_.data()};
    const std::clock_t before = std::clock();
    const double seconds = seconds_of([&] {
        for (std::uint32_t l = 0; l < config_.n_layers; ++l)
            attention_.run(threads_, LayerId(l), {&query, 1});
    });
    return {seconds, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC};
}

double AttentionCache::bytes() const {
    return static_cast<double>(config_.n_layers * config_.n_kv_heads * depth_ *
                               (pool_.layout().k.bytes + pool_.layout().v.bytes));
}

void AttentionCache::fill() {
    const Random random(2, 0);
    std::uint64_t draw = 0;
    const auto next = [&] { return static_cast<float>(2 * random.unit(draw++) - 1); };
    for (float& q : q_) q = 3 * next();
    std::vector<float> vector(config_.head_dim);
    for (std::uint32_t slot = 0; slot < depth_; ++slot)
        for (std::uint32_t l = 0; l < config_.n_layers; ++l)
            for (std::uint32_t h = 0; h < config_.n_kv_heads; ++h)
                for (const Side side : {Side::K, Side::V}) {
                    for (float& value : vector) value = next();
                    encode_vector(spec_.k, vector.data(), static_cast<std::uint32_t>(vector.size()),
                                  pool_.vector(LayerId(l), side, HeadId(h), block_of(slot),
                                               Slot(slot % spec_.block_size)));
                }
}

void AttentionCache::attend_naively() {
    for (std::uint32_t l = 0; l < config_.n_layers; ++l)
        for (std::uint32_t h = 0; h < config_.n_heads; ++h) attend_naively(LayerId(l), h);
}

void AttentionCache::attend_naively(LayerId layer, std::uint32_t head) {
    const auto dim = static_cast<std::uint32_t>(config_.head_dim);
    const HeadId kv_head = kv_head_of(head, config_.n_heads, config_.n_kv_heads);
    std::vector<float> row(dim), weights(depth_);
    const auto read = [&](Side side, std::uint32_t slot) {
        decode_vector(
            spec_.k,
            pool_.vector(layer, side, kv_head, block_of(slot), Slot(slot % spec_.block_size)), dim,
            row.data());
    };
    const float* q = &q_[std::size_t{head} * dim];
    for (std::uint32_t s = 0; s < depth_; ++s) {
        read(Side::K, s);
        for (std::uint32_t c = 0; c < dim; ++c) weights[s] += q[c] * row[c];
        weights[s] /= std::sqrt(static_cast<float>(dim));
    }
    const float most = *std::max_element(weights.begin(), weights.end());
    float sum = 0;
    for (float& weight : weights) sum += weight = std::exp(weight - most);
    float* out = &attention_output_[std::size_t{head} * dim];
    std::fill_n(out, dim, 0.0f);
    for (std::uint32_t s = 0; s < depth_; ++s) {
        read(Side::V, s);
        for (std::uint32_t c = 0; c < dim; ++c) out[c] += weights[s] / sum * row[c];
    }
}

void measure_pairs(AttentionCache& cache, AttentionCache& other, std::size_t n, Pairs& to) {
    for (std::size_t i = 0; i < n; ++i) {
        AttentionCache::Took ours{}, others{};
        if (i % 2 == 0) ours = cache.attend();
        others = other.attend();
        if (i % 2 == 1) ours = cache.attend();
        to.ms.push_back(1e3 * ours.seconds);
        to.other_ms.push_back(1e3 * others.seconds);
        to.ratios.push_back(ours.processor_seconds / others.processor_seconds);
    }
}

}  // namespace kv::bench
