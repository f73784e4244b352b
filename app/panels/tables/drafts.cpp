// Drafts as tables: the sums, every checked read, and the map of speed.

#include <algorithm>

#include "app/panels/drafts/map.hpp"
#include "app/panels/drafts/plan.hpp"
#include "app/panels/tables/tables.hpp"
#include "app/panels/view/facts.hpp"

namespace kv {
namespace {

TableCell count_cell(std::uint64_t n) {
    return n;
}

DataTable draft_sums(const DraftSums& sums) {
    DataTable table{"sums", "Drafts so far", {{"what"}, {"count"}}, {}};
    const auto add = [&](const char* what, TableCell cell) {
        table.add(std::string(what), std::move(cell));
    };
    add("checked reads", count_cell(sums.reads));
    add("proposed", count_cell(sums.proposed));
    add("accepted", count_cell(sums.accepted));
    add("struck", count_cell(sums.struck));
    add("behind a struck one", count_cell(sums.behind));
    add("tokens", count_cell(sums.tokens));
    add("tokens per read", sums.per_read());
    add("a judged token is right", sums.acceptance());
    add("KV bytes per token", sums.bytes_per_token());
    add("KV bytes per token without drafts", sums.without_per_token());
    return table;
}

DataTable draft_reads(std::span<const RunDraft> drafts) {
    DataTable table{"reads",
                    "Checked reads",
                    {{"step"}, {"k"}, {"accepted"}, {"struck"}, {"behind"}, {"tokens"}},
                    {}};
    for (const RunDraft& d : drafts)
        table.add(count_cell(d.iteration), count_cell(d.k), count_cell(d.accepted),
                  count_cell(d.struck), count_cell(d.behind), count_cell(d.tokens));
    return table;
}

DataTable draft_speeds(const BillInputs& bill, std::uint64_t k, std::uint64_t tokens) {
    DataTable table{"map",
                    "Times as fast by batch and acceptance",
                    {{"k"}, {"batch"}, {"acceptance"}, {"times as fast"}},
                    {}};
    const auto map = plan_draft_map(bill, std::max<std::uint64_t>(1, k), tokens);
    if (!map) return table;
    for (std::size_t r = 0; r < map->batches.size(); ++r)
        for (std::size_t c = 0; c < map->acceptances.size(); ++c)
            table.add(count_cell(map->k), count_cell(map->batches[r]), map->acceptances[c],
                      map->at(r, c));
    return table;
}

}  // namespace

DataTables drafts_tables(const RunView& run, const RunFocus& focus, const RunHistory& history,
                         const BillInputs& bill) {
    const List<RunDraft> drafts = drafts_of(run, history, focus.request);
    const std::uint64_t stored =
        is_known(run.now, focus.request) ? run.now.requests[focus.request.index()].stored : 0;
    return {draft_sums(sum_drafts(run, drafts)), draft_reads(drafts),
            draft_speeds(bill, usual_k(run, drafts), stored)};
}

}  // namespace kv
