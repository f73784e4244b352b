#include "core/lesson/code/shown_code.hpp"

#include <algorithm>
#include <map>

#include "core/base/error.hpp"

namespace kv {

namespace code_files {
std::string_view embedded(std::string_view name);  // written by kv_embed
}

namespace {

std::vector<std::string_view> lines_of_code(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::size_t indent_of(std::string_view line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

std::string_view without_indent(std::string_view line) {
    return line.substr(indent_of(line));
}

bool holds_words(std::string_view line, std::string_view words) {
    return line.find(words) != std::string_view::npos;
}

// The brace that closes what begins on a line stands under its beginning.
bool closes(std::string_view line, std::size_t indent) {
    return indent_of(line) == indent && line.size() > indent && line[indent] == '}';
}

// One past the last line; nothing where the end is not found.
std::size_t end_of_excerpt(const std::vector<std::string_view>& lines, std::size_t first,
                           std::string_view upto) {
    for (std::size_t i = first; i < lines.size(); ++i) {
        if (upto.empty() ? i > first && closes(lines[i], indent_of(lines[first]))
                         : holds_words(lines[i], upto))
            return i + 1;
    }
    return first;
}

// A statement goes on until a line ends in one of these.
bool ends_statement(std::string_view line) {
    return !line.empty() && (line.back() == ';' || line.back() == '{' || line.back() == '}');
}

bool goes_on(std::string_view line) {
    return !without_indent(line).empty() && !without_indent(line).starts_with("//") &&
           !ends_statement(line);
}

// Bugs that tests plant are no part of what a student reads: each is a statement of its own.
void drop_planted(std::vector<SourceLine>& lines) {
    std::vector<SourceLine> kept;
    bool is_planted = false;
    for (SourceLine& line : lines) {
        const std::string_view words = without_indent(line.text);
        if (words.starts_with("if (planted(")) is_planted = true;
        if (!is_planted) kept.push_back(std::move(line));
        if (ends_statement(words)) is_planted = false;
    }
    lines = std::move(kept);
}

void move_left(std::vector<SourceLine>& lines) {
    std::size_t least = std::string::npos;
    for (const SourceLine& line : lines)
        if (!line.text.empty()) least = std::min(least, indent_of(line.text));
    for (SourceLine& line : lines) line.text.erase(0, std::min(least, line.text.size()));
}

// How many lines hold the words, and the last of them.
struct Found {
    std::size_t count = 0, excerpt = 0, line = 0;
};
Found find_in(const std::vector<std::string>& lines, std::string_view words) {
    Found found;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (holds_words(lines[i], words)) ++found.count, found.line = i;
    return found;
}
Found find_in(const std::vector<ShownExcerpt>& excerpts, std::string_view words) {
    Found found;
    for (std::size_t e = 0; e < excerpts.size(); ++e)
        for (std::size_t i = 0; i < excerpts[e].lines.size(); ++i)
            if (holds_words(excerpts[e].lines[i].text, words))
                ++found.count, found.excerpt = e, found.line = i;
    return found;
}

// A line from the middle of a statement stands for itself.
std::size_t end_of_statement(const ShownExcerpt& excerpt, std::size_t first) {
    std::size_t last = first;
    if (first > 0 && goes_on(excerpt.lines[first - 1].text)) return first;
    while (last + 1 < excerpt.lines.size() && !ends_statement(excerpt.lines[last].text)) ++last;
    return last;
}

struct Read {
    ShownCode code;
    std::vector<std::string> faults;
};
Read read_sample(const CodeSample& sample, SourceReader read) {
    Read out{{.name = sample.name, .title = sample.title, .idea = {}, .ours = {}, .marks = {}}, {}};
    const std::string who = "the code sample " + std::string(sample.name) + " ";
    for (const std::string_view line : lines_of_code(sample.idea)) out.code.idea.emplace_back(line);
    for (const CodeExcerpt& excerpt : sample.ours) {
        out.code.ours.push_back(
            {std::string(excerpt.file), excerpt_of(read(excerpt.file), excerpt)});
        if (out.code.ours.back().lines.empty())
            out.faults.push_back(
                who + "names \"" + std::string(excerpt.from) + "\" of " +
                std::string(excerpt.file) +
                ", which is not there from beginning to end; name lines that are.");
    }
    for (const CodeMark& mark : sample.marks) {
        const Found idea = find_in(out.code.idea, mark.idea),
                    ours = find_in(out.code.ours, mark.ours);
        const auto expect_one = [&](const Found& found, std::string_view words, const char* where) {
            if (found.count == 1) return;
            out.faults.push_back(who + "finds \"" + std::string(words) + "\" in " +
                                 std::to_string(found.count) + " lines of " + where +
                                 "; a mark wants exactly one.");
        };
        expect_one(idea, mark.idea, "its listing");
        expect_one(ours, mark.ours, "its sources");
        if (ours.count == 0) continue;
        out.code.marks.push_back({mark.name, idea.line, ours.excerpt, ours.line,
                                  end_of_statement(out.code.ours[ours.excerpt], ours.line)});
    }
    return out;
}

}  // namespace

const ShownCode::Mark* ShownCode::mark(std::string_view wanted) const {
    const auto found = std::find_if(marks.begin(), marks.end(),
                                    [wanted](const Mark& one) { return one.name == wanted; });
    return found == marks.end() ? nullptr : &*found;
}

std::string place_of_excerpt(const ShownExcerpt& excerpt) {
    return excerpt.file + ":" + std::to_string(excerpt.lines.front().number);
}

std::string plain_text(const ShownCode& code) {
    std::string text = std::string(code.title) + "\n";
    for (const std::string& line : code.idea) text += line + "\n";
    for (const ShownExcerpt& excerpt : code.ours)
        for (const SourceLine& line : excerpt.lines) text += line.text + "\n";
    return text;
}

std::string_view embedded_source(std::string_view file) {
    return code_files::embedded(file);
}

std::vector<SourceLine> excerpt_of(std::string_view text, const CodeExcerpt& excerpt) {
    const std::vector<std::string_view> lines = lines_of_code(text);
    const auto from = std::find_if(lines.begin(), lines.end(), [&](std::string_view line) {
        return holds_words(line, excerpt.from);
    });
    auto first = static_cast<std::size_t>(from - lines.begin());
    const std::size_t end = end_of_excerpt(lines, first, excerpt.upto);
    if (end == first) return {};
    while (first > 0 && without_indent(lines[first - 1]).starts_with("//")) --first;
    std::vector<SourceLine> out;
    for (std::size_t i = first; i < end; ++i)
        out.push_back({static_cast<std::uint32_t>(i + 1), std::string(lines[i])});
    drop_planted(out);
    move_left(out);
    return out;
}

std::vector<std::string> code_faults(const CodeSample& sample, SourceReader read) {
    return read_sample(sample, read).faults;
}

const ShownCode& shown_code(const CodeSample& sample) {
    static const std::map<std::string_view, ShownCode> kAll = [] {
        std::map<std::string_view, ShownCode> all;
        for (const CodeSample* one : code_samples()) {
            Read read = read_sample(*one, embedded_source);
            KV_ASSERT(read.faults.empty());
            all.emplace(one->name, std::move(read.code));
        }
        return all;
    }();
    return kAll.at(sample.name);
}

}  // namespace kv
