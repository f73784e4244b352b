#include "bench/cpu/model.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>
#include <thread>

#include "core/base/error.hpp"
#include "core/base/numbers/formats.hpp"
#include "core/base/random.hpp"
#include "core/engine/cpu/backend.hpp"
#include "core/engine/reference/reference.hpp"

namespace kv::bench {
namespace {

// Uniform, with the variance that keeps a row's size; zeros would flatter.
Matrix random_matrix(u64 rows, u64 columns, WeightStorage storage, std::uint64_t& stream) {
    Matrix m(rows, columns, storage);
    const Random random(1, ++stream);
    const float reach = std::sqrt(3.0f / static_cast<float>(columns)) * std::ldexp(1.0f, -31);
    for (u64 i = 0; i < rows * columns; ++i) {
        const float value = static_cast<float>(static_cast<std::int32_t>(random.bits(i))) * reach;
        if (storage == WeightStorage::F32)
            m.f32()[i] = value;
        else
            m.bf16()[i] = bf16_from_float(value);
    }
    return m;
}

LayerWeights random_layer(const CpuShape& s, WeightStorage storage, std::uint64_t& stream) {
    const u64 q = s.n_heads * s.head_dim, kv = s.n_kv_heads * s.head_dim;
    LayerWeights w;
    w.attention_norm.assign(s.hidden, 1);
    w.mlp_norm.assign(s.hidden, 1);
    w.q = random_matrix(q, s.hidden, storage, stream);
    w.k = random_matrix(kv, s.hidden, storage, stream);
    w.v = random_matrix(kv, s.hidden, storage, stream);
    w.o = random_matrix(s.hidden, q, storage, stream);
    w.gate = random_matrix(s.intermediate, s.hidden, storage, stream);
    w.up = random_matrix(s.intermediate, s.hidden, storage, stream);
    w.down = random_matrix(s.hidden, s.intermediate, storage, stream);
    return w;
}

}  // namespace

ModelConfig config_of(const CpuShape& s) {
    ModelConfig c;
    c.name = s.name;
    c.n_layers = s.n_layers;
    c.n_heads = s.n_heads;
    c.n_kv_heads = s.n_kv_heads;
    c.head_dim = c.v_head_dim = s.head_dim;
    c.hidden_size = s.hidden;
    c.intermediate_size = s.intermediate;
    c.vocab_size = s.vocab;
    c.max_positions = 8192;
    c.tied_embeddings = true;
    c.sliding_layers.assign(s.n_layers, false);
    return c;
}

CpuModel random_model(const CpuShape& shape, WeightStorage storage) {
    CpuModel model{config_of(shape), {}};
    std::uint64_t stream = 0;
    model.weights.embedding = random_matrix(shape.vocab, shape.hidden, storage, stream);
    for (u64 l = 0; l < shape.n_layers; ++l)
        model.weights.layers.push_back(random_layer(shape, storage, stream));
    model.weights.final_norm.assign(shape.hidden, 1);
    return model;
}

PoolSpec pool_of(std::uint32_t slots, std::uint32_t block_size) {
    return {(slots + block_size - 1) / block_size, block_size, KvOrder::HeadMajor, Codec::Fp16,
            Codec::Fp16};
}

Continuation::Continuation(Backend& backend) : backend_(backend) {
    tables_.tables.resize(1);
    for (std::uint32_t b = 0; b < backend.layout().n_blocks; ++b)
        tables_.tables[0].push_back(BlockId(b));
}

std::vector<float> Continuation::feed(std::size_t n_tokens) {
    return go_on(n_tokens, n_tokens - 1, false);
}

std::vector<float> Continuation::check(std::size_t n_tokens) {
    return go_on(n_tokens, 0, true);
}

std::vector<float> Continuation::go_on(std::size_t n_tokens, std::size_t first_row,
                                       bool one_by_one) {
    std::vector<std::uint32_t> tokens(n_tokens), slots(n_tokens), rows(n_tokens - first_row);
    std::iota(slots.begin(), slots.end(), size_);
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first_row));
    for (std::size_t i = 0; i < n_tokens; ++i) tokens[i] = slots[i] * 7 % 251;
    SequenceWork work{tokens, slots, slots, &tables_, rows};
    work.one_by_one = one_by_one;
    ForwardResult result = backend_.forward({{work}});
    size_ += static_cast<std::uint32_t>(n_tokens);
    work_ = result.work;
    return std::move(result.logits);
}

void check_against_reference(const CpuModel& model, std::size_t n_tokens, double relative) {
    const auto pool = pool_of(static_cast<std::uint32_t>(n_tokens) + 1);
    const auto ours = make_cpu(model.config, model.weights, pool, {best_workers(), {}});
    const auto reference = make_reference(model.config, model.weights, pool);
    Continuation a(*ours), b(*reference);
    for (const std::size_t n : {n_tokens, std::size_t{1}}) {
        const auto actual = a.feed(n), expected = b.feed(n);
        double difference = 0, scale = 0;
        for (std::size_t i = 0; i < actual.size(); ++i) {
            difference = std::max(difference, std::abs(double{actual[i]} - double{expected[i]}));
            scale = std::max(scale, std::abs(double{expected[i]}));
        }
        if (!(difference <= relative * scale))
            throw Error{ErrorCode::Check, "The cpu backend is off by " +
                                              std::to_string(difference / scale) +
                                              " of the largest logit of " + model.config.name +
                                              "; a time would mean nothing. Run the tests."};
    }
}

double seconds_of(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::size_t best_workers() {
    return std::max(std::thread::hardware_concurrency(), 1u) - 1;
}

std::string cpu_words(std::size_t threads) {
    return "cpu path " + std::string(cpu_path_name()) + ", " + std::to_string(threads) +
           (threads == 1 ? " thread" : " threads");
}

ReadProbe::ReadProbe(std::size_t bytes, cpu::ThreadPool& threads)
    : threads_(threads), words_(bytes / 8), sums_(threads.size()) {
    std::iota(words_.begin(), words_.end(), std::uint64_t{1});
}

// Eight runs side by side, since one alone does not fill the memory's queue.
std::uint64_t ReadProbe::sum_of(cpu::Range lines) const {
    using Pair = std::uint64_t __attribute__((vector_size(16)));
    constexpr std::size_t kRuns = 8, kLine = 8;  // words
    const std::size_t run = (lines.end - lines.begin) / kRuns;
    const std::uint64_t* first = words_.data() + lines.begin * kLine;
    Pair sum[kRuns] = {};
    for (std::size_t line = 0; line < run; ++line)
        for (std::size_t r = 0; r < kRuns; ++r) {
            Pair in[4];
            std::memcpy(in, first + (r * run + line) * kLine, sizeof in);
            sum[r] += (in[0] + in[1]) + (in[2] + in[3]);
        }
    std::uint64_t all = 0;
    for (const Pair& s : sum) all += s[0] + s[1];
    return all;
}

double ReadProbe::bytes_per_second() {
    constexpr int kPasses = 3;
    const std::size_t lines = words_.size() / 8;
    double best = HUGE_VAL;
    for (int pass = 0; pass < kPasses; ++pass)
        best = std::min(best, seconds_of([&] {
                            threads_.run([&](std::size_t part) {
                                sums_[part] +=
                                    sum_of(cpu::share_of(lines, 8, part, threads_.size()));
                            });
                        }));
    return static_cast<double>(lines * 64) / best;
}

}  // namespace kv::bench
