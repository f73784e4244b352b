#pragma once
// Numbers as the texts of the questions say them.

#include <string>

#include "core/base/numbers/checked.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {

inline std::string say(u64 number) {
    return with_commas(number);
}
inline std::string say(std::uint32_t number) {
    return with_commas(number);
}
// A number in as few digits as say it, with commas of thousands: "0.4", "3.35", "1,097.5".
std::string say(double number);

template <class List>
std::string say_list(const List& numbers) {
    std::string text;
    for (const auto number : numbers) text += (text.empty() ? "" : ", ") + say(number);
    return text;
}

}  // namespace kv
