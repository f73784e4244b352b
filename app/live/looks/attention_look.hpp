#pragma once
// What a moment of the run is looked at for, on a thread of its own: the attention of its newest
// query, and where tokens are hidden what a full cache would have made of it.

#include <functional>
#include <optional>

#include "app/panels/view/run.hpp"
#include "app/session/run_session.hpp"
#include "core/base/background/later.hpp"

namespace kv {

class AttentionLook {
public:
    explicit AttentionLook(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~AttentionLook();

    // Asks anew when the request in focus or its newest query is another one; null: no run.
    void follow(const RunSession* session, SeqId focused, double seconds);
    void forget() { found_.reset(); }
    bool busy() const { return looking_.valid(); }

    // What was found; null while there is nothing to show.
    const AttentionPicture* attention() const { return found_ ? &found_->attention : nullptr; }
    const FullLook* full() const { return found_ && found_->full ? &*found_->full : nullptr; }

private:
    struct Found {
        AttentionPicture attention;
        std::optional<FullLook> full;
    };
    std::function<void()> wake_;
    Later<Found> looking_;
    std::optional<Found> found_;
};

}  // namespace kv
