// Amounts as bars that start at one x and have one scale. What is asked has its name and a dashed
// room until it is revealed.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"

namespace kv::figure {
namespace {

constexpr float kBarRow = 176, kLimitHigh = 30;

class BarsPlan {
public:
    BarsPlan(const BarsFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        sheet_.header(Text(facts_.title), Text(facts_.how));
        const auto n = static_cast<float>(facts_.bars.size());
        names_ = sheet_.width() * (sheet_.is_narrow() ? 0.26f : 0.24f);
        std::size_t longest = 0;
        for (const BarsFacts::Bar& one : facts_.bars) longest = std::max(longest, one.said.size());
        said_ = std::max(sheet_.is_narrow() ? 110.0f : 150.0f,
                         0.62f * 17 * static_cast<float>(longest) + 16);
        top_ = sheet_.top() + (facts_.limit ? kLimitHigh : 8);
        row_ = std::min(kBarRow, (sheet_.bottom() - top_) / n);
        const std::size_t drawn = ask_.revealed ? facts_.bars.size() : facts_.open;
        for (std::size_t i = 0; i < drawn; ++i) full_ = std::max(full_, facts_.bars[i].amount);
        if (facts_.limit) full_ = std::max(full_, facts_.limit->amount);
        for (std::size_t i = 0; i < facts_.bars.size(); ++i) bar(i, i < drawn);
        if (facts_.limit) limit();
        return sheet_.take();
    }

private:
    float x0() const { return sheet_.left() + names_; }
    float wide(double amount) const {
        const float room = sheet_.width() - names_ - said_;
        return full_ > 0 ? std::max(1.5f, room * static_cast<float>(amount / full_)) : 1.5f;
    }

    void bar(std::size_t i, bool is_drawn) {
        const BarsFacts::Bar& one = facts_.bars[i];
        const auto key = static_cast<std::uint32_t>(i + 1);
        const float y = top_ + row_ * static_cast<float>(i), high = std::min(76.0f, row_ * 0.5f);
        const float middle = y + (row_ - high) / 2;
        const float size = sheet_.is_narrow() ? 14.0f : 16.0f;
        const bool wraps = 0.56f * size * static_cast<float>(one.name.size()) > names_ - 16;
        Piece& name = sheet_.words("name",
                                   wraps ? Rect{sheet_.left(), y + 2, names_ - 16, row_ - 4}
                                         : Rect{sheet_.left(), middle, names_ - 16, high},
                                   {{Text(one.name), Font::Semibold, size, Ink::Strong}});
        name.names = true;
        if (wraps) name.pitch = 21, name.rect.y = middle + high / 2 - 21;
        if (!is_drawn) {
            sheet_.box("asked", {x0(), middle, sheet_.width() - names_ - said_, high},
                       Look::TurnedAway, {{"?", Font::MonoBold, 20, Ink::Quiet}});
            return;
        }
        const float w = wide(one.amount);
        Piece& bar = sheet_.box("bar", {x0(), middle, w, high}, Look::Fresh);
        bar.from = key, bar.caption = Text(one.said);
        Piece& said = sheet_.words("said", {x0() + w + 12, middle, said_ - 12, high},
                                   {{Text(one.said), Font::MonoBold, 17, Ink::Strong}});
        said.from = key;
    }

    void limit() {
        const float x = x0() + wide(facts_.limit->amount),
                    bottom = top_ + row_ * static_cast<float>(facts_.bars.size());
        Piece& line = sheet_.wire("limit", {{x, top_}, {x, bottom}}, false);
        line.dashed = true, line.width = 2;
        sheet_.words("limit.name", {x0(), sheet_.top(), x - x0() + said_, kLimitHigh - 6},
                     {{Text(facts_.limit->name), Font::Regular, 14, Ink::Plain},
                      {Text(facts_.limit->said), Font::MonoBold, 15, Ink::Strong, 8}},
                     Edge::Right);
    }

    const BarsFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float names_ = 0, said_ = 0, top_ = 0, row_ = 0;
    double full_ = 0;
};

}  // namespace

Keys keys_of(const BarsFacts& facts) {
    const auto n = static_cast<std::uint32_t>(facts.bars.size());
    return {std::min(1u, facts.open), facts.open, facts.open, n};
}

Plan layout_bars(const BarsFacts& facts, const Ask& ask) {
    return BarsPlan(facts, ask).plan();
}

}  // namespace kv::figure
