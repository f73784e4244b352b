// The roof of a machine in logarithms: what it reaches at each use of a byte, by
// attainable_flops(). Work is a dot on the roof, its name hangs on a stem. The facts are what the
// lesson's line says (ask_roofline in core/lesson/figures/amount_facts.cpp); the pieces that are
// put on the sheet here, lines, boxes and words, are painted for all figures alike by paint.cpp.

#include "core/cost/time/roofline.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr int kFirstOctave = -3, kLastOctave = 12;  // 0.125 to 4,096 FLOP for each byte
constexpr int kOctavesOfTick = 3;
constexpr double kTera = 1e12;  // the roof is named in TFLOP/s
// Room around the axes: for the first and the last tick, and for their words above and below.
constexpr float kLeftOfAxes = 66, kRightOfAxes = 40, kAboveAxes = 40, kTickHigh = 28,
                kAxisName = 24;
constexpr float kTickWide = 80, kAxisNameWide = 300;
constexpr float kWordHigh = 20, kWordGap = 8;  // a line of words, and how far from its line
constexpr float kAboveRoof = 26, kRidgeNameWide = 212;  // words above the roof and the axis
constexpr float kRoofWide = 2.5f, kPointWide = 12;
// A stem hangs down, and ends above the words that stand on the axis.
constexpr float kStemHigh = 46, kStemLine = 1.2f, kAboveFloor = 50;
constexpr float kLetterWide = 8.5f;  // of a point's name, at most

double intensity_at(int octave) {
    return std::ldexp(1.0, octave);
}

class RooflineFigure {
public:
    RooflineFigure(const RooflineFacts& facts, const Ask& ask)
        : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        sheet_.header(fill(text["figure.roofline.title"_t], {{"card", Text(facts_.card)}}),
                      text["figure.roofline.how"_t]);
        room_ = {sheet_.left() + kLeftOfAxes, sheet_.top() + kAboveAxes,
                 sheet_.width() - (kLeftOfAxes + kRightOfAxes),
                 sheet_.bottom() - sheet_.top() - kAboveAxes - kTickHigh - kAxisName};
        axes();
        roof();
        const std::size_t n = ask_.revealed ? facts_.points.size() : facts_.open;
        for (std::size_t i = 0; i < n; ++i) point(i);
        for (const RooflineFacts::Point& one : facts_.points)
            sheet_.key_names().push_back(Text(one.name));
        return sheet_.take();
    }

private:
    float x(double intensity) const {
        const double octave = math::log2(intensity);
        return room_.x +
               room_.w * static_cast<float>((octave - kFirstOctave) / (kLastOctave - kFirstOctave));
    }
    // The axis of rates, from what the first octave reaches to half an octave above the flat roof.
    float y(double flops) const {
        const double low = math::log2(std::ldexp(facts_.byte_rate, kFirstOctave)),
                     high = math::log2(facts_.flop_rate) + 0.5;
        return room_.bottom() -
               room_.h * static_cast<float>((math::log2(flops) - low) / (high - low));
    }

    // FLOP/s that the machine reaches with work of that intensity.
    double reached(double intensity) const {
        return attainable_flops(intensity, facts_.flop_rate, facts_.byte_rate);
    }

    void axes() {
        const Texts& text = ask_.text;
        for (int octave = kFirstOctave; octave <= kLastOctave; octave += kOctavesOfTick) {
            const double at = intensity_at(octave);
            Piece& tick = sheet_.words(
                "tick", {x(at) - kTickWide / 2, room_.bottom() + 6, kTickWide, 18},
                {{.text = short_number(at, 4), .font = Font::Mono, .size = 12, .ink = Ink::Quiet}},
                Edge::Center);
            tick.names = true;
        }
        sheet_.rule(room_.bottom());
        sheet_.words(
            "axis",
            {room_.right() - kAxisNameWide, room_.bottom() + kAxisName, kAxisNameWide, kWordHigh},
            {{.text = text["figure.roofline.x"_t]}}, Edge::Right);
        sheet_.words("axis.y", {sheet_.left(), sheet_.top() + 4, kAxisNameWide, kWordHigh},
                     {{.text = text["figure.roofline.y"_t]}});
    }

    void roof() {
        const double ridge = facts_.ridge(), first = intensity_at(kFirstOctave);
        const Vec2 foot{x(first), y(reached(first))}, corner{x(ridge), y(facts_.flop_rate)},
            end{x(intensity_at(kLastOctave)), corner.y};
        sheet_.wire("roof", {foot, corner}, false).width = kRoofWide;
        sheet_.wire("roof", {corner, end}, false).width = kRoofWide;
        sheet_.wire("ridge", {corner, {corner.x, room_.bottom()}}, false).dashed = true;
        Piece& of_ridge = sheet_.words(
            "ridge.name",
            {corner.x - (kRidgeNameWide + kWordGap), room_.bottom() - kAboveRoof, kRidgeNameWide,
             kWordHigh},
            {{.text = fill(ask_.text["figure.roofline.ridge"_t], {{"n", short_number(ridge, 3)}}),
              .font = Font::Semibold,
              .ink = Ink::Strong}},
            Edge::Right);
        of_ridge.names = true;
        Piece& of_roof = sheet_.words(
            "roof.name",
            {corner.x + 10, corner.y - kAboveRoof, room_.right() - corner.x - 10, kWordHigh},
            {{.text = fill(ask_.text["figure.roofline.flat"_t],
                           {{"n", short_number(facts_.flop_rate / kTera, 4)}})}},
            Edge::Right);
        of_roof.names = true;
    }

    Vec2 place_of(std::size_t i) const {
        const double intensity = std::clamp(facts_.points[i].intensity, intensity_at(kFirstOctave),
                                            intensity_at(kLastOctave));
        return {x(intensity), y(reached(intensity))};
    }

    Word name_word(std::size_t i) const {
        return {.text = Text(facts_.points[i].name),
                .font = Font::Semibold,
                .size = 14,
                .ink = Ink::Strong};
    }
    Word intensity_word(std::size_t i) const {
        return {.text = fill(ask_.text["figure.roofline.intensity"_t],
                             {{"n", short_number(facts_.points[i].intensity, 3)}}),
                .font = Font::MonoBold,
                .size = 14,
                .ink = Ink::Strong};
    }
    static float wide(const Word& word) {
        return kLetterWide * static_cast<float>(word.text.view().size());
    }

    // Nothing lies above the roof, so the words of a point on its slope stand there, left of it.
    // Where there is no room for them, and under the flat roof, they hang below.
    void point(std::size_t i) {
        const auto key = static_cast<std::uint32_t>(i + 1);
        const Vec2 at = place_of(i);
        const float left = at.x - (kPointWide / 2 + kWordGap);
        const bool on_slope = facts_.points[i].intensity < facts_.ridge();
        if (on_slope && left - wide(name_word(i)) - wide(intensity_word(i)) > sheet_.left())
            words_beside(i, {left, at.y});
        else
            words_below(i, at);
        Piece& dot = sheet_.box(
            "dot", {at.x - kPointWide / 2, at.y - kPointWide / 2, kPointWide, kPointWide},
            Look::Fresh);
        dot.from = key, dot.radius = kPointWide / 2;
    }

    void words_beside(std::size_t i, Vec2 right) {
        float y = right.y - kWordHigh + 2;   // their foot above the roof, however flat its slope is
        for (std::size_t k = 0; k < i; ++k)  // each of a few that lie together a line higher
            if (std::abs(place_of(k).y - right.y) < kWordHigh) y -= kWordHigh;
        Word intensity = intensity_word(i);
        intensity.gap = 14;
        sheet_
            .words("point", {sheet_.left(), y, right.x - sheet_.left(), kWordHigh},
                   {name_word(i), intensity}, Edge::Right)
            .from = static_cast<std::uint32_t>(i + 1);
    }

    // Of several under the flat roof each hangs below those that its own words reach past.
    void words_below(std::size_t i, Vec2 at) {
        const auto key = static_cast<std::uint32_t>(i + 1);
        const Word name = name_word(i);
        const float reach = kWordGap + wide(name), ridge = x(facts_.ridge());
        const bool left = at.x > ridge && (at.x - reach > ridge || at.x + reach > sheet_.right());
        float down = at.y + kStemHigh;
        for (std::size_t k = 0; k < facts_.points.size(); ++k) {
            const Vec2 other = place_of(k);
            const bool is_past = left ? other.x < at.x : other.x > at.x;
            if (at.x > ridge && other.x > ridge && is_past) down += kStemHigh;
        }
        down = std::min(down, room_.bottom() - kAboveFloor);
        Piece& stem = sheet_.wire("stem", {at, {at.x, down}}, false);
        stem.from = key, stem.width = kStemLine;
        const float from = left ? at.x - reach : at.x + kWordGap;
        const Edge edge = left ? Edge::Right : Edge::Left;
        sheet_.words("point", {from, down - 32, wide(name), kWordHigh}, {name}, edge).from = key;
        sheet_.words("point", {from, down - 12, wide(name), kWordHigh}, {intensity_word(i)}, edge)
            .from = key;
    }

    const RooflineFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    Rect room_;
};

}  // namespace

Keys keys_of(const RooflineFacts& facts) {
    const auto n = static_cast<std::uint32_t>(facts.points.size());
    return {.first = std::min(1u, facts.open), .opens = facts.open, .last = facts.open, .end = n};
}

Plan layout_roofline(const RooflineFacts& facts, const Ask& ask) {
    return RooflineFigure(facts, ask).plan();
}

}  // namespace kv::figure
