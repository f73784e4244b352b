#pragma once
// What the eviction policy of a run did to each token of a request, in the table that is looked at:
// gathered from the events, which say of every dropped token its score, its rank and the threshold.
// Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/view/facts.hpp"
#include "app/shell/texts/texts.hpp"

namespace kv {

// A token that was dropped, as its event tells.
struct XrayDrop {
    std::uint64_t event = 0;  // its number in the trace
    std::uint32_t iteration = 0;
    std::optional<float> score, threshold;
    std::optional<std::uint32_t> rank;
    std::uint32_t judged = 0;  // tokens that were ranked with it
    Reason reason;
};

class XrayDrops {
public:
    // `run`: which one it is; another run, request or lane starts afresh.
    void follow(const RunView& run, SeqId request);
    // The last time before the moment at which the token was dropped; null if it never was.
    const XrayDrop* of(std::uint32_t position, std::uint64_t moment) const;
    bool any_before(std::uint64_t moment) const { return first_ && *first_ < moment; }
    // The threshold that the latest judgement before the moment kept tokens by.
    std::optional<float> threshold_before(std::uint64_t moment) const;

private:
    void take(std::uint64_t n, const Event& event);

    std::uint64_t run_ = 0, read_ = 0;
    SeqId request_{0};
    LaneId lane_{0};
    std::optional<std::uint64_t> first_;
    std::vector<std::vector<XrayDrop>> drops_;  // by position, in the order of the events
    std::vector<std::pair<std::uint64_t, float>> thresholds_;  // event, and what it says
};

struct XrayRow {
    std::uint32_t position = 0;
    bool stored = false, dropped = false;
    const XrayDrop* drop = nullptr;  // of a dropped token
    std::string why;
    double seen = 0, full = 0;  // shares of the query's attention: now, and in a full cache
};

std::string score_text(float score);

struct Xray {
    std::vector<XrayRow> rows;
    std::uint32_t kept = 0, stored = 0;
    bool by_score = true;                // else by their places alone, and scores say nothing
    std::optional<std::uint32_t> query;  // whose attention it is
    std::optional<double> mass_lost;     // of the full cache's attention: on dropped tokens
    std::optional<double> kl;            // from the full cache's distribution, nats
};
// Attention is the mean over the query heads of the KV head in focus, in the layer in focus.
Xray xray_of(const RunView& run, const RunFocus& focus, const XrayDrops& drops, const Texts& text);

}  // namespace kv
