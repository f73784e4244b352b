#include "app/panels/figure/data.hpp"

#include <array>

#include "core/cost/time/roofline.hpp"

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
    using Open = TwoSumsFacts::Open;
    DataTable table{"sums", facts.title, {{"term"}}, {}};
    const bool all = revealed || facts.open == Open::All;
    const bool right = all || facts.open == Open::Right, wrong = all || facts.open == Open::Wrong;
    if (!right && !wrong) return {};
    const auto written = [](const std::string& said) {
        TableCell cell;
        if (!said.empty()) cell = said;
        return cell;
    };
    if (right) table.columns.push_back({"right sum"});
    if (wrong) table.columns.push_back({"wrong sum"});
    for (const TwoSumsFacts::Term& term : facts.terms) {
        table.add(all ? term.name : term.called);
        if (right) table.rows.back().push_back(written(term.right));
        if (wrong) table.rows.back().push_back(written(term.wrong));
    }
    table.add(std::string("result"));
    if (right) table.rows.back().emplace_back(facts.right.amount);
    if (wrong) table.rows.back().emplace_back(facts.wrong.amount);
    if (!all || facts.room.empty()) return {table};
    table.add(std::string("fit into ") + facts.room);
    table.rows.back().emplace_back(facts.right.fit);
    table.rows.back().emplace_back(facts.wrong.fit);
    return {table};
}

std::vector<DataTable> text_tables(const TextFacts& facts, bool revealed) {
    DataTable table{
        "tokens", "Tokens, and the step that stores each", {{"position"}, {"token"}, {"step"}}, {}};
    if (facts.block_size > 0) table.columns.push_back({"block"});
    const std::uint32_t last = revealed ? facts.end : facts.open;
    const bool says = facts.positions == FigureWhen::Now || revealed;
    for (std::uint32_t i = 0; i < facts.prompt + last; ++i) {
        const bool stored = i < facts.stored(last);
        table.add(TableCell(), facts.words[i]);
        if (says) table.rows.back()[0] = std::uint64_t{i};
        TableCell& step = table.rows.back().emplace_back();
        if (stored) step = std::uint64_t{i < facts.prompt ? 1 : i - facts.prompt + 2};
        if (facts.block_size == 0) continue;
        TableCell& block = table.rows.back().emplace_back();
        if (stored) block = std::uint64_t{facts.table[i / facts.block_size]};
    }
    return {table};
}

std::vector<DataTable> stages_tables(const StagesFacts& facts, bool) {
    DataTable table{
        "rows", "Rows of a layer", {{"before the step"}, {"behind it"}, {"a row", "B"}}, {}};
    table.add(facts.stored - 1, facts.stored, facts.row_bytes);
    return {table};
}

std::vector<DataTable> two_texts_tables(const TwoTextsFacts& facts, bool revealed) {
    DataTable table{"tokens", "What both runs wrote", {{"token"}, {"left"}, {"right"}}, {}};
    const std::uint32_t n = revealed ? facts.longest() : facts.open;
    for (std::uint32_t i = 0; i < n; ++i) {
        table.add(std::uint64_t{i + 1}, TableCell(), TableCell());
        if (i < facts.left.size()) table.rows.back()[1] = facts.left[i];
        if (i < facts.right.size()) table.rows.back()[2] = facts.right[i];
    }
    return {table};
}

std::vector<DataTable> vectors_tables(const VectorsFacts& facts, bool revealed) {
    DataTable table{"vectors", "Vectors of one token", {{"KV heads"}, {"a layer", "B"}}, {}};
    table.add(facts.n_kv_heads, facts.layer_bytes);
    if (facts.total != FigureWhen::Now && !revealed) return {table};
    for (const char* name : {"numbers of a key", "numbers of a value", "layers", "vectors"})
        table.columns.push_back({name});
    table.columns.push_back({"a token", "B"});
    for (const std::uint64_t value :
         {facts.k_dim, facts.v_dim, facts.n_layers, facts.kept(), facts.bytes})
        table.rows.back().emplace_back(value);
    return {table};
}

std::vector<DataTable> passes_tables(const PassesFacts& facts, bool revealed) {
    DataTable table{"passes", "Positions computed, pass by pass", {{"pass"}, {"nothing kept"}}, {}};
    const auto shows = [&](FigureWhen when) {
        return when == FigureWhen::Now || (when == FigureWhen::Revealed && revealed);
    };
    const bool cache = shows(facts.cache);
    if (cache) table.columns.push_back({"with a cache"});
    for (std::uint64_t pass = 1; pass <= facts.fresh; ++pass) {
        if (pass == facts.fresh && !shows(facts.last)) break;
        table.add(pass, facts.prompt + pass - 1);
        if (cache) table.rows.back().emplace_back(pass == 1 ? facts.prompt : std::uint64_t{1});
    }
    return {table};
}

std::vector<DataTable> attend_row_tables(const AttendRowFacts& facts, bool revealed) {
    DataTable table{"row", "One row of attention", {{"key"}, {"dot product"}, {"score"}}, {}};
    if (revealed) {
        for (const char* name : {"power", "weight", "weight with all keys"})
            table.columns.push_back({name});
    }
    const std::size_t n = revealed ? facts.keys.size() : facts.open;
    for (std::size_t i = 0; i < n; ++i) {
        table.add(std::uint64_t{i}, facts.keys[i].dot, facts.keys[i].score);
        if (!revealed) continue;
        table.rows.back().emplace_back(facts.keys[i].power);
        TableCell& weight = table.rows.back().emplace_back();
        if (i < facts.open) weight = facts.before.weights[i];
        table.rows.back().emplace_back(facts.after.weights[i]);
    }
    return {table};
}

std::vector<DataTable> bits_tables(const BitsFacts& facts, bool revealed) {
    DataTable table{"bits",
                    "The fields of sixteen bits",
                    {{"sign"}, {"stored exponent"}, {"fraction, of 128"}},
                    {}};
    table.add(std::uint64_t{facts.sign()}, std::uint64_t{facts.exponent()},
              std::uint64_t{facts.fraction()});
    if (facts.value != FigureWhen::Now && !revealed) return {table};
    table.columns.push_back({"number"});
    table.rows.back().emplace_back(facts.number);
    return {table};
}

std::vector<DataTable> sectors_tables(const SectorsFacts& facts, bool revealed) {
    DataTable table{"vectors",
                    "Where the key of each token and head begins",
                    {{"token"}, {"KV head"}, {"token-major", "byte"}},
                    {}};
    const bool other = facts.other == FigureWhen::Now || revealed;
    if (other) table.columns.push_back({"head-major", "byte"});
    const auto at = [](const KvLayout& layout, std::uint32_t slot, std::uint32_t head) {
        return std::uint64_t{
            layout.vector_offset(LayerId(0), Side::K, HeadId(head), BlockId(0), Slot(slot))};
    };
    for (std::uint32_t t = 0; t < facts.token_major.block_size; ++t)
        for (std::uint32_t h = 0; h < facts.token_major.n_kv_heads; ++h) {
            table.add(std::uint64_t{t}, std::uint64_t{h}, at(facts.token_major, t, h));
            if (other) table.rows.back().emplace_back(at(facts.head_major, t, h));
        }
    return {table};
}

std::vector<DataTable> bars_tables(const BarsFacts& facts, bool revealed) {
    DataTable table{"bars", facts.title, {{"what"}, {"amount"}, {"as written"}}, {}};
    const std::size_t n = revealed ? facts.bars.size() : facts.open;
    for (std::size_t i = 0; i < n; ++i)
        table.add(facts.bars[i].name, facts.bars[i].amount, facts.bars[i].said);
    if (facts.limit) table.add(facts.limit->name, facts.limit->amount, facts.limit->said);
    return {table};
}

std::vector<DataTable> factors_tables(const FactorsFacts& facts, bool revealed) {
    DataTable table{"factors", facts.title, {{"factor"}, {"value"}}, {}};
    const bool products = facts.products == FigureWhen::Now || revealed;
    if (products) table.columns.push_back({"product so far"});
    for (const FactorsFacts::Factor& one : facts.factors) {
        table.add(one.name, one.said);
        if (products) table.rows.back().emplace_back(one.product);
    }
    return {table};
}

std::vector<DataTable> series_tables(const SeriesFacts& facts, bool revealed) {
    DataTable table{"series", facts.title, {{facts.word}}, {}};
    const std::size_t n = revealed ? facts.rows.size() : facts.open;
    for (std::size_t i = 0; i < n; ++i) table.columns.push_back({facts.rows[i].name});
    if (n == 0) return {};
    const std::size_t columns = revealed ? facts.rows[0].values.size() : facts.columns;
    for (std::size_t c = 0; c < columns; ++c) {
        table.add(facts.first + c);
        for (std::size_t i = 0; i < n; ++i) {
            TableCell& cell = table.rows.back().emplace_back();
            if (c < facts.rows[i].values.size()) cell = facts.rows[i].values[c];
        }
    }
    return {table};
}

std::vector<DataTable> blocks_tables(const BlocksFacts& facts, bool revealed) {
    const BlocksFacts::State& state = revealed ? facts.end : facts.open;
    DataTable tables{"tables", "Block tables", {{"request"}, {"entry"}, {"block"}}, {}};
    for (const BlocksFacts::Request& request : state.requests)
        for (std::size_t e = 0; e < request.table.size(); ++e) {
            tables.add(request.name, std::uint64_t{e});
            TableCell& block = tables.rows.back().emplace_back();
            if (request.table[e]) block = std::uint64_t{*request.table[e]};
        }
    DataTable pool{"pool", "The pool", {{"block"}, {"tables that name it"}, {"slots filled"}}, {}};
    for (std::size_t b = 0; b < state.blocks.size(); ++b)
        pool.add(std::uint64_t{b}, std::uint64_t{state.blocks[b].refs},
                 std::uint64_t{state.blocks[b].filled});
    return {tables, pool};
}

std::vector<DataTable> lanes_tables(const LanesFacts& facts, bool revealed) {
    DataTable table{
        "runs", "Layers over a link", {{"run"}, {"end", "s"}, {"the device waits", "s"}}, {}};
    const auto add = [&](const char* name, const LanesFacts::Run& run) {
        table.add(std::string(name), run.end, run.stalled());
    };
    add("in turn", facts.in_turn);
    if (facts.when == FigureWhen::Now || (facts.when == FigureWhen::Revealed && revealed))
        add("a layer ahead", facts.ahead);
    if (facts.slower && revealed) add("over a slower link", *facts.slower);
    return {table};
}

std::vector<DataTable> roofline_tables(const RooflineFacts& facts, bool revealed) {
    DataTable table{"work", "Work on the roof", {{"what"}, {"FLOP for each byte"}, {"FLOP/s"}}, {}};
    const std::size_t n = revealed ? facts.points.size() : facts.open;
    for (std::size_t i = 0; i < n; ++i) {
        const auto& [name, intensity] = facts.points[i];
        table.add(name, intensity, attainable_flops(intensity, facts.flop_rate, facts.byte_rate));
    }
    return {table};
}

std::vector<DataTable> service_tables(const ServiceFacts& facts, bool revealed) {
    constexpr std::array kColumns{"vllm:kv_cache_usage_perc",  "vllm:num_requests_running",
                                  "vllm:num_requests_waiting", "prefix hit rate",
                                  "time to first token",       "vllm:num_preemptions_total"};
    static_assert(kColumns.size() == ServiceFacts::kSignals);
    std::vector<DataTable> tables;
    for (std::size_t s = 0; s < facts.servers.size(); ++s) {
        DataTable table{s == 0 ? "left" : "right",
                        s == 0 ? "Signals of the left server" : "Signals of the right server",
                        {{"time", "s"}},
                        {}};
        for (const char* name : kColumns) table.columns.push_back({name});
        const std::uint32_t steps = revealed ? facts.end : facts.open;
        for (std::uint32_t i = 0; i < steps; ++i) {
            table.add((i + 1) * facts.step);
            for (const ServiceFacts::Curve& curve : facts.servers[s].curves) {
                TableCell& cell = table.rows.back().emplace_back();
                if (curve[i]) cell.emplace<double>(*curve[i]);
            }
        }
        tables.push_back(std::move(table));
    }
    return tables;
}

std::vector<DataTable> batch_tables(const BatchFacts& facts, bool revealed) {
    DataTable table{"steps", "Tokens computed, step by step", {{"step"}}, {}};
    for (const BatchFacts::Row& row : facts.rows) table.columns.push_back({row.name});
    const std::uint32_t columns = revealed ? facts.end : facts.open;
    for (std::uint32_t c = 0; c < columns; ++c) {
        table.add(std::uint64_t{facts.first} + c);
        for (const BatchFacts::Row& row : facts.rows)
            table.rows.back().emplace_back(std::uint64_t{row.cells[c].tokens});
    }
    return {table};
}

std::vector<DataTable> layers_tables(const LayersFacts& facts, bool revealed) {
    DataTable table{
        "growth", facts.title, {{"tokens"}, {"all layers", "B"}, {facts.ghost_name, "B"}}, {}};
    const std::size_t n = revealed ? facts.moments.size() : facts.open;
    for (std::size_t i = 0; i < n; ++i)
        table.add(facts.moments[i].tokens, facts.moments[i].total, facts.moments[i].ghost);
    DataTable layers{"layers", "Bytes of each layer", {{"layer"}}, {}};
    for (std::size_t i = 0; i < n; ++i)
        layers.columns.push_back({std::to_string(facts.moments[i].tokens) + " tokens", "B"});
    for (std::size_t l = 0; l < facts.kinds.size(); ++l) {
        layers.add(std::uint64_t{l});
        for (std::size_t i = 0; i < n; ++i)
            layers.rows.back().emplace_back(facts.moments[i].held[l]);
    }
    return {table, layers};
}

}  // namespace kv::figure
