// Every byte of a small layer in both orders, the way to one element as arrows on the axis of
// addresses and as a sum. Both orders end at the same x.

#include <algorithm>

#include "app/panels/figure/plan/sheet.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "core/base/numbers/text.hpp"

namespace kv::figure {
namespace {

constexpr std::uint32_t kBase = 1, kOuter = 2, kInner = 3, kDim = 4, kPlaces = 5;  // keys
constexpr float kVectorGap = 10;
constexpr float kLeastNamed = 54;   // a narrower vector has its number alone
constexpr float kDigitWide = 6.2f;  // of an address, as small as it may become
constexpr float kMonoWide = 8;      // a letter of an arrow's words

class ByteMap {
public:
    ByteMap(const ByteMapFacts& facts, const Ask& ask) : facts_(facts), ask_(ask), sheet_(ask) {}

    Plan plan() {
        const Texts& text = ask_.text;
        const KvLayout& any = facts_.token_major;
        sheet_.header(
            fill(text["figure.byte_map.title"_t], {{"n", with_commas(any.layer_bytes())}}),
            fill(text[shows_way() ? "figure.byte_map.how"_t : "figure.byte_map.how.open"_t],
                 {{"token", with_commas(facts_.token)},
                  {"head", with_commas(facts_.head)},
                  {"dim", with_commas(facts_.dim)},
                  {"bytes", with_commas(element_bytes())}}));
        const float high = (sheet_.bottom() - sheet_.top()) / 2;
        scale_ = std::min(1.15f, high / 340);
        order(facts_.token_major, sheet_.top());
        sheet_.rule(sheet_.top() + high - 14 * scale_);
        order(facts_.head_major, sheet_.top() + high);
        for (const TextId name : {"figure.byte_map.base"_t, "figure.byte_map.outer"_t,
                                  "figure.byte_map.inner"_t, "figure.byte_map.dim"_t})
            sheet_.key_names().push_back(text[name]);
        if (facts_.places != FigureWhen::Never && shows_places())
            sheet_.key_names().push_back(
                fill(text["figure.byte_map.token"_t], {{"n", with_commas(any.block_size - 1)}}));
        return sheet_.take();
    }

private:
    bool shows_way() const { return facts_.address == FigureWhen::Now || ask_.revealed; }
    bool shows_places() const {
        return facts_.places == FigureWhen::Now ||
               (facts_.places == FigureWhen::Revealed && ask_.revealed);
    }
    std::uint32_t element_bytes() const { return facts_.token_major.k.element_bits / 8; }

    // A vector by its place in one order: `outer` runs slowest.
    struct Axes {
        bool token_outer;
        std::uint32_t n_outer, n_inner;
    };
    static Axes axes_of(const KvLayout& layout) {
        const bool token_outer = layout.order == KvOrder::TokenMajor;
        return {token_outer, token_outer ? layout.block_size : layout.n_kv_heads,
                token_outer ? layout.n_kv_heads : layout.block_size};
    }

    void order(const KvLayout& layout, float y) {
        const Texts& text = ask_.text;
        const Axes axes = axes_of(layout);
        const float head_y = y;
        sheet_.block_head("order", y, 26 * scale_ + 4,
                          text[axes.token_outer ? "figure.byte_map.token_major"_t
                                                : "figure.byte_map.head_major"_t],
                          text[axes.token_outer ? "figure.byte_map.token_major.how"_t
                                                : "figure.byte_map.head_major.how"_t]);
        place(layout, axes);
        y += 40 * scale_;
        groups(axes, y);
        y += 52 * scale_;
        side(layout, axes, Side::K, y);
        const float box = 64 * scale_;
        if (shows_way()) way(layout, axes, y + box + 4 * scale_);
        y += box + 44 * scale_;
        side(layout, axes, Side::V, y);
        if (shows_places()) places(layout, axes, head_y, y - box - 44 * scale_);
        if (shows_way()) sum(layout, axes, y + box + 16 * scale_);
    }

    // Where the vectors stand: gaps between vectors, larger ones between the outer groups.
    void place(const KvLayout& layout, const Axes& axes) {
        const float label = 34;
        x0_ = sheet_.left() + label;
        const auto n = static_cast<float>(axes.n_outer * axes.n_inner);
        // Two more gaps are shared by the outer groups, however many there are.
        const float extra =
            axes.n_outer > 1 ? 2 * kVectorGap / static_cast<float>(axes.n_outer - 1) : 0;
        const float room =
            sheet_.right() - x0_ - (n - 1) * kVectorGap - (axes.n_outer > 1 ? 2 * kVectorGap : 0);
        byte_ = room / (n * static_cast<float>(layout.k.dim * element_bytes()));
        vector_ = byte_ * static_cast<float>(layout.k.dim * element_bytes());
        outer_gap_ = extra;
    }
    float vector_x(const Axes& axes, std::uint32_t outer, std::uint32_t inner) const {
        return x0_ + static_cast<float>(outer * axes.n_inner + inner) * (vector_ + kVectorGap) +
               static_cast<float>(outer) * outer_gap_;
    }

    // Where the key of the last token lies: a frame for each unbroken run, and how many there are.
    void places(const KvLayout& layout, const Axes& axes, float head_y, float y) {
        const std::uint32_t last = layout.block_size - 1;
        const std::uint32_t runs = axes.token_outer ? 1 : axes.n_outer;
        for (std::uint32_t r = 0; r < runs; ++r) {
            const float x = axes.token_outer ? vector_x(axes, last, 0) : vector_x(axes, r, last);
            const float end =
                vector_ + (axes.token_outer ? vector_x(axes, last, axes.n_inner - 1) : x);
            sheet_.brackets("place", {x, y, end - x, 64 * scale_}).from = kPlaces;
        }
        sheet_
            .words("places", {sheet_.right() - 220, head_y, 220, 26 * scale_ + 4},
                   {{fill(ask_.text["figure.byte_map.token"_t], {{"n", with_commas(last)}}),
                     Font::Semibold, 14, Ink::Strong},
                    {"×" + with_commas(runs), Font::MonoBold, 18, Ink::Strong, 10}},
                   Edge::Right)
            .from = kPlaces;
    }

    void groups(const Axes& axes, float y) {
        const auto named = [&](bool token, std::uint32_t n) {
            return fill(ask_.text[token ? "figure.byte_map.token"_t : "figure.byte_map.head"_t],
                        {{"n", with_commas(n)}});
        };
        for (std::uint32_t o = 0; o < axes.n_outer; ++o) {
            const float x = vector_x(axes, o, 0);
            const float end = vector_x(axes, o, axes.n_inner - 1) + vector_;
            sheet_
                .box("outer", {x, y, end - x, 24 * scale_}, Look::Outline,
                     {{named(axes.token_outer, o), Font::Semibold, 12, Ink::Strong}})
                .names = true;
            for (std::uint32_t i = 0; i < axes.n_inner; ++i) {
                const float inner = vector_x(axes, o, i);
                sheet_
                    .words("inner", {inner, y + 26 * scale_, vector_, 20 * scale_ + 3},
                           {{vector_ < kLeastNamed ? Text(with_commas(i))
                                                   : named(!axes.token_outer, i),
                             Font::Regular, 12, Ink::Plain}},
                           Edge::Center)
                    .names = true;
                sheet_.box("inner.rule", {inner, y + 49 * scale_, vector_, 1}, Look::Rule);
            }
        }
    }

    void side(const KvLayout& layout, const Axes& axes, Side side, float y) {
        const bool keys = side == Side::K;
        sheet_.words("side", {sheet_.left(), y, 30, 64 * scale_},
                     {{keys ? "K" : "V", Font::Bold, 20, keys ? Ink::K : Ink::V}});
        for (std::uint32_t o = 0; o < axes.n_outer; ++o)
            for (std::uint32_t i = 0; i < axes.n_inner; ++i) {
                const std::uint32_t token = axes.token_outer ? o : i,
                                    head = axes.token_outer ? i : o;
                const auto at =
                    layout.vector_offset(LayerId(0), side, HeadId(head), BlockId(0), Slot(token));
                vector(vector_x(axes, o, i), y, keys, at, token, head, layout.k.dim);
            }
    }

    void vector(float x, float y, bool keys, std::uint64_t offset, std::uint32_t token,
                std::uint32_t head, std::uint32_t dims) {
        const float w = byte_ * static_cast<float>(element_bytes()), h = 64 * scale_;
        // Before the answer the first vector alone says how bytes are counted.
        const bool counted = shows_way() || (keys && offset == 0);
        const std::uint64_t last = offset + u64{dims - 1} * element_bytes();
        const bool fits = kDigitWide * static_cast<float>(with_commas(last).size()) <= w;
        for (std::uint32_t d = 0; d < dims; ++d) {
            const Rect box{x + w * static_cast<float>(d), y, w, h};
            Piece& cell = sheet_.box(keys ? "k" : "v", box, keys ? Look::KeyWash : Look::ValueWash);
            cell.radius = 0;
        }
        // Where numbers are narrow, the vector says where it begins, and no line runs through that.
        if (counted && !fits) {
            const Rect below{x, y + h / 2, w * static_cast<float>(dims), h / 2};
            sheet_.box("begin", below, keys ? Look::KeyWash : Look::ValueWash).radius = 0;
            addresses({x, y, below.w, h}, offset);
        }
        for (std::uint32_t d = 0; d < dims; ++d) {
            const Rect box{x + w * static_cast<float>(d), y, w, h};
            const bool asked =
                keys && token == facts_.token && head == facts_.head && d == facts_.dim;
            const Text name = "d" + with_commas(d);
            sheet_
                .words("dim", {box.x, y, w, h / 2}, {{name, Font::Regular, 12, Ink::Plain}},
                       Edge::Center)
                .names = true;
            const std::uint64_t first = offset + u64{d} * element_bytes();
            if (counted && fits) addresses(box, first);
            if (!asked) continue;
            sheet_.brackets("asked.mark", box);
            if (!shows_way()) continue;
            Piece& found = sheet_.box("asked", box, Look::Key);
            found.radius = 0, found.from = kDim;
            sheet_
                .words("asked.dim", {box.x, y, w, h / 2}, {{name, Font::Bold, 12, Ink::OnHue}},
                       Edge::Center)
                .from = kDim;
            if (fits) addresses(box, first, Ink::OnHue, kDim);
        }
    }

    // Writes the address of each byte where they fit, else of the first one.
    void addresses(const Rect& box, std::uint64_t first, Ink ink = Ink::Strong,
                   std::uint32_t from = 0) {
        const std::uint32_t n = byte_ >= 19 ? element_bytes() : 1;
        const float w = box.w / static_cast<float>(n);
        for (std::uint32_t b = 0; b < n; ++b) {
            const Rect at{box.x + w * static_cast<float>(b), box.y + box.h / 2, w, box.h / 2};
            Piece& address = sheet_.words(
                "address", at, {{with_commas(first + b), Font::Mono, 12, ink}}, Edge::Center);
            address.names = true, address.from = from;
        }
    }

    struct Term {
        std::uint32_t times;
        std::uint64_t stride;
        Text name;
    };
    List<Term> terms(const KvLayout& layout, const Axes& axes) const {
        const Text token =
            fill(ask_.text["figure.byte_map.token"_t], {{"n", with_commas(facts_.token)}});
        const Text head =
            fill(ask_.text["figure.byte_map.head"_t], {{"n", with_commas(facts_.head)}});
        const Term of_token{facts_.token, layout.slot_stride(Side::K), token};
        const Term of_head{facts_.head, layout.head_stride(Side::K), head};
        const Term of_dim{
            facts_.dim, element_bytes(),
            fill(ask_.text["figure.byte_map.element"_t], {{"n", with_commas(facts_.dim)}})};
        return axes.token_outer ? List<Term>{of_token, of_head, of_dim}
                                : List<Term>{of_head, of_token, of_dim};
    }

    // One arrow for each term that is not zero.
    void way(const KvLayout& layout, const Axes& axes, float y) {
        const std::uint32_t outer = axes.token_outer ? facts_.token : facts_.head;
        const std::uint32_t inner = axes.token_outer ? facts_.head : facts_.token;
        const float w = byte_ * static_cast<float>(element_bytes());
        const float stops[] = {x0_, vector_x(axes, outer, 0), vector_x(axes, outer, inner),
                               vector_x(axes, outer, inner) + w * static_cast<float>(facts_.dim)};
        const List<Term> all = terms(layout, axes);
        const float mid = y + 17 * scale_;
        float beside = stops[3] + 8;  // words of arrows that are too short for them
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            if (all[i].times == 0) continue;
            const Text words =
                with_commas(all[i].times) + " × " + with_commas(all[i].stride) + " B";
            const bool fits = stops[i + 1] - stops[i] > 110;
            sheet_
                .span("way", {stops[i], mid}, {stops[i + 1], mid},
                      fits ? List<Word>{{words, Font::MonoBold, 13, Ink::Strong}} : List<Word>())
                .from = kOuter + i;
            if (fits) continue;
            const float wide = kMonoWide * static_cast<float>(words.size()) + 24;
            sheet_
                .words("way.words", {beside, mid - 10, wide, 20},
                       {{words, Font::MonoBold, 13, Ink::Strong}})
                .from = kOuter + i;
            beside += wide;
        }
    }

    void sum(const KvLayout& layout, const Axes& axes, float y) {
        const float h = 36 * std::max(scale_, 0.8f);
        const bool narrow = sheet_.is_narrow();
        float x = x0_;
        const auto term = [&](const Text& value, const Text& name, float w, float name_w,
                              std::uint32_t key) {
            sheet_
                .box("term", {x, y, w, h}, Look::Outline,
                     {{value, Font::MonoBold, narrow ? 13.0f : 15.0f, Ink::Strong}})
                .from = key;
            sheet_
                .words("term.name", {x + w + 8, y, name_w, h},
                       {{name, Font::Regular, narrow ? 12.0f : 14.0f}})
                .from = key;
            x += w + 8 + name_w;
        };
        const auto sign = [&](const char* words, std::uint32_t key) {
            sheet_.words("sign", {x, y, 26, h}, {{words, Font::Mono, 15}}, Edge::Center).from = key;
            x += 30;
        };
        const float box = narrow ? 84 : 106, name = narrow ? 70 : 84;
        std::uint64_t at = layout.plane_offset(LayerId(0), Side::K);
        term(with_commas(at), ask_.text["figure.byte_map.base_of_k"_t], narrow ? 40.0f : 54.0f,
             name, kBase);
        std::uint32_t key = kOuter;
        for (const Term& one : terms(layout, axes)) {
            sign("+", key);
            term(with_commas(one.times) + " × " + with_commas(one.stride) + " B", one.name, box,
                 key == kDim ? 46 : name, key);
            at += one.times * one.stride;
            ++key;
        }
        sign("=", kDim);
        sheet_
            .box("address.sum", {x, y, 54, h}, Look::Key,
                 {{with_commas(at), Font::MonoBold, 15, Ink::OnHue}})
            .from = kDim;
    }

    const ByteMapFacts& facts_;
    const Ask& ask_;
    Sheet sheet_;
    float scale_ = 1, x0_ = 0, byte_ = 0, vector_ = 0, outer_gap_ = 0;
};

}  // namespace

Keys keys_of(const ByteMapFacts& facts) {
    const bool now = facts.address == FigureWhen::Now;
    const std::uint32_t last = !now ? 0 : facts.places == FigureWhen::Now ? kPlaces : kDim;
    return {.first = now ? kBase : 0,
            .opens = last,
            .last = last,
            .end = facts.places == FigureWhen::Never ? kDim : kPlaces};
}

Plan layout_byte_map(const ByteMapFacts& facts, const Ask& ask) {
    return ByteMap(facts, ask).plan();
}

}  // namespace kv::figure
