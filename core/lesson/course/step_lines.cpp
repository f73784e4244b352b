#include "core/lesson/course/step_lines.hpp"

#include <algorithm>
#include <array>

#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/code/sample.hpp"
#include "core/lesson/figures/figures.hpp"
#include "core/lesson/recording/place.hpp"
#include "core/lesson/scene/scene.hpp"
#include "core/trace/event/words.hpp"

namespace kv {
namespace {

constexpr auto kKeys = std::to_array<std::string_view>(
    {"scene", "recording", "at", "to", "other", "other at", "other to", "branch", "layout",
     "panels", "view", "shows", "exercise", "expect", "picture", "figure", "code"});

std::string_view without_spaces(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : text) {
        if (c != ' ' && c != ',') {
            word += c;
        } else if (!word.empty()) {
            words.push_back(std::move(word));
            word.clear();
        }
    }
    if (!word.empty()) words.push_back(std::move(word));
    return words;
}

std::optional<std::uint32_t> whole_word(std::string_view word) {
    std::string why;
    const auto value = parse_whole(word, 0, 10'000'000, why);
    if (!value) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
}

// "25:00", minutes and seconds.
std::optional<std::uint32_t> seconds_of(std::string_view word) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos || word.size() != colon + 3) return std::nullopt;
    const auto minutes = whole_word(word.substr(0, colon)),
               seconds = whole_word(word.substr(colon + 1));
    if (!minutes || !seconds || *minutes > 100'000 || *seconds > 59) return std::nullopt;
    return *minutes * 60 + *seconds;
}

void take_checks(LessonStep& step, std::string_view value, std::uint32_t line,
                 const RefuseLine& refuse) {
    for (const std::string& word : words_of(value)) {
        const auto number = word.size() == 4 && word[0] == 'C'
                                ? whole_word(std::string_view(word).substr(1))
                                : std::nullopt;
        if (!number || *number < 1 || *number > kCheckRows)
            refuse(line, "shows \"" + shown(word) + "\"",
                   "name rows from C001 to C" + std::to_string(kCheckRows));
        step.checks.push_back(word);
    }
}

void take_recording(LessonStep& step, std::string_view value, std::uint32_t line,
                    const RefuseLine& refuse) {
    if (const auto why = recording_name_refusal(std::string(value)))
        refuse(line, "has the recording \"" + shown(value) + "\", which " + *why,
               "name a file beside the lesson, such as hour.jsonl, or service:pool=1200");
    step.scene.reset(), step.recording = value;
}

void take_branch(LessonStep& step, std::string_view value, std::uint32_t line,
                 const RefuseLine& refuse) {
    const std::size_t blank = value.find(' ');
    const auto at = whole_word(value.substr(0, blank));
    if (!at || blank == std::string_view::npos)
        refuse(line, "has the branch \"" + shown(value) + "\"",
               "write an iteration and a command, such as 4 set k_codec int8");
    step.branch.emplace_back(*at, std::string(without_spaces(value.substr(blank))));
}

// "walk(37, 16, [91, 17, 44])": its arguments are one list.
LessonExpression walk_of(std::string_view value, std::uint32_t line, const RefuseLine& refuse) {
    constexpr std::string_view kBegin = "walk(";
    if (!value.starts_with(kBegin) || value.back() != ')')
        refuse(line, "has the picture \"" + shown(value) + "\"",
               "write walk(position, block size, table)");
    value.remove_prefix(kBegin.size()), value.remove_suffix(1);
    return parse_lesson_expression("[" + std::string(value) + "]", line, refuse);
}

// "without_cache steps = 8, cache = \"never\"": a name, and what a call would have in its brackets.
LessonExpression figure_of(std::string_view value, std::uint32_t line, const RefuseLine& refuse) {
    const std::string_view name = value.substr(0, value.find(' '));
    if (find_figure(name) == nullptr) {
        std::string names;
        for (const FigureSource& one : figure_sources())
            names += (names.empty() ? "" : ", ") + std::string(one.name);
        refuse(line, "has the figure \"" + shown(name) + "\"", "name one of " + names);
    }
    const std::string_view rest = without_spaces(value.substr(name.size()));
    return parse_lesson_expression(std::string(name) + "(" + std::string(rest) + ")", line, refuse);
}

const CodeSample* code_of(std::string_view value, std::uint32_t line, const RefuseLine& refuse) {
    const CodeSample* sample = find_code(value);
    if (sample == nullptr) {
        std::string names;
        for (const CodeSample* one : code_samples())
            names += (names.empty() ? "" : ", ") + std::string(one->name);
        refuse(line, "has the code \"" + shown(value) + "\"", "name one of " + names);
    }
    return sample;
}

PredictionGiven given_of(std::string_view value, std::uint32_t line, const RefuseLine& refuse) {
    const std::size_t equals = value.find(" = ");
    if (equals == std::string_view::npos)
        refuse(line, "has the given \"" + shown(value) + "\"", "write given: name = {value}");
    return {std::string(without_spaces(value.substr(0, equals))),
            parse_prose({std::string(value.substr(equals + 3))}, line, refuse)};
}

}  // namespace

std::optional<Directive> directive_of(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const std::string_view key = line.substr(0, colon);
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) return std::nullopt;
    return Directive{key, without_spaces(line.substr(colon + 1))};
}

void take_directive(LessonStep& step, const Directive& directive, std::uint32_t line,
                    const RefuseLine& refuse) {
    const auto& [key, value] = directive;
    if (value.empty())
        refuse(line, "has nothing behind \"" + std::string(key) + ":\"", "fill it in");
    if (key == "scene") step.recording.reset(), step.scene = value;
    if (key == "recording") take_recording(step, value, line, refuse);
    if (key == "at") step.opens = parse_moment(value, line, refuse);
    if (key == "to") step.ends = parse_moment(value, line, refuse);
    if (key == "other") step.other = value;
    if (key == "other at") step.other_opens = parse_moment(value, line, refuse);
    if (key == "other to") step.other_ends = parse_moment(value, line, refuse);
    if (key == "branch") take_branch(step, value, line, refuse);
    if (key == "panels") step.panels = words_of(value);
    if (key == "view") step.view = value;
    if (key == "picture") step.walk = walk_of(value, line, refuse);
    if (key == "figure") step.figure = figure_of(value, line, refuse);
    if (key == "code") step.code = code_of(value, line, refuse);
    if (key == "shows") take_checks(step, value, line, refuse);
    if (key == "exercise")
        for (std::string& id : words_of(value)) step.exercises.push_back(std::move(id));
    if (key == "expect") step.expects.push_back(parse_lesson_expression(value, line, refuse));
    if (key != "layout") return;
    const bool of_recordings = value == "attach";  // no scene is laid out so
    if (!of_recordings &&
        std::find(kLayoutWords.begin(), kLayoutWords.end(), value) == kLayoutWords.end())
        refuse(line, "has the layout \"" + shown(value) + "\"",
               "write learn, explore, present, compare or attach");
    step.layout = value;
    if (value == "present") step.panels.clear();  // it has none, those of the step before neither
}

LessonMoment parse_moment(std::string_view text, std::uint32_t line, const RefuseLine& refuse) {
    using Kind = LessonMoment::Kind;
    const std::vector<std::string> words = words_of(text);
    const auto bad = [&] {
        refuse(line, "has the moment \"" + shown(text) + "\"",
               "write start, end, an iteration, \"event NAME 1\", \"12 attend 0\", or of a "
               "recording a time such as 25:00");
    };
    if (words.empty()) bad();
    if (words[0] == "start" && words.size() == 1) return {.kind = Kind::Start};
    if (words[0] == "end" && words.size() == 1) return {.kind = Kind::End};
    if (words[0] == "event" && words.size() <= 3 && words.size() >= 2) {
        const auto n = words.size() == 3 ? whole_word(words[2]) : 1;
        if (!n || *n == 0) bad();
        return {.kind = Kind::Event, .number = *n, .name = words[1]};
    }
    if (const auto time = seconds_of(words[0]); time && words.size() == 1)
        return {.kind = Kind::Time, .number = *time};
    const auto iteration = whole_word(words[0]);
    if (!iteration || words.size() > 3) bad();
    if (words.size() == 1) return {.kind = Kind::Iteration, .number = *iteration};
    LessonMoment moment{.kind = Kind::Operation, .number = *iteration, .name = words[1]};
    if (!op_named(words[1])) bad();
    if (words.size() == 3) {
        moment.layer = whole_word(words[2]);
        if (!moment.layer) bad();
    }
    return moment;
}

namespace {

// A sentence that goes on may hold a colon; one lower-case word in front of it is a key, misspelt.
bool looks_like_key(std::string_view word) {
    return !word.empty() &&
           std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

Prediction parse_prediction(const std::vector<NumberedLine>& lines, const RefuseLine& refuse) {
    Prediction p;
    p.line = lines.front().line;
    std::string why, hint;
    std::uint32_t why_line = 0, hint_line = 0;
    std::string* goes_on = nullptr;  // what a line without a key belongs to
    for (const auto& [line, text] : lines) {
        const std::size_t colon = text.find(':');
        const std::string_view key = colon == std::string_view::npos ? "" : text.substr(0, colon);
        const std::string_view value =
            colon == std::string_view::npos ? "" : without_spaces(text.substr(colon + 1));
        if (key == "predict") {
            p.question = value;
        } else if (key == "answer") {
            p.answer = parse_lesson_expression(value, line, refuse);
            if (p.answer.tree->kind == Expression::Kind::Literal)
                refuse(line, "has the typed answer " + shown(value),
                       "compute it from the run or with a function");
        } else if (key == "choice") {
            p.choices.push_back(parse_lesson_expression(value, line, refuse));
        } else if (key == "accept") {
            p.accepts = parse_lesson_expression(value, line, refuse);
        } else if (key == "unit") {
            p.unit = value;
        } else if (key == "format") {
            p.format = value;
            if (!is_format(value))
                refuse(line, "has the format \"" + shown(value) + "\"", "use one that is known");
        } else if (key == "given") {
            p.givens.push_back(given_of(value, line, refuse));
        } else if (key == "hint") {
            hint = value, hint_line = line, goes_on = &hint;
        } else if (key == "why") {
            why = value, why_line = line, goes_on = &why;
        } else if (goes_on != nullptr && !looks_like_key(key)) {
            *goes_on += " " + std::string(text);
        } else if (!p.question.empty() && p.answer.text.empty() && !looks_like_key(key)) {
            p.question += " " + std::string(text);
        } else {
            refuse(line, "has \"" + shown(text) + "\" in a prediction",
                   "write predict, given, choice, answer, accept, unit, format, hint or why");
        }
    }
    if (const std::string typed = typed_quantity(p.question); !typed.empty())
        refuse(p.line, "has the typed quantity \"" + shown(typed) + "\" in a question",
               "describe it, or let the choices hold it");
    if (p.question.empty() || p.answer.tree == nullptr)
        refuse(p.line, "has a prediction without a question or an answer", "write both");
    if (p.choices.size() == 1) refuse(p.line, "has one choice alone", "write two or more");
    if (!hint.empty()) p.hint = parse_prose({hint}, hint_line, refuse);
    if (!why.empty()) p.why = parse_prose({why}, why_line, refuse);
    return p;
}

}  // namespace kv
