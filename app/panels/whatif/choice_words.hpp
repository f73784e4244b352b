#pragma once
// What block sizes and orders of eviction are called, and what comes of them as one sentence.

#include "app/panels/whatif/words.hpp"

namespace kv {

// "16" or "lru".
std::string choice_name(WhatIfView view, const WhatIfSetting& setting);
// What an order gives up first.
Text goes_first_words(const Texts& text, const ReplayOrder& order);
// "blocks of 8" or "lru: what was not used for longest".
Text choice_words(const Texts& text, WhatIfView view, const WhatIfSetting& setting);

// What the other views are weighed with: the recorded size, and the order of today's vLLM.
bool is_as_recorded(const WeighedRecording& weighed, const WhatIfSetting& setting);
const WhatIfChoice* recorded_choice(const WeighedRecording& weighed, const WhatIfChoices& choices);

Text question_words(const Texts& text, WhatIfView view);
Text replayed_words(const Texts& text, const WeighedRecording& weighed, WhatIfView view);
Text not_asked_words(const Texts& text, const WeighedRecording& weighed, WhatIfView view);
Text choice_answer(const Texts& text, const WeighedRecording& weighed, WhatIfView view,
                   const WhatIfChoices& choices);

}  // namespace kv
