#include "app/cli/terminal/suggest.hpp"

#include <algorithm>

namespace kv {
namespace {

constexpr std::size_t kLongestWord = 64;  // what is longer was not meant to be one of our words
constexpr std::size_t kLeastPart = 4;     // letters: a shorter part is in too many words

bool is_part_of(std::string_view part, std::string_view whole) {
    return part.size() >= kLeastPart && whole.find(part) != std::string_view::npos;
}

}  // namespace

std::size_t edit_distance(std::string_view from, std::string_view to) {
    std::vector<std::vector<std::size_t>> cost(from.size() + 1,
                                               std::vector<std::size_t>(to.size() + 1));
    for (std::size_t i = 0; i <= from.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= to.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= from.size(); ++i) {
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t replace = cost[i - 1][j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replace});
            const bool swapped =
                i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
            if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[from.size()][to.size()];
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known) {
    if (word.size() > kLongestWord) return std::nullopt;
    std::optional<std::string> best;
    // A slip for every three letters, and no more: "--jsno" (6) may be 2 away, and --json is 1.
    std::size_t best_distance = word.size() / 3 + 1;
    for (const std::string& candidate : known) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    if (best) return best;
    const auto part =
        std::find_if(known.begin(), known.end(), [word](const std::string& candidate) {
            return is_part_of(word, candidate) || is_part_of(candidate, word);
        });
    if (part == known.end()) return std::nullopt;
    return *part;
}

}  // namespace kv
