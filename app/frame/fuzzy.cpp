#include "app/frame/fuzzy.hpp"

namespace kv {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_word_start(std::string_view text, std::size_t i) {
    return i == 0 || text[i - 1] == ' ' || text[i - 1] == '.' || text[i - 1] == '-' || text[i - 1] == '_';
}

}  // namespace

std::optional<int> fuzzy_score(std::string_view query, std::string_view text) {
    constexpr int kHit = 1, kRun = 4, kWordStart = 6, kVeryFirst = 4;
    int score = 0;
    std::size_t at = 0;
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
    return score * 16 - static_cast<int>(text.size() / 4);
}

}  // namespace kv
