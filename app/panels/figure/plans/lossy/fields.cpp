// The bytes of one vector in several codecs, on one scale: codes, then scales and zeros. What is
// asked has its name and a dashed room until it is revealed.

#include <algorithm>
#include <tuple>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kMostFieldRow = 210, kFieldHigh = 60;

class FieldsPlan {
public:
    FieldsPlan(const FieldsFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(fill(text["figure.fields.title"_t], {{"n", with_commas(facts_.numbers)}}),
                      text["figure.fields.how"_t]);
        names_ = sheet_.width() * (sheet_.is_narrow() ? 0.22f : 0.2f);
        said_ = sheet_.is_narrow() ? 120 : 190;
        for (const FieldsFacts::Row& row : facts_.rows) most_ = std::max(most_, row.total());
        const auto n = static_cast<float>(facts_.rows.size());
        const float legend = 34;
        const float row = std::min(kMostFieldRow, (sheet_.bottom() - legend - sheet_.top()) / n);
        const std::size_t drawn = ask_.revealed ? facts_.rows.size() : facts_.open;
        for (std::size_t i = 0; i < facts_.rows.size(); ++i)
            field_row(sheet_.top() + row * static_cast<float>(i), row, i, i < drawn);
        sheet_.legend(sheet_.left(), sheet_.bottom() - 22,
                      {{Look::Key, text["figure.fields.codes"_t], 150},
                       {Look::Strong, text["figure.fields.scales"_t], 150},
                       {Look::Readable, text["figure.fields.zeros"_t], 150}});
        return sheet_.take();
    }

private:
    float wide(std::uint64_t bytes) const {
        const float room = sheet_.width() - names_ - said_;
        return room * static_cast<float>(bytes) / static_cast<float>(most_);
    }

    void field_row(float y, float high, std::size_t i, bool is_drawn) {
        const FieldsFacts::Row& row = facts_.rows[i];
        const auto key = static_cast<std::uint32_t>(i + 1);
        const float tall = std::min(kFieldHigh, high * 0.5f), top = y + (high - tall) / 2;
        const float x0 = sheet_.left() + names_;
        Piece& name = sheet_.words(
            "name", {sheet_.left(), top, names_ - 16, tall},
            {{Text(row.name), Font::Semibold, sheet_.is_narrow() ? 13.0f : 16.0f, Ink::Strong}});
        name.names = true;
        if (!is_drawn) {
            sheet_.box("asked", {x0, top, sheet_.width() - names_ - said_, tall}, Look::TurnedAway,
                       {{"?", Font::MonoBold, 20, Ink::Quiet}});
            return;
        }
        float x = x0;
        for (const auto& [bytes, look, id] : {std::tuple{row.codes, Look::Key, "codes"},
                                              std::tuple{row.scales, Look::Strong, "scales"},
                                              std::tuple{row.zeros, Look::Readable, "zeros"}}) {
            if (bytes == 0) continue;
            const Text said = with_commas(bytes);
            Piece& part = sheet_.box(id, {x, top, std::max(2.0f, wide(bytes) - 1), tall}, look);
            if (wide(bytes) > 10.0f * static_cast<float>(said.size()) + 8)
                part.words = {{said, Font::Mono, 13,
                               look == Look::Key      ? Ink::OnHue
                               : look == Look::Strong ? Ink::OnStrong
                                                      : Ink::Strong}};
            part.from = key, part.radius = 1, part.names = true;
            x += wide(bytes);
        }
        Piece& total = sheet_.words(
            "total", {x + 12, top, said_ - 12, tall},
            {{fill(ask_.text["figure.fields.bytes"_t], {{"n", with_commas(row.total())}}),
              Font::MonoBold, sheet_.is_narrow() ? 14.0f : 18.0f, Ink::Strong}});
        total.from = key;
        Piece& bits = sheet_.words(
            "bits", {x0, top + tall + 2, sheet_.width() - names_, 18},
            {{fill(ask_.text["figure.fields.bits"_t], {{"n", short_number(facts_.bits(row), 5)}}),
              Font::Regular, 13}});
        bits.from = key;
    }

    const FieldsFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float names_ = 0, said_ = 0;
    std::uint64_t most_ = 1;
};

}  // namespace

Keys keys_of(const FieldsFacts& facts) {
    return {.first = 1,
            .opens = facts.open,
            .last = facts.open,
            .end = static_cast<std::uint32_t>(facts.rows.size())};
}

Plan layout_fields(const FieldsFacts& facts, const Ask& ask) {
    return FieldsPlan(facts, ask).plan();
}

}  // namespace kv::figure
