// One channel grows on a slider. Two panels share their columns: above all channels have one scale,
// below the vector is coded in another way. A value is a ring and its code a square on one ladder;
// the errors of both panels have one scale.

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

struct PanelRows {
    float head, bracket, value, code, error, gap;
};
constexpr PanelRows kRoomy{28, 26, 24, 30, 58, 8}, kTight{20, 16, 16, 20, 14, 4};
constexpr float kErrorLabel = 16, kSquare = 10, kRing = 8;

class OutlierPlan {
public:
    OutlierPlan(const OutlierFacts& facts, const Ask& ask)
        : facts_(facts), ask_(ask), sheet_(ask), rows_(sheet_.is_low() ? kTight : kRoomy) {}

    Plan plan() {
        const Texts& text = ask_.text;
        const bool turned = facts_.kind == OutlierFacts::Second::Turned;
        sheet_.header(
            text[turned ? "figure.outlier.title.turned"_t : "figure.outlier.title"_t],
            fill(text["figure.outlier.how"_t], {{"bits", with_commas(facts_.code_bits)},
                                                {"most", with_commas(facts_.largest_code)}}));
        label_ = sheet_.is_narrow() ? 52 : 84, stats_ = sheet_.is_narrow() ? 132 : 206;
        pitch_ = (sheet_.width() - label_ - stats_) / static_cast<float>(facts_.n());
        shown_ = ask_.revealed ? static_cast<std::uint32_t>(facts_.ticks.size()) : facts_.open;
        for (std::uint32_t c = 0; c < facts_.n(); ++c)
            if (c != facts_.channel)
                most_error_ = std::max(most_error_, std::abs(facts_.ticks[0].whole.values[c]));
        const float slider_high = sheet_.is_low() ? 38 : 62;
        slider(sheet_.top());
        const float y = sheet_.top() + slider_high, high = (sheet_.bottom() - y) / 2;
        panel(y, high - 10, {text["figure.outlier.one"_t], one_how(), facts_.whole_bits, false});
        sheet_.rule(y + high - 4);
        if (facts_.second_revealed && !ask_.revealed) {
            sheet_.box("asked", {sheet_.left(), y + high + 10, sheet_.width(), high - 20},
                       Look::TurnedAway, {{"?", Font::MonoBold, 24, Ink::Quiet}});
            return sheet_.take();
        }
        panel(y + high + 4, high - 8,
              {turned ? Text(text["figure.outlier.turned"_t])
                      : fill(text["figure.outlier.groups"_t], {{"n", with_commas(facts_.group)}}),
               text[turned ? "figure.outlier.turned.how"_t : "figure.outlier.groups.how"_t],
               facts_.second_bits, true});
        return sheet_.take();
    }

private:
    struct Half {
        Text name, how;
        double bits;
        bool second;
    };
    Text one_how() const {
        return fill(ask_.text["figure.outlier.one.how"_t], {{"n", with_commas(facts_.n())}});
    }
    const OutlierFacts::Coded& coded(std::uint32_t tick, bool second) const {
        return second ? facts_.ticks[tick].second : facts_.ticks[tick].whole;
    }
    // What stands at one tick alone.
    void at(Piece& piece, std::uint32_t tick) const { piece.from = piece.until = tick + 1; }
    float column(std::uint32_t channel) const {
        return sheet_.left() + label_ + pitch_ * static_cast<float>(channel);
    }
    bool is_second_turned(bool second) const {
        return second && facts_.kind == OutlierFacts::Second::Turned;
    }

    void slider(float y) {
        const Text name =
            fill(ask_.text["figure.outlier.channel"_t], {{"n", with_commas(facts_.channel)}});
        const float track = y + (sheet_.is_low() ? 10.0f : 16.0f);
        sheet_.words("slider.name", {sheet_.left(), track - 12, 200, 24},
                     {{name, Font::Bold, 15, Ink::Strong},
                      {ask_.text["figure.outlier.it"_t], Font::Regular, 13, Ink::Plain, 10}});
        const float x0 = sheet_.left() + (sheet_.is_narrow() ? 190.0f : 250.0f),
                    x1 = sheet_.right() - stats_ + 20;
        const double first = facts_.ticks.front().value, last = facts_.ticks.back().value;
        const auto x = [&](double value) {
            return last > first
                       ? x0 + (x1 - x0) * static_cast<float>((value - first) / (last - first))
                       : x0;
        };
        Piece& rail = sheet_.wire("rail", {{x0, track}, {x1, track}}, false);
        rail.width = 4, rail.look = Look::Rule;
        const std::size_t n = facts_.ticks.size();
        for (std::size_t i = 0; i < 5; ++i) {
            const double value = facts_.ticks[i * (n - 1) / 4].value;
            Piece& tick = sheet_.words(
                "rail.tick", {x(value) - 30, track + 12, 60, sheet_.is_low() ? 14.0f : 18.0f},
                {{short_number(value, 4), Font::Mono, 12, Ink::Quiet}}, Edge::Center);
            tick.names = true;
            if (i * (n - 1) / 4 == (i + 1) * (n - 1) / 4) break;
        }
        for (std::uint32_t t = 0; t < shown_; ++t) {
            const double value = facts_.ticks[t].value;
            Piece& done = sheet_.wire("rail.done", {{x0, track}, {x(value), track}}, false);
            done.width = 4, at(done, t);
            Piece& knob = sheet_.box("knob", {x(value) - 9, track - 9, 18, 18}, Look::Ring);
            knob.radius = 9, at(knob, t);
            Piece& said = sheet_.words(
                "slider.value", {sheet_.right() - stats_ + 40, track - 14, stats_ - 40, 28},
                {{fixed(value, 2), Font::MonoBold, 20, Ink::Strong}}, Edge::Right);
            said.names = true, at(said, t);
        }
        if (ask_.revealed && facts_.marks_vanishing) vanishing(x(facts_.vanishes_at), track);
    }

    void vanishing(float x, float track) {
        const auto behind = std::find_if(
            facts_.ticks.begin(), facts_.ticks.end(),
            [&](const OutlierFacts::At& tick) { return tick.value >= facts_.vanishes_at; });
        if (behind == facts_.ticks.end()) return;
        const auto from = static_cast<std::uint32_t>(behind - facts_.ticks.begin()) + 1;
        Piece& line = sheet_.wire("vanish", {{x, track - 14}, {x, track + 12}}, false);
        line.from = from, line.width = 2;
        const float top = sheet_.top() - (sheet_.is_low() ? 14.0f : 20.0f);
        Piece& said = sheet_.words(
            "vanish.said", {x - 330, top, 330 - 8, 18},
            {{fixed(facts_.vanishes_at, 2), Font::MonoBold, 14, Ink::Strong},
             {ask_.text["figure.outlier.vanish"_t], Font::Regular, 13, Ink::Strong, 8}},
            Edge::Right);
        said.from = from;
    }

    void panel(float y, float high, const Half& half) {
        const float width = sheet_.width() - stats_;
        sheet_.block_head("panel", y, rows_.head - 4, half.name, half.how).rect.w = width;
        const float brackets = y + rows_.head, values = brackets + rows_.bracket,
                    ladder = values + rows_.value;
        const float error_high = rows_.error + kErrorLabel - 2;
        const float code = y + high - error_high - rows_.gap - rows_.code;
        const Rect room{sheet_.left() + label_, ladder, width - label_, code - rows_.gap - ladder};
        scales(brackets, half.second);
        for (const auto& [name, top, tall] :
             {std::tuple{"figure.outlier.value"_t, values, rows_.value},
              std::tuple{"figure.outlier.code"_t, code, rows_.code},
              std::tuple{"figure.outlier.error"_t, code + rows_.code + rows_.gap, rows_.error}})
            sheet_.words("row", {sheet_.left(), top, label_ - 8, std::min(tall, 30.0f)},
                         {{ask_.text[name], Font::Regular, sheet_.is_narrow() ? 12.0f : 14.0f}});
        rungs(room, half.second);
        zero_ = room.center().y,
        step_ = (room.h - 14) / 2 / static_cast<float>(facts_.largest_code);
        const float errors = code + rows_.code + rows_.gap;
        sheet_.box("errors", {room.x, errors, room.w, 1}, Look::Rule);
        for (std::uint32_t c = 0; c < facts_.n(); ++c) {
            if (moves(c, half.second)) {
                for (std::uint32_t t = 0; t < shown_; ++t)
                    channel({values, code, errors}, c, t, half.second, false);
            } else {
                channel({values, code, errors}, c, 0, half.second, true);
            }
        }
        stats(room.y, half);
    }

    // Whether what is coded, or how, differs from tick to tick.
    bool moves(std::uint32_t channel, bool second) const {
        if (!second || is_second_turned(second)) return true;
        return channel / facts_.group == facts_.channel / facts_.group;
    }

    void scales(float y, bool second) {
        const bool one = !second || is_second_turned(second);
        const std::uint32_t group = one ? facts_.n() : facts_.group;
        const float mid = y + rows_.bracket / 2 - 1, arm = 5;
        for (std::uint32_t g = 0; g * group < facts_.n(); ++g) {
            const float x0 = column(g * group) + 2, x1 = column((g + 1) * group) - 2,
                        centre = (x0 + x1) / 2, half = 54;
            for (const auto& [a, b] : {std::pair{Vec2{x0, mid}, Vec2{centre - half, mid}},
                                       std::pair{Vec2{centre + half, mid}, Vec2{x1, mid}},
                                       std::pair{Vec2{x0, mid - arm}, Vec2{x0, mid + arm}},
                                       std::pair{Vec2{x1, mid - arm}, Vec2{x1, mid + arm}}})
                sheet_.wire("scale.line", {a, b}, false).look = Look::Rule;
            const Rect room{centre - half, y, 2 * half, rows_.bracket - 2};
            const auto said = [&](std::uint32_t tick) -> Piece& {
                return sheet_.words(second ? "scale.second" : "scale", room,
                                    {{fill(ask_.text["figure.outlier.scale"_t],
                                           {{"n", Text(fixed(coded(tick, second).scales[g], 3))}}),
                                      Font::MonoBold, 12.5f, Ink::Strong}},
                                    Edge::Center);
            };
            if (!moves(g * group, second)) {
                said(0);
                continue;
            }
            for (std::uint32_t t = 0; t < shown_; ++t) at(said(t), t);
        }
    }

    void rungs(const Rect& room, bool second) {
        const bool one = !second || is_second_turned(second);
        const std::uint32_t group = one ? facts_.n() : facts_.group;
        const auto most = static_cast<int>(facts_.largest_code);
        const float step = (room.h - 14) / 2 / static_cast<float>(most);
        for (std::uint32_t g = 0; g * group < facts_.n(); ++g) {
            const float x0 = column(g * group) + 2, wide = column((g + 1) * group) - 2 - x0;
            sheet_.box("ladder", {x0, room.y, wide, room.h}, Look::Config).radius = 2;
            for (int code = -most; code <= most; ++code)
                if (code != 0)
                    sheet_.box(
                        "rung",
                        {x0 + 1, room.center().y - step * static_cast<float>(code), wide - 2, 1},
                        Look::Rule);
            Piece& zero = sheet_.wire("rung.zero",
                                      {{x0, room.center().y}, {x0 + wide, room.center().y}}, false);
            zero.look = Look::Rule, zero.width = 1.4f;
        }
        for (const int code : {most, 0, -most}) {
            Piece& name = sheet_.words(
                "rung.name",
                {sheet_.left() + label_ - 44, room.center().y - step * static_cast<float>(code) - 8,
                 36, 16},
                {{Text(std::to_string(code)), Font::Mono, 12, Ink::Quiet}}, Edge::Right);
            name.names = true;
        }
    }

    struct RowTops {
        float values, code, errors;
    };
    void channel(const RowTops& y, std::uint32_t c, std::uint32_t tick, bool second, bool always) {
        const OutlierFacts::Coded& of = coded(tick, second);
        const bool is_it = c == facts_.channel && !is_second_turned(second);
        const float x = column(c), mid = x + pitch_ / 2, box = std::min(pitch_ - 8, 52.0f);
        const std::int32_t code = of.codes[c];
        const double scale = of.scales.size() == 1 ? of.scales[0] : of.scales[c / facts_.group];
        const auto place = [&](Piece& piece) -> Piece& {
            if (!always) at(piece, tick);
            return piece;
        };
        const bool tight = pitch_ < 44;
        Piece& value =
            sheet_.words("value", {x, y.values, pitch_, rows_.value - 4},
                         {{Text(fixed(of.values[c], tight && std::abs(of.values[c]) >= 10 ? 1 : 2)),
                           is_it ? Font::MonoBold : Font::Mono, tight ? 12.0f : 13.0f,
                           is_it ? Ink::Strong : Ink::Plain}},
                         Edge::Center);
        place(value).names = true;
        const float top = zero_ - step_ * static_cast<float>(code);
        if (code != 0)
            place(sheet_.box("code.bar",
                             {mid - box / 3, std::min(top, zero_), box * 2 / 3,
                              std::max(1.0f, std::abs(top - zero_))},
                             Look::KeyWash))
                .radius = 0;
        place(sheet_.box("code.square", {mid - kSquare / 2, top - kSquare / 2, kSquare, kSquare},
                         Look::Key))
            .radius = 1;
        const double most = facts_.largest_code;
        const double rung = scale > 0 ? std::clamp(of.values[c] / scale, -most, most) : 0;
        const float ring = zero_ - step_ * static_cast<float>(rung);
        place(
            sheet_.box("value.ring", {mid - kRing / 2, ring - kRing / 2, kRing, kRing}, Look::Ring))
            .radius = kRing / 2;
        Piece& chip = sheet_.box(
            second ? "code.second" : "code", {mid - box / 2, y.code, box, rows_.code},
            is_it       ? Look::Strong
            : code == 0 ? Look::Free
                        : Look::KeyWash,
            {{Text(std::to_string(code)), is_it || code != 0 ? Font::MonoBold : Font::Mono,
              sheet_.is_low() ? 13.0f : 15.0f,
              is_it       ? Ink::OnStrong
              : code == 0 ? Ink::Quiet
                          : Ink::Strong}});
        place(chip).names = true;
        const double error = of.errors[c];
        const float tall = rows_.error * static_cast<float>(std::min(1.0, error / most_error_));
        if (tall > 0.5f)
            place(sheet_.box(second ? "error.second" : "error",
                             {mid - box * 0.36f, y.errors + 1, box * 0.72f, tall}, Look::Lost));
        Piece& said =
            sheet_.words("error.said", {x, y.errors + tall + 1, pitch_, kErrorLabel - 2},
                         {{Text(fixed(error, 2)), Font::Mono, 12, Ink::Quiet}}, Edge::Center);
        place(said).names = true;
        if (is_it) {
            Piece& frame = sheet_.brackets(
                "outlier", {x + 2, y.values + 3, pitch_ - 4, y.code + rows_.code - y.values - 3});
            place(frame);
        }
    }

    void stats(float y, const Half& half) {
        const bool low = sheet_.is_low();
        const float x = sheet_.right() - stats_ + 24, wide = stats_ - 24;
        const float size = sheet_.is_narrow() ? 20.0f : 28.0f, number = low ? 24.0f : 36.0f;
        const float pitch = low ? 30.0f : 36.0f, block = number + pitch + (low ? 2.0f : 14.0f);
        const Texts& text = ask_.text;
        const auto caption = [&](float top, const Text& words) {
            sheet_
                .words("stat.of", {x, top + number, wide, pitch},
                       {{words, Font::Regular, sheet_.is_narrow() ? 12.0f : 13.0f}})
                .pitch = low ? 15.0f : 17.0f;
        };
        for (std::uint32_t t = 0; t < shown_; ++t) {
            const OutlierFacts::Coded& of = coded(t, half.second);
            Piece& codes =
                sheet_.words(half.second ? "distinct.second" : "distinct", {x, y, wide, number},
                             {{with_commas(of.distinct), Font::MonoBold, size, Ink::Strong}});
            codes.names = true, at(codes, t);
            Piece& rms =
                sheet_.words(half.second ? "rms.second" : "rms", {x, y + block, wide, number},
                             {{Text(fixed(of.rms, 2)), Font::MonoBold, size, Ink::Strong}});
            at(rms, t);
        }
        const Text others{with_commas(facts_.n() - 1)};
        caption(y, fill(text["figure.outlier.distinct"_t], {{"n", others}}));
        caption(y + block, fill(text["figure.outlier.rms"_t], {{"n", others}}));
        sheet_.words(half.second ? "bits.second" : "bits", {x, y + 2 * block, wide, number},
                     {{fill(text["figure.outlier.bits"_t], {{"n", short_number(half.bits, 4)}}),
                       Font::MonoBold, size, Ink::Strong}});
        const std::uint32_t share =
            half.second && !is_second_turned(true) ? facts_.group : facts_.n();
        caption(y + 2 * block,
                fill(text["figure.outlier.effective"_t], {{"code", with_commas(facts_.code_bits)},
                                                          {"scale", with_commas(facts_.scale_bits)},
                                                          {"n", with_commas(share)}}));
    }

    const OutlierFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    PanelRows rows_;
    float label_ = 0, stats_ = 0, pitch_ = 0, zero_ = 0, step_ = 0;
    std::uint32_t shown_ = 0;
    double most_error_ = 0;
};

}  // namespace

Keys keys_of(const OutlierFacts& facts) {
    return {.first = 1,
            .opens = facts.open,
            .last = facts.open,
            .end = static_cast<std::uint32_t>(facts.ticks.size())};
}

Plan layout_outlier(const OutlierFacts& facts, const Ask& ask) {
    return OutlierPlan(facts, ask).plan();
}

}  // namespace kv::figure
