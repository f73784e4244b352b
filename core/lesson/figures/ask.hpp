#pragma once
// What whoever asks for the facts of a figure is given. Internal to the room.

#include <string>
#include <vector>

#include "core/lesson/figures/facts.hpp"
#include "core/lesson/language/arguments.hpp"
#include "core/lesson/language/evaluate.hpp"

namespace kv {

struct FigureAsk {
    const Evaluator& at;  // the state behind the step
    LessonArguments& given;

    // An expression of the lesson language, at that moment.
    LessonValue value(const std::string& expression) const {
        return at.value(*parse_expression(expression));
    }
    std::vector<std::uint32_t> counts(const std::string& expression) const;
    const LessonRun& run() const;
    // The word of each token as it is written, without the blank before it.
    std::vector<std::string> words(const std::vector<std::uint32_t>& tokens) const;
    // "now", "revealed" or "never".
    FigureWhen when(const std::string& name, const std::string& otherwise) const;
};

// run_facts.cpp
FigureFacts ask_without_cache(const FigureAsk& ask);
FigureFacts ask_blocks(const FigureAsk& ask);
FigureFacts ask_text(const FigureAsk& ask);
FigureFacts ask_changed(const FigureAsk& ask);

// cost_facts.cpp
FigureFacts ask_byte_map(const FigureAsk& ask);
FigureFacts ask_wiring(const FigureAsk& ask);
FigureFacts ask_vectors(const FigureAsk& ask);
FigureFacts ask_layers(const FigureAsk& ask);

// sum_facts.cpp
FigureFacts ask_two_sums(const FigureAsk& ask);

// amount_facts.cpp
FigureFacts ask_roofline(const FigureAsk& ask);
FigureFacts ask_bars(const FigureAsk& ask);
FigureFacts ask_factors(const FigureAsk& ask);
FigureFacts ask_series(const FigureAsk& ask);

// lanes_facts.cpp
FigureFacts ask_lanes(const FigureAsk& ask);

// service_facts.cpp
FigureFacts ask_service(const FigureAsk& ask);
FigureFacts ask_batch(const FigureAsk& ask);

// text_facts.cpp
FigureFacts ask_stages(const FigureAsk& ask);
FigureFacts ask_two_texts(const FigureAsk& ask);

// small_facts.cpp
FigureFacts ask_passes(const FigureAsk& ask);
FigureFacts ask_attend_row(const FigureAsk& ask);
FigureFacts ask_bits(const FigureAsk& ask);
FigureFacts ask_sectors(const FigureAsk& ask);

// coded_facts.cpp
FigureFacts ask_outlier(const FigureAsk& ask);
FigureFacts ask_residual(const FigureAsk& ask);
FigureFacts ask_fields(const FigureAsk& ask);

// kept_facts.cpp
FigureFacts ask_sink(const FigureAsk& ask);
FigureFacts ask_heavy(const FigureAsk& ask);
FigureFacts ask_ranks(const FigureAsk& ask);
FigureFacts ask_bounds(const FigureAsk& ask);
FigureFacts ask_observed(const FigureAsk& ask);

// pool_facts.cpp
FigureFacts ask_arena(const FigureAsk& ask);
FigureFacts ask_shares(const FigureAsk& ask);
FigureFacts ask_walk(const FigureAsk& ask);
FigureFacts ask_last_block(const FigureAsk& ask);
FigureFacts ask_stretches(const FigureAsk& ask);

// radix_facts.cpp
FigureFacts ask_radix(const FigureAsk& ask);
FigureFacts ask_hashes(const FigureAsk& ask);

}  // namespace kv
