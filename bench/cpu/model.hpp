#pragma once
// Models of a shape by name with random weights, as the rows of the cpu backend time them, and one
// sequence that such a model continues. No row needs a download.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/row.hpp"
#include "core/engine/cpu/thread_pool.hpp"
#include "core/engine/pool/spec.hpp"
#include "core/engine/seam/backend.hpp"
#include "core/model/checkpoint/weights.hpp"
#include "core/model/config/config.hpp"

namespace kv::bench {

struct CpuShape {
    std::string_view name;  // "110M"
    u64 n_layers, n_heads, n_kv_heads, head_dim, hidden, intermediate, vocab;
};
constexpr CpuShape k1M{"1M", 4, 8, 8, 16, 128, 384, 1024};
constexpr CpuShape k15M{"15M", 6, 6, 6, 48, 288, 768, 32000};
constexpr CpuShape k110M{"110M", 12, 12, 12, 64, 768, 2048, 32000};
constexpr CpuShape kLong{"long context", 2, 32, 8, 128, 4096, 16, 256};

struct CpuModel {
    ModelConfig config;
    Weights weights;
};
ModelConfig config_of(const CpuShape& shape);  // embeddings are tied
CpuModel random_model(const CpuShape& shape, WeightStorage storage);

PoolSpec pool_of(std::uint32_t slots, std::uint32_t block_size = 16);  // fp16 keys and values

// Tokens after tokens of one sequence whose blocks lie in order. Answers the last token's logits.
class Continuation {
public:
    explicit Continuation(Backend& backend);
    std::vector<float> feed(std::size_t n_tokens);
    // The same as a draft's tokens, each attending as if it had come by itself; logits of all.
    std::vector<float> check(std::size_t n_tokens);
    void rewind(std::uint32_t size = 0) { size_ = size; }
    const Work& work() const { return work_; }  // of the last feed

private:
    std::vector<float> go_on(std::size_t n_tokens, std::size_t first_row, bool one_by_one);

    Backend& backend_;
    BlockTables tables_;
    std::uint32_t size_ = 0;
    Work work_;
};

// Compares one chunk and one token with the reference before anything is timed; throws
// kv::Error (Check) when they are further apart than `relative` of the largest logit.
void check_against_reference(const CpuModel& model, std::size_t n_tokens, double relative);

double seconds_of(const std::function<void()>& work);

std::size_t best_workers();                  // beside the caller: processors - 1
std::string cpu_words(std::size_t threads);  // "cpu path avx512_bf16, 2 threads"

// Bytes per second that `threads` read from a buffer, the fastest of three times through: 16-byte
// loads, eight runs and eight sums at once.
class ReadProbe {
public:
    ReadProbe(std::size_t bytes, cpu::ThreadPool& threads);  // touches every page
    double bytes_per_second();

private:
    std::uint64_t sum_of(cpu::Range lines) const;

    cpu::ThreadPool& threads_;
    std::vector<std::uint64_t> words_;
    std::vector<std::uint64_t> sums_;  // kept, so that the reads are
};

}  // namespace kv::bench
