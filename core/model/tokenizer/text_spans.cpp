#include "core/model/tokenizer/text_spans.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/files/utf8.hpp"
#include "core/model/tokenizer/unicode/unicode.hpp"

namespace kv {
namespace {

std::vector<Span> contiguous(const std::vector<Span>& spans) {
    std::vector<Span> out;
    bool before = false;
    for (const Span& span : spans) {
        if (span.match == before && !out.empty())
            out.back().end = span.end;
        else
            out.push_back(span);
        before = span.match;
    }
    return out;
}

std::vector<Span> merged_with_previous(const std::vector<Span>& spans) {
    std::vector<Span> out;
    bool before = false;
    for (const Span& span : spans) {
        if (span.match && !before && !out.empty())
            out.back().end = span.end;
        else
            out.push_back(span);
        before = span.match;
    }
    return out;
}

std::vector<Span> merged_with_next(std::vector<Span> spans) {
    std::reverse(spans.begin(), spans.end());
    std::vector<Span> out;
    bool after = false;
    for (const Span& span : spans) {
        if (span.match && !after && !out.empty())
            out.back().begin = span.begin;
        else
            out.push_back(span);
        after = span.match;
    }
    std::reverse(out.begin(), out.end());
    return out;
}

void append_match(std::vector<Span>& spans, std::size_t covered, std::size_t begin,
                  std::size_t end) {
    if (covered < begin) spans.push_back({covered, begin, false});
    spans.push_back({begin, end, true});
}

void append_rest(std::vector<Span>& spans, std::size_t covered, std::size_t size) {
    if (covered < size) spans.push_back({covered, size, false});
}

enum class Class { Letter, Number, Space, Other };

Class class_of(char32_t c) {
    if (is_letter(c)) return Class::Letter;
    if (is_white_space(c)) return Class::Space;
    return is_number(c) ? Class::Number : Class::Other;
}

// Where the run of one class that begins at `at` ends; `last` is where its last character begins.
struct Run {
    std::size_t end, last;
};
Run run_of(std::string_view text, std::size_t at, Class wanted) {
    Run run{at, at};
    while (run.end < text.size()) {
        const CodePoint c = code_point_at(text, run.end);
        if (class_of(c.value) != wanted) break;
        run.last = run.end;
        run.end += c.bytes;
    }
    return run;
}

std::size_t contraction_length(std::string_view rest) {
    for (const std::string_view known : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
        if (rest.substr(0, known.size()) == known) return known.size();
    }
    return 0;
}

std::size_t gpt2_end(std::string_view text, std::size_t at) {
    if (text[at] == '\'') {
        if (const std::size_t length = contraction_length(text.substr(at))) return at + length;
    }
    const bool blank = text[at] == ' ' && at + 1 < text.size();
    const std::size_t word = blank ? at + 1 : at;
    const Class kind = class_of(code_point_at(text, word).value);
    if (kind != Class::Space) return run_of(text, word, kind).end;
    const Run run = run_of(text, at, Class::Space);
    return run.end == text.size() || run.last == at ? run.end : run.last;
}

}  // namespace

std::vector<Span> pieces_of(std::vector<Span> spans, SplitBehavior behavior) {
    switch (behavior) {
        case SplitBehavior::Isolated:
            return spans;
        case SplitBehavior::Removed:
            spans.erase(std::remove_if(spans.begin(), spans.end(),
                                       [](const Span& span) { return span.match; }),
                        spans.end());
            return spans;
        case SplitBehavior::Contiguous:
            return contiguous(spans);
        case SplitBehavior::MergedWithPrevious:
            return merged_with_previous(spans);
        case SplitBehavior::MergedWithNext:
            return merged_with_next(std::move(spans));
    }
    KV_ASSERT(false);
    return spans;
}

void invert(std::vector<Span>& spans) {
    for (Span& span : spans) span.match = !span.match;
}

std::vector<Span> literal_spans(std::string_view text, std::string_view literal) {
    KV_ASSERT(!literal.empty());
    std::vector<Span> spans;
    std::size_t covered = 0;
    for (std::size_t at = text.find(literal); at != std::string_view::npos;
         at = text.find(literal, covered)) {
        append_match(spans, covered, at, at + literal.size());
        covered = at + literal.size();
    }
    append_rest(spans, covered, text.size());
    return spans;
}

std::vector<Span> number_spans(std::string_view text) {
    std::vector<Span> spans;
    std::size_t covered = 0;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = code_point_at(text, at);
        if (is_number(c.value)) {
            append_match(spans, covered, at, at + c.bytes);
            covered = at + c.bytes;
        }
        at += c.bytes;
    }
    append_rest(spans, covered, text.size());
    return spans;
}

std::vector<Span> gpt2_spans(std::string_view text) {
    std::vector<Span> spans;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = gpt2_end(text, at);
        spans.push_back({at, end, true});
        at = end;
    }
    return spans;
}

}  // namespace kv
