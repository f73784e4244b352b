#pragma once
// What the parts of the picture say, with their numbers.

#include <string>
#include <vector>

#include "app/panels/whatif/answer.hpp"
#include "app/panels/whatif/weighed.hpp"

namespace kv {

Text recorded_words(const Texts& text, const WeighedRecording& weighed);
Text answer_words(const Texts& text, const WeighedRecording& weighed);
// "equal at today's pool": the first check, in few words.
Text check_words(const Texts& text, const WeighedRecording& weighed);

Text name_of_line(const Texts& text, const WeighedRecording& weighed, WhatIfLine line);
Text short_name_of_line(const Texts& text, const WeighedRecording& weighed, WhatIfLine line);
Text name_of_row(const Texts& text, const WeighedRecording& weighed, const WhatIfRow& row);

// A row of the points, cell by cell; `is_loss` marks what is in vermillion.
struct WhatIfCell {
    Text words;
    bool is_loss = false, is_modelled = false;
};
std::vector<Text> point_heads(const Texts& text, const WeighedRecording& weighed);
std::vector<WhatIfCell> point_cells(const Texts& text, const WeighedRecording& weighed,
                                    const WhatIfRow& row);

// Of the recorded and of the replayed, each a label with its value.
struct WhatIfFact {
    Text label, value;
};
std::vector<WhatIfFact> recorded_facts(const Texts& text, const WeighedRecording& weighed);
std::vector<WhatIfFact> replayed_facts(const Texts& text, const WeighedRecording& weighed);

}  // namespace kv
