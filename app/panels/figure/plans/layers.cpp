// What each layer keeps as a text grows: a column a layer, its height the bytes that it holds, in a
// dashed frame as high as a full layer's. Below, all layers together over the length of the text,
// and dashed what full layers would hold. A key is a length.

#include <algorithm>
#include <cmath>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

using LayerKind = LayersFacts::Kind;

Look look_of(LayerKind kind) {
    return kind == LayerKind::State ? Look::Readable : Look::Fresh;
}
std::uint8_t hue_of(LayerKind kind) {
    return kind == LayerKind::Window ? 1 : kind == LayerKind::Latent ? 2 : 0;
}

class LayersPlan {
public:
    LayersPlan(const LayersFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        sheet_.header(Text(facts_.title), Text(facts_.how));
        n_ = ask_.revealed ? facts_.moments.size() : facts_.open;
        const float legend = legend_high(), gap = sheet_.is_low() ? 8 : 26;
        const float room = sheet_.bottom() - legend - sheet_.top() - gap;
        const float upper = room * 0.46f;
        columns(sheet_.top(), upper);
        growth(sheet_.top() + upper + gap, room - upper);
        legend_at(sheet_.bottom() - legend + 6);
        for (const LayersFacts::Moment& moment : facts_.moments)
            sheet_.key_names().push_back(with_commas(moment.tokens));
        return sheet_.take();
    }

private:
    const LayersFacts::Moment& at(std::size_t i) const { return facts_.moments[i]; }
    float title_size() const { return sheet_.is_narrow() ? 15 : 18; }

    // ---- A column a layer.

    void columns(float y, float high) {
        const Texts& text = ask_.text;
        sheet_.block_head("columns", y, 28, text["figure.layers.columns"_t],
                          text["figure.layers.columns.how"_t]);
        const float top = y + 40, floor = y + high - 22;
        std::uint64_t most = 1;
        for (std::size_t i = 0; i < n_; ++i)
            most = std::max(
                {most, at(i).ghost_layer, *std::max_element(at(i).held.begin(), at(i).held.end())});
        const float pitch =
            std::min(46.0f, sheet_.width() / static_cast<float>(facts_.kinds.size()));
        const float wide = pitch - (pitch > 10 ? 3.0f : 1.0f);
        const auto tall = [&](std::uint64_t bytes) {
            return std::max(1.5f, (floor - top) * static_cast<float>(static_cast<double>(bytes) /
                                                                     static_cast<double>(most)));
        };
        sheet_.rule(floor);
        for (std::size_t i = 0; i < n_; ++i) {
            const auto key = static_cast<std::uint32_t>(i + 1);
            const auto shown = [&](Piece& piece) {
                piece.from = key, piece.until = key;
                piece.radius = 1;
            };
            List<Rect> frames;
            for (std::size_t l = 0; l < facts_.kinds.size(); ++l) {
                const float x = sheet_.left() + pitch * static_cast<float>(l);
                const float full = tall(at(i).ghost_layer), held = tall(at(i).held[l]);
                if (full > held + 2) {
                    // Frames of narrow neighbours that are alike are one frame.
                    const bool joins = pitch < 30 && !frames.empty() &&
                                       frames.back().right() + pitch - wide + 0.5f > x &&
                                       std::abs(frames.back().h - (full - held - 1)) < 0.5f;
                    if (joins)
                        frames.back().w = x + wide - frames.back().x;
                    else
                        frames.push_back({x, floor - full, wide, full - held - 1});
                }
                Piece& column =
                    sheet_.box("column", {x, floor - held, wide, held}, look_of(facts_.kinds[l]));
                shown(column);
                column.hue = hue_of(facts_.kinds[l]);
            }
            for (const Rect& frame : frames) shown(sheet_.box("ghost", frame, Look::TurnedAway));
            Piece& now = sheet_.words(
                "now", {sheet_.right() - 260, y, 260, 28},
                {{fill(text["figure.layers.tokens"_t], {{"n", with_commas(at(i).tokens)}}),
                  Font::MonoBold, title_size(), Ink::Strong}},
                Edge::Right);
            shown(now);
            now.names = true;
        }
        const auto tick = [&](std::size_t layer, Edge edge, float x) {
            Piece& words =
                sheet_.words("layer", {x, floor + 3, 90, 18},
                             {{fill(text["figure.lanes.layer"_t], {{"n", with_commas(layer)}}),
                               Font::Mono, 12, Ink::Quiet}},
                             edge);
            words.names = true;
        };
        const float end = sheet_.left() + pitch * static_cast<float>(facts_.kinds.size());
        tick(0, Edge::Left, sheet_.left());
        if (facts_.kinds.size() > 4) tick(facts_.kinds.size() - 1, Edge::Right, end - 90);
    }

    // ---- All layers together.

    float x(double tokens) const {
        return plot_.x + plot_.w * static_cast<float>(tokens / static_cast<double>(longest_));
    }
    float y(double bytes) const {
        return plot_.bottom() - plot_.h * static_cast<float>(bytes / static_cast<double>(most_));
    }

    void growth(float top, float high) {
        const Texts& text = ask_.text;
        sheet_.block_head("growth", top, 28, text["figure.layers.growth"_t],
                          text["figure.layers.growth.how"_t]);
        const float said = sheet_.is_narrow() ? 190 : 300;
        longest_ = at(n_ - 1).tokens, most_ = 1;
        for (std::size_t i = 0; i < n_; ++i) most_ = std::max({most_, at(i).ghost, at(i).total});
        plot_ = {sheet_.left(), top + 44, sheet_.width() - said, high - 44 - 24};
        sheet_.rule(plot_.bottom()).rect.w = plot_.w;
        for (std::size_t i = 0; i < n_; ++i) {
            line_to(i, true);
            line_to(i, false);
            tick(i);
            labels(i, said);
        }
    }

    // Straight from length to length, with a bend where a window is full.
    void line_to(std::size_t i, bool ghost) {
        const auto value = [&](std::size_t k) {
            return static_cast<double>(ghost ? at(k).ghost : at(k).total);
        };
        const double from = i == 0 ? 0 : static_cast<double>(at(i - 1).tokens),
                     to = static_cast<double>(at(i).tokens);
        const double start = i == 0 ? value_at_zero(ghost) : value(i - 1);
        List<Vec2> points{{x(from), y(start)}};
        if (!ghost) bends(i, from, to, start, value(i), points);
        points.push_back({x(to), y(value(i))});
        for (std::size_t p = 1; p < points.size(); ++p) {
            Piece& line =
                sheet_.wire(ghost ? "ghost.line" : "line", {points[p - 1], points[p]}, false);
            line.from = static_cast<std::uint32_t>(i + 1);
            line.dashed = ghost, line.width = ghost ? 1.8f : 3.0f;
        }
        constexpr float kDot = 7;
        const Vec2 end = points.back();
        Piece& dot = sheet_.box(ghost ? "ghost.dot" : "dot",
                                {end.x - kDot / 2, end.y - kDot / 2, kDot, kDot},
                                ghost ? Look::Outline : Look::Strong);
        dot.from = static_cast<std::uint32_t>(i + 1);
    }

    // A state is there before the first token.
    double value_at_zero(bool ghost) const {
        double bytes = 0;
        if (!ghost)
            for (std::size_t l = 0; l < facts_.kinds.size(); ++l)
                if (facts_.kinds[l] == LayerKind::State)
                    bytes += static_cast<double>(at(0).held[l]);
        return bytes;
    }

    // Between two lengths the growth changes once a window is full; beyond it the slope is that of
    // the other layers. Both ends are known, so the bend lies where the two slopes meet.
    void bends(std::size_t i, double from, double to, double start, double end,
               List<Vec2>& points) {
        for (const LayersFacts::Group& group : facts_.groups) {
            const auto window = static_cast<double>(group.window);
            if (group.kind != LayerKind::Window || window <= from || window >= to) continue;
            double windowed = 0;
            for (std::size_t l = 0; l < facts_.kinds.size(); ++l)
                if (facts_.kinds[l] == LayerKind::Window)
                    windowed += static_cast<double>(at(i).held[l]);
            // What the other layers add from the bend to the end.
            const double others = (end - windowed - value_at_zero(false)) / to;
            const double bend = end - others * (to - window);
            if (bend > start) points.push_back({x(window), y(bend)});
        }
    }

    void tick(std::size_t i) {
        const float mid = x(static_cast<double>(at(i).tokens));
        // Lengths that double crowd at the left: a tick is written where there is room for it.
        const bool last = i + 1 == n_;
        if (!last && x(static_cast<double>(at(i + 1).tokens)) - mid < 74) return;
        Piece& words =
            sheet_.words("tick", {mid - 45, plot_.bottom() + 4, 90, 18},
                         {{with_commas(at(i).tokens), Font::Mono, 12, Ink::Quiet}}, Edge::Center);
        // Near the left end a narrower box keeps it below its point.
        if (words.rect.x < sheet_.left())
            words.rect.x = sheet_.left(), words.rect.w = 2 * (mid - sheet_.left());
        words.from = static_cast<std::uint32_t>(i + 1), words.names = true;
    }

    // What both hold at this length, beside the plot and level with the lines as far as they part.
    void labels(std::size_t i, float said) {
        const float left = plot_.right() + 20, wide = said - 20;
        const auto key = static_cast<std::uint32_t>(i + 1);
        const auto entry = [&](const char* id, float y, const Text& name, const std::string& bytes,
                               bool strong) {
            Piece& words =
                sheet_.words(id, {left, y, wide, 32},
                             {{Text(bytes), Font::MonoBold,
                               strong && !sheet_.is_narrow() ? 26.0f : 17.0f, Ink::Strong}});
            words.from = key, words.until = key;
            if (name.empty()) return;
            Piece& what =
                sheet_.words("whose", {left, y + 30, wide, 20}, {{name, Font::Regular, 13}});
            what.from = key, what.until = key;
        };
        entry("ghost.said", plot_.y, Text(facts_.ghost_name), at(i).ghost_said, false);
        entry("said", plot_.bottom() - 56, ask_.text["figure.layers.is"_t], at(i).total_said, true);
    }

    // ---- What the colours mean, and how many layers there are of each.

    float legend_high() const { return sheet_.is_narrow() ? 52.0f : 34.0f; }

    void legend_at(float y) {
        const Texts& text = ask_.text;
        const float pitch = sheet_.is_narrow() ? sheet_.width() / 2 : 330;
        float x = sheet_.left();
        for (std::size_t i = 0; i < facts_.groups.size() && i < 4; ++i) {
            const LayersFacts::Group& group = facts_.groups[i];
            const TextId id = group.kind == LayerKind::Full     ? "figure.layers.full"_t
                              : group.kind == LayerKind::Window ? "figure.layers.window"_t
                              : group.kind == LayerKind::Latent ? "figure.layers.latent"_t
                                                                : "figure.layers.state"_t;
            if (sheet_.is_narrow() && i == 2) x = sheet_.left(), y += 24;
            sheet_.box("legend", {x, y + 2, 26, 16}, look_of(group.kind)).hue = hue_of(group.kind);
            Piece& words = sheet_.words("legend.words", {x + 34, y, pitch - 42, 20},
                                        {{fill(text[id], {{"n", with_commas(group.count)},
                                                          {"window", with_commas(group.window)}}),
                                          Font::Regular, 13}});
            words.names = true;
            x += pitch;
        }
    }

    const LayersFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    std::size_t n_ = 0;
    Rect plot_;
    std::uint64_t longest_ = 1, most_ = 1;
};

}  // namespace

Keys keys_of(const LayersFacts& facts) {
    const auto n = static_cast<std::uint32_t>(facts.moments.size());
    return {.first = 1, .opens = facts.open, .last = facts.open, .end = n};
}

Plan layout_layers(const LayersFacts& facts, const Ask& ask) {
    return LayersPlan(facts, ask).plan();
}

}  // namespace kv::figure
