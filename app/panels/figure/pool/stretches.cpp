// Texts that are made of stretches, on one scale: each by itself, and then each stretch once, with
// what a text above has already in the colour of what is only read.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/pool/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kMostTextRow = 120, kStretchFoot = 84;
constexpr std::uint32_t kAlone = 1, kOnce = 2;

class StretchesPlan {
public:
    StretchesPlan(const StretchesFacts& facts, const Ask& ask)
        : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(Text(facts_.title), Text(facts_.how));
        names_ = sheet_.is_narrow() ? 110 : 166, numbers_ = sheet_.is_narrow() ? 70 : 110;
        const auto n = static_cast<float>(facts_.texts.size());
        row_ = std::min(kMostTextRow, (sheet_.bottom() - kStretchFoot - sheet_.top() - 8) / n);
        for (std::size_t t = 0; t < facts_.texts.size(); ++t) row(t);
        foot(sheet_.top() + 8 + row_ * n);
        for (const TextId key : {"figure.stretches.key.alone"_t, "figure.stretches.key.once"_t})
            if (ask_.revealed || sheet_.key_names().empty())
                sheet_.key_names().push_back(text[key]);
        return sheet_.take();
    }

private:
    float scale() const {
        std::uint64_t most = 1;
        for (std::size_t t = 0; t < facts_.texts.size(); ++t)
            most = std::max(most, facts_.length(t, false));
        return (sheet_.width() - names_ - numbers_) / static_cast<float>(most);
    }

    void row(std::size_t t) {
        const StretchesFacts::Text& one = facts_.texts[t];
        const float y = sheet_.top() + 8 + row_ * static_cast<float>(t),
                    high = std::min(62.0f, row_ * 0.6f);
        Piece& name = sheet_.words(
            "text", {sheet_.left(), y, names_ - 12, high},
            {{Text(one.name), Font::Bold, sheet_.is_narrow() ? 14.0f : 17.0f, Ink::Strong}});
        name.names = true;
        float x = sheet_.left() + names_;
        for (std::size_t p = 0; p < one.parts.size(); ++p) {
            const StretchesFacts::Stretch& part = facts_.stretches[one.parts[p]];
            const float wide = scale() * static_cast<float>(part.tokens);
            stretch(part, {x, y, std::max(1.0f, wide - 2), high}, facts_.is_again(t, p));
            x += wide;
        }
        length({x + 10, y, numbers_ - 10, high}, t);
    }

    // Behind the reveal, what stands above already is only read.
    void stretch(const StretchesFacts::Stretch& part, const Rect& at, bool again) {
        const Text said = fill(ask_.text["figure.stretches.tokens"_t],
                               {{"name", Text(part.name)}, {"n", with_commas(part.tokens)}});
        const float size = sheet_.is_narrow() ? 12 : 14;
        const bool fits = 0.56f * size * static_cast<float>(part.name.size()) + 10 < at.w;
        const auto put = [&](Look look, Ink ink) -> Piece& {
            List<Word> words;
            if (fits) words = {{Text(part.name), Font::Regular, size, ink}};
            Piece& box = sheet_.box("stretch", at, look, words);
            box.caption = said, box.from = kAlone, box.names = true;
            return box;
        };
        Piece& alone = put(Look::Fresh, Ink::OnHue);
        if (!again || !ask_.revealed) return;
        alone.until = kAlone;
        put(Look::Kept, Ink::Plain).from = kOnce;
    }

    void length(const Rect& at, std::size_t t) {
        const auto put = [&](std::uint64_t n) -> Piece& {
            return sheet_.words("length", at,
                                {{with_commas(n), Font::MonoBold,
                                  sheet_.is_narrow() ? 15.0f : 18.0f, Ink::Strong}});
        };
        Piece& alone = put(facts_.length(t, false));
        alone.from = kAlone;
        if (!ask_.revealed) return;
        alone.until = kAlone;
        put(facts_.length(t, true)).from = kOnce;
    }

    void foot(float y) {
        const Texts& text = ask_.text;
        const float x = sheet_.left() + names_, size = sheet_.is_narrow() ? 15 : 20;
        const auto put = [&](TextId id, bool once) -> Piece& {
            return sheet_.words("sum", {x, y, sheet_.right() - x, 32},
                                {{fill(text[id], {{"n", with_commas(facts_.total(once))}}),
                                  Font::Bold, size, Ink::Strong}});
        };
        Piece& sum = put("figure.stretches.sum"_t, false);
        sum.from = kAlone;
        if (ask_.revealed) {
            sum.until = kAlone;
            put("figure.stretches.once"_t, true).from = kOnce;
        }
        sheet_.legend(x, sheet_.bottom() - 20,
                      {{Look::Fresh, text["figure.stretches.new"_t], 190},
                       {Look::Kept, text["figure.stretches.again"_t], 120}});
    }

    const StretchesFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float names_ = 0, numbers_ = 0, row_ = 0;
};

}  // namespace

Keys keys_of(const StretchesFacts&) {
    return {.first = kAlone, .opens = kAlone, .last = kAlone, .end = kOnce};
}

Plan layout_stretches(const StretchesFacts& facts, const Ask& ask) {
    return StretchesPlan(facts, ask).plan();
}

}  // namespace kv::figure
