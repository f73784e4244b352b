#include "app/panels/figure/table.hpp"

#include <array>

#include "app/panels/figure/data.hpp"
#include "core/lesson/figures/figures.hpp"

namespace kv::figure {
namespace {

template <class Facts, Plan (*layout)(const Facts&, const Ask&),
          std::vector<DataTable> (*data)(const Facts&, bool)>
consteval Row row(std::string_view name) {
    return {
        .name = name,
        .word = text_id("figure.", name, ".word"),
        .leaves = text_id("figure.", name, ".leaves"),
        .keys = [](const FigureFacts& f) { return keys_of(std::get<Facts>(f)); },
        .plan = [](const FigureFacts& f, const Ask& a) { return layout(std::get<Facts>(f), a); },
        .tables = [](const FigureFacts& f, bool r) { return data(std::get<Facts>(f), r); }};
}

constexpr std::array kRows{
    row<WithoutCacheFacts, layout_without_cache, without_cache_tables>("without_cache"),
    row<ByteMapFacts, layout_byte_map, byte_map_tables>("byte_map"),
    row<WiringFacts, layout_wiring, wiring_tables>("wiring"),
    row<ChangedFacts, layout_changed, changed_tables>("changed"),
    row<TwoSumsFacts, layout_two_sums, two_sums_tables>("two_sums"),
    row<TextFacts, layout_text, text_tables>("text"),
    row<VectorsFacts, layout_vectors, vectors_tables>("vectors"),
    row<PassesFacts, layout_passes, passes_tables>("passes"),
    row<AttendRowFacts, layout_attend_row, attend_row_tables>("attend_row"),
    row<BitsFacts, layout_bits, bits_tables>("bits"),
    row<SectorsFacts, layout_sectors, sectors_tables>("sectors"),
    row<BarsFacts, layout_bars, bars_tables>("bars"),
    row<FactorsFacts, layout_factors, factors_tables>("factors"),
    row<SeriesFacts, layout_series, series_tables>("series"),
    row<BlocksFacts, layout_blocks, blocks_tables>("blocks"),
    row<LanesFacts, layout_lanes, lanes_tables>("lanes"),
    row<RooflineFacts, layout_roofline, roofline_tables>("roofline"),
    row<ArenaFacts, layout_arena, arena_tables>("arena"),
    row<OutlierFacts, layout_outlier, outlier_tables>("outlier"),
    row<ResidualFacts, layout_residual, residual_tables>("residual"),
    row<FieldsFacts, layout_fields, fields_tables>("fields"),
    row<SinkFacts, layout_sink, sink_tables>("sink"),
    row<HeavyFacts, layout_heavy, heavy_tables>("heavy"),
    row<ObservedFacts, layout_observed, observed_tables>("observed"),
    row<RanksFacts, layout_ranks, ranks_tables>("ranks"),
    row<ServiceFacts, layout_service, service_tables>("service"),
    row<BatchFacts, layout_batch, batch_tables>("batch"),
    row<LayersFacts, layout_layers, layers_tables>("layers"),
    row<SharesFacts, layout_shares, shares_tables>("shares"),
    row<RadixFacts, layout_radix, radix_tables>("radix"),
    row<WalkFacts, layout_walk, walk_tables>("walk"),
    row<LastBlockFacts, layout_last_block, last_block_tables>("last_block"),
    row<BoundsFacts, layout_bounds, bounds_tables>("bounds"),
    row<HashesFacts, layout_hashes, hashes_tables>("hashes"),
    row<StretchesFacts, layout_stretches, stretches_tables>("stretches"),
    row<StagesFacts, layout_stages, stages_tables>("stages"),
    row<TwoTextsFacts, layout_two_texts, two_texts_tables>("two_texts"),
};
static_assert(kRows.size() == std::variant_size_v<AnyFigureFacts>);

}  // namespace

std::span<const Row> table() {
    return kRows;
}

const Row& row_of(const FigureFacts& facts) {
    return kRows[facts.index()];
}

}  // namespace kv::figure
