#pragma once
// Calls `wake` at the end of a scope, also where an error leaves it: for work on another thread,
// whose outcome is taken in the next frame.

#include <functional>

namespace kv {

class WakeAtEnd {
public:
    explicit WakeAtEnd(const std::function<void()>& wake) : wake_(wake) {}
    ~WakeAtEnd() {
        if (wake_) wake_();
    }
    WakeAtEnd(const WakeAtEnd&) = delete;
    WakeAtEnd& operator=(const WakeAtEnd&) = delete;

private:
    const std::function<void()>& wake_;
};

}  // namespace kv
