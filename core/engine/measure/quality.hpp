#pragma once
// What forgetting costs, measured by teacher forcing (here: the text is told): token by token it
// goes through a run with the settings in question, and through one that keeps everything in
// float32. Each told token gives a row; means are taken by whoever shows them. The run that keeps
// everything is the same for all settings of one list, so it can be told once and held against each
// of them.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/progress.hpp"
#include "core/engine/run/engine.hpp"

namespace kv {

struct QualityRow {
    std::uint32_t token = 0;
    double nll = 0, nll_full = 0;  // of the told token: in question, and with everything kept
    double kl = 0;                 // from the full run's distribution to the one in question, nats
    bool flip = false;             // another token is the most probable one
    bool recalled = false;         // the told token is the most probable one
    // The share of the full run's attention that went to tokens which are hidden from this query:
    // the mean over heads and layers, 0 to 1.
    double mass_lost = 0;
};

struct QualityMeans {
    double nll = 0, nll_full = 0, kl = 0, flips = 0, recalled = 0, mass_lost = 0;  // shares: 0 to 1
};
QualityMeans means_of(std::span<const QualityRow> rows);

// Sums for each query the share of its attention that went to tokens outside of what `seen` has for
// it: the mean over query heads, summed over the layers whose weights it was given.
class MassLost : public TapSink {
public:
    MassLost(const SeenLog& seen, const LaneShape& lanes, std::uint32_t n_heads)
        : seen_(seen), lanes_(lanes), n_heads_(n_heads), lost_(seen.size()) {}
    bool wants(Tap tap, LayerId /*layer*/) const override { return tap == Tap::Weights; }
    void take(const TapPlace& place, std::span<const float> weights) override;
    std::vector<double> by_token() const;

private:
    const SeenLog& seen_;
    LaneShape lanes_;
    std::uint32_t n_heads_;
    std::vector<double> lost_;
};

struct QualityText {
    std::vector<std::uint32_t> prompt, told;  // at least one token each
};

// What the run that keeps everything in float32 said of each told token. It depends on the block
// size, the backend and the tokens per step, and on none of the settings that lose something.
struct QualityTruth {
    std::vector<std::vector<float>> logits;
    std::vector<double> nll;
};
std::optional<QualityTruth> tell_truth(const EngineParts& parts, const EngineSettings& settings,
                                       const QualityText& text, const Progress& go_on = {});

struct QualityResult {
    std::vector<QualityRow> rows;
    // Bytes of keys and values that the run held at most: at the end of a step, from the first told
    // token on; and at any time. A policy that drops behind the prompt holds all of it before.
    std::uint64_t held_bytes = 0, peak_bytes = 0;
};
std::optional<QualityResult> measure_against(const QualityTruth& truth, const EngineParts& parts,
                                             const EngineSettings& settings,
                                             const QualityText& text, const Progress& go_on = {});

// These settings with a pool that holds the text twice, and no tier beside it: survivors need
// blocks of their own before the old ones are free.
EngineSettings settings_for_text(EngineSettings settings, std::uint64_t n_tokens);

}  // namespace kv
