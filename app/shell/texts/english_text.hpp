#pragma once
// One English text and its id. The table is written in several files, each about one part of the
// window, and joined in english.hpp.

#include <array>
#include <cstddef>
#include <string_view>

namespace kv {

struct EnglishText {
    std::string_view id, text;
};

template <std::size_t... sizes>
constexpr auto joined(const std::array<EnglishText, sizes>&... parts) {
    std::array<EnglishText, (sizes + ...)> all{};
    std::size_t at = 0;
    const auto add = [&](const auto& part) {
        for (const EnglishText& text : part) all[at++] = text;
    };
    (add(parts), ...);
    return all;
}

}  // namespace kv
