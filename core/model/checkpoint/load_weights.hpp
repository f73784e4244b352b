#pragma once
// From an opened checkpoint to weights in memory. Before anything is allocated its need is compared
// with the caller's memory_budget, if one is given. While it runs there are never more than weights
// and one small buffer, but that folding heads (+kvN) makes each new matrix beside the old one.

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "core/model/checkpoint/checkpoint.hpp"
#include "core/model/checkpoint/weights.hpp"

namespace kv {

// Called from time to time with bytes of the files; false stops.
using LoadProgress = std::function<bool(u64 done_bytes, u64 total_bytes)>;

struct LoadOptions {
    WeightStorage storage = WeightStorage::Bf16;
    u64 pool_bytes = 0;  // what the caller is going to allocate beside the weights
    std::optional<u64> memory_budget = {};  // for both together; none: take what is asked for
    LoadProgress progress = {};
};

struct LoadCancelled {};

// Throws kv::Error (World) with a sentence: too little memory, a file that changed, a value that is
// not finite. Whatever happens, nothing but the result stays allocated.
std::variant<Weights, LoadCancelled> load_weights(const Checkpoint& checkpoint,
                                                  const LoadOptions& options);

// What weights, pool and the reading buffer take together.
struct MemoryNeed {
    u64 weights = 0, pool = 0, buffer = 0;
    u64 total() const;
};
MemoryNeed memory_need(const ModelConfig& config, WeightStorage storage, u64 pool_bytes);

}  // namespace kv
