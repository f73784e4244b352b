#pragma once
// Two runs of one scene beside each other: where their tokens part, and what the model of each side
// thought of the tokens of the left one. Gathered once for a state of both recordings and kept
// until one of them grows. Pure.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "app/panels/view/pair/judgement.hpp"
#include "app/panels/view/pair/partings.hpp"

namespace kv {

class PairDifference {
public:
    // Looks anew when a run has grown, or another request is in focus.
    void follow(const RunView& left, const RunView& right, SeqId request);

    // In the order of their iterations.
    const std::vector<TokenParting>& partings() const { return partings_; }
    const TokenParting* parting_of(std::string_view request) const;
    const Judgement& judgement() const { return judgement_; }  // of the request in focus

private:
    struct Key {
        std::uint64_t left = 0, right = 0;            // the runs
        std::uint64_t left_size = 0, right_size = 0;  // events recorded of each
        bool ended = false;
        SeqId request{0};
        bool is_there = false;  // the request has arrived at the cursor
        const FullText* in_full = nullptr;
        friend bool operator==(const Key&, const Key&) = default;
    };
    std::optional<Key> key_;
    std::vector<TokenParting> partings_;
    Judgement judgement_;
};

}  // namespace kv
