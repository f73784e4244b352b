// The roof of a machine in logarithms: what it reaches at each use of a byte, by
// attainable_flops(). Work is a dot on the roof; its words stand left of the dot above the slope,
// or at the end of a stem, which may hang or rise. The facts are what the lesson's line says
// (ask_roofline in core/lesson/figures/amount_facts.cpp); the pieces that are put on the sheet
// here, lines, boxes and words, are painted for all figures alike by paint.cpp.

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
// On the slope all stems rise if one would hang into the words that stand on the axis.
constexpr float kStemHigh = 46, kStemLine = 1.2f, kAboveFloor = 50;
constexpr float kNameOverEnd = 32;  // of the two lines at a stem's end
constexpr float kFromPoint = kPointWide / 2 + kWordGap, kBetween = 14;  // of words on one line
constexpr float kLetterWide = 6.9f, kIntensityLetter = 8.5f;            // of names, of intensities

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
        choose_sides();
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
    static float width_of(const Word& word) {
        return (word.font == Font::MonoBold ? kIntensityLetter : kLetterWide) *
               static_cast<float>(word.text.view().size());
    }

    // How far its words reach from the stem that they hang on.
    float reach(std::size_t i) const { return kWordGap + lines_wide(i); }
    float lines_wide(std::size_t i) const {
        return std::max(width_of(name_word(i)), width_of(intensity_word(i)));
    }
    bool is_left(std::size_t i, std::size_t k) const {  // of two at one place the first
        const float a = place_of(i).x, b = place_of(k).x;
        return a < b || (a == b && i < k);
    }
    float ridge_x() const { return x(facts_.ridge()); }
    float lowest_end() const { return room_.bottom() - kAboveFloor; }

    // Nothing lies above the roof, so the words of a point on its slope stand there, left of it.
    // Those that have no room there stand at stems.
    enum class Side : std::uint8_t { Beside, OnStem, UnderFlatRoof };
    Side side_of(std::size_t i) const {
        const float at_x = place_of(i).x;
        if (at_x > ridge_x()) return Side::UnderFlatRoof;
        return at_x <= stems_until_ ? Side::OnStem : Side::Beside;
    }
    float words_from(std::size_t i) const {
        return place_of(i).x - kFromPoint - width_of(name_word(i)) - kBetween -
               width_of(intensity_word(i));
    }
    // A point whose words have no room left of it gets a stem, and so does each point left of that
    // one. If one of these stems would reach the axis, all go up instead of down; then each point
    // whose words would lie across a stem gets one as well, until nothing changes.
    void choose_sides() {
        for (std::size_t i = 0; i < facts_.points.size(); ++i)
            if (words_from(i) <= sheet_.left())
                stems_until_ = std::max(stems_until_, place_of(i).x);
        for (std::size_t i = 0; i < facts_.points.size(); ++i)
            stems_rise_ =
                stems_rise_ || (side_of(i) == Side::OnStem && end_below(i) > lowest_end());
        for (std::size_t times = 0; stems_rise_ && times < facts_.points.size(); ++times)
            for (std::size_t i = 0; i < facts_.points.size(); ++i)
                if (words_from(i) <= stems_until_)
                    stems_until_ = std::max(stems_until_, place_of(i).x);
    }

    void point(std::size_t i) {
        const Vec2 at = place_of(i);
        switch (side_of(i)) {
            case Side::Beside:
                words_beside(i, at);
                break;
            case Side::OnStem:
                words_on_stem(i, at);
                break;
            case Side::UnderFlatRoof:
                words_under_flat_roof(i, at);
                break;
        }
        Piece& dot = sheet_.box(
            "dot", {at.x - kPointWide / 2, at.y - kPointWide / 2, kPointWide, kPointWide},
            Look::Fresh);
        dot.from = static_cast<std::uint32_t>(i + 1), dot.radius = kPointWide / 2;
    }

    void words_beside(std::size_t i, Vec2 at) {
        float top = at.y - kWordHigh + 2;    // their foot above the roof, however flat its slope is
        for (std::size_t k = 0; k < i; ++k)  // each of a few that lie together a line higher
            if (std::abs(place_of(k).y - at.y) < kWordHigh) top -= kWordHigh;
        Word intensity = intensity_word(i);
        intensity.gap = kBetween;
        sheet_
            .words("point", {sheet_.left(), top, at.x - kFromPoint - sheet_.left(), kWordHigh},
                   {name_word(i), intensity}, Edge::Right)
            .from = static_cast<std::uint32_t>(i + 1);
    }

    // Two lines that begin or end at `edge_x`, at a stem's end of that height.
    void two_lines(std::size_t i, float edge_x, float end, Edge edge) {
        const float room = 1.3f * lines_wide(i);  // a name in capitals is wider than most
        const float from = edge == Edge::Left ? edge_x : edge_x - room;
        float top = end - kNameOverEnd;
        for (const Word& word : {name_word(i), intensity_word(i)}) {
            sheet_.words("point", {from, top, room, kWordHigh}, {word}, edge).from =
                static_cast<std::uint32_t>(i + 1);
            top += kWordHigh;
        }
    }
    void words_right(std::size_t i, Vec2 at, float end) {
        stem(i, {at, {at.x, end}});
        two_lines(i, at.x + kWordGap, end, Edge::Left);
    }
    void words_left(std::size_t i, Vec2 at, float end) {
        stem(i, {at, {at.x, end}});
        two_lines(i, at.x - kWordGap, end, Edge::Right);
    }
    void stem(std::size_t i, std::initializer_list<Vec2> points) {
        Piece& line = sheet_.wire("stem", points, false);
        line.from = static_cast<std::uint32_t>(i + 1), line.width = kStemLine;
    }

    // Of several the leftmost hangs or rises farthest, so that no stem meets the words of another.
    float end_below(std::size_t i) const {
        float end = place_of(i).y + kStemHigh;
        for (std::size_t k = 0; k < facts_.points.size(); ++k)
            if (k != i && side_of(k) == Side::OnStem && is_left(i, k)) end += kStemHigh;
        return end;
    }
    float end_above(std::size_t i) const {
        const float right = place_of(i).x + reach(i);
        const float octave =
            kFirstOctave + (right - room_.x) / room_.w * (kLastOctave - kFirstOctave);
        float end = y(reached(math::exp2(octave))) - kWordHigh;
        for (std::size_t k = 0; k < facts_.points.size(); ++k)
            if (k != i && side_of(k) == Side::OnStem && is_left(i, k) && place_of(k).x < right)
                end = std::min(end, end_above(k) - kStemHigh);
        return end;
    }
    void words_on_stem(std::size_t i, Vec2 at) {
        words_right(i, at, stems_rise_ ? end_above(i) : end_below(i));
    }

    // All hang left of their stems or all right, each below those that its words reach past. Where
    // neither has room, they stand left of the ridge, as deep as the slope lets them.
    void words_under_flat_roof(std::size_t i, Vec2 at) {
        bool room_left = true, room_right = true;
        float widest = 0, left_of_it = 0, right_of_it = 0;
        for (std::size_t k = 0; k < facts_.points.size(); ++k) {
            const float stem_x = place_of(k).x;
            if (stem_x <= ridge_x()) continue;
            room_left = room_left && stem_x - reach(k) > ridge_x();
            room_right = room_right && stem_x + reach(k) < sheet_.right();
            widest = std::max(widest, reach(k));
            if (k != i) ++(is_left(k, i) ? left_of_it : right_of_it);
        }
        if (room_left) return words_left(i, at, at.y + kStemHigh * (1 + left_of_it));
        if (room_right) return words_right(i, at, at.y + kStemHigh * (1 + right_of_it));
        const float slope_high = y(reached(intensity_at(kFirstOctave))) - at.y;
        const float deep =
            slope_high * widest / (ridge_x() - room_.x) + kStemHigh * (1 + left_of_it);
        const float end = std::min(at.y + deep, lowest_end());
        stem(i, {at, {at.x, end}, {ridge_x() - kWordGap / 2, end}});
        two_lines(i, ridge_x() - kWordGap, end, Edge::Right);
    }

    const RooflineFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    Rect room_;
    float stems_until_ = 0;  // on the slope, points up to here have stems
    bool stems_rise_ = false;
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
