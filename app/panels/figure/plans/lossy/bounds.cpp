// What one query head knows of each block: the most that a key in it can score. The blocks with the
// highest bounds are read. Which they are comes with the reveal, and then the largest score in
// each, which is never above its bound.

#include <algorithm>
#include <cmath>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr std::uint32_t kBounds = 1, kRead = 2, kBest = 3;
constexpr float kMostBlockPitch = 170, kBoundBlockHigh = 44;

class BoundsPlan {
public:
    BoundsPlan(const BoundsFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(
            text["figure.bounds.title"_t],
            fill(text["figure.bounds.how"_t], {{"layer", with_commas(facts_.layer)},
                                               {"head", with_commas(facts_.head)},
                                               {"n", with_commas(facts_.n_tokens)},
                                               {"size", with_commas(facts_.block_size)}}));
        for (const BoundsFacts::Block& block : facts_.blocks) {
            low_ = std::min({low_, block.bound, ask_.revealed ? block.best : block.bound});
            high_ = std::max(high_, block.bound);
        }
        const float label = sheet_.is_narrow() ? 62 : 80;
        pitch_ = std::min(kMostBlockPitch,
                          (sheet_.width() - label) / static_cast<float>(facts_.blocks.size()));
        x0_ = sheet_.left() + label;
        room_ = {x0_, sheet_.top() + 28, pitch_ * static_cast<float>(facts_.blocks.size()),
                 sheet_.bottom() - sheet_.top() - 28 - kBoundBlockHigh - 96};
        Piece& zero = sheet_.wire("zero", {{x0_, y(0)}, {room_.right(), y(0)}}, false);
        zero.look = Look::Rule;
        Piece& name = sheet_.words("zero.name", {sheet_.left(), y(0) - 8, label - 10, 16},
                                   {{text["figure.bounds.zero"_t], Font::Regular, 12}});
        name.names = true;
        for (std::uint32_t b = 0; b < facts_.blocks.size(); ++b) column(b);
        legend();
        for (const TextId key :
             {"figure.bounds.key.bounds"_t, "figure.bounds.key.read"_t, "figure.bounds.key.best"_t})
            sheet_.key_names().push_back(text[key]);
        return sheet_.take();
    }

private:
    float y(double score) const {
        const double span = high_ - low_;
        return room_.bottom() -
               room_.h * static_cast<float>(span > 0 ? (score - low_) / span : 0.5);
    }

    void column(std::uint32_t b) {
        const Texts& text = ask_.text;
        const BoundsFacts::Block& block = facts_.blocks[b];
        const float wide = pitch_ * 0.56f,
                    left = x0_ + pitch_ * static_cast<float>(b) + (pitch_ - wide) / 2,
                    x = left - (pitch_ - wide) / 2;
        const float top = std::min(y(block.bound), y(0)), tall = std::abs(y(block.bound) - y(0));
        Piece& bar = sheet_.box("bound", {left, top, wide, std::max(2.0f, tall)}, Look::Weight);
        bar.from = kBounds;
        Piece& said = sheet_.words(
            "bound.said", {x, y(block.bound) - (block.bound < 0 ? -4.0f : 22.0f), pitch_, 18},
            {{short_number(block.bound, 3), Font::MonoBold, pitch_ < 60 ? 12.0f : 14.0f,
              Ink::Strong}},
            Edge::Center);
        said.from = kBounds, said.names = true;
        const float cells = room_.bottom() + 26;
        Piece& cell = sheet_.box("block", {left, cells, wide, kBoundBlockHigh}, Look::Free,
                                 {{with_commas(b), Font::MonoBold, 15, Ink::Plain}});
        cell.names = true;
        if (pitch_ >= 96) {
            const std::uint32_t first = b * facts_.block_size,
                                last = std::min(first + facts_.block_size, facts_.n_tokens) - 1;
            Piece& range =
                sheet_.words("range", {x, cells + kBoundBlockHigh + 4, pitch_, 16},
                             {{fill(text["figure.bounds.tokens"_t],
                                    {{"first", with_commas(first)}, {"last", with_commas(last)}}),
                               Font::Regular, 12}},
                             Edge::Center);
            range.names = true;
        }
        if (!ask_.revealed) return;
        if (block.read) {
            Piece& read = sheet_.box("read", {left, cells, wide, kBoundBlockHigh}, Look::Fresh,
                                     {{with_commas(b), Font::MonoBold, 15, Ink::OnHue}});
            read.from = kRead, read.names = true;
            Piece& strong =
                sheet_.box("bound.read", {left, top, wide, std::max(2.0f, tall)}, Look::FarWeight);
            strong.from = kRead;
        }
        Piece& best =
            sheet_.box("best", {left + wide / 2 - 7, y(block.best) - 7, 14, 14}, Look::Key);
        best.from = kBest, best.radius = 7;
    }

    void legend() {
        const Texts& text = ask_.text;
        const float y = sheet_.bottom() - 22;
        if (!ask_.revealed) {
            sheet_.legend(sheet_.left(), y, {{Look::Weight, text["figure.bounds.bar"_t], 140}});
            return;
        }
        sheet_.legend(sheet_.left(), y,
                      {{Look::Weight, text["figure.bounds.bar"_t], 120},
                       {Look::Fresh, text["figure.bounds.read"_t], 110},
                       {Look::Free, text["figure.bounds.held"_t], 160},
                       {Look::Key, text["figure.bounds.best"_t], 260}});
    }

    const BoundsFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float pitch_ = 0, x0_ = 0;
    Rect room_;
    double low_ = 0, high_ = 0;
};

}  // namespace

Keys keys_of(const BoundsFacts&) {
    return {.first = kBounds, .opens = kBounds, .last = kBounds, .end = kBest};
}

Plan layout_bounds(const BoundsFacts& facts, const Ask& ask) {
    return BoundsPlan(facts, ask).plan();
}

}  // namespace kv::figure
