#include "app/live/whatif/desk.hpp"

#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr double kUntilWeighed = 1e6;  // seconds

}  // namespace

void WhatIfDesk::start(WhatIfUi& own) {
    if (own.wish.file.empty() || held_ == std::pair(own.wish, own.again)) return;
    held_ = {own.wish, own.again};
    own.refused = {};
    weighing_.start([wish = own.wish, wake = wake_, seen = 0](const WhatIfDone& tell) mutable {
        return weigh_recording(wish, [&](double done) {
            const int percent = static_cast<int>(done * 100);
            if (std::exchange(seen, percent) != percent && wake) wake();
            return tell(done);
        });
    });
}

void WhatIfDesk::take(WhatIfUi& own, double seconds) {
    if (std::exchange(own.stop, false)) weighing_.stop();
    if (weighing_.busy()) {
        try {
            if (auto weighed = weighing_.take(seconds)) own.weighed = std::move(weighed);
        } catch (const Error& refused) {
            own.refused = said_of(refused);
        }
    }
    own.progress = weighing_.busy() ? std::optional(weighing_.progress()) : std::nullopt;
}

void WhatIfDesk::tick(WhatIfUi& own, double seconds) {
    start(own);
    take(own, seconds);
}

void WhatIfDesk::finish(WhatIfUi& own) {
    start(own);
    while (weighing_.busy()) take(own, kUntilWeighed);
    take(own, 0);
}

}  // namespace kv
