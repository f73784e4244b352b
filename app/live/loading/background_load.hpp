#pragma once
// Something read from a file in the background, so that the window goes on drawing. One at a
// time: asking for another stops the one under way.

#include <atomic>
#include <functional>
#include <optional>
#include <utility>

#include "app/live/loading/seconds_now.hpp"
#include "core/base/background/give_way.hpp"
#include "core/base/background/later.hpp"
#include "core/base/progress.hpp"

namespace kv {

// `Loaded` is a pointer, empty when the loading was stopped.
template <class Loaded>
class BackgroundLoad {
public:
    // `wake` is called on the loading thread when there is something to take.
    explicit BackgroundLoad(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~BackgroundLoad() { stop(); }
    BackgroundLoad(const BackgroundLoad&) = delete;
    BackgroundLoad& operator=(const BackgroundLoad&) = delete;

    void start(std::function<Loaded(const Progress&)> work) {
        stop();
        stop_ = false;
        progress_ = 0;
        since_ = seconds_now();
        loading_ = later([this, work = std::move(work)] {
            struct Wake {
                const std::function<void()>& call;
                ~Wake() {
                    if (call) call();
                }
            } wake{wake_};
            return work([this](double done) {
                progress_ = done;
                give_way();
                return !stop_;
            });
        });
    }
    bool busy() const { return loading_.valid(); }
    double progress() const { return progress_; }
    // The progress, once the load takes so long that somebody waits for it.
    std::optional<double> progress_to_show() const {
        constexpr double kPatience = 0.3;  // seconds
        return busy() && seconds_now() > since_ + kPatience ? std::optional(progress())
                                                            : std::nullopt;
    }

    // Waits at most that long. What was loaded once it is there; throws what went wrong.
    Loaded take(double seconds) { return loading_.is_ready(seconds) ? loading_.get() : Loaded{}; }
    void stop() {
        if (!busy()) return;
        stop_ = true;
        loading_.wait();
        loading_ = {};
    }

private:
    std::function<void()> wake_;
    std::atomic<bool> stop_{false};
    std::atomic<double> progress_{0};
    double since_ = 0;
    Later<Loaded> loading_;
};

}  // namespace kv
