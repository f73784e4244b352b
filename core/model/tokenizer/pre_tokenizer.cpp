#include "core/model/tokenizer/pre_tokenizer.hpp"

#include <algorithm>
#include <optional>

#include "core/model/tokenizer/text_normalizer.hpp"
#include "core/model/tokenizer/unicode/byte_letters.hpp"

namespace kv {

bool PreTokenizer::writes_letters() const {
    return std::any_of(steps_.begin(), steps_.end(), [](const PreTokenizerStep& step) {
        return std::holds_alternative<ByteLevelStep>(step);
    });
}

bool PreTokenizer::run(std::string_view text, bool at_start, const Take& take) const {
    return text.empty() || run_from(0, {text, at_start}, take);
}

bool PreTokenizer::run_from(std::size_t step, Piece piece, const Take& take) const {
    if (step == steps_.size()) {
        take(piece.text);
        return true;
    }
    return std::visit([&](const auto& known) { return apply(known, step, piece, take); },
                      steps_[step]);
}

// The pieces of a step go through all later ones before the next is looked at.
bool PreTokenizer::pass_on(std::size_t step, Piece whole, const std::vector<Span>& spans,
                           const Take& take) const {
    return std::all_of(spans.begin(), spans.end(), [&](const Span& span) {
        if (span.begin == span.end) return true;
        const Piece piece{whole.text.substr(span.begin, span.end - span.begin),
                          whole.at_start && span.begin == 0};
        return run_from(step + 1, piece, take);
    });
}

bool PreTokenizer::apply(const SplitStep& step, std::size_t index, Piece piece,
                         const Take& take) const {
    std::optional<std::vector<Span>> spans;
    if (const auto* pattern = std::get_if<SplitPattern>(&step.pattern))
        spans = pattern->spans(piece.text);
    else
        spans = literal_spans(piece.text, std::get<std::string>(step.pattern));
    if (!spans) return false;
    if (step.inverted) invert(*spans);
    return pass_on(index, piece, pieces_of(std::move(*spans), step.behavior), take);
}

bool PreTokenizer::apply(const DigitsStep& step, std::size_t index, Piece piece,
                         const Take& take) const {
    const auto behavior = step.one_by_one ? SplitBehavior::Isolated : SplitBehavior::Contiguous;
    return pass_on(index, piece, pieces_of(number_spans(piece.text), behavior), take);
}

bool PreTokenizer::apply(const ByteLevelStep& step, std::size_t index, Piece piece,
                         const Take& take) const {
    std::string prefixed;
    if (step.add_prefix_space && piece.text[0] != ' ') {
        prefixed = ' ' + std::string(piece.text);
        piece.text = prefixed;
    }
    std::vector<Span> spans{{0, piece.text.size(), false}};
    if (step.gpt2_pattern) spans = gpt2_spans(piece.text);
    std::string letters;
    return std::all_of(spans.begin(), spans.end(), [&](const Span& span) {
        letters.clear();
        append_letters(letters, piece.text.substr(span.begin, span.end - span.begin));
        return run_from(index + 1, {letters, piece.at_start && span.begin == 0}, take);
    });
}

bool PreTokenizer::apply(const MetaspaceStep& step, std::size_t index, Piece piece,
                         const Take& take) const {
    using Prepend = MetaspaceStep::Prepend;
    std::string marked = replaced(piece.text, " ", step.replacement);
    const bool wanted =
        step.prepend == Prepend::Always || (step.prepend == Prepend::First && piece.at_start);
    if (wanted && marked.compare(0, step.replacement.size(), step.replacement) != 0) {
        marked.insert(0, step.replacement);
    }
    piece.text = marked;
    std::vector<Span> spans{{0, marked.size(), false}};
    if (step.split) {
        spans = pieces_of(literal_spans(marked, step.replacement), SplitBehavior::MergedWithNext);
    }
    return pass_on(index, piece, spans, take);
}

}  // namespace kv
