#include "app/frame/overlay/fuzzy.hpp"

#include <algorithm>

namespace kv {
namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
bool is_word_start(std::string_view text, std::size_t i) {
    return i == 0 || text[i - 1] == ' ' || text[i - 1] == '.' || text[i - 1] == '-' ||
           text[i - 1] == '_';
}

// Points: for a letter that fits, for one that stands right behind the last, at the start of a
// word, at the start of the text; and for what stands there whole.
constexpr int kHit = 1, kRun = 4, kWordStart = 6, kVeryFirst = 4, kWhole = 20;

// What was typed stands there as it is, at the start of a word.
bool begins_word(std::string_view query, std::string_view text, std::size_t at) {
    if (query.empty() || at + query.size() > text.size() || !is_word_start(text, at)) return false;
    return std::equal(query.begin(), query.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char a, char b) { return lower(a) == lower(b); });
}

// The letters taken at their first places from `at` on, which may lie behind `at`.
std::optional<int> score_from(std::string_view query, std::string_view text, std::size_t at) {
    int score = begins_word(query, text, at) ? kWhole : 0;
    bool in_run = false;
    for (char wanted : query) {
        if (wanted == ' ') {
            in_run = false;
            continue;
        }
        const std::size_t start = at;
        while (at < text.size() && lower(text[at]) != lower(wanted)) ++at;
        if (at == text.size()) return std::nullopt;
        score += kHit;
        if (in_run && at == start) score += kRun;
        if (is_word_start(text, at)) score += kWordStart;
        if (at == 0) score += kVeryFirst;
        in_run = true;
        ++at;
    }
    return score;
}

}  // namespace

std::optional<int> fuzzy_score(std::string_view query, std::string_view text) {
    // The first letter may stand in several places, and not the first of them need be the best
    // start.
    std::optional<int> best;
    for (std::size_t at = 0; at <= text.size(); ++at)
        if (const auto score = score_from(query, text, at))
            best = std::max(best.value_or(*score), *score);
    if (!best) return std::nullopt;
    // Of equal fits the shorter text wins. Four letters of length count 1, so up to 63 letters no
    // length outweighs a point.
    return *best * kFuzzyPoint - static_cast<int>(text.size() / 4);
}

}  // namespace kv
