#pragma once
// What the parts of the picture say, with their numbers.

#include <optional>
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
struct WhatIfTableRow {
    std::vector<WhatIfCell> cells;
    bool is_base = false;  // what all is held against
};
WhatIfTableRow point_row(const Texts& text, const WeighedRecording& weighed, const WhatIfRow& row);
// The row of a block size or an order, in the memory that all is held against.
WhatIfTableRow choice_row(const Texts& text, const WeighedRecording& weighed, const Text& name,
                          const std::optional<WhatIfPoint>& point, bool is_base);

std::string a_second_words(double n);  // "0.4", "2,074"

// A fact of the recorded and of the replayed: a label with its value.
struct WhatIfFact {
    Text label, value;
};
std::vector<WhatIfFact> recorded_facts(const Texts& text, const WeighedRecording& weighed);
std::vector<WhatIfFact> replayed_facts(const Texts& text, const WeighedRecording& weighed,
                                       WhatIfView view);

}  // namespace kv
