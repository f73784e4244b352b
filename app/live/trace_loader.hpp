#pragma once
// A file of events read on a thread of its own, so that the window goes on drawing. One at a time:
// asking for another stops the one under way.

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "app/session/recorded_run.hpp"

namespace kv {

// Whether a file is to be read as events rather than as a scene: by its ending, .jsonl, or because
// its first line is an event by itself.
bool looks_like_trace(const std::string& path);

class TraceLoader {
public:
    explicit TraceLoader(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~TraceLoader() { stop(); }
    TraceLoader(const TraceLoader&) = delete;
    TraceLoader& operator=(const TraceLoader&) = delete;

    void start(const std::string& path);
    bool busy() const { return loading_.valid(); }
    double progress() const { return progress_; }  // 0 to 1
    // Waits at most that long. The run once it is there; throws what is wrong with the file.
    std::unique_ptr<RecordedRun> take(double seconds);
    void stop();

private:
    struct Stopped {};

    std::function<void()> wake_;
    std::atomic<bool> stop_{false};
    std::atomic<double> progress_{0};
    std::future<std::unique_ptr<RecordedRun>> loading_;
};

}  // namespace kv
