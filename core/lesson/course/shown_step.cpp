#include "core/lesson/course/shown_step.hpp"

#include <algorithm>
#include <cctype>

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
std::string bare(std::string_view text, bool is_list = false) {
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
bool says(const std::string& answer, const std::string& right, const std::string& unit) {
    const bool is_list = right.find(", ") != std::string::npos;
    const std::string said = bare(answer, is_list), real = bare(right, is_list), what = bare(unit);
    if (said.empty()) return false;
    return said == real || (!what.empty() && (said == real + what || said + what == real));
}

std::string joined(const std::vector<ShownSpan>& spans) {
    std::string text;
    for (const ShownSpan& span : spans) {
        text += span.text;
        if (span.kind == ShownSpan::Kind::Published)
            text += " (published: " + span.link->name + ")";
    }
    return text;
}

}  // namespace

std::string plain_text(const ShownProse& prose) {
    std::string text;
    ProseBlock::Kind last = ProseBlock::Kind::Text;
    for (const ShownBlock& block : prose) {
        const bool tight = block.kind == last && block.kind != ProseBlock::Kind::Text;
        if (!text.empty() && !tight) text += "\n";
        if (block.kind == ProseBlock::Kind::Bullet) text += "- ";
        if (block.kind == ProseBlock::Kind::Code) text += "    $ ";
        for (std::size_t i = 0; i < block.cells.size(); ++i)
            text += (i > 0 ? " | " : "") + joined(block.cells[i]);
        text += "\n";
        last = block.kind;
    }
    return text;
}

std::string plain_line(const ShownProse& prose) {
    std::string text = plain_text(prose);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

ShownProse whole_task(const ShownTask& task) {
    ShownProse whole = task.text;
    const auto bullet = [&whole](const std::string& words) {
        whole.push_back({.kind = ProseBlock::Kind::Bullet, .cells = {{{.text = words}}}});
    };
    for (const std::string& condition : task.conditions) bullet(condition);
    if (task.is_challenge)
        bullet("Score: " + task.score + ", " + (task.lower_is_better ? "lower" : "higher") +
               " is better");
    return whole;
}

namespace {

// An answer can be the number of a choice, unless some choice is written that way itself.
std::string meant_by(const std::string& answer, const std::vector<std::string>& choices) {
    const auto is_answer = [&](const std::string& choice) { return bare(choice) == bare(answer); };
    if (std::any_of(choices.begin(), choices.end(), is_answer)) return answer;
    for (std::size_t i = 0; i < choices.size(); ++i)
        if (bare(answer) == std::to_string(i + 1)) return choices[i];
    return answer;
}

}  // namespace

GradedPrediction grade_prediction(const ShownPrediction& prediction, const std::string& answer) {
    const std::string said = meant_by(answer, prediction.choices);
    const auto right = [&](const std::string& one) { return says(said, one, prediction.unit); };
    return {right(prediction.answer) ||
                std::any_of(prediction.also_right.begin(), prediction.also_right.end(), right),
            said, prediction.answer};
}

ShownStep::ShownStep() = default;
ShownStep::ShownStep(const ShownStep&) = default;
ShownStep::ShownStep(ShownStep&&) noexcept = default;
ShownStep& ShownStep::operator=(const ShownStep&) = default;
ShownStep& ShownStep::operator=(ShownStep&&) noexcept = default;
ShownStep::~ShownStep() = default;

}  // namespace kv
