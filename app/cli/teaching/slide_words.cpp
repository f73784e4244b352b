// What stands under the picture of a slide, and how much room it takes there.

#include <algorithm>
#include <cmath>

#include "app/cli/teaching/html.hpp"
#include "app/cli/teaching/slides.hpp"
#include "core/base/files/utf8.hpp"
#include "core/lesson/course/given_away.hpp"

namespace kv {
namespace {

constexpr float kWide = 1788;  // of a slide of 1920
// A letter is about so wide, of the size of its font; a little more, so that no line is forgotten.
constexpr float kLetter = 0.56f, kMonoLetter = 0.61f;
constexpr float kAsks = 38, kAsksPitch = 48, kSays = 32, kSaysPitch = 43, kSmall = 27,
                kSmallPitch = 38;

std::size_t count_letters(std::string_view text) {
    std::size_t n = 0;
    for (std::size_t at = 0; at < text.size(); ++n)
        at += std::max<std::size_t>(1, utf8_length(text, at));
    return n;
}

float lines_of(std::string_view text, float size, float width, float letter = kLetter) {
    const float all = static_cast<float>(count_letters(text)) * size * letter;
    return std::max(1.0f, std::ceil(all / width));
}

std::string value_with_unit(const std::string& value, const std::string& unit) {
    return unit.empty() || value.ends_with(unit) ? value : value + " " + unit;
}

// Side by side where each stands on one line, else in two columns, else under one another.
struct ChoiceRows {
    std::size_t columns;
    float height;
};
ChoiceRows choice_rows(const std::vector<std::string>& choices) {
    constexpr float kGap = 20, kInside = 104, kRow = 66, kLine = 40;
    const std::size_t n = choices.size();
    for (const std::size_t columns : {n, (n + 1) / 2, std::size_t{1}}) {
        const auto count = static_cast<float>(columns);
        const float each = (kWide - kGap * (count - 1)) / count - kInside;
        float most = 1;
        for (const std::string& choice : choices)
            most = std::max(most, lines_of(choice, kSays, each));
        if (most > 1 && columns > 1 && !(columns == n && n <= 3 && most == 2)) continue;
        const std::size_t full = (n + columns - 1) / columns;
        const auto rows = static_cast<float>(full);
        return {columns, rows * (kRow + (most - 1) * kLine) + (rows - 1) * 12};
    }
    return {1, 0};
}

std::string choices_html(const std::vector<std::string>& choices, std::size_t columns) {
    std::string text;
    for (std::size_t i = 0; i < choices.size(); ++i)
        text +=
            "<li>" + element("kbd", "", std::to_string(i + 1)) + html_words(choices[i]) + "</li>\n";
    return "<ol class=\"choices\" style=\"grid-template-columns:repeat(" + std::to_string(columns) +
           ",1fr)\">\n" + text + "</ol>\n";
}

std::string span_html(const ShownSpan& span) {
    std::string words = html_words(span.text);
    switch (span.kind) {
        case ShownSpan::Kind::Computed:
            return "<span class=\"mono value\">" + words + "</span>";
        case ShownSpan::Kind::Published:
            return "<span class=\"mono value\">" + words + "</span> <small>(" +
                   html_words(span.link ? span.link->name : "") + ")</small>";
        case ShownSpan::Kind::Misprint:
            return "<s>" + words + "</s>";
        case ShownSpan::Kind::Words:
        case ShownSpan::Kind::Link:
            break;
    }
    return words;
}

std::string spans_html(const std::vector<ShownSpan>& spans) {
    std::string text;
    for (const ShownSpan& span : spans) text += span_html(span);
    return text;
}

bool block_goes_on(const ShownProse& prose, std::size_t i) {
    return i + 1 < prose.size() && prose[i + 1].kind == prose[i].kind;
}
bool begins_block(const ShownProse& prose, std::size_t i) {
    return i == 0 || prose[i - 1].kind != prose[i].kind;
}

// Where a sentence ends: behind its full stop, before the blank and a capital or a number.
std::size_t end_of_sentence(std::string_view text, std::size_t from) {
    for (std::size_t at = from; at + 1 < text.size(); ++at) {
        const bool stops = text[at] == '.' || text[at] == '?' || text[at] == '!';
        if (stops && text[at + 1] == ' ') return at + 1;
    }
    return text.size();
}

}  // namespace

std::string prose_html(const ShownProse& prose) {
    std::string text;
    for (std::size_t i = 0; i < prose.size(); ++i) {
        const ShownBlock& block = prose[i];
        const bool first = begins_block(prose, i), last = !block_goes_on(prose, i);
        switch (block.kind) {
            case ProseBlock::Kind::Text:
                text += element("p", "", spans_html(block.cells.front()));
                break;
            case ProseBlock::Kind::Bullet:
                text += (first ? "<ul>\n" : "") +
                        element("li", "", spans_html(block.cells.front())) +
                        (last ? "</ul>\n" : "");
                break;
            case ProseBlock::Kind::Code:
                text += (first ? "<pre>" : "") + spans_html(block.cells.front()) + "\n" +
                        (last ? "</pre>\n" : "");
                break;
            case ProseBlock::Kind::Row: {
                std::string cells;
                for (const auto& cell : block.cells)
                    cells += element(first ? "th" : "td", "", spans_html(cell));
                text += (first ? "<table>\n" : "") + element("tr", "", cells) +
                        (last ? "</table>\n" : "");
                break;
            }
        }
    }
    return text;
}

std::vector<std::string> words_of_drawing(const std::string& svg) {
    std::vector<std::string> texts;
    for (std::size_t at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at)) {
        const std::size_t begin = svg.find('>', at), end = svg.find("</text>", at);
        if (begin == std::string::npos || end == std::string::npos) break;
        texts.push_back(svg.substr(begin + 1, end - begin - 1));
        at = end;
    }
    return texts;
}

// Short numbers that stand alone are names of blocks and of tokens.
bool gives_away(const std::string& svg, const ShownStep& step) {
    constexpr std::size_t kName = 2;
    ShownStep seen;
    seen.predictions = step.predictions;
    for (ShownPrediction& p : seen.predictions) p.givens.clear();
    for (const std::string& text : words_of_drawing(svg)) {
        const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
        if (is_number && text.size() <= kName) continue;
        ShownSpan span;
        span.text = text;
        seen.text.push_back({ProseBlock::Kind::Text, {{span}}});
    }
    return !given_away(seen).empty();
}

std::string first_sentences(const ShownProse& prose, std::size_t most_letters) {
    const auto first = std::find_if(prose.begin(), prose.end(), [](const ShownBlock& block) {
        return block.kind == ProseBlock::Kind::Text;
    });
    if (first == prose.end()) return {};
    std::string text;
    for (const ShownSpan& span : first->cells.front()) text += span.text;
    constexpr std::size_t kTooShort = 60;  // to say anything by itself
    std::size_t end = end_of_sentence(text, 0);
    while (end < text.size()) {
        const std::size_t next = end_of_sentence(text, end + 1);
        if (next > most_letters && end >= kTooShort) break;
        end = next;
    }
    return text.substr(0, end);
}

SlideWords words_that_ask(const ShownPrediction& asked) {
    SlideWords words;
    words.html = element("p", "asks", html_words(asked.question));
    words.height = lines_of(asked.question, kAsks, kWide) * kAsksPitch;
    if (!asked.givens.empty()) {
        std::string all, plain;
        for (const ShownGiven& given : asked.givens) {
            all += "<span>" + html_words(given.label) + " <b class=\"mono\">" +
                   html_words(given.value) + "</b></span> ";
            plain += given.label + " " + given.value + "     ";
        }
        words.html += element("p", "givens", all);
        words.height += lines_of(plain, kSmall, kWide) * kSmallPitch + 8;
    }
    if (asked.choices.empty()) {
        words.html +=
            element("p", "field",
                    "<span class=\"mono\">?</span>" +
                        (asked.unit.empty() ? "" : element("i", "", html_words(asked.unit))));
        words.height += 70 + 14;
        return words;
    }
    const ChoiceRows rows = choice_rows(asked.choices);
    words.html += choices_html(asked.choices, rows.columns);
    words.height += rows.height + 14;
    return words;
}

SlideWords words_that_answer(const ShownPrediction& asked, const std::string& right) {
    constexpr std::size_t kMostLetters = 220;
    SlideWords words;
    const std::string answer = value_with_unit(right, asked.unit),
                      why = first_sentences(asked.why, kMostLetters);
    const bool is_short = count_letters(answer) <= 24;
    words.html = element("p", "asked", html_words(asked.question)) +
                 element("p", is_short ? "answer mono" : "answer", html_words(answer));
    words.height = lines_of(asked.question, kSmall, kWide) * kSmallPitch + 8 +
                   lines_of(answer, 44, kWide, is_short ? kMonoLetter : kLetter) * 56;
    if (why.empty()) return words;
    words.html += element("p", "says", html_words(why));
    words.height += lines_of(why, kSays, kWide) * kSaysPitch + 6;
    return words;
}

SlideWords words_that_show(const ShownProse& prose) {
    constexpr std::size_t kMostLetters = 190;
    const std::string says = first_sentences(prose, kMostLetters);
    if (says.empty()) return {};
    return {element("p", "says", html_words(says)), lines_of(says, kSays, kWide) * kSaysPitch};
}

}  // namespace kv
