#include "core/lesson/exercises/answer_text.hpp"

#include <algorithm>
#include <cctype>

#include "core/base/letters.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/exercises/answer_value.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostText = 2'000;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

std::vector<std::string> cut_at(const std::string& text, char mark) {
    std::vector<std::string> pieces;
    std::string piece;
    for (const char c : text + mark) {
        if (c != mark) {
            piece += c;
            continue;
        }
        if (!trimmed(piece).empty()) pieces.emplace_back(trimmed(piece));
        piece.clear();
    }
    return pieces;
}

// Every way of writing "and then" becomes ';'. A comma between digits may be one of thousands.
std::string with_semicolons(std::string text, bool digits_too) {
    replace_all(text, " and ", ";");
    replace_all(text, "\n", ";");
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (std::string_view("()[]{}").find(text[i]) != std::string_view::npos) text[i] = ' ';
        if (text[i] != ',') continue;
        const bool inside =
            i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
        if (digits_too || !inside) text[i] = ';';
    }
    return text;
}

// "8 x 1 x 38" and "8x1x38" as three values; a shape is written so.
std::string with_crosses(std::string text) {
    replace_all(text, "\u00d7", "x");
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        const std::size_t next = text.find_first_not_of(' ', i + 1);
        const std::size_t before = text.find_last_not_of(' ', i == 0 ? 0 : i - 1);
        if (text[i] == 'x' && i > 0 && before != std::string::npos && is_digit(text[before]) &&
            next != std::string::npos && is_digit(text[next]))
            text[i] = ';';
    }
    return text;
}

// How many values are wanted says how to read commas and crosses: commas between digits belong to
// thousands (1,024) as long as the rest gives enough values, then they part values too (3,5,4,69),
// and a shape is written with crosses (8x1x38).
std::vector<std::string> split_values(const Exercise& exercise, const std::string& text) {
    const std::size_t n = exercise.parts.size();
    if (n == 1) return {std::string(trimmed(text))};
    std::vector<std::string> pieces = cut_at(with_semicolons(text, false), ';');
    if (pieces.size() == n) return pieces;
    std::vector<std::string> others = cut_at(with_semicolons(text, true), ';');
    if (others.size() == n) return others;
    others = cut_at(with_crosses(text), ';');
    return others.size() == n ? others : pieces;
}

// What stands before a value: "offset" in "offset 5", "window" in "window: tokens kept".
struct Labelled {
    std::string label, value;
};
Labelled peel_label(const std::string& piece, const ExercisePart* part) {
    const std::size_t mark = piece.find_first_of(":=");
    if (mark != std::string::npos)
        return {std::string(trimmed(piece.substr(0, mark))),
                std::string(trimmed(piece.substr(mark + 1)))};
    if (part != nullptr && part->quantity == Quantity::Word) return {"", piece};
    if (piece.empty() || !is_letter(piece[0])) return {"", piece};
    std::size_t digit = piece.find_first_of("0123456789");
    if (digit == std::string::npos) return {"", piece};
    // The minus of "number -50", and not that of "token-major 20".
    if (digit > 1 && piece[digit - 1] == '-' && piece[digit - 2] == ' ') --digit;
    return {std::string(trimmed(piece.substr(0, digit))), piece.substr(digit)};
}

// The one part in whose name the label's words stand together.
std::optional<std::size_t> part_of(const Exercise& exercise, const std::string& label) {
    const std::string wanted = " " + lower_case(label) + " ";
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < exercise.parts.size(); ++i) {
        const std::string name = " " + lower_case(exercise.parts[i].name) + " ";
        if (name == wanted || name == " the" + wanted) return i;
        if (name.find(wanted) == std::string::npos) continue;
        if (found) return std::nullopt;
        found = i;
    }
    return found;
}

// The text cut into as many pieces as there are parts.
std::optional<std::vector<std::string>> cut_answer(const Exercise& exercise, std::string_view text,
                                                   std::string& why) {
    if (trimmed(text).empty()) {
        why = "There is no answer.";
        return std::nullopt;
    }
    if (text.size() > kMostText) {
        why = "The answer is longer than 2,000 characters.";
        return std::nullopt;
    }
    const std::size_t n = exercise.parts.size();
    std::vector<std::string> pieces = split_values(exercise, std::string(text));
    if (pieces.size() == n) return pieces;
    why = "Expected " + counted(n, "value") + " and read " + std::to_string(pieces.size()) +
          "; put a semicolon between them.";
    return std::nullopt;
}

// What is said of each part, without labels. A piece goes to the part that its label names; pieces
// without a label take the parts that are left, in their order.
std::optional<std::vector<std::string>> said_of_parts(const Exercise& exercise,
                                                      const std::vector<std::string>& pieces,
                                                      std::string& why) {
    const std::size_t n = exercise.parts.size();
    std::vector<std::optional<std::string>> labelled(n);
    std::vector<std::string> without_label;
    for (std::size_t i = 0; i < n; ++i) {
        const bool chosen = !exercise.choices.empty();
        const Labelled piece =
            chosen ? Labelled{"", pieces[i]} : peel_label(pieces[i], &exercise.parts[i]);
        if (piece.label.empty()) {
            without_label.push_back(piece.value);
            continue;
        }
        const auto part = part_of(exercise, piece.label);
        if (!part || labelled[*part]) {
            why = "\"" + shown(piece.label) +
                  "\" does not say which value is meant; give the values in the order asked for.";
            return std::nullopt;
        }
        labelled[*part] = piece.value;
    }
    std::vector<std::string> said;
    said.reserve(n);
    std::size_t next = 0;
    for (const std::optional<std::string>& of_part : labelled)
        said.push_back(of_part ? *of_part : without_label[next++]);
    return said;
}

}  // namespace

std::vector<std::string> answer_fields(const Exercise& exercise, std::string_view text) {
    const std::size_t n = exercise.parts.size();
    std::vector<std::string> fields{""};
    for (const char c : text) {
        if (c == ';')
            fields.emplace_back();
        else
            fields.back() += c;
    }
    for (std::string& field : fields) field = std::string(trimmed(field));
    if (fields.size() == n) return fields;
    // The text is none of answer_of_fields(), but typed as one answer.
    std::vector<std::string> pieces = split_values(exercise, std::string(text));
    if (pieces.size() == n) return pieces;
    if (fields.size() > n) fields = {std::string(trimmed(text))};
    fields.resize(n);
    return fields;
}

std::string answer_of_fields(const std::vector<std::string>& fields) {
    std::string text;
    for (std::size_t i = 0; i < fields.size(); ++i) text += (i == 0 ? "" : "; ") + fields[i];
    return text;
}

bool is_begun(const Exercise& exercise, std::string_view text) {
    const std::vector<std::string> fields = answer_fields(exercise, text);
    const auto n_empty = std::count(fields.begin(), fields.end(), "");
    const bool is_of_fields =
        std::count(text.begin(), text.end(), ';') + 1 == static_cast<std::ptrdiff_t>(fields.size());
    return is_of_fields && n_empty > 0 && n_empty < static_cast<std::ptrdiff_t>(fields.size());
}

std::optional<std::vector<AnswerValue>> read_answer(const Exercise& exercise, std::string_view text,
                                                    std::string& why) {
    const auto pieces = cut_answer(exercise, text, why);
    if (!pieces) return std::nullopt;
    const auto said = said_of_parts(exercise, *pieces, why);
    if (!said) return std::nullopt;
    std::vector<AnswerValue> values;
    for (std::size_t i = 0; i < said->size(); ++i) {
        auto value = read_value(exercise.parts[i], (*said)[i], why);
        if (!value) return std::nullopt;
        values.push_back(std::move(*value));
    }
    return values;
}

}  // namespace kv
