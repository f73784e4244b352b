#pragma once
// Which tokens of a strip are written out below it, and why these. The same on both sides, so that
// the eye can go across. Pure.

#include <cstdint>
#include <optional>

#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/compare_runs/side/strip_plan.hpp"

namespace kv {

enum class WhyUnfolded : std::uint8_t {
    Marked,   // the scene is about them
    Chosen,   // by a person
    Dropped,  // the first ones that a side has dropped
    Parted,   // up to the first one that differs
    Newest
};
struct Unfolded {
    WordRange range;
    WhyUnfolded why = WhyUnfolded::Newest;
    friend bool operator==(const Unfolded&, const Unfolded&) = default;
};

struct UnfoldAsk {
    std::uint32_t n_tokens = 0;  // recorded
    std::uint32_t known = 0;     // at the cursor
    std::optional<WordRange> marked = {};
    std::optional<std::uint32_t> chosen = {}, dropped = {}, parting = {};
};
// What is unfolded about a token; nothing where there is none.
std::optional<Unfolded> unfolded(const UnfoldAsk& ask);

// The first token of the request that either side has dropped.
std::optional<std::uint32_t> first_dropped(const PairView& pair, std::string_view request);

}  // namespace kv
