#pragma once
// Cuts a text into the pieces that are encoded one by one: the pre_tokenizer of a tokenizer.json, a
// row of steps of which each works on the pieces of the one before.

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/model/tokenizer/split_pattern.hpp"
#include "core/model/tokenizer/text_spans.hpp"

namespace kv {

struct SplitStep {
    std::variant<SplitPattern, std::string> pattern;  // a text matches itself
    SplitBehavior behavior;
    bool inverted;
};
struct DigitsStep {
    bool one_by_one;
};
struct ByteLevelStep {  // turns bytes into letters, see byte_letters.hpp
    bool add_prefix_space;
    bool gpt2_pattern;
};
struct MetaspaceStep {
    enum class Prepend { First, Never, Always };
    std::string replacement;  // stands for a blank
    Prepend prepend;
    bool split;
};
using PreTokenizerStep = std::variant<SplitStep, DigitsStep, ByteLevelStep, MetaspaceStep>;

class PreTokenizer {
public:
    using Take = std::function<void(std::string_view piece)>;

    PreTokenizer() = default;
    explicit PreTokenizer(std::vector<PreTokenizerStep> steps) : steps_(std::move(steps)) {}

    // Hands over every piece that is not empty. `at_start`: the text is the beginning of what the
    // user wrote. False when a pattern gave up.
    bool run(std::string_view text, bool at_start, const Take& take) const;

    bool writes_letters() const;  // pieces are letters that stand for bytes

private:
    struct Piece {
        std::string_view text;
        bool at_start;
    };

    bool run_from(std::size_t step, Piece piece, const Take& take) const;
    bool pass_on(std::size_t step, Piece whole, const std::vector<Span>& spans,
                 const Take& take) const;
    bool apply(const SplitStep& step, std::size_t index, Piece piece, const Take& take) const;
    bool apply(const DigitsStep& step, std::size_t index, Piece piece, const Take& take) const;
    bool apply(const ByteLevelStep& step, std::size_t index, Piece piece, const Take& take) const;
    bool apply(const MetaspaceStep& step, std::size_t index, Piece piece, const Take& take) const;

    std::vector<PreTokenizerStep> steps_;
};

}  // namespace kv
