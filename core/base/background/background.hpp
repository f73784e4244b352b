#pragma once
// Work that nobody stands still for. Where there are threads it has one of its own; a page in a
// browser has none, and does it in slices between its frames, which end where the work gives way
// (give_way.hpp). Which of the two is chosen by the build: threads.cpp or slices.cpp.

#include <cstdint>
#include <functional>
#include <memory>

namespace kv {

class Background {
public:
    static constexpr double kForever = 1e9;  // seconds

    virtual ~Background() = default;  // waits for work that has begun
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    // Waits at most that long; true when the work is done. Without threads waiting is doing: a
    // slice of the work so long, and all of it where it never gives way.
    virtual bool done_within(double seconds) = 0;
    // Throws what went wrong in the work, which is done.
    virtual void finish() = 0;

protected:
    Background() = default;
};

std::unique_ptr<Background> begin_background(std::function<void()> work);

// How many threads this machine runs at once for us; 1: there are no others to be had.
std::uint32_t threads_here();

// Between two frames: goes on with what has begun until it gives way after that time, each in its
// turn. True when there was some, since what came of it wants to be looked at. Where there are
// threads nothing waits for this.
bool work_between_frames(double seconds);

}  // namespace kv
