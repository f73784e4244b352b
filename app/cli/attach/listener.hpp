#pragma once
// One server that is listened to until it is time to stop: its tank, what is recorded of it, and
// sentences about what went wrong. Two of them take turns when two servers are compared.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/attach/client.hpp"
#include "app/attach/recorder.hpp"
#include "app/cli/attach/input.hpp"
#include "core/attach/tank/tank.hpp"

namespace kv {

class AttachListener {
public:
    using Tell = std::function<void(const std::string& sentence)>;
    AttachListener(const AttachInput& input, Tell tell);

    // Takes what comes, waiting at most that long. Throws kv::Error (World) when nobody is there,
    // or somebody who speaks another protocol.
    void turn(double longest_s);
    bool is_over() const;  // the time is up, or all ranks have come to the batch
    // The same for what is still missing once it is over.
    void check_end() const;

    const AttachInput& input() const { return input_; }
    const Tank& tank() const { return tank_; }
    const std::vector<StreamStatus>& streams() const { return streams_; }

private:
    double left_s() const;
    void take(const TankEntry& entry);
    void give_up_if_nobody() const;
    void tell_mark(const StreamMark& mark) const;
    void tell_silence(std::int64_t rank) const;
    void tell_news();

    const AttachInput& input_;
    AttachClient client_;
    Tank tank_;
    Tell tell_;
    std::optional<ServerRecorder> recorder_;
    std::vector<StreamStatus> streams_;
    std::set<std::string> told_;
    double began_s_;
};

}  // namespace kv
