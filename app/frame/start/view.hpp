#pragma once
// What the page of the first start is drawn from, as plain data: whoever plays its small run fills
// it. Valid for one frame.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/frame/start/sentence.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/texts/said.hpp"

namespace kv {

struct StartView {
    const RunView* run = nullptr;  // at the step of the picture; null while it is prepared
    std::uint32_t n_steps = 0;     // of the picture
    std::uint32_t computed = 0;    // of them, while they are computed
    std::optional<double> read;    // how much of the model has been read, 0 to 1
    Said problem = {};             // why there is no picture

    bool knows_words = false;        // the model that a sentence is for is there
    std::vector<std::string> known;  // some words that it knows whole
    SentenceFacts sentence;          // what is typed
    Said refusal = {};               // why that cannot be run
    // The page size and the blocks of the run that a sentence gets.
    std::uint32_t page = 0, blocks = 0;
};

}  // namespace kv
