#include "app/live/whatif/desk.hpp"

#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr double kUntilWeighed = 1e6;  // seconds

// Block sizes and orders hang on neither the codec beside what was recorded nor the host tier.
bool same_choices(const WhatIfAsk& a, const WhatIfAsk& b) {
    WhatIfAsk as_b = a;
    as_b.codec = b.codec;
    as_b.host_bytes = b.host_bytes;
    return as_b == b;
}

}  // namespace

// Says how far it is, and wakes the window once for each percent.
WhatIfDone WhatIfDesk::woken(const WhatIfDone& tell) const {
    return [tell, wake = wake_, seen = 0](double done) mutable {
        const int percent = static_cast<int>(done * 100);
        if (std::exchange(seen, percent) != percent && wake) wake();
        return tell(done);
    };
}

void WhatIfDesk::start(WhatIfUi& own) {
    if (own.ask.file.empty() || asked_ == std::pair(own.ask, own.again)) return;
    asked_ = {own.ask, own.again};
    own.refused = {};
    weighing_.start([this, ask = own.ask](const WhatIfDone& tell) {
        return weigh_recording(ask, woken(tell));
    });
}

void WhatIfDesk::take_over(WhatIfUi& own, WeighedStudy weighed) {
    const bool same = own.weighed && own.weighed->ask.file == weighed.recording->ask.file &&
                      same_choices(own.weighed->ask, weighed.recording->ask) &&
                      weighed_again_ == own.again;
    weighed_again_ = own.again;
    if (!same) {
        choosing_.stop();
        own.sides = {};
    }
    own.weighed = std::move(weighed.recording);
    study_ = std::move(weighed.study);
}

void WhatIfDesk::take(WhatIfUi& own, double seconds) {
    if (own.stop) weighing_.stop();
    if (weighing_.busy()) {
        try {
            if (auto weighed = weighing_.take(seconds); weighed.recording)
                take_over(own, std::move(weighed));
        } catch (const Error& refused) {
            own.refused = said_of(refused);
        }
    }
    own.progress = weighing_.busy() ? std::optional(weighing_.progress()) : std::nullopt;
}

void WhatIfDesk::start_view(WhatIfUi& own) {
    if (own.view == WhatIfView::Pool || !study_ || weighing_.busy()) return;
    const WhatIfSide& side = own.side();
    if (side.choices || side.stopped || !side.refused.empty()) return;
    if (choosing_.busy() && chosen_ == own.view) return;
    // One at a time: they share a study. The one that is looked at goes first.
    choosing_.stop();
    chosen_ = own.view;
    choosing_.start(
        [this, study = study_, weighed = own.weighed, view = own.view](const WhatIfDone& tell) {
            return weigh_view(*study, *weighed, view, woken(tell));
        });
}

void WhatIfDesk::take_view(WhatIfUi& own, double seconds) {
    WhatIfSide& side = own.sides[static_cast<std::size_t>(chosen_)];
    if (choosing_.busy() && own.stop) {
        choosing_.stop();
        side.stopped = true;
    }
    if (choosing_.busy()) {
        try {
            if (auto choices = choosing_.take(seconds)) side.choices = std::move(choices);
        } catch (const Error& refused) {
            side.refused = said_of(refused);
        }
    }
    for (WhatIfSide& each : own.sides) each.progress = std::nullopt;
    if (choosing_.busy()) side.progress = choosing_.progress();
}

void WhatIfDesk::tick(WhatIfUi& own, double seconds) {
    start(own);
    take(own, seconds);
    start_view(own);
    take_view(own, seconds);
    own.stop = false;
}

void WhatIfDesk::finish(WhatIfUi& own) {
    start(own);
    while (weighing_.busy()) take(own, kUntilWeighed);
    take(own, 0);
    start_view(own);
    while (choosing_.busy()) take_view(own, kUntilWeighed);
    take_view(own, 0);
    own.stop = false;
}

}  // namespace kv
