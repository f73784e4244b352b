// Background work without threads: it waits in a row until somebody has time for it, or needs it,
// and is done in slices. A slice ends where the work gives way.
//
// One slice, from the browser down: `slice` in app/web/page/loop.js is rung between two frames and
// calls kv_work (app/web/page.cpp), which asks work_between_frames() for a few milliseconds. That
// takes the first work of the row, whose go_on() enters its own stack (own_stack.hpp). When the
// time is up, the next give_way() in the work calls OwnStack::stop(): go_on() returns, the work
// stands still in the middle of whatever function that was, and the browser draws a frame.

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>
#include <vector>

#include "core/base/background/background.hpp"
#include "core/base/background/give_way.hpp"
#include "core/base/background/own_stack.hpp"

namespace kv {
namespace {

using Clock = std::chrono::steady_clock;

class SliceWork;

// What has begun and is not done; who comes next is in front. There is one thread, so nobody else
// looks.
std::vector<SliceWork*>& waiting() {
    static std::vector<SliceWork*> row;
    return row;
}

struct Slice {
    Clock::time_point end;
    Clock::duration& stood_still;  // of the work, from its beginning on
};
const Slice* slice = nullptr;  // the one that is being done; none outside of slices

Clock::time_point in_seconds(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                              std::min(seconds, Background::kForever)));
}

class SliceWork final : public Background {
public:
    explicit SliceWork(std::function<void()> work)
        : stack_([this, work = std::move(work)]() mutable {
              try {
                  std::exchange(work, nullptr)();
              } catch (...) {
                  wrong_ = std::current_exception();
              }
          }) {
        waiting().push_back(this);
    }
    ~SliceWork() override {
        if (state_ == State::Paused) go_on(in_seconds(kForever));
        leave();  // nobody will ask what it would have come to
    }

    bool done_within(double seconds) override {
        if (state_ != State::Done && seconds > 0) go_on(in_seconds(seconds));
        return state_ == State::Done;
    }
    void finish() override {
        if (wrong_) std::rethrow_exception(wrong_);
    }
    // The work may begin further work and wait for it.
    void go_on(Clock::time_point end) {
        if (state_ == State::Runs)
            return;  // already further down this stack: whoever waits for it is part of it
        if (state_ == State::Paused) stood_still_ += Clock::now() - left_;
        state_ = State::Runs;
        const Slice own{end, stood_still_};
        const Slice* const outer = std::exchange(slice, &own);
        const bool is_over = stack_.go_on();
        slice = outer;
        left_ = Clock::now();
        state_ = is_over ? State::Done : State::Paused;
        if (is_over) leave();
    }

private:
    enum class State { Waits, Paused, Runs, Done };
    void leave() {
        auto& row = waiting();
        row.erase(std::remove(row.begin(), row.end(), this), row.end());
    }
    State state_ = State::Waits;
    Clock::time_point left_;
    Clock::duration stood_still_{};
    std::exception_ptr wrong_;
    OwnStack stack_;
};

}  // namespace

std::unique_ptr<Background> begin_background(std::function<void()> work) {
    return std::make_unique<SliceWork>(std::move(work));
}

std::uint32_t threads_here() {
    return 1;
}

void give_way() {
    if (slice != nullptr && Clock::now() >= slice->end) OwnStack::stop();
}

double seconds_at_work() {
    const Clock::duration stood_still = slice == nullptr ? Clock::duration{} : slice->stood_still;
    return std::chrono::duration<double>(Clock::now().time_since_epoch() - stood_still).count();
}

// All works go on in turns, so that a short one need not wait until a long one is over.
bool work_between_frames(double seconds) {
    const Clock::time_point end = in_seconds(seconds);
    auto& row = waiting();
    const bool had_some = !row.empty();
    while (!row.empty() && Clock::now() < end) {
        SliceWork* const next = row.front();
        std::rotate(row.begin(), row.begin() + 1, row.end());
        next->go_on(end);
    }
    return had_some;
}

}  // namespace kv
