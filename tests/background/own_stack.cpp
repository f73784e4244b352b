// A stack of its own as the tests have it: a thread that runs only while somebody waits for it.

#include "core/base/background/own_stack.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace kv {

struct OwnStack::Inside {
    std::function<void()> work;
    std::thread thread;
    std::mutex lock;
    std::condition_variable changed;
    bool goes_on = false, is_over = false;  // locked

    void run() {
        work();
        hand_back(true);
    }
    void hand_back(bool over) {
        const std::lock_guard guard(lock);
        goes_on = false, is_over = over;
        changed.notify_all();
    }
    void wait_until(bool turn) {
        std::unique_lock guard(lock);
        changed.wait(guard, [&] { return goes_on == turn; });
    }
};

namespace {
OwnStack* going_on = nullptr;
}  // namespace

OwnStack::OwnStack(std::function<void()> work) : inside_(new Inside) {
    inside_->work = std::move(work);
}

OwnStack::~OwnStack() {
    if (inside_->thread.joinable()) inside_->thread.join();
}

bool OwnStack::go_on() {
    OwnStack* const below = std::exchange(going_on, this);
    {
        const std::lock_guard guard(inside_->lock);
        inside_->goes_on = true;
        inside_->changed.notify_all();
    }
    if (!inside_->thread.joinable()) inside_->thread = std::thread([this] { inside_->run(); });
    inside_->wait_until(false);
    going_on = below;
    return inside_->is_over;
}

void OwnStack::stop() {
    Inside& in = *going_on->inside_;
    in.hand_back(false);
    in.wait_until(true);
}

}  // namespace kv
