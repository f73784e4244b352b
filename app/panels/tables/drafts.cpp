// Drafts as tables: the sums, every checked read, and the map of speed.

#include <algorithm>

#include "app/panels/drafts/map.hpp"
#include "app/panels/drafts/plan.hpp"
#include "app/panels/tables/tables.hpp"
#include "app/panels/view/facts.hpp"

namespace kv {
namespace {

TableCell whole_cell(std::uint64_t n) {
    return n;
}

DataTable sums_of(const DraftSums& sums) {
    DataTable table{"sums", "Drafts so far", {{"what"}, {"count"}}, {}};
    const auto add = [&](const char* what, TableCell cell) {
        table.add(std::string(what), std::move(cell));
    };
    add("checked reads", whole_cell(sums.reads));
    add("proposed", whole_cell(sums.proposed));
    add("accepted", whole_cell(sums.accepted));
    add("struck", whole_cell(sums.struck));
    add("behind a struck one", whole_cell(sums.behind));
    add("tokens", whole_cell(sums.tokens));
    add("tokens per read", sums.per_read());
    add("a judged token is right", sums.acceptance());
    add("KV bytes per token", sums.bytes_per_token());
    add("KV bytes per token without drafts", sums.without_per_token());
    return table;
}

DataTable reads_of(std::span<const RunDraft> drafts) {
    DataTable table{"reads",
                    "Checked reads",
                    {{"step"}, {"k"}, {"accepted"}, {"struck"}, {"behind"}, {"tokens"}},
                    {}};
    for (const RunDraft& d : drafts)
        table.add(whole_cell(d.iteration), whole_cell(d.k), whole_cell(d.accepted),
                  whole_cell(d.struck), whole_cell(d.behind), whole_cell(d.tokens));
    return table;
}

DataTable map_of(const BillInputs& bill, std::uint64_t k) {
    DataTable table{"map",
                    "Times as fast by batch and acceptance",
                    {{"k"}, {"batch"}, {"acceptance"}, {"times as fast"}},
                    {}};
    const auto map = plan_draft_map(bill, std::max<std::uint64_t>(1, k));
    if (!map) return table;
    for (std::size_t r = 0; r < map->batches.size(); ++r)
        for (std::size_t c = 0; c < map->acceptances.size(); ++c)
            table.add(whole_cell(map->k), whole_cell(map->batches[r]), map->acceptances[c],
                      map->at(r, c));
    return table;
}

}  // namespace

DataTables drafts_tables(const RunView& run, const RunFocus& focus, const RunHistory& history,
                         const BillInputs& bill) {
    const List<RunDraft> drafts = drafts_of(run, history, focus.request);
    return {sums_of(sum_drafts(run, drafts)), reads_of(drafts), map_of(bill, usual_k(run, drafts))};
}

}  // namespace kv
