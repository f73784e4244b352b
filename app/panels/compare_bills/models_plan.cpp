#include <algorithm>

#include "app/panels/compare_bills/models.hpp"
#include "app/panels/view/byte_axis.hpp"
#include "app/panels/view/real.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/groups.hpp"
#include "core/cost/growth.hpp"

namespace kv {
namespace {

constexpr int kModelIntervals = 4;

KeptKind kept_kind(const CacheGroup& group) {
    if (group.kind() == "window" || group.kind() == "chunk") return KeptKind::Window;
    if (group.kind() == "latent") return KeptKind::Latent;
    return group.kind() == "state" ? KeptKind::State : KeptKind::All;
}

ModelBar bar_of(const ComparedModel& model, const ComparedModels& all, const Texts& text) {
    ModelBar bar;
    bar.title = model.title;
    for (const CacheGroup& group : cache_groups(model.cache)) {
        const u64 bytes = group_bytes(model.cache, group, model.codecs, all.tokens, all.batch);
        if (bytes == 0) continue;
        const KeptKind kind = kept_kind(group);
        const auto part = std::find_if(bar.parts.begin(), bar.parts.end(),
                                       [kind](const ModelPart& p) { return p.kind == kind; });
        if (part == bar.parts.end()) {
            bar.parts.push_back({kind, bytes});
        } else {
            part->bytes += bytes;
        }
    }
    std::sort(bar.parts.begin(), bar.parts.end(),
              [](const ModelPart& a, const ModelPart& b) { return a.kind < b.kind; });
    bar.bytes = kv_bytes(model.cache, model.codecs, all.tokens, all.batch);
    bar.full_bytes = kv_bytes(all_layers_full(model.cache), model.codecs, all.tokens, all.batch);
    bar.value = bytes_binary(bar.bytes);
    if (bar.full_bytes > bar.bytes)
        bar.ghost = fill(text["compared.ghost"_t], {{"bytes", bytes_binary(bar.full_bytes)}});
    for (const GrowthPoint& point :
         growth_curve(model.cache, model.codecs, all.batch, all.tokens)) {
        bar.tokens.push_back(real(point.resident_tokens) / real(all.batch));
        bar.sizes.push_back(real(point.bytes));
    }
    return bar;
}

bool has_kind(const std::vector<ModelBar>& bars, KeptKind kind) {
    return std::any_of(bars.begin(), bars.end(), [kind](const ModelBar& bar) {
        return std::any_of(bar.parts.begin(), bar.parts.end(),
                           [kind](const ModelPart& p) { return p.kind == kind; });
    });
}

}  // namespace

ModelsPlan plan_models(const ComparedModels& compared, const Texts& text) {
    ModelsPlan plan;
    const std::string tokens = with_commas(compared.tokens), batch = with_commas(compared.batch);
    plan.head = fill(text["compared.head"_t], {{"tokens", tokens}, {"n", batch}});
    plan.chart_head = fill(text["compared.growth"_t], {{"n", batch}});
    for (const ComparedModel& model : compared.models) {
        plan.bars.push_back(bar_of(model, compared, text));
        const ModelBar& bar = plan.bars.back();
        plan.most_bytes = std::max({plan.most_bytes, real(bar.bytes), real(bar.full_bytes)});
        plan.max_bytes = std::max(plan.max_bytes, real(bar.bytes));
    }
    for (std::size_t kind = 0; kind < kKeptKinds; ++kind) {
        if (has_kind(plan.bars, KeptKind(kind))) plan.kinds.push_back(KeptKind(kind));
    }
    plan.max_tokens = real(compared.tokens);
    const auto ticks = round_ticks(plan.max_bytes, kModelIntervals, true);
    for (const double at : ticks)
        plan.byte_marks.push_back({at, bytes_binary(static_cast<u64>(at))});
    plan.max_bytes = ticks.back();
    for (const double at : round_ticks(plan.max_tokens, kModelIntervals, true)) {
        if (at <= plan.max_tokens)
            plan.token_marks.push_back({at, with_commas(static_cast<u64>(at))});
    }
    return plan;
}

}  // namespace kv
