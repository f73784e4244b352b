#include "app/panels/compare_bills/view.hpp"

#include <algorithm>
#include <array>

#include "core/base/numbers/decimal.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/cache/capacity.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 5> kCosts{"bytes_per_token", "request_bytes", "kv_bytes",
                                                 "allocated_bytes", "weight_bytes"};

std::optional<BillRow> row_named(const BillView& view, std::string_view result, const Texts& text) {
    for (const auto& rows : {bill_rows(view, text), extra_rows(view, text)}) {
        const auto it = std::find_if(rows.begin(), rows.end(),
                                     [result](const BillRow& row) { return row.result == result; });
        if (it != rows.end()) return *it;
    }
    return std::nullopt;
}

}  // namespace

std::optional<CompareView> view_compare(const BillInputs& in, std::string& why) {
    auto left = view_bill(in, BillSide::Left, why);
    if (!left) return std::nullopt;
    auto right = view_bill(in, BillSide::Right, why);
    if (!right) return std::nullopt;
    return CompareView{std::move(*left), std::move(*right)};
}

List<SentencePiece> load_sentence(const BillInputs& in, const Texts& text) {
    const Text tokens = with_commas(in.tokens), batch = with_commas(in.batch);
    const TextId id = in.batch == 1 ? "compare.load.one"_t : "compare.load.many"_t;
    return pieces(text[id], {{"tokens", tokens}, {"batch", batch}});
}

Text ratio_text(u64 larger, u64 smaller) {
    const double ratio = 1 / used_share(smaller, larger);
    return group_thousands(fixed(ratio, ratio < 1.1 ? 3 : ratio < 100 ? 1 : 0));
}

List<SentencePiece> verdict_sentence(const CompareView& view, const Texts& text) {
    const u64 left = view.left.whole("kv_bytes"), right = view.right.whole("kv_bytes");
    const TextId id = left == right  ? "compare.same"_t
                      : left < right ? "compare.right_more"_t
                                     : "compare.left_more"_t;
    return pieces(text[id], {{"left", view.left.bytes(left)},
                             {"right", view.right.bytes(right)},
                             {"ratio", ratio_text(std::max(left, right), std::min(left, right))}});
}

List<CostRow> cost_rows(const CompareView& view, BillSide side, const Texts& text) {
    List<CostRow> out;
    for (const std::string_view name : kCosts) {
        auto row = row_named(view.of(side), name, text);
        if (!row) continue;
        const u64 own = view.of(side).whole(name);
        const Derived* other = view.beside(side).find(name);
        const u64 full = std::max(own, other ? other->whole() : own);
        CostRow cost{std::move(*row), used_share(own, full), std::nullopt};
        if (other) cost.other_share = used_share(other->whole(), full);
        out.push_back(std::move(cost));
    }
    return out;
}

Text sharing_text(const ModelShape& model, const AttentionOption& option, const Texts& text) {
    switch (option.kind) {
        case AttentionKind::Mha:
            return text["compare.mha"_t];
        case AttentionKind::Mqa:
            return text["compare.mqa"_t];
        case AttentionKind::Latent:
            return text["compare.mla"_t];
        case AttentionKind::Gqa:
            break;
    }
    ModelShape grouped = model;
    grouped.cache = option.cache;
    return fill(text["compare.gqa"_t], {{"n", with_commas(grouped.group_size())}});
}

Text heads_text(const ModelShape& shape, const Texts& text) {
    const TextId id = is_latent(shape.cache)        ? "compare.heads.latent"_t
                      : shape.cache.n_kv_heads == 1 ? "compare.heads.one"_t
                                                    : "compare.heads.counts"_t;
    return fill(text[id],
                {{"q", with_commas(shape.n_heads)}, {"kv", with_commas(shape.cache.n_kv_heads)}});
}

}  // namespace kv
