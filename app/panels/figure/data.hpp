#pragma once
// The numbers of each lesson figure as tables, unrounded; without those that answer an open
// question.

#include <vector>

#include "app/export/data_table.hpp"
#include "core/lesson/figures/facts.hpp"

namespace kv::figure {

std::vector<DataTable> without_cache_tables(const WithoutCacheFacts& facts, bool revealed);
std::vector<DataTable> byte_map_tables(const ByteMapFacts& facts, bool revealed);
std::vector<DataTable> wiring_tables(const WiringFacts& facts, bool revealed);
std::vector<DataTable> changed_tables(const ChangedFacts& facts, bool revealed);
std::vector<DataTable> two_sums_tables(const TwoSumsFacts& facts, bool revealed);
std::vector<DataTable> text_tables(const TextFacts& facts, bool revealed);
std::vector<DataTable> vectors_tables(const VectorsFacts& facts, bool revealed);
std::vector<DataTable> passes_tables(const PassesFacts& facts, bool revealed);
std::vector<DataTable> attend_row_tables(const AttendRowFacts& facts, bool revealed);
std::vector<DataTable> bits_tables(const BitsFacts& facts, bool revealed);
std::vector<DataTable> sectors_tables(const SectorsFacts& facts, bool revealed);
std::vector<DataTable> bars_tables(const BarsFacts& facts, bool revealed);
std::vector<DataTable> factors_tables(const FactorsFacts& facts, bool revealed);
std::vector<DataTable> series_tables(const SeriesFacts& facts, bool revealed);
std::vector<DataTable> blocks_tables(const BlocksFacts& facts, bool revealed);
std::vector<DataTable> lanes_tables(const LanesFacts& facts, bool revealed);
std::vector<DataTable> roofline_tables(const RooflineFacts& facts, bool revealed);
std::vector<DataTable> stages_tables(const StagesFacts& facts, bool revealed);
std::vector<DataTable> two_texts_tables(const TwoTextsFacts& facts, bool revealed);
// data_lossy.cpp
std::vector<DataTable> outlier_tables(const OutlierFacts& facts, bool revealed);
std::vector<DataTable> residual_tables(const ResidualFacts& facts, bool revealed);
std::vector<DataTable> fields_tables(const FieldsFacts& facts, bool revealed);
std::vector<DataTable> sink_tables(const SinkFacts& facts, bool revealed);
std::vector<DataTable> heavy_tables(const HeavyFacts& facts, bool revealed);
std::vector<DataTable> observed_tables(const ObservedFacts& facts, bool revealed);
std::vector<DataTable> ranks_tables(const RanksFacts& facts, bool revealed);
std::vector<DataTable> bounds_tables(const BoundsFacts& facts, bool revealed);

std::vector<DataTable> arena_tables(const ArenaFacts& facts, bool revealed);  // pool_data.cpp
std::vector<DataTable> service_tables(const ServiceFacts& facts, bool revealed);
std::vector<DataTable> batch_tables(const BatchFacts& facts, bool revealed);
std::vector<DataTable> layers_tables(const LayersFacts& facts, bool revealed);
std::vector<DataTable> shares_tables(const SharesFacts& facts, bool revealed);
std::vector<DataTable> radix_tables(const RadixFacts& facts, bool revealed);
std::vector<DataTable> walk_tables(const WalkFacts& facts, bool revealed);
std::vector<DataTable> last_block_tables(const LastBlockFacts& facts, bool revealed);
std::vector<DataTable> hashes_tables(const HashesFacts& facts, bool revealed);
std::vector<DataTable> stretches_tables(const StretchesFacts& facts, bool revealed);

}  // namespace kv::figure
