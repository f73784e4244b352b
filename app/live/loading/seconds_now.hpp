#pragma once
// The clock that never goes back, in seconds; only differences of it mean something.

#include <chrono>

namespace kv {

inline double seconds_now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace kv
