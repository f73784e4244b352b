#pragma once
// A checkpoint read on a thread of its own, so that the window goes on drawing. One at a time:
// asking for another stops the one under way.

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "app/session/loaded_model.hpp"

namespace kv {

class ModelLoader {
public:
    explicit ModelLoader(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~ModelLoader() { stop(); }
    ModelLoader(const ModelLoader&) = delete;
    ModelLoader& operator=(const ModelLoader&) = delete;

    // `beside`: the bytes of the pool that has to fit beside these weights.
    using Beside = std::function<std::uint64_t(const ModelConfig&)>;
    void start(const std::string& folder, Beside beside);
    bool busy() const { return loading_.valid(); }
    double progress() const { return progress_; }  // 0 to 1
    // Waits at most that long. The model once it is there; throws what went wrong.
    std::shared_ptr<const LoadedModel> take(double seconds);
    void stop();

private:
    std::function<void()> wake_;
    std::atomic<bool> stop_{false};
    std::atomic<double> progress_{0};
    std::future<std::shared_ptr<const LoadedModel>> loading_;
};

}  // namespace kv
