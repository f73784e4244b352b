// Where one head looks with several caches: a strip for each on one axis, kept and dropped tokens
// under the bars, and what the cache loses at the right, on one scale for all.

#include <algorithm>

#include "app/panels/figure/plans/lossy/token_strip.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr float kStripGap = 12, kLossHigh = 28;

class SinkPlan {
public:
    SinkPlan(const SinkFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        const auto n = static_cast<std::uint32_t>(facts_.words.size());
        sheet_.header(text["figure.sink.title"_t],
                      fill(text["figure.sink.how"_t], {{"layer", with_commas(facts_.layer)},
                                                       {"head", with_commas(facts_.head)},
                                                       {"n", with_commas(n)}}));
        loss_ = sheet_.is_narrow() ? 180 : 260;
        const std::size_t drawn = ask_.revealed ? facts_.strips.size() : facts_.open;
        for (std::size_t i = 0; i < drawn; ++i)
            most_loss_ = std::max(most_loss_, facts_.strips[i].loss);
        const float legend = sheet_.is_low() ? 22 : 34, heads = sheet_.is_low() ? 0 : 22;
        const float top = sheet_.top() + heads;
        const float high =
            (sheet_.bottom() - legend - top) / static_cast<float>(facts_.strips.size());
        loss_head();
        for (std::size_t i = 0; i < facts_.strips.size(); ++i)
            strip(top + high * static_cast<float>(i), high, i, i < drawn);
        sheet_.legend(sheet_.left() + label(), sheet_.bottom() - 20,
                      {{Look::Fresh, text["figure.sink.kept"_t], 110},
                       {Look::Sink, text["figure.sink.as_first"_t], 200},
                       {Look::Gone, text["figure.sink.gone"_t], 130}});
        for (const SinkFacts::Strip& one : facts_.strips)
            sheet_.key_names().push_back(one.sinks == 0 ? name(one)
                                                        : fill(text["figure.sink.key.with"_t],
                                                               {{"n", with_commas(one.sinks)}}));
        return sheet_.take();
    }

private:
    float label() const { return sheet_.is_narrow() ? 34.0f : 40.0f; }

    void loss_head() {
        const Texts& text = ask_.text;
        const float x = sheet_.right() - loss_ + 24,
                    y = sheet_.is_low() ? sheet_.top() - 4 : sheet_.top() - 16;
        sheet_.words("loss.head", {x, y, loss_ - 24, 20},
                     {{fill(text["figure.sink.loss"_t], {{"n", with_commas(facts_.texts)}}),
                       Font::Bold, 15, Ink::Strong}});
        if (sheet_.is_low()) return;
        sheet_.words("loss.how", {x, y + 20, loss_ - 24, 18},
                     {{fill(text["figure.sink.loss.how"_t], {{"spread", Text(facts_.spread)}}),
                       Font::Regular, 12}});
    }

    Text name(const SinkFacts::Strip& one) const {
        const Texts& text = ask_.text;
        if (one.everything) return Text(text["figure.sink.full"_t]);
        if (one.sinks == 0) return Text(text["figure.sink.window"_t]);
        return fill(text["figure.sink.with"_t], {{"n", with_commas(one.sinks)}});
    }
    Text note(const SinkFacts::Strip& one) const {
        const Texts& text = ask_.text;
        const Text recent{with_commas(one.recent)};
        if (one.everything)
            return fill(text["figure.sink.full.how"_t], {{"n", with_commas(facts_.words.size())}});
        if (one.sinks == 0)
            return fill(text["figure.sink.window.how"_t],
                        {{"recent", recent}, {"n", with_commas(one.looked_at())}});
        return fill(text["figure.sink.with.how"_t],
                    {{"n", with_commas(one.sinks)}, {"recent", recent}});
    }

    void strip(float y, float high, std::size_t i, bool is_drawn) {
        const SinkFacts::Strip& one = facts_.strips[i];
        const auto key = static_cast<std::uint32_t>(i + 1);
        const bool low = sheet_.is_low();
        const float head = low ? 24 : 38, cell = low ? 12 : 16;
        Piece& said = sheet_.block_head("strip", y, low ? 18 : 26, name(one), note(one));
        said.rect.w = sheet_.width() - loss_, said.names = true;
        const Rect room{sheet_.left() + label(), y + head, sheet_.width() - loss_ - label(),
                        high - head - cell - 5 - 18 - (low ? 2 : kStripGap)};
        if (!is_drawn) {
            sheet_.box("asked", {room.x, room.y, room.w, room.h + cell + 5}, Look::TurnedAway,
                       {{"?", Font::MonoBold, 20, Ink::Quiet}});
            sheet_.box("asked.loss",
                       {sheet_.right() - loss_ + 24, room.center().y - kLossHigh / 2, loss_ - 100,
                        kLossHigh},
                       Look::TurnedAway, {{"?", Font::MonoBold, 16, Ink::Quiet}});
            return;
        }
        const TokenStrip axis{room, static_cast<std::uint32_t>(facts_.words.size()), 1, cell};
        for (const double share : {0.0, 0.5, 1.0}) {
            const float at = room.bottom() - room.h * static_cast<float>(share);
            if (share > 0) {
                Piece& line = sheet_.box("share", {room.x, at, room.w, 1}, Look::Rule);
                line.from = key;
            }
            Piece& tick =
                sheet_.words("share.tick", {sheet_.left(), at - 8, label() - 8, 16},
                             {{short_number(share, 2), Font::Mono, 12, Ink::Quiet}}, Edge::Right);
            tick.from = key, tick.names = true;
        }
        strip_axis(sheet_, axis, 8, key);
        const std::uint32_t first = std::max(1u, one.sinks);
        for (std::uint32_t t = 0; t < axis.n; ++t) {
            const bool is_first = one.kept[t] && t < first && (one.everything || one.sinks > 0);
            if (one.kept[t] && one.weights[t] >= 0.002)
                sheet_
                    .box("weight", axis.bar(t, one.weights[t]),
                         is_first ? Look::FarWeight : Look::Weight)
                    .from = key;
            Piece& cell_piece = sheet_.box(one.kept[t] ? "kept" : "gone", axis.cell(t),
                                           !one.kept[t] ? Look::Gone
                                           : is_first   ? Look::Sink
                                                        : Look::Fresh);
            cell_piece.from = key, cell_piece.radius = 2;
            cell_piece.caption = Text(facts_.words[t]);
        }
        labels(axis, one, key);
        loss(room, one, key);
    }

    void labels(const TokenStrip& axis, const SinkFacts::Strip& one, std::uint32_t key) {
        const float room = 46;
        for (const std::uint32_t t : labelled_bars(axis, one.weights, 0.05, 6, room)) {
            const Rect bar = axis.bar(t, one.weights[t]);
            const bool tall = bar.h > axis.bars.h * 0.6f;
            const Text said{fixed(one.weights[t], 2)};
            if (tall) {
                Piece& words =
                    sheet_.words("weight.said", {bar.right() + 6, bar.y - 2, 220, 20},
                                 {{said, Font::MonoBold, 15, Ink::Strong},
                                  {fill(ask_.text["figure.sink.token"_t],
                                        {{"n", with_commas(t)}, {"word", Text(facts_.words[t])}}),
                                   Font::Regular, 13, Ink::Plain, 8}});
                words.from = key;
                continue;
            }
            Piece& words =
                sheet_.words("weight.said", {bar.center().x - room / 2, bar.y - 17, room, 15},
                             {{said, Font::MonoBold, 12.5f, Ink::Strong}}, Edge::Center);
            words.from = key;
            if (bar.y - 33 < axis.bars.y || sheet_.is_low()) continue;
            Piece& word =
                sheet_.words("weight.word", {bar.center().x - room / 2, bar.y - 32, room, 15},
                             {{Text(facts_.words[t]), Font::Regular, 12}}, Edge::Center);
            word.from = key, word.names = true;
        }
    }

    void loss(const Rect& strip, const SinkFacts::Strip& one, std::uint32_t key) {
        const float x0 = sheet_.right() - loss_ + 24, full = loss_ - 24 - 72;
        const auto wide = [&](double loss) { return full * static_cast<float>(loss / most_loss_); };
        const float y = strip.center().y - kLossHigh / 2;
        const double least = facts_.strips[0].loss;
        sheet_.box("loss", {x0, y, wide(std::min(one.loss, least)), kLossHigh}, Look::Weight).from =
            key;
        if (one.loss > least) {
            Piece& above = sheet_.box(
                "loss.above", {x0 + wide(least), y, wide(one.loss - least), kLossHigh}, Look::Lost);
            above.from = key;
            Piece& line = sheet_.wire(
                "loss.full", {{x0 + wide(least), y - 6}, {x0 + wide(least), y + kLossHigh + 6}},
                false);
            line.from = key, line.width = 2;
        }
        Piece& said = sheet_.words("loss.said", {x0 + wide(one.loss) + 10, y, 62, kLossHigh},
                                   {{Text(one.loss_said), Font::MonoBold,
                                     sheet_.is_narrow() ? 15.0f : 18.0f, Ink::Strong}});
        said.from = key;
        if (strip.h < 60 || sheet_.is_narrow()) return;  // no room for the words
        Piece& of = sheet_.words(
            "loss.of", {x0, y + kLossHigh + 8, loss_ - 24, 18},
            {{ask_.text[one.everything ? "figure.sink.nothing"_t : "figure.sink.line"_t],
              Font::Regular, 12}});
        of.from = key;
    }

    const SinkFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float loss_ = 0;
    double most_loss_ = 0;
};

}  // namespace

Keys keys_of(const SinkFacts& facts) {
    return {.first = 1,
            .opens = facts.open,
            .last = facts.open,
            .end = static_cast<std::uint32_t>(facts.strips.size())};
}

Plan layout_sink(const SinkFacts& facts, const Ask& ask) {
    return SinkPlan(facts, ask).plan();
}

}  // namespace kv::figure
