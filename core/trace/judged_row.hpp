#pragma once
// A row of logits that a token was drawn from, with all tokens that led to it. Rows are kept beside
// the trace, because they are measured, not decided: two runs that decide the same may differ here.

#include <cstdint>
#include <vector>

#include "core/base/ids.hpp"

namespace kv {

struct JudgedRow {
    std::uint32_t iteration = 0;
    SeqId request{0};
    std::vector<std::uint32_t> seen;
    std::vector<std::uint32_t> passes;  // where those that stored them began, if that matters
    std::vector<float> logits;
    bool recoded = false;  // some of what was seen had gone over from another codec
};

}  // namespace kv
