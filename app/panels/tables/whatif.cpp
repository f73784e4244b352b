// A weighed recording as tables: its points, and its curves.

#include "app/panels/tables/tables.hpp"
#include "app/panels/whatif/choice_words.hpp"

namespace kv {
namespace {

DataTable whatif_table_of(const char* name, const char* title) {
    return {name,
            title,
            {{"what"},
             {"memory", "B"},
             {"pool", "blocks"},
             {"blocks", "blocks"},
             {"block_size", "tokens"},
             {"order"},
             {"host_blocks", "blocks"},
             {"hit_rate"},
             {"tokens_asked", "tokens"},
             {"tokens_hit", "tokens"},
             {"tokens_hit_in_host", "tokens"},
             {"tokens_computed_again", "tokens"},
             {"blocks_reclaimed", "blocks"},
             {"ttft_median", "s"},
             {"ttft_mean", "s"},
             {"ttft_95th", "s"}},
            {}};
}

void add_point(DataTable& table, const std::string& what, const WhatIfPoint& point) {
    const PoolOutcome& o = point.outcome;
    const auto time = [&](double FirstTokenSeconds::*which) {
        return point.first_token ? TableCell((*point.first_token).*which) : TableCell();
    };
    table.add(what, point.bytes, point.pool, point.blocks, std::uint64_t{point.setting.block_size},
              std::string(point.setting.order.name), point.setting.host_blocks, o.hit_rate(),
              o.asked_tokens, o.hit_tokens, o.host_hit_tokens, o.again_tokens, o.blocks_reclaimed,
              time(&FirstTokenSeconds::median), time(&FirstTokenSeconds::mean),
              time(&FirstTokenSeconds::p95));
}

// Each choice in each of the memories.
DataTable choices_table(const Texts& text, WhatIfView view, const WhatIfChoices& choices) {
    DataTable table = view == WhatIfView::Order ? whatif_table_of("orders", "Orders of eviction")
                                                : whatif_table_of("block_sizes", "Block sizes");
    for (const WhatIfChoice& choice : choices)
        for (const auto& point : choice.points)
            if (point)
                add_point(table, std::string(choice_words(text, view, choice.setting)), *point);
    return table;
}

}  // namespace

DataTables whatif_tables(const WhatIfUi& own, const Texts& text) {
    if (!own.weighed) return {};
    const WeighedRecording& weighed = *own.weighed;
    DataTable points = whatif_table_of("points", "Points");
    for (const WhatIfRow& row : weighed.rows)
        add_point(points, std::string(name_of_row(text, weighed, row)), row.point);
    DataTable curves = whatif_table_of("curves", "Curves");
    for (const WhatIfCurve& curve : weighed.curves)
        for (const WhatIfPoint& point : curve.points)
            add_point(curves, std::string(short_name_of_line(text, weighed, curve.line)), point);
    DataTables tables{points, curves};
    for (const WhatIfView view : {WhatIfView::BlockSize, WhatIfView::Order}) {
        const auto& choices = own.sides[static_cast<std::size_t>(view)].choices;
        if (!choices) continue;
        // What is in view comes first: it is what a reader of tables is told.
        tables.insert(view == own.view ? tables.begin() : tables.end(),
                      choices_table(text, view, *choices));
    }
    return tables;
}

}  // namespace kv
