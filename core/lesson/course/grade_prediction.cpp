#include "core/lesson/course/grade_prediction.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

// What is right, by example:
//
//   answer, unit     said           graded
//   1,024, tokens    1024           right: a comma of thousands says nothing
//   1,024, tokens    1024 tokens    right: nor does the unit
//   1,024, tokens    1K             wrong: texts are compared, not what they are worth
//   1.5              1,5            right: this comma parts a number from its fraction
//   37, 16           37,16          right: this one parts a list
//   left or right    2              the second choice, as long as no choice is written "2"

namespace kv {
namespace {

std::size_t digits_from(std::string_view text, std::size_t first) {
    return std::min(text.find_first_not_of("0123456789", first), text.size()) - first;
}

// The comma of 1,5 parts a number from its fraction; that of 1,500 says nothing.
bool is_decimal(std::string_view text, std::size_t comma) {
    const std::size_t after = digits_from(text, comma + 1);
    return comma > 0 && digits_from(text, comma - 1) > 0 && after > 0 && after != 3;
}

// Case, blanks and quotes say nothing, nor do the commas of thousands and of lists.
std::string normalised(std::string_view text, bool is_list = false) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ' || text[i] == '"') continue;
        if (text[i] != ',')
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
        else if (!is_list && is_decimal(text, i))
            out += '.';
    }
    return out;
}

// A unit behind the number may be left out on either side.
bool means_the_same(const std::string& answer, const std::string& right, const std::string& unit) {
    const bool is_list = right.find(", ") != std::string::npos;
    const std::string said = normalised(answer, is_list), real = normalised(right, is_list),
                      what = normalised(unit);
    if (said.empty()) return false;
    return said == real || (!what.empty() && (said == real + what || said + what == real));
}

// An answer can be the number of a choice, unless some choice is written that way itself.
std::string meant_by(const std::string& answer, const std::vector<std::string>& choices) {
    const auto is_answer = [&](const std::string& choice) {
        return normalised(choice) == normalised(answer);
    };
    if (std::any_of(choices.begin(), choices.end(), is_answer)) return answer;
    for (std::size_t i = 0; i < choices.size(); ++i)
        if (normalised(answer) == std::to_string(i + 1)) return choices[i];
    return answer;
}

}  // namespace

GradedPrediction grade_prediction(const ShownPrediction& prediction, const std::string& answer) {
    const std::string said = meant_by(answer, prediction.choices);
    const auto is_meant = [&](const std::string& right) {
        return means_the_same(said, right, prediction.unit);
    };
    const std::vector<std::string>& others = prediction.also_right;
    return {
        .right = is_meant(prediction.answer) || std::any_of(others.begin(), others.end(), is_meant),
        .said = said,
        .real = prediction.answer};
}

}  // namespace kv
