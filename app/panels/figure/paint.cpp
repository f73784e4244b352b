#include "app/panels/figure/paint.hpp"

#include <algorithm>

#include "app/widgets/tags.hpp"

namespace kv::figure {
namespace {

ImFont* font_of(const Ui& ui, Font font) {
    switch (font) {
        case Font::Semibold:
            return ui.fonts.semibold;
        case Font::Bold:
            return ui.fonts.bold;
        case Font::Mono:
            return ui.fonts.mono;
        case Font::MonoBold:
            return ui.fonts.mono_bold;
        case Font::Regular:
            break;
    }
    return ui.fonts.regular;
}

Font strong(Font font) {
    return font == Font::Mono || font == Font::MonoBold ? Font::MonoBold : Font::Bold;
}

Color ink_of(const Palette& c, Ink ink) {
    switch (ink) {
        case Ink::Strong:
            return c.text;
        case Ink::Plain:
            return c.text2;
        case Ink::Quiet:
            return c.text3;
        case Ink::K:
            return c.k.ink;
        case Ink::V:
            return c.v.ink;
        case Ink::Loss:
            return c.loss.ink;
        case Ink::OnHue:
            return c.on_fill;
        case Ink::OnStrong:
            break;
    }
    return c.panel;
}

class PlanPainter {
public:
    PlanPainter(const Ui& ui, Vec2 origin, const AtKey& at_key)
        : ui_(ui), p_(ui), origin_(origin), at_key_(at_key) {}

    void paint(const Piece& piece) {
        const bool comes = piece.from == at_key_.key && piece.from > 0 && at_key_.share < 1;
        if (comes && piece.slide != Vec2{}) {
            const float left = 1 - at_key_.share;
            shift_ = {piece.slide.x * left, piece.slide.y * left};
            paint_whole(piece);
            shift_ = {};
        } else if (comes) {
            const Fading fading(p_, at_key_.share);
            paint_whole(piece);
        } else {
            paint_whole(piece);
        }
    }

private:
    float x(float logical) const { return origin_.x + (logical + shift_.x) * ui_.unit; }
    float y(float logical) const { return origin_.y + (logical + shift_.y) * ui_.unit; }
    Vec2 at(Vec2 v) const { return {x(v.x), y(v.y)}; }
    Rect at(const Rect& r) const { return snap({x(r.x), y(r.y), r.w * ui_.unit, r.h * ui_.unit}); }
    bool is_now(const Piece& piece) const { return piece.now == at_key_.key; }

    void paint_whole(const Piece& piece) {
        switch (piece.kind) {
            case Kind::Box:
                cells(piece);
                return words(piece, at(piece.rect));
            case Kind::Words:
                return words(piece, at(piece.rect));
            case Kind::Wire:
                return wire(piece);
            case Kind::Span:
                return span(piece);
            case Kind::Brackets:
                return brackets(p_, at(piece.rect), ui_.colors.focus);
            case Kind::Tag:
                return draw_request_tag(p_, at(piece.rect.center()), piece.rect.h,
                                        {.index = piece.hue,
                                         .finished = piece.look == Look::Kept,
                                         .waiting = piece.dashed});
            case Kind::Curve:
                return curve(piece);
        }
    }

    // Draws both ends of a dimension line, and as much of it as leaves room for a number.
    void ends(const Rect& r, float words, Color color) {
        const float room = (r.w - words) / 2 - ui_.px(6), y = r.center().y;
        const float arm = std::clamp(room, 0.0f, std::min(ui_.px(12), r.w / 4));
        for (const float x : {r.x + ui_.px(3), r.right() - ui_.px(3)})
            vline(p_, x, r.y + r.h * 0.22f, r.y + r.h * 0.78f, color, 1.6f);
        stroke(p_, {r.x + ui_.px(3), y}, {r.x + ui_.px(3) + arm, y}, color, 1.6f);
        stroke(p_, {r.right() - ui_.px(3) - arm, y}, {r.right() - ui_.px(3), y}, color, 1.6f);
    }
    void hue(const Rect& r, const Hue& hue, float radius) {
        fill(p_, r, hue.fill, radius);
        if (ui_.colors.is_light()) outline(p_, r, hue.ink, radius);
    }
    void area(const Rect& r, Color inside, Color edge, float radius) {
        fill(p_, r, inside, radius);
        outline(p_, r, edge, radius);
    }

    // Side by side with a hairline between them, as far as there is room for one.
    void cells(const Piece& piece) {
        if (piece.cells == 1) return box(piece, at(piece.rect));
        const float pitch = piece.rect.w / static_cast<float>(piece.cells);
        const float gap = pitch >= 4 ? 1.0f : 0.0f;
        for (std::uint32_t i = 0; i < piece.cells; ++i)
            box(piece, at(Rect{piece.rect.x + pitch * static_cast<float>(i), piece.rect.y,
                               pitch - gap, piece.rect.h}));
    }

    void box(const Piece& piece, const Rect& r) {
        const Palette& c = ui_.colors;
        const Hue& first = c.request[piece.hue % c.request.size()];
        const float radius = piece.radius;
        switch (piece.look) {
            case Look::None:
                return;
            case Look::Fresh:
                return hue(r, first, radius);
            case Look::Again:
                area(r, c.inset, c.edge, radius);
                return hatch(p_, r.inset(ui_.px(1)), c.cached.ink, 6, 1.2f);
            case Look::Kept:
                area(r, c.inset, c.line, radius);
                return fill(p_, {r.x, r.bottom() - ui_.px(4), r.w, ui_.px(4)}, first.fill);
            case Look::Free:
                return area(r, c.inset, c.line, radius);
            case Look::Readable:
                return area(r, mix(c.panel, c.text, 0.25), mix(c.panel, c.text, 0.25), radius);
            case Look::Chip:
                return area(r, c.raised, c.line, 2);
            case Look::Pill:
                return area(r, c.raised, c.edge, 12);
            case Look::Outline:
                return area(r, c.raised, c.edge, 4);
            case Look::Strong:
                return fill(p_, r, c.text, 4);
            case Look::Key:
                return hue(r, c.k, radius);
            case Look::Value:
                return hue(r, c.v, radius);
            case Look::KeyWash:
                return area(r, c.wash_of(c.k), c.k.ink, radius);
            case Look::ValueWash:
                return area(r, c.wash_of(c.v), c.v.ink, radius);
            case Look::Amount:
                fill(p_, r, is_now(piece) ? c.focus : c.cached.fill, 1);
                return outline(p_, r, is_now(piece) ? c.focus : c.cached.ink, 1);
            case Look::NowRow:
                return fill(p_, r, c.hover_wash(), 3);
            case Look::Wrong:
                fill(p_, r, mix(c.panel, c.loss.fill, 0.18), 4);
                return outline(p_, r, c.loss.ink, 4, 2);
            case Look::WrongResult:
                fill(p_, r, c.raised, 4);
                return outline(p_, r, c.loss.ink, 4, 2);
            case Look::WrongLine:
                return dashed_outline(p_, r, c.loss.ink, 3, 1.5f);
            case Look::TooMuch:
                area(r, mix(c.panel, c.loss.fill, 0.18), c.loss.ink, 1);
                return hatch(p_, r.inset(ui_.px(1)), c.loss.ink, 8, 1.6f);
            case Look::TurnedAway:
                fill(p_, r, c.inset, 2);
                return dashed_outline(p_, r, c.edge, 2);
            case Look::Config:
                return area(r, c.inset, c.line, 4);
            case Look::Rule:
                return hline(p_, r.x, r.right(), r.y, c.line);
            case Look::Reserved:
                return area(r, c.wash_of(first), first.ink, radius);
            case Look::NeverUsed:
                area(r, mix(c.inset, c.loss.fill, 0.12), c.loss.ink, radius);
                return hatch(p_, r.inset(ui_.px(1)), c.loss.ink, 6, 1.2f);
            case Look::LockedNode:
                fill(p_, r, mix(c.panel, first.fill, 0.1), radius);
                return outline(p_, r, first.ink, radius, 2.5f);
            case Look::Gap:
                area(r, c.inset, c.line, radius);
                return ends(r, words_wide(piece), c.loss.ink);
            case Look::Changed:
                fill(p_, r, mix(c.panel, first.fill, 0.25 + 0.75 * piece.share), radius);
                return outline(p_, r, first.ink, radius);
            case Look::Lost:
                fill(p_, r, c.loss.fill, 1);
                return outline(p_, r, c.loss.ink, 1);
            case Look::Gone:
                area(r, c.inset, c.line, radius);
                return cross_mark(p_, r.center(), std::min(r.w, r.h) / ui_.unit * 0.5f, c.loss.ink);
            case Look::Sink:
                hue(r, first, radius);
                return fill(p_, {r.x, r.y, r.w, ui_.px(5)}, c.text);
            case Look::Ring:
                fill(p_, r, c.panel, radius);
                return outline(p_, r, c.text, radius, 1.5f);
            case Look::Weight:
                return fill(p_, r, c.cached.fill, 1);
            case Look::FarWeight:
                return fill(p_, r, c.text, 1);
            case Look::Plot:
                return area(r, c.inset, c.line, 0);
            case Look::Grid:
                return fill(p_, r, c.line);
        }
    }

    TextStyle style_of(const Piece& piece, const Word& word) const {
        const bool now = is_now(piece);
        return {font_of(ui_, now ? strong(word.font) : word.font), word.size,
                ink_of(ui_.colors, now ? Ink::Strong : word.ink), Align::Left};
    }
    static Align align_of(Edge edge) {
        return edge == Edge::Left     ? Align::Left
               : edge == Edge::Center ? Align::Center
                                      : Align::Right;
    }

    float words_wide(const Piece& piece) const {
        if (piece.words.empty()) return 0;
        return text_width(ui_, style_of(piece, piece.words[0]), piece.words[0].text);
    }

    void words(const Piece& piece, const Rect& r) {
        if (piece.words.empty()) return;
        const Word& first = piece.words.front();
        const TextStyle style = aligned(style_of(piece, first), align_of(piece.edge));
        if (piece.pitch > 0) {
            wrapped_at(p_, style, piece.pitch, r, first.text);
            return;
        }
        if (piece.words.size() == 1) return word(style, r, first.text);
        List<Run> runs;
        for (const Word& word : piece.words)
            runs.push_back({style_of(piece, word), word.text, word.gap});
        // What does not fit is left out from the end; the first words always stand.
        while (runs.size() > 1 && runs_width(ui_, runs) > r.w) runs.pop_back();
        if (runs.size() == 1)
            word(style, r, first.text);
        else
            runs_in(p_, runs, r, align_of(piece.edge));
    }

    // Where a word is a little too wide for its room it becomes smaller; only then it is cut.
    void word(TextStyle style, const Rect& r, std::string_view text) {
        constexpr float kLeast = 0.76f;
        const float least = kLeast * style.size, wide = text_width(ui_, style, text);
        if (wide > r.w && r.w > 0) style.size = std::max(least, 0.995f * style.size * r.w / wide);
        // Letters are whole pixels wide, so that a little smaller may be no narrower.
        while (style.size > least && text_width(ui_, style, text) > r.w)
            style.size = std::max(least, style.size - 0.25f);
        text_in(p_, style, r, text);
    }

    Color line_of(const Piece& piece) const {
        if (piece.loss) return ui_.colors.loss.ink;
        if (piece.look == Look::Key) return ui_.colors.k.ink;
        if (piece.look == Look::Value) return ui_.colors.v.ink;
        if (piece.look == Look::Rule) return ui_.colors.edge;
        if (piece.look == Look::Outline) return ui_.colors.edge;
        if (piece.look != Look::Fresh) return ui_.colors.text;
        const Palette& c = ui_.colors;  // many lie side by side
        return mix(c.panel, c.request[piece.hue % c.request.size()].ink, 0.7);
    }

    void wire(const Piece& piece) {
        const Color color = line_of(piece);
        if (!piece.arrow && !piece.dashed && piece.points.size() == 2)
            return stroke(p_, at(piece.points[0]), at(piece.points[1]), color, piece.width);
        if (piece.dashed) {
            for (std::size_t i = 1; i < piece.points.size(); ++i)
                dashed_line(p_, at(piece.points[i - 1]), at(piece.points[i]), color, piece.width);
        } else {
            List<Vec2> points;
            for (const Vec2 v : piece.points) points.push_back(at(v));
            connector(p_, points,
                      {.color = color,
                       .halo = with_alpha(ui_.colors.panel, 0),
                       .width = piece.width,
                       .radius = 8,
                       .head = false});
        }
        if (piece.arrow) head(piece, color);
    }

    // Filled, 9 wide and 8 long, its point at the end of the wire.
    void head(const Piece& piece, Color color) {
        const Vec2 end = at(piece.points.back()),
                   before = at(piece.points[piece.points.size() - 2]);
        const bool across = std::abs(end.x - before.x) > std::abs(end.y - before.y);
        const float back = ui_.px(4);
        const Vec2 middle = across ? Vec2{end.x + (end.x > before.x ? -back : back), end.y}
                                   : Vec2{end.x, end.y + (end.y > before.y ? -back : back)};
        triangle(p_, middle, 9,
                 across ? (end.x > before.x ? Dir::Right : Dir::Left)
                        : (end.y > before.y ? Dir::Down : Dir::Up),
                 color, true);
    }

    // One point alone is drawn as a short line, so that a curve with gaps does not lose it.
    void curve(const Piece& piece) {
        if (piece.points.empty()) return;
        const Color color = ui_.colors.text, below = mix(ui_.colors.inset, ui_.colors.text, 0.18);
        const float foot = y(piece.rect.bottom());
        Vec2 last = at(piece.points.front());
        if (piece.points.size() == 1) hline(p_, last.x - 1, last.x + 1, last.y, color, piece.width);
        const ImDrawListFlags flags = p_.list.Flags;
        p_.list.Flags &= ~ImDrawListFlags_AntiAliasedFill;  // else each piece has edges of its own
        for (std::size_t i = 1; i < piece.points.size(); ++i) {
            const Vec2 next = at(piece.points[i]);
            p_.list.AddQuadFilled({last.x, last.y}, {next.x, next.y}, {next.x, foot},
                                  {last.x, foot}, im(below));
            last = next;
        }
        p_.list.Flags = flags;
        for (std::size_t i = 1; i < piece.points.size(); ++i)
            stroke(p_, at(piece.points[i - 1]), at(piece.points[i]), color, piece.width);
    }

    // Draws a span from one end to the other, with its length in the middle.
    void span(const Piece& piece) {
        const Color color = piece.loss ? ui_.colors.loss.ink : ui_.colors.text;
        const Vec2 a = at(piece.points[0]), b = at(piece.points[1]);
        const float arm = ui_.px(11);
        for (const Vec2 end : {a, b}) vline(p_, end.x, end.y - arm, end.y + arm, color, 1.6f);
        const float width = piece.words.empty() ? 0
                                                : text_width(ui_, style_of(piece, piece.words[0]),
                                                             piece.words[0].text) +
                                                      ui_.px(14);
        const float mid = (a.x + b.x) / 2;
        if (width > 0) stroke(p_, a, {mid - width / 2, a.y}, color, 1.6f);
        stroke(p_, {width > 0 ? mid + width / 2 : a.x, a.y}, b, color, 1.6f);
        if (!piece.loss) triangle(p_, {b.x - ui_.px(4), b.y}, 8, Dir::Right, color, true);
        if (width > 0)
            text_in(p_, aligned(style_of(piece, piece.words[0]), Align::Center),
                    {mid - width / 2, a.y - arm, width, 2 * arm}, piece.words[0].text);
    }

    const Ui& ui_;
    Painter p_;
    Vec2 origin_, shift_;
    AtKey at_key_;
};

}  // namespace

void paint(const Ui& ui, const Plan& plan, Vec2 origin, const AtKey& at) {
    PlanPainter painter(ui, origin, at);
    for (const Piece& piece : plan.pieces)
        if (piece.shows_at(at.key)) painter.paint(piece);
}

const Piece* piece_at(const Plan& plan, Vec2 point, std::uint32_t key) {
    const Piece* found = nullptr;
    for (const Piece& piece : plan.pieces)
        if (piece.shows_at(key) && !piece.caption.empty() && piece.rect.contains(point))
            found = &piece;
    return found;
}

}  // namespace kv::figure
