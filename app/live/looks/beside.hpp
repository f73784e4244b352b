#pragma once
// All second looks of the run in the window, and of the side beside it: what is in focus is told
// once per frame, and what is ready is written into the views that panels read.

#include <functional>

#include "app/live/looks/attention_look.hpp"
#include "app/live/looks/judging.hpp"
#include "app/live/looks/proof_desk.hpp"
#include "app/live/looks/roof_meter.hpp"
#include "app/live/scene/played_side.hpp"

namespace kv {

class LooksBeside {
public:
    explicit LooksBeside(const std::function<void()>& wake)
        : proof_(wake), attention_(wake), judging_(wake), roofs_(wake) {}

    // Throws kv::Error where the step that the cursor stands at cannot be proved.
    void prove(const RunSession& session) { proof_.begin(session); }
    // Pictures never ask.
    void measure_machine() { roofs_.switch_on(); }

    // Follows both sides; a null one is not there. `quiet`: nothing else computes. Waits at most
    // that long.
    void follow(const PlayedSide* left, const PlayedSide* right, SeqId focused, bool quiet,
                double seconds);
    // Another run is looked at.
    void forget() { attention_.forget(), proof_.forget(); }
    bool busy() const { return attention_.busy() || proof_.busy() || judging_.busy(); }

    // What is ready of the left side.
    void write_into(RunView& view, const PlayedSide& left, const PlayedSide* right) const;

private:
    ProofDesk proof_;
    AttentionLook attention_;
    Judging judging_;
    RoofMeter roofs_;
    SeqId focused_{0};
};

}  // namespace kv
