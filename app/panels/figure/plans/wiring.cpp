// Query heads above, KV heads below: a wire is a read, and only what lies below the wires is
// stored. A column for each model, and under a rule one model at its real size.

#include <algorithm>
#include <optional>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/kv_head.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

class Wiring {
public:
    Wiring(const WiringFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        sheet_.header(
            fill(ask_.text["figure.wiring.title"_t], {{"q", with_commas(facts_.models[0].n_heads)},
                                                      {"n", with_commas(facts_.models.size())}}),
            ask_.text["figure.wiring.how"_t]);
        const float real = facts_.real ? (sheet_.is_narrow() ? 140.0f : 150.0f) : 0;
        const float gap = sheet_.is_narrow() ? 28 : 60;
        const auto n = static_cast<float>(facts_.models.size());
        const float w = std::min(460.0f, (sheet_.width() - gap * (n - 1)) / n);
        const float high = sheet_.bottom() - sheet_.top() - real;
        scale_ = std::min(1.15f, high / 570);
        for (std::size_t i = 0; i < facts_.models.size(); ++i)
            model(facts_.models[i], sheet_.left() + static_cast<float>(i) * (w + gap), w,
                  static_cast<std::uint32_t>(i + 1));
        for (const WiringModel& m : facts_.models) sheet_.key_names().push_back(heads_of(m));
        if (shows_real()) real_model(sheet_.bottom() - real, real);
        return sheet_.take();
    }

private:
    bool shows_real() const {
        return facts_.real && (facts_.real_when == FigureWhen::Now || ask_.revealed);
    }
    static Text heads_of(const WiringModel& m) {
        return with_commas(m.n_heads) + "/" + with_commas(m.n_kv_heads);
    }
    Text kind_of(const WiringModel& m) const {
        return ask_.text[m.n_kv_heads == 1           ? "figure.wiring.mqa"_t
                         : m.n_kv_heads == m.n_heads ? "figure.wiring.mha"_t
                                                     : "figure.wiring.gqa"_t];
    }
    Text sharing_of(const WiringModel& m) const {
        const std::uint64_t group = group_size(m.n_heads, m.n_kv_heads);
        if (group == 1) return ask_.text["figure.wiring.own"_t];
        return fill(ask_.text[m.n_kv_heads == 1 ? "figure.wiring.all"_t : "figure.wiring.share"_t],
                    {{"n", with_commas(group)}});
    }

    void model(const WiringModel& m, float x, float w, std::uint32_t key) {
        key_ = key;
        float y = sheet_.top();
        at(sheet_.words("heads", {x, y, w, 40 * scale_},
                        {{with_commas(m.n_heads) + " / " + with_commas(m.n_kv_heads),
                          Font::MonoBold, sheet_.is_narrow() ? 20.0f : 28.0f, Ink::Strong},
                         {kind_of(m), Font::Bold, 15, Ink::Strong, 14}}));
        if (!sheet_.is_narrow())
            at(sheet_.words("sharing", {x + w / 2 - 20, y, w / 2 + 20, 40 * scale_},
                            {{sharing_of(m), Font::Regular, 14}}, Edge::Right));
        y += 56 * scale_;
        const float kv_bottom = wires(m, x, w, y);
        bytes(m, x, w, kv_bottom + 40 * scale_);
    }

    // Draws wires from the row of query heads to the KV heads under them; returns where these end.
    float wires(const WiringModel& m, float x, float w, float y) {
        const float pitch = w / static_cast<float>(m.n_heads),
                    box = pitch - std::max(3.0f, pitch * 0.17f);
        const float q_h = std::min(box, 40 * scale_),
                    group = static_cast<float>(group_size(m.n_heads, m.n_kv_heads));
        const float kv_y = y + q_h + 112 * scale_, kv_h = 80 * scale_;
        const auto q_x = [&](std::uint64_t q) {
            return x + pitch * static_cast<float>(q) + box / 2;
        };
        for (std::uint64_t q = 0; q < m.n_heads; ++q) {
            Piece& head = sheet_.box("q", {q_x(q) - box / 2, y, box, q_h}, Look::Outline,
                                     {{"q" + with_commas(q), Font::Mono, 12, Ink::Strong}});
            head.names = true;
            at(head);
        }
        for (std::uint64_t kv = 0; kv < m.n_kv_heads; ++kv) {
            const auto first = static_cast<std::uint64_t>(static_cast<float>(kv) * group);
            const auto last = first + static_cast<std::uint64_t>(group) - 1;
            const float mid = (q_x(first) + q_x(last)) / 2, bus = y + q_h + 56 * scale_;
            for (std::uint64_t q = first; q <= last; ++q) {
                List<Vec2> way{{q_x(q), y + q_h}, {q_x(q), group > 1 ? bus : kv_y}};
                if (group > 1 && (q == first || q == last)) way.push_back({mid, bus});
                at(sheet_.wire("wire", std::move(way), group == 1));
            }
            if (group > 1) {
                at(sheet_.wire("wire.out", {{mid, bus}, {mid, kv_y}}, true));
                Piece& count = sheet_.box(
                    "count", {mid - 19, bus + 11 * scale_, 38, 24 * scale_ + 3}, Look::Pill,
                    {{"×" + with_commas(group_size(m.n_heads, m.n_kv_heads)), Font::MonoBold, 12,
                      Ink::Strong}});
                at(count);
            }
            kv_head(mid, kv_y, box, kv_h, kv);
        }
        return kv_y + kv_h + 22 * scale_;
    }

    void kv_head(float mid, float y, float w, float h, std::uint64_t n) {
        const Rect k{mid - w / 2, y, w, h / 2}, v{k.x, y + h / 2, w, h / 2};
        at(sheet_.box("kv.k", k, Look::Key, {{"K", Font::Bold, 14, Ink::OnHue}})).radius = 0;
        at(sheet_.box("kv.v", v, Look::Value, {{"V", Font::Bold, 14, Ink::OnHue}})).radius = 0;
        Piece& name = sheet_.words("kv.name", {mid - 30, y + h + 2, 60, 18},
                                   {{"kv" + with_commas(n), Font::Mono, 12}}, Edge::Center);
        name.names = true;
        at(name);
    }

    // All bars have one scale: the most that any of the models stores is the width of a column.
    void bytes(const WiringModel& m, float x, float w, float y) {
        std::uint64_t most = 0;
        for (const WiringModel& one : facts_.models) most = std::max(most, one.bytes_per_token);
        if (key_ == 1)
            at(sheet_.words("scale", {x, y - 4 * scale_, w, 20},
                            {{ask_.text["figure.wiring.scale"_t], Font::Bold, 13, Ink::Strong}}));
        y += 24 * scale_;
        at(sheet_.box("track", {x, y, w, 36 * scale_}, Look::Free)).radius = 0;
        const float one = w * static_cast<float>(m.bytes_per_token) / static_cast<float>(most) /
                          static_cast<float>(m.n_kv_heads);
        for (std::uint64_t kv = 0; kv < m.n_kv_heads; ++kv) {
            const float at_x = x + one * static_cast<float>(kv);
            at(sheet_.box("bar.k", {at_x, y, one / 2, 36 * scale_}, Look::Key)).radius = 0;
            at(sheet_.box("bar.v", {at_x + one / 2, y, one / 2 - 1, 36 * scale_}, Look::Value))
                .radius = 0;
        }
        y += 40 * scale_;
        const std::uint64_t head = m.bytes_per_token / m.n_kv_heads;
        at(sheet_.words("each", {x, y, w, 20},
                        {{fill(ask_.text["figure.wiring.each"_t], {{"n", with_commas(head)}}),
                          Font::Regular, 13},
                         {fill(ask_.text["figure.wiring.layer_each"_t],
                               {{"layer", with_commas(head / m.n_layers)},
                                {"layers", with_commas(m.n_layers)}}),
                          Font::Regular, 13, Ink::Plain, 12}}));
        product(m, x, w, y + 42 * scale_);
    }

    void product(const WiringModel& m, float x, float w, float y) {
        const Text element =
            fill(ask_.text["figure.wiring.bytes"_t], {{"n", with_commas(m.element_bytes)}});
        const Text result =
            fill(ask_.text["figure.wiring.bytes"_t], {{"n", with_commas(m.bytes_per_token)}});
        if (w < 340) {
            const Text before = "2 × " + with_commas(m.n_layers) + " × ",
                       behind = " × " + with_commas(m.head_dim) + " × " + element;
            at(sheet_.words("product", {x, y, w, 24},
                            {{before, Font::Mono, 13, Ink::Plain},
                             {with_commas(m.n_kv_heads), Font::MonoBold, 15, Ink::Strong},
                             {behind, Font::Mono, 13, Ink::Plain}}));
            y += 26;
        } else {
            const std::pair<Text, Text> factors[] = {
                {"2", ask_.text["figure.wiring.sides"_t]},
                {with_commas(m.n_layers), ask_.text["figure.wiring.layers"_t]},
                {with_commas(m.n_kv_heads), ask_.text["figure.wiring.kv_heads"_t]},
                {with_commas(m.head_dim), ask_.text["figure.wiring.head_dim"_t]},
                {element, codec_name()}};
            const float pitch = w / 5, box = pitch - 24;
            for (std::size_t i = 0; i < 5; ++i) {
                const float left = x + pitch * static_cast<float>(i);
                const bool is_it = i == 2;
                at(sheet_.box(
                    "factor", {left, y, box, 36 * scale_}, is_it ? Look::Strong : Look::Outline,
                    {{factors[i].first, Font::MonoBold, 16, is_it ? Ink::OnStrong : Ink::Strong}}));
                at(sheet_.words("factor.name", {left - 12, y + 38 * scale_, pitch, 20},
                                {{factors[i].second, Font::Regular, 12}}, Edge::Center))
                    .rect.w = box + 24;
                if (i < 4)
                    at(sheet_.words("times", {left + box, y, 24, 36 * scale_},
                                    {{"×", Font::Mono, 15}}, Edge::Center));
            }
            y += 66 * scale_;
        }
        at(sheet_.words(
            "result", {x, y, w, 34 * scale_},
            {{"=", Font::Mono, 18},
             {result, Font::MonoBold, sheet_.is_narrow() ? 20.0f : 28.0f, Ink::Strong, 8},
             {ask_.text["figure.wiring.per_token"_t], Font::Regular, 14, Ink::Plain, 14}}));
    }

    Text codec_name() const { return facts_.element; }

    void real_model(float y, float high) {
        const WiringModel& m = *facts_.real;
        key_ = static_cast<std::uint32_t>(facts_.models.size() + 1);
        sheet_.key_names().push_back(heads_of(m));
        at(sheet_.rule(y));
        at(sheet_.words(
            "real", {sheet_.left(), y + 6, sheet_.width(), 30},
            {{with_commas(m.n_heads) + " / " + with_commas(m.n_kv_heads), Font::MonoBold, 20,
              Ink::Strong},
             {fill(ask_.text["figure.wiring.real"_t], {{"title", m.title}}), Font::Bold, 14,
              Ink::Strong, 12},
             {fill(ask_.text["figure.wiring.real.size"_t],
                   {{"layers", with_commas(m.n_layers)}, {"dim", with_commas(m.head_dim)}}),
              Font::Regular, 13, Ink::Plain, 12}}));
        const float sum = sheet_.is_narrow() ? 196 : 210, room = sheet_.width() - sum;
        const float group_w = room / static_cast<float>(m.n_kv_heads);
        const std::uint64_t group = group_size(m.n_heads, m.n_kv_heads);
        const float top = y + 42, bottom = y + high - 30;
        for (std::uint64_t kv = 0; kv < m.n_kv_heads; ++kv)
            real_group(kv, group, sheet_.left() + group_w * static_cast<float>(kv), group_w - 14,
                       top, bottom);
        const Text element =
            fill(ask_.text["figure.wiring.bytes"_t], {{"n", with_commas(m.element_bytes)}});
        const Text product = "2 × " + with_commas(m.n_layers) + " × " + with_commas(m.n_kv_heads) +
                             " × " + with_commas(m.head_dim) + " × " + element;
        const float x = sheet_.right() - sum;
        at(sheet_.words("real.product", {x, top - 8, sum, 20}, {{product, Font::Mono, 13}},
                        Edge::Right));
        at(sheet_.words(
            "real.result", {x, top + 12, sum, 34},
            {{fill(ask_.text["figure.wiring.bytes"_t], {{"n", with_commas(m.bytes_per_token)}}),
              Font::MonoBold, sheet_.is_narrow() ? 20.0f : 26.0f, Ink::Strong}},
            Edge::Right));
        at(sheet_.words("real.each", {x, top + 46, sum, 20},
                        {{fill(ask_.text["figure.wiring.kib"_t],
                               {{"n", with_commas(m.bytes_per_token / 1024)}}),
                          Font::Regular, 13}},
                        Edge::Right));
        if (!facts_.head) return;
        const std::uint64_t reads = *kv_head_asked();
        at(sheet_.words(
            "answer", {sheet_.left(), bottom + 8, sheet_.width(), 20},
            {{fill(ask_.text["figure.wiring.answer"_t], {{"q", with_commas(*facts_.head)},
                                                         {"group", with_commas(group)},
                                                         {"kv", with_commas(reads)}}),
              Font::Semibold, 13, Ink::Strong}}));
    }

    void real_group(std::uint64_t kv, std::uint64_t group, float x, float w, float top,
                    float bottom) {
        const bool narrow = sheet_.is_narrow();
        const float pitch = w / static_cast<float>(group), q_h = narrow ? 14 : 18;
        const float kv_h = narrow ? 18 : 22, bus = top + q_h + (narrow ? 5.0f : 10.0f);
        const float kv_y = bottom - kv_h - (narrow ? 16.0f : 0.0f), mid = x + w / 2;
        const bool asked = kv_head_asked() == kv;
        for (std::uint64_t i = 0; i < group; ++i) {
            const Rect box{x + pitch * static_cast<float>(i), top, pitch - 2, q_h};
            const bool is_it = asked && *facts_.head % group == i;
            at(sheet_.box("real.q", box, is_it ? Look::Strong : Look::Outline)).radius = 2;
            List<Vec2> way{{box.center().x, top + q_h}, {box.center().x, bus}};
            if (i == 0 || i + 1 == group || is_it) way.push_back({mid, bus});
            at(sheet_.wire("real.wire", std::move(way), false)).width = is_it ? 2.5f : 1;
        }
        at(sheet_.wire("real.out", {{mid, bus}, {mid, kv_y}}, true)).width = asked ? 2.5f : 1.4f;
        const float one = std::min(22.0f, w / 4);
        at(sheet_.box("real.k", {mid - one, kv_y, one, kv_h}, Look::Key)).radius = 0;
        at(sheet_.box("real.v", {mid, kv_y, one, kv_h}, Look::Value)).radius = 0;
        const Rect beside{x, kv_y, w / 2 - one - 8, kv_h}, below{x, kv_y + kv_h + 4, w, 16};
        Piece& name = sheet_.words("real.kv", narrow ? below : beside,
                                   {{"kv" + with_commas(kv), Font::Mono, 12}},
                                   narrow ? Edge::Center : Edge::Right);
        name.names = true;
        at(name);
        if (asked) at(sheet_.brackets("real.asked", {mid - one, kv_y, 2 * one, kv_h}));
    }

    // Which KV head the query head reads that is asked about.
    std::optional<std::uint64_t> kv_head_asked() const {
        if (!facts_.head) return std::nullopt;
        return kv_head_of(*facts_.head, facts_.real->n_heads, facts_.real->n_kv_heads).value;
    }

    Piece& at(Piece& piece) {
        piece.from = key_;
        return piece;
    }

    const WiringFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float scale_ = 1;
    std::uint32_t key_ = 0;
};

}  // namespace

Keys keys_of(const WiringFacts& facts) {
    const auto n = static_cast<std::uint32_t>(facts.models.size());
    const std::uint32_t last = n + (facts.real_when == FigureWhen::Now ? 1 : 0);
    return {.first = 1, .opens = last, .last = last, .end = n + (facts.real ? 1 : 0)};
}

Plan layout_wiring(const WiringFacts& facts, const Ask& ask) {
    return Wiring(facts, ask).plan();
}

}  // namespace kv::figure
