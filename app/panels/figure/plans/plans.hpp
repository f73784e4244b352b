#pragma once
// The plan of each lesson figure, and how many keys it has. Pure: the same facts, size and reveal
// give the same plan, and a key only chooses among its pieces.

#include "app/panels/figure/plan/plan.hpp"
#include "core/lesson/figures/facts.hpp"

namespace kv::figure {

Keys keys_of(const WithoutCacheFacts& facts);
Plan layout_without_cache(const WithoutCacheFacts& facts, const Ask& ask);

Keys keys_of(const ByteMapFacts& facts);
Plan layout_byte_map(const ByteMapFacts& facts, const Ask& ask);

Keys keys_of(const WiringFacts& facts);
Plan layout_wiring(const WiringFacts& facts, const Ask& ask);

Keys keys_of(const ChangedFacts& facts);
Plan layout_changed(const ChangedFacts& facts, const Ask& ask);

Keys keys_of(const TwoSumsFacts& facts);
Plan layout_two_sums(const TwoSumsFacts& facts, const Ask& ask);

Keys keys_of(const TextFacts& facts);
Plan layout_text(const TextFacts& facts, const Ask& ask);

Keys keys_of(const VectorsFacts& facts);
Plan layout_vectors(const VectorsFacts& facts, const Ask& ask);

Keys keys_of(const PassesFacts& facts);
Plan layout_passes(const PassesFacts& facts, const Ask& ask);

Keys keys_of(const AttendRowFacts& facts);
Plan layout_attend_row(const AttendRowFacts& facts, const Ask& ask);

Keys keys_of(const BitsFacts& facts);
Plan layout_bits(const BitsFacts& facts, const Ask& ask);

Keys keys_of(const SectorsFacts& facts);
Plan layout_sectors(const SectorsFacts& facts, const Ask& ask);

Keys keys_of(const BarsFacts& facts);
Plan layout_bars(const BarsFacts& facts, const Ask& ask);

Keys keys_of(const FactorsFacts& facts);
Plan layout_factors(const FactorsFacts& facts, const Ask& ask);

Keys keys_of(const SeriesFacts& facts);
Plan layout_series(const SeriesFacts& facts, const Ask& ask);

Keys keys_of(const BlocksFacts& facts);
Plan layout_blocks(const BlocksFacts& facts, const Ask& ask);

Keys keys_of(const LanesFacts& facts);
Plan layout_lanes(const LanesFacts& facts, const Ask& ask);

Keys keys_of(const RooflineFacts& facts);
Plan layout_roofline(const RooflineFacts& facts, const Ask& ask);

// The plans of the room lossy.
Keys keys_of(const OutlierFacts& facts);
Plan layout_outlier(const OutlierFacts& facts, const Ask& ask);

Keys keys_of(const ResidualFacts& facts);
Plan layout_residual(const ResidualFacts& facts, const Ask& ask);

Keys keys_of(const FieldsFacts& facts);
Plan layout_fields(const FieldsFacts& facts, const Ask& ask);

Keys keys_of(const SinkFacts& facts);
Plan layout_sink(const SinkFacts& facts, const Ask& ask);

Keys keys_of(const HeavyFacts& facts);
Plan layout_heavy(const HeavyFacts& facts, const Ask& ask);

Keys keys_of(const ObservedFacts& facts);
Plan layout_observed(const ObservedFacts& facts, const Ask& ask);

Keys keys_of(const RanksFacts& facts);
Plan layout_ranks(const RanksFacts& facts, const Ask& ask);

Keys keys_of(const ServiceFacts& facts);
Plan layout_service(const ServiceFacts& facts, const Ask& ask);

Keys keys_of(const BatchFacts& facts);
Plan layout_batch(const BatchFacts& facts, const Ask& ask);

Keys keys_of(const LayersFacts& facts);
Plan layout_layers(const LayersFacts& facts, const Ask& ask);

Keys keys_of(const BoundsFacts& facts);
Plan layout_bounds(const BoundsFacts& facts, const Ask& ask);

Keys keys_of(const StagesFacts& facts);
Plan layout_stages(const StagesFacts& facts, const Ask& ask);

Keys keys_of(const TwoTextsFacts& facts);
Plan layout_two_texts(const TwoTextsFacts& facts, const Ask& ask);

}  // namespace kv::figure
