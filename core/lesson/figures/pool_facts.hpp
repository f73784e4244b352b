#pragma once
// What figures of the pool show: rules that hand out slots, prefixes in a tree, tokens in blocks.
// Part of facts.hpp, which everybody includes.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/sim/race_floor.hpp"

namespace kv {

// The same requests in the same memory, under several rules that hand out its slots, step by step.
struct ArenaFacts {
    struct Request {
        std::string name;
        std::uint32_t prompt = 0, answer = 0;  // tokens
    };
    struct Rule {
        AllocatorKind kind = AllocatorKind::Paged;
        std::vector<FloorMoment> steps;  // from step 1 on; none runs behind the last
    };
    std::uint64_t slots = 0, block_size = 0, max_length = 0;
    std::vector<Request> requests;
    std::vector<Rule> rules;
    std::uint32_t open = 0;               // so many rules are drawn before the reveal
    std::uint32_t step = 1, until = 1;    // where it opens; the last step before the reveal
    std::optional<std::uint32_t> end_of;  // the rule whose last step is asked

    std::uint32_t longest() const {
        std::size_t steps = 0;
        for (const Rule& rule : rules) steps = std::max(steps, rule.steps.size());
        return static_cast<std::uint32_t>(steps);
    }
};

// Where the slots of a pool were on average, rule by rule, and what others have measured.
struct SharesFacts {
    struct Row {
        AllocatorKind kind = AllocatorKind::Paged;
        double tokens = 0, reserved = 0, never = 0, gaps = 0, free = 0;  // of 1
        std::optional<double> at_once;                                   // requests, on average
    };
    std::uint64_t slots = 0, requests = 0;
    std::vector<Row> rows, published;  // of the same rules; published ones may lack some
    std::string source;                // whose they are; empty: none are drawn
    std::uint32_t open = 0;            // so many rules are drawn before the reveal
};

}  // namespace kv
