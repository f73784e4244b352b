#pragma once
// A watched server as the panels see it: the connection, where the picture stands in the stream,
// and what the tank holds there (core/attach/picture). A value that never changes; whoever holds
// the connection makes a new one (app/live/attach).
//
// What is counted from events is exact as long as no batch is missing; what was read from /metrics
// was true at its poll.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/attach/picture/tank_picture.hpp"

namespace kv {

enum class AttachPhase : std::uint8_t { Connecting, Live, Recorded };

struct ServerView {
    AttachPhase phase = AttachPhase::Connecting;
    std::string address;  // of a recording its file
    std::string topic;
    bool has_replay = false, has_metrics = false;
    std::optional<double> polled_s;  // ago
    bool polls_fail = false;         // three in a row

    // While nobody answers
    std::uint64_t tries = 0;
    double next_try_s = 0, pause_s = 0;  // left when this was made; of how long
    std::string trouble;                 // why nothing came, a sentence

    // Where the picture stands
    bool live = true;                                 // it follows what comes
    std::uint64_t sequence = 0, newest_sequence = 0;  // of the shown rank
    double newest_s = 0;                              // the stream goes on up to here
    std::uint64_t events = 0;

    std::int64_t rank = 0;                   // shown
    std::optional<std::int64_t> group = {};  // whose blocks alone are drawn
    TankPicture tank;
    std::uint64_t kept_bytes = 0, most_bytes = 0;  // of history
    double kept_from_s = 0;                        // the oldest moment to go back to

    std::string recording;  // file; empty: nothing is recorded
    bool shows_tokens = false;
    bool has_tokens = true;  // a recording may have left them out

    const RankCard* shown_rank() const {
        const auto found =
            std::find_if(tank.ranks.begin(), tank.ranks.end(),
                         [&](const RankCard& card) { return card.rank.rank == rank; });
        return found == tank.ranks.end() ? nullptr : &*found;
    }
    // Of the shown rank and its medium, by their number.
    std::vector<ShelfCard> groups() const;
    // Of the shown rank, under that name and with any other labels.
    const MetricTrack* track(std::string_view name) const;
};

}  // namespace kv
