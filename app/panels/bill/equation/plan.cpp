#include "app/panels/bill/equation/plan.hpp"

#include <algorithm>

#include "core/base/numbers/text.hpp"
#include "core/cost/cache/vector_bytes.hpp"

namespace kv {
namespace {

// What one term is about: the layers, the side, and its stored vectors.
struct Subject {
    const BillView& view;
    const Texts& text;
    const PayloadTerm& term;

    bool latent() const { return std::holds_alternative<LatentCache>(term.layer); }
    bool values() const { return term.side == Side::V; }
    const Codec& codec() const { return values() ? view.codecs.v : view.codecs.k; }
    u64 elements() const {
        if (const auto* latent = std::get_if<LatentCache>(&term.layer))
            return latent->width() + latent->d_index;
        return values() ? heads().d_v : heads().d_k;
    }
    KvHeads heads() const { return heads_of(view.shape.cache, term.layer); }
};

EquationFactor factor_of(BillFactor factor, u64 amount, Text label, Text meaning) {
    return {factor, static_cast<double>(amount), with_commas(amount), std::move(label),
            std::move(meaning)};
}

EquationFactor layers_factor(const Subject& s) {
    const bool all = s.term.layers == s.view.shape.n_layers();
    const auto* window = std::get_if<WindowCache>(&s.term.layer);
    const TextId label = all || s.latent()           ? "equation.layers"_t
                         : window && window->chunked ? "equation.chunk_layers"_t
                         : window                    ? "equation.window_layers"_t
                                                     : "equation.full_layers"_t;
    return factor_of(BillFactor::Layers, s.term.layers, s.text[label],
                     s.text["equation.layers.why"_t]);
}

EquationFactor heads_factor(const Subject& s) {
    const u64 kv_heads = s.heads().n_kv_heads;
    return factor_of(BillFactor::KvHeads, kv_heads, s.text["equation.kv_heads"_t],
                     fill(s.text["equation.kv_heads.why"_t],
                          {{"n", with_commas(group_size(s.view.shape.n_heads, kv_heads))}}));
}

EquationFactor width_factor(const Subject& s) {
    if (const auto* latent = std::get_if<LatentCache>(&s.term.layer)) {
        return factor_of(
            BillFactor::HeadDim, s.elements(), s.text["equation.latent"_t],
            fill(s.text["equation.latent.why"_t],
                 {{"c", with_commas(latent->d_c)}, {"rope", with_commas(latent->d_rope)}}));
    }
    const bool differ = s.heads().d_k != s.heads().d_v;
    const TextId label = !differ      ? "equation.head_dim"_t
                         : s.values() ? "equation.value_dim"_t
                                      : "equation.key_dim"_t;
    return factor_of(BillFactor::HeadDim, s.elements(), s.text[label],
                     s.text["equation.head_dim.why"_t]);
}

EquationFactor value_factor(const Subject& s) {
    EquationFactor f;
    f.factor = BillFactor::ValueBytes;
    f.amount = static_cast<double>(s.codec().bits()) / 8;
    f.value = round_trip(f.amount);
    if (f.value.ends_with(".0")) f.value.resize(f.value.size() - 2);
    f.value += " B";
    f.label = s.text["equation.per_value"_t];
    f.meaning = fill(s.text["equation.per_value.why"_t], {{"codec", codec_label(s.codec())}});
    return f;
}

// Width times bytes, where that is no whole number of bytes for each value.
EquationFactor vector_factor(const Subject& s) {
    const u64 payload =
        vector_bytes(s.codec(), s.values() ? Side::V : Side::K, s.elements()).payload;
    EquationFactor f =
        factor_of(BillFactor::ValueBytes, payload, s.text["equation.per_vector"_t],
                  fill(s.text["equation.per_vector.why"_t],
                       {{"n", with_commas(s.elements())}, {"codec", codec_label(s.codec())}}));
    f.value += " B";
    return f;
}

// All tokens of one head, for a codec that does not treat every token alike.
EquationFactor head_factor(const Subject& s) {
    const u64 bytes =
        head_bytes(s.codec(), s.values() ? Side::V : Side::K, s.elements(), s.term.kept);
    EquationFactor f =
        factor_of(BillFactor::ValueBytes, bytes, s.text["equation.per_head"_t],
                  fill(s.text["equation.per_head.why"_t],
                       {{"n", with_commas(s.term.kept)}, {"codec", codec_label(s.codec())}}));
    f.value += " B";
    return f;
}

EquationFactor tokens_factor(const Subject& s) {
    const bool all = s.term.kept == s.view.in.tokens;
    return factor_of(BillFactor::Tokens, s.term.kept,
                     s.text[all ? "equation.tokens"_t : "equation.kept_tokens"_t],
                     s.text[all ? "equation.tokens.why"_t : "equation.kept_tokens.why"_t]);
}

void add_stored_factors(const Subject& s, List<EquationFactor>& factors) {
    if (s.codec().scale == ScaleMode::Kivi) {
        factors.push_back(head_factor(s));
        return;
    }
    if (s.codec().bits() * s.elements() % 8 == 0) {
        factors.push_back(width_factor(s));
        factors.push_back(value_factor(s));
    } else {
        factors.push_back(vector_factor(s));
    }
    factors.push_back(tokens_factor(s));
}

EquationTerm term_of(const Subject& s) {
    EquationTerm out{s.term.side, {}, s.term.bytes};
    if (!s.latent() && !s.term.side)
        out.factors.push_back(factor_of(BillFactor::Sides, 2, s.text["equation.sides"_t],
                                        s.text["equation.sides.why"_t]));
    out.factors.push_back(layers_factor(s));
    if (!s.latent()) out.factors.push_back(heads_factor(s));
    add_stored_factors(s, out.factors);
    out.factors.push_back(factor_of(BillFactor::Requests, s.view.in.batch,
                                    s.text["equation.requests"_t],
                                    s.text["equation.requests.why"_t]));
    return out;
}

EquationRow row_of(const BillView& view, std::string_view result, Text label, u64 bytes) {
    EquationRow row;
    row.result = result;
    row.label = std::move(label);
    row.detail = bytes >= 1000 ? view.bytes(bytes) : "";
    row.value = bytes_exact(bytes);
    row.bytes = bytes;
    return row;
}

EquationRow empty_row(const BillView& view, const Texts& text, const Occupancy& held) {
    const TextId label = held.empty == 0                      ? "equation.empty_none"_t
                         : is_windowed(view.shape.cache)      ? "equation.empty_window"_t
                         : held.empty_slots_per_sequence == 1 ? "equation.empty_one"_t
                                                              : "equation.empty"_t;
    EquationRow row =
        row_of(view, {}, fill(text[label], {{"n", with_commas(held.empty_slots_per_sequence)}}),
               held.empty);
    row.detail.clear();
    row.waste = held.empty > 0;
    return row;
}

// What a card of several keeps, after what all of them do.
void add_card_row(const BillView& view, const Texts& text, EquationPlan& plan) {
    if (view.split.cards() == 1) return;
    const bool has_heads = count_head_layers(view.card) > 0;
    plan.rows.push_back(
        row_of(view, "rank_bytes",
               fill(text[has_heads ? "equation.card_heads"_t : "equation.card_layers"_t],
                    {{"heads", with_commas(view.card.n_kv_heads)},
                     {"layers", with_commas(view.card.n_layers())}}),
               view.whole("rank_bytes")));
    plan.rows.back().detail.clear();
}

void add_rows(const BillView& view, const Texts& text, EquationPlan& plan) {
    const u64 states = total_state_bytes(view.shape.cache) * view.in.batch;
    if (!view.held) {
        plan.rows.push_back(row_of(view, states > 0 ? "" : "kv_bytes", text["equation.cache"_t],
                                   view.whole("kv_bytes") - states));
        plan.rows.back().strong = true;
        if (states > 0) plan.rows.push_back(row_of(view, {}, text["equation.states"_t], states));
        plan.note = text["equation.beside_pages"_t];
        return;
    }
    const Occupancy& held = *view.held;
    const bool scaled = held.scales > 0;
    plan.rows.push_back(row_of(view, scaled || states > 0 ? "" : "kv_bytes",
                               text["equation.payload"_t], held.payload));
    plan.rows.back().strong = true;
    if (scaled) plan.rows.push_back(row_of(view, {}, text["equation.scales"_t], held.scales));
    if (states > 0) plan.rows.push_back(row_of(view, {}, text["equation.states"_t], states));
    plan.rows.push_back(empty_row(view, text, held));
    plan.rows.push_back(
        row_of(view, states > 0 ? "" : "allocated_bytes",
               fill(text[states > 0 ? "equation.allocated_states"_t : "equation.allocated"_t],
                    {{"n", with_commas(held.blocks)}, {"bytes", view.bytes(held.block_bytes)}}),
               held.allocated + states));
    plan.rows.back().detail.clear();
    plan.rows.back().total = true;
}

bool alike(const EquationFactor& a, const EquationFactor& b) {
    return a.factor == b.factor && a.label == b.label && a.amount == b.amount;
}

bool has_alike(std::span<const EquationFactor> factors, const EquationFactor& one) {
    return std::any_of(factors.begin(), factors.end(),
                       [&](const EquationFactor& f) { return alike(f, one); });
}

}  // namespace

std::optional<FactoredTerms> factored(std::span<const EquationTerm> terms) {
    if (terms.size() != 2 || !terms[0].side || !terms[1].side) return std::nullopt;
    FactoredTerms out;
    for (const EquationTerm& term : terms) out.apart.push_back({term.side, {}, term.bytes});
    for (std::size_t i = 0; i < 2; ++i) {
        for (const EquationFactor& factor : terms[i].factors) {
            const bool shared = has_alike(terms[1 - i].factors, factor);
            if (!shared) out.apart[i].factors.push_back(factor);
            if (shared && i == 0) out.common.push_back(factor);
        }
    }
    if (out.common.empty() || out.apart[0].factors.empty()) return std::nullopt;
    return out;
}

EquationPlan plan_equation(const BillView& view, const Texts& text) {
    EquationPlan plan;
    const auto terms = payload_terms(view.shape.cache, view.codecs, view.in.tokens, view.in.batch);
    for (const PayloadTerm& term : terms) plan.terms.push_back(term_of({view, text, term}));
    add_rows(view, text, plan);
    add_card_row(view, text, plan);
    const u64 resident = resident_tokens(view.in.batch, view.in.tokens);
    plan.same_with = fill(text["equation.same_with"_t], {{"n", with_commas(resident)}});
    return plan;
}

}  // namespace kv
