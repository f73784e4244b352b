#pragma once
// A value that is being computed in the background, as std::future is with a thread.

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/base/background/background.hpp"
#include "core/base/error.hpp"

namespace kv {

template <class T>
class Later {
public:
    Later() = default;  // of nothing
    // `compute` may own what cannot be copied.
    template <class Compute>
    explicit Later(Compute compute)
        : value_(std::make_shared<std::optional<T>>()),
          work_(begin_background(
              [value = value_, compute = std::make_shared<Compute>(std::move(compute))] {
                  value->emplace((*compute)());
              })) {}

    bool valid() const { return work_ != nullptr; }
    // Waits at most that long; false when there is nothing to wait for.
    bool is_ready(double seconds) const { return work_ && work_->done_within(seconds); }
    void wait() const { is_ready(Background::kForever); }
    // Waits as long as it takes; throws what went wrong. Nothing is left behind.
    T get() {
        KV_ASSERT(valid());
        wait();
        const std::unique_ptr<Background> work = std::move(work_);
        const std::shared_ptr<std::optional<T>> value = std::move(value_);
        work->finish();
        return std::move(**value);
    }

private:
    std::shared_ptr<std::optional<T>> value_;
    std::unique_ptr<Background> work_;
};

template <class Compute>
Later<std::invoke_result_t<Compute&>> later(Compute compute) {
    return Later<std::invoke_result_t<Compute&>>(std::move(compute));
}

}  // namespace kv
