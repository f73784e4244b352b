#include "app/session/loaded_model.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/background/give_way.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/model/available_memory.hpp"
#include "core/model/checkpoint/digest.hpp"
#include "core/model/checkpoint/load_weights.hpp"

namespace kv {
namespace {

// bf16 files stay as they are; anything finer is kept as float, so that nothing is rounded.
WeightStorage storage_of(const Checkpoint& checkpoint) {
    for (const SafetensorsFile& file : checkpoint.files())
        for (const TensorInfo& tensor : file.tensors())
            if (tensor.type != TensorType::Bf16) return WeightStorage::F32;
    return WeightStorage::Bf16;
}

double share(u64 done, u64 total) {
    return static_cast<double>(done) / static_cast<double>(std::max<u64>(total, 1));
}

}  // namespace

std::optional<LoadedWeights> load_checkpoint(const Checkpoint& checkpoint,
                                             std::uint64_t beside_bytes,
                                             const ModelProgress& progress) {
    const auto tell = [&progress](const char* doing, u64 done, u64 total) {
        give_way();
        return progress(doing, share(done, total));
    };
    LoadOptions options;
    options.storage = storage_of(checkpoint);
    options.pool_bytes = beside_bytes;
    options.memory_budget = available_memory();
    options.progress = [&](u64 done, u64 total) { return tell("loading", done, total); };
    // First of all: it refuses what does not fit before a byte is read.
    auto weights = load_weights(checkpoint, options);
    if (std::holds_alternative<LoadCancelled>(weights)) return std::nullopt;
    auto digest = weights_sha256(
        checkpoint, [&](u64 done, u64 total) { return tell("checking", done, total); });
    if (std::holds_alternative<LoadCancelled>(digest)) return std::nullopt;
    return LoadedWeights{std::get<Weights>(std::move(weights)),
                         std::get<std::string>(std::move(digest)),
                         parameter_count(shape_of(checkpoint.config()))};
}

std::optional<Tokenizer> tokenizer_of(const std::string& folder) {
    const std::filesystem::path file = std::filesystem::path(folder) / "tokenizer.json";
    std::error_code failed;
    // Whatever stands there, also a link that leads nowhere: opening it then says what is wrong.
    if (!std::filesystem::exists(std::filesystem::symlink_status(file, failed)))
        return std::nullopt;
    return read_tokenizer(file.string());
}

}  // namespace kv
