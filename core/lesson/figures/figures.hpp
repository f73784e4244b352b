#pragma once
// The figures that a lesson can name: "figure: without_cache steps = 8" has the name and the
// parameters of one row of the table. A parameter is an expression of the lesson language.

#include <span>
#include <string_view>

#include "core/lesson/figures/facts.hpp"
#include "core/lesson/language/evaluate.hpp"

namespace kv {

struct FigureAsk;

struct FigureSource {
    std::string_view name, parameters, help;
    FigureFacts (*ask)(const FigureAsk&);
};
// In the order of FigureFacts.
std::span<const FigureSource> figure_sources();
const FigureSource* find_figure(std::string_view name);

// `call` is the line as a call: without_cache(steps=8). Throws ExpressionRefusal.
FigureFacts figure_facts(const Evaluator& at, const Expression& call);

}  // namespace kv
