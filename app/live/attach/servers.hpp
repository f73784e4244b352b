#pragma once
// A watched server, and what stands beside it in Compare: another rank of the same, which its own
// desk shows as well, or another server or a recording, which has a desk of its own and is kept at
// the left one's time.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/frame/state/app_state.hpp"
#include "app/live/attach/desk.hpp"

namespace kv {

class ServersDesk {
public:
    explicit ServersDesk(std::function<void()> wake);

    // Called once per frame: carries out wishes and takes over what is ready, waiting at most that
    // long.
    void tick(AppState& state, double now, double seconds);
    // A recording that a step of a lesson stands in, alone.
    void show_recording(AppState& state, const std::string& place, std::optional<double> at_s);
    // For pictures: waits until recordings that were asked for are there. Throws what went wrong.
    void finish(AppState& state);
    // See LiveRun: the sooner one of both.
    std::optional<double> acts_next_at(const AppState& state) const;
    bool busy() const { return left_->busy() || (right_ && right_->busy()); }

private:
    bool must_wait(const Command& wish) const;
    void carry_out(AppState& state, const Command& wish);
    void compare(AppState& state, const std::string& word);
    void choose_beside(AppState& state, const Command& wish);
    void swap(AppState& state);
    void end(AppState& state);
    void follow(const AppState& state);
    void show(AppState& state);
    void keep_recent(AppState& state);
    template <class Step>
    void beside(AppState& state, const Step& step);

    std::function<void()> wake_;
    std::unique_ptr<AttachDesk> left_;
    std::unique_ptr<AttachDesk> right_;  // null: no other server stands beside it
    AttachUi right_ui_;
    bool has_recent_ = false;
};

}  // namespace kv
