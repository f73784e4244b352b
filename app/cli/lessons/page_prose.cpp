#include "app/cli/lessons/page_prose.hpp"

#include <cctype>
#include <filesystem>

#include "app/frame/state/panel_table.hpp"

namespace kv {
namespace {

// Text within the quotes of an HTML attribute: nothing in it can end it, or be Markdown.
std::string attribute(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = byte >= 0x80 || std::isalnum(byte) != 0 || c == ' ';
        out += plain ? std::string(1, c) : "&#" + std::to_string(byte) + ";";
    }
    return out;
}

// The expression behind a value; none where it is the number itself.
std::string title_of(const std::string& expression) {
    if (expression.find_first_not_of("0123456789.") == std::string::npos) return {};
    return " title=\"" + attribute(expression) + "\"";
}

bool is_row(const ShownBlock& block) {
    return block.kind == ProseBlock::Kind::Row;
}

std::string rule_under(std::size_t cells) {
    std::string out = "|";
    for (std::size_t i = 0; i < cells; ++i) out += "---|";
    return out + "\n";
}

std::string plain_code(const ShownBlock& block) {
    std::string line;
    for (const ShownSpan& span : block.cells.front()) line += span.text;
    return line + "\n";
}

}  // namespace

std::string indented(std::string_view markdown) {
    std::string out;
    while (!markdown.empty()) {
        const std::size_t end = markdown.find('\n');
        const std::string_view line = markdown.substr(0, end);
        if (!line.empty()) out += "    " + std::string(line);
        out += "\n";
        if (end == std::string_view::npos) break;
        markdown.remove_prefix(end + 1);
    }
    return out;
}

std::string page_of(const Lesson& lesson) {
    return std::filesystem::path(lesson.folder).filename().string();
}

std::string PageProse::lesson_link(std::uint32_t number) const {
    const std::string words = "lesson " + std::to_string(number);
    const Lesson* lesson = shelf_.find(number);
    return lesson == nullptr ? words : "[" + words + "](" + up_ + page_of(*lesson) + ".md)";
}

std::string PageProse::target(const ShownLink& link) const {
    switch (link.kind) {
        case LinkKind::Lesson: {
            const std::size_t colon = link.name.find(':');
            const Lesson* lesson =
                shelf_.find(static_cast<std::uint32_t>(std::stoul(link.name.substr(0, colon))));
            if (lesson == nullptr) return {};
            return up_ + page_of(*lesson) + ".md" +
                   (colon == std::string::npos ? "" : "#" + link.name.substr(colon + 1));
        }
        case LinkKind::Source:
            return "#source-" + link.name;
        case LinkKind::Term:
            return up_ + "glossary.md";
        case LinkKind::Panel:
            return find_panel(link.name) == nullptr ? "" : up_ + "panels.md#" + link.name;
        default:
            return {};
    }
}

std::string PageProse::linked(const ShownSpan& span, const std::string& words) const {
    const std::string to = span.link ? target(*span.link) : std::string();
    return to.empty() ? words : "[" + words + "](" + to + ")";
}

std::string PageProse::cell(const std::vector<ShownSpan>& spans) const {
    std::string out;
    for (const ShownSpan& span : spans) {
        const std::string words = markdown_words(span.text);
        switch (span.kind) {
            case ShownSpan::Kind::Computed:
                out += "<span class=\"value\"" + title_of(span.behind) + ">" + words + "</span>";
                break;
            case ShownSpan::Kind::Published:
                out += "<span class=\"value\">" + words + "</span><sup>[" +
                       markdown_words(span.link->name) + "](#source-" + span.link->name + ")</sup>";
                break;
            case ShownSpan::Kind::Misprint:
                out += "<s title=\"a wrong figure that is in print\">" + words + "</s>";
                break;
            case ShownSpan::Kind::Words:
                out += words;
                break;
            case ShownSpan::Kind::Link:
                out += linked(span, words);
                break;
        }
    }
    return out;
}

std::string PageProse::markdown(const ShownProse& prose) const {
    std::string out;
    for (std::size_t i = 0; i < prose.size(); ++i) {
        const ShownBlock& block = prose[i];
        const bool begins = i == 0 || prose[i - 1].kind != block.kind,
                   ends = i + 1 == prose.size() || prose[i + 1].kind != block.kind;
        switch (block.kind) {
            case ProseBlock::Kind::Text:
                out += cell(block.cells.front()) + "\n\n";
                continue;
            case ProseBlock::Kind::Bullet:
                out += "- " + cell(block.cells.front()) + "\n";
                break;
            case ProseBlock::Kind::Code:
                out += (begins ? "```\n" : "") + plain_code(block) + (ends ? "```\n" : "");
                break;
            case ProseBlock::Kind::Row:
                out += "|";
                for (const auto& spans : block.cells) out += " " + cell(spans) + " |";
                out += "\n" + (begins && is_row(block) ? rule_under(block.cells.size()) : "");
                break;
        }
        if (ends) out += "\n";
    }
    return out;
}

}  // namespace kv
