// Facts of two sums that part: the terms as a lesson names them, once as they should be and once as
// somebody had them. Both results are worked out here, so that no figure can claim one.

#include <cmath>

#include "core/base/numbers/text.hpp"
#include "core/lesson/figures/ask.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostTerms = 7, kMostLines = 4;
constexpr std::uint64_t kMostFitting = 64;  // drawn one by one

using Sign = TwoSumsFacts::Sign;

struct SumOf {
    Number so_far;
    bool has_begun = false;

    void take(const FigureAsk& ask, Sign sign, const Number& term) {
        if (!has_begun) {
            so_far = term, has_begun = true;
            return;
        }
        const int way = sign == Sign::Over ? -1 : 1;
        if (sign == Sign::Less) {
            if (!(term.unit == so_far.unit)) ask.given.refuse("takes away what has another unit");
            so_far.value -= term.value;
            return;
        }
        if (way < 0 && term.value == 0) ask.given.refuse("divides by zero");
        so_far.value = way < 0 ? so_far.value / term.value : so_far.value * term.value;
        so_far.unit = {so_far.unit.bytes + way * term.unit.bytes,
                       so_far.unit.seconds + way * term.unit.seconds,
                       so_far.unit.flops + way * term.unit.flops};
    }
};

// "KV heads | query heads | heads": what it is, in the wrong sum, and what the rule calls it.
std::vector<std::string> split_names(const std::string& text) {
    std::vector<std::string> names;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t bar = std::min(text.find(" | ", from), text.size());
        names.push_back(text.substr(from, bar - from));
        from = bar + 3;
    }
    return names;
}

std::string short_decimal(double value) {
    std::string digits = significant(value, 4);
    if (digits.find('.') != std::string::npos) digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return digits;
}

// A value as a lesson writes it; but a fraction is never rounded away, for terms are multiplied.
std::string written(const FigureAsk& ask, const LessonValue& value, const std::string& format) {
    const auto* number = value.plain<Number>();
    const bool is_whole = number == nullptr || number->value == std::floor(number->value);
    if (format.empty() && !is_whole && number->unit == kBytes && number->value < 1024)
        return short_decimal(number->value) + " B";
    if (format.empty() && !is_whole && number->unit == kCount && number->value >= 100)
        return *value_shown(value, "1");
    const auto said = value_shown(value, format);
    if (!said) ask.given.refuse("has a number that cannot be written as " + format);
    return *said;
}

// Empty: the sum lacks this term.
std::string take_term(const FigureAsk& ask, Sign sign, const LessonValue& value, SumOf& sum) {
    if (const auto* text = value.plain<std::string>(); text != nullptr && text->empty()) return {};
    const auto* number = value.plain<Number>();
    if (number == nullptr || !(number->value >= 0))
        ask.given.refuse("wants terms that are numbers, or \"\" where a sum lacks one");
    sum.take(ask, sign, *number);
    return written(ask, value, "");
}

TwoSumsFacts::Result result_of(const FigureAsk& ask, const SumOf& sum, const std::string& format) {
    if (!sum.has_begun || !(sum.so_far.value > 0)) ask.given.refuse("wants sums above zero");
    TwoSumsFacts::Result result{written(ask, sum.so_far, format), {}, sum.so_far.value, 0};
    if (sum.so_far.unit == kBytes) result.exact = written(ask, sum.so_far, "B");
    if (result.exact == result.said) result.exact.clear();
    return result;
}

TwoSumsFacts::Line line_of(const FigureAsk& ask, const LessonValue& value) {
    using Feeds = TwoSumsFacts::Line::Feeds;
    const auto* parts = value.shared<LessonList>();
    if (parts == nullptr || parts->size() < 2 || parts->size() > 3)
        ask.given.refuse("wants lines of a name, a value and perhaps \"right\" or \"wrong\"");
    const auto* name = (*parts)[0].plain<std::string>();
    if (name == nullptr) ask.given.refuse("wants names in quotes");
    TwoSumsFacts::Line line{*name, written(ask, (*parts)[1], ""), Feeds::Neither};
    if (parts->size() < 3) return line;
    const auto* feeds = (*parts)[2].plain<std::string>();
    if (feeds == nullptr || (*feeds != "right" && *feeds != "wrong"))
        ask.given.refuse("has lines that feed neither the \"right\" nor the \"wrong\" sum");
    line.feeds = *feeds == "right" ? Feeds::Right : Feeds::Wrong;
    return line;
}

Sign sign_of(const FigureAsk& ask) {
    const std::string word = ask.given.text_or("sign", "times");
    if (word == "over") return Sign::Over;
    if (word == "less") return Sign::Less;
    if (word != "times") ask.given.refuse("has a sign that is not times, over or less");
    return Sign::Times;
}

TwoSumsFacts::Open open_of_sums(const FigureAsk& ask) {
    using Open = TwoSumsFacts::Open;
    const std::string word = ask.given.text_or("open", "all");
    if (word == "wrong") return Open::Wrong;
    if (word == "right") return Open::Right;
    if (word == "both") return Open::Both;
    if (word != "all") ask.given.refuse("opens with something else than wrong, right, both or all");
    return Open::All;
}

// The unit of both results.
Dimension terms_of(const FigureAsk& ask, TwoSumsFacts& facts, const std::string& format) {
    const LessonList names = ask.given.list("names"), right = ask.given.list("right"),
                     wrong = ask.given.list("wrong");
    if (names.empty() || names.size() > kMostTerms || names.size() != right.size() ||
        names.size() != wrong.size())
        ask.given.refuse("wants 1 to " + std::to_string(kMostTerms) +
                         " names, and a term of each sum for each");
    SumOf right_sum, wrong_sum;
    bool part = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto* text = names[i].plain<std::string>();
        if (text == nullptr) ask.given.refuse("wants names in quotes");
        const std::vector<std::string> words = split_names(*text);
        if (words.size() > 3) ask.given.refuse("wants at most three words for a term");
        TwoSumsFacts::Term term;
        term.name = words[0], term.wrong_name = words[words.size() > 1 ? 1 : 0];
        term.called = words[words.size() > 2 ? 2 : 0];
        term.right = take_term(ask, facts.sign, right[i], right_sum);
        term.wrong = take_term(ask, facts.sign, wrong[i], wrong_sum);
        if (term.right.empty() && term.wrong.empty())
            ask.given.refuse("has a term that neither sum has");
        part = part || term.parts();
        facts.terms.push_back(std::move(term));
    }
    if (!part) ask.given.refuse("has two sums that do not part");
    if (!(right_sum.so_far.unit == wrong_sum.so_far.unit))
        ask.given.refuse("has two sums of different units");
    facts.right = result_of(ask, right_sum, format);
    facts.wrong = result_of(ask, wrong_sum, format);
    return right_sum.so_far.unit;
}

}  // namespace

FigureFacts ask_two_sums(const FigureAsk& ask) {
    TwoSumsFacts facts;
    facts.title = ask.given.text("title"), facts.how = ask.given.text("how");
    facts.sign = sign_of(ask), facts.open = open_of_sums(ask);
    const Dimension unit = terms_of(ask, facts, ask.given.text_or("format", ""));
    facts.judged = ask.given.yes_or("judged", true);
    facts.right_name = ask.given.text_or("right_name", "");
    facts.wrong_name = ask.given.text_or("wrong_name", "");
    facts.right_says = ask.given.text_or("right_says", "");
    facts.wrong_says = ask.given.text_or("wrong_says", "");
    if (ask.given.has("lines")) {
        for (const LessonValue& line : ask.given.list("lines"))
            facts.lines.push_back(line_of(ask, line));
        if (facts.lines.size() > kMostLines)
            ask.given.refuse("wants at most " + std::to_string(kMostLines) + " lines");
    }
    if (ask.given.has("room")) {
        const u64 room = ask.given.bytes("room");
        facts.room = written(ask, whole_bytes(room), "");
        if (!(unit == kBytes)) ask.given.refuse("wants a room only for sums of bytes");
        for (TwoSumsFacts::Result* one : {&facts.right, &facts.wrong}) {
            one->fit = static_cast<std::uint64_t>(static_cast<double>(room) / one->amount);
            if (one->fit == 0 || one->fit > kMostFitting)
                ask.given.refuse("wants a room of 1 to " + std::to_string(kMostFitting) +
                                 " requests");
        }
    }
    return facts;
}

}  // namespace kv
