#pragma once
// The choices that Settings offers, as plain values. Pure: no imgui.h.

#include <string>
#include <vector>

#include "core/base/numbers/checked.hpp"

namespace kv {

// 4, 8, 16 and 32 tokens, and the present size where it is another one.
struct PageChoices {
    std::vector<u64> sizes;
    std::vector<std::string> labels;
    std::size_t chosen = 0;
};
PageChoices page_choices(u64 block_size);

// The window's slider moves over powers of two.
struct WindowPowers {
    int least, most;
};
inline constexpr WindowPowers kWindowPowers{4, 17};  // 16 to 131,072 tokens
double power_of_window(u64 window);                  // the nearest, within the slider
u64 window_of_power(double power);
u64 first_window(u64 tokens);  // when it is switched on: half of the tokens, so that it shows

}  // namespace kv
