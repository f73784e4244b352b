// Two runs with one past, token by token, one below the other in the same columns: what both wrote,
// and where they part.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kLeastChip = 78, kMostChip = 118, kPairGap = 6, kMostPair = 150, kSaid = 40;

class TwoTextsPlan {
public:
    TwoTextsPlan(const TwoTextsFacts& facts, const Ask& ask)
        : facts_(facts),
          ask_(ask),
          sheet_(ask),
          drawn_(ask.revealed ? facts.longest() : facts.open) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(text["figure.two_texts.title"_t], text["figure.two_texts.how"_t]);
        measure();
        for (std::uint32_t line = 0; line * per_line_ < facts_.longest(); ++line) names(line);
        for (std::uint32_t i = 0; i < facts_.longest(); ++i) {
            chip(i, facts_.left, 0);
            chip(i, facts_.right, 1);
        }
        if (ask_.revealed) verdict();
        return sheet_.take();
    }

private:
    void measure() {
        names_ = sheet_.is_narrow() ? 96 : 150;
        const float room = sheet_.width() - names_;
        per_line_ =
            std::max(1u, std::min(facts_.longest(), static_cast<std::uint32_t>(room / kLeastChip)));
        pitch_ = std::min(kMostChip, room / static_cast<float>(per_line_));
        const auto lines = static_cast<float>((facts_.longest() + per_line_ - 1) / per_line_);
        pair_ = std::min(kMostPair, (sheet_.bottom() - sheet_.top() - kSaid) / lines);
        chip_ = std::min(44.0f, (pair_ - kPairGap - 16) / 2);
    }
    Rect place(std::uint32_t i, std::uint32_t side) const {
        return {sheet_.left() + names_ + pitch_ * static_cast<float>(i % per_line_),
                sheet_.top() + pair_ * static_cast<float>(i / per_line_) +
                    (chip_ + kPairGap) * static_cast<float>(side),
                pitch_ - 6, chip_};
    }

    void names(std::uint32_t line) {
        for (const std::uint32_t side : {0u, 1u}) {
            const Rect at = place(line * per_line_, side);
            Piece& name =
                sheet_.words("name", {sheet_.left(), at.y, names_ - 10, at.h},
                             {{Text(side == 0 ? facts_.left_name : facts_.right_name),
                               Font::Semibold, sheet_.is_narrow() ? 12.0f : 14.0f, Ink::Strong}});
            name.names = true;
        }
    }

    // Draws a chip; where nothing is told yet, a slot of the same size waits.
    void chip(std::uint32_t i, const std::vector<std::string>& words, std::uint32_t side) {
        if (i >= words.size()) return;
        const Rect at = place(i, side);
        if (i >= drawn_) {
            sheet_.box("asked", at, Look::TurnedAway, {{"?", Font::Mono, 14, Ink::Quiet}});
            return;
        }
        const bool differs = i >= facts_.left.size() || i >= facts_.right.size() ||
                             facts_.left[i] != facts_.right[i];
        Piece& piece = sheet_.box(differs ? "differs" : "same", at,
                                  differs && side == 1 ? Look::Wrong : Look::Chip,
                                  {{Text(words[i]), differs ? Font::Semibold : Font::Regular, 14,
                                    differs && side == 1 ? Ink::Loss : Ink::Strong}});
        piece.from = i + 1, piece.caption = Text(words[i]);
    }

    void verdict() {
        const std::uint32_t same = facts_.same();
        const bool parts = same < facts_.longest();
        if (parts) {
            const Rect left = place(same, 0), right = place(same, 1);
            Piece& frame = sheet_.brackets(
                "parts", {left.x - 4, left.y - 4, left.w + 8, right.bottom() - left.y + 8});
            frame.from = same + 1;
        }
        Piece& said = sheet_.words(
            "verdict", {sheet_.left(), sheet_.bottom() - 28, sheet_.width(), 24},
            {{fill(ask_.text[parts ? "figure.two_texts.parts"_t : "figure.two_texts.alike"_t],
                   {{"n", with_commas(same)}, {"at", with_commas(same + 1)}}),
              Font::Semibold, sheet_.is_narrow() ? 14.0f : 17.0f, Ink::Strong}});
        said.from = parts ? same + 1 : facts_.longest();
    }

    const TwoTextsFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    std::uint32_t drawn_, per_line_ = 1;
    float names_ = 0, pitch_ = 0, pair_ = 0, chip_ = 0;
};

}  // namespace

Keys keys_of(const TwoTextsFacts& facts) {
    return {.first = std::min(1u, facts.open),
            .opens = facts.open,
            .last = facts.open,
            .end = facts.longest()};
}

Plan layout_two_texts(const TwoTextsFacts& facts, const Ask& ask) {
    return TwoTextsPlan(facts, ask).plan();
}

}  // namespace kv::figure
