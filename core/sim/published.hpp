#pragma once
// What the PagedAttention paper measured (arXiv 2309.06180, Figs. 2 and 13): OPT-13B, 12 GB for the
// cache, ShareGPT at two requests a second. To stand beside our own figures of the same set-up.

#include <optional>
#include <string_view>

#include "core/sim/race.hpp"

namespace kv {

struct PublishedBar {
    double mean_batch, tokens_share;
    // Not given for vLLM.
    std::optional<double> reserved_share = {}, internal_share = {}, external_share = {};
};
std::optional<PublishedBar> published_bar(AllocatorKind kind);

// Whose lengths the paper drew, and whether a race is the one that it measured: then theirs may
// stand beside ours.
constexpr std::string_view kPublishedWorkload = "sharegpt-like";
bool is_published_setup(std::string_view workload, const RaceSettings& settings);

}  // namespace kv
