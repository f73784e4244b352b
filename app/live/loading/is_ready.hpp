#pragma once
// Waits at most that long for something that is computed elsewhere.

#include <chrono>
#include <future>

namespace kv {

template <class T>
bool is_ready(const std::future<T>& future, double seconds) {
    return future.valid() &&
           future.wait_for(std::chrono::duration<double>(seconds)) == std::future_status::ready;
}

}  // namespace kv
