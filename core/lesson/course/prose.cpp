#include "core/lesson/course/prose.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/letters.hpp"
#include "core/base/names.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr auto kLinkNames = std::to_array<std::string_view>(
    {"request", "token", "entry", "block", "layer", "head", "kv_head", "iteration", "event",
     "factor", "chart", "panel", "term", "lesson", "scene", "source"});

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

class ProseReader {
public:
    ProseReader(std::uint32_t line, const RefuseLine& refuse) : line_(line), refuse_(refuse) {}

    std::vector<ProseSpan> spans(std::string_view text) {
        std::vector<ProseSpan> out;
        std::string words;
        const auto flush = [&] {
            if (words.empty()) return;
            check(words);
            out.push_back({.words = std::move(words)});
            words.clear();
        };
        for (std::size_t i = 0; i < text.size();) {
            if (text[i] == '{') {
                flush();
                out.push_back(reference(text, i));
            } else if (text[i] == '[' && is_link(text, i)) {
                flush();
                out.push_back(link(text, i));
            } else if (text[i] == '`') {
                flush();
                out.push_back({.words = formula(text, i)});
            } else {
                words += text[i++];
            }
        }
        flush();
        return out;
    }

private:
    void check(const std::string& words) const {
        if (const std::string found = typed_quantity(words); !found.empty())
            refuse_(line_, "has the typed quantity \"" + shown(found) + "\"",
                    "write a reference in braces, so that it is computed");
    }

    // `2 L d T(T + 1)`, `0x3FC0`: small constants may stand in a formula, and bits as they are.
    std::string formula(std::string_view text, std::size_t& i) const {
        const std::size_t end = text.find('`', i + 1);
        if (end == std::string_view::npos)
            refuse_(line_, "has a formula without its end", "close it with a backtick");
        std::string inner(text.substr(i + 1, end - i - 1));
        const bool hex = inner.starts_with("0x");
        for (std::size_t at = 0; at + 1 < inner.size() && !hex; ++at)
            if (std::isdigit(static_cast<unsigned char>(inner[at])) != 0 &&
                std::isdigit(static_cast<unsigned char>(inner[at + 1])) != 0)
                check(inner.substr(at));
        i = end + 1;
        return inner;
    }

    // The brace that closes the one at `i`; quotes hide braces.
    std::size_t closing(std::string_view text, std::size_t i) const {
        bool quoted = false;
        for (std::size_t end = i + 1; end < text.size(); ++end) {
            if (text[end] == '"') quoted = !quoted;
            if (!quoted && text[end] == '}') return end;
        }
        refuse_(line_, "has a \"{\" without its \"}\"",
                "close the reference in the same paragraph");
        return text.size();
    }

    // The last bar of a reference, in front of its format; quotes hide bars.
    static std::size_t bar_before_format(std::string_view inner) {
        std::size_t bar = std::string_view::npos;
        bool quoted = false;
        for (std::size_t at = 0; at < inner.size(); ++at) {
            if (inner[at] == '"') quoted = !quoted;
            if (!quoted && inner[at] == '|') bar = at;
        }
        return bar;
    }

    // `{A.stored * bytes.per_token|KiB}`: an expression, and how its value is written.
    ProseSpan reference(std::string_view text, std::size_t& i) const {
        const std::size_t end = closing(text, i);
        std::string_view inner = text.substr(i + 1, end - i - 1);
        i = end + 1;
        ProseSpan span;
        const std::size_t bar = bar_before_format(inner);
        if (bar != std::string_view::npos) {
            span.format = std::string(trimmed(inner.substr(bar + 1)));
            inner = inner.substr(0, bar);
            if (!is_format(span.format))
                refuse_(line_, "has the format \"" + shown(span.format) + "\"",
                        "use 0 to 6, %, x, B, KiB, MiB, GiB, GB, raw, sci or hex");
        }
        span.value = parse_lesson_expression(trimmed(inner), line_, refuse_);
        check_result(span);
        return span;
    }

    // Parameters of a question are written in braces as they are; a share or a ratio is a result.
    void check_result(const ProseSpan& span) const {
        constexpr std::array<std::string_view, 6> kOfParameters{"", "B", "KiB", "MiB", "GiB", "GB"};
        if (span.value->tree->kind != Expression::Kind::Literal) return;
        if (std::find(kOfParameters.begin(), kOfParameters.end(), span.format) ==
            kOfParameters.end())
            refuse_(line_, "has the typed result \"" + shown(span.value->text) + "\"",
                    "compute it, or leave out its format if it is a parameter");
    }

    static bool is_link(std::string_view text, std::size_t i) {
        const std::size_t close = text.find(']', i);
        return close != std::string_view::npos && close + 1 < text.size() && text[close + 1] == '(';
    }

    ProseSpan link(std::string_view text, std::size_t& i) const {
        const std::size_t close = text.find(']', i), end = text.find(')', close);
        ProseSpan span;
        span.words = std::string(text.substr(i + 1, close - i - 1));
        check(span.words);
        if (end == std::string_view::npos)
            refuse_(line_, "has a link without its \")\"", "close it in the same paragraph");
        span.link = target(text.substr(close + 2, end - close - 2));
        i = end + 1;
        return span;
    }

    LessonLink target(std::string_view text) const {
        std::vector<std::string_view> parts;
        for (std::size_t at = 0; at <= text.size();) {
            const std::size_t colon = std::min(text.find(':', at), text.size());
            parts.push_back(text.substr(at, colon - at));
            at = colon + 1;
        }
        const auto kind = link_kind_named(parts[0]);
        if (!kind || parts.size() < 2)
            refuse_(line_, "links to \"" + shown(text) + "\"",
                    "write a kind and its name, such as block:7 or token:A:5");
        LessonLink link{*kind, std::string(parts[1]), {}};
        const bool by_number = *kind == LinkKind::Block || *kind == LinkKind::Layer ||
                               *kind == LinkKind::Head || *kind == LinkKind::KvHead ||
                               *kind == LinkKind::Iteration;
        const bool plain = *kind == LinkKind::Lesson;
        for (std::size_t p = by_number ? 1 : 2; p < parts.size() && !plain; ++p)
            link.where.push_back(parse_lesson_expression(parts[p], line_, refuse_));
        if (plain && parts.size() > 2) link.name += ":" + std::string(parts[2]);
        return link;
    }

    std::uint32_t line_;
    const RefuseLine& refuse_;
};

bool is_rule_row(std::string_view row) {
    return row.find_first_not_of("|-: ") == std::string_view::npos;
}

}  // namespace

std::string_view name_of(LinkKind kind) {
    return name_in(kLinkNames, kind);
}

std::optional<LinkKind> link_kind_named(std::string_view name) {
    return named_in<LinkKind>(kLinkNames, name);
}

std::string typed_quantity(std::string_view words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool digit = words[i] >= '0' && words[i] <= '9';
        if (!digit || (i > 0 && (is_word(words[i - 1]) || words[i - 1] == '.'))) continue;
        if (i > 1 && words[i - 1] == '-' && is_word(words[i - 2])) continue;  // GPT-3
        std::size_t end = i;
        while (end < words.size() &&
               (is_word(words[end]) || words[end] == '.' || words[end] == ','))
            ++end;
        while (words[end - 1] == '.' || words[end - 1] == ',') --end;
        const std::string_view found = words.substr(i, end - i);
        // "the 7B model": a name. Seven bytes are written "7 B".
        if (found.find_first_not_of("0123456789") == found.size() - 1 && found.back() == 'B')
            continue;
        return std::string(found);
    }
    return {};
}

LessonExpression parse_lesson_expression(std::string_view text, std::uint32_t line,
                                         const RefuseLine& refuse) {
    try {
        return {std::string(text), parse_expression(text), line};
    } catch (const ExpressionRefusal& refusal) {
        refuse(line,
               "has the reference \"" + shown(text) + "\", which at character " +
                   std::to_string(refusal.at + 1) + " " + refusal.rule,
               "correct it");
        return {};
    }
}

Prose parse_prose(const std::vector<std::string>& lines, std::uint32_t first_line,
                  const RefuseLine& refuse) {
    Prose prose;
    std::string open;  // the paragraph or bullet that goes on
    std::uint32_t open_line = 0;
    ProseBlock::Kind open_kind = ProseBlock::Kind::Text;
    const auto close = [&] {
        if (open.empty()) return;
        ProseReader reader(open_line, refuse);
        prose.push_back({open_kind, {reader.spans(open)}});
        open.clear();
    };
    const auto begin = [&](ProseBlock::Kind kind, std::string_view text, std::uint32_t line) {
        close();
        open_kind = kind;
        open = std::string(text);
        open_line = line;
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto line = first_line + static_cast<std::uint32_t>(i);
        const std::string_view text = trimmed(lines[i]);
        if (text.empty()) {
            close();
        } else if (text.starts_with("- ")) {
            begin(ProseBlock::Kind::Bullet, trimmed(text.substr(2)), line);
        } else if (text.starts_with("$ ")) {
            close();
            prose.push_back(
                {ProseBlock::Kind::Code, {{{std::string(text.substr(2)), {}, {}, {}}}}});
        } else if (text.starts_with("|")) {
            close();
            if (is_rule_row(text)) continue;
            ProseBlock row{ProseBlock::Kind::Row, {}};
            std::string_view rest = text.substr(1);
            ProseReader reader(line, refuse);
            bool quoted = false, braced = false;
            std::size_t from = 0;
            for (std::size_t at = 0; at < rest.size(); ++at) {
                if (rest[at] == '"' && braced) quoted = !quoted;
                if (rest[at] == '{') braced = true;
                if (rest[at] == '}' && !quoted) braced = false;
                if (rest[at] != '|' || braced) continue;
                row.cells.push_back(reader.spans(trimmed(rest.substr(from, at - from))));
                from = at + 1;
            }
            prose.push_back(std::move(row));
        } else if (open.empty()) {
            begin(ProseBlock::Kind::Text, text, line);
        } else {
            open += " " + std::string(text);
        }
    }
    close();
    return prose;
}

}  // namespace kv
