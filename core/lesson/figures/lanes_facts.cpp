// Facts about a link beside a device. Layers are fetched from another memory before they are
// computed, in turn or one ahead of the other; or they are computed and then sent to another
// machine, all together or one by one.

#include <algorithm>
#include <string>

#include "core/lesson/figures/ask.hpp"

namespace kv {
namespace {

constexpr u64 kMostLaneLayers = 64, kMostLaneBlocks = 64;

LanesFacts::Run in_turn(std::uint32_t layers, double copy, double compute, bool whole) {
    LanesFacts::Run run;
    const double all = whole ? layers * copy : 0;
    for (std::uint32_t i = 0; i < layers; ++i) {
        const double from = whole ? i * copy : i * (copy + compute);
        const double at = whole ? all + i * compute : from + copy;
        run.copies.push_back({from, from + copy});
        run.computed.push_back({at, at + compute});
        if (!whole) run.stalls.push_back({from, at});
    }
    if (whole) run.stalls.push_back({0, all});
    run.end = run.computed.back().to;
    return run;
}

// The link never rests; a layer is computed when it is there and the one before it is done.
// NOLINTNEXTLINE(bugprone-easily-swappable-parameters): in the order of a figure's line
LanesFacts::Run a_layer_ahead(std::uint32_t layers, double copy, double compute) {
    LanesFacts::Run run;
    double done = 0;
    for (std::uint32_t i = 0; i < layers; ++i) {
        run.copies.push_back({i * copy, (i + 1) * copy});
        const double begins = std::max(done, run.copies.back().to);
        if (begins > done) run.stalls.push_back({done, begins});
        run.computed.push_back({begins, done = begins + compute});
    }
    run.end = done;
    return run;
}

// The other way round: layers are computed and then sent, either all together behind the last of
// them, or each as soon as it is computed and the link is free.
enum class Sending : std::uint8_t { AllTogether, LayerByLayer };
LanesFacts::Run layers_sent(std::uint32_t layers, double copy, double compute, Sending how) {
    LanesFacts::Run run;
    double link_is_free = how == Sending::AllTogether ? layers * compute : 0;
    for (std::uint32_t i = 0; i < layers; ++i) {
        run.computed.push_back({i * compute, (i + 1) * compute});
        const double from = std::max(link_is_free, run.computed.back().to);
        run.copies.push_back({from, link_is_free = from + copy});
    }
    run.end = link_is_free;
    return run;
}

}  // namespace

double LanesFacts::Run::stalled() const {
    double sum = 0;
    for (const Span& stall : stalls) sum += stall.to - stall.from;
    return sum;
}

// slower: the same with copies of that length, behind the reveal.
FigureFacts ask_lanes(const FigureAsk& ask) {
    LanesFacts facts;
    const u64 layers = ask.given.whole("layers", 1);
    if (layers > kMostLaneLayers)
        ask.given.refuse("wants at most " + std::to_string(kMostLaneLayers) + " layers");
    facts.layers = static_cast<std::uint32_t>(layers);
    facts.copy = ask.given.number("copy", kSeconds);
    facts.compute = ask.given.number("compute", kSeconds);
    if (!(facts.copy > 0 && facts.compute > 0)) ask.given.refuse("wants times above zero");
    facts.whole = ask.when("whole", "never") != FigureWhen::Never;
    facts.when = ask.when("when", "now");
    const u64 blocks = ask.given.whole_or("blocks", 0);
    if (blocks > kMostLaneBlocks)
        ask.given.refuse("wants at most " + std::to_string(kMostLaneBlocks) + " blocks");
    facts.blocks = static_cast<std::uint32_t>(blocks);
    facts.sends = ask.given.yes_or("sends", false);
    if (facts.sends) {
        facts.in_turn = layers_sent(facts.layers, facts.copy, facts.compute, Sending::AllTogether);
        facts.ahead = layers_sent(facts.layers, facts.copy, facts.compute, Sending::LayerByLayer);
        return facts;
    }
    facts.in_turn = in_turn(facts.layers, facts.copy, facts.compute, facts.whole);
    facts.ahead = a_layer_ahead(facts.layers, facts.copy, facts.compute);
    if (const auto slower = ask.given.optional_number("slower", kSeconds)) {
        if (!(*slower > 0)) ask.given.refuse("wants times above zero");
        facts.slower_copy = *slower;
        facts.slower = a_layer_ahead(facts.layers, *slower, facts.compute);
    }
    return facts;
}

}  // namespace kv
