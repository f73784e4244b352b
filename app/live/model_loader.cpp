#include "app/live/model_loader.hpp"

#include <chrono>
#include <utility>

namespace kv {

void ModelLoader::start(const std::string& folder, Beside beside) {
    stop();
    stop_ = false;
    progress_ = 0;
    loading_ = std::async(
        std::launch::async,
        [this, folder, beside = std::move(beside)]() -> std::shared_ptr<const LoadedModel> {
            struct Wake {
                const std::function<void()>& call;
                ~Wake() {
                    if (call) call();
                }
            } wake{wake_};
            Checkpoint checkpoint = Checkpoint::open(folder);
            auto loaded = load_checkpoint(checkpoint, beside(checkpoint.config()),
                                          [this](const char*, double done) {
                                              progress_ = done;
                                              return !stop_;
                                          });
            if (!loaded) return nullptr;
            auto tokenizer = tokenizer_of(checkpoint.folder());
            return std::make_shared<const LoadedModel>(
                LoadedModel{std::move(checkpoint), std::move(tokenizer), std::move(*loaded)});
        });
}

std::shared_ptr<const LoadedModel> ModelLoader::take(double seconds) {
    if (!busy() ||
        loading_.wait_for(std::chrono::duration<double>(seconds)) != std::future_status::ready)
        return nullptr;
    return loading_.get();
}

void ModelLoader::stop() {
    if (!busy()) return;
    stop_ = true;
    loading_.wait();
    loading_ = {};
}

}  // namespace kv
