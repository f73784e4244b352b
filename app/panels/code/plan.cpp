#include "app/panels/code/plan.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace kv {
namespace {

constexpr std::uint32_t kCodeHang = 4;  // columns that the rest of a long line stands further in
constexpr std::uint32_t kLeastColumns = 16;
constexpr std::uint32_t kBeforeValue = 2;

// Words that the two languages have for themselves.
constexpr auto kOwnWords = std::to_array<std::string_view>(
    {"and",  "auto", "bool",     "break",  "class",  "const",  "constexpr", "continue", "def",
     "else", "enum", "false",    "for",    "if",     "in",     "inline",    "is",       "lambda",
     "not",  "or",   "return",   "static", "struct", "switch", "template",  "True",     "False",
     "None", "true", "typename", "using",  "void",   "while"});

bool is_letter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// "x  // why", but not "x // y" of a Python.
bool begins_comment(std::string_view line, std::size_t i) {
    const std::string_view before = line.substr(0, i);
    if (line[i] == '#') return before.empty() || before.back() == ' ';
    const bool stands_apart =
        before.ends_with("  ") || before.find_first_not_of(' ') == std::string_view::npos;
    return line.substr(i, 2) == "//" && stands_apart;
}

// The place where the comment of a line begins; the line's end where it has none.
std::size_t comment_of(std::string_view line) {
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '"') {
            quote = c;
        } else if (begins_comment(line, i)) {
            return i;
        }
    }
    return line.size();
}

std::uint32_t indent_columns(std::string_view line) {
    return static_cast<std::uint32_t>(std::min(line.find_first_not_of(' '), line.size()));
}

// As much of the text as stands in that many columns: cut behind a blank, or behind a sign that
// opens or ends something; a name is cut only where it is longer than the room.
std::size_t fitting_part(std::string_view text, std::size_t columns) {
    if (text.size() <= columns) return text.size();
    const std::size_t least = indent_columns(text) + 1;
    for (const std::string_view ends : {" ", "(,[.>:"}) {
        const std::size_t at = text.find_last_of(ends, columns - 1);
        if (at != std::string_view::npos && at > least) return at + 1;
    }
    return columns;
}

std::string_view without_end_blanks(std::string_view text) {
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

class CodePlanner {
public:
    CodePlanner(const ShownCode& code, const std::vector<CodeBeat>& beats,
                std::optional<std::size_t> at, const CodeRoom& room)
        : code_(code), beats_(beats), at_(at), room_(room) {}

    CodePlan plan() {
        const ShownCode::Mark* now = at_ ? code_.mark(beats_[*at_].mark) : nullptr;
        for (std::size_t i = 0; i < code_.idea.size(); ++i) {
            if (now != nullptr && now->idea == i) plan_.idea_now = plan_.idea.size();
            idea_line(i);
        }
        for (std::size_t e = 0; e < code_.ours.size(); ++e) {
            const ShownExcerpt& excerpt = code_.ours[e];
            plan_.ours.push_back({.kind = CodeRow::Kind::FileName,
                                  .text = excerpt.file,
                                  .number = excerpt.lines.front().number});
            for (std::size_t i = 0; i < excerpt.lines.size(); ++i) {
                if (now != nullptr && now->excerpt == e && now->first == i)
                    plan_.ours_now = plan_.ours.size();
                const SourceLine& line = excerpt.lines[i];
                put(plan_.ours, line.text, room_.ours_columns, line.number, lit_ours(e, i));
            }
        }
        return std::move(plan_);
    }

private:
    // Which beats light a line: the newest of those that have run, and whether it runs now.
    template <class Is>
    CodeLit lit_by(const Is& is) const {
        if (!at_) return CodeLit::No;
        const ShownCode::Mark* now = code_.mark(beats_[*at_].mark);
        if (now != nullptr && is(*now)) return CodeLit::Now;
        for (std::size_t b = 0; b < *at_; ++b) {
            const ShownCode::Mark* mark = code_.mark(beats_[b].mark);
            if (mark != nullptr && is(*mark)) return CodeLit::Ran;
        }
        return CodeLit::No;
    }
    CodeLit lit_ours(std::size_t excerpt, std::size_t line) const {
        return lit_by([&](const ShownCode::Mark& m) {
            return m.excerpt == excerpt && m.first <= line && line <= m.last;
        });
    }

    // Room is kept for the longest value that the line will have, so that nothing moves.
    void idea_line(std::size_t i) {
        const std::string_view text = code_.idea[i];
        const CodeLit lit = lit_by([i](const ShownCode::Mark& mark) { return mark.idea == i; });
        std::string_view value;
        std::size_t longest = 0;
        for (std::size_t b = 0; b < beats_.size(); ++b) {
            const ShownCode::Mark* mark = code_.mark(beats_[b].mark);
            if (mark == nullptr || mark->idea != i) continue;
            longest = std::max(longest, beats_[b].value.size());
            if (at_ && b <= *at_) value = beats_[b].value;
        }
        const std::size_t first = plan_.idea.size();
        put(plan_.idea, text, room_.idea_columns, 0, lit);
        if (longest == 0) return;
        const bool one_row = plan_.idea.size() == first + 1;
        if (one_row && text.size() + kBeforeValue + longest <= room_.idea_columns)
            plan_.idea.back().value = value;
        else
            plan_.idea.push_back(
                {.kind = CodeRow::Kind::Made, .text = {}, .value = value, .lit = lit});
    }

    static void put(List<CodeRow>& rows, std::string_view line, std::uint32_t columns,
                    std::uint32_t number, CodeLit lit) {
        columns = std::max(columns, kLeastColumns);
        const std::size_t comment = comment_of(line);
        const std::size_t part = fitting_part(line, columns);
        rows.push_back(
            {.text = without_end_blanks(line.substr(0, part)), .number = number, .lit = lit});
        const std::uint32_t hang = std::min(indent_columns(line) + kCodeHang, columns / 2);
        for (std::size_t at = part; at < line.size();) {
            const std::string_view rest = line.substr(at);
            const std::size_t next = fitting_part(rest, columns - hang);
            rows.push_back({.kind = CodeRow::Kind::Goes,
                            .text = without_end_blanks(rest.substr(0, next)),
                            .column = hang,
                            .lit = lit,
                            .in_comment = at > comment});
            at += next;
        }
    }

    const ShownCode& code_;
    const std::vector<CodeBeat>& beats_;
    std::optional<std::size_t> at_;
    CodeRoom room_;
    CodePlan plan_;
};

}  // namespace

CodePlan plan_code(const ShownCode& code, const std::vector<CodeBeat>& beats,
                   std::optional<std::size_t> at, const CodeRoom& room) {
    return CodePlanner(code, beats, at, room).plan();
}

List<CodeSpan> code_spans(std::string_view line, bool in_comment) {
    List<CodeSpan> spans;
    const std::size_t end = in_comment ? 0 : comment_of(line);
    const auto put = [&](std::size_t from, std::size_t to, CodeTone tone) {
        if (to <= from) return;
        if (!spans.empty() && spans.back().tone == tone)
            spans.back().text = {spans.back().text.data(), spans.back().text.size() + to - from};
        else
            spans.push_back({line.substr(from, to - from), tone});
    };
    for (std::size_t i = 0; i < end;) {
        std::size_t next = i + 1;
        if (is_letter(line[i])) {
            while (next < end && is_letter(line[next])) ++next;
            const std::string_view word = line.substr(i, next - i);
            const bool own = std::find(kOwnWords.begin(), kOwnWords.end(), word) != kOwnWords.end();
            put(i, next, own ? CodeTone::Word : CodeTone::Plain);
        } else {
            put(i, next, CodeTone::Plain);
        }
        i = next;
    }
    put(end, line.size(), CodeTone::Comment);
    return spans;
}

}  // namespace kv
