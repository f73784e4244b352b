// The race as tables: the means beside what the paper measured, the moment of the playhead, and
// where the slots are over the time that is shown.

#include "app/panels/race/words.hpp"
#include "app/panels/tables/tables.hpp"

namespace kv {
namespace {

constexpr u64 kTimeRows = 100;  // rows for each allocator

TableCell share_cell(const std::optional<double>& value) {
    return value ? TableCell(*value) : TableCell(std::monostate{});
}

std::string lane_name(const RaceRecord& lane) {
    return std::string(name_of(lane.result.allocator));
}

DataTable means_table(const RacedWorkload& race) {
    DataTable table{"means",
                    "Means while requests wait",
                    {{"allocator"},
                     {"at once"},
                     {"live"},
                     {"reserved"},
                     {"internal"},
                     {"external"},
                     {"free"},
                     {"paper at once"},
                     {"paper live"},
                     {"paper reserved"},
                     {"paper internal"},
                     {"paper external"},
                     {"iterations"},
                     {"most at once"},
                     {"done"},
                     {"refused"},
                     {"taken out"},
                     {"computed again", "tokens"},
                     {"copied", "slots"},
                     {"leaked", "slots"},
                     {"given up"},
                     {"left waiting"}},
                    {}};
    for (const RaceRecord& lane : race.lanes) {
        const RaceResult& r = lane.result;
        table.add(lane_name(lane));
        auto& cells = table.rows.back();
        cells.push_back(share_cell(r.mean_batch));
        for (const SlotKind kind : kSlotKinds) cells.push_back(share_cell(mean_share(r, kind)));
        const auto paper = race.is_published() ? published_bar(r.allocator) : std::nullopt;
        cells.push_back(paper ? TableCell(paper->mean_batch) : TableCell(std::monostate{}));
        for (const SlotKind kind :
             {SlotKind::Live, SlotKind::Reserved, SlotKind::Internal, SlotKind::External})
            cells.push_back(share_cell(paper ? paper_share(*paper, kind) : std::nullopt));
        for (const u64 n : {r.iterations, r.peak_batch, r.counters.finished, r.counters.refused,
                            r.counters.preemptions, r.counters.recomputed_tokens, r.slots_copied,
                            r.counters.leaked_slots, r.counters.abandoned, r.left_waiting})
            cells.emplace_back(n);
    }
    return table;
}

DataTable moment_table(const RacedWorkload& race, u64 iteration) {
    DataTable table{"moment",
                    "At iteration " + std::to_string(iteration),
                    {{"allocator"},
                     {"running"},
                     {"waiting"},
                     {"done"},
                     {"live", "slots"},
                     {"reserved", "slots"},
                     {"internal", "slots"},
                     {"external", "slots"},
                     {"free", "slots"}},
                    {}};
    for (const RaceRecord& lane : race.lanes) {
        const RaceMoment now = lane.at(iteration);
        table.add(lane_name(lane), now.running, now.waiting, now.counters.finished, now.use.tokens,
                  now.use.reserved, now.use.internal, now.use.external, now.use.free);
    }
    return table;
}

DataTable time_table(const RacedWorkload& race, const RaceTime& time) {
    DataTable table{"time",
                    "Mean slots over the time that is shown",
                    {{"allocator"},
                     {"first iteration"},
                     {"iterations"},
                     {"live", "slots"},
                     {"reserved", "slots"},
                     {"internal", "slots"},
                     {"external", "slots"},
                     {"free", "slots"}},
                    {}};
    std::vector<RaceColumn> columns(std::min(kTimeRows, time.count));
    for (const RaceRecord& lane : race.lanes) {
        fill_columns(lane, time.first, time.count, columns);
        for (const RaceColumn& column : columns) {
            table.add(lane_name(lane), column.first, column.count);
            for (const SlotKind kind : kSlotKinds)
                table.rows.back().emplace_back(static_cast<double>(slots_of(column.sum, kind)) /
                                               static_cast<double>(column.count));
        }
    }
    return table;
}

}  // namespace

DataTables race_tables(const RaceUi& own) {
    if (!own.race) return {};
    return {means_table(*own.race), moment_table(*own.race, own.iteration()),
            time_table(*own.race, own.shown())};
}

}  // namespace kv
