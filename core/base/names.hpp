#pragma once
// The values of an enum by their names: a table of words, in the order of the enum.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/base/error.hpp"

namespace kv {

template <class Enum, std::size_t N>
std::string_view name_in(const std::array<std::string_view, N>& names, Enum value) {
    KV_ASSERT(static_cast<std::size_t>(value) < N);
    return names[static_cast<std::size_t>(value)];
}

template <class Enum, std::size_t N>
std::optional<Enum> named_in(const std::array<std::string_view, N>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Enum>(found - names.begin());
}

}  // namespace kv
