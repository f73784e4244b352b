// A prompt as one row of tokens: the window at its end observes, what it looks at gets a score, and
// the highest scores stay. Scores and what stays come with the reveal.

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "app/panels/figure/plans/lossy/token_strip.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr std::uint32_t kPrompt = 1, kLooks = 2, kStays = 3;
constexpr float kMostObserved = 580;

bool has_letter(std::string_view word) {
    return std::any_of(word.begin(), word.end(),
                       [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
}

class ObservedPlan {
public:
    ObservedPlan(const ObservedFacts& facts, const Ask& ask)
        : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(text["figure.observed.title"_t],
                      fill(text["figure.observed.how"_t], {{"layer", with_commas(facts_.layer)},
                                                           {"head", with_commas(facts_.kv_head)}}));
        const float below = sheet_.is_low() ? 150 : 210;
        const float high = std::min(kMostObserved, sheet_.bottom() - sheet_.top() - 20 - below);
        strip_ = {{sheet_.left(), sheet_.top() + 20, sheet_.width(), high}, n(), most(), 26};
        strip_axis(sheet_, strip_, 8, 0);
        sentence();
        window();
        if (ask_.revealed) {
            scores();
            kept();
        } else {
            sheet_.box("asked",
                       {strip_.bars.x, strip_.bars.y,
                        strip_.x(n() - facts_.window) - strip_.bars.x - 6, high - 6},
                       Look::TurnedAway, {{"?", Font::MonoBold, 24, Ink::Quiet}});
        }
        for (std::uint32_t t = 0; t < n(); ++t) cell(t);
        sheet_.legend(sheet_.left(), sheet_.bottom() - 22,
                      {{Look::Fresh, text["figure.observed.prompt"_t], 200},
                       {Look::Strong, text["figure.observed.window"_t], 230},
                       {Look::Gone, text["figure.observed.gone"_t], 150}});
        for (const TextId name : {"figure.observed.key.prompt"_t, "figure.observed.key.looks"_t,
                                  "figure.observed.key.stays"_t})
            sheet_.key_names().push_back(text[name]);
        return sheet_.take();
    }

private:
    std::uint32_t n() const { return static_cast<std::uint32_t>(facts_.words.size()); }
    bool observes(std::uint32_t t) const { return t + facts_.window >= n(); }
    double most() const {
        double most = 1e-9;
        for (const double score : facts_.scores) most = std::max(most, score);
        return 1.15 * most;  // with room for the largest one's label
    }

    void cell(std::uint32_t t) {
        const auto add = [&](Look look) -> Piece& {
            Piece& piece = sheet_.box("token", strip_.cell(t), look);
            piece.radius = 2, piece.caption = Text(facts_.words[t]);
            return piece;
        };
        if (observes(t)) {
            add(Look::Strong);
            return;
        }
        const bool goes = ask_.revealed && !facts_.kept[t];
        Piece& here = add(Look::Fresh);
        if (!goes) return;
        here.until = kStays - 1;
        Piece& gone = add(Look::Gone);
        gone.from = kStays, gone.id = "gone";
    }

    float below() const { return strip_.ticks() + 20; }

    void sentence() {
        if (facts_.first == facts_.end) return;
        const float x0 = strip_.x(facts_.first), x1 = strip_.x(facts_.end);
        for (const auto& [a, b] : {std::pair{Vec2{x0, below()}, Vec2{x0, below() + 10}},
                                   std::pair{Vec2{x1, below()}, Vec2{x1, below() + 10}},
                                   std::pair{Vec2{x0, below() + 10}, Vec2{x1, below() + 10}}})
            sheet_.wire("sentence.line", {a, b}, false);
        Text words;
        for (std::uint32_t t = facts_.first; t < facts_.end; ++t) {
            if (!words.empty()) words += " ";
            words += facts_.words[t];
        }
        Piece& said = sheet_.words("sentence", {x0, below() + 14, sheet_.right() - x0 - 260, 20},
                                   {{words, Font::Semibold, 14, Ink::Strong}});
        said.names = true;
    }

    void window() {
        const float x0 = strip_.x(n() - facts_.window);
        sheet_.brackets("window",
                        {x0, strip_.cells() - 2, sheet_.right() - x0, strip_.cell_high + 4});
        Piece& said = sheet_.words(
            "window.said", {sheet_.right() - 250, below() + 14, 250, 20},
            {{fill(ask_.text["figure.observed.window.said"_t], {{"n", with_commas(facts_.window)}}),
              Font::Semibold, 14, Ink::Strong}},
            Edge::Right);
        said.names = true;
    }

    void scores() {
        for (std::uint32_t t = 0; t < facts_.scores.size(); ++t) {
            const bool asked = t >= facts_.first && t < facts_.end;
            Piece& bar = sheet_.box("looked", strip_.bar(t, facts_.scores[t]),
                                    asked ? Look::FarWeight : Look::Weight);
            bar.from = kLooks, bar.caption = Text(facts_.words[t]);
        }
        const float room = 58;
        for (const std::uint32_t t :
             labelled_bars(strip_, facts_.scores, strip_.full / 8, 8, room)) {
            if (!has_letter(facts_.words[t])) continue;
            const Rect bar = strip_.bar(t, facts_.scores[t]);
            Piece& said = sheet_.words(
                "looked.word",
                {std::max(sheet_.left(), bar.center().x - room / 2), bar.y - 18, room, 16},
                {{Text(facts_.words[t]), Font::Regular, 13, Ink::Strong}}, Edge::Center);
            said.from = kLooks;
        }
    }

    void kept() {
        Piece& said = sheet_.words("kept.said", {sheet_.left(), below() + 46, sheet_.width(), 24},
                                   {{fill(ask_.text["figure.observed.kept"_t],
                                          {{"n", with_commas(facts_.n_kept())},
                                           {"all", with_commas(n())},
                                           {"scored", with_commas(facts_.n_kept() - facts_.window)},
                                           {"window", with_commas(facts_.window)}}),
                                     Font::Semibold, 15, Ink::Strong}});
        said.from = kStays;
    }

    const ObservedFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    TokenStrip strip_;
};

}  // namespace

Keys keys_of(const ObservedFacts&) {
    return {.first = kPrompt, .opens = kPrompt, .last = kPrompt, .end = kStays};
}

Plan layout_observed(const ObservedFacts& facts, const Ask& ask) {
    return ObservedPlan(facts, ask).plan();
}

}  // namespace kv::figure
