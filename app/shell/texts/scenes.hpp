#pragma once
// What the scenes that come along show, a sentence each.

#include "app/shell/texts/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishScenes = std::to_array<EnglishText>({
    {"scene.first", "A few sentences and a question: the smallest run"},
    {"scene.first_page", "One sentence in small pages that lie scattered over a small pool"},
    {"scene.first_minute", "The run that the guided minute walks over"},
    {"scene.learn", "Requests that begin alike share the pages of their beginning"},
    {"scene.explore", "Many requests, one full pool: shared, forgotten, moved to the host"},
    {"scene.present", "The requests of learn, drawn for a projector"},
    {"scene.compare", "A fact that a sliding window forgets and SnapKV keeps"},
    {"scene.needle", "A fact that is asked for after the window has dropped it"},
    {"scene.two_models", "One prompt, two models: what fewer KV heads answer"},
    {"scene.drafts", "A song whose next words are guessed and checked in one read"},
    {"scene.fold", "KV heads averaged into fewer, beside heads that were trained so"},
    {"scene.paper_figure_6", "Figure 6 of the PagedAttention paper: a table and its blocks"},
    {"scene.paper_figure_7", "Figure 7 of that paper: two requests in one pool"},
    {"scene.paper_figure_8", "Figure 8 of that paper: a shared block is copied on write"},
    {"scene.paper_figure_9", "Figure 9 of that paper: beams share blocks, losers give theirs back"},
    {"scene.frozen_h2o", "H2O without a recent window holds on to its prompt"},
    {"scene.repeated_heads", "Keys and values stored once for every query head that reads them"},
    {"scene.rope_drift", "Coarse keys that are turned in place drift away from themselves"},
    {"scene.sinks_not_turned", "Sinks that keep their own positions drift out of reach"},
});
// clang-format on

}  // namespace kv
