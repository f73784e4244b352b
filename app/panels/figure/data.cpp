#include "app/panels/figure/data.hpp"

namespace kv::figure {

std::vector<DataTable> without_cache_tables(const WithoutCacheFacts& facts, bool revealed) {
    DataTable table{"steps",
                    "Positions computed, step by step",
                    {{"step"}, {"without a cache", "positions"}},
                    {}};
    const bool with =
        facts.cache == FigureWhen::Now || (facts.cache == FigureWhen::Revealed && revealed);
    if (with) table.columns.push_back({"with a cache", "positions"});
    const std::uint32_t rows = revealed ? facts.asked : facts.steps;
    for (std::uint32_t i = 0; i < rows; ++i) {
        table.add(std::uint64_t{i} + 1, std::uint64_t{facts.without[i]});
        if (with) table.rows.back().emplace_back(std::uint64_t{facts.with[i]});
    }
    return {table};
}

std::vector<DataTable> byte_map_tables(const ByteMapFacts& facts, bool revealed) {
    const bool both = facts.address == FigureWhen::Now || revealed;
    if (!both) return {};
    DataTable table{
        "addresses",
        "Where each vector begins",
        {{"side"}, {"token"}, {"KV head"}, {"token-major", "byte"}, {"head-major", "byte"}},
        {}};
    for (const Side side : {Side::K, Side::V})
        for (std::uint32_t t = 0; t < facts.token_major.block_size; ++t)
            for (std::uint32_t h = 0; h < facts.token_major.n_kv_heads; ++h) {
                const auto at = [&](const KvLayout& layout) {
                    return std::uint64_t{
                        layout.vector_offset(LayerId(0), side, HeadId(h), BlockId(0), Slot(t))};
                };
                table.add(std::string(side == Side::K ? "K" : "V"), std::uint64_t{t},
                          std::uint64_t{h}, at(facts.token_major), at(facts.head_major));
            }
    return {table};
}

std::vector<DataTable> wiring_tables(const WiringFacts& facts, bool revealed) {
    DataTable table{"models",
                    "Heads and bytes per token",
                    {{"query heads"}, {"KV heads"}, {"layers"}, {"head_dim"}, {"per token", "B"}},
                    {}};
    const auto add = [&](const WiringModel& m) {
        table.add(m.n_heads, m.n_kv_heads, m.n_layers, m.head_dim, m.bytes_per_token);
    };
    for (const WiringModel& m : facts.models) add(m);
    if (facts.real && (facts.real_when == FigureWhen::Now || revealed)) add(*facts.real);
    return {table};
}

std::vector<DataTable> changed_tables(const ChangedFacts& facts, bool revealed) {
    if (!revealed) return {};
    DataTable table{
        "change", "How far a key moved, divided by its length", {{"position"}, {"token"}}, {}};
    for (std::uint32_t layer = 0; layer < facts.n_layers(); ++layer)
        table.columns.push_back({"layer " + std::to_string(layer)});
    for (std::size_t t = 0; t < facts.words.size(); ++t) {
        table.add(std::uint64_t{t}, facts.words[t]);
        for (const auto& row : facts.change) {
            TableCell& cell = table.rows.back().emplace_back();
            if (t < row.size()) cell.emplace<double>(row[t]);
        }
    }
    return {table};
}

std::vector<DataTable> two_sums_tables(const TwoSumsFacts& facts, bool revealed) {
    const bool parts = facts.parting == FigureWhen::Now || revealed;
    if (!parts) return {};
    DataTable table{
        "sums", "Two sums", {{"sum"}, {"factor"}, {"value"}, {"one request", "B"}, {"fit"}}, {}};
    const SumFactor& right = facts.factors[facts.parted];
    table.add(std::string("right"), right.name, right.value, facts.right_bytes, facts.right_fit());
    table.add(std::string("wrong"), facts.wrong.name, facts.wrong.value, facts.wrong_bytes,
              facts.wrong_fit());
    return {table};
}

}  // namespace kv::figure
