// The roof of a machine in logarithms: what it reaches at each use of a byte. Work is a dot on the
// roof, its name hangs on a stem.

#include <algorithm>
#include <cmath>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr int kFirstOctave = -3, kLastOctave = 12;  // 0.125 to 4,096 FLOP for each byte
constexpr float kPointWide = 12, kStemHigh = 46, kTickHigh = 28;
// Room around the axes: for the first and the last tick, and for their words above and below.
constexpr float kLeftOfAxes = 66, kRightOfAxes = 40, kAboveAxes = 40, kAxisName = 24;
constexpr float kNameWide = 218, kNameGap = 8;  // the name of a point, and how far from its stem
// Points nearer to each other than that hang their names one line lower each.
constexpr float kNamesTouch = 260, kLineHigh = 44;

class RooflinePlan {
public:
    RooflinePlan(const RooflineFacts& facts, const Ask& ask)
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

    void axes() {
        const Texts& text = ask_.text;
        for (int octave = kFirstOctave; octave <= kLastOctave; octave += 3) {
            const double at = std::ldexp(1.0, octave);
            Piece& tick =
                sheet_.words("tick", {x(at) - 40, room_.bottom() + 6, 80, 18},
                             {{short_number(at, 4), Font::Mono, 12, Ink::Quiet}}, Edge::Center);
            tick.names = true;
        }
        sheet_.rule(room_.bottom());
        sheet_.words("axis", {room_.right() - 300, room_.bottom() + kAxisName, 300, 20},
                     {{text["figure.roofline.x"_t], Font::Regular, 13, Ink::Plain}}, Edge::Right);
        sheet_.words("axis.y", {sheet_.left(), sheet_.top() + 4, 300, 20},
                     {{text["figure.roofline.y"_t], Font::Regular, 13, Ink::Plain}});
    }

    void roof() {
        const double first = std::ldexp(1.0, kFirstOctave), last = std::ldexp(1.0, kLastOctave),
                     ridge = facts_.ridge();
        Piece& slope = sheet_.wire(
            "roof", {{x(first), y(facts_.reached(first))}, {x(ridge), y(facts_.flop_rate)}}, false);
        slope.width = 2.5f;
        Piece& flat = sheet_.wire(
            "roof", {{x(ridge), y(facts_.flop_rate)}, {x(last), y(facts_.flop_rate)}}, false);
        flat.width = 2.5f;
        Piece& line = sheet_.wire(
            "ridge", {{x(ridge), y(facts_.flop_rate)}, {x(ridge), room_.bottom()}}, false);
        line.dashed = true;
        Piece& name = sheet_.words(
            "ridge.name", {x(ridge) - 220, room_.bottom() - 26, 212, 20},
            {{fill(ask_.text["figure.roofline.ridge"_t], {{"n", short_number(ridge, 3)}}),
              Font::Semibold, 13, Ink::Strong}},
            Edge::Right);
        name.names = true;
        sheet_
            .words("roof.name",
                   {x(ridge) + 10, y(facts_.flop_rate) - 26, room_.right() - x(ridge) - 10, 20},
                   {{fill(ask_.text["figure.roofline.flat"_t],
                          {{"n", short_number(facts_.flop_rate / 1e12, 4)}}),
                     Font::Regular, 13, Ink::Plain}},
                   Edge::Right)
            .names = true;
    }

    // Stems go down and to the right, a step lower for each point that stands near.
    void point(std::size_t i) {
        const RooflineFacts::Point& one = facts_.points[i];
        const double intensity =
            std::clamp(one.intensity, std::ldexp(1.0, kFirstOctave), std::ldexp(1.0, kLastOctave));
        const auto key = static_cast<std::uint32_t>(i + 1);
        const Vec2 at{x(intensity), y(facts_.reached(intensity))};
        std::size_t near = 0;
        for (std::size_t k = 0; k < i; ++k)
            near += std::abs(x(facts_.points[k].intensity) - at.x) < kNamesTouch ? 1 : 0;
        const float down =
            std::min(at.y + kStemHigh + kLineHigh * static_cast<float>(near), room_.bottom() - 50);
        const bool left = at.x > room_.right() - (kNameWide + 2);
        Piece& stem = sheet_.wire("stem", {at, {at.x, down}}, false);
        stem.from = key, stem.width = 1.2f;
        Piece& dot = sheet_.box(
            "dot", {at.x - kPointWide / 2, at.y - kPointWide / 2, kPointWide, kPointWide},
            Look::Fresh);
        dot.from = key, dot.radius = kPointWide / 2;
        Piece& name = sheet_.words(
            "point",
            {left ? at.x - (kNameGap + kNameWide) : at.x + kNameGap, down - 12, kNameWide, 20},
            {{Text(one.name), Font::Semibold, 14, Ink::Strong},
             {short_number(one.intensity, 3), Font::MonoBold, 14, Ink::Strong, 8}},
            left ? Edge::Right : Edge::Left);
        name.from = key;
    }

    const RooflineFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    Rect room_;
};

}  // namespace

Keys keys_of(const RooflineFacts& facts) {
    const auto n = static_cast<std::uint32_t>(facts.points.size());
    return {std::min(1u, facts.open), facts.open, facts.open, n};
}

Plan layout_roofline(const RooflineFacts& facts, const Ask& ask) {
    return RooflinePlan(facts, ask).plan();
}

}  // namespace kv::figure
