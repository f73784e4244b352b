#include "app/live/run_opener.hpp"

#include <utility>

namespace kv {

void RunOpener::open(Opening opening, std::shared_ptr<const LoadedModel> at_hand) {
    loader_.stop();
    opening_ = std::move(opening), at_hand_ = std::move(at_hand);
    if (at_hand_) return;
    start_loading(loader_, opening_->folder,
                  [settings = opening_->scene.settings](const ModelConfig& config) {
                      return pool_bytes(config, settings);
                  });
}

void RunOpener::cancel() {
    loader_.stop();
    opening_.reset(), at_hand_.reset();
}

std::optional<Preparing> RunOpener::preparing() const {
    if (!opening_) return std::nullopt;
    return Preparing{.what = Preparing::What::Model,
                     .name = opening_->scene.model,
                     .done = loader_.busy() ? loader_.progress() : 1};
}

std::optional<RunOpener::Ready> RunOpener::take(double seconds) {
    if (!opening_) return std::nullopt;
    std::shared_ptr<const LoadedModel> model = std::exchange(at_hand_, nullptr);
    try {
        if (!model) model = loader_.take(seconds);
    } catch (...) {
        opening_.reset();
        throw;
    }
    if (!model) return std::nullopt;
    return Ready{*std::exchange(opening_, std::nullopt), std::move(model)};
}

}  // namespace kv
