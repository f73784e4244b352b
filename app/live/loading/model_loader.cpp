#include "app/live/loading/model_loader.hpp"

#include <utility>

#include "core/base/numbers/checked.hpp"

namespace kv {

void start_loading(ModelLoader& loader, const std::string& folder, BesideWeights beside) {
    loader.start([folder, beside = std::move(beside)](
                     const Progress& tell) -> std::shared_ptr<const LoadedModel> {
        Checkpoint checkpoint = Checkpoint::open(folder);
        auto loaded = load_checkpoint(checkpoint, beside(checkpoint.config()),
                                      [&tell](const char*, double done) { return tell(done); });
        if (!loaded) return nullptr;
        auto tokenizer = tokenizer_of(checkpoint.folder());
        return std::make_shared<const LoadedModel>(
            LoadedModel{std::move(checkpoint), std::move(tokenizer), std::move(*loaded)});
    });
}

std::uint64_t pool_bytes(const ModelConfig& config, const EngineSettings& settings) {
    const std::uint64_t block = bytes_per_block(config, settings);
    if (settings.pool.bytes) return *settings.pool.bytes;
    return checked_mul(settings.pool.blocks, block).value_or(UINT64_MAX);
}

}  // namespace kv
