#pragma once
// The words of the bill and of the cache, each with the symbols that papers, courses and programs
// write for the same quantity. Pure data. Names and symbols are notation and stay in every
// language; what they mean is a text.

#include <optional>
#include <span>
#include <string_view>

#include "app/panels/bill/ui.hpp"
#include "app/shell/texts/texts.hpp"

namespace kv {

struct GlossaryEntry {
    std::string_view name;                     // as this program and its code write it
    std::span<const std::string_view> others;  // as others write it
    TextId meaning;
    std::optional<BillFactor> factor = {};  // the box of the equation that it names
};

struct GlossaryGroup {
    TextId title;
    std::span<const GlossaryEntry> entries;
};

std::span<const GlossaryGroup> glossary();

}  // namespace kv
