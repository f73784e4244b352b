#pragma once
// Figures of the documentation: what stands beside the words of a lesson's step, cut out of the
// window, once in the dark and once in the light theme. A figure carries words for those who do not
// see it. The same lesson gives the same bytes on every machine.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/shot/shot.hpp"

namespace kv {

inline constexpr std::string_view kFigureThemes[] = {"dark", "light"};

// "08-06-walk-then.dark.png".
std::string figure_file(const std::string& step, std::string_view part, std::string_view theme);
// Parts of a step: as it opens, and after its reveal, the panels and, where they matter, the
// charts.
inline constexpr std::string_view kOpens, kOpensCharts = "-charts", kThen = "-then",
                                          kThenCharts = "-then-charts";

// The figures of all steps into --out-dir, of one lesson, or of one step of it. A figure after the
// reveal that shows nothing new is left out.
int shot_all_figures(const ShotOptions& options, std::optional<std::uint64_t> lesson,
                     std::optional<std::uint64_t> step);

// Whether nobody would see a difference: the rims of a few letters may differ from run to run of
// the same step, by where the letters were first drawn.
bool looks_same(const Image& a, const Image& b);

// What a figure says of itself; empty when it says nothing.
std::string figure_words(const std::filesystem::path& file);

}  // namespace kv
