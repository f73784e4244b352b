// Prose with its values and links filled in.

#include <algorithm>

#include "core/base/shown.hpp"
#include "core/lesson/course/player.hpp"

namespace kv {
namespace {

class Filler {
public:
    Filler(const Lesson& lesson, const Evaluator& scope) : lesson_(lesson), scope_(scope) {}

    ShownSpan filled(const ProseSpan& span) const {
        if (span.value) return value(span);
        if (span.link)
            return {.kind = ShownSpan::Kind::Link, .text = span.words, .link = link(span)};
        return {.text = span.words};
    }

private:
    [[noreturn]] void refuse(std::uint32_t line, const std::string& sentence) const {
        refuse_lesson(lesson_, line, sentence);
    }

    ShownSpan value(const ProseSpan& span) const {
        const LessonValue value = lesson_value(lesson_, scope_, *span.value);
        const auto text = value_shown(value, span.format);
        if (!text)
            refuse(span.value->line, "the reference \"" + shown(span.value->text) + "\" is " +
                                         std::string(kind_of(value)) + ", which \"" + span.format +
                                         "\" cannot write; change one of them.");
        const auto* figure = value.shared<QuotedFigure>();
        if (figure == nullptr)
            return {.kind = ShownSpan::Kind::Computed, .text = *text, .behind = span.value->text};
        if (figure->wrong) return {.kind = ShownSpan::Kind::Misprint, .text = *text};
        return {.kind = ShownSpan::Kind::Published,
                .text = *text,
                .behind = citation(figure->source, span.value->line),
                .link = ShownLink{.kind = LinkKind::Source, .name = figure->source}};
    }

    std::string citation(const std::string& name, std::uint32_t line) const {
        for (const LessonSource& source : lesson_.sources)
            if (source.name == name) return source.citation;
        refuse(line, "the source \"" + shown(name) +
                         "\" is not in the front matter; add \"source " + shown(name) + ": ...\".");
    }

    std::optional<SeqId> request(const std::string& name) const {
        const auto& all = scope_.now().requests;
        for (std::uint32_t i = 0; i < all.size(); ++i)
            if (all[i].name == name) return SeqId(i);
        return std::nullopt;
    }

    std::uint32_t number(const LessonExpression& e) const {
        const LessonValue value = lesson_value(lesson_, scope_, e);
        const auto* n = value.plain<Number>();
        if (n == nullptr || n->value < 0 || n->value > 4e9 ||
            n->value != static_cast<double>(static_cast<std::uint32_t>(n->value)))
            refuse(e.line,
                   "the link wants a whole number in \"" + shown(e.text) + "\"; correct it.");
        return static_cast<std::uint32_t>(n->value);
    }

    void below(const LessonExpression& e, std::uint64_t n, std::uint64_t end,
               const char* what) const {
        if (n >= end)
            refuse(e.line, std::string("the link points at ") + what + " " + std::to_string(n) +
                               ", and there are " + std::to_string(end) + "; correct it.");
    }

    const ModelConfig& model(const LessonExpression& e) const {
        if (!scope_.has_run())
            refuse(e.line, "the link points into a model where no scene runs; name a scene.");
        return scope_.run().model().config();
    }

    ShownLink link(const ProseSpan& span) const {
        const LessonLink& to = *span.link;
        ShownLink out{.kind = to.kind, .name = to.name};
        if (!to.where.empty()) out.number = number(to.where[0]);
        switch (to.kind) {
            case LinkKind::Request:
            case LinkKind::Token:
            case LinkKind::Entry:
                return in_request(to, std::move(out));
            case LinkKind::Block:
                if (!scope_.has_run() || scope_.now().lanes.empty())
                    refuse(to.where[0].line,
                           "the link points at a block where there is no pool; name a scene.");
                below(to.where[0], *out.number, scope_.now().lanes[0].blocks.size(), "block");
                out.block = BlockId(*out.number);
                return out;
            case LinkKind::Layer:
                below(to.where[0], *out.number, model(to.where[0]).n_layers, "layer");
                return out;
            case LinkKind::Head:
                below(to.where[0], *out.number, model(to.where[0]).n_heads, "head");
                return out;
            case LinkKind::KvHead:
                below(to.where[0], *out.number, model(to.where[0]).n_kv_heads, "KV head");
                return out;
            case LinkKind::Source:
                citation(to.name, lesson_.steps.front().line);
                return out;
            default:
                return out;
        }
    }

    ShownLink in_request(const LessonLink& to, ShownLink out) const {
        out.request = request(to.name);
        const std::uint32_t line = to.where.empty() ? lesson_.steps.front().line : to.where[0].line;
        if (!out.request)
            refuse(line, "the link points at the request \"" + shown(to.name) +
                             "\", which has not arrived; name one that has.");
        if (to.kind == LinkKind::Request) return out;
        if (!out.number) refuse(line, "the link lacks a number; write token:A:5.");
        const RequestView& view = scope_.now().requests[out.request->index()];
        if (to.kind == LinkKind::Token) {
            below(to.where[0], *out.number, view.tokens.size(), "token");
            return out;
        }
        const std::size_t entries = view.tables.empty() ? 0 : view.tables[0].size();
        below(to.where[0], *out.number, entries, "table entry");
        if (const TableEntry entry = view.tables[0][*out.number]) out.block = *entry;
        return out;
    }

    const Lesson& lesson_;
    const Evaluator& scope_;
};

}  // namespace

LessonValue lesson_value(const Lesson& lesson, const Evaluator& scope, const LessonExpression& e) {
    try {
        return scope.value(*e.tree);
    } catch (const ExpressionRefusal& refusal) {
        refuse_lesson(lesson, e.line,
                      "the reference \"" + shown(e.text) + "\" at character " +
                          std::to_string(refusal.at + 1) + " " + refusal.rule + "; correct it.");
    }
}

ShownProse shown_prose(const Lesson& lesson, const Evaluator& scope, const Prose& prose) {
    const Filler filler(lesson, scope);
    ShownProse out;
    for (const ProseBlock& block : prose) {
        ShownBlock shown_block{block.kind, {}};
        for (const auto& cell : block.cells) {
            std::vector<ShownSpan> spans;
            spans.reserve(cell.size());
            for (const ProseSpan& span : cell) spans.push_back(filler.filled(span));
            shown_block.cells.push_back(std::move(spans));
        }
        out.push_back(std::move(shown_block));
    }
    return out;
}

}  // namespace kv
