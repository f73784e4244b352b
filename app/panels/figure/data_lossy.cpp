// The numbers of the figures about what is lost.

#include <algorithm>

#include "app/panels/figure/data.hpp"

namespace kv::figure {

std::vector<DataTable> outlier_tables(const OutlierFacts& facts, bool revealed) {
    DataTable table{"outlier",
                    "The codes of the other channels",
                    {{"value of the channel"},
                     {"one scale"},
                     {"codes of the others, one scale"},
                     {"RMS error of the others, one scale"}},
                    {}};
    const bool second = revealed || !facts.second_revealed;
    if (second) {
        table.columns.push_back({"codes of the others, second way"});
        table.columns.push_back({"RMS error of the others, second way"});
    }
    const std::size_t n = revealed ? facts.ticks.size() : facts.open;
    for (std::size_t i = 0; i < n; ++i) {
        const OutlierFacts::At& at = facts.ticks[i];
        table.add(at.value, at.whole.scales[0], std::uint64_t{at.whole.distinct}, at.whole.rms);
        if (!second) continue;
        table.rows.back().emplace_back(std::uint64_t{at.second.distinct});
        table.rows.back().emplace_back(at.second.rms);
    }
    return {table};
}

std::vector<DataTable> residual_tables(const ResidualFacts& facts, bool revealed) {
    DataTable table{"residual",
                    "Tokens that are coded, and bits of a number",
                    {{"tokens"},
                     {"coded keys", "tokens"},
                     {"coded values", "tokens"},
                     {"bits of a key's number"},
                     {"bits of a value's number"}},
                    {}};
    const std::size_t n = revealed ? facts.ticks.size() : facts.open;
    for (std::size_t i = 0; i < n; ++i) {
        const ResidualFacts::At& at = facts.ticks[i];
        table.add(at.tokens, at.coded[0], at.coded[1], at.bits[0], at.bits[1]);
    }
    return {table};
}

std::vector<DataTable> fields_tables(const FieldsFacts& facts, bool revealed) {
    DataTable table{
        "fields",
        "Bytes of one vector",
        {{"codec"}, {"codes", "B"}, {"scales", "B"}, {"zeros", "B"}, {"bits of a number"}},
        {}};
    const std::size_t n = revealed ? facts.rows.size() : facts.open;
    for (std::size_t i = 0; i < n; ++i) {
        const FieldsFacts::Row& row = facts.rows[i];
        table.add(row.name, row.codes, row.scales, row.zeros, facts.bits(row));
    }
    return {table};
}

std::vector<DataTable> sink_tables(const SinkFacts& facts, bool revealed) {
    DataTable weights{"weights", "Where the head looks", {{"position"}, {"token"}}, {}};
    DataTable losses{"losses",
                     "Loss on many texts",
                     {{"first tokens kept"}, {"newest tokens kept"}, {"loss", "nats a token"}},
                     {}};
    const std::size_t n = revealed ? facts.strips.size() : facts.open;
    for (std::size_t i = 0; i < n; ++i) {
        const SinkFacts::Strip& strip = facts.strips[i];
        weights.columns.push_back({strip.everything
                                       ? "everything kept"
                                       : std::to_string(strip.sinks) + " first, " +
                                             std::to_string(strip.recent) + " newest"});
        losses.add(TableCell(), TableCell(), strip.loss);
        if (strip.everything) continue;
        losses.rows.back()[0] = std::uint64_t{strip.sinks};
        losses.rows.back()[1] = std::uint64_t{strip.recent};
    }
    for (std::size_t t = 0; t < facts.words.size(); ++t) {
        weights.add(std::uint64_t{t}, facts.words[t]);
        for (std::size_t i = 0; i < n; ++i) {
            TableCell& cell = weights.rows.back().emplace_back();
            if (facts.strips[i].kept[t]) cell = facts.strips[i].weights[t];
        }
    }
    return {weights, losses};
}

std::vector<DataTable> heavy_tables(const HeavyFacts& facts, bool revealed) {
    DataTable table{"scores", "Tokens and their scores", {{"token"}, {"score"}}, {}};
    if (revealed) table.columns.push_back({"stays"});
    for (std::size_t t = 0; t < facts.scores.size(); ++t) {
        table.add(std::uint64_t{t}, facts.scores[t]);
        if (!revealed) continue;
        const bool goes =
            std::find(facts.dropped.begin(), facts.dropped.end(), t) != facts.dropped.end();
        table.rows.back().emplace_back(std::string(goes ? "no" : "yes"));
    }
    return {table};
}

std::vector<DataTable> observed_tables(const ObservedFacts& facts, bool revealed) {
    DataTable table{"prompt", "The prompt", {{"position"}, {"token"}, {"observes"}}, {}};
    if (revealed) {
        table.columns.push_back({"score"});
        table.columns.push_back({"stays"});
    }
    for (std::size_t t = 0; t < facts.words.size(); ++t) {
        const bool observes = t >= facts.scores.size();
        table.add(std::uint64_t{t}, facts.words[t], std::string(observes ? "yes" : "no"));
        if (!revealed) continue;
        TableCell& score = table.rows.back().emplace_back();
        if (!observes) score = facts.scores[t];
        table.rows.back().emplace_back(std::string(facts.kept[t] ? "yes" : "no"));
    }
    return {table};
}

std::vector<DataTable> ranks_tables(const RanksFacts& facts, bool revealed) {
    DataTable table{"ranks", "Kept tokens", {{"place in the text"}}, {}};
    if (revealed) table.columns.push_back({"rank in the cache"});
    const std::uint32_t n = facts.kept() + (revealed ? 1 : 0);
    for (std::uint32_t rank = 0; rank < n; ++rank) {
        table.add(std::uint64_t{rank < facts.sinks ? rank : facts.first + rank - facts.sinks});
        if (revealed) table.rows.back().emplace_back(std::uint64_t{rank});
    }
    return {table};
}

std::vector<DataTable> bounds_tables(const BoundsFacts& facts, bool revealed) {
    DataTable table{"bounds", "Blocks and their bounds", {{"block"}, {"bound"}}, {}};
    if (revealed) {
        table.columns.push_back({"read"});
        table.columns.push_back({"largest score"});
    }
    for (std::size_t b = 0; b < facts.blocks.size(); ++b) {
        table.add(std::uint64_t{b}, facts.blocks[b].bound);
        if (!revealed) continue;
        table.rows.back().emplace_back(std::string(facts.blocks[b].read ? "yes" : "no"));
        table.rows.back().emplace_back(facts.blocks[b].best);
    }
    return {table};
}

}  // namespace kv::figure
