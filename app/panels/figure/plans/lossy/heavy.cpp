// Tokens with their scores as columns: the newest are protected, and of the others the one with the
// smallest score goes. Which one that is comes with the reveal.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr std::uint32_t kScores = 1, kProtected = 2, kDropped = 3;
constexpr float kMostColumn = 150, kChipHigh = 44;

class HeavyPlan {
public:
    HeavyPlan(const HeavyFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(fill(text["figure.heavy.title"_t],
                           {{"n", with_commas(n())}, {"keep", with_commas(facts_.keep)}}),
                      text["figure.heavy.how"_t]);
        pitch_ = std::min(kMostColumn, sheet_.width() / static_cast<float>(n()));
        x0_ = sheet_.left() + (sheet_.width() - pitch_ * static_cast<float>(n())) / 2;
        const float below = kChipHigh + 96;
        floor_ = std::min(sheet_.bottom() - below, sheet_.top() + 620);
        room_ = floor_ - sheet_.top() - 44;
        for (std::uint32_t t = 0; t < n(); ++t) column(t);
        protect();
        if (ask_.revealed) drop();
        for (const TextId name : {"figure.heavy.key.scores"_t, "figure.heavy.key.protected"_t,
                                  "figure.heavy.key.dropped"_t})
            sheet_.key_names().push_back(text[name]);
        return sheet_.take();
    }

private:
    std::uint32_t n() const { return static_cast<std::uint32_t>(facts_.scores.size()); }
    bool is_newest(std::uint32_t t) const { return t + facts_.newest >= n(); }
    float x(std::uint32_t t) const { return x0_ + pitch_ * static_cast<float>(t); }
    float tall(double score) const {
        const double most = *std::max_element(facts_.scores.begin(), facts_.scores.end());
        return most > 0 ? std::max(2.0f, room_ * static_cast<float>(score / most)) : 2.0f;
    }

    void column(std::uint32_t t) {
        const float high = tall(facts_.scores[t]), wide = pitch_ * 0.6f,
                    left = x(t) + (pitch_ - wide) / 2;
        sheet_.box("score", {left, floor_ - high, wide, high}, Look::Weight).from = kScores;
        Piece& said = sheet_.words(
            "score.said", {x(t), floor_ - high - 28, pitch_, 26},
            {{short_number(facts_.scores[t], 3), Font::MonoBold, 18, Ink::Strong}}, Edge::Center);
        said.from = kScores, said.names = true;
        Piece& chip = sheet_.box("token", {left, floor_ + 10, wide, kChipHigh}, Look::Fresh,
                                 {{with_commas(t), Font::MonoBold, 17, Ink::OnHue}});
        chip.names = true;
        Piece& name = sheet_.words("token.name", {x(t), floor_ + kChipHigh + 14, pitch_, 18},
                                   {{ask_.text[t + 1 == n() ? "figure.heavy.newest"_t
                                               : t == 0     ? "figure.heavy.oldest"_t
                                                            : "figure.heavy.token"_t],
                                     Font::Regular, 12}},
                                   Edge::Center);
        name.names = true;
    }

    void protect() {
        if (facts_.newest == 0) return;
        const std::uint32_t first = n() - facts_.newest;
        const float y = floor_ + kChipHigh + 42;
        Piece& frame = sheet_.brackets("protected", {x(first) + 4, sheet_.top() + 8,
                                                     x(n()) - x(first) - 8, y - sheet_.top() - 8});
        frame.from = kProtected;
        Piece& said = sheet_.words(
            "protected.said", {x0_, y + 6, x(n()) - x0_, 22},
            {{fill(ask_.text["figure.heavy.protected"_t], {{"n", with_commas(facts_.newest)}}),
              Font::Semibold, 14, Ink::Strong}},
            Edge::Right);
        said.from = kProtected;
    }

    void drop() {
        for (const std::uint32_t t : facts_.dropped) {
            const float wide = pitch_ * 0.6f, left = x(t) + (pitch_ - wide) / 2;
            Piece& cross = sheet_.box("gone", {left, floor_ + 10, wide, kChipHigh}, Look::Gone);
            cross.from = kDropped;
            const float high = tall(facts_.scores[t]);
            sheet_.box("gone.score", {left, floor_ - high, wide, high}, Look::Lost).from = kDropped;
            Piece& said = sheet_.words(
                "gone.said", {x0_, floor_ + kChipHigh + 72, x(n()) - x0_, 24},
                {{fill(ask_.text["figure.heavy.gone"_t],
                       {{"n", with_commas(t)}, {"score", short_number(facts_.scores[t], 3)}}),
                  Font::Semibold, 15, Ink::Strong}});
            said.from = kDropped;
        }
    }

    const HeavyFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float pitch_ = 0, x0_ = 0, floor_ = 0, room_ = 0;
};

}  // namespace

Keys keys_of(const HeavyFacts&) {
    return {.first = kScores, .opens = kProtected, .last = kProtected, .end = kDropped};
}

Plan layout_heavy(const HeavyFacts& facts, const Ask& ask) {
    return HeavyPlan(facts, ask).plan();
}

}  // namespace kv::figure
