// One row of attention as columns, a key a row: dot product, score, power, weight, and the values
// that the weights mix. A key that comes later joins below, and the weights are shared out again.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kColumnHead = 64, kKeyRow = 104;

enum : std::uint32_t { kDot = 1, kScore = 2, kPower = 3, kWeight = 4, kOutput = 5, kJoins = 6 };

// Whole numbers stand without a fraction, all others with four digits of it.
Text as_number(double x) {
    return Text(fixed(x, x == std::floor(x) ? 0 : 4));
}
Text in_brackets(const std::vector<double>& row) {
    Text all = "[";
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) all += ", ";
        all += as_number(row[i]);
    }
    return all += "]";
}

class AttendRowPlan {
public:
    AttendRowPlan(const AttendRowFacts& facts, const Ask& ask)
        : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(
            text["figure.attend_row.title"_t],
            fill(text["figure.attend_row.how"_t],
                 {{"query", in_brackets(facts_.query)}, {"n", with_commas(facts_.query.size())}}));
        column_ = sheet_.width() / static_cast<float>(kColumns.size());
        row_ = std::min(kKeyRow, (sheet_.bottom() - sheet_.top() - kColumnHead - 90) /
                                     static_cast<float>(facts_.keys.size()));
        for (std::size_t c = 0; c < kColumns.size(); ++c) head(c);
        const std::size_t n = ask_.revealed ? facts_.keys.size() : facts_.open;
        for (std::size_t i = 0; i < n; ++i) row(i);
        if (ask_.revealed) {
            output(facts_.before, kOutput, joins() ? kOutput : kAlways);
            if (joins()) output(facts_.after, kJoins, kAlways);
        }
        for (const Column& column : kColumns)
            if (column.from > 0) sheet_.key_names().push_back(text[column.head]);
        if (joins()) sheet_.key_names().push_back(text["figure.attend_row.joins"_t]);
        return sheet_.take();
    }

private:
    struct Column {
        TextId head;
        std::uint32_t from;
    };
    static constexpr std::array kColumns{Column{"figure.attend_row.key"_t, 0},
                                         Column{"figure.attend_row.dot"_t, kDot},
                                         Column{"figure.attend_row.score"_t, kScore},
                                         Column{"figure.attend_row.power"_t, kPower},
                                         Column{"figure.attend_row.weight"_t, kWeight},
                                         Column{"figure.attend_row.value"_t, kOutput}};

    struct KeyRange {
        std::uint32_t from, until;
    };

    bool joins() const { return facts_.open < facts_.keys.size(); }
    float x(std::size_t column) const {
        return sheet_.left() + column_ * static_cast<float>(column);
    }

    void head(std::size_t c) {
        Piece& head =
            sheet_.words("head", {x(c), sheet_.top(), column_ - 12, kColumnHead - 20},
                         {{ask_.text[kColumns[c].head], Font::Semibold, 15, Ink::Strong}});
        head.pitch = 20;
    }

    void row(std::size_t i) {
        const AttendRowFacts::Key& key = facts_.keys[i];
        const std::uint32_t late = i < facts_.open ? 0 : static_cast<std::uint32_t>(kJoins);
        const float y = sheet_.top() + kColumnHead + row_ * static_cast<float>(i);
        sheet_.rule(y - 6).from = late;
        cell(0, y, in_brackets(key.key), Look::KeyWash, late);
        cell(1, y, as_number(key.dot), Look::Outline, std::max(late, +kDot));
        cell(2, y, as_number(key.score), Look::Outline, std::max(late, +kScore));
        if (!ask_.revealed) return;
        cell(3, y, as_number(key.power), Look::Outline, std::max(late, +kPower));
        if (late == 0) weight(y, facts_.before.weights[i], {kWeight, joins() ? kOutput : kAlways});
        if (joins()) weight(y, facts_.after.weights[i], {kJoins, kAlways});
        cell(5, y, in_brackets(key.value), Look::ValueWash, std::max(late, +kOutput));
    }

    void cell(std::size_t column, float y, const Text& words, Look look, std::uint32_t from) {
        Piece& box = sheet_.box("cell", {x(column), y + 4, column_ - 20, row_ - 20}, look,
                                {{words, Font::Mono, 15.5f, Ink::Strong}});
        box.from = from;
    }

    // A share of one: its number over a bar that is one when full.
    void weight(float y, double share, KeyRange keys) {
        const Rect at{x(4), y + 4, column_ - 20, row_ - 20};
        const auto at_keys = [&](Piece& piece) {
            piece.from = keys.from, piece.until = keys.until;
        };
        at_keys(sheet_.box("weight.room", {at.x, at.bottom() - 10, at.w, 10}, Look::Free));
        at_keys(sheet_.box(
            "weight.bar",
            {at.x, at.bottom() - 10, std::max(1.0f, at.w * static_cast<float>(share)), 10},
            Look::Fresh));
        at_keys(sheet_.words("weight", {at.x, at.y, at.w, at.h - 12},
                             {{Text(fixed(share, 4)), Font::MonoBold, 17, Ink::Strong}}));
    }

    void output(const AttendRowFacts::Shared& shared, std::uint32_t from, std::uint32_t until) {
        const std::size_t rows = from == kJoins ? facts_.keys.size() : facts_.open;
        const float y = sheet_.top() + kColumnHead + row_ * static_cast<float>(rows) + 8;
        Piece& words = sheet_.words(
            "output", {sheet_.left(), y, sheet_.width(), 44},
            {{ask_.text["figure.attend_row.output"_t], Font::Semibold, 18, Ink::Strong},
             {in_brackets(shared.output), Font::MonoBold, 22, Ink::Strong, 16}},
            Edge::Right);
        words.from = from, words.until = until;
    }

    const AttendRowFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float column_ = 0, row_ = 0;
};

}  // namespace

Keys keys_of(const AttendRowFacts& facts) {
    const std::uint32_t end = facts.open < facts.keys.size() ? kJoins : kOutput;
    return {.first = 0, .opens = kScore, .last = kScore, .end = end};
}

Plan layout_attend_row(const AttendRowFacts& facts, const Ask& ask) {
    return AttendRowPlan(facts, ask).plan();
}

}  // namespace kv::figure
