// A watched server as tables: what each of its panels shows, unrounded. Times are seconds since the
// stream began.

#include "app/panels/attach/plan.hpp"
#include "app/panels/tables/tables.hpp"
#include "core/attach/picture/facts.hpp"

namespace kv {
namespace {

TableCell whole_or_none(std::uint64_t n) {
    return n;
}
TableCell whole_or_none(const std::optional<std::uint64_t>& n) {
    return n ? TableCell(*n) : TableCell();
}
TableCell real_cell(const std::optional<double>& x) {
    return x ? TableCell(*x) : TableCell();
}
// Ranks and groups may be any number.
TableCell name_cell(std::int64_t n) {
    return std::to_string(n);
}

DataTable ages_table(const char* name, const char* title, const AgeHistogram& ages) {
    DataTable table{name, title, {{"from", "s"}, {"to", "s"}, {"blocks"}}, {}};
    for (std::size_t i = 0; i < AgeHistogram::kBars; ++i)
        table.add(AgeHistogram::lower_edge_s(i), AgeHistogram::lower_edge_s(i + 1),
                  whole_or_none(ages.bars()[i]));
    return table;
}

DataTable prefix_table(const char* name, const char* title,
                       const std::vector<TankPrefixRow>& rows) {
    DataTable table{name,
                    title,
                    {{"plate"},
                     {"rank"},
                     {"group"},
                     {"tokens"},
                     {"ends at", "token"},
                     {"hits"},
                     {"beneath", "blocks"},
                     {"stored again", "blocks"},
                     {"last use", "s ago"},
                     {"begins with"}},
                    {}};
    for (const TankPrefixRow& row : rows)
        table.add(whole_or_none(row.plate), name_cell(row.rank), name_cell(row.group),
                  whole_or_none(row.tokens), whole_or_none(row.from_start), whole_or_none(row.hits),
                  whole_or_none(row.blocks_beneath), whole_or_none(row.again), row.last_use_s,
                  row.words.empty() ? TableCell() : TableCell(row.words));
    return table;
}

const char* name_of_event(TankLogKind kind) {
    switch (kind) {
        case TankLogKind::Stored:
            return "BlockStored";
        case TankLogKind::Removed:
            return "BlockRemoved";
        case TankLogKind::Cleared:
            return "AllBlocksCleared";
        case TankLogKind::Unknown:
            break;
    }
    return "unknown";
}

}  // namespace

DataTables attach_strip_tables(const AttachUi& own) {
    if (!own.view) return {};
    DataTable ranks{"ranks",
                    "Ranks",
                    {{"rank"},
                     {"sequence"},
                     {"cached", "blocks"},
                     {"pool", "blocks"},
                     {"usage"},
                     {"missed", "batches"},
                     {"restarts"}},
                    {}};
    for (const RankCard& card : own.view->tank.ranks)
        ranks.add(name_cell(card.rank.rank), whole_or_none(card.rank.last_sequence),
                  whole_or_none(card.cached), whole_or_none(card.pool), real_cell(card.usage),
                  whole_or_none(card.rank.missed), whole_or_none(card.rank.restarts));
    DataTable shelves{
        "shelves",
        "By rank, group and medium",
        {{"rank"}, {"group"}, {"medium"}, {"layers"}, {"blocks"}, {"contents"}, {"tokens"}},
        {}};
    for (const ShelfCard& card : own.view->tank.shelves)
        shelves.add(name_cell(card.shelf.name.rank), name_cell(card.shelf.name.group),
                    card.shelf.name.medium, card.shelf.layer_kind, whole_or_none(card.shelf.blocks),
                    whole_or_none(card.shelf.distinct), whole_or_none(card.shelf.tokens));
    return {ranks, shelves};
}

DataTables attach_pool_tables(const AttachUi& own) {
    if (!own.view) return {};
    const TankPool& pool = own.view->tank.pool;
    DataTable table{"pool",
                    "Places of the pool",
                    {{"place"}, {"blocks"}, {"last use", "s ago"}, {"plate"}},
                    {}};
    for (std::size_t i = 0; i < pool.texels.size(); ++i)
        table.add(whole_or_none(i), whole_or_none(pool.blocks_per_texel),
                  static_cast<double>(pool.texels[i].age_s), whole_or_none(pool.texels[i].plate));
    return {table};
}

DataTables attach_tree_tables(const AttachUi& own) {
    if (!own.view) return {};
    DataTable tree{"tree",
                   "Bars of the prefix tree",
                   {{"left", "blocks"},
                    {"beneath", "blocks"},
                    {"from", "token"},
                    {"to", "token"},
                    {"last use", "s ago"},
                    {"plate"},
                    {"chains"}},
                   {}};
    for (const TreeBar& bar : own.view->tank.tree.bars)
        tree.add(whole_or_none(bar.left), whole_or_none(bar.width_top),
                 whole_or_none(bar.from_token), whole_or_none(bar.to_token),
                 static_cast<double>(bar.age_s), whole_or_none(bar.plate),
                 whole_or_none(bar.chains));
    return {prefix_table("hottest", "Hottest prefixes", own.view->tank.hottest), tree};
}

DataTables attach_lost_tables(const AttachUi& own) {
    if (!own.view) return {};
    return {prefix_table("lost", "Lost prefixes", own.view->tank.lost)};
}

DataTables attach_charts_tables(const AttachUi& own) {
    if (!own.view) return {};
    const TankPicture& tank = own.view->tank;
    DataTable samples{"samples",
                      "What the server's metrics said",
                      {{"name"}, {"labels"}, {"time", "s"}, {"value"}},
                      {}};
    for (const MetricTrack& track : tank.tracks)
        for (const auto& [at, value] : track.points)
            samples.add(track.name, track.labels, at - tank.start_s, value);
    return {samples};
}

DataTables attach_ages_tables(const AttachUi& own) {
    if (!own.view) return {};
    const TankPicture& tank = own.view->tank;
    return {ages_table("lifetime", "Lifetime of a block", tank.lifetimes),
            ages_table("idle", "Idle before removal", tank.idle),
            ages_table("found", "Gap until the same block was found", tank.found),
            ages_table("late", "Gap until the same block was stored again", tank.too_late)};
}

DataTables attach_log_tables(const AttachUi& own) {
    if (!own.view) return {};
    const TankPicture& tank = own.view->tank;
    DataTable table{"log",
                    "Events of the server",
                    {{"rank"},
                     {"sequence"},
                     {"time", "s"},
                     {"event"},
                     {"blocks"},
                     {"ends at", "token"},
                     {"lived", "s"},
                     {"idle", "s"},
                     {"group"},
                     {"medium"}},
                    {}};
    for (const TankLogRow& row : tank.log)
        table.add(
            name_cell(row.rank), whole_or_none(row.sequence), row.time_s - tank.start_s,
            row.kind == TankLogKind::Unknown ? row.kind_word : std::string(name_of_event(row.kind)),
            whole_or_none(row.blocks), row.ends_at == 0 ? TableCell() : whole_or_none(row.ends_at),
            real_cell(row.lived_s), real_cell(row.idle_s), name_cell(row.shelf.group),
            row.shelf.medium);
    return {table};
}

DataTables attach_stream_tables(const AttachUi& own) {
    if (!own.view) return {};
    const TankPicture& tank = own.view->tank;
    DataTable table{
        "rates",
        "Blocks stored and removed",
        {{"from", "s"}, {"stored", "blocks"}, {"removed", "blocks"}, {"computed again", "tokens"}},
        {}};
    for (const RateBin& bin : tank.rates)
        table.add(static_cast<double>(bin.number) * RateBin::kSeconds - tank.start_s,
                  whole_or_none(bin.stored), whole_or_none(bin.removed),
                  whole_or_none(bin.tokens_again));
    return {table};
}

namespace {

// The right side as if it were watched alone.
AttachUi alone(const std::shared_ptr<const ServerView>& view) {
    AttachUi one;
    one.view = view;
    return one;
}

void add_facts(DataTable& table, const char* side, const ServerView& view) {
    const TankFacts f = tank_facts_of(view.tank, view.rank);
    table.add(side, view.address, name_cell(view.rank), f.exact ? "exact" : "batches are missing",
              whole_or_none(f.cached), whole_or_none(f.pool), real_cell(f.usage),
              real_cell(f.hit_rate), whole_or_none(f.needed_again), real_cell(f.found_share),
              real_cell(f.lifetime_s), real_cell(f.idle_s), whole_or_none(f.blocks_removed),
              whole_or_none(f.tokens_again), whole_or_none(f.missed));
}

// Tables of both sides; the right one's are named so.
DataTables both_of(const AttachUi& own, DataTables (*of)(const AttachUi&)) {
    DataTables both = of(own);
    if (!own.other) return both;
    for (DataTable& table : of(alone(own.other))) {
        table.name += "_right";
        both.push_back(std::move(table));
    }
    return both;
}

}  // namespace

DataTables servers_tables(const AttachUi& own) {
    if (!own.compares()) return {};
    DataTable table{"servers",
                    "Two servers",
                    {{"side"},
                     {"address"},
                     {"rank"},
                     {"counted"},
                     {"cached", "blocks"},
                     {"pool", "blocks"},
                     {"usage"},
                     {"hit rate, last minute"},
                     {"needed again", "uses"},
                     {"still there", "share"},
                     {"lifetime, median", "s"},
                     {"idle, median", "s"},
                     {"removed", "blocks"},
                     {"computed again", "tokens"},
                     {"missed", "batches"}},
                    {}};
    add_facts(table, "left", *own.view);
    add_facts(table, "right", *own.other);
    return {table};
}

DataTables servers_chart_tables(const AttachUi& own) {
    DataTables both = both_of(own, attach_charts_tables);
    for (DataTable& table : both_of(own, attach_stream_tables)) both.push_back(std::move(table));
    return both;
}

DataTables servers_ages_tables(const AttachUi& own) {
    return both_of(own, attach_ages_tables);
}

DataTables other_pool_tables(const AttachUi& own) {
    return attach_pool_tables(alone(own.other));
}

}  // namespace kv
