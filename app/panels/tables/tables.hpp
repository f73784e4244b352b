#pragma once
// What each panel shows as tables, for files and for people who cannot see the picture. Pure: the
// numbers are those that the panel draws, from the same functions, unrounded.

#include <vector>

#include "app/export/data_table.hpp"
#include "app/panels/attach/ui.hpp"
#include "app/panels/bill/bill.hpp"
#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/policy/xray_rows.hpp"
#include "app/panels/prefix/tree.hpp"
#include "app/panels/price/plan.hpp"
#include "app/panels/race/ui.hpp"
#include "app/panels/timeline/panels.hpp"
#include "app/panels/token/channel_facts.hpp"
#include "app/panels/token/value_preview.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/history.hpp"
#include "app/panels/view/run.hpp"
#include "app/panels/whatif/ui.hpp"
#include "app/shell/texts/texts.hpp"

namespace kv {

using DataTables = std::vector<DataTable>;

DataTables stage_tables(const RunView& run, const RunFocus& focus);
DataTables requests_tables(const RunView& run, const Texts& text);
DataTables events_tables(const RunView& run, const RunHistory& history, const EventsUi& own,
                         const Texts& text);
DataTables transport_tables(const RunView& run, const RunHistory& history);
DataTables channels_tables(const ChannelMap& map, PreviewCodec codec);
DataTables prefix_tables(const RunView& run, PrefixMode mode);
DataTables xray_tables(const RunView& run, const RunFocus& focus, const Xray& xray);
DataTables drafts_tables(const RunView& run, const RunFocus& focus, const RunHistory& history,
                         const BillInputs& bill);
DataTables run_settings_tables(const RunView& run);

DataTables charts_tables(const RunView& run, const RunHistory& history);
DataTables run_equation_tables(const RunView& run, const Texts& text);
DataTables run_roofline_tables(const RunView& run, const RunHistory& history, const Texts& text);

// The text that is shown comes first.
DataTables price_tables(const RunView& run, PriceText shown);
// The tables of the strip; none while no server is watched.
DataTables attach_strip_tables(const AttachUi& own);
DataTables attach_pool_tables(const AttachUi& own);
DataTables attach_tree_tables(const AttachUi& own);
DataTables attach_lost_tables(const AttachUi& own);
DataTables attach_charts_tables(const AttachUi& own);
DataTables attach_ages_tables(const AttachUi& own);
DataTables attach_log_tables(const AttachUi& own);
DataTables attach_stream_tables(const AttachUi& own);
// The tables of two servers that are compared: what they are compared by, and each side's own.
DataTables servers_tables(const AttachUi& own);
DataTables servers_chart_tables(const AttachUi& own);
DataTables servers_ages_tables(const AttachUi& own);
DataTables other_pool_tables(const AttachUi& own);
// The tables of the race; none while none has been held.
DataTables race_tables(const RaceUi& own);
// The tables of a weighed recording; none while none was weighed.
DataTables whatif_tables(const WhatIfUi& own, const Texts& text);

DataTables inspector_tables(const RunView& run, const RunFocus& focus, const Texts& text);
DataTables bytes_tables(const RunView& run, const RunFocus& focus, PreviewCodec preview,
                        const Texts& text);
DataTables attention_tables(const RunView& run, const RunFocus& focus);

DataTables pair_summary_tables(const PairView& pair);
DataTables pair_side_tables(const PairView& pair, CompareSide side, const RunFocus& focus);
DataTables pair_quality_tables(const PairView& pair, const RunFocus& focus);
DataTables pair_memory_tables(const PairView& pair);

// The tables of a bill: what follows from its inputs, with the expression that it comes from.
DataTables bill_tables(const BillInputs& bill, BillSide side);
DataTables bill_roofline_tables(const BillInputs& bill, const Texts& text);
DataTables glossary_tables(const Texts& text);

}  // namespace kv
