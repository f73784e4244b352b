// Numbers in a row as columns, one chart under another on one scale; a key a chart.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kChartHead = 34, kChartTicks = 26, kMostChart = 380, kLoneChart = 560;
constexpr std::size_t kFewColumns = 24;
constexpr float kSeriesLetter = 0.61f;  // how wide a digit is, in sizes of its type

class SeriesPlan {
public:
    SeriesPlan(const SeriesFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        sheet_.header(Text(facts_.title), Text(facts_.how));
        const std::size_t drawn = ask_.revealed ? facts_.rows.size() : facts_.open;
        columns_ = ask_.revealed ? facts_.rows[0].values.size() : facts_.columns;
        for (std::size_t i = 0; i < drawn; ++i)
            for (std::size_t c = 0; c < std::min(columns_, facts_.rows[i].values.size()); ++c)
                full_ = std::max(full_, facts_.rows[i].values[c]);
        const float gap = sheet_.is_low() ? 8 : 24;
        const auto n = static_cast<float>(facts_.rows.size());
        const float high = std::min(n > 1 ? kMostChart : kLoneChart,
                                    (sheet_.bottom() - sheet_.top() - gap * (n - 1)) / n);
        for (std::size_t i = 0; i < facts_.rows.size(); ++i)
            chart(sheet_.top() + (high + gap) * static_cast<float>(i), high, i, i < drawn);
        for (const SeriesFacts::Row& row : facts_.rows)
            sheet_.key_names().push_back(Text(row.name));
        if (facts_.columns < facts_.rows[0].values.size())
            sheet_.key_names().push_back(ask_.text["figure.series.rest"_t]);
        return sheet_.take();
    }

private:
    void chart(float y, float high, std::size_t i, bool is_drawn) {
        const SeriesFacts::Row& row = facts_.rows[i];
        const auto row_key = static_cast<std::uint32_t>(i + 1);
        sheet_.words(
            "row", {sheet_.left(), y, sheet_.width(), kChartHead - 6},
            {{Text(row.name), Font::Bold, sheet_.is_narrow() ? 15.0f : 18.0f, Ink::Strong}});
        const float floor = y + high - kChartTicks, room = floor - y - kChartHead - 20;
        sheet_.rule(floor);
        if (!is_drawn) {
            sheet_.box("asked",
                       {sheet_.left(), y + kChartHead, sheet_.width(), floor - y - kChartHead - 4},
                       Look::TurnedAway, {{"?", Font::MonoBold, 28, Ink::Quiet}});
            return;
        }
        const std::size_t n = facts_.rows[0].values.size();
        const std::size_t drawn = std::min(columns_, row.values.size());  // it may end earlier
        const float pitch = std::min(130.0f, sheet_.width() / static_cast<float>(n));
        const float gap = pitch > 24 ? 8.0f : pitch > 5 ? 2.0f : 0.0f;
        for (std::size_t c = 0; c < drawn; ++c) {
            const bool is_late = c >= facts_.columns;  // behind the reveal
            const std::uint32_t key =
                is_late ? static_cast<std::uint32_t>(facts_.rows.size()) + 1 : row_key;
            const float x = sheet_.left() + pitch * static_cast<float>(c), wide = pitch - gap;
            const float tall =
                full_ > 0 ? std::max(1.0f, room * static_cast<float>(row.values[c] / full_)) : 1.0f;
            Piece& column =
                sheet_.box("column", {x, floor - tall, std::max(1.0f, wide), tall}, Look::Amount);
            column.from = key, column.radius = 1, column.caption = Text(row.said[c]);
            const bool ends = c == 0 || c + 1 == drawn;
            if (n > kFewColumns && !ends) continue;
            const bool is_right = n > kFewColumns && c > 0;
            const float label = n > kFewColumns ? 90 : wide;
            const float at = is_right ? x + wide - label : x;
            const Edge edge =
                n > kFewColumns ? (is_right ? Edge::Right : Edge::Left) : Edge::Center;
            const Text tick =
                c == 0 ? fill(ask_.text["figure.series.tick"_t],
                              {{"word", Text(facts_.word)}, {"n", with_commas(facts_.first)}})
                       : Text(with_commas(facts_.first + c));
            Piece& place = sheet_.words(
                "tick", {at, floor + 4, label, 18},
                {{wide < 60 && n <= kFewColumns ? Text(with_commas(facts_.first + c)) : tick,
                  Font::Mono, 12, Ink::Quiet}},
                edge);
            place.from = key, place.names = true;
            if (!facts_.labels || (wide < 26 && !ends)) continue;
            const float size = wide < 60 && n <= kFewColumns ? 12.5f : 16.0f;
            Piece& said =
                sheet_.words("said", {at, floor - tall - 20, label, 18},
                             {{Text(row.said[c]), Font::MonoBold, size, Ink::Strong}}, edge);
            said.from = key;
            if (n <= kFewColumns || is_right) continue;
            // It stands above the columns that its words reach over.
            const auto over = static_cast<std::size_t>(
                kSeriesLetter * size * static_cast<float>(row.said[c].size()) / pitch);
            for (std::size_t next = c; next <= std::min(c + over, drawn - 1); ++next) {
                const float top = room * static_cast<float>(row.values[next] / full_);
                said.rect.y = std::min(said.rect.y, floor - top - 20);
            }
        }
    }

    const SeriesFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    double full_ = 0;
    std::size_t columns_ = 0;
};

}  // namespace

Keys keys_of(const SeriesFacts& facts) {
    const auto n = static_cast<std::uint32_t>(facts.rows.size());
    const bool has_late = facts.columns < facts.rows[0].values.size();
    return {.first = std::min(1u, facts.open),
            .opens = facts.open,
            .last = facts.open,
            .end = n + (has_late ? 1u : 0u)};
}

Plan layout_series(const SeriesFacts& facts, const Ask& ask) {
    return SeriesPlan(facts, ask).plan();
}

}  // namespace kv::figure
