// The vectors of one token, a row a layer: queries, which are used and dropped, and keys and
// values, which stay. The widths of all vectors have one scale.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

class VectorsPlan {
public:
    VectorsPlan(const VectorsFacts& facts, const Ask& ask)
        : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(text["figure.vectors.title"_t],
                      fill(text["figure.vectors.how"_t], {{"element", Text(facts_.element)}}));
        all_ = facts_.total == FigureWhen::Now ||
               (facts_.total == FigureWhen::Revealed && ask_.revealed);
        measure();
        heads();
        const std::uint32_t n = all_ ? layers() : 1;
        for (std::uint32_t layer = 0; layer < n; ++layer) row(layer);
        if (all_)
            total();
        else
            sheet_.words("open",
                         {sheet_.left() + label_, top_ + row_ + 6, sheet_.width() - label_, 26},
                         {{fill(text["figure.vectors.open"_t], {{"n", with_commas(layers() - 1)}}),
                           Font::Regular, 15, Ink::Quiet}});
        return sheet_.take();
    }

private:
    std::uint32_t layers() const { return static_cast<std::uint32_t>(facts_.n_layers); }

    void measure() {
        label_ = sheet_.is_narrow() ? 70 : 92, sums_ = sheet_.is_narrow() ? 80 : 120;
        const float gaps = 26 * static_cast<float>(facts_.n_kv_heads) +
                           (facts_.queries ? 10 * static_cast<float>(facts_.n_heads) + 30 : 0);
        const auto kept = static_cast<float>(facts_.n_kv_heads * (facts_.k_dim + facts_.v_dim)),
                   asked = facts_.queries ? static_cast<float>(facts_.n_heads * facts_.k_dim) : 0;
        const float room = sheet_.width() - label_ - sums_ - gaps;
        scale_ = std::min(14.0f, room / (kept + asked));
        top_ = sheet_.top() + 56;
        row_ = std::min(124.0f, (sheet_.bottom() - 92 - top_) / static_cast<float>(layers()));
        cell_ = std::min(76.0f, row_ - 12);
    }
    float wide(std::uint64_t dim) const { return scale_ * static_cast<float>(dim); }
    float queries_width() const {
        return facts_.queries ? static_cast<float>(facts_.n_heads) * (wide(facts_.k_dim) + 10) + 30
                              : 0;
    }
    float pair_x(std::uint64_t head) const {
        return sheet_.left() + label_ + queries_width() +
               static_cast<float>(head) * (wide(facts_.k_dim + facts_.v_dim) + 26);
    }

    // What stands above the first row.
    void heads() {
        const Texts& text = ask_.text;
        const float y = sheet_.top() + 8;
        if (facts_.queries)
            sheet_.words("queries", {sheet_.left() + label_, y, queries_width() - 30, 40},
                         {{text["figure.vectors.queries"_t], Font::Regular, 13, Ink::Plain}},
                         Edge::Center);
        for (std::uint64_t head = 0; head < facts_.n_kv_heads; ++head)
            sheet_
                .words("head", {pair_x(head), y, wide(facts_.k_dim + facts_.v_dim) + 4, 40},
                       {{fill(text["figure.vectors.head"_t], {{"n", with_commas(head)}}),
                         Font::Semibold, 14, Ink::Strong}},
                       Edge::Center)
                .names = true;
    }

    void row(std::uint32_t layer) {
        const Texts& text = ask_.text;
        const std::uint32_t key = layer + 1;
        const float y = top_ + row_ * static_cast<float>(layer);
        Piece& name =
            sheet_.words("layer", {sheet_.left(), y, label_ - 12, cell_},
                         {{fill(text["figure.vectors.layer"_t], {{"n", with_commas(layer)}}),
                           Font::Regular, 14, Ink::Strong}},
                         Edge::Right);
        name.from = key, name.names = true;
        for (std::uint64_t q = 0; facts_.queries && q < facts_.n_heads; ++q) {
            const float x =
                sheet_.left() + label_ + static_cast<float>(q) * (wide(facts_.k_dim) + 10);
            Piece& query =
                sheet_.box("query", {x, y + cell_ * 0.25f, wide(facts_.k_dim), cell_ * 0.5f},
                           Look::TurnedAway, {{"Q", Font::Mono, 12, Ink::Quiet}});
            query.from = key;
        }
        for (std::uint64_t head = 0; head < facts_.n_kv_heads; ++head) {
            const float x = pair_x(head);
            vector("key", {x, y, wide(facts_.k_dim), cell_}, Look::Key, "K", facts_.k_dim, key);
            vector("value", {x + wide(facts_.k_dim) + 4, y, wide(facts_.v_dim), cell_}, Look::Value,
                   "V", facts_.v_dim, key);
        }
        Piece& bytes = sheet_.words(
            "layer.bytes", {sheet_.right() - sums_, y, sums_, cell_},
            {{fill(text["figure.vectors.bytes"_t], {{"n", with_commas(facts_.layer_bytes)}}),
              Font::MonoBold, 15.5f, Ink::Strong}},
            Edge::Right);
        bytes.from = key;
    }

    void vector(const char* id, const Rect& at, Look look, const char* side, std::uint64_t dim,
                std::uint32_t key) {
        Piece& box = sheet_.box(id, at, look, {{side, Font::MonoBold, 15.5f, Ink::OnHue}});
        box.from = key, box.radius = 4, box.names = true;
        box.caption = fill(ask_.text["figure.vectors.numbers"_t], {{"n", with_commas(dim)}});
    }

    void total() {
        const Texts& text = ask_.text;
        const float y = sheet_.bottom() - 66;
        sheet_.rule(y - 12);
        Piece& count = sheet_.words(
            "total", {sheet_.left(), y, sheet_.width(), 28},
            {{fill(text["figure.vectors.count"_t], {{"layers", with_commas(facts_.n_layers)},
                                                    {"heads", with_commas(facts_.n_kv_heads)},
                                                    {"n", with_commas(facts_.kept())}}),
              Font::Mono, sheet_.is_narrow() ? 14.0f : 18.0f, Ink::Strong}});
        Piece& bytes = sheet_.words(
            "total.bytes", {sheet_.left(), y + 32, sheet_.width(), 28},
            {{fill(text["figure.vectors.sum"_t], {{"layers", with_commas(facts_.n_layers)},
                                                  {"layer", with_commas(facts_.layer_bytes)},
                                                  {"n", with_commas(facts_.bytes)}}),
              Font::Mono, sheet_.is_narrow() ? 14.0f : 18.0f, Ink::Strong}});
        count.from = layers(), bytes.from = layers();
    }

    const VectorsFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    bool all_ = false;
    float label_ = 0, sums_ = 0, scale_ = 0, top_ = 0, row_ = 0, cell_ = 0;
};

}  // namespace

Keys keys_of(const VectorsFacts& facts) {
    const auto n = static_cast<std::uint32_t>(facts.n_layers);
    const std::uint32_t open = facts.total == FigureWhen::Now ? n : 1;
    return {
        .first = 1, .opens = open, .last = open, .end = facts.total == FigureWhen::Never ? 1 : n};
}

Plan layout_vectors(const VectorsFacts& facts, const Ask& ask) {
    return VectorsPlan(facts, ask).plan();
}

}  // namespace kv::figure
