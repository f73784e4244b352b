#pragma once
// The functions of the lesson language that look at the run: at other moments, at its events, and
// at what is computed once more from the model. Internal to the evaluator.

#include <optional>
#include <string>

#include "core/lesson/language/evaluate.hpp"
#include "core/lesson/language/mask_experiment.hpp"

namespace kv {

class RunFunctions {
public:
    RunFunctions(const Evaluator& scope, const Expression& e) : scope_(scope), e_(e) {}
    // What the function gives; nothing when it is none of these.
    std::optional<LessonValue> call() const;

private:
    [[noreturn]] void refuse(const std::string& rule) const;
    const LessonRun& run() const;
    const Expression& part(std::size_t i) const;
    LessonValue argument(std::size_t i) const { return scope_.value(part(i)); }
    std::uint32_t whole(std::size_t i, std::uint32_t below) const;
    std::string text(std::size_t i) const;
    std::optional<LessonValue> labelled(std::string_view label) const;
    SeqId request_named(const std::string& name) const;

    LessonValue at_iteration(std::uint32_t iteration, const Expression& e) const;
    LessonValue at_time() const;
    LessonValue series() const;
    LessonValue always() const;
    LessonValue first() const;
    LessonValue block() const;
    LessonValue events() const;
    LessonValue reason() const;
    template <class Look>
    LessonValue known_or(const std::string& question, const Look& look) const;
    LessonValue proof() const;
    LessonValue quality() const;
    LessonValue edited() const;
    LessonValue masked() const;
    LessonValue attention() const;
    LessonValue key() const;
    LessonValue address() const;
    LessonValue without() const;
    LessonValue coarse() const;

    LayerRows rows_of(const std::vector<std::uint32_t>& tokens, MaskRule rule) const;
    std::vector<std::uint32_t> tokens_of(SeqId id) const;

    const Evaluator& scope_;
    const Expression& e_;
};

}  // namespace kv
