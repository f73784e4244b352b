#include "core/model/tokenizer/unicode/unicode.hpp"

#include <algorithm>
#include <iterator>

#include "core/model/tokenizer/unicode/unicode_tables.hpp"

namespace kv {
namespace {

constexpr std::uint32_t kLetter = 1, kNumber = 2, kWord = 4;

// Hangul syllables are numbered: (leading * 21 + vowel) * 28 + trailing.
constexpr char32_t kSyllables = 0xAC00, kLeading = 0x1100, kVowels = 0x1161, kTrailing = 0x11A7;
constexpr char32_t kVowelCount = 21, kTrailingCount = 28, kLeadingCount = 19;
constexpr char32_t kSyllableCount = kLeadingCount * kVowelCount * kTrailingCount;

// The value of the run that `c` lies in, of a table that starts a run as code point << shift |
// value.
template <std::size_t kSize>
std::uint32_t run_value(const std::uint32_t (&table)[kSize], char32_t c, unsigned shift) {
    const std::uint32_t mask = (1U << shift) - 1;
    const auto* after = std::upper_bound(std::begin(table), std::end(table),
                                         static_cast<std::uint32_t>(c) << shift | mask);
    return after == std::begin(table) ? 0 : *(after - 1) & mask;
}

std::uint32_t classes_of(char32_t c) {
    return run_value(unicode::kClasses, c, 3);
}

constexpr std::uint64_t kPart = (1U << 21U) - 1;
char32_t whole_of(std::uint64_t row) {
    return static_cast<char32_t>(row >> 42U);
}
std::uint64_t parts_of(std::uint64_t row) {
    return row & (kPart << 21U | kPart);
}

std::optional<char32_t> hangul(char32_t first, char32_t second) {
    if (first - kLeading < kLeadingCount && second - kVowels < kVowelCount) {
        return kSyllables +
               ((first - kLeading) * kVowelCount + (second - kVowels)) * kTrailingCount;
    }
    const char32_t syllable = first - kSyllables, trailing = second - kTrailing;
    const bool open = syllable < kSyllableCount && syllable % kTrailingCount == 0;
    if (open && trailing > 0 && trailing < kTrailingCount) return first + trailing;
    return std::nullopt;
}

Decomposition hangul_parts(char32_t syllable) {
    const char32_t index = syllable - kSyllables;
    if (const char32_t trailing = index % kTrailingCount; trailing > 0) {
        return {syllable - trailing, kTrailing + trailing};
    }
    const char32_t vowel = index / kTrailingCount % kVowelCount;
    return {kLeading + index / (kVowelCount * kTrailingCount), kVowels + vowel};
}

}  // namespace

bool is_letter(char32_t c) {
    return (classes_of(c) & kLetter) != 0;
}

bool is_number(char32_t c) {
    return (classes_of(c) & kNumber) != 0;
}

bool is_word(char32_t c) {
    return (classes_of(c) & kWord) != 0;
}

bool is_white_space(char32_t c) {
    if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
           c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

std::uint8_t combining_class(char32_t c) {
    return static_cast<std::uint8_t>(run_value(unicode::kCombining, c, 8));
}

std::optional<Decomposition> decomposition(char32_t whole) {
    if (whole - kSyllables < kSyllableCount) return hangul_parts(whole);
    const auto* row = std::lower_bound(
        std::begin(unicode::kDecomposed), std::end(unicode::kDecomposed), whole,
        [](std::uint64_t entry, char32_t wanted) { return whole_of(entry) < wanted; });
    if (row == std::end(unicode::kDecomposed) || whole_of(*row) != whole) return std::nullopt;
    Decomposition parts{static_cast<char32_t>(*row >> 21U & kPart), std::nullopt};
    if (const auto second = static_cast<char32_t>(*row & kPart); second != 0) parts.second = second;
    return parts;
}

std::optional<char32_t> composition(char32_t first, char32_t second) {
    if (const auto syllable = hangul(first, second)) return syllable;
    const std::uint64_t wanted = std::uint64_t{first} << 21U | second;
    const auto* row = std::lower_bound(std::begin(unicode::kComposed), std::end(unicode::kComposed),
                                       wanted, [](std::uint16_t entry, std::uint64_t parts) {
                                           return parts_of(unicode::kDecomposed[entry]) < parts;
                                       });
    if (row == std::end(unicode::kComposed)) return std::nullopt;
    const std::uint64_t found = unicode::kDecomposed[*row];
    return parts_of(found) == wanted ? std::optional(whole_of(found)) : std::nullopt;
}

}  // namespace kv
