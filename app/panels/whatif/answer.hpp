#pragma once
// The answer as a sentence, and the numbers in it as a person writes them. The window and the
// command line say the same.

#include "app/shell/texts/texts.hpp"
#include "core/whatif/study/summary.hpp"

namespace kv {

std::string share_words(double share);    // "75.6 %"
std::string points_words(double points);  // "+10.7"; "0.0"
std::string pool_bytes_words(u64 bytes);  // "51 GiB", "816 MiB"
std::string ms_words(double seconds);     // "15.9", "164"
std::string times_words(double factor);   // "0.5", "1.79", "16"
Text duration_words(const Texts& text, double seconds);

// A block size or an order of eviction beside what was recorded, in the same memory.
struct WhatIfBeside {
    bool by_order = false;  // else by block size
    const WhatIfPoint &recorded, &best;
    double seconds = 0;
    bool knows_today = true;
};
Text whatif_beside_answer(const Texts& text, const WhatIfBeside& beside);

// `smaller`: today's memory in another codec, where that was asked for.
Text whatif_answer(const Texts& text, const WhatIfSummary& summary, const WhatIfPoint* smaller);

}  // namespace kv
