#pragma once
// Normalization form C (Unicode Standard Annex 15): characters in their composed form, marks in
// canonical order.

#include <string>
#include <string_view>

namespace kv {

std::string nfc(std::string_view text);  // valid UTF-8 in, valid UTF-8 out

}  // namespace kv
