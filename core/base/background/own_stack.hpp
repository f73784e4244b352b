#pragma once
// Work on a stack of its own, which can stop in the middle of any function and go on from there. Of
// slices.cpp alone: page_stack.cpp makes it in a browser, the tests make it with the C library.

#include <functional>
#include <memory>

namespace kv {

class OwnStack {
public:
    explicit OwnStack(std::function<void()> work);  // which throws nothing
    ~OwnStack();                                    // of work that is over, or that never began
    OwnStack(const OwnStack&) = delete;
    OwnStack& operator=(const OwnStack&) = delete;

    // Until it stops or is over; true when it is over.
    bool go_on();
    // Said by the work that goes on, to whoever let it go on last.
    static void stop();

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace kv
