#include "app/panels/race/playhead.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

constexpr u64 kShortest = 10;  // iterations

// The next of 1, 2 and 5 times a power of ten that is not below n / 5.
u64 round_part(u64 n) {
    u64 part = 1;
    for (u64 power = 1;; power *= 10)
        for (const u64 digit : {1, 2, 5}) {
            part = digit * power;
            if (part * 5 >= n) return part;
        }
}

}  // namespace

RaceTime first_look(const RacedWorkload& race) {
    u64 least = 0;
    for (const RaceRecord& lane : race.lanes) {
        const u64 n = lane.result.iterations;
        if (n > 0) least = least == 0 ? n : std::min(least, n);
    }
    if (least == 0) return {0, kShortest};
    const u64 part = round_part(least);
    return {0, std::max(kShortest, ceil_div(least, part) * part)};
}

RaceTime zoomed(const RaceTime& time, double factor, double around, u64 longest) {
    const auto most = static_cast<double>(std::max(longest, kShortest));
    const double count = std::clamp(std::round(static_cast<double>(time.count) / factor),
                                    static_cast<double>(kShortest), most);
    const double share =
        (around - static_cast<double>(time.first)) / static_cast<double>(time.count);
    const double first = std::clamp(std::round(around - share * count), 0.0, most - count);
    return {static_cast<u64>(first), static_cast<u64>(count)};
}

RaceTime following(RaceTime time, double at, u64 longest) {
    while (at > static_cast<double>(time.end()) && time.end() < longest) {
        if (time.first == 0)
            time.count = std::min(2 * time.count, longest);
        else
            time.first += time.count;
    }
    if (at < static_cast<double>(time.first)) time.first = static_cast<u64>(std::max(0.0, at));
    return time;
}

u64 race_step(u64 speed) {
    return std::max<u64>(1, speed / 10);
}

double played_to(double at, u64 speed, double seconds, u64 longest) {
    const double to = at + static_cast<double>(speed) * seconds;
    return std::clamp(to, 0.0, static_cast<double>(longest));
}

}  // namespace kv
