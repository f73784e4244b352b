// Who computes how many tokens in which step: a row a request, a column a step.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kBatchGap = 4, kBatchColumn = 96, kBatchRow = 104, kBatchLegend = 34,
                kBatchSum = 30;

class BatchPlan {
public:
    BatchPlan(const BatchFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(text["figure.batch.title"_t], text["figure.batch.how"_t]);
        names_ = sheet_.is_narrow() ? 128.0f : 160.0f;
        pitch_ = std::min(kBatchColumn, (sheet_.width() - names_) / static_cast<float>(facts_.end));
        const auto n = static_cast<float>(std::max<std::size_t>(facts_.rows.size(), 1));
        const float room = sheet_.bottom() - sheet_.top() - kBatchLegend - 2 * kBatchSum -
                           (sheet_.is_low() ? 24 : 30);
        row_ = std::min(kBatchRow, room / n);
        const float y = sheet_.top() + (sheet_.is_low() ? 24.0f : 30.0f);
        const std::uint32_t drawn = ask_.revealed ? facts_.end : facts_.open;
        heads(sheet_.top());
        for (std::size_t i = 0; i < facts_.rows.size(); ++i)
            row(y + row_ * static_cast<float>(i), i, drawn);
        sums(y + row_ * n + 4, drawn);
        sheet_.legend(sheet_.left(), sheet_.bottom() - kBatchLegend + 8,
                      {{Look::Strong, text["figure.batch.reads"_t], 200},
                       {Look::Fresh, text["figure.batch.writes"_t], 260},
                       {Look::TurnedAway, text["figure.batch.waits"_t], 120}});
        return sheet_.take();
    }

private:
    float x(std::uint32_t column) const {
        return sheet_.left() + names_ + pitch_ * static_cast<float>(column);
    }

    void heads(float y) {
        sheet_.words("head", {sheet_.left(), y, names_ - 8, 20},
                     {{ask_.text["figure.batch.step"_t], Font::Regular, 13, Ink::Plain}});
        for (std::uint32_t c = 0; c < facts_.end; ++c) {
            Piece& head = sheet_.words(
                "step", {x(c), y, pitch_ - kBatchGap, 20},
                {{with_commas(std::uint64_t{facts_.first} + c), Font::Mono, 13, Ink::Plain}},
                Edge::Center);
            head.names = true, head.now = c + 1;
        }
    }

    void row(float y, std::size_t i, std::uint32_t drawn) {
        const BatchFacts::Row& one = facts_.rows[i];
        sheet_.words(
            "request", {sheet_.left(), y, names_ - 8, row_ - 6},
            {{Text(one.name), Font::Bold, sheet_.is_narrow() ? 15.0f : 18.0f, Ink::Strong}});
        for (std::uint32_t c = 0; c < facts_.end; ++c) {
            const Rect r{x(c), y, pitch_ - kBatchGap, row_ - 6};
            sheet_.box("room", r, Look::Free);
            if (c >= drawn) continue;
            const BatchFacts::Cell& cell = one.cells[c];
            if (cell.state == BatchFacts::State::Absent) continue;
            List<Word> words;
            const bool reads = cell.state == BatchFacts::State::Reads,
                       works = reads || cell.state == BatchFacts::State::Writes;
            if (works)
                words.push_back({with_commas(cell.tokens), Font::MonoBold,
                                 pitch_ < 40 ? 12.0f : 15.0f, reads ? Ink::OnStrong : Ink::OnHue});
            Piece& box = sheet_.box("cell", r,
                                    reads   ? Look::Strong
                                    : works ? Look::Fresh
                                            : Look::TurnedAway,
                                    std::move(words));
            box.from = c + 1, box.hue = static_cast<std::uint8_t>(i % 8);
            box.radius = 3;
        }
    }

    void sums(float y, std::uint32_t drawn) {
        sheet_.words("sum.name", {sheet_.left(), y, names_ - 4, kBatchSum},
                     {{ask_.text["figure.batch.sum"_t], Font::Regular, 13, Ink::Plain}});
        sheet_.words("running.name", {sheet_.left(), y + kBatchSum, names_ - 4, kBatchSum - 4},
                     {{ask_.text["figure.batch.running"_t], Font::Regular, 13, Ink::Plain}});
        for (std::uint32_t c = 0; c < drawn; ++c) {
            std::uint64_t running = 0;
            for (const BatchFacts::Row& one : facts_.rows) running += one.cells[c].tokens > 0;
            const auto put = [&](const char* id, float at, std::uint64_t value) {
                sheet_
                    .words(id, {x(c), at, pitch_ - kBatchGap, kBatchSum - 4},
                           {{with_commas(value), Font::MonoBold, 14, Ink::Strong}}, Edge::Center)
                    .from = c + 1;
            };
            put("sum", y, facts_.tokens(c));
            put("running", y + kBatchSum, running);
        }
    }

    const BatchFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float names_ = 0, pitch_ = 0, row_ = 0;
};

}  // namespace

Keys keys_of(const BatchFacts& facts) {
    return {.first = 1, .opens = facts.open, .last = facts.open, .end = facts.end};
}

Plan layout_batch(const BatchFacts& facts, const Ask& ask) {
    return BatchPlan(facts, ask).plan();
}

}  // namespace kv::figure
