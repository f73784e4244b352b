// Row `cpu_kv_attention`: attention of one new token over a long cache of fp16, all layers, against
// reading its keys and values at the speed of the read probe; and what pages cost: blocks of 16 in
// a shuffled order against one block that holds everything. The two are measured in pairs, a moment
// after each other and each first in every other pair, and the ratio that counts is the median of
// the pairs': what the machine does meanwhile strikes both of a pair, or few pairs.

#include <algorithm>

#include "bench/cpu_model.hpp"
#include "core/base/error.hpp"
#include "core/base/formats.hpp"
#include "core/base/random.hpp"
#include "core/cache/kv_pool.hpp"
#include "core/engine/cpu/cpu_attention.hpp"
#include "core/engine/cpu/kernels_of_path.hpp"

namespace kv::bench {
namespace {

// A filled cache and one query; logical slot s holds the same numbers whatever the block size.
class Cache {
public:
    Cache(const ModelConfig& config, std::uint32_t depth, std::uint32_t block_size,
          cpu::ThreadPool& threads)
        : config_(config),
          threads_(threads),
          spec_(pool_of(depth, block_size)),
          pool_(layout_of(config, spec_), spec_.k, spec_.v),
          attention_(config, pool_, spec_, cpu::kernels_of_path(best_cpu_path())),
          q_(config.n_heads * config.head_dim),
          mixed_(q_.size()),
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

    double seconds() {
        const SequenceWork work{{}, {}, {}, &tables_, {}};
        const cpu::Query query{&work, depth_ - 1, q_.data(), mixed_.data()};
        return seconds_of([&] {
            for (std::uint32_t l = 0; l < config_.n_layers; ++l)
                attention_.run(threads_, LayerId(l), {&query, 1});
        });
    }
    const std::vector<float>& mixed() const { return mixed_; }
    double bytes() const {
        return static_cast<double>(config_.n_layers * config_.n_kv_heads * depth_ *
                                   (pool_.layout().k.bytes + pool_.layout().v.bytes));
    }

private:
    void fill() {
        const Random random(2, 0);
        std::uint64_t draw = 0;
        const auto next = [&] { return static_cast<float>(2 * random.unit(draw++) - 1); };
        for (float& q : q_) q = 3 * next();
        std::vector<float> vector(config_.head_dim);
        for (std::uint32_t slot = 0; slot < depth_; ++slot)
            for (std::uint32_t l = 0; l < config_.n_layers; ++l)
                for (std::uint32_t h = 0; h < config_.n_kv_heads; ++h)
                    for (const KvSide side : {KvSide::K, KvSide::V}) {
                        for (float& value : vector) value = next();
                        encode_vector(spec_.k, vector.data(),
                                      static_cast<std::uint32_t>(vector.size()),
                                      pool_.vector(LayerId(l), side, HeadId(h),
                                                   tables_.tables[0][slot / spec_.block_size],
                                                   Slot(slot % spec_.block_size)));
                    }
    }

    const ModelConfig& config_;
    cpu::ThreadPool& threads_;
    PoolSpec spec_;
    KvPool pool_;
    cpu::Attention attention_;
    BlockTables tables_;
    std::vector<float> q_, mixed_;
    std::uint32_t depth_;
};

struct Depth {
    std::vector<double> paged_ms, whole_ms, floor_ms, ratios;
};

void measure_pair(Cache& paged, Cache& whole, bool paged_first, Depth& d) {
    double paged_seconds = 0, whole_seconds = 0;
    if (paged_first) paged_seconds = paged.seconds();
    whole_seconds = whole.seconds();
    if (!paged_first) paged_seconds = paged.seconds();
    d.paged_ms.push_back(1e3 * paged_seconds);
    d.whole_ms.push_back(1e3 * whole_seconds);
    d.ratios.push_back(paged_seconds / whole_seconds);
}

Depth measure_depth(const ModelConfig& config, std::uint32_t depth, std::size_t samples) {
    constexpr std::size_t kPairs = 16;  // of a sample
    cpu::ThreadPool threads(best_workers());
    Cache paged(config, depth, 16, threads), whole(config, depth, depth, threads);
    paged.seconds();
    whole.seconds();
    if (paged.mixed() != whole.mixed())
        throw Error{ErrorCode::Check,
                    "Attention over pages differs from attention over one block; a "
                    "time would mean nothing. Run the tests."};
    ReadProbe probe(static_cast<std::size_t>(paged.bytes()), threads);
    Depth d;
    for (std::size_t i = 0; i < samples; ++i) {
        d.floor_ms.push_back(1e3 * paged.bytes() / probe.bytes_per_second());
        whole.seconds();  // the probe has filled the caches
        for (std::size_t pair = 0; pair < kPairs; ++pair)
            measure_pair(paged, whole, pair % 2 == 0, d);
    }
    return d;
}

}  // namespace

Result measure_cpu_kv_attention(const Programs&, std::size_t samples) {
    Result result;
    result.row = "cpu_kv_attention";
    result.what = "attention of one token over an fp16 cache: pages against one block";
    const ModelConfig short_config = config_of(k110M), long_config = config_of(kLong);
    const Depth at_896 = measure_depth(short_config, 896, samples),
                at_4k = measure_depth(long_config, 4096, samples);
    result.figures = {{"110M, 896, pages", "ms", spread_of(at_896.paged_ms)},
                      {"110M, 896, one block", "ms", spread_of(at_896.whole_ms)},
                      {"110M, 896, floor", "ms", spread_of(at_896.floor_ms)},
                      {"110M, 896, pages to one block", "x", spread_of(at_896.ratios)},
                      {"long, 4096, pages", "ms", spread_of(at_4k.paged_ms)},
                      {"long, 4096, one block", "ms", spread_of(at_4k.whole_ms)},
                      {"long, 4096, floor", "ms", spread_of(at_4k.floor_ms)},
                      {"long, 4096, pages to one block", "x", spread_of(at_4k.ratios)}};
    result.ratio = std::max(spread_of(at_896.ratios).median, spread_of(at_4k.ratios).median);
    result.goal = 1.05;
    result.renderer = cpu_words(best_workers() + 1);
    return result;
}

}  // namespace kv::bench
