// Compare as tables: what differs, both sides' tokens, how well each predicts, and memory.

#include <algorithm>

#include "app/panels/compare_runs/words.hpp"
#include "app/panels/tables/tables.hpp"
#include "app/panels/view/facts.hpp"

namespace kv {
namespace {

TableCell word_or_none(const RunView& run, std::optional<std::uint32_t> token) {
    return token ? TableCell(spoken_word(run, *token)) : TableCell();
}

DataTable partings_of(const PairView& pair) {
    DataTable table{"partings",
                    "First different tokens",
                    {{"request"}, {"position"}, {"left"}, {"right"}, {"step"}},
                    {}};
    for (const TokenParting& parting : pair.own.difference.partings())
        table.add(parting.request, std::uint64_t{parting.index},
                  word_or_none(pair.left, parting.left), word_or_none(pair.right, parting.right),
                  std::uint64_t{parting.iteration});
    return table;
}

std::uint64_t live_bytes(const RunView& run) {
    return count_pool(run.now).live_slots * slot_bytes(run);
}

}  // namespace

DataTables pair_summary_tables(const PairView& pair) {
    DataTable change{
        "change", "What differs", {{"side"}, {"setting"}, {"value"}, {"from step"}}, {}};
    for (const auto& [side, run] :
         {std::pair{"left", &pair.left}, std::pair{"right", &pair.right}}) {
        const RunChange* c = run->change;
        if (c == nullptr) continue;
        change.add(std::string(side), c->name, c->value,
                   c->from ? TableCell(std::uint64_t{*c->from}) : TableCell());
    }
    return {change, partings_of(pair)};
}

DataTables pair_side_tables(const PairView& pair, CompareSide side, const RunFocus& focus) {
    const RunView& run = pair.of(side);
    const std::string name = name_of_request(pair.left.now, focus.request);
    const auto request = request_named(run.now, name);
    DataTables tables;
    if (request) {
        RunFocus here = focus;
        here.request = *request;
        tables = stage_tables(run, here);
    }
    tables.push_back(partings_of(pair));
    return tables;
}

DataTables pair_quality_tables(const PairView& pair, const RunFocus& focus) {
    const std::string request = name_of_request(pair.left.now, focus.request);
    const Judgement& all = pair.own.difference.judgement();
    const auto& full = all.full;
    const auto cell = [&](auto value) { return full ? TableCell(value()) : TableCell(); };
    const std::string of_all = "of " + std::to_string(all.tokens.size());
    DataTable means{
        "means", "Means", {{"request"}, {"what"}, {"full"}, {"left"}, {"right"}, {"unit"}}, {}};
    means.add(request, std::string("negative log-likelihood"), cell([&] { return full->nll; }),
              all.left, all.right, std::string("nat"));
    means.add(request, std::string("KL divergence from full"), cell([] { return 0.0; }),
              cell([&] { return full->kl[0]; }), cell([&] { return full->kl[1]; }),
              std::string("nat"));
    means.add(request, std::string("same most probable token as full"),
              cell([&] { return std::uint64_t{all.tokens.size()}; }),
              cell([&] { return std::uint64_t{full->agree[0]}; }),
              cell([&] { return std::uint64_t{full->agree[1]}; }), of_all);
    means.add(request, std::string("attention mass lost"), cell([] { return 0.0; }),
              cell([&] { return full->lost[0]; }),
              full && full->knows_lost_right ? TableCell(full->lost[1]) : TableCell(),
              std::string("share"));
    means.add(request, std::string("KL divergence, left to right"), TableCell(), all.kl,
              TableCell(), std::string("nat"));
    means.add(request, std::string("same most probable token on both sides"), TableCell(),
              std::uint64_t{all.agree}, TableCell(), of_all);
    means.add(request, std::string("live keys and values"), TableCell(), live_bytes(pair.left),
              live_bytes(pair.right), std::string("B"));
    DataTable tokens{"tokens",
                     "Each token",
                     {{"request"},
                      {"position"},
                      {"token"},
                      {"word"},
                      {"left", "nat"},
                      {"right", "nat"},
                      {"KL divergence", "nat"},
                      {"same most probable token"}},
                     {}};
    for (const JudgedToken& t : all.tokens)
        tokens.add(request, std::uint64_t{t.index}, std::uint64_t{t.token},
                   spoken_word(pair.left, t.token), t.left, t.right, t.kl, t.agree);
    return {means, tokens};
}

DataTables pair_memory_tables(const PairView& pair) {
    DataTable table{
        "memory", "Live keys and values", {{"step"}, {"left", "B"}, {"right", "B"}}, {}};
    const auto live = [](const RunView& run, std::uint32_t iteration) -> TableCell {
        const auto at = std::lower_bound(
            run.samples.begin(), run.samples.end(), iteration,
            [](const Sample& sample, std::uint32_t i) { return sample.iteration < i; });
        if (at == run.samples.end() || at->iteration != iteration) return {};
        return at->live_tokens * measure_at(run, at->moment).slot;
    };
    std::uint32_t last = 0;
    for (const RunView* run : {&pair.left, &pair.right})
        if (!run->samples.empty()) last = std::max(last, run->samples.back().iteration);
    for (std::uint32_t i = 1; i <= last; ++i)
        table.add(std::uint64_t{i}, live(pair.left, i), live(pair.right, i));
    return {table};
}

}  // namespace kv
