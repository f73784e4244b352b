// Amounts as bars that start at one x and have one scale. What is asked has its name and a dashed
// room until it is revealed; then two bars also say how many times the one is the other.

#include <algorithm>
#include <cmath>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kLimitHigh = 34, kRatioHigh = 110;
constexpr float kDigit = 0.61f;  // how wide a digit is, in sizes of its type

class BarsPlan {
public:
    BarsPlan(const BarsFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        sheet_.header(Text(facts_.title), Text(facts_.how));
        const std::size_t n = facts_.bars.size(), drawn = ask_.revealed ? n : facts_.open;
        for (std::size_t i = 0; i < drawn; ++i) full_ = std::max(full_, facts_.bars[i].amount);
        if (facts_.limit) full_ = std::max(full_, facts_.limit->amount);
        const bool compares = drawn == 2 && n == 2 && ratio() >= 1.05;
        measure(n);
        for (std::size_t i = 0; i < n; ++i) bar(i, i < drawn);
        if (facts_.limit) limit(drawn);
        if (compares) compare();
        return sheet_.take();
    }

private:
    // Few bars are high and have large numbers, many are low: the figure fills its room.
    void measure(std::size_t n) {
        top_ = sheet_.top() + (facts_.limit ? kLimitHigh : 8);
        const float room = sheet_.bottom() - top_ - (n == 2 ? kRatioHigh : 0);
        const float most = n <= 2 ? 210.0f : n == 3 ? 200.0f : 170.0f;
        row_ = std::min(most, room / static_cast<float>(n));
        top_ += 0.3f * (room - row_ * static_cast<float>(n));
        high_ = std::min(104.0f, row_ * 0.56f);
        names_ = sheet_.width() * (sheet_.is_narrow() ? 0.26f : 0.24f);
        std::size_t longest = 4;
        for (const BarsFacts::Bar& one : facts_.bars) longest = std::max(longest, one.said.size());
        const float most_said = sheet_.width() * 0.26f;
        size_ = std::clamp(most_said / (kDigit * static_cast<float>(longest)), 15.0f,
                           std::clamp(row_ * 0.26f, 17.0f, 28.0f));
        said_ = 16 + kDigit * size_ * static_cast<float>(longest);
    }

    float x0() const { return sheet_.left() + names_; }
    float wide(double amount) const {
        const float room = sheet_.width() - names_ - said_;
        return full_ > 0 ? std::max(1.5f, room * static_cast<float>(amount / full_)) : 1.5f;
    }

    void bar(std::size_t i, bool is_drawn) {
        const BarsFacts::Bar& one = facts_.bars[i];
        const auto key = static_cast<std::uint32_t>(i + 1);
        const float middle = top_ + row_ * static_cast<float>(i) + (row_ - high_) / 2;
        name(one.name, middle);
        if (!is_drawn) {
            // A room that ended at the limit would say that the amount reaches it.
            const float after = facts_.limit ? said_ / 2 : said_;
            sheet_.box("asked", {x0(), middle, sheet_.right() - x0() - after, high_},
                       Look::TurnedAway, {{"?", Font::MonoBold, 28, Ink::Quiet}});
            return;
        }
        const float w = wide(one.amount);
        Piece& bar = sheet_.box("bar", {x0(), middle, w, high_}, Look::Amount);
        bar.from = key, bar.caption = Text(one.said);
        Piece& said =
            sheet_.words("said", {x0() + w + 12, middle, sheet_.right() - x0() - w - 12, high_},
                         {{Text(one.said), Font::MonoBold, size_, Ink::Strong}});
        said.from = key;
    }

    // Writes a name in as many lines as it takes, around the middle of its bar.
    void name(const std::string& text, float middle) {
        const float size = sheet_.is_narrow() || row_ < 70 ? 14.0f : 18.0f, room = names_ - 20;
        const float line = 1.35f * size;
        const float lines = std::ceil(0.56f * size * static_cast<float>(text.size()) / room);
        Piece& name = sheet_.words("name", {sheet_.left(), middle, room, high_},
                                   {{Text(text), Font::Semibold, size, Ink::Strong}});
        name.names = true;
        if (lines <= 1) return;
        name.pitch = line;
        name.rect = {sheet_.left(), middle + (high_ - lines * line) / 2, room, lines * line};
    }

    double ratio() const {
        const auto [least, most] = std::minmax(facts_.bars[0].amount, facts_.bars[1].amount);
        return least > 0 ? most / least : 0;
    }

    // Draws the difference, from the end of the shorter bar to the end of the longer one.
    void compare() {
        const auto [least, most] = std::minmax(facts_.bars[0].amount, facts_.bars[1].amount);
        const float y = top_ + 2 * row_ + 18, from = x0() + wide(least), to = x0() + wide(most);
        const double times = ratio();
        const int digits = times < 2 ? 3 : 2;  // of 1.07, the 7 is what matters
        for (const float x : {from, to}) {
            Piece& edge = sheet_.wire("edge", {{x, y - 14}, {x, y + 14}}, false);
            edge.from = 2;
        }
        Piece& span = sheet_.span("span", {from, y}, {to, y}, {});
        span.from = 2;
        Piece& words = sheet_.words(
            "ratio", {x0(), y + 22, std::max(to - x0(), 300.0f), 50},
            {{times < 100 ? short_number(times, digits) : Text(with_commas(std::llround(times))),
              Font::MonoBold, 34, Ink::Strong},
             {ask_.text["figure.bars.times"_t], Font::Regular, 18, Ink::Plain, 12}},
            Edge::Right);
        words.from = 2;
    }

    // Whether the line at x goes through what is said of a bar.
    bool crosses_words(std::size_t i, float x) const {
        const std::string& said = facts_.bars[i].said;
        const float from = x0() + wide(facts_.bars[i].amount) + 12,
                    to = from + kDigit * size_ * static_cast<float>(said.size());
        return from - 4 < x && x < to + 4;
    }

    void limit_line(float x, float from, float to, std::uint32_t until = kAlways) {
        Piece& line = sheet_.wire("limit", {{x, from}, {x, to}}, false);
        line.dashed = true, line.width = 2, line.until = until;
    }

    // Draws the line from the top to the bottom; it makes room for words as soon as they are there.
    void limit(std::size_t drawn) {
        const float x = x0() + wide(facts_.limit->amount);
        float from = top_;
        for (std::size_t i = 0; i < drawn; ++i) {
            if (!crosses_words(i, x)) continue;
            const float middle = top_ + row_ * (static_cast<float>(i) + 0.5f), half = 0.7f * size_;
            limit_line(x, from, middle - half);
            limit_line(x, middle - half, middle + half, static_cast<std::uint32_t>(i));
            from = middle + half;
        }
        limit_line(x, from, top_ + row_ * static_cast<float>(facts_.bars.size()));
        sheet_.words("limit.name", {x0(), top_ - kLimitHigh, x - x0() + said_, kLimitHigh - 6},
                     {{Text(facts_.limit->name), Font::Regular, 15, Ink::Plain},
                      {Text(facts_.limit->said), Font::MonoBold, 18, Ink::Strong, 8}},
                     Edge::Right);
    }

    const BarsFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float names_ = 0, said_ = 0, top_ = 0, row_ = 0, high_ = 0, size_ = 0;
    double full_ = 0;
};

}  // namespace

Keys keys_of(const BarsFacts& facts) {
    const auto n = static_cast<std::uint32_t>(facts.bars.size());
    return {.first = std::min(1u, facts.open), .opens = facts.open, .last = facts.open, .end = n};
}

Plan layout_bars(const BarsFacts& facts, const Ask& ask) {
    return BarsPlan(facts, ask).plan();
}

}  // namespace kv::figure
