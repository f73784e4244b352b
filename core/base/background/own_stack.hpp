#pragma once
// Work on a stack of its own, which can stop in the middle of any function and go on from there.
// Only slices.cpp uses it; page_stack.cpp makes it in a browser, the tests with the C library.

#include <functional>
#include <memory>

namespace kv {

class OwnStack {
public:
    explicit OwnStack(std::function<void()> work);  // which throws nothing
    ~OwnStack();                                    // of work that is over, or that never began
    OwnStack(const OwnStack&) = delete;
    OwnStack& operator=(const OwnStack&) = delete;

    // Runs the work until it stops or is over; true when it is over.
    bool go_on();
    // The work calls this to stop: go_on(), which let it run, returns.
    static void stop();

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace kv
