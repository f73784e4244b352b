#include "app/panels/charts/equation_plan.hpp"

#include <algorithm>
#include <utility>

#include "app/panels/view/facts.hpp"
#include "core/base/kv_head.hpp"
#include "core/base/letters.hpp"
#include "core/base/numbers/text.hpp"
#include "core/model/model_source.hpp"

namespace kv {
namespace {

// One side as the model's shape and the chosen codec have it; the layout has no say in it.
struct FormulaSide {
    std::uint64_t dim = 0;
    KvVector vector;
    bool even() const { return dim * vector.element_bits == 8ull * vector.bytes; }
    bool same_as(const FormulaSide& other) const {
        return dim == other.dim && vector.bytes == other.vector.bytes &&
               vector.element_bits == other.vector.element_bits;
    }
};
FormulaSide side_of(std::uint64_t dim, const Codec& codec, Side side) {
    return {dim, vector_of(codec, static_cast<std::uint32_t>(dim), side)};
}

struct Formula {
    std::uint64_t layers, kv_heads;
    FormulaSide k, v;
    std::uint64_t per_token(std::uint64_t heads) const {
        return layers * heads * (k.vector.bytes + v.vector.bytes);
    }
};
Formula formula_of(const RunView& run) {
    const ModelConfig& m = run.model;
    // Tokens are counted in each table; where there are several, a table is of one layer or head.
    const bool per_layer = run.lanes.scope != TableScope::Sequence;
    const bool per_head = run.lanes.scope == TableScope::Head;
    return {per_layer ? 1 : m.n_layers, per_head ? 1 : m.n_kv_heads,
            side_of(m.head_dim, run.k_codec, Side::K), side_of(m.v_head_dim, run.v_codec, Side::V)};
}

class Terms {
public:
    Terms(const Formula& formula, std::uint64_t tokens, const RunView& run, const Texts& text)
        : f_(formula), tokens_(tokens), run_(run), text_(text) {}

    List<EquationTerm> terms() const {
        if (f_.k.same_as(f_.v)) return {term({}, f_.k)};
        return {term(Side::K, f_.k), term(Side::V, f_.v)};
    }

private:
    EquationFactor factor(BillFactor what, std::uint64_t n, TextId label, Text why) const {
        return {what, static_cast<double>(n), with_commas(n), text_[label], std::move(why)};
    }

    EquationTerm term(std::optional<Side> side, const FormulaSide& s) const {
        EquationTerm out{side, {}, tokens_ * f_.layers * f_.kv_heads * s.vector.bytes};
        if (!side) {
            out.bytes *= 2;
            out.factors.push_back(
                factor(BillFactor::Sides, 2, "equation.sides"_t, text_["equation.sides.why"_t]));
        }
        out.factors.push_back(factor(BillFactor::Layers, f_.layers, "equation.layers"_t,
                                     text_["equation.layers.why"_t]));
        const std::uint32_t group =
            group_size(run_.model.n_heads, std::max<std::uint64_t>(1, f_.kv_heads));
        out.factors.push_back(
            factor(BillFactor::KvHeads, f_.kv_heads, "equation.kv_heads"_t,
                   fill(text_["equation.kv_heads.why"_t], {{"n", with_commas(group)}})));
        add_vector(side, s, out.factors);
        out.factors.push_back(
            factor(BillFactor::Tokens, tokens_, "equation.tokens"_t,
                   text_[run_.lanes.n_lanes() > 1 ? "run_equation.tokens.tables"_t
                                                  : "run_equation.tokens.why"_t]));
        return out;
    }

    // Elements times their bytes, or the whole vector where scales come on top.
    void add_vector(std::optional<Side> side, const FormulaSide& s,
                    List<EquationFactor>& factors) const {
        const Text codec = upper_case(codec_name(run_.codec(side.value_or(Side::K))));
        EquationFactor bytes;
        bytes.factor = BillFactor::ValueBytes;
        if (!s.even()) {
            bytes.amount = s.vector.bytes;
            bytes.value = with_commas(s.vector.bytes) + " B";
            bytes.label = text_["equation.per_vector"_t];
            bytes.meaning = fill(text_["equation.per_vector.why"_t],
                                 {{"n", with_commas(s.dim)}, {"codec", codec}});
            factors.push_back(std::move(bytes));
            return;
        }
        const TextId label = f_.k.dim == f_.v.dim ? "equation.head_dim"_t
                             : side == Side::V    ? "equation.value_dim"_t
                                                  : "equation.key_dim"_t;
        factors.push_back(
            factor(BillFactor::HeadDim, s.dim, label, text_["equation.head_dim.why"_t]));
        bytes.amount = s.vector.element_bits / 8.0;
        bytes.value = round_trip(bytes.amount);
        if (bytes.value.ends_with(".0")) bytes.value.resize(bytes.value.size() - 2);
        bytes.value += " B";
        bytes.label = text_["equation.per_value"_t];
        bytes.meaning = fill(text_["equation.per_value.why"_t], {{"codec", codec}});
        factors.push_back(std::move(bytes));
    }

    const Formula& f_;
    std::uint64_t tokens_;
    const RunView& run_;
    const Texts& text_;
};

EquationRow row_of(Text label, std::uint64_t bytes) {
    EquationRow row;
    row.label = std::move(label);
    row.value = bytes_exact(bytes);
    row.bytes = bytes;
    return row;
}

void add_rows(const RunBytes& bytes, const Texts& text, List<EquationRow>& rows) {
    rows.push_back(row_of(text["run_equation.live"_t], bytes.formula));
    rows.back().strong = true;
    rows.push_back(row_of(text["run_equation.measured"_t], bytes.measured));
    if (bytes.measured != bytes.formula) {
        const bool more = bytes.measured > bytes.formula;
        rows.push_back(
            row_of(text[more ? "run_equation.more"_t : "run_equation.less"_t],
                   more ? bytes.measured - bytes.formula : bytes.formula - bytes.measured));
        rows.back().waste = true;
    }
    const TextId empty =
        bytes.empty_slots == 0 ? "run_equation.empty_none"_t : "run_equation.empty"_t;
    rows.push_back(row_of(fill(text[empty], {{"n", with_commas(bytes.empty_slots)}}), bytes.empty));
    rows.back().waste = bytes.empty > 0;
    if (bytes.in_step > 0)
        rows.push_back(
            row_of(fill(text["run_equation.in_step"_t], {{"n", with_commas(bytes.layers_in_step)}}),
                   bytes.in_step));
    if (bytes.dead_slots > 0) {
        rows.push_back(row_of(
            fill(text["run_equation.dead"_t], {{"n", with_commas(bytes.dead_slots)}}), bytes.dead));
        rows.back().waste = true;
    }
    rows.push_back(
        row_of(fill(text["equation.allocated"_t],
                    {{"n", with_commas(bytes.blocks)}, {"bytes", with_commas(bytes.block_bytes)}}),
               bytes.allocated));
    rows.back().total = true;
}

AttentionKind kind_of(std::uint64_t heads, std::uint64_t all) {
    if (heads == all) return AttentionKind::Mha;
    return heads == 1 ? AttentionKind::Mqa : AttentionKind::Gqa;
}

// The kept slots of a request that dropped nothing and shares nothing: whole blocks, and the last
// one.
std::uint64_t kept_in_order(const Table& table, std::uint32_t stored, std::uint32_t size) {
    const std::size_t whole = stored / size;
    std::uint64_t held = count_held(table);
    for (std::size_t entry = whole; entry < table.size(); ++entry)
        held -= table[entry].has_value() ? 1 : 0;
    const bool has_last = whole < table.size() && table[whole].has_value();
    return held * size + (has_last ? stored % size : 0);
}

// The slots of one lane's blocks in which some request keeps a token: counted from the tables, once
// for all who share a block.
std::uint64_t kept_slots_of(const Snapshot& now, std::size_t lane) {
    const std::uint32_t size = now.block_size;
    const bool any_shared = now.lanes[lane].shared > 0;
    List<std::uint64_t> several;  // kept slots of blocks that more than one table names
    std::uint64_t sum = 0;
    const auto keeps = [&](const RequestView& r, std::size_t slot) {
        return slot < r.slots[lane].slots_taken(r.stored) &&
               !r.slots[lane].is_dropped(static_cast<std::uint32_t>(slot));
    };
    for (std::size_t i = 0; i < now.requests.size() && size > 0; ++i) {
        const RequestView& r = now.requests[i];
        if (lane >= r.tables.size()) continue;
        if (!any_shared && r.slots[lane].is_plain()) {
            sum += kept_in_order(r.tables[lane], r.stored, size);
            continue;
        }
        r.tables[lane].each([&](std::size_t entry, const TableEntry& block) {
            if (!block) return;
            const bool shared = now.lanes[lane].blocks[block->index()].ref_count > 1;
            const std::size_t first = entry * size;
            if (!shared && r.slots[lane].is_plain()) {
                sum +=
                    std::min<std::size_t>(size, r.stored - std::min<std::size_t>(first, r.stored));
                return;
            }
            for (std::uint32_t slot = 0; slot < size; ++slot) {
                if (!keeps(r, first + slot)) continue;
                if (shared)
                    several.push_back(block->index() * size + slot);
                else
                    ++sum;
            }
        });
    }
    std::sort(several.begin(), several.end());
    const auto once = std::unique(several.begin(), several.end());
    return sum + static_cast<std::uint64_t>(once - several.begin());
}

}  // namespace

std::uint64_t distinct_tokens(const Snapshot& now) {
    std::uint64_t sum = 0;
    for (std::size_t lane = 0; lane < now.lanes.size(); ++lane) sum += kept_slots_of(now, lane);
    return sum;
}

RunBytes bytes_of_run(const RunView& run) {
    const PoolCounts pool = count_pool(run.now);
    const std::uint64_t token = slot_bytes(run);
    const Formula formula = formula_of(run);
    RunBytes bytes;
    bytes.tokens = distinct_tokens(run.now);
    bytes.formula = bytes.tokens * formula.per_token(formula.kv_heads);
    bytes.measured = pool.live_slots * token;
    bytes.empty_slots = pool.empty_slots;
    bytes.empty = pool.empty_slots * token;
    for (const SeqId id : run.now.running) bytes.in_step += run.now.requests[id.index()].scheduled;
    bytes.layers_in_step = layers_written(run);
    bytes.in_step *=
        bytes_per_token(run.layout) / std::max(1u, run.layout.n_layers) * bytes.layers_in_step;
    bytes.dead_slots = pool.dead_slots, bytes.dead = pool.dead_slots * token;
    bytes.blocks = pool.used;
    bytes.block_bytes = block_bytes(run);
    bytes.allocated = bytes.blocks * bytes.block_bytes;
    return bytes;
}

List<u64> compared_kv_heads(const RunView& run) {
    constexpr u64 kShippedGroups = 2;
    const u64 heads = run.model.n_heads, own = run.layout.n_kv_heads;
    const std::string name = parse_model_source(run.model_name).name;
    const bool shipped = name == "mha" || name == "gqa" || name == "mqa";
    const bool grouped = own > 1 && own < heads;
    if (!shipped || grouped) return offered_kv_heads(heads, own);
    return {heads, kShippedGroups, 1};
}

RunEquation plan_run_equation(const RunView& run, const Texts& text) {
    RunEquation out;
    out.bytes = bytes_of_run(run);
    const Formula formula = formula_of(run);
    out.plan.terms = Terms(formula, out.bytes.tokens, run, text).terms();
    add_rows(out.bytes, text, out.plan.rows);
    out.plan.same_with = fill(text["equation.same_with"_t], {{"n", with_commas(out.bytes.tokens)}});
    if (run.lanes.n_lanes() > 1) return out;  // other heads would have kept other tokens
    for (const u64 heads : compared_kv_heads(run)) {
        AttentionOption option;
        option.kind = kind_of(heads, run.model.n_heads), option.kv_heads = heads;
        out.bars.push_back({attention_label(option, text),
                            out.bytes.tokens * formula.per_token(heads),
                            heads == formula.kv_heads});
    }
    return out;
}

}  // namespace kv
