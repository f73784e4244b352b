// A text that grows under KIVI. Keys and values are strips along the text: as high as the bits of a
// number, so that the area is the memory and its mean height the bits that a number takes. Below,
// on the same axis, that mean over the length of the text.

#include <algorithm>
#include <utility>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kHeadHigh = 38, kTicksHigh = 22;
constexpr std::size_t kSides = 2;

class ResidualPlan {
public:
    ResidualPlan(const ResidualFacts& facts, const Ask& ask)
        : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(text["figure.residual.title"_t],
                      fill(text["figure.residual.how"_t], {{"n", with_commas(facts_.residual)}}));
        label_ = sheet_.is_narrow() ? 48 : 64, said_ = sheet_.is_narrow() ? 136 : 190;
        shown_ = ask_.revealed ? static_cast<std::uint32_t>(facts_.ticks.size()) : facts_.open;
        longest_ = facts_.ticks.back().tokens, reached_ = facts_.ticks[shown_ - 1].tokens;
        const float legend = sheet_.is_low() ? 22 : 30;
        const float gap = sheet_.is_low() ? 6 : 18;
        const float high = sheet_.bottom() - legend - sheet_.top() - 2 * gap;
        const float strip = high * 0.29f, chart = high - 2 * strip;
        head_ = sheet_.is_low() ? 30 : kHeadHigh;
        side(sheet_.top(), strip, 0);
        side(sheet_.top() + strip + gap, strip, 1);
        curves(sheet_.top() + 2 * (strip + gap), chart);
        sheet_.legend(sheet_.left(), sheet_.bottom() - 20,
                      {{Look::Key, text["figure.residual.coded.k"_t], 140},
                       {Look::Value, text["figure.residual.coded.v"_t], 150},
                       {Look::KeyWash, text["figure.residual.waits.k"_t], 200},
                       {Look::ValueWash, text["figure.residual.waits.v"_t], 200}});
        return sheet_.take();
    }

private:
    float x(std::uint64_t tokens) const {
        const float room = sheet_.width() - label_ - said_;
        return sheet_.left() + label_ +
               room * static_cast<float>(tokens) / static_cast<float>(longest_);
    }
    void at(Piece& piece, std::uint32_t tick) const { piece.from = piece.until = tick + 1; }

    void side(float y, float high, std::size_t s) {
        const Texts& text = ask_.text;
        sheet_.block_head(
            "side", y, head_ - 10,
            text[s == 0 ? "figure.residual.keys"_t : "figure.residual.values"_t],
            fill(text[s == 0 ? "figure.residual.keys.how"_t : "figure.residual.values.how"_t],
                 {{"n", with_commas(facts_.residual)}, {"group", with_commas(facts_.group)}}));
        const float floor = y + high - kTicksHigh, room = floor - y - head_;
        const float coded = room * static_cast<float>(facts_.coded_bits / facts_.plain_bits);
        sheet_.rule(floor).rect = {x(0), floor, x(longest_) - x(0), 1};
        for (const auto& [bits, top] : {std::pair{facts_.plain_bits, floor - room},
                                        std::pair{facts_.coded_bits, floor - coded}}) {
            Piece& name =
                sheet_.words("height", {sheet_.left(), top - 8, label_ - 10, 16},
                             {{short_number(bits, 4), Font::Mono, 12, Ink::Quiet}}, Edge::Right);
            name.names = true;
        }
        if (reached_ < longest_)
            sheet_.box("asked",
                       {x(reached_) + 4, floor - room, x(longest_) - x(reached_) - 4, room},
                       Look::TurnedAway, {{"?", Font::MonoBold, 20, Ink::Quiet}});
        for (std::uint32_t t = 0; t < shown_; ++t) {
            const ResidualFacts::At& now = facts_.ticks[t];
            const float split = x(now.coded[s]), end = x(now.tokens);
            if (now.coded[s] > 0)
                at(sheet_.box(s == 0 ? "coded.k" : "coded.v",
                              {x(0), floor - coded, split - x(0), coded},
                              s == 0 ? Look::Key : Look::Value),
                   t);
            if (now.tokens > now.coded[s]) {
                Piece& waits = sheet_.box(s == 0 ? "waits.k" : "waits.v",
                                          {split, floor - room, end - split, room},
                                          s == 0 ? Look::KeyWash : Look::ValueWash);
                const Text n = with_commas(now.tokens - now.coded[s]);
                if (end - split > 8.0f * static_cast<float>(n.size()) + 8)
                    waits.words = {{n, Font::MonoBold, 14, Ink::Strong}};
                at(waits, t);
            }
            const float mean = floor - room * static_cast<float>(now.bits[s] / facts_.plain_bits);
            Piece& line = sheet_.wire("mean", {{x(0), mean}, {end, mean}}, false);
            line.dashed = true, line.width = 1.6f, at(line, t);
            Piece& said = sheet_.words(
                s == 0 ? "bits.k" : "bits.v", {x(longest_) + 20, y + head_, said_ - 20, 34},
                {{short_number(now.bits[s], 3), Font::MonoBold, sheet_.is_narrow() ? 20.0f : 26.0f,
                  Ink::Strong},
                 {ask_.text["figure.residual.bits"_t], Font::Regular, 13, Ink::Plain, 8}});
            at(said, t);
            Piece& tokens =
                sheet_.words("length", {end - 60, floor + 3, 60, kTicksHigh - 5},
                             {{with_commas(now.tokens), Font::Mono, 12, Ink::Strong}}, Edge::Right);
            tokens.names = true, at(tokens, t);
        }
    }

    void curves(float y, float high) {
        const Texts& text = ask_.text;
        sheet_.block_head("curve", y, head_ - 10, text["figure.residual.curve"_t],
                          text["figure.residual.curve.how"_t]);
        const float floor = y + high - kTicksHigh, room = floor - y - head_ - 4;
        const auto level = [&](double bits) {
            return floor - room * static_cast<float>(bits / facts_.plain_bits);
        };
        sheet_.rule(floor).rect = {x(0), floor, x(longest_) - x(0), 1};
        for (const double bits : {facts_.plain_bits, facts_.coded_bits}) {
            Piece& line =
                sheet_.wire("level", {{x(0), level(bits)}, {x(longest_), level(bits)}}, false);
            line.look = Look::Rule, line.dashed = true;
            Piece& name =
                sheet_.words("level.name", {sheet_.left(), level(bits) - 8, label_ - 10, 16},
                             {{short_number(bits, 4), Font::Mono, 12, Ink::Quiet}}, Edge::Right);
            name.names = true;
        }
        for (std::size_t s = 0; s < kSides; ++s) curve(level, s);
        for (std::uint32_t t = 0; t < shown_; ++t) {
            const ResidualFacts::At& now = facts_.ticks[t];
            for (const double bits : now.bits) {
                Piece& dot =
                    sheet_.box("dot", {x(now.tokens) - 5, level(bits) - 5, 10, 10}, Look::Ring);
                dot.radius = 5, at(dot, t);
            }
            Piece& line = sheet_.wire(
                "now", {{x(now.tokens), level(facts_.plain_bits)}, {x(now.tokens), floor}}, false);
            line.dashed = true, at(line, t);
            Piece& tokens = sheet_.words(
                "length.now", {x(now.tokens) - 100, floor + 3, 100, kTicksHigh - 5},
                {{fill(text["figure.residual.tokens"_t], {{"n", with_commas(now.tokens)}}),
                  Font::Mono, 12, Ink::Strong}},
                Edge::Right);
            tokens.names = true, at(tokens, t);
        }
        // The names stand at the end of the curves, where these are apart.
        const float side = x(longest_) + 20;
        for (std::size_t s = 0; s < kSides; ++s)
            sheet_.words("curve.name",
                         {side, y + head_ + 26 * static_cast<float>(s), said_ - 20, 22},
                         {{text[s == 0 ? "figure.residual.keys"_t : "figure.residual.values"_t],
                           Font::Semibold, 14, s == 0 ? Ink::K : Ink::V}});
    }

    template <class Level>
    void curve(const Level& level, std::size_t s) {
        for (std::size_t i = 1; i < facts_.curve.size(); ++i) {
            const ResidualFacts::At &from = facts_.curve[i - 1], &to = facts_.curve[i];
            if (to.tokens > reached_) break;
            std::uint32_t key = 1;
            while (facts_.ticks[key - 1].tokens < to.tokens) ++key;
            Piece& part = sheet_.wire(
                s == 0 ? "curve.k" : "curve.v",
                {{x(from.tokens), level(from.bits[s])}, {x(to.tokens), level(to.bits[s])}}, false);
            part.from = key, part.width = 2.4f, part.look = s == 0 ? Look::Key : Look::Value;
        }
    }

    const ResidualFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float label_ = 0, said_ = 0, head_ = kHeadHigh;
    std::uint32_t shown_ = 0;
    std::uint64_t longest_ = 1, reached_ = 1;  // on the axis, and drawn before the reveal
};

}  // namespace

Keys keys_of(const ResidualFacts& facts) {
    return {.first = 1,
            .opens = facts.open,
            .last = facts.open,
            .end = static_cast<std::uint32_t>(facts.ticks.size())};
}

Plan layout_residual(const ResidualFacts& facts, const Ask& ask) {
    return ResidualPlan(facts, ask).plan();
}

}  // namespace kv::figure
